package browser

// Which download belongs to the step that is waiting for one. The file of an earlier press
// may arrive while a later one is expected.

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
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
	page *Tab
	mark *network.Mark
}

// notePress records what p is waiting for, before a press there that may start a download.
func (b *Browser) notePress(p *Tab) {
	b.downloads.mu.Lock()
	c := b.downloads.claim
	b.downloads.mu.Unlock()
	if c == nil || c.loads {
		return
	}
	press := &pressMark{page: p, mark: p.net.Mark()}
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	c.press = press
}

// takes reports whether a download belongs to the step that is waiting for one. It runs in
// the goroutine that reads replies.
func (b *Browser) takes(from *Tab, address string) network.Fit {
	b.downloads.mu.Lock()
	c := b.downloads.claim
	var press *pressMark
	if c != nil {
		press = c.press
	}
	b.downloads.mu.Unlock()
	switch {
	case c == nil:
		return network.FitsNot
	case c.loads:
		if !strings.HasPrefix(address, "http") {
			return network.FitsNot
		}
		return network.Fits
	case press == nil:
		return network.FitsNot
	case from != nil && from != press.page:
		return network.Fits
	}
	return press.mark.Fit(address)
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
