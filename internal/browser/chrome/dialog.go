package chrome

// Dialogs of pages. They are answered immediately, as set by the policy or by an earlier step, or
// left open.
//
// While a dialog is open, the renderer of its page answers nothing, because alert() is a
// synchronous call. So a dialog that is left open ends the pending calls of its page, and every
// call that requires the page fails immediately ([Tab.blockedBy]). The same applies to pages that
// share the renderer: those that opened each other and show the same host. Whether another page
// shares the renderer is checked when that page is used ([Tab.unblocked]).

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

// sharedTime is how long a page may take to answer a probe while another tab has an open dialog.
const sharedTime = time.Second

// A Dialog is a dialog that a page opened.
type Dialog = driver.Dialog

// DialogPolicy determines how dialogs are answered.
type DialogPolicy = dialogs.Policy

// BeginCall sets the policy for dialogs that are opened from now on. manual says whether the call
// is a manual step. The caller must call EndCall afterwards.
func (d *asks) BeginCall(policy DialogPolicy, manual bool) { d.dialogs.Begin(policy, manual) }

// EndCall drops the answer that a run has set for the next dialog, and reports whether there was
// one.
func (d *asks) EndCall() (unused bool) { return d.dialogs.End() }

// TakeDialogs returns the dialogs of all tabs since the last call, oldest first. Only a limited
// number of dialogs is kept for each tab. The result "more" is the number of dialogs that were not
// kept.
func (d *asks) TakeDialogs() (list []Dialog, more int) { return d.dialogs.Take() }

// TakeDialogs is [Browser.TakeDialogs] for one tab.
func (p *Tab) TakeDialogs() []Dialog { return p.asks.dialogs.TakeOf(p.id) }

// DialogHistory implements [driver.Dialogs].
func (d *asks) DialogHistory() []Dialog { return d.dialogs.History() }

// dialogTab describes p to package dialogs.
func (p *Tab) dialogTab() dialogs.Tab {
	return dialogs.Tab{ID: p.id, Session: p.Link.Session, Window: p.window.id}
}

// dialogOpened answers a dialog or leaves it open. It runs in the goroutine that reads replies, so
// it does not wait for the reply to the answer.
func (p *Tab) dialogOpened(v *proto.PageJavascriptDialogOpening) {
	p.Moves.AsksToLeave(v.Type == proto.PageDialogTypeBeforeunload)
	p.asked.Add(1)
	if !p.host.isPrivate() {
		p.NoteDialog(cmp.Or(diag.Clip(v.Message, dialogs.MaxText), string(v.Type)))
	}
	p.Link.Notify()
	p.roster.mu.Lock()
	closing := p.closing
	p.roster.mu.Unlock()
	one, said := p.asks.dialogs.Opened(p.dialogTab(), v, closing)
	if said != nil {
		p.Link.Conn.Start(context.Background(), p.Link.Session, said)
		return
	}
	tabs := p.roster.sharing(p)
	shared := make([]string, len(tabs))
	for i, held := range tabs {
		shared[i] = held.Link.Session
	}
	p.asks.dialogs.Leave(p.dialogTab(), one, v.DefaultPrompt, shared)
	for _, held := range tabs {
		held.interrupt(held.dialogError(p.dialogTab(), *one).Because(dialogs.ErrOpened))
	}
}

// dialogClosed handles the end of a dialog, however it was answered.
func (p *Tab) dialogClosed(v *proto.PageJavascriptDialogClosed) {
	answer := driver.DialogDismissed
	if v.Result {
		answer = driver.DialogAccepted
	}
	p.asks.dialogs.Close(p.Link.Session, answer, v.UserInput)
	p.Moves.HasAsked(v.Result)
}

// interrupt ends the pending calls of the page and wakes their callers.
func (p *Tab) interrupt(why *diag.Error) {
	p.Link.Notify()
	for _, session := range p.Frames.Sessions() {
		p.Link.Conn.Interrupt(session, why, p.Link.SetupCalls())
	}
}

// dialogError returns the error for calls of p while a dialog is open in the given tab.
func (p *Tab) dialogError(tab dialogs.Tab, one Dialog) *diag.Error {
	where := "the page"
	if tab.Session != p.Link.Session {
		where = "the tab " + tab.ID + ", which shares its process with this one,"
	}
	return diag.New(diag.StepFailed, "%s has an open dialog (%s %q), which blocks everything else until it is answered", where, one.Kind, diag.Visible(one.Message)).
		WithDetail("dialog", one.Kind).WithDetail("message", one.Message).WithDetail("url", one.URL).WithDetail("tab", one.Tab).
		WithHint("%s", DialogHint).Because(dialogs.ErrOpen)
}

// DialogHint is the hint for answering an open dialog.
const DialogHint = "answer the dialog with `action dialog accept [TEXT]` or `action dialog dismiss`"

// blockedBy returns the error for an open dialog that blocks the page, or nil if there is none. The
// caller must not hold the lock of the dialogs. It may hold any other lock.
func (p *Tab) blockedBy() *diag.Error {
	if left := p.asks.dialogs.Blocking(p.Link.Session); left != nil {
		return p.dialogError(left.Tab, p.asks.dialogs.Dialog(left))
	}
	return nil
}

// unblocked returns the error for a dialog of another tab that also blocks this page, or nil if
// there is none. A dialog blocks all tabs that share a renderer. If it is not known whether this
// page shares it, unblocked sends the page a probe.
func (p *Tab) unblocked(ctx context.Context) error {
	d := &p.asks.dialogs
	for {
		left := d.Beside(p.dialogTab())
		if left == nil {
			return nil
		}
		short, cancel := context.WithTimeout(ctx, sharedTime)
		err := p.Link.Conn.Do(short, p.Link.Session, proto.RuntimeEvaluate{Expression: "0"}, nil)
		cancel()
		if d.Probed(left, p.Link.Session, !errors.Is(err, context.DeadlineExceeded)) {
			return p.dialogError(left.Tab, d.Dialog(left))
		}
	}
}

// AnswerDialog implements [driver.Dialogs].
func (d *asks) AnswerDialog(ctx context.Context, a driver.DialogAnswer) (*Dialog, error) {
	d.roster.mu.Lock()
	active := ""
	if d.roster.active != nil {
		active = d.roster.active.Link.Session
	}
	d.roster.mu.Unlock()
	left, req := d.dialogs.Answer(active, a)
	if left == nil {
		return nil, nil
	}
	// ErrOpen only means that the next dialog opened before the reply.
	if err := d.host.conn.Do(ctx, left.Tab.Session, req, nil); err != nil && !errors.Is(err, dialogs.ErrOpen) {
		return nil, d.host.explain(ctx, err)
	}
	select {
	case <-left.Closed:
	case <-d.host.conn.Ended():
		return nil, d.host.ended(cdp.ErrClosed)
	case <-ctx.Done():
		return nil, cdp.Overdue(ctx.Err(), "the dialog did not close")
	}
	one := d.dialogs.Dialog(left)
	return &one, nil
}

// dropDialogs dismisses the open dialog of a tab, because a tab with an open dialog cannot be
// closed.
func (ts *tabs) dropDialogs(ctx context.Context, p *Tab) {
	if ts.asks.dialogs.IsOpen(p.Link.Session) {
		ts.host.conn.Start(context.WithoutCancel(ctx), p.Link.Session, proto.PageHandleJavaScriptDialog{})
	}
}

// DialogsSoFar returns the number of dialogs that the page has opened.
func (p *Tab) DialogsSoFar() int { return int(p.asked.Load()) }
