package session

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

// A Pool keeps the browsers of ended sessions for later sessions, because starting a browser costs
// more than a second of CPU time. A reused browser has a single new window; cookies, storage and
// tabs ended with the old windows. The zero value is an empty pool.
type Pool struct {
	mu   sync.Mutex
	idle []pooled
}

type pooled struct {
	b *chrome.Browser
	o startup.Options
}

// maxIdle bounds the browsers in a pool. They are enough for the tests that run in parallel, and for
// the few sets of options that many tests share.
const maxIdle = 3

// freshTime bounds the time for opening a new window and closing the others. A browser that takes
// longer is closed.
const freshTime = 10 * time.Second

// NewPooled is like [New], but uses the browsers of a pool.
func NewPooled(o Options, p *Pool) *Session {
	return &Session{o: o, from: &lease{pool: p}}
}

// A lease is the browser of one session.
type lease struct {
	pool *Pool
	o    startup.Options
}

func (l *lease) launch(ctx context.Context, o startup.Options) (*chrome.Browser, error) {
	l.o = o
	if b := l.pool.take(o); b != nil {
		return b, nil
	}
	return launch(ctx, o, nil)
}

// giveBack returns a browser to the pool if it can be used again, or closes it.
func (l *lease) giveBack(ctx context.Context, b *chrome.Browser) error {
	if l.o.CDP != "" || l.o.Profile != "" || freshen(b) != nil {
		return b.Close(ctx)
	}
	return l.pool.keep(ctx, pooled{b, l.o})
}

func freshen(b *chrome.Browser) error {
	ctx, cancel := context.WithTimeout(context.Background(), freshTime)
	defer cancel()
	old := b.Windows()
	if err := b.Restrict(ctx, nil); err != nil {
		return err
	}
	if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
		return err
	}
	for _, w := range old {
		if err := b.CloseWindow(ctx, w.ID); err != nil {
			return err
		}
	}
	b.TakeNews()
	b.TakeDialogs()
	b.TakeDownloads()
	b.TakeRefused()
	return nil
}

// take returns a running browser with these options from the pool, or nil.
func (p *Pool) take(o startup.Options) *chrome.Browser {
	o.Warn = nil
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, one := range p.idle {
		one.o.Warn = nil
		if reflect.DeepEqual(one.o, o) && !hasEnded(one.b) {
			p.idle = append(p.idle[:i:i], p.idle[i+1:]...)
			return one.b
		}
	}
	return nil
}

func hasEnded(b *chrome.Browser) bool {
	select {
	case <-b.Done():
		return true
	default:
		return false
	}
}

// keep adds a browser to the pool. If the pool is full, it closes the browser that was added first.
func (p *Pool) keep(ctx context.Context, one pooled) error {
	p.mu.Lock()
	p.idle = append(p.idle, one)
	var oldest *chrome.Browser
	if len(p.idle) > maxIdle {
		oldest = p.idle[0].b
		p.idle = p.idle[1:]
	}
	p.mu.Unlock()
	if oldest == nil {
		return nil
	}
	return oldest.Close(ctx)
}

// Close ends the browsers in the pool.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, one := range p.idle {
		errs = append(errs, one.b.Close(context.Background()))
	}
	p.idle = nil
	return errors.Join(errs...)
}
