// Package documents knows one tab of a browser from inside: its documents and frames, the isolated
// worlds in which the engine runs, its navigations, and the effects of input. It knows nothing
// about elements.
//
// [NewParts] returns the parts of a tab. Each part has one subject, and calls only the parts that
// it was made with. [Surroundings] holds what the parts need from the browser. Package chrome,
// which knows the windows and tabs, passes events to the parts.
//
// Files, bottom to top: navigation, signal, link, world, tree, frames, events, moves, step, worlds,
// outcome, patrol, effect, await, handed, navigate, script, wait, parts.
package documents

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/snapshot"
)

// Surroundings holds what a tab needs from the browser.
type Surroundings struct {
	Conn    *cdp.Conn
	Session string            // of the tab
	Frame   proto.PageFrameID // the main one
	Refs    *snapshot.Book
	Timers  *timers.Recorder // of all tabs
	// Readings caches the compiled scripts of all tabs.
	Readings *eval.Cache
	// NoScripts is set if pages run no scripts.
	NoScripts bool

	// Over returns the error for a connection that has ended.
	Over func(error) *diag.Error
	// Hindered returns the error for an open dialog that blocks the page, or nil if there is none.
	Hindered func() *diag.Error
	// Beside returns the error for a dialog of another tab that also blocks this page, or nil if
	// there is none.
	Beside func(context.Context) error
	// NetFailure returns Chromium's name for the reason why an address could not be loaded.
	NetFailure func(address, failure string) string
	// Refusal returns an error if the policy has refused to load address, or to follow a redirect
	// of it. Otherwise it returns nil.
	Refusal func(address string) *diag.Error
	// Ready waits until the tab can be used.
	Ready func(context.Context) error
	// ClosedItself reports whether the tab was closed by its page or by the browser's user.
	ClosedItself func(context.Context) bool
	// Opened returns the number of tabs that the page has opened.
	Opened func() int
	// Latest returns the number of the latest request of all tabs.
	Latest func() int
}

// Parts holds the parts of one tab. Each part calls only the parts above it in this struct. The
// embedded parts implement interfaces of package driver.
type Parts struct {
	Link   *Link
	Net    *network.Traffic
	Sent   *uploads.Sent
	Timers *timers.Record
	Frames *Frames
	Moves  *Moves
	Step   *Step
	Handed *Handed
	*Worlds
	*Waits
	*Scripts
	Outcome *Outcome
	*Navigation
	*Effects
}

// NewParts returns the parts of a tab with the given id.
func NewParts(id string, s Surroundings) Parts {
	l := &Link{tabID: id, Conn: s.Conn, Session: s.Session, Frame: s.Frame, Left: make(chan struct{}), over: s.Over, hindered: s.Hindered}
	p := Parts{Link: l, Net: new(network.Traffic), Sent: new(uploads.Sent), Timers: new(timers.Record)}
	p.Net.Init()
	p.Sent.Init(s.Conn, p.Net)
	p.Timers.Init(s.Timers, s.Conn, s.Session, s.Frame, l.Left)
	p.Frames = &Frames{tree: tree{
		link: l, Net: p.Net, refs: s.Refs,
		frames: make(map[proto.PageFrameID]*subframe), contexts: make(map[string]string),
	}}
	p.Moves = &Moves{frames: p.Frames}
	p.Step = &Step{moves: p.Moves, Net: p.Net, opened: s.Opened}
	p.Handed = &Handed{link: l}
	p.Worlds = &Worlds{link: l, frames: p.Frames, step: p.Step, beside: s.Beside}
	p.Waits = &Waits{frames: p.Frames, moves: p.Moves, worlds: p.Worlds}
	p.Scripts = &Scripts{link: l, frames: p.Frames, worlds: p.Worlds, readings: s.Readings, without: s.NoScripts}
	p.Outcome = &Outcome{link: l, frames: p.Frames, moves: p.Moves, step: p.Step, worlds: p.Worlds,
		netFailure: s.NetFailure, refusal: s.Refusal, readied: s.Ready, closedItself: s.ClosedItself}
	p.Navigation = &Navigation{link: l, Net: p.Net, frames: p.Frames, moves: p.Moves, worlds: p.Worlds, outcome: p.Outcome}
	p.Effects = &Effects{link: l, Net: p.Net, Timers: p.Timers, frames: p.Frames, moves: p.Moves, worlds: p.Worlds, outcome: p.Outcome, latest: s.Latest}
	return p
}
