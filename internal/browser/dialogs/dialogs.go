// Package dialogs keeps track of the dialogs that the pages of a session open: how each is
// answered, which are open and which tabs they block, and which have not been reported. It sends
// nothing to the browser; the caller passes events in and sends the answers.
package dialogs

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

const (
	// MostOfTab limits the dialogs of one tab that are kept for reporting.
	MostOfTab = 100
	// MostInHistory is the number of dialogs that a session remembers.
	MostInHistory = 10
	// MaxText limits the stored part of a dialog's message, in bytes.
	MaxText = 2000
)

// A Policy maps a kind of dialog to its answer: accept, dismiss or leave. By default, alert and
// beforeunload are accepted, and confirm and prompt are dismissed.
type Policy map[string]string

func (p Policy) answer(kind proto.PageDialogType) string {
	if answer, ok := p[string(kind)]; ok {
		return answer
	}
	if kind == proto.PageDialogTypeAlert || kind == proto.PageDialogTypeBeforeunload {
		return "accept" // an alert has only one answer; dismissing a beforeunload dialog would block the requested navigation
	}
	return "dismiss"
}

// ErrOpen is the cause of an error if an open dialog blocks a call. ErrOpened is the cause if the
// dialog opened while the call was pending. It wraps ErrOpen.
var (
	ErrOpen   = errors.New("a dialog is open")
	ErrOpened = fmt.Errorf("%w: it opened during the call", ErrOpen)
)

// A Tab is a tab that opens dialogs, identified by its session.
type Tab struct {
	ID      string // such as t1
	Session string // its session of the connection
	Window  string // tabs of one window may share a renderer
}

// Dialogs are the dialogs of a session. The zero value is ready for use. It is safe for concurrent
// use, even by callers that hold other locks.
type Dialogs struct {
	mu      sync.Mutex
	policy  Policy
	manual  bool             // the running call is a manual step
	private bool             // a person answers the dialogs, which are not recorded
	next    *nextAnswer      // nil: none is set
	history []*driver.Dialog // newest last
	seen    int              // number of dialogs so far
	fresh   []*driver.Dialog // since the last Take
	counts  map[string]int   // of fresh, by tab
	more    int              // number of dialogs since the last Take that were not kept
	open    []*Open          // in the order in which they were opened
}

// A nextAnswer is the answer for the next dialog of a tab.
type nextAnswer struct {
	driver.DialogAnswer
	session string
	manual  bool
}

// An Open is a dialog that waits to be answered. Its exported fields are read-only. The lock of
// Dialogs guards the other fields.
type Open struct {
	Tab    Tab
	Closed <-chan struct{} // closed when the dialog is closed

	dialog *driver.Dialog
	preset string   // the default text of a prompt
	shared []string // sessions of the tabs that it blocks
	apart  []string // sessions of the tabs that it certainly does not block
	closed chan struct{}
}

// Begin sets the policy for dialogs that are opened from now on. manual says whether the running
// call is a manual step. The caller must call End afterwards.
func (d *Dialogs) Begin(policy Policy, manual bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.policy, d.manual = policy, manual
}

// Private begins the time in which a person uses the browser. Dialogs then stay open for the person
// and are not recorded. With false, Private ends that time and records the dialogs that are still
// open.
func (d *Dialogs) Private(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.private = on
	for _, one := range d.open {
		if !on && one.dialog.Number == 0 {
			d.addLocked(one.dialog)
		}
	}
}

// End drops the answer that the run has set for the next dialog, and reports whether there was one.
// It keeps an answer that a manual step has set.
func (d *Dialogs) End() (unused bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.manual || d.next == nil || d.next.manual {
		return false
	}
	d.next = nil
	return true
}

// Take returns the dialogs of all tabs since the last call, oldest first. At most [MostOfTab] are
// kept for each tab. The result "more" is the number of dialogs that were not kept.
func (d *Dialogs) Take() (list []driver.Dialog, more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	list, more = copies(d.fresh), d.more
	d.fresh, d.counts, d.more = nil, nil, 0
	return list, more
}

// TakeOf is like [Dialogs.Take], but only for the tab with the given id.
func (d *Dialogs) TakeOf(tab string) []driver.Dialog {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []*driver.Dialog
	d.fresh = slices.DeleteFunc(d.fresh, func(one *driver.Dialog) bool {
		if one.Tab == tab {
			list = append(list, one)
		}
		return one.Tab == tab
	})
	delete(d.counts, tab)
	return copies(list)
}

// Alerts returns the messages of a tab's alerts that neither Take nor TakeOf has returned yet.
func (d *Dialogs) Alerts(tab string) (list []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.fresh {
		if one.Tab == tab && one.Kind == string(proto.PageDialogTypeAlert) {
			list = append(list, one.Message)
		}
	}
	return list
}

// History returns the last [MostInHistory] dialogs, newest last.
func (d *Dialogs) History() []driver.Dialog {
	d.mu.Lock()
	defer d.mu.Unlock()
	return copies(d.history)
}

func copies(from []*driver.Dialog) []driver.Dialog {
	list := make([]driver.Dialog, len(from))
	for i, one := range from {
		list[i] = *one
	}
	return list
}

// addLocked records a dialog.
func (d *Dialogs) addLocked(one *driver.Dialog) {
	d.seen++
	one.Number = d.seen
	d.history = append(d.history, one)
	if n := len(d.history) - MostInHistory; n > 0 {
		d.history = slices.Clone(d.history[n:])
	}
	if d.counts[one.Tab] >= MostOfTab {
		d.more++
		return
	}
	if d.counts == nil {
		d.counts = make(map[string]int)
	}
	d.counts[one.Tab]++
	d.fresh = append(d.fresh, one)
}

// Opened records a dialog of a tab and returns the call that answers it. If it returns no call, the
// dialog stays open, and the caller must call [Dialogs.Leave]. closing means that the tab is being
// closed.
func (d *Dialogs) Opened(tab Tab, v *proto.PageJavascriptDialogOpening, closing bool) (*driver.Dialog, proto.Request) {
	one := &driver.Dialog{
		Kind: string(v.Type), Message: diag.Clip(v.Message, MaxText), Default: diag.Clip(v.DefaultPrompt, MaxText),
		URL: v.URL, Tab: tab.ID,
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.private && !closing {
		one.Answer = driver.DialogOpen
		return one, nil
	}
	answer := d.policy.answer(v.Type)
	said := driver.DialogAnswer{Accept: answer == "accept"}
	switch {
	case d.next != nil && d.next.session == tab.Session:
		said, answer, d.next = d.next.DialogAnswer, "", nil
	case closing && answer == "leave":
		answer = "dismiss"
	}
	if answer == "leave" {
		one.Answer = driver.DialogOpen
		d.addLocked(one)
		return one, nil
	}
	req := reply(v.Type, v.DefaultPrompt, said)
	one.Answer = driver.DialogDismissed
	if said.Accept {
		one.Answer, one.Text = driver.DialogAccepted, diag.Clip(req.PromptText, MaxText)
	}
	d.addLocked(one)
	return one, req
}

// Leave records that a dialog of a tab stays open. The argument shared lists the sessions of all
// tabs that the dialog blocks, including the session of that tab.
func (d *Dialogs) Leave(tab Tab, one *driver.Dialog, preset string, shared []string) {
	closed := make(chan struct{})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = append(d.open, &Open{Tab: tab, Closed: closed, dialog: one, preset: preset, shared: shared, closed: closed})
}

// reply returns the call that answers a dialog. If a prompt is accepted without a text, its text is
// preset.
func reply(kind proto.PageDialogType, preset string, said driver.DialogAnswer) proto.PageHandleJavaScriptDialog {
	req := proto.PageHandleJavaScriptDialog{Accept: said.Accept}
	if said.Accept && kind == proto.PageDialogTypePrompt {
		req.PromptText = preset
		if said.Text != nil {
			req.PromptText = *said.Text
		}
	}
	return req
}

// Close records the end of a session's open dialog, if it has one. The arguments answer and text
// say how the dialog was answered.
func (d *Dialogs) Close(session, answer, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := slices.IndexFunc(d.open, func(one *Open) bool { return one.Tab.Session == session })
	if at < 0 {
		return
	}
	one := d.open[at]
	d.open = slices.Delete(d.open, at, at+1)
	one.dialog.Answer = answer
	if one.dialog.Kind == string(proto.PageDialogTypePrompt) && answer == driver.DialogAccepted {
		one.dialog.Text = diag.Clip(text, MaxText)
	}
	close(one.closed)
}

// Blocking returns the open dialog that blocks a tab's session, or nil.
func (d *Dialogs) Blocking(session string) *Open {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.open {
		if slices.Contains(one.shared, session) {
			return one
		}
	}
	return nil
}

// IsOpen reports whether a tab's session has an open dialog of its own.
func (d *Dialogs) IsOpen(session string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.open, func(one *Open) bool { return one.Tab.Session == session })
}

// Beside returns a dialog of another tab in the same window that may block this tab too. The caller
// must find out whether it does, and call [Dialogs.Probed]. If there is no such dialog, Beside
// returns nil.
func (d *Dialogs) Beside(tab Tab) *Open {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.open {
		if one.Tab.Window == tab.Window && !slices.Contains(one.shared, tab.Session) && !slices.Contains(one.apart, tab.Session) {
			return one
		}
	}
	return nil
}

// Probed records whether a tab has answered while a dialog of another tab was open. It reports
// whether the dialog is still open and blocks the tab.
func (d *Dialogs) Probed(one *Open, session string, answered bool) (blocks bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !answered && slices.Contains(d.open, one) {
		one.shared = append(one.shared, session)
		return true
	}
	one.apart = append(one.apart, session)
	return false
}

// Answer returns the dialog that an answer is for, and the call to send to that dialog's tab. It
// prefers the dialog of the active tab, and then the oldest dialog. If no dialog is open, it
// returns nil and keeps the answer for the next dialog of the active tab.
func (d *Dialogs) Answer(active string, a driver.DialogAnswer) (*Open, proto.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.open) == 0 {
		d.next = &nextAnswer{a, active, d.manual}
		return nil, nil
	}
	one := d.open[0]
	for _, other := range d.open {
		if other.Tab.Session == active {
			one = other
		}
	}
	return one, reply(proto.PageDialogType(one.dialog.Kind), one.preset, a)
}

// Dialog returns the current state of a dialog, which may be closed by now.
func (d *Dialogs) Dialog(one *Open) driver.Dialog {
	d.mu.Lock()
	defer d.mu.Unlock()
	return *one.dialog
}
