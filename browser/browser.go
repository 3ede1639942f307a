// Package browser drives Chromium: it starts one, opens pages in it and meets
// [actionregistry/steps.Page] for them.
//
// Of rod it uses the protocol client and the protocol's types; finding, waiting,
// input and reading are its own. What looks at a page runs in an isolated world
// (package engine), in one evaluation for each step.
//
// It knows nothing of actions, policy or sessions, downloads no browser, opens
// no port, and never retries what reached the page.
package browser

import (
	"context"
	"errors"
	"io"
	"maps"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/diag"
	"actionregistry/snapshot"
	"actionregistry/steps"
)

// closeGrace is how long a browser may take to end by itself, and a page to
// close, before it is killed.
const closeGrace = 3 * time.Second

// A Browser is one running Chromium. It is safe for concurrent use.
type Browser struct {
	opts    Options
	conn    *conn
	process *process
	// version is the product string, such as "Chrome/156.0.8078.79".
	version string

	closing sync.Once
	closed  error

	mu     sync.Mutex       // guards what follows; never held while a page's is taken
	pages  map[string]*Page // by session, those of their frames included
	active *Page
}

// Launch starts a browser and returns when it answers. Failures are
// BROWSER_UNAVAILABLE. The caller must call [Browser.Close]. ctx bounds the
// start only.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	path, err := o.executable()
	if err != nil {
		return nil, err
	}
	sweep(o.TempDir)
	prof, err := newProfile(o.TempDir)
	if err != nil {
		return nil, unavailable("cannot make the browser's profile folder: %v", err).
			WithHint("check that the temporary folder can be written (TMPDIR)")
	}
	proc, err := startProcess(path, o.flags(path, prof.data()), prof)
	if err != nil {
		return nil, unavailable("cannot start %s: %v", path, errors.Join(err, prof.remove())).
			WithHint("check browser.path")
	}
	if o.Refs == nil {
		o.Refs = new(snapshot.Book)
	}
	b := &Browser{opts: o, process: proc, pages: make(map[string]*Page)}
	b.conn = newConn(newPipe(proc.in, proc.out, b.dispatch), o.Trace)
	var v proto.BrowserGetVersionResult
	if err := b.conn.do(ctx, "", proto.BrowserGetVersion{}, &v); err != nil {
		return nil, b.failedStart(ctx, err)
	}
	b.version = v.Product
	return b, nil
}

func (o *Options) executable() (string, error) {
	if o.Path == "" {
		return Find(o.Headed)
	}
	path, err := exec.LookPath(o.Path)
	if err != nil {
		return "", unavailable("the browser cannot be started: %v", err).
			WithHint("set browser.path to the executable of a Chromium")
	}
	return path, nil
}

// failedStart cleans up after a browser that did not answer and says why.
func (b *Browser) failedStart(ctx context.Context, err error) error {
	end := b.terminate()
	coded := diag.As(err)
	switch {
	case coded != nil:
		return coded
	case errors.Is(err, errConnClosed), errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		return b.process.failure().Because(errors.Join(err, end))
	case errors.Is(ctx.Err(), context.Canceled):
		return cancelled(err)
	}
	return unavailable("the browser did not answer: %v", err).Because(err).
		WithHint("run the step again with more time")
}

// Active returns the page that steps act on: the one that was opened last.
func (b *Browser) Active() steps.Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.active
}

// Version returns the browser's product and version.
func (b *Browser) Version() string { return b.version }

// Done is closed when the browser has ended, by Close or by itself.
func (b *Browser) Done() <-chan struct{} { return b.conn.ended }

// Close ends the browser and everything in it and removes its profile folder. It
// returns when no process is left: when ctx ends, or after a few seconds, the
// processes are killed. Further calls return the same result.
func (b *Browser) Close(ctx context.Context) error {
	b.closing.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, closeGrace)
		defer cancel()
		b.conn.start(ctx, "", proto.BrowserClose{}) // the answer is that it ends
		select {
		case <-b.conn.ended:
		case <-ctx.Done():
		}
		b.closed = b.terminate()
	})
	return b.closed
}

// terminate kills what is left and waits for every goroutine.
func (b *Browser) terminate() error {
	b.process.kill()
	<-b.conn.ended
	b.conn.close()
	return b.process.end()
}

// dispatch handles one event. It runs on the goroutine that reads replies, so it
// must not wait for one.
func (b *Browser) dispatch(e *event) {
	if e.Session == "" {
		b.dispatchBrowser(e)
		return
	}
	b.mu.Lock()
	p := b.pages[e.Session]
	b.mu.Unlock()
	if p != nil {
		p.handle(e)
	}
}

func (b *Browser) dispatchBrowser(e *event) {
	var session string
	var cause *diag.Error
	switch e.Method {
	case "Target.detachedFromTarget":
		var d proto.TargetDetachedFromTarget
		if !decode(e, &d) {
			return
		}
		session, cause = string(d.SessionID), unavailable("the page was closed").
			WithHint("open a page first")
	default:
		return
	}
	b.mu.Lock()
	p := b.pages[session]
	b.mu.Unlock()
	if p != nil {
		p.lose(cause)
	}
}

// do calls the browser itself.
func (b *Browser) do(ctx context.Context, req proto.Request, out any) error {
	if err := b.conn.do(ctx, "", req, out); err != nil {
		return b.explain(ctx, err)
	}
	return nil
}

func (b *Browser) addPage(p *Page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages[p.session] = p
}

func (b *Browser) dropPage(p *Page) {
	b.mu.Lock()
	maps.DeleteFunc(b.pages, func(_ string, of *Page) bool { return of == p })
	b.mu.Unlock()
	b.conn.forget(p.session)
}

// addSession gives the events of a session to p, unless p is closed.
func (b *Browser) addSession(session string, p *Page) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	open := b.pages[p.session] == p
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
