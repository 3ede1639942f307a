package chrome

// The table of the open windows and tabs, and of the active one.

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
)

// do calls a method of the browser itself, not of a page.
func (h *host) do(ctx context.Context, req proto.Request, out any) error {
	if err := h.conn.Do(ctx, "", req, out); err != nil {
		return h.explain(ctx, err)
	}
	return nil
}

// isOpen reports whether a tab is open.
func (r *roster) isOpen(p *Tab) bool { return r.pageOf(p.Link.Session) == p }

// sessions returns the sessions of the tabs and of their frames, sorted. Hidden tabs are omitted.
func (r *roster) sessions() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var sessions []string
	for session, p := range r.pages {
		if !p.hidden {
			sessions = append(sessions, session)
		}
	}
	slices.Sort(sessions)
	return sessions
}

// addSession routes the events of a session to p if p is open, and reports whether p is open.
func (r *roster) addSession(session string, p *Tab) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := r.pages[p.Link.Session] == p
	if open {
		r.pages[session] = p
	}
	return open
}

func (r *roster) dropSession(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.pages, session)
}

// tabsIn returns the tabs of a window.
func (r *roster) tabsIn(w *window) []*Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(w.tabs)
}

// forgetWindows removes all windows from the roster and returns them. From then on, closed tabs are
// neither reported nor replaced.
func (r *roster) forgetWindows() []*window {
	r.mu.Lock()
	defer r.mu.Unlock()
	windows := r.windows
	r.windows = nil
	return windows
}

func (r *roster) tabOfLocked(id proto.TargetTargetID) *Tab {
	for _, w := range r.windows {
		for _, p := range w.tabs {
			if p.Link.Frame == proto.PageFrameID(id) {
				return p
			}
		}
	}
	return nil
}

func (w *window) contextToAsk() proto.BrowserBrowserContextID {
	if w.own {
		return ""
	}
	return w.context
}

func (r *roster) activateLocked(p *Tab) {
	r.active = p
	r.recent = append(slices.DeleteFunc(r.recent, func(other *Tab) bool { return other == p }), p)
}

// lastActiveLocked returns the most recently active tab of a window. If none of its tabs was ever
// active, it returns the first one. If the window has no tab, it returns nil. The caller holds
// r.mu.
func (r *roster) lastActiveLocked(w *window) *Tab {
	for _, p := range slices.Backward(r.recent) {
		if p.window == w {
			return p
		}
	}
	if len(w.tabs) == 0 {
		return nil
	}
	return w.tabs[0]
}

func (r *roster) roomForTab() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if most := r.host.opts.TabLimit(); r.tabsLocked() >= most {
		return diag.New(diag.LimitExceeded, "there are %d tabs, the limit of a session", most).
			WithHint("close a tab first with `action tab close`, or raise limits.max_tabs")
	}
	return nil
}

// windowOfLocked returns the window of a context, or nil. The first target of the browser's own
// context reveals the id of that context.
func (r *roster) windowOfLocked(context proto.BrowserBrowserContextID) *window {
	for _, w := range r.windows {
		if w.context == context {
			return w
		}
	}
	for _, w := range r.windows {
		if w.own && w.context == "" {
			w.context = context
			return w
		}
	}
	return nil
}

// statusOf returns the HTTP status of the document that a tab shows. If the last response to the
// tab contained no document, it returns the status of that response. It returns 0 if the tab or the
// status is unknown.
func (r *roster) statusOf(id string) int {
	if tab := r.tabByID(id); tab != nil {
		return tab.Moves.Status()
	}
	return 0
}

// unlessEnded returns err, or nil if the browser has ended.
func (h *host) unlessEnded(err error) error {
	select {
	case <-h.conn.Ended():
		return nil
	default:
		return err
	}
}

// pageOf returns the tab of a session, or nil if there is none.
func (r *roster) pageOf(session string) *Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pages[session]
}

func (r *roster) tabsLocked() int {
	n := 0
	for _, w := range r.windows {
		n += len(w.tabs) + w.asked
	}
	return n
}

// tabByID returns the tab with an id, or nil if there is none.
func (r *roster) tabByID(id string) *Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.windows {
		for _, p := range w.tabs {
			if p.id == id {
				return p
			}
		}
	}
	return nil
}
