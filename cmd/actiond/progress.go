package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// progressAfter is how long a run may take before progress is shown.
const progressAfter = time.Second

// progress shows on a terminal what a long run is doing. It writes nothing for runs shorter than
// [progressAfter]. At the end it removes its line.
type progress struct {
	f    *factory
	stop chan struct{}
	once sync.Once // closes stop
	done sync.WaitGroup

	mu   sync.Mutex // guards last and n
	last string
	n    int
}

// startProgress starts to show the progress of the run with the given name. It returns nil if no
// user is watching; the methods of progress accept nil.
func (f *factory) startProgress(name string) *progress {
	if !f.watched {
		return nil
	}
	p := &progress{f: f, stop: make(chan struct{}), last: name}
	p.done.Go(p.loop)
	return p
}

func (p *progress) step(e executor.StepEvent) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Status == executor.Waiting {
		p.last = strings.TrimSuffix("waiting for a person: "+diag.Clean(e.Message), ": ")
		return
	}
	p.n++
	p.last = fmt.Sprintf("%s: %s %s", e.In, e.StepResult.Action, e.Status)
}

func (p *progress) loop() {
	begin := time.NewTimer(progressAfter)
	defer begin.Stop()
	select {
	case <-p.stop:
		return
	case <-begin.C:
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	start := time.Now().Add(-progressAfter)
	for {
		p.mu.Lock()
		line := fmt.Sprintf("%3.0fs  %d steps  %.60s", time.Since(start).Seconds(), p.n, p.last)
		p.mu.Unlock()
		fmt.Fprintf(p.f.stderr, "\r\x1b[K%s", line)
		select {
		case <-p.stop:
			fmt.Fprint(p.f.stderr, "\r\x1b[K")
			return
		case <-tick.C:
		}
	}
}

func (p *progress) end() {
	if p == nil {
		return
	}
	p.once.Do(func() { close(p.stop) })
	p.done.Wait()
}
