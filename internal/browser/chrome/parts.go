package chrome

import (
	"context"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/go-rod/rod/lib/proto"
)

// Surroundings are what the parts of a tab take from the browser around it.
type Surroundings struct {
	Conn    *cdp.Conn
	Session string            // of the tab
	Frame   proto.PageFrameID // the main one
	Refs    *snapshot.Book
	Timers  *timers.Recorder // of all tabs

	// Over returns the error for a connection that has ended.
	Over func(error) *diag.Error
	// Hindered returns the error for an open dialog that blocks the page; nil for none. It is called
	// with locks of parts held.
	Hindered func() *diag.Error
	// Beside returns the error for a dialog of another tab that blocks the page too.
	Beside func(context.Context) error
	// NetFailure returns Chromium's name for the reason why an address could not be loaded.
	NetFailure func(address, failure string) string
	// Ready waits until the tab can be used.
	Ready func(context.Context) error
	// ClosedItself reports whether the tab has closed without us.
	ClosedItself func(context.Context) bool
	// Opened returns the number of tabs that the page has opened.
	Opened func() int
	// Latest returns the number of the latest request of all tabs.
	Latest func() int
}

// Parts are the parts of one tab. Each has its own lock, and calls only parts that are above it
// here. A part that implements an interface of package driver is embedded.
type Parts struct {
	Link   *Link
	Net    *network.Traffic
	Sent   *uploads.Sent
	Timers *timers.Record
	Frames *Frames
	Step   *Step
	Handed *Handed
	*Worlds
	*Waits
	Outcome *Outcome
	*Navigation
	*Effects
}

// NewParts returns the parts of a tab with the given id.
func NewParts(id string, s Surroundings) Parts {
	l := &Link{tabID: id, conn: s.Conn, session: s.Session, left: make(chan struct{}), over: s.Over, hindered: s.Hindered}
	p := Parts{Link: l, Net: new(network.Traffic), Sent: new(uploads.Sent), Timers: new(timers.Record)}
	p.Net.Init()
	p.Sent.Init(s.Conn, p.Net)
	p.Timers.Init(s.Timers, s.Conn, s.Session, s.Frame, l.left)
	p.Frames = &Frames{tree: tree{
		link: l, Net: p.Net, frame: s.Frame, refs: s.Refs,
		frames: make(map[proto.PageFrameID]*subframe), contexts: make(map[string]string),
	}}
	p.Step = &Step{frames: p.Frames, Net: p.Net, opened: s.Opened}
	p.Handed = &Handed{link: l}
	p.Worlds = &Worlds{link: l, frames: p.Frames, step: p.Step, beside: s.Beside}
	p.Waits = &Waits{link: l, Net: p.Net, frames: p.Frames, worlds: p.Worlds}
	p.Outcome = &Outcome{link: l, frames: p.Frames, step: p.Step, worlds: p.Worlds,
		netFailure: s.NetFailure, readied: s.Ready, closedItself: s.ClosedItself}
	p.Navigation = &Navigation{link: l, Net: p.Net, frames: p.Frames, worlds: p.Worlds, outcome: p.Outcome}
	p.Effects = &Effects{link: l, Net: p.Net, Timers: p.Timers, frames: p.Frames, worlds: p.Worlds, outcome: p.Outcome, latest: s.Latest}
	return p
}

// A Link is the connection to one tab: it sends commands, and waits for what events report.
type Link struct {
	tabID    string // such as t1
	conn     *cdp.Conn
	session  string
	left     chan struct{} // closed when the tab is closed
	over     func(error) *diag.Error
	hindered func() *diag.Error
	signal   signal

	mu    sync.Mutex
	lost  *diag.Error // why the page no longer answers
	stuck bool        // a call was not answered in time, and none has been since
	setup []*cdp.Call // the calls sent before the first document
}

// A signal wakes those that wait for a change. The zero value is ready.
type signal struct {
	mu      sync.Mutex
	n       int           // of changes
	changed chan struct{} // closed at the next change; nil when nothing waits
}

// now returns the number of changes so far.
func (s *signal) now() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func (s *signal) notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// after returns a channel that is closed once there have been more than n changes.
func (s *signal) after(n int) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n > n {
		return over
	}
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

var over = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Frames are the main frame of a tab and those in it, with their documents, contexts and
// navigations, as the browser's events report them.
type Frames struct {
	mu sync.Mutex // guards the tree; only held briefly, also by the goroutine that reads events
	tree
}

// Until is [Link.Until] for a condition about the frames, which is called with their lock held.
func (fs *Frames) Until(ctx context.Context, late string, cond func() bool) error {
	return fs.link.Until(ctx, late, func() bool {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		return cond()
	})
}

// UntilQuiet is [Link.UntilQuiet] for a condition about the frames, which is called with their lock
// held.
func (fs *Frames) UntilQuiet(ctx context.Context, late string, cond func() (bool, time.Duration)) error {
	return fs.link.UntilQuiet(ctx, late, func() (bool, time.Duration) {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		return cond()
	})
}

// A tree is the state of the frames. Its methods require the lock of [Frames].
type tree struct {
	link *Link
	Net  *network.Traffic

	frame   proto.PageFrameID // the main one; also the target's id
	doc     document
	world   string // unique id of the engine's context; "" while a document is replaced
	main    string // unique id of the page's own context
	number  int    // number of world's context; few commands require it instead of the unique id
	nav     navigation
	inner   int       // number of frame navigations so far
	innerAt time.Time // time of the last of them
	rev     int       // counts main-frame documents
	refs    *snapshot.Book
	wanted  string      // the address that its opener opened it with
	denied  *diag.Error // why the document that the page was navigating to was refused
	keeps   bool        // the session keeps accessibility trees, also for later documents
	ending  *cdp.Call   // ends a script, so that the next document can load; nil: none
	frames  map[proto.PageFrameID]*subframe
	// contexts maps the unique id of a context to its session, if that is not the page's.
	contexts map[string]string
}

// A Step knows what the current step has begun, and what the browser has refused of that.
type Step struct {
	frames *Frames
	Net    *network.Traffic
	opened func() int // number of tabs that the page has opened

	mu      sync.Mutex // held while the lock of frames is acquired
	input   bool       // the step's input has begun
	blocked string     // what the browser has refused after the step's input; "" for nothing
	before  sentBefore // what had been sent when the input began
}

// Worlds evaluates scripts in the engine's worlds of all frames.
type Worlds struct {
	link   *Link
	frames *Frames
	step   *Step
	beside func(context.Context) error
	acts   counter // ids of engine calls that can be cancelled
}

// Waits implements [driver.Waiter], except for elements.
type Waits struct {
	link   *Link
	Net    *network.Traffic
	frames *Frames
	worlds *Worlds
}

// An Outcome knows what navigations have led to: those that input has started, and those of tabs
// that a page has opened.
type Outcome struct {
	link         *Link
	frames       *Frames
	step         *Step
	worlds       *Worlds
	netFailure   func(address, failure string) string
	readied      func(context.Context) error
	closedItself func(context.Context) bool
}

// Navigation opens addresses, and implements [driver.Navigator] together with [Worlds].
type Navigation struct {
	link    *Link
	Net     *network.Traffic
	frames  *Frames
	worlds  *Worlds
	outcome *Outcome
}

// Effects implements [driver.Effects]: it records what an input causes.
type Effects struct {
	link    *Link
	Net     *network.Traffic
	Timers  *timers.Record
	frames  *Frames
	worlds  *Worlds
	outcome *Outcome
	latest  func() int

	mu      sync.Mutex // guards the notes; held while the lock of frames is acquired
	effects effects
}

// Handed has what the browser hands over to us instead of handling it itself.
type Handed struct {
	link *Link

	mu      sync.Mutex
	carried *proto.InputDragData // the drag that the browser has handed to us
	chooser *Chooser             // the file chooser that the page has opened during an upload
}
