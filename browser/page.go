package browser

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/browser/engine"
	"actionregistry/diag"
	"actionregistry/snapshot"
	"actionregistry/steps"
)

// worldName names the isolated world in which package engine runs.
const worldName = "action"

var _ steps.Page = (*Page)(nil)

// A Page is one tab in a browser context of its own: it shares no cookies with
// other pages. Its methods are those of [steps.Page], for one run at a time;
// Close and TakeDialogs may be called at any time.
type Page struct {
	b       *Browser
	session string
	frame   proto.PageFrameID // of the main frame, which is the target's id
	context proto.BrowserBrowserContextID
	refs    *snapshot.Book

	acts counter // ids of engine calls that can be cancelled

	// mu guards what follows. It is held for moments only, also by the goroutine
	// that reads the browser's messages.
	mu      sync.Mutex
	lost    *diag.Error   // why the page does not answer any more
	stuck   bool          // it did not answer in time, and has not since
	changed chan struct{} // closed at the next change; nil when nobody waits
	doc     document
	world   string // unique id of the engine's context; "" while a document is replaced
	main    string // unique id of the page's own context
	nav     navigation
	net     network
	dialogs []Dialog
	rev     int // counts main-frame documents
	number  int // of the context of world, which few commands want in place of its unique id
	frames  map[proto.PageFrameID]*subframe
	// contexts tells the session of a context, by its unique id, where that is not
	// the page's.
	contexts map[string]string
	carried  *proto.InputDragData // of a drag that the browser has handed to us

	hand hand // what the mouse and the keyboard hold; of the running call only
}

// A document is the state of the main frame's document.
type document struct {
	id          string // loader id
	url         string
	status      int
	unreachable string // the URL that an error page stands for
	failure     string // net::ERR_… of it
	reached     map[steps.LoadState]bool
	ax          bool // the accessibility tree is kept for it
}

// NewPage opens a page with cookies and storage of its own. The caller must
// close it, or the browser.
func (b *Browser) NewPage(ctx context.Context) (*Page, error) {
	p := &Page{b: b, refs: b.opts.Refs, frames: make(map[proto.PageFrameID]*subframe), contexts: make(map[string]string)}
	p.net.init()
	if err := p.open(ctx); err != nil {
		if p.context != "" {
			b.conn.start(context.WithoutCancel(ctx), "", proto.TargetDisposeBrowserContext{BrowserContextID: p.context})
		}
		if p.session != "" {
			b.dropPage(p)
		}
		return nil, err
	}
	b.mu.Lock()
	b.active = p
	b.mu.Unlock()
	return p, nil
}

// Browser is the one that the page is open in.
func (p *Page) Browser() *Browser { return p.b }

func (p *Page) open(ctx context.Context) error {
	var bc proto.TargetCreateBrowserContextResult
	if err := p.b.do(ctx, proto.TargetCreateBrowserContext{}, &bc); err != nil {
		return err
	}
	p.context = bc.BrowserContextID
	var target proto.TargetCreateTargetResult
	create := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: p.context}
	if err := p.b.do(ctx, create, &target); err != nil {
		return err
	}
	p.frame = proto.PageFrameID(target.TargetID)
	var attached proto.TargetAttachToTargetResult
	attach := proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}
	if err := p.b.do(ctx, attach, &attached); err != nil {
		return err
	}
	p.session = string(attached.SessionID)
	p.b.addPage(p)
	return p.setUp(ctx)
}

// setUp sends everything that a page needs before its first document in one go.
func (p *Page) setUp(ctx context.Context) error {
	small := 1 // bytes of bodies that the browser keeps for us: we never ask for one
	calls := []proto.Request{
		proto.InspectorEnable{},
		proto.PageEnable{},
		proto.PageSetLifecycleEventsEnabled{Enabled: true},
		proto.NetworkEnable{MaxTotalBufferSize: &small, MaxResourceBufferSize: &small},
		proto.RuntimeEnable{},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: engine.Source(), WorldName: worldName, RunImmediately: true},
		// A tab in the background has no animation frames otherwise.
		proto.EmulationSetFocusEmulationEnabled{Enabled: true},
		autoAttach,
	}
	if v := p.b.opts.EffectiveViewport(); v != (Viewport{}) {
		calls = append(calls, proto.EmulationSetDeviceMetricsOverride{Width: v.Width, Height: v.Height})
	}
	started := make([]*call, len(calls))
	for i, req := range calls {
		started[i] = p.start(ctx, req)
	}
	for _, k := range started {
		if err := k.wait(nil); err != nil {
			return p.b.explain(ctx, err)
		}
	}
	return p.until(ctx, "the new page is not ready", func() bool { return p.doc.id != "" && p.world != "" })
}

// Close closes the page and what it holds in the browser, also when ctx is
// cancelled. It does not ask the page, and takes a few seconds at most. Closing
// twice is allowed.
func (p *Page) Close(ctx context.Context) error {
	p.b.mu.Lock()
	_, open := p.b.pages[p.session]
	p.b.mu.Unlock()
	if !open {
		return nil
	}
	if p.isStuck() { // its process would not see that it is closed
		p.b.conn.start(context.WithoutCancel(ctx), p.session, proto.PageCrash{})
	}
	p.lose(unavailable("the page is closed").WithHint("open a page first"))
	p.b.dropPage(p)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	err := p.b.do(ctx, proto.TargetDisposeBrowserContext{BrowserContextID: p.context}, nil)
	select {
	case <-p.b.conn.ended: // it went with the browser
		return nil
	default:
		return err
	}
}

// State returns the URL that the page shows, or why it does not answer any more.
// It asks nobody and may be called at any time.
func (p *Page) State() (address string, lost error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost != nil {
		return "", p.lost.Clone()
	}
	return p.doc.url, nil
}

// lose ends every call of the page, those to come too.
func (p *Page) lose(cause *diag.Error) {
	p.mu.Lock()
	first := p.lost == nil
	if first {
		p.lost = cause
	}
	p.notifyLocked()
	p.mu.Unlock()
	if first {
		p.b.conn.lose(p.session, cause)
	}
}

// start sends a command to the page; see [conn.start]. A function is called in the
// session that has its context.
func (p *Page) start(ctx context.Context, req proto.Request) *call {
	session := p.session
	if f, ok := req.(callFunction); ok {
		session = p.sessionOf(f.UniqueContextID)
	}
	return p.startIn(ctx, session, req)
}

// startIn is start in the session of a frame, which the page's may be.
func (p *Page) startIn(ctx context.Context, session string, req proto.Request) *call {
	p.mu.Lock()
	lost := p.lost
	p.mu.Unlock()
	if lost != nil {
		return failedCall(lost.Clone())
	}
	return p.b.conn.start(ctx, session, req)
}

// sessionOf returns the session that has a context.
func (p *Page) sessionOf(context string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.contexts[context], p.session)
}

// do sends a command and waits for its reply.
func (p *Page) do(ctx context.Context, req proto.Request, out any) error {
	return p.b.explain(ctx, p.start(ctx, req).wait(out))
}

// notifyLocked wakes those who wait in until.
func (p *Page) notifyLocked() {
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// until waits until cond, which is called with mu held, is true. At the deadline
// of ctx it returns TIMEOUT with the words of late, which say what is missing.
func (p *Page) until(ctx context.Context, late string, cond func() bool) error {
	return p.untilQuiet(ctx, late, func() (bool, time.Duration) { return cond(), 0 })
}

// untilQuiet is until for conditions that time alone can make true: cond also
// tells after how long it wants to be asked again, 0 for not before a change.
func (p *Page) untilQuiet(ctx context.Context, late string, cond func() (bool, time.Duration)) error {
	for {
		p.mu.Lock()
		if p.lost != nil {
			defer p.mu.Unlock()
			return p.lost.Clone()
		}
		ok, again := cond()
		if ok {
			p.mu.Unlock()
			return nil
		}
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		changed := p.changed
		p.mu.Unlock()
		if err := pause(ctx, changed, p.b.conn.ended, again); err != nil {
			if err == errConnClosed {
				return p.b.ended(err)
			}
			return overdue(err, late)
		}
	}
}

// pause returns when changed is closed or after d (0: not by time); with an
// error when ctx or the connection ended.
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
		return errConnClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
