package chrome

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/console"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/pagetools"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/driver"
)

// A Tab is one page of a window: its documents, and its state in the window. Its methods serve one
// run at a time. Close, State and TakeDialogs may be called at any time.
type Tab struct {
	documents.Parts

	page driver.Page // the interface for steps; nil for a hidden tab

	host    *host
	roster  *roster
	asks    *asks
	gate    *gate
	workers *workers
	saves   *saves
	// b closes the tab and its window, and removes the tab after a crash.
	b *Browser

	id      string // such as t1
	window  *window
	opener  *Tab          // the tab whose page opened it; nil for none
	begins  atomic.Bool   // whether begun has been called
	after   chan struct{} // closed when the tab has ended; if it was the active tab, only once another one is active
	closing bool          // we are closing it; guarded by roster.mu
	hidden  bool          // whether the tab is not part of the session: see hidden.go

	asked    atomic.Int64 // number of dialogs that the page has opened
	led      atomic.Value // string: the address of the latest request for a document, after redirects, under a rule for hosts
	Popups   *Popups
	Tools    pagetools.Record // empty without startup.Options.PageTools
	restores storage.Restores // has a lock of its own
	console  console.Log      // has a lock of its own
}

// Browser returns the browser that the page is open in.
func (p *Tab) Browser() *Browser { return p.b }

// prepare sends the calls that a page requires before its first document. If waiting is set, the
// browser has paused the page, and prepare resumes it. prepare runs in the goroutine that reads
// replies; see [Tab.ready].
func (p *Tab) prepare(waiting bool) {
	calls := p.firstCalls()
	p.reportTools(p.Link.Session)
	if waiting {
		calls = append(calls, proto.RuntimeRunIfWaitingForDebugger{})
	}
	started := make([]*cdp.Call, len(calls))
	for i, req := range calls {
		started[i] = p.Link.Conn.Start(context.Background(), p.Link.Session, req)
	}
	p.Link.SetUp(started)
}

// reportTools makes the browser report the tools of pages in a session, if such tools are enabled.
// It ignores the reply, because an old browser refuses the call.
func (p *Tab) reportTools(session string) {
	if p.host.opts.PageTools {
		p.Link.Conn.Start(context.Background(), session, pagetools.Enable{})
	}
}

func (p *Tab) firstCalls() []proto.Request {
	calls := []proto.Request{
		proto.InspectorEnable{},
		proto.PageEnable{},
		proto.PageSetLifecycleEventsEnabled{Enabled: true},
		uploads.KeepsAnswers(),
		proto.RuntimeEnable{},
		proto.LogEnable{},
		documents.BindArrival(),
		proto.PageAddScriptToEvaluateOnNewDocument{Source: p.host.engineSource(), WorldName: engine.World, RunImmediately: true},
		// Without this, a tab in the background gets no animation frames.
		proto.EmulationSetFocusEmulationEnabled{Enabled: true},
		autoAttach,
	}
	o := &p.host.opts
	if v := p.Viewport(); v != (startup.Viewport{}) {
		calls = append(calls, proto.EmulationSetDeviceMetricsOverride{Width: v.Width, Height: v.Height})
	}
	calls = append(calls, p.gate.first()...)
	if o.NoJavaScript {
		calls = append(calls, proto.EmulationSetScriptExecutionDisabled{Value: true})
	}
	if o.CPUSlowdown > 1 {
		calls = append(calls, proto.EmulationSetCPUThrottlingRate{Rate: float64(o.CPUSlowdown)})
	}
	calls = append(calls, p.host.localeCalls()...)
	if p.host.endpoint == nil { // a browser that we start gets the following as flags
		return calls
	}
	if o.UserAgent != "" || o.Locale != "" {
		calls = append(calls, proto.EmulationSetUserAgentOverride{UserAgent: cmp.Or(o.UserAgent, p.host.userAgent), AcceptLanguage: o.Locale})
	}
	if o.IgnoreHTTPSErrors {
		calls = append(calls, proto.SecuritySetIgnoreCertificateErrors{Ignore: true})
	}
	return calls
}

// localeCalls returns the calls that make scripts format numbers and dates for
// [startup.Options.Locale]. It returns nil if no locale is set. Each process with documents needs
// these calls.
func (h *host) localeCalls() []proto.Request {
	if h.opts.Locale == "" {
		return nil
	}
	return []proto.Request{proto.EmulationSetLocaleOverride{Locale: h.opts.Locale}}
}

// ownTimers replaces the timers of the isolated world, which do not run if scripts are disabled.
const ownTimers = `globalThis.setTimeout=(f,ms=0)=>{const c=new TaskController();scheduler.postTask(f,{delay:ms,signal:c.signal}).catch(()=>{});return c};
globalThis.clearTimeout=(c)=>c?.abort?.();
`

// engineSource returns the script that runs in the isolated world of every new document.
func (h *host) engineSource() string {
	if h.opts.NoJavaScript {
		return ownTimers + engine.Source()
	}
	return engine.Source()
}

// ready waits until the page can be used.
func (p *Tab) ready(ctx context.Context) error {
	if err := p.Link.AwaitSetUp(ctx); err != nil {
		return err
	}
	if p.host.endpoint != nil && p.Moves.IsBlank() {
		if err := p.readTree(ctx); err != nil {
			return err
		}
	}
	return p.Frames.AwaitDocument(ctx)
}

// State returns the URL that the page shows, or why it no longer answers. It does not query the
// page and may be called at any time.
func (p *Tab) State() (address string, lost error) {
	if err := p.Link.Lost(); err != nil {
		return "", err
	}
	return p.Frames.ShownURL(), nil
}

// The methods below give Page access to the browser around the tab.

// Options returns the options that the browser was started with. They must not be changed.
func (p *Tab) Options() *startup.Options { return &p.host.opts }

// Viewport returns the size of the pages of the tab's window. The zero value means the size of the
// browser's window.
func (p *Tab) Viewport() startup.Viewport {
	if p.window != nil && p.window.size != (driver.Size{}) {
		return startup.Viewport(p.window.size)
	}
	return p.host.opts.EffectiveViewport()
}

// StatusOf returns the HTTP status of the document that a tab shows; see [roster.statusOf].
func (p *Tab) StatusOf(tab string) int { return p.roster.statusOf(tab) }

// NotePress records that an element is about to be pressed, which may cause a download.
func (p *Tab) NotePress() { p.saves.downloads.NotePress(p.Net) }

// ExpectDownload records that a download should begin soon.
func (p *Tab) ExpectDownload() { p.saves.downloads.Expect() }

// Alerts returns the messages of the tab's alerts that have not been reported yet.
func (p *Tab) Alerts() []string { return p.asks.dialogs.Alerts(p.id) }

// readTree reads the state of a page that existed before we attached to it. No event has reported
// that state.
func (p *Tab) readTree(ctx context.Context) error {
	var tree proto.PageGetFrameTreeResult
	if err := p.Link.Do(ctx, proto.PageGetFrameTree{}, &tree); err != nil {
		return err
	}
	p.Frames.ReadFrames(tree.FrameTree)
	return nil
}
