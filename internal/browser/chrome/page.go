package chrome

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// A Tab is one page of a window: the parts that know its documents, and its life in the window. Its
// methods are for one run at a time; Close, State and TakeDialogs may be called at any time.
type Tab struct {
	Parts

	page driver.Page // the interface for steps; nil for a hidden tab

	b       *Browser
	id      string // such as t1
	window  *window
	opener  *Tab // the tab whose page opened it; nil for none
	book    *snapshot.Book
	begins  atomic.Bool   // begun has been called
	after   chan struct{} // closed once another tab is active, if this one was
	closing bool          // we are closing it; guarded by Browser.mu
	hidden  bool          // not part of the session: see hidden.go

	asked    atomic.Int64 // number of dialogs that the page has opened
	Popups   *Popups
	restores storage.Restores // has a lock of its own
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
		started[i] = p.Link.conn.Start(context.Background(), p.Link.session, req)
	}
	p.Link.setUp(started)
}

// setUp records the calls that the page requires before its first document.
func (l *Link) setUp(calls []*cdp.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setup = calls
	l.notify()
}

// isSetUp waits for the replies to the calls that the page requires before its first document.
func (l *Link) isSetUp(ctx context.Context) error {
	var setup []*cdp.Call
	if err := l.Until(ctx, unready, func() bool { setup = l.setupCalls(); return setup != nil }); err != nil {
		return err
	}
	for _, k := range setup {
		select {
		case <-k.Done():
		case <-ctx.Done():
			return l.Explain(ctx, ctx.Err())
		}
		if err := k.Wait(nil); err != nil && !cdp.HasLocale(err) {
			return l.Explain(ctx, err)
		}
	}
	return nil
}

// unready is what is missing while a tab cannot be used.
const unready = "the new tab is not ready"

// hasDocument waits until the page has a document that the engine can read.
func (fs *Frames) hasDocument(ctx context.Context) error {
	return fs.Until(ctx, unready, func() bool { return fs.doc.id != "" && fs.world != "" })
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
	if err := p.Link.isSetUp(ctx); err != nil {
		return err
	}
	if p.b.endpoint != nil && p.Frames.isBlank() {
		if err := p.readTree(ctx); err != nil {
			return err
		}
	}
	return p.Frames.hasDocument(ctx)
}

// State returns the URL that the page shows, or why it no longer answers. It does not query the
// page and may be called at any time.
func (p *Tab) State() (address string, lost error) {
	if err := p.Link.isLost(); err != nil {
		return "", err
	}
	return p.Frames.shownURL(), nil
}

// isLost returns why the page no longer answers; nil if it does.
func (l *Link) isLost() error {
	if lost := l.cause(); lost != nil {
		return lost.Clone()
	}
	return nil
}

// shownURL returns the URL of the document.
func (fs *Frames) shownURL() string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.doc.url
}

// lose makes all pending and later calls of the page fail. The first cause is kept.
func (l *Link) lose(cause *diag.Error) {
	l.mu.Lock()
	first := l.lost == nil
	if first {
		l.lost = cause
	}
	l.notify()
	l.mu.Unlock()
	switch {
	case !first:
	case l.isGone(): // for pending calls this is like the end of a document
		l.conn.Lose(l.session, cdp.ErrGone)
	default:
		l.conn.Lose(l.session, cause)
	}
}

// why returns the error for a call to a lost page. If the browser has ended, that is the reason.
func (l *Link) why(lost *diag.Error) error {
	select {
	case <-l.conn.Ended():
		return l.over(cdp.ErrClosed)
	default:
		return lost.Clone()
	}
}

// Start sends a command to the page; see [cdp.Conn.Start]. A function call goes to the session
// that has its context.
func (fs *Frames) Start(ctx context.Context, req proto.Request) *cdp.Call {
	session := fs.link.session
	if f, ok := req.(eval.CallFunction); ok {
		session = fs.SessionOf(f.UniqueContextID)
	}
	return fs.link.StartIn(ctx, session, req)
}

// StartIn is start in the given session, of a frame or of the page.
func (l *Link) StartIn(ctx context.Context, session string, req proto.Request) *cdp.Call {
	if lost := l.cause(); lost != nil {
		return cdp.Failed(l.why(lost))
	}
	if blocked := l.hindered(); blocked != nil {
		return cdp.Failed(blocked)
	}
	return l.conn.Start(ctx, session, req)
}

// SessionOf returns the session that has a context.
func (fs *Frames) SessionOf(context string) string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return cmp.Or(fs.contexts[context], fs.link.session)
}

// Do sends a command and waits for its reply. While the next document is being installed, a page
// refuses some commands without executing them; do repeats those.
func (l *Link) Do(ctx context.Context, req proto.Request, out any) error {
	err := l.StartIn(ctx, l.session, req).Wait(out)
	for n := 0; n < swapTries && cdp.IsSwapping(err); n++ {
		if err := pause(ctx, nil, l.conn.Ended(), swapPause); err != nil {
			return l.Explain(ctx, err)
		}
		err = l.StartIn(ctx, l.session, req).Wait(out)
	}
	return l.Explain(ctx, err)
}

// How often a command is repeated while documents are swapped, and the pause before each attempt.
// The product is far above the longest swap observed.
const (
	swapTries = 100
	swapPause = 10 * time.Millisecond
)

// notify wakes the goroutines that wait in Until. It may be called with any lock held.
func (l *Link) notify() { l.signal.notify() }

// Until waits until cond is true. cond is called again after each change, without a lock. At the
// deadline of ctx Until returns TIMEOUT with the text late, which says what is missing.
func (l *Link) Until(ctx context.Context, late string, cond func() bool) error {
	return l.UntilQuiet(ctx, late, func() (bool, time.Duration) { return cond(), 0 })
}

// UntilQuiet is Until for conditions that become true with time: cond also returns after how long
// to check again; 0 means only after a change.
func (l *Link) UntilQuiet(ctx context.Context, late string, cond func() (bool, time.Duration)) error {
	for {
		seen := l.signal.now()
		if lost := l.cause(); lost != nil {
			return l.why(lost)
		}
		ok, again := cond()
		if ok {
			return nil
		}
		if blocked := l.hindered(); blocked != nil {
			return blocked
		}
		if err := pause(ctx, l.signal.after(seen), l.conn.Ended(), again); err != nil {
			if errors.Is(err, cdp.ErrClosed) {
				return l.over(err)
			}
			return cdp.Overdue(err, late)
		}
	}
}

// cause returns why the page no longer answers; nil if it does.
func (l *Link) cause() *diag.Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
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
func (l *Link) Explain(ctx context.Context, err error) error { return cdp.Explain(ctx, err, l.over) }

// Pause waits for d. It fails if ctx or the connection ends first.
func (l *Link) Pause(ctx context.Context, d time.Duration) error {
	return pause(ctx, nil, l.conn.Ended(), d)
}

// Options returns the options that the browser was started with. They must not be changed.
func (p *Tab) Options() *startup.Options { return &p.b.opts }

// Readings returns the cache of the session's compiled scripts.
func (p *Tab) Readings() *eval.Cache { return &p.b.readings }

// StatusOf is [Browser.statusOf].
func (p *Tab) StatusOf(tab string) int { return p.b.statusOf(tab) }

// NotePress records that an element is about to be pressed, which may cause a download.
func (p *Tab) NotePress() { p.b.downloads.NotePress(p.Net) }

// ExpectDownload records that a download should begin soon.
func (p *Tab) ExpectDownload() { p.b.downloads.Expect() }

// Alerts returns the messages of the tab's alerts that have not been reported yet.
func (p *Tab) Alerts() []string { return p.b.dialogs.Alerts(p.id) }

// NextAct returns a new id for an engine call that can be cancelled.
func (ws *Worlds) NextAct() int64 { return ws.acts.next() }

// Book returns where the refs of the tab are recorded.
func (p *Tab) Book() *snapshot.Book { return p.Frames.refs }

// SessionsWith returns the tab's own session and the given one, if that differs.
func (l *Link) SessionsWith(session string) []string {
	if session == l.session {
		return []string{session}
	}
	return []string{l.session, session}
}
