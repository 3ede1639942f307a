package browser

// Which download belongs to the step that is waiting for one. The file of an earlier press
// may arrive while a later one is expected.

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// A claim takes the download that a step starts. downloads.mu guards its fields.
type claim struct {
	got    *download
	unsure *download  // it, or one of an earlier press
	loads  bool       // an address, instead of a press
	press  *pressMark // nil before it
}

// A pressMark is what a page was waiting for when a step pressed for a download. The file
// of an earlier press may arrive as late.
type pressMark struct {
	page  *Page
	open  map[proto.NetworkRequestID]bool // pending then: whether the answer had begun
	known map[*logged]bool
}

// A fit says whether a download belongs to a step.
type fit int

const (
	fits fit = iota
	fitsMaybe
	fitsNot
)

// notePress records what p is waiting for, before a press there that may start a download.
func (b *Browser) notePress(p *Page) {
	b.downloads.mu.Lock()
	c := b.downloads.claim
	b.downloads.mu.Unlock()
	if c == nil || c.loads {
		return
	}
	press := &pressMark{page: p, open: make(map[proto.NetworkRequestID]bool), known: make(map[*logged]bool)}
	p.mu.Lock()
	for _, r := range p.log.list {
		press.known[r] = true
		if r.done == 0 {
			press.open[r.hop.id] = r.status != 0
		}
	}
	p.mu.Unlock()
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	c.press = press
}

// fit reports whether a download from address belongs to the press or to an earlier one. A
// page creates a file from the answer that ended last.
func (x *pressMark) fit(address string) fit {
	p := x.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.HasPrefix(address, "http") {
		for _, r := range slices.Backward(p.log.list) {
			if r.url == address {
				if _, earlier := x.open[r.hop.id]; earlier {
					return fitsNot
				}
				break
			}
		}
		return fits
	}
	ended := func(r *logged) float64 { // 0: not yet
		answered, earlier := x.open[r.hop.id]
		if r.done == 0 && r.status != 0 && (!earlier || !answered) {
			return math.Inf(1) // as good as
		}
		return r.done
	}
	var before, since float64
	waits := false // for what was asked since
	for _, r := range p.log.list {
		if r.kind != "fetch" && r.kind != "xhr" {
			continue
		}
		_, earlier := x.open[r.hop.id]
		switch at := ended(r); {
		case earlier:
			before = max(before, at)
		case x.known[r]:
		case at == 0:
			waits = true
		default:
			since = max(since, at)
		}
	}
	switch {
	case before == 0, since > before:
		return fits
	case waits:
		return fitsNot
	}
	return fitsMaybe
}

// takes reports whether a download belongs to the step that is waiting for one. It runs in
// the goroutine that reads replies.
func (b *Browser) takes(from *Page, address string) fit {
	b.downloads.mu.Lock()
	c := b.downloads.claim
	var press *pressMark
	if c != nil {
		press = c.press
	}
	b.downloads.mu.Unlock()
	switch {
	case c == nil:
		return fitsNot
	case c.loads:
		if !strings.HasPrefix(address, "http") {
			return fitsNot
		}
		return fits
	case press == nil:
		return fitsNot
	case from != nil && from != press.page:
		return fits
	}
	return press.fit(address)
}

func (b *Browser) setClaim(c *claim) {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	b.downloads.claim = c
}

// dropClaim ends a claim. What it has taken is not reported elsewhere.
func (b *Browser) dropClaim(c *claim) {
	d := &b.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	d.claim, d.near = nil, false
	if c.got == nil {
		return
	}
	if !c.got.over() {
		b.cancelDownload(c.got)
	}
	d.list = slices.DeleteFunc(d.list, func(one *download) bool { return one == c.got })
}

// sure waits a moment for the download of a step after one that may belong to an earlier
// press.
func (d *downloads) sure(ctx context.Context, ended <-chan struct{}, mine *claim) error {
	short, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	err := d.until(short, ended, func() bool { return mine.got != nil })
	if err == nil || errors.Is(err, cdp.ErrClosed) || ctx.Err() != nil {
		return err
	}
	return diag.New(diag.StepFailed, "the file %s came, and an earlier press may have caused it: it is kept, and told as a download that no step has asked for", mine.unsure.name).
		WithHint("wait for the file of a press before the next one, as download does")
}
