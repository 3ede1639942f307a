package chrome

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// A Tab is one page of a window: its documents and frames, its navigations, and the effects of
// input to it. Its methods are for one run at a time; Close, State and TakeDialogs may be called
// at any time.
type Tab struct {
	page driver.Page // the interface for steps; nil for a hidden tab

	b       *Browser
	session string
	frame   proto.PageFrameID // of the main frame; also the target's id
	id      string            // such as t1
	window  *window
	opener  *Tab // the tab whose page opened it; nil for none
	refs    *snapshot.Book
	left    chan struct{} // closed when the tab is closed
	begins  atomic.Bool   // begun has been called
	after   chan struct{} // closed once another tab is active, if this one was
	closing bool          // we are closing it; guarded by Browser.mu
	hidden  bool          // not part of the session: see hidden.go

	acts counter // ids of engine calls that can be cancelled

	// mu guards the following fields. It is only held briefly, also by the goroutine that reads
	// the browser's messages.
	mu      sync.Mutex
	lost    *diag.Error   // why the page no longer answers
	stuck   bool          // a call was not answered in time, and none has been since
	changed chan struct{} // closed at the next change; nil when nothing waits
	doc     document
	world   string // unique id of the engine's context; "" while a document is replaced
	main    string // unique id of the page's own context
	nav     navigation
	inner   int             // number of frame navigations so far
	innerAt time.Time       // time of the last of them
	Net     network.Traffic // has a lock of its own
	Sent    uploads.Sent    // has a lock of its own
	effects effects
	Timers  timers.Record // has a lock of its own
	input   bool          // the step's input has begun
	blocked string        // what the browser has refused after the step's input; "" for nothing
	before  sentBefore    // what had been sent when the input began
	asked   int           // number of dialogs that the page has opened
	denied  *diag.Error   // why the document that the page was navigating to was refused
	rev     int           // counts main-frame documents
	number  int           // number of world's context; few commands require it instead of the unique id
	frames  map[proto.PageFrameID]*subframe
	// contexts maps the unique id of a context to its session, if that is not the page's.
	contexts map[string]string
	carried  *proto.InputDragData // the drag that the browser has handed to us
	chooser  *Chooser             // the file chooser that the page has opened during an upload
	setup    []*cdp.Call          // the calls sent before the first document
	wanted   string               // the address that its opener opened it with
	popups   popups
	restores storage.Restores // has a lock of its own

	keeps  bool      // the session keeps accessibility trees, also for later documents
	ending *cdp.Call // ends a script, so that the next document can load; nil: none
}

// A document is the state of the main frame's document.
type document struct {
	id          string // loader id
	url         string
	status      int
	unreachable string // the URL that could not be loaded, if this is an error page
	failure     string // reason for the error page (net::ERR_…)
	reached     map[driver.LoadState]bool
	struck      bool    // a script of this document may have been ended instead of one of the previous document
	ax          bool    // the accessibility tree is kept for it
	said        *saying // what it reported with its load event; nil before
	rests       bool    // it has stopped loading
}

// Browser returns the browser that the page is open in.
func (p *Tab) Browser() *Browser { return p.b }

// prepare sends what a page requires before its first document, and resumes a page that the
// browser has paused. It runs in the goroutine that reads replies: see [Tab.ready].
func (p *Tab) prepare(waiting bool) {
	calls := p.firstCalls()
	if waiting {
		calls = append(calls, proto.RuntimeRunIfWaitingForDebugger{})
	}
	started := make([]*cdp.Call, len(calls))
	for i, req := range calls {
		started[i] = p.b.conn.Start(context.Background(), p.session, req)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.setup = started
	p.notifyLocked()
}

func (p *Tab) firstCalls() []proto.Request {
	calls := []proto.Request{
		proto.InspectorEnable{},
		proto.PageEnable{},
		proto.PageSetLifecycleEventsEnabled{Enabled: true},
		uploads.Keeps(1, 1),
		proto.RuntimeEnable{},
		proto.LogEnable{},
		bindArrival(),
		proto.PageAddScriptToEvaluateOnNewDocument{Source: p.b.engineSource(), WorldName: engine.World, RunImmediately: true},
		// Without this, a tab in the background gets no animation frames.
		proto.EmulationSetFocusEmulationEnabled{Enabled: true},
		autoAttach,
	}
	o := &p.b.opts
	if v := o.EffectiveViewport(); v != (startup.Viewport{}) {
		calls = append(calls, proto.EmulationSetDeviceMetricsOverride{Width: v.Width, Height: v.Height})
	}
	calls = append(calls, p.b.first()...)
	if o.NoJavaScript {
		calls = append(calls, proto.EmulationSetScriptExecutionDisabled{Value: true})
	}
	if o.CPUSlowdown > 1 {
		calls = append(calls, proto.EmulationSetCPUThrottlingRate{Rate: float64(o.CPUSlowdown)})
	}
	calls = append(calls, p.b.localeCalls()...)
	if p.b.endpoint == nil { // a browser that we start gets the following as flags
		return calls
	}
	if o.UserAgent != "" || o.Locale != "" {
		calls = append(calls, proto.EmulationSetUserAgentOverride{UserAgent: cmp.Or(o.UserAgent, p.b.userAgent), AcceptLanguage: o.Locale})
	}
	if o.IgnoreHTTPSErrors {
		calls = append(calls, proto.SecuritySetIgnoreCertificateErrors{Ignore: true})
	}
	return calls
}

// localeCalls returns the calls that make scripts format numbers and dates for the locale. They
// are sent to each process with documents: the flag of a launched browser only sets the language
// of requests, and a build may only contain English.
func (b *Browser) localeCalls() []proto.Request {
	if b.opts.Locale == "" {
		return nil
	}
	return []proto.Request{proto.EmulationSetLocaleOverride{Locale: b.opts.Locale}}
}

// ownTimers replaces the timers of the isolated world: unlike everything else that the engine
// uses, they do not run if scripts are disabled.
const ownTimers = `globalThis.setTimeout=(f,ms=0)=>{const c=new TaskController();scheduler.postTask(f,{delay:ms,signal:c.signal}).catch(()=>{});return c};
globalThis.clearTimeout=(c)=>c?.abort?.();
`

// engineSource returns the script that runs in the isolated world of every new document.
func (b *Browser) engineSource() string {
	if b.opts.NoJavaScript {
		return ownTimers + engine.Source()
	}
	return engine.Source()
}

// ready waits until the page can be used.
func (p *Tab) ready(ctx context.Context) error {
	const late = "the new tab is not ready"
	var setup []*cdp.Call
	if err := p.Until(ctx, late, func() bool { setup = p.setup; return setup != nil }); err != nil {
		return err
	}
	for _, k := range setup {
		select {
		case <-k.Done():
		case <-ctx.Done():
			return p.b.explain(ctx, ctx.Err())
		}
		if err := k.Wait(nil); err != nil && !cdp.HasLocale(err) {
			return p.b.explain(ctx, err)
		}
	}
	if p.b.endpoint != nil && p.isBlank() {
		if err := p.readTree(ctx); err != nil {
			return err
		}
	}
	return p.Until(ctx, late, func() bool { return p.doc.id != "" && p.world != "" })
}

// State returns the URL that the page shows, or why it no longer answers. It does not query the
// page and may be called at any time.
func (p *Tab) State() (address string, lost error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost != nil {
		return "", p.lost.Clone()
	}
	return p.doc.url, nil
}

// lose makes all pending and later calls of the page fail. The first cause is kept.
func (p *Tab) lose(cause *diag.Error) {
	p.mu.Lock()
	first := p.lost == nil
	if first {
		p.lost = cause
	}
	p.notifyLocked()
	p.mu.Unlock()
	switch {
	case !first:
	case p.isGone(): // for pending calls this is like the end of a document
		p.b.conn.Lose(p.session, cdp.ErrGone)
	default:
		p.b.conn.Lose(p.session, cause)
	}
}

// why returns the error for a call to a lost page. If the browser has ended, that is the reason.
func (p *Tab) why(lost *diag.Error) error {
	select {
	case <-p.b.conn.Ended():
		return p.b.ended(cdp.ErrClosed)
	default:
		return lost.Clone()
	}
}

// Start sends a command to the page; see [cdp.Conn.Start]. A function call goes to the session
// that has its context.
func (p *Tab) Start(ctx context.Context, req proto.Request) *cdp.Call {
	session := p.session
	if f, ok := req.(eval.CallFunction); ok {
		session = p.SessionOf(f.UniqueContextID)
	}
	return p.StartIn(ctx, session, req)
}

// StartIn is start in the given session, of a frame or of the page.
func (p *Tab) StartIn(ctx context.Context, session string, req proto.Request) *cdp.Call {
	p.mu.Lock()
	lost := p.lost
	p.mu.Unlock()
	if lost != nil {
		return cdp.Failed(p.why(lost))
	}
	if blocked := p.blockedBy(); blocked != nil {
		return cdp.Failed(blocked)
	}
	return p.b.conn.Start(ctx, session, req)
}

// SessionOf returns the session that has a context.
func (p *Tab) SessionOf(context string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.contexts[context], p.session)
}

// Do sends a command and waits for its reply. While the next document is being installed, a page
// refuses some commands without executing them; do repeats those.
func (p *Tab) Do(ctx context.Context, req proto.Request, out any) error {
	err := p.Start(ctx, req).Wait(out)
	for n := 0; n < swapTries && cdp.IsSwapping(err); n++ {
		if err := pause(ctx, nil, p.b.conn.Ended(), swapPause); err != nil {
			return p.b.explain(ctx, err)
		}
		err = p.Start(ctx, req).Wait(out)
	}
	return p.b.explain(ctx, err)
}

// How often a command is repeated while documents are swapped, and the pause before each attempt.
// The product is far above the longest swap observed.
const (
	swapTries = 100
	swapPause = 10 * time.Millisecond
)

// notifyLocked wakes the goroutines that wait in until.
func (p *Tab) notifyLocked() {
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// Until waits until cond, which is called with mu held, is true. At the deadline of ctx it
// returns TIMEOUT with the text late, which says what is missing.
func (p *Tab) Until(ctx context.Context, late string, cond func() bool) error {
	return p.UntilQuiet(ctx, late, func() (bool, time.Duration) { return cond(), 0 })
}

// UntilQuiet is until for conditions that become true with time: cond also returns after how long
// to check again; 0 means only after a change.
func (p *Tab) UntilQuiet(ctx context.Context, late string, cond func() (bool, time.Duration)) error {
	for {
		p.mu.Lock()
		if p.lost != nil {
			defer p.mu.Unlock()
			return p.why(p.lost)
		}
		ok, again := cond()
		if ok {
			p.mu.Unlock()
			return nil
		}
		if blocked := p.blockedBy(); blocked != nil {
			p.mu.Unlock()
			return blocked
		}
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		changed := p.changed
		p.mu.Unlock()
		if err := pause(ctx, changed, p.b.conn.Ended(), again); err != nil {
			if errors.Is(err, cdp.ErrClosed) {
				return p.b.ended(err)
			}
			return cdp.Overdue(err, late)
		}
	}
}

// pause returns when changed is closed or after d (0: no time limit). It returns an error if ctx
// or the connection ends first.
func pause(ctx context.Context, changed, ended <-chan struct{}, d time.Duration) error {
	var tick <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		tick = timer.C
	}
	select {
	case <-changed:
	case <-tick:
	case <-ended:
		return cdp.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// The methods below give Page access to the browser around the tab.

// Explain is [Browser.explain].
func (p *Tab) Explain(ctx context.Context, err error) error { return p.b.explain(ctx, err) }

// Pause waits for d. It fails if ctx or the connection ends first.
func (p *Tab) Pause(ctx context.Context, d time.Duration) error {
	return pause(ctx, nil, p.b.conn.Ended(), d)
}

// Options returns the options that the browser was started with. They must not be changed.
func (p *Tab) Options() *startup.Options { return &p.b.opts }

// Readings returns the cache of the session's compiled scripts.
func (p *Tab) Readings() *eval.Cache { return &p.b.readings }

// StatusOf is [Browser.statusOf].
func (p *Tab) StatusOf(tab string) int { return p.b.statusOf(tab) }

// NotePress records that an element is about to be pressed, which may cause a download.
func (p *Tab) NotePress() { p.b.downloads.NotePress(&p.Net) }

// ExpectDownload records that a download should begin soon.
func (p *Tab) ExpectDownload() { p.b.downloads.Expect() }

// Alerts returns the messages of the tab's alerts that have not been reported yet.
func (p *Tab) Alerts() []string { return p.b.dialogs.Alerts(p.id) }

// NextAct returns a new id for an engine call that can be cancelled.
func (p *Tab) NextAct() int64 { return p.acts.next() }

// Book returns where the refs of the tab are recorded.
func (p *Tab) Book() *snapshot.Book { return p.refs }

// SessionsWith returns the tab's own session and the given one, if that differs.
func (p *Tab) SessionsWith(session string) []string {
	if session == p.session {
		return []string{session}
	}
	return []string{p.session, session}
}
