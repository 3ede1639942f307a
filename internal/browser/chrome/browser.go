// Package chrome drives one Chromium, which package startup has started or found: it connects to
// the browser, knows its windows, and its tabs from their opening to their end, and passes its
// events to the parts that handle them. Package documents knows a tab from inside.
//
// Of rod it uses the protocol client and the protocol's types. Package browser, which finds
// elements and acts on them, is built on package chrome. Package chrome knows nothing about
// actions, policy or sessions, downloads no browser, and never repeats input that has reached a
// page.
//
// Files, bottom to top: parts, proxy, consent, route, errors, roster, page, network, workers, news,
// linked, dialog, pagetabs, popups, tabs, intercept, guard, hosts, windows, targets, attach, download,
// frames, hidden, storage, events, browser, handoff, probe.
package chrome

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// closeGrace bounds the wait for a browser that is ending, and for a tab or a window that is
// closing.
const closeGrace = 3 * time.Second

// A Browser is one running Chromium. It is safe for concurrent use. Each of its parts has its own
// lock, and calls only parts that are listed above it.
type Browser struct {
	*host
	roster *roster
	*asks
	*gate
	*workers
	*tabs
	*saves
	*windows
	*states

	closing sync.Once
	closed  error
}

// newBrowser returns a browser that is not connected yet.
func newBrowser(o startup.Options, acting func(*Tab) driver.Page) *Browser {
	b := &Browser{host: &host{opts: o}}
	b.roster = &roster{host: b.host, pages: make(map[string]*Tab)}
	b.asks = &asks{host: b.host, roster: b.roster}
	b.gate = &gate{host: b.host, roster: b.roster}
	b.workers = &workers{host: b.host, roster: b.roster, gate: b.gate}
	b.tabs = &tabs{host: b.host, roster: b.roster, asks: b.asks, gate: b.gate, acting: acting, makeTab: b.makeTab}
	b.saves = &saves{host: b.host, roster: b.roster, gate: b.gate}
	b.windows = &windows{host: b.host, roster: b.roster, tabs: b.tabs, saves: b.saves}
	b.states = &states{host: b.host, roster: b.roster, tabs: b.tabs}
	return b
}

// Start starts a browser, or connects to the one at [startup.Options.CDP]. It returns when the
// browser answers. For each new tab, the function "acting" creates the page through which steps use
// the tab. If acting is nil, tabs have no such page. Errors have the code BROWSER_UNAVAILABLE. ctx
// bounds only the start. The caller must call [Browser.Close].
func Start(ctx context.Context, o startup.Options, acting func(*Tab) driver.Page) (*Browser, error) {
	if o.Refs == nil {
		o.Refs = new(snapshot.Book)
	}
	b := newBrowser(o, acting)
	if o.CDP != "" {
		if err := b.connect(ctx); err != nil {
			return nil, err
		}
		return b, nil
	}
	proc, guard, err := o.Run()
	if err != nil {
		return nil, err
	}
	b.host.process, b.host.egress = proc, guard
	b.host.conn = cdp.OverPipes(proc.In, proc.Out, b.dispatch, o.Trace)
	b.downloads = downloads.New(b.host.conn, proc.Folder(), "")
	if guard != nil {
		b.rules.Unknown() // the proxy has no rule yet
		go func() {       // however the connection ends
			<-b.host.conn.Ended()
			_ = guard.Close()
		}()
	}
	attach := b.host.conn.Start(ctx, "", b.attachPages())
	var v proto.BrowserGetVersionResult
	if err := cmp.Or(b.host.conn.Do(ctx, "", proto.BrowserGetVersion{}, &v), attach.Wait(nil)); err != nil {
		return nil, b.host.failedStart(ctx, err)
	}
	b.host.version, b.host.userAgent = v.Product, v.UserAgent
	return b, nil
}

// failedStart cleans up after a browser that did not answer, and returns the reason.
func (h *host) failedStart(ctx context.Context, err error) error {
	end := h.terminate()
	coded := diag.As(err)
	switch {
	case coded != nil:
		return coded
	case errors.Is(err, cdp.ErrClosed), errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		e := h.process.Failure().Because(errors.Join(err, end))
		e.Hint = cmp.Or(e.Hint, "run the step again; if it fails again, see details.stderr")
		return e
	case errors.Is(ctx.Err(), context.Canceled):
		return cdp.Cancelled(err)
	}
	return cdp.Unavailable("the browser did not answer: %v", err).Because(err).
		WithHint("run the step again with more time")
}

// Version returns the browser's product and version.
func (h *host) Version() string { return h.version }

// Done returns a channel that is closed when the browser has ended, by Close or by itself.
func (h *host) Done() <-chan struct{} { return h.conn.Ended() }

// Answers returns the number of replies that the browser has sent so far. If two calls return the
// same number, nothing was read from the browser between them.
func (h *host) Answers() int64 { return h.conn.Answers() }

// pingTime is how long Ping waits for an answer. After that time, the browser counts as running.
const pingTime = time.Second

// Ping returns an error if the browser has ended. It may find that out earlier than Done. A browser
// that answers slowly counts as running.
func (h *host) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	err := h.conn.Do(ctx, "", proto.BrowserGetVersion{}, nil)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return cdp.Unavailable("the browser has ended").Because(err).WithHint("open a page again: a new browser will start")
}

// Close ends the browser and returns when no process is left. It removes the profile folder unless
// the profile is persistent. It kills the processes when ctx ends or after a few seconds. If we did
// not start the browser, Close only disconnects from it. Further calls return the same result.
func (b *Browser) Close(ctx context.Context) error {
	b.closing.Do(func() {
		if b.host.opts.Profile != "" || b.host.endpoint != nil { // data that is kept must be written
			ctx = context.WithoutCancel(ctx)
		}
		ctx, cancel := context.WithTimeout(ctx, closeGrace)
		defer cancel()
		if b.host.endpoint != nil {
			b.closed = b.leave(ctx)
			return
		}
		b.roster.forgetWindows()
		b.host.conn.Start(ctx, "", proto.BrowserClose{}) // the end of the connection is the answer
		select {
		case <-b.host.conn.Ended():
		case <-ctx.Done():
		}
		b.closed = b.host.terminate()
	})
	return b.closed
}

// terminate kills the remaining processes and waits for every goroutine.
func (h *host) terminate() error {
	h.process.Kill()
	<-h.conn.Ended()
	h.conn.Close()
	if h.egress != nil {
		_ = h.egress.Close() // the process no longer uses the port
	}
	return h.process.End()
}

// dispatch handles one event. It runs in the goroutine that reads replies, so it must not wait
// for a reply.
func (b *Browser) dispatch(e *cdp.Event) {
	if e.Session == "" {
		b.dispatchBrowser(e)
		return
	}
	p := b.roster.pageOf(e.Session)
	w, isWorker := b.attachedTo.of(e.Session)
	switch {
	case p != nil:
		p.handle(e)
	case isWorker:
		b.handleWorker(w, e)
	default:
		b.downloads.Paused(e, b.host.netFailure)
	}
}

func (b *Browser) dispatchBrowser(e *cdp.Event) {
	switch e.Method {
	case "Target.attachedToTarget":
		var v proto.TargetAttachedToTarget
		switch {
		case !cdp.Decode(e, &v) || v.TargetInfo == nil:
		case isShared(v.TargetInfo):
			b.workerCame(worker{ruled: v.TargetInfo.Type == proto.TargetTargetInfoTypeServiceWorker}, string(v.SessionID))
		default:
			b.attached(&v)
		}
	case "Target.targetCreated":
		var v proto.TargetTargetCreated
		if cdp.Decode(e, &v) && v.TargetInfo != nil {
			b.popupTold(v.TargetInfo)
		}
	case "Target.detachedFromTarget":
		var v proto.TargetDetachedFromTarget
		if cdp.Decode(e, &v) {
			b.workerLeft(string(v.SessionID))
			b.detached(string(v.SessionID))
		}
	case "Browser.downloadWillBegin":
		var v proto.BrowserDownloadWillBegin
		if cdp.Decode(e, &v) {
			b.downloadBegan(&v)
		}
	case "Browser.downloadProgress":
		var v proto.BrowserDownloadProgress
		if cdp.Decode(e, &v) {
			b.downloads.Moved(&v)
		}
	}
}

// connect connects to the browser that runs at [startup.Options.CDP].
func (b *Browser) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	e, err := b.host.opts.FindRunning(ctx)
	if err != nil {
		return err
	}
	b.host.endpoint = e
	if b.host.conn, err = cdp.Dial(ctx, e.Socket, b.dispatch, b.host.opts.Trace); err != nil {
		return e.Refused(err)
	}
	b.downloads = downloads.New(b.host.conn, "", b.host.opts.TempDir)
	var v proto.BrowserGetVersionResult
	// Without this call, the browser does not report the pop-ups of our tabs.
	told := b.host.conn.Start(ctx, "", proto.TargetSetDiscoverTargets{Discover: true, Filter: onlyPages})
	if err := b.host.conn.Do(ctx, "", proto.BrowserGetVersion{}, &v); err != nil {
		b.host.conn.Close()
		return e.Silent(err)
	}
	if err := told.Wait(nil); err != nil {
		b.host.conn.Close()
		return e.Silent(err)
	}
	b.host.version, b.host.userAgent = v.Product, v.UserAgent
	return nil
}
