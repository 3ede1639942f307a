package browser

// Dialogs of pages: answered at once, as set by the policy or by an earlier step, or left
// open.
//
// The renderer of a page with an open dialog answers nothing until the dialog is answered:
// alert() is a synchronous call. So a dialog that is left open ends the pending calls of
// its page, and everything that would need the page fails at once ([Page.blockedBy]). The
// same applies to pages that share its renderer: those that opened each other and show the
// same host. Whether other pages share it is checked when they are used ([Page.unblocked]).

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
)

const (
	// maxDialogs bounds the dialogs of one tab that are kept for reporting.
	maxDialogs = 100
	// historyDialogs is how many dialogs a session remembers.
	historyDialogs = 10
	// maxDialogText bounds, in bytes, the stored part of a dialog's message.
	maxDialogText = 2000
	// sharedTime is how long a page may take to show that it answers while another tab has
	// a dialog open.
	sharedTime = time.Second
)

// A Dialog is one that a page opened.
type Dialog = driver.Dialog

// A DialogPolicy maps each kind of dialog to its answer: accept, dismiss or leave. For
// other kinds the default applies: alert and beforeunload are accepted, confirm and prompt
// dismissed.
type DialogPolicy map[string]string

func (p DialogPolicy) answer(kind proto.PageDialogType) string {
	if answer, ok := p[string(kind)]; ok {
		return answer
	}
	if kind == proto.PageDialogTypeAlert || kind == proto.PageDialogTypeBeforeunload {
		return "accept" // it has only one answer, or blocks what was requested
	}
	return "dismiss"
}

// errDialog is the cause of the errors of calls that an open dialog blocks, errDialogOpened
// that of calls that were pending when it opened.
var (
	errDialog       = errors.New("a dialog is open")
	errDialogOpened = fmt.Errorf("%w: it opened meanwhile", errDialog)
)

// dialogs is what a session knows about its dialogs. Its lock is only held briefly and no
// other is acquired under it.
type dialogs struct {
	mu      sync.Mutex
	policy  DialogPolicy
	byHand  bool        // what runs now is a step by hand
	next    *nextAnswer // nil for none
	history []*Dialog   // the newest last
	seen    int         // how many there were in all
	untold  []*Dialog
	counts  map[string]int // of untold, by tab
	more    int            // that were not kept to be told
	open    []*leftDialog  // in the order in which they were opened
}

// A nextAnswer is stored for the next dialog of a tab.
type nextAnswer struct {
	driver.DialogAnswer
	page   *Page
	byHand bool
}

// A leftDialog is waiting to be answered. The lock of the dialogs guards its mutable
// fields.
type leftDialog struct {
	page   *Page
	dialog *Dialog
	shared []*Page       // the pages that stand still with it
	apart  []*Page       // pages that are known not to
	preset string        // what stands in a prompt
	closed chan struct{} // closed when it has gone
}

// BeginCall sets the policy for dialogs that are opened from now on, and whether the call
// is a manual step. EndCall must follow it.
func (b *Browser) BeginCall(policy DialogPolicy, byHand bool) {
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	d.policy, d.byHand = policy, byHand
}

// EndCall drops an answer that the ending run has set for the next dialog, and reports
// whether there was one.
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

// TakeDialogs returns the dialogs of all tabs since the last call, oldest first, and how
// many more there were: only so many are kept for each tab.
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

// alerts returns the messages of the alerts of a tab that are still to be reported.
func (p *Page) alerts() []string {
	d := &p.b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []string
	for _, one := range d.untold {
		if one.Tab == p.id && one.Kind == string(proto.PageDialogTypeAlert) {
			list = append(list, one.Message)
		}
	}
	return list
}

// DialogHistory implements [driver.Dialogs].
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
	d.seen++
	one.Number = d.seen
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

// dialogOpened answers a dialog, or leaves it open. It runs in the goroutine that reads
// replies, so it does not wait for the reply to the answer; the dialog may disappear with
// its page, and then there is nothing to answer.
func (p *Page) dialogOpened(v *proto.PageJavascriptDialogOpening) {
	one := &Dialog{
		Kind: string(v.Type), Message: diag.Clip(v.Message, maxDialogText), Default: diag.Clip(v.DefaultPrompt, maxDialogText),
		URL: v.URL, Tab: p.id,
	}
	p.mu.Lock()
	p.nav.asks = v.Type == proto.PageDialogTypeBeforeunload
	p.asked++
	p.effects.dialog(cmp.Or(one.Message, one.Kind))
	p.notifyLocked()
	p.mu.Unlock()
	if said := p.b.decideDialog(p, v, one); said != nil {
		p.b.conn.Start(context.Background(), p.session, said)
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

// decideDialog records a dialog and returns the answer to it, nil to leave it open.
func (b *Browser) decideDialog(p *Page, v *proto.PageJavascriptDialogOpening, one *Dialog) proto.Request {
	b.mu.Lock()
	closing := p.closing
	b.mu.Unlock()
	d := &b.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := d.policy.answer(v.Type)
	said := driver.DialogAnswer{Accept: answer == "accept"}
	switch {
	case d.next != nil && d.next.page == p:
		said, answer, d.next = d.next.DialogAnswer, "", nil
	case closing && answer == "leave": // nobody can answer it any more
		answer = "dismiss"
	}
	if answer == "leave" {
		one.Answer = driver.DialogOpen
		d.addLocked(one)
		return nil
	}
	req := request(v.Type, v.DefaultPrompt, said)
	one.Answer = driver.DialogDismissed
	if said.Accept {
		one.Answer, one.Text = driver.DialogAccepted, diag.Clip(req.PromptText, maxDialogText)
	}
	d.addLocked(one)
	return req
}

// request makes the answer to a dialog. As for a person, the default of a prompt is
// accepted unless another text is entered.
func request(kind proto.PageDialogType, preset string, said driver.DialogAnswer) proto.PageHandleJavaScriptDialog {
	req := proto.PageHandleJavaScriptDialog{Accept: said.Accept}
	if said.Accept && kind == proto.PageDialogTypePrompt {
		req.PromptText = preset
		if said.Text != nil {
			req.PromptText = *said.Text
		}
	}
	return req
}

// dialogClosed handles the end of a dialog, whoever has answered it.
func (p *Page) dialogClosed(v *proto.PageJavascriptDialogClosed) {
	answer := driver.DialogDismissed
	if v.Result {
		answer = driver.DialogAccepted
	}
	p.endDialog(answer, v.UserInput)
	p.mu.Lock()
	stays := p.nav.asks && !v.Result
	p.mu.Unlock()
	var told *cdp.Call
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

// stays waits until the page has learned that it stays where it is, if a beforeunload
// dialog was dismissed since the last call, and reports whether one was. The browser learns
// it from the dialog before the page does, and may mistake the page's later message for an
// answer to the next navigation, which it then ends at once.
func (p *Page) stays(ctx context.Context) (asked bool) {
	p.mu.Lock()
	told := p.nav.told
	p.nav.told = nil
	p.mu.Unlock()
	if told == nil {
		return false
	}
	select {
	case <-told.Done():
	case <-ctx.Done():
	}
	return true
}

// endDialog ends the tab's open dialog, if any.
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
	if left.dialog.Kind == string(proto.PageDialogTypePrompt) && answer == driver.DialogAccepted {
		left.dialog.Text = diag.Clip(text, maxDialogText)
	}
	d.mu.Unlock()
	close(left.closed)
}

// interrupt ends the pending calls of the page, and wakes their callers.
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
		p.b.conn.Interrupt(session, why, keep)
	}
}

// errorFor is the error of p while the dialog is open.
func (l *leftDialog) errorFor(p *Page) *diag.Error {
	one, where := l.dialog, "the page"
	if p != l.page {
		where = "the tab " + l.page.id + ", which shares its process with this one,"
	}
	return diag.New(diag.StepFailed, "%s has a dialog open (%s %q), and nothing else can be done until it is answered", where, one.Kind, visible(one.Message)).
		WithDetail("dialog", one.Kind).WithDetail("message", one.Message).WithDetail("url", one.URL).WithDetail("tab", one.Tab).
		WithHint("%s", DialogHint).Because(errDialog)
}

// DialogHint says how to answer an open dialog.
const DialogHint = "answer it: action dialog accept [TEXT] or action dialog dismiss"

// blockedBy returns the error of a dialog that blocks the page, nil for none. It may be
// called with any lock held except that of the dialogs.
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

// unblocked returns the error of a dialog of another tab that blocks this page too. If that
// is unknown it probes the page: tabs of one window may share a renderer.
func (p *Page) unblocked(ctx context.Context) error {
	for {
		left := p.dialogBeside()
		if left == nil {
			return nil
		}
		short, cancel := context.WithTimeout(ctx, sharedTime)
		err := p.b.conn.Do(short, p.session, proto.RuntimeEvaluate{Expression: "0"}, nil)
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

// dialogBeside returns an open dialog of another tab in the window if it is unknown whether
// it blocks this page.
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

// AnswerDialog implements [driver.Dialogs].
func (b *Browser) AnswerDialog(ctx context.Context, a driver.DialogAnswer) (*Dialog, error) {
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
	// That the next dialog opened before the reply says nothing about this one.
	if err := b.conn.Do(ctx, left.page.session, req, nil); err != nil && !errors.Is(err, errDialog) {
		return nil, b.explain(ctx, err)
	}
	select {
	case <-left.closed:
	case <-b.conn.Ended():
		return nil, b.ended(cdp.ErrClosed)
	case <-ctx.Done():
		return nil, overdue(ctx.Err(), "the dialog did not close")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	one := *left.dialog
	return &one, nil
}

// dropDialogs dismisses the open dialog of a tab that is to be closed: the tab could not be
// closed while it is blocked.
func (b *Browser) dropDialogs(ctx context.Context, p *Page) {
	d := &b.dialogs
	d.mu.Lock()
	open := slices.ContainsFunc(d.open, func(left *leftDialog) bool { return left.page == p })
	d.mu.Unlock()
	if open {
		b.conn.Start(context.WithoutCancel(ctx), p.session, proto.PageHandleJavaScriptDialog{})
	}
}
