package browser

// Dialogs of pages: answered at once, as the policy or a step said before, or left
// open.
//
// The renderer of a page that opened a dialog answers nothing until the dialog is
// answered: alert() is a synchronous call. So a dialog that is left open ends what
// is under way on its page, and everything that would need it fails at once
// ([Page.blockedBy]). The same holds for the pages that share its renderer: those
// that opened each other and show the same host. Whether others share it is asked
// when they are used ([Page.unblocked]).

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
)

const (
	// maxDialogs bounds what is kept to be told of the dialogs of one tab.
	maxDialogs = 100
	// historyDialogs is how many dialogs a session remembers.
	historyDialogs = 10
	// maxDialogText bounds, in bytes, what is kept of a dialog's message.
	maxDialogText = 2000
	// sharedTime is how long a page may take to show that it answers while another
	// tab has a dialog open.
	sharedTime = time.Second
)

// A Dialog is one that a page opened.
type Dialog = steps.Dialog

// A DialogPolicy says for each kind of dialog what is done with it: accept, dismiss
// or leave. For kinds that it does not name it is the default: alert and
// beforeunload are accepted, confirm and prompt dismissed.
type DialogPolicy map[string]string

func (p DialogPolicy) answer(kind proto.PageDialogType) string {
	if answer, ok := p[string(kind)]; ok {
		return answer
	}
	if kind == proto.PageDialogTypeAlert || kind == proto.PageDialogTypeBeforeunload {
		return "accept" // has one answer only, or holds up what was asked for
	}
	return "dismiss"
}

// errDialog is behind the error of what an open dialog keeps from the page,
// errDialogOpened behind that of what was under way when it opened.
var (
	errDialog       = errors.New("a dialog is open")
	errDialogOpened = fmt.Errorf("%w: it opened meanwhile", errDialog)
)

// dialogs is what a session knows of its dialogs. Its lock is held for moments and
// no other is taken under it.
type dialogs struct {
	mu      sync.Mutex
	policy  DialogPolicy
	byHand  bool        // what runs now is a step by hand
	next    *nextAnswer // nil for none
	history []*Dialog   // the newest last
	untold  []*Dialog
	counts  map[string]int // of untold, by tab
	more    int            // that were not kept to be told
	open    []*leftDialog  // in the order in which they were opened
}

// A nextAnswer is kept for the next dialog of a tab.
type nextAnswer struct {
	steps.DialogAnswer
	page   *Page
	byHand bool
}

// A leftDialog waits for somebody to answer it. What changes is guarded by the lock
// of the dialogs.
type leftDialog struct {
	page   *Page
	dialog *Dialog
	shared []*Page       // the pages that stand still with it
	apart  []*Page       // pages that are known not to
	preset string        // what stands in a prompt
	closed chan struct{} // closed when it has gone
}

// BeginCall says what holds for the dialogs that are opened from now on, and whether
// what begins is a step by hand. It must be matched by EndCall.
func (b *Browser) BeginCall(policy DialogPolicy, byHand bool) {
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	d.policy, d.byHand = policy, byHand
}

// EndCall forgets an answer that the run which ends now had given for the next
// dialog, and reports whether there was one.
func (b *Browser) EndCall() (unused bool) {
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byHand || d.next == nil || d.next.byHand {
		return false
	}
	d.next = nil
	return true
}

// TakeDialogs returns the dialogs of all tabs since the last call, oldest first, and
// how many more there were: of each tab so many are kept.
func (b *Browser) TakeDialogs() (list []Dialog, more int) {
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.untold {
		list = append(list, *one)
	}
	more = d.more
	d.untold, d.counts, d.more = nil, nil, 0
	return list, more
}

// TakeDialogs is [Browser.TakeDialogs] for one tab.
func (p *Page) TakeDialogs() []Dialog {
	d := &p.b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []Dialog
	d.untold = slices.DeleteFunc(d.untold, func(one *Dialog) bool {
		if one.Tab == p.id {
			list = append(list, *one)
		}
		return one.Tab == p.id
	})
	delete(d.counts, p.id)
	return list
}

// DialogHistory implements [steps.Dialogs].
func (b *Browser) DialogHistory() []Dialog {
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]Dialog, len(d.history))
	for i, one := range d.history {
		list[i] = *one
	}
	return list
}

// addLocked notes a dialog.
func (d *dialogs) addLocked(one *Dialog) {
	d.history = append(d.history, one)
	if n := len(d.history) - historyDialogs; n > 0 {
		d.history = slices.Clone(d.history[n:])
	}
	if d.counts[one.Tab] >= maxDialogs {
		d.more++
		return
	}
	if d.counts == nil {
		d.counts = make(map[string]int)
	}
	d.counts[one.Tab]++
	d.untold = append(d.untold, one)
}

// clipText bounds a text, in bytes, at the end of a character.
func clipText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// dialogOpened answers a dialog, or leaves it. It runs where replies are read, so
// the reply to the answer is not awaited; the dialog may be gone with its page, and
// then there is nothing to answer.
func (p *Page) dialogOpened(v *proto.PageJavascriptDialogOpening) {
	one := &Dialog{
		Kind: string(v.Type), Message: clipText(v.Message, maxDialogText), Default: clipText(v.DefaultPrompt, maxDialogText),
		URL: v.URL, Tab: p.id,
	}
	p.mu.Lock()
	p.nav.asks = v.Type == proto.PageDialogTypeBeforeunload
	p.asked++
	p.mu.Unlock()
	if said := p.b.decideDialog(p, v, one); said != nil {
		p.b.conn.start(context.Background(), p.session, said)
		return
	}
	left := &leftDialog{page: p, dialog: one, preset: v.DefaultPrompt, closed: make(chan struct{})}
	left.shared = p.b.sharing(p)
	d := &p.b.dialogs
	d.mu.Lock()
	d.open = append(d.open, left)
	d.mu.Unlock()
	for _, held := range left.shared {
		held.interrupt(left.errorFor(held).Because(errDialogOpened))
	}
}

// decideDialog notes a dialog and returns the answer to it, nil when it is to be
// left open.
func (b *Browser) decideDialog(p *Page, v *proto.PageJavascriptDialogOpening, one *Dialog) proto.Request {
	b.mu.Lock()
	closing := p.closing
	b.mu.Unlock()
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := d.policy.answer(v.Type)
	said := steps.DialogAnswer{Accept: answer == "accept"}
	switch {
	case d.next != nil && d.next.page == p:
		said, answer, d.next = d.next.DialogAnswer, "", nil
	case closing && answer == "leave": // nobody can answer it any more
		answer = "dismiss"
	}
	if answer == "leave" {
		one.Answer = steps.DialogOpen
		d.addLocked(one)
		return nil
	}
	req := request(v.Type, v.DefaultPrompt, said)
	one.Answer = steps.DialogDismissed
	if said.Accept {
		one.Answer, one.Text = steps.DialogAccepted, clipText(req.PromptText, maxDialogText)
	}
	d.addLocked(one)
	return req
}

// request makes the answer to a dialog. As for a person, what stands in a prompt is
// what is given unless something else is written.
func request(kind proto.PageDialogType, preset string, said steps.DialogAnswer) proto.PageHandleJavaScriptDialog {
	req := proto.PageHandleJavaScriptDialog{Accept: said.Accept}
	if said.Accept && kind == proto.PageDialogTypePrompt {
		req.PromptText = preset
		if said.Text != nil {
			req.PromptText = *said.Text
		}
	}
	return req
}

// dialogClosed is told when a dialog has gone, whoever has answered it.
func (p *Page) dialogClosed(v *proto.PageJavascriptDialogClosed) {
	answer := steps.DialogDismissed
	if v.Result {
		answer = steps.DialogAccepted
	}
	p.endDialog(answer, v.UserInput)
	p.mu.Lock()
	stays := p.nav.asks && !v.Result
	p.mu.Unlock()
	var told *call
	if stays {
		told = p.start(context.Background(), proto.RuntimeEvaluate{Expression: "0"})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nav.asks = false
	if stays {
		p.nav.stayed++
		p.nav.none = &nowhere{stayed: true}
		p.nav.told = told
	}
	p.notifyLocked()
}

// stays waits until the page has learned that it stays where it is, if it was asked
// since the last call, and reports whether it was. The browser knows it from the
// dialog before the page does, and may take the page's word, which comes behind, for
// an answer to the next navigation, which it then ends at once.
func (p *Page) stays(ctx context.Context) (asked bool) {
	p.mu.Lock()
	told := p.nav.told
	p.nav.told = nil
	p.mu.Unlock()
	if told == nil {
		return false
	}
	select {
	case <-told.done:
	case <-ctx.Done():
	}
	return true
}

// endDialog ends the dialog of the tab that was left open, if any.
func (p *Page) endDialog(answer, text string) {
	d := &p.b.dialogs
	d.mu.Lock()
	at := slices.IndexFunc(d.open, func(left *leftDialog) bool { return left.page == p })
	if at < 0 {
		d.mu.Unlock()
		return
	}
	left := d.open[at]
	d.open = slices.Delete(d.open, at, at+1)
	left.dialog.Answer = answer
	if left.dialog.Kind == string(proto.PageDialogTypePrompt) && answer == steps.DialogAccepted {
		left.dialog.Text = clipText(text, maxDialogText)
	}
	d.mu.Unlock()
	close(left.closed)
}

// interrupt ends what is under way on the page, and wakes who waits for it.
func (p *Page) interrupt(why *diag.Error) {
	p.mu.Lock()
	sessions, keep := []string{p.session}, p.setup
	for _, f := range p.frames {
		if f.own != "" {
			sessions = append(sessions, f.own)
		}
	}
	p.notifyLocked()
	p.mu.Unlock()
	for _, session := range sessions {
		p.b.conn.interrupt(session, why, keep)
	}
}

// interrupt ends the calls of a session that are under way but those of keep.
func (c *conn) interrupt(session string, why *diag.Error, keep []*call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, s := range c.pending {
		if s == session && !slices.Contains(keep, k) {
			k.cancel(why.Clone())
		}
	}
}

// errorFor is what p answers while the dialog is open.
func (l *leftDialog) errorFor(p *Page) *diag.Error {
	one, where := l.dialog, "the page"
	if p != l.page {
		where = "the tab " + l.page.id + ", which shares its process with this one,"
	}
	return diag.New(diag.StepFailed, "%s has a dialog open (%s %q), and nothing else can be done until it is answered", where, one.Kind, visible(one.Message)).
		WithDetail("dialog", one.Kind).WithDetail("message", one.Message).WithDetail("url", one.URL).WithDetail("tab", one.Tab).
		WithHint("%s", DialogHint).Because(errDialog)
}

// DialogHint is the way out of a dialog that is left open.
const DialogHint = "answer it: action dialog accept [TEXT] or action dialog dismiss"

// blockedBy returns the error of a dialog that stops the page, nil for none. It may
// be called with any lock held but that of the dialogs.
func (p *Page) blockedBy() *diag.Error {
	d := &p.b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, left := range d.open {
		if slices.Contains(left.shared, p) {
			return left.errorFor(p)
		}
	}
	return nil
}

// unblocked returns the error of a dialog of another tab that stops this page too.
// Where that is not known the page is asked: tabs of one window may share a
// renderer.
func (p *Page) unblocked(ctx context.Context) error {
	for {
		left := p.dialogBeside()
		if left == nil {
			return nil
		}
		short, cancel := context.WithTimeout(ctx, sharedTime)
		err := p.b.conn.do(short, p.session, proto.RuntimeEvaluate{Expression: "0"}, nil)
		cancel()
		d := &p.b.dialogs
		d.mu.Lock()
		if errors.Is(err, context.DeadlineExceeded) && slices.Contains(d.open, left) {
			left.shared = append(left.shared, p)
			d.mu.Unlock()
			return left.errorFor(p)
		}
		left.apart = append(left.apart, p)
		d.mu.Unlock()
	}
}

// dialogBeside returns an open dialog of another tab in the window of which it is
// not known whether it stops this page.
func (p *Page) dialogBeside() *leftDialog {
	d := &p.b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, left := range d.open {
		if left.page.window == p.window && !slices.Contains(left.shared, p) && !slices.Contains(left.apart, p) {
			return left
		}
	}
	return nil
}

// AnswerDialog implements [steps.Dialogs].
func (b *Browser) AnswerDialog(ctx context.Context, a steps.DialogAnswer) (*Dialog, error) {
	b.mu.Lock()
	active := b.active
	b.mu.Unlock()
	d := &b.dialogs
	d.mu.Lock()
	if len(d.open) == 0 {
		d.next = &nextAnswer{a, active, d.byHand}
		d.mu.Unlock()
		return nil, nil
	}
	left := d.open[0]
	for _, other := range d.open {
		if other.page == active {
			left = other
		}
	}
	req := request(proto.PageDialogType(left.dialog.Kind), left.preset, a)
	d.mu.Unlock()
	// That the next dialog has opened before the reply says nothing about this one.
	if err := b.conn.do(ctx, left.page.session, req, nil); err != nil && !errors.Is(err, errDialog) {
		return nil, b.explain(ctx, err)
	}
	select {
	case <-left.closed:
	case <-b.conn.ended:
		return nil, b.ended(errConnClosed)
	case <-ctx.Done():
		return nil, overdue(ctx.Err(), "the dialog did not close")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	one := *left.dialog
	return &one, nil
}

// dropDialogs dismisses the open dialog of a tab that is to be closed: it would not
// be while it stands still.
func (b *Browser) dropDialogs(ctx context.Context, p *Page) {
	d := &b.dialogs
	d.mu.Lock()
	open := slices.ContainsFunc(d.open, func(left *leftDialog) bool { return left.page == p })
	d.mu.Unlock()
	if open {
		b.conn.start(context.WithoutCancel(ctx), p.session, proto.PageHandleJavaScriptDialog{})
	}
}
