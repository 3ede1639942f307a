package browser

// The tools of pages (WebMCP). The browser reports them, and calls them, in the protocol's domain
// WebMCP, which package chrome enables only if browser.page_tools is set.

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/pagetools"
	"github.com/actionregistry/action/internal/driver"
)

var _ driver.PageTools = (*Page)(nil)

const (
	// toolWait is how long a call waits for a tool that the page does not offer yet.
	toolWait = 5 * time.Second
	// maxToolList limits the texts and schemas of a list, in bytes.
	maxToolList = 1 << 20
	// maxToolText limits the text of a tool's error in a message, in bytes.
	maxToolText = 1000
)

// PageTools implements [driver.PageTools].
func (p *toolbox) PageTools(ctx context.Context) ([]driver.PageTool, int, error) {
	if err := p.toolsOn(ctx); err != nil {
		return nil, 0, err
	}
	found, more := p.offered()
	if len(found)+more == 0 {
		return nil, 0, p.available(ctx)
	}
	frames, err := p.toolFrames(ctx)
	if err != nil {
		return nil, 0, err
	}
	var list []driver.PageTool
	size := 0
	for _, t := range found {
		if size += len(t.Name) + len(t.Description) + len(t.Schema); size > maxToolList {
			more++
			continue
		}
		list = append(list, frames.tool(&t))
	}
	return list, more, nil
}

// toolsOn waits until the page has a document. It returns an error if the setting
// browser.page_tools is off.
func (p *toolbox) toolsOn(ctx context.Context) error {
	if !p.Options().PageTools {
		return withoutTools("browser.page_tools is off, so pages offer no tools").
			WithHint("set `browser.page_tools: true`, and close the session, so that its browser starts again")
	}
	_, err := p.CurrentWorld(ctx)
	return err
}

// offered returns the tools that the frames of the tab offer now.
func (p *toolbox) offered() (list []pagetools.Tool, more int) { return p.Tools.Tools(p.Frames.Has) }

// toolFrames holds the frames of a tab, by id.
type toolFrames map[proto.PageFrameID]*proto.PageFrame

func (fs toolFrames) add(tree *proto.PageFrameTree) {
	fs[tree.Frame.ID] = tree.Frame
	for _, inner := range tree.ChildFrames {
		fs.add(inner)
	}
}

// place returns the address and the origin of the document of a frame.
func (fs toolFrames) place(id proto.PageFrameID) (address, origin string) {
	f := fs[id]
	if f == nil {
		return "", "null"
	}
	if origin = f.SecurityOrigin; !driver.IsOrigin(origin) {
		origin = "null"
	}
	return f.URL + f.URLFragment, origin
}

// tool returns a tool as plain data.
func (fs toolFrames) tool(t *pagetools.Tool) driver.PageTool {
	out := driver.PageTool{Name: t.Name, Description: t.Description}
	out.Frame, out.Origin = fs.place(t.Frame)
	var schema any
	if json.Unmarshal(t.Schema, &schema) == nil && new(expr.Sizer).Check(schema) == nil {
		out.Schema = schema
	}
	for name, set := range t.Hints {
		if set {
			out.Hints = append(out.Hints, name)
		}
	}
	slices.Sort(out.Hints)
	return out
}

// toolFrames reads the frames of the tab, from all sessions at once.
func (p *toolbox) toolFrames(ctx context.Context) (toolFrames, error) {
	var trees []*cdp.Call
	for _, session := range p.Frames.Sessions() {
		trees = append(trees, p.Link.StartIn(ctx, session, proto.PageGetFrameTree{}))
	}
	frames := make(toolFrames)
	for i, k := range trees {
		var tree proto.PageGetFrameTreeResult
		switch err := p.Link.Explain(ctx, k.Wait(&tree)); {
		case i > 0 && cdp.IsGone(err): // a frame was removed
		case err != nil:
			return nil, err
		case tree.FrameTree != nil:
			frames.add(tree.FrameTree)
		}
	}
	return frames, nil
}

// hasTools is a script that returns whether the current document can offer tools: "yes", "off", or
// "insecure" if it was not loaded over a secure connection.
const hasTools = `()=>'modelContext' in Document.prototype?'yes':isSecureContext?'off':'insecure'`

// available returns an error if the browser does not provide tools to pages.
func (p *toolbox) available(ctx context.Context) error {
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		return err
	}
	var has string
	k := p.Frames.Start(ctx, eval.CallFunction{FunctionDeclaration: hasTools, UniqueContextID: w.ID, ReturnByValue: true})
	switch err := p.Answer(ctx, k, &has); {
	case cdp.IsGone(err): // the next document has begun, and offers no tool yet
		return nil
	case err != nil:
		return err
	case has == "off" && p.Options().CDP != "":
		return withoutTools("the browser gives pages no document.modelContext, so pages cannot offer tools").
			WithHint("start that browser with --enable-features=WebMCPTesting: the setting browser.page_tools cannot enable tools in a browser that is already running")
	case has == "off":
		return withoutTools("the browser gives pages no document.modelContext, although browser.page_tools is set").
			WithHint("set browser.path to a newer Chromium, or leave browser.page_tools off")
	case has == "insecure":
		return diag.New(diag.StepFailed, "the page offers no tools: the browser allows them only over https and on localhost").
			WithHint("open the page over https")
	}
	return nil
}

func withoutTools(found string) *diag.Error {
	return diag.New(diag.StepFailed, "%s", found).WithDetail("setting", "browser.page_tools")
}

// CallTool implements [driver.PageTools].
func (p *toolbox) CallTool(ctx context.Context, c driver.ToolCall) (a driver.ToolAnswer, err error) {
	if err := p.toolsOn(ctx); err != nil {
		return a, err
	}
	tool, err := p.choose(ctx, c)
	if err != nil {
		return a, err
	}
	p.Tools.BeginCall()
	defer p.Tools.EndCall()
	w, _, err := p.Frames.WorldOf(ctx, tool.Frame)
	if err != nil {
		return a, err
	}
	if err := p.NoteHere(ctx, w); err != nil {
		return a, err
	}
	p.BeginInput()
	if c.Params == nil {
		c.Params = map[string]any{} // the browser requires an object
	}
	var invoked pagetools.Invoked
	err = p.Link.StartIn(ctx, tool.Session, pagetools.Invoke{Frame: tool.Frame, Name: tool.Name, Input: c.Params}).Wait(&invoked)
	if err := p.Link.Explain(ctx, err); err != nil {
		return a, p.notCalled(err, c.Name)
	}
	answer, ok, err := p.await(ctx, w, tool, invoked.ID)
	if err != nil {
		return a, err
	}
	if ok {
		if a.Value, err = valueOf(c.Name, &answer); err != nil {
			return a, err
		}
	}
	a.Waits = !ok
	a.Navigated, err = p.controls.consequence(ctx, w)
	return a, err
}

// notCalled returns the error for a call that the browser has refused.
func (p *toolbox) notCalled(err error, name string) error {
	if cdp.IsGone(err) || diag.CodeOf(err) == diag.StepFailed {
		return diag.New(diag.ElementNotFound, "the page no longer offers the tool %s", quoteTool(name)).Because(err).
			WithHint("list the tools of the page again with `page_tools list`")
	}
	return err
}

// choose waits for the tool that c names. If several frames offer it, the error is
// ELEMENT_AMBIGUOUS.
func (p *toolbox) choose(ctx context.Context, c driver.ToolCall) (*pagetools.Tool, error) {
	short, cancel := context.WithTimeout(ctx, min(toolWait, documents.Patience(ctx)))
	defer cancel()
	if all, more := p.offered(); len(all)+more == 0 {
		if err := p.available(ctx); err != nil {
			return nil, err
		}
	}
	for {
		named, frames := p.named(c.Name), toolFrames(nil)
		found := named
		if c.Frame != "" || len(named) > 1 {
			var err error
			if frames, err = p.toolFrames(ctx); err != nil {
				return nil, err
			}
		}
		if c.Frame != "" {
			found = slices.DeleteFunc(slices.Clone(named), func(t pagetools.Tool) bool {
				address, origin := frames.place(t.Frame)
				return c.Frame != address && c.Frame != origin
			})
		}
		switch {
		case len(found) == 1:
			return &found[0], nil
		case len(found) > 1:
			return nil, frames.ambiguous(found, c)
		}
		err := p.Link.Until(short, "", func() bool {
			return !slices.EqualFunc(p.named(c.Name), named, func(a, b pagetools.Tool) bool { return a.Frame == b.Frame })
		})
		if diag.CodeOf(err) == diag.Timeout {
			return nil, p.unknown(frames, c)
		}
		if err != nil {
			return nil, err
		}
	}
}

// named returns the tools with this name.
func (p *toolbox) named(name string) []pagetools.Tool {
	all, _ := p.offered()
	return slices.DeleteFunc(all, func(t pagetools.Tool) bool { return t.Name != name })
}

// ambiguous returns the error for a tool that several frames offer.
func (fs toolFrames) ambiguous(found []pagetools.Tool, c driver.ToolCall) error {
	var places []string
	for _, t := range found[:min(len(found), 5)] {
		address, _ := fs.place(t.Frame)
		places = append(places, diag.Visible(diag.Clip(address, 200)))
	}
	e := diag.New(diag.ElementAmbiguous, "%d frames offer the tool %s: %s", len(found), quoteTool(c.Name), strings.Join(places, ", ")).
		WithDetail("frames", places)
	if c.Frame != "" {
		return e.WithHint("%s matches more than one frame: pass the whole address of one of them in the argument `frame`", quoteTool(c.Frame))
	}
	return e.WithHint("choose the frame with the argument `frame`: its address or its origin")
}

// unknown returns the error for a tool that no frame offers.
func (p *toolbox) unknown(frames toolFrames, c driver.ToolCall) error {
	all, _ := p.offered()
	var names, shown []string
	for _, t := range all {
		if t.Name == c.Name { // offered by another frame than c names
			address, _ := frames.place(t.Frame)
			return diag.New(diag.ElementNotFound, "the frame %s offers no tool %s", quoteTool(c.Frame), quoteTool(c.Name)).
				WithHint("use the frame %s, which offers the tool", diag.Visible(diag.Clip(address, 200)))
		}
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
			shown = append(shown, diag.Visible(diag.Clip(t.Name, 60)))
		}
	}
	e := diag.New(diag.ElementNotFound, "the page offers no tool %s", quoteTool(c.Name)).WithDetail("tools", shown[:min(len(shown), 50)])
	if len(names) == 0 {
		return e.WithHint("the page offers no tools: check that this is the right page, and that the page is loaded")
	}
	if near := diag.DidYouMean(c.Name, shown); near != "" {
		return e.WithHint("%s", near)
	}
	return e.WithHint("list the tools of the page with `page_tools list`")
}

// await waits for the answer to a call. ok is false if the tool is a form that waits for the press
// of its button.
func (p *toolbox) await(ctx context.Context, w documents.World, tool *pagetools.Tool, id string) (a pagetools.Answer, ok bool, err error) {
	if tool.AwaitsButton() {
		// The page fills the fields, or reports why it cannot, before it handles later calls.
		if err := p.AfterInput(ctx, w); err != nil {
			return a, false, err
		}
		a, ok = p.Tools.Answer(id)
		return a, ok, nil
	}
	left := false // the frame
	err = p.Link.Until(ctx, "", func() bool {
		a, ok = p.Tools.Answer(id)
		left = !ok && !p.Frames.Has(tool.Frame)
		return ok || left
	})
	switch {
	case ok:
		return a, true, nil
	case left:
		return a, false, toolFailed(tool.Name, "its frame was removed before it answered")
	}
	p.Link.StartIn(context.WithoutCancel(ctx), tool.Session, pagetools.Cancel{ID: id})
	if diag.CodeOf(err) == diag.Timeout {
		err = diag.New(diag.Timeout, "the tool %s of the page did not answer in time, and was cancelled", quoteTool(tool.Name)).Because(err).
			WithHint("give the step more time, and check first what the tool has already done")
	}
	return a, false, err
}

// valueOf returns the value of a tool's answer. It returns an error if the tool has thrown or was
// cancelled, or if the answer has set isError, as in the Model Context Protocol.
func valueOf(name string, a *pagetools.Answer) (any, error) {
	if a.Status != "Completed" {
		return nil, toolFailed(name, failureText(a))
	}
	var v any
	if len(a.Output) > 0 {
		if err := json.Unmarshal(a.Output, &v); err != nil {
			return nil, toolFailed(name, "its answer is not JSON")
		}
	}
	if a.TooLarge || new(expr.Sizer).Check(v) != nil {
		return nil, diag.New(diag.LimitExceeded, "found an answer of the tool %s that is too large or nested too deeply, expected at most %d bytes and %d levels",
			quoteTool(name), expr.MaxValueBytes, expr.MaxValueDepth).
			WithHint("the tool has been called; next time, pass an input with which it returns less")
	}
	if m, ok := v.(map[string]any); ok && m["isError"] == true {
		return nil, toolFailed(name, contentText(m))
	}
	return v, nil
}

func failureText(a *pagetools.Answer) string {
	switch {
	case a.Error != "":
		return a.Error
	case a.Exception != nil && len(a.Exception.Value) > 0:
		return string(a.Exception.Value)
	case a.Exception != nil:
		return cdp.FirstLine(a.Exception.Description)
	case a.Status == "Canceled":
		return "the page cancelled the call"
	}
	return "no reason is known"
}

// contentText returns the texts of the content of an answer.
func contentText(answer map[string]any) string {
	var texts []string
	list, _ := answer["content"].([]any)
	for _, part := range list {
		if m, ok := part.(map[string]any); ok {
			if text, ok := m["text"].(string); ok {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return "no reason is known"
	}
	return strings.Join(texts, "; ")
}

func toolFailed(name, text string) error {
	return diag.New(diag.StepFailed, "the tool %s of the page failed: %s", quoteTool(name), diag.Visible(diag.Clip(text, maxToolText))).
		WithDetail("tool", name).WithHint("check the input against the tool's description and input_schema, which `page_tools list` shows")
}

// quoteTool quotes a name for a message.
func quoteTool(name string) string { return strconv.Quote(diag.Clip(name, 200)) }
