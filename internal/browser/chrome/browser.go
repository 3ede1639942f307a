// Package chrome drives one Chromium, which package startup has started or found: it connects to it,
// knows its windows and its tabs from their opening to their end, and passes its events to those who
// know the subject. What a tab has inside is known by package documents.
//
// Of rod it uses the protocol client and the protocol's types. Package browser, which finds elements
// and acts on them, is built on it. It knows nothing about actions, policy or sessions, downloads no
// browser, and never retries what has reached a page.
package chrome

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/egress"
	"github.com/actionregistry/action/internal/snapshot"
)

// closeGrace is how long a browser may take to end by itself, and a page to close, before it is
// killed.
const closeGrace = 3 * time.Second

// A Browser is one running Chromium. It is safe for concurrent use.
type Browser struct {
	opts     startup.Options
	acting   func(*Tab) driver.Page // what acts on a tab; nil if nothing does
	conn     *cdp.Conn
	process  *process.Process  // nil if we did not start it
	endpoint *startup.Endpoint // set if process is nil
	egress   *egress.Proxy     // nil without Options.Guard
	// version is the product string, such as "Chrome/156.0.8078.79".
	version   string
	userAgent string

	lastRequest atomic.Int64 // number of the latest request of the tabs
	timers      timers.Recorder

	closing sync.Once
	closed  error

	mu      sync.Mutex        // guards the following fields; never held while acquiring a page's lock
	pages   map[string]*Tab   // by session; includes the sessions of their frames
	windows []*window         // in the order in which they were opened
	workers map[string]worker // by session
	active  *Tab              // nil before the first tab
	recent  []*Tab            // open tabs, in the order in which they were last active
	news    []News            // since the last TakeNews

	dialogs   dialogs.Dialogs  // has a lock of its own
	rules     rules.Table      // has a lock of its own
	readings  eval.Cache       // has a lock of its own
	downloads *downloads.Store // has a lock of its own
}

// Start starts a browser, or connects to the one that [startup.Options.CDP] names, and returns once
// it answers. The function acting returns what acts on a tab that has come; nil if nothing does. The
// errors are BROWSER_UNAVAILABLE. The caller must call [Browser.Close]. ctx bounds only the start.
func Start(ctx context.Context, o startup.Options, acting func(*Tab) driver.Page) (*Browser, error) {
	if o.Refs == nil {
		o.Refs = new(snapshot.Book)
	}
	b := &Browser{opts: o, acting: acting, pages: make(map[string]*Tab), workers: make(map[string]worker)}
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
	b.process, b.egress = proc, guard
	b.conn = cdp.OverPipes(proc.In, proc.Out, b.dispatch, o.Trace)
	b.downloads = downloads.New(b.conn, proc.Folder(), "")
	if guard != nil {
		b.rules.Unknown() // the proxy has no rule yet
		go func() {       // however the connection ends
			<-b.conn.Ended()
			_ = guard.Close()
		}()
	}
	attach := b.conn.Start(ctx, "", b.attachPages())
	var v proto.BrowserGetVersionResult
	if err := cmp.Or(b.conn.Do(ctx, "", proto.BrowserGetVersion{}, &v), attach.Wait(nil)); err != nil {
		return nil, b.failedStart(ctx, err)
	}
	b.version, b.userAgent = v.Product, v.UserAgent
	return b, nil
}

// failedStart cleans up after a browser that did not answer, and returns the reason.
func (b *Browser) failedStart(ctx context.Context, err error) error {
	end := b.terminate()
	coded := diag.As(err)
	switch {
	case coded != nil:
		return coded
	case errors.Is(err, cdp.ErrClosed), errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		e := b.process.Failure().Because(errors.Join(err, end))
		e.Hint = cmp.Or(e.Hint, "run the step again; if it fails again, see details.stderr")
		return e
	case errors.Is(ctx.Err(), context.Canceled):
		return cdp.Cancelled(err)
	}
	return cdp.Unavailable("the browser did not answer: %v", err).Because(err).
		WithHint("run the step again with more time")
}

// Version returns the browser's product and version.
func (b *Browser) Version() string { return b.version }

// Done is closed when the browser has ended, by Close or by itself.
func (b *Browser) Done() <-chan struct{} { return b.conn.Ended() }

// Answers returns the number of the browser's answers so far. If it has not changed between two
// calls, nothing was read from the browser in between.
func (b *Browser) Answers() int64 { return b.conn.Answers() }

// pingTime is how long Ping waits for a browser that is running.
const pingTime = time.Second

// Ping checks that the browser is running. It may have ended already: Done is closed only once
// all its messages are read. A slow browser counts as running.
func (b *Browser) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	err := b.conn.Do(ctx, "", proto.BrowserGetVersion{}, nil)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return cdp.Unavailable("the browser has ended").Because(err).WithHint("open a page again; it will be in a new browser")
}

// Close ends the browser and everything in it, and removes its profile folder unless that is
// persistent. It returns when no process is left; it kills the processes when ctx ends or after a
// few seconds. It only disconnects from a browser that we did not start. Further calls return the
// same result.
func (b *Browser) Close(ctx context.Context) error {
	b.closing.Do(func() {
		if b.opts.Profile != "" || b.endpoint != nil { // data that is kept must be written
			ctx = context.WithoutCancel(ctx)
		}
		ctx, cancel := context.WithTimeout(ctx, closeGrace)
		defer cancel()
		if b.endpoint != nil {
			b.closed = b.leave(ctx)
			return
		}
		b.mu.Lock()
		b.windows = nil // from now on, closed tabs are not reported or replaced
		b.mu.Unlock()
		b.conn.Start(ctx, "", proto.BrowserClose{}) // the end of the connection is the answer
		select {
		case <-b.conn.Ended():
		case <-ctx.Done():
		}
		b.closed = b.terminate()
	})
	return b.closed
}

// terminate kills the remaining processes and waits for every goroutine.
func (b *Browser) terminate() error {
	b.process.Kill()
	<-b.conn.Ended()
	b.conn.Close()
	if b.egress != nil {
		_ = b.egress.Close() // the process no longer uses the port
	}
	return b.process.End()
}

// dispatch handles one event. It runs in the goroutine that reads replies, so it must not wait
// for a reply.
func (b *Browser) dispatch(e *cdp.Event) {
	if e.Session == "" {
		b.dispatchBrowser(e)
		return
	}
	b.mu.Lock()
	p := b.pages[e.Session]
	w, isWorker := b.workers[e.Session]
	b.mu.Unlock()
	switch {
	case p != nil:
		p.handle(e)
	case isWorker:
		b.handleWorker(w, e)
	default:
		b.downloads.Paused(e, b.netFailure)
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

// do calls a method of the browser itself, not of a page.
func (b *Browser) do(ctx context.Context, req proto.Request, out any) error {
	if err := b.conn.Do(ctx, "", req, out); err != nil {
		return b.explain(ctx, err)
	}
	return nil
}

// addSession routes the events of a session to p. It reports whether p is open; a closed tab gets
// none.
func (b *Browser) addSession(session string, p *Tab) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	open := b.pages[p.Link.Session] == p
	if open {
		b.pages[session] = p
	}
	return open
}

func (b *Browser) dropSession(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.pages, session)
}
