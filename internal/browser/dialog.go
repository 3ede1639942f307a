package browser

// Dialogs of pages: answered at once, as set by the policy or by an earlier step, or left
// open.
//
// The renderer of a page with an open dialog answers nothing until the dialog is answered:
// alert() is a synchronous call. So a dialog that is left open ends the pending calls of
// its page, and everything that would need the page fails at once ([Tab.blockedBy]). The
// same applies to pages that share its renderer: those that opened each other and show the
// same host. Whether other pages share it is checked when they are used ([Tab.unblocked]).

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/driver"
)

// sharedTime is how long a page may take to show that it answers while another tab has a dialog
// open.
const sharedTime = time.Second

// A Dialog is one that a page opened.
type Dialog = driver.Dialog

// DialogPolicy says how dialogs are answered.
type DialogPolicy = dialogs.Policy

// BeginCall sets the policy for dialogs that are opened from now on, and whether the call
// is a manual step. EndCall must follow it.
func (b *Browser) BeginCall(policy DialogPolicy, manual bool) { b.dialogs.Begin(policy, manual) }

// EndCall drops an answer that the ending run has set for the next dialog, and reports
// whether there was one.
func (b *Browser) EndCall() (unused bool) { return b.dialogs.End() }

// TakeDialogs returns the dialogs of all tabs since the last call, oldest first, and how
// many more there were: only so many are kept for each tab.
func (b *Browser) TakeDialogs() (list []Dialog, more int) { return b.dialogs.Take() }

// TakeDialogs is [Browser.TakeDialogs] for one tab.
func (p *Tab) TakeDialogs() []Dialog { return p.b.dialogs.TakeOf(p.id) }

// DialogHistory implements [driver.Dialogs].
func (b *Browser) DialogHistory() []Dialog { return b.dialogs.History() }

// dialogTab is p for what knows the dialogs.
func (p *Tab) dialogTab() dialogs.Tab {
	return dialogs.Tab{ID: p.id, Session: p.session, Window: p.window.id}
}

// dialogOpened answers a dialog, or leaves it open. It runs in the goroutine that reads
// replies, so it does not wait for the reply to the answer; the dialog may disappear with
// its page, and then there is nothing to answer.
func (p *Tab) dialogOpened(v *proto.PageJavascriptDialogOpening) {
	p.mu.Lock()
	p.nav.asks = v.Type == proto.PageDialogTypeBeforeunload
	p.asked++
	p.effects.dialog(cmp.Or(diag.Clip(v.Message, dialogs.MaxText), string(v.Type)))
	p.notifyLocked()
	p.mu.Unlock()
	p.b.mu.Lock()
	closing := p.closing
	p.b.mu.Unlock()
	one, said := p.b.dialogs.Opened(p.dialogTab(), v, closing)
	if said != nil {
		p.b.conn.Start(context.Background(), p.session, said)
		return
	}
	tabs := p.b.sharing(p)
	shared := make([]string, len(tabs))
	for i, held := range tabs {
		shared[i] = held.session
	}
	p.b.dialogs.Leave(p.dialogTab(), one, v.DefaultPrompt, shared)
	for _, held := range tabs {
		held.interrupt(held.dialogError(p.dialogTab(), *one).Because(dialogs.ErrOpened))
	}
}

// dialogClosed handles the end of a dialog, whoever has answered it.
func (p *Tab) dialogClosed(v *proto.PageJavascriptDialogClosed) {
	answer := driver.DialogDismissed
	if v.Result {
		answer = driver.DialogAccepted
	}
	p.b.dialogs.Close(p.session, answer, v.UserInput)
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
func (p *Tab) stays(ctx context.Context) (asked bool) {
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

// interrupt ends the pending calls of the page, and wakes their callers.
func (p *Tab) interrupt(why *diag.Error) {
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

// dialogError is the error of p while a dialog of a tab is open.
func (p *Tab) dialogError(tab dialogs.Tab, one Dialog) *diag.Error {
	where := "the page"
	if tab.Session != p.session {
		where = "the tab " + tab.ID + ", which shares its process with this one,"
	}
	return diag.New(diag.StepFailed, "%s has a dialog open (%s %q), and nothing else can be done until it is answered", where, one.Kind, diag.Visible(one.Message)).
		WithDetail("dialog", one.Kind).WithDetail("message", one.Message).WithDetail("url", one.URL).WithDetail("tab", one.Tab).
		WithHint("%s", DialogHint).Because(dialogs.ErrOpen)
}

// DialogHint says how to answer an open dialog.
const DialogHint = "answer it: action dialog accept [TEXT] or action dialog dismiss"

// blockedBy returns the error of a dialog that blocks the page, nil for none. It may be
// called with any lock held except that of the dialogs.
func (p *Tab) blockedBy() *diag.Error {
	if left := p.b.dialogs.Blocking(p.session); left != nil {
		return p.dialogError(left.Tab, p.b.dialogs.Dialog(left))
	}
	return nil
}

// unblocked returns the error of a dialog of another tab that blocks this page too. If that
// is unknown it probes the page: tabs of one window may share a renderer.
func (p *Tab) unblocked(ctx context.Context) error {
	d := &p.b.dialogs
	for {
		left := d.Beside(p.dialogTab())
		if left == nil {
			return nil
		}
		short, cancel := context.WithTimeout(ctx, sharedTime)
		err := p.b.conn.Do(short, p.session, proto.RuntimeEvaluate{Expression: "0"}, nil)
		cancel()
		if d.Probed(left, p.session, !errors.Is(err, context.DeadlineExceeded)) {
			return p.dialogError(left.Tab, d.Dialog(left))
		}
	}
}

// AnswerDialog implements [driver.Dialogs].
func (b *Browser) AnswerDialog(ctx context.Context, a driver.DialogAnswer) (*Dialog, error) {
	b.mu.Lock()
	active := ""
	if b.active != nil {
		active = b.active.session
	}
	b.mu.Unlock()
	left, req := b.dialogs.Answer(active, a)
	if left == nil {
		return nil, nil
	}
	// That the next dialog opened before the reply says nothing about this one.
	if err := b.conn.Do(ctx, left.Tab.Session, req, nil); err != nil && !errors.Is(err, dialogs.ErrOpen) {
		return nil, b.explain(ctx, err)
	}
	select {
	case <-left.Closed:
	case <-b.conn.Ended():
		return nil, b.ended(cdp.ErrClosed)
	case <-ctx.Done():
		return nil, overdue(ctx.Err(), "the dialog did not close")
	}
	one := b.dialogs.Dialog(left)
	return &one, nil
}

// dropDialogs dismisses the open dialog of a tab that is to be closed: the tab could not be
// closed while it is blocked.
func (b *Browser) dropDialogs(ctx context.Context, p *Tab) {
	if b.dialogs.IsOpen(p.session) {
		b.conn.Start(context.WithoutCancel(ctx), p.session, proto.PageHandleJavaScriptDialog{})
	}
}

// dialogsSoFar counts the dialogs that the page has opened.
func (p *Tab) dialogsSoFar() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}
