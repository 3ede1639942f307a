package browser

// Uploads. Files are put into the file input that the element is, labels or contains. Otherwise
// they are put into the input whose file dialog opens when the element is pressed, or dropped on
// the element.

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/driver"
)

// maxChooserPresses limits how often an element is pressed to open a file dialog. The browser may
// lose the input of an open dialog before the input gets the files. Another press then opens a new
// dialog.
const maxChooserPresses = 3

// takes is what a file input accepts.
type takes struct {
	Several bool    `json:"several"`
	Folder  bool    `json:"folder"` // a folder, and no files
	Accept  string  `json:"accept"`
	El      element `json:"el"`
}

// given is what a file input has received, and the reaction of the page.
type given struct {
	Seen  *[]givenFile `json:"seen"` // files that the page's handlers saw; nil if none was called
	Holds []givenFile  `json:"holds"`
	Apart bool         `json:"apart"` // the input is in no document
	reaction
}

// A reaction is what a page shows about files that it was given.
type reaction struct {
	Lacking   []string `json:"lacking"`   // names of files that the page, once at rest, neither holds nor shows by name or as a picture
	Complaint string   `json:"complaint"` // its complaint about them, "" for none
	Says      string   `json:"says"`      // other text in which it mentions one of the files
}

// A givenFile is a file as the page sees it. Size is in bytes.
type givenFile struct {
	Name string `json:"name"` // for a file of a folder, with its path
	Size int64  `json:"size"`
}

// An upload is the state of one call of Upload.
type upload struct {
	p     *filler
	s     *seeker
	files []driver.UploadFile

	dropped bool // the files were dropped on an element that is no input
	apart   bool // the input is in no document
	shown   bool // the page shows some of them, or an input holds them
}

// Upload implements [driver.Uploader].
func (p *filler) Upload(ctx context.Context, t driver.Target, files []driver.UploadFile) (driver.Upload, error) {
	u := &upload{p: p, s: p.finder.seek(ctx, t), files: files}
	r, err := u.s.act(ctx, act{Need: attached, Strict: true, Op: op{Name: "files"}})
	if err != nil {
		return driver.Upload{}, err
	}
	if r.Takes == nil {
		return u.ask(ctx, r)
	}
	var input eval.Evaluated
	err = p.Frames.Start(ctx, eval.CallFunction{FunctionDeclaration: "()=>__action.filesFor()", UniqueContextID: r.w.ID, ObjectGroup: documents.FilesGroup}).Wait(&input)
	if err := p.Link.Explain(ctx, err); err != nil && !cdp.IsGone(err) {
		return driver.Upload{}, err
	}
	if input.Result.ObjectID == "" {
		return driver.Upload{}, u.lost()
	}
	put := proto.DOMSetFileInputFiles{ObjectID: proto.RuntimeRemoteObjectID(input.Result.ObjectID)}
	return u.put(ctx, r.w, p.Frames.SessionOf(r.w.ID), r.Takes, put)
}

// endSent forgets what the page has sent, unless the check at the end of a run needs it.
func (u *upload) endSent() {
	if u.p.controls.keeper.run == 0 {
		u.p.Sent.Forget()
	}
}

// lost returns the error for an input that the page removed before it got the files.
func (u *upload) lost() error {
	return diag.New(diag.StepFailed, "%s: the page replaced the element before the files were set", u.s.t.Source).
		WithHint("wait until the page is ready, then run the step again")
}

// put puts the files into a file input and checks what the page does with them. req identifies the
// input, and w is its world. The argument "in" says what the input accepts. session is the session
// of its frame.
func (u *upload) put(ctx context.Context, w documents.World, session string, in *takes, req proto.DOMSetFileInputFiles) (driver.Upload, error) {
	p := u.p
	defer p.Link.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObjectGroup{ObjectGroup: documents.FilesGroup})
	if err := u.fits(in); err != nil {
		p.Call(context.WithoutCancel(ctx), w, "filesShown", nil)
		return driver.Upload{}, err
	}
	for _, f := range u.files {
		req.Files = append(req.Files, f.Path)
	}
	var set *cdp.Call
	sent, asked := p.Sent.Count(), p.Net.Sent()
	alerts := len(p.Alerts())
	p.Sent.Keep(ctx, p.Link.SessionsWith(session), u.files)
	defer u.endSent()
	if len(u.files) > 0 {
		set = p.Link.StartIn(ctx, session, req)
	} else {
		set = p.Call(ctx, w, "dropFiles", nil)
	}
	var got given
	// Only the files of a folder arrive after the reply.
	read := p.Call(ctx, w, "filesGiven", map[string]any{"wait": in.Folder && len(u.files) > 0, "names": u.names(), "sent": sent})
	defer p.Call(context.WithoutCancel(ctx), w, "filesShown", nil) // ends the watch
	if err := p.Link.Explain(ctx, set.Wait(nil)); err != nil && !cdp.IsGone(err) {
		return driver.Upload{}, err
	}
	gone := false
	err := p.Answer(ctx, read, &got)
	switch {
	case cdp.IsGone(err): // the page has navigated with the files
		gone = true
		got.Seen = &[]givenFile{}
		for _, f := range u.files {
			*got.Seen = append(*got.Seen, givenFile{filepath.Base(f.Path), f.Size})
		}
	case err != nil:
		return driver.Upload{}, err
	}
	if got.Complaint != "" {
		return driver.Upload{}, u.refused(in.El, got.Complaint)
	}
	if says := u.alerted(ctx, w, alerts); says != "" {
		return driver.Upload{}, u.refused(in.El, says)
	}
	u.apart = got.Apart
	up, err := u.verify(in, got)
	if err != nil {
		return driver.Upload{}, err
	}
	if !gone && (!up.Kept || p.Net.Sent() > asked && !in.Folder) {
		if err := u.checkTaken(ctx, w, in.El, sent, asked, alerts); err != nil {
			return driver.Upload{}, err
		}
	}
	if up.Kept || u.shown {
		p.controls.keepIn(w)
	}
	up.Unheard = got.Seen == nil && len(u.files) > 0
	nav, err := p.controls.consequence(ctx, w)
	if err == nil && len(u.files) > 0 {
		err = cmp.Or(u.checkAnswers(ctx, in.El, sent, gone || nav != nil, up.Kept), u.checkNavigation(ctx, w, in.El, sent, nav))
	}
	return up, err
}

// verify compares the files of u with those that the input received, and with those that it holds
// after the page's handlers have run.
func (u *upload) verify(in *takes, got given) (up driver.Upload, err error) {
	saw := got.Holds
	if got.Seen != nil {
		saw = *got.Seen
	}
	for _, f := range saw {
		up.Files = append(up.Files, f.Name)
	}
	up.Element, up.Kept = in.El.plain(), slices.Equal(saw, got.Holds)
	if in.Folder && len(u.files) > 0 {
		if len(saw) == 0 {
			err = u.wrong(in.El, "got no file of the folder", "check that the folder contains files")
		}
		return up, err
	}
	want := u.names()
	for i, f := range u.files {
		if i < len(saw) && saw[i].Name == want[i] && saw[i].Size != f.Size {
			return up, u.wrong(in.El, fmt.Sprintf("got %s with %d bytes, expected %d", want[i], saw[i].Size, f.Size),
				"the browser reads the files itself: it must run on this machine, with permission to read them")
		}
	}
	if !slices.Equal(up.Files, want) {
		return up, u.wrong(in.El, fmt.Sprintf("holds %q, expected %q", up.Files, want), "the page changed the files: check which files the page accepts")
	}
	if !up.Kept && slices.EqualFunc(saw, got.Holds, func(a, b givenFile) bool { return a.Name == b.Name }) {
		up.Kept = true
		up.Replaced, err = u.replaced(in, got.Holds)
	}
	return up, err
}

// replaced returns the files that the page has replaced with files of the same name but another
// size. Only pictures and videos may be replaced, because pages reduce their size before they send
// them. Any other replacement is an error, and so is an empty file.
func (u *upload) replaced(in *takes, holds []givenFile) (list []string, err error) {
	for i, f := range u.files {
		switch now := holds[i]; {
		case now.Size == f.Size:
		case now.Size > 0 && uploads.IsDrawn(f.Path):
			list = append(list, fmt.Sprintf("%s (%d bytes, was %d)", now.Name, now.Size, f.Size))
		default:
			return nil, u.wrong(in.El, fmt.Sprintf("was given %s with %d bytes, and the page put one with %d bytes in its place", now.Name, f.Size, now.Size),
				"check which files the page accepts")
		}
	}
	return list, nil
}

// fits returns an error for files that a file dialog of the input would not offer.
func (u *upload) fits(in *takes) error {
	if len(u.files) > 1 && (in.Folder || !in.Several) {
		one := "one file"
		if in.Folder {
			one = "one folder"
		}
		return u.wrong(in.El, fmt.Sprintf("accepts %s, not %d", one, len(u.files)), "give one file, or name an input that accepts several")
	}
	for _, f := range u.files {
		name := filepath.Base(f.Path)
		switch {
		case f.Folder && !in.Folder:
			return u.wrong(in.El, "accepts files, but "+name+" is a folder", "give the files in the folder")
		case in.Folder && !f.Folder:
			return u.wrong(in.El, "accepts a folder, but "+name+" is a file", "give the folder with the files")
		case !f.Folder && !uploads.Accepts(in.Accept, name):
			return u.wrong(in.El, fmt.Sprintf("accepts %s, but not %s", in.Accept, name), "give a file that the input accepts").WithDetail("accept", in.Accept)
		}
	}
	return nil
}

// ask presses the element of r, which is no file input, and answers the file dialog that opens.
func (u *upload) ask(ctx context.Context, r *acted) (driver.Upload, error) {
	if len(u.files) == 0 {
		return driver.Upload{}, diag.New(diag.StepFailed, "%s is not a file input and contains none: there is nothing to clear", r.El.label(u.s.t.Source)).
			WithDetail("selector", u.s.t.Source).WithHint("name the file input itself")
	}
	p := u.p
	sessions := p.Link.SessionsWith(p.Frames.SessionOf(r.w.ID))
	defer p.Handed.ExpectChooser(context.WithoutCancel(ctx), sessions, false)
	for presses := 1; ; presses++ {
		up, err := u.pressFor(ctx, sessions)
		if !cdp.IsCollected(err) {
			return up, err
		}
		if presses == maxChooserPresses {
			return driver.Upload{}, u.lost()
		}
	}
}

// pressFor presses the element once, and answers the file dialog that opens.
func (u *upload) pressFor(ctx context.Context, sessions []string) (driver.Upload, error) {
	p := u.p
	p.Handed.ExpectChooser(ctx, sessions, true)
	o := withDefaults(driver.PressOptions{})
	pressed, err := p.pointer.press(ctx, u.s, act{Need: forPress, Strict: true, Op: op{Name: "press", Button: o.Button, Count: o.Count}}, o)
	if err != nil {
		return driver.Upload{}, err
	}
	c, err := p.Handed.ChooserOpened(ctx)
	switch {
	case err != nil:
		return driver.Upload{}, err
	case c == nil && pressed.nav != nil:
		return driver.Upload{}, diag.New(diag.StepFailed, "%s is not a file input: pressing the element opened %s", pressed.El.label(u.s.t.Source), pressed.nav.URL).
			WithDetail("selector", u.s.t.Source).WithHint("name the file input, or the button that opens the file dialog")
	case c == nil:
		return u.drop(ctx, pressed.acted)
	case c.Node == 0:
		return driver.Upload{}, diag.New(diag.StepFailed,
			"%s: the page opens a file picker by script (showOpenFilePicker), in which no files can be chosen", pressed.El.label(u.s.t.Source)).
			WithDetail("selector", u.s.t.Source).WithHint("name an element of the page that accepts dropped files")
	}
	return u.answer(ctx, c)
}

// drop drops the files on the element. It is called if the press has opened no file dialog.
func (u *upload) drop(ctx context.Context, pressed *acted) (driver.Upload, error) {
	p := u.p
	none := diag.New(diag.StepFailed, "%s is not a file input, contains none, opens no file dialog and accepts no dropped files", pressed.El.label(u.s.t.Source)).
		WithDetail("selector", u.s.t.Source).WithHint("name the file input, its label, or the button that opens the file dialog")
	r, err := u.s.act(ctx, act{Need: forHover, Strict: true, Op: op{Name: "dropzone"}})
	if err != nil {
		return driver.Upload{}, none.Because(err)
	}
	data := &proto.InputDragData{Items: []*proto.InputDragDataItem{}, DragOperationsMask: 1} // to copy
	names := []string{}
	for _, f := range u.files {
		data.Files, names = append(data.Files, f.Path), append(names, filepath.Base(f.Path))
	}
	send := func(ctx context.Context, kind proto.InputDispatchDragEventType) *cdp.Call {
		return p.Frames.Start(ctx, proto.InputDispatchDragEvent{Type: kind, X: r.Point.X, Y: r.Point.Y, Data: data, Modifiers: p.pointer.hand.bits()})
	}
	u.dropped = true
	sent, asked, alerts := p.Sent.Count(), p.Net.Sent(), len(p.Alerts())
	p.Sent.Keep(ctx, p.Link.SessionsWith(p.Frames.SessionOf(r.w.ID)), u.files)
	defer u.endSent()
	p.Call(ctx, r.w, "grabPoint", nil)
	p.Call(ctx, r.w, "watchDrop", map[string]any{"files": u.kinds(), "sent": sent})
	defer p.Call(context.WithoutCancel(ctx), r.w, "filesShown", nil) // ends the watch
	over := []*cdp.Call{send(ctx, proto.InputDispatchDragEventTypeDragEnter), send(ctx, proto.InputDispatchDragEventTypeDragOver)}
	if err := p.Link.Finish(ctx, over); err != nil {
		return driver.Upload{}, err
	}
	var takes bool
	if err := p.Answer(ctx, p.Call(ctx, r.w, "takesDrop", nil), &takes); err != nil || !takes {
		p.Call(context.WithoutCancel(ctx), r.w, "letGo", nil)
		cancelled := send(context.WithoutCancel(ctx), proto.InputDispatchDragEventTypeDragCancel)
		return driver.Upload{}, cmp.Or(err, p.Link.Finish(ctx, []*cdp.Call{cancelled}), error(none))
	}
	if err := p.Link.Finish(ctx, []*cdp.Call{send(ctx, proto.InputDispatchDragEventTypeDrop)}); err != nil {
		return driver.Upload{}, err
	}
	var back letGo
	err = p.Answer(ctx, p.Call(ctx, r.w, "letGo", nil), &back)
	switch {
	case cdp.IsGone(err): // the page has navigated with the files
	case err != nil:
		return driver.Upload{}, err
	case !back.Dropped:
		return driver.Upload{}, none
	default:
		if err := u.checkTaken(ctx, r.w, r.El, sent, asked, alerts); err != nil {
			return driver.Upload{}, err
		}
		if u.shown {
			p.controls.keepIn(r.w)
		}
	}
	gone := cdp.IsGone(err)
	nav, err := p.controls.consequence(ctx, r.w)
	if err == nil {
		err = cmp.Or(u.checkAnswers(ctx, r.El, sent, gone || nav != nil, false), u.checkNavigation(ctx, r.w, r.El, sent, nav))
	}
	return driver.Upload{Element: r.El.plain(), Files: names, Dropped: true}, err
}

// kinds returns the sizes and types of the files, in the form that the engine receives.
func (u *upload) kinds() []map[string]any {
	list := make([]map[string]any, len(u.files))
	for i, f := range u.files {
		list[i] = map[string]any{"size": f.Size, "type": strings.Join(uploads.TypesOf(f.Path), " ")}
	}
	return list
}

// answer puts the files into the input whose file dialog the page has opened.
func (u *upload) answer(ctx context.Context, c *documents.Chooser) (driver.Upload, error) {
	p := u.p
	w, number, err := p.Frames.WorldOf(ctx, c.Frame)
	if err != nil {
		return driver.Upload{}, err
	}
	var node proto.DOMResolveNodeResult
	resolve := proto.DOMResolveNode{BackendNodeID: c.Node, ObjectGroup: documents.FilesGroup, ExecutionContextID: proto.RuntimeExecutionContextID(number)}
	if err := p.Link.Explain(ctx, p.Link.StartIn(ctx, c.Session, resolve).Wait(&node)); err != nil || node.Object == nil {
		return driver.Upload{}, cmp.Or(err, u.lost())
	}
	in := new(takes)
	look := proto.RuntimeCallFunctionOn{FunctionDeclaration: "function(){return __action.takeFiles(this)}", ObjectID: node.Object.ObjectID, ReturnByValue: true}
	if err := p.Answer(ctx, p.Link.StartIn(ctx, c.Session, look), in); err != nil {
		if cdp.IsGone(err) {
			err = u.lost()
		}
		return driver.Upload{}, err
	}
	return u.put(ctx, w, c.Session, in, proto.DOMSetFileInputFiles{BackendNodeID: c.Node})
}
