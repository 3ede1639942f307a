package downloads

// Which download belongs to the step that is waiting for one. The file of an earlier press may
// arrive while a later one is expected.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// A Claim takes the download that a step starts. Of one store, only one is in force. Its methods
// may be called by one goroutine: Begun, then Complete and Progress, and Drop at the end.
type Claim struct {
	store  *Store
	loads  bool // an address, instead of a press
	got    *download
	unsure *download // it, or one of an earlier press
	// pressed is the tab in which the step has pressed, and mark what that was waiting for when
	// it did; nil before it.
	pressed *network.Traffic
	mark    *network.Mark
}

// Claim begins a claim, in place of any other. loads says that the step loads an address, instead
// of pressing something ([Store.NotePress]). The caller must call [Claim.Drop].
func (s *Store) Claim(loads bool) *Claim {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claim = &Claim{store: s, loads: loads}
	return s.claim
}

// NotePress records what a tab is waiting for, before a press there that may start the claimed
// download.
func (s *Store) NotePress(tab *network.Traffic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.claim; c != nil && !c.loads {
		c.pressed, c.mark = tab, tab.Mark()
	}
}

// takeLocked takes a download that has begun if it belongs to the step.
func (c *Claim) takeLocked(one *download, from *network.Traffic) {
	if c.got != nil {
		return
	}
	switch c.fit(from, one.url) {
	case network.Fits:
		c.got = one
	case network.FitsMaybe:
		c.unsure = one
	}
}

// fit reports whether a download of a tab, from an address, belongs to the step.
func (c *Claim) fit(from *network.Traffic, address string) network.Fit {
	switch {
	case c.loads:
		if !strings.HasPrefix(address, "http") {
			return network.FitsNot
		}
		return network.Fits
	case c.mark == nil:
		return network.FitsNot
	case from != nil && from != c.pressed:
		return network.Fits
	}
	return c.mark.Fit(address)
}

// Begun waits until the download has begun and returns its file name. If there is only one that
// may belong to an earlier press, that is STEP_FAILED; any other error is ctx's or
// [cdp.ErrClosed].
func (c *Claim) Begun(ctx context.Context) (name string, err error) {
	s := c.store
	if err := s.until(ctx, func() bool { return c.got != nil || c.unsure != nil }); err != nil {
		return "", err
	}
	// The download of the step may follow one that may belong to an earlier press.
	short, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	err = s.until(short, func() bool { return c.got != nil })
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		return c.got.name, nil
	case errors.Is(err, cdp.ErrClosed), ctx.Err() != nil:
		return "", err
	}
	return "", diag.New(diag.StepFailed, "the file %s came, and an earlier press may have caused it: it is kept, and told as a download that no step has asked for", c.unsure.name).
		WithHint("wait for the file of a press before the next one, as download does")
}

// Complete waits until the download is complete and returns its file: under its own name if keep
// is set, as for those of [Store.Take]. One that has failed is STEP_FAILED; any other error is
// ctx's or [cdp.ErrClosed].
func (c *Claim) Complete(ctx context.Context, keep bool) (driver.Downloaded, error) {
	s, one := c.store, c.got
	if err := s.until(ctx, one.over); err != nil {
		return driver.Downloaded{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.state != proto.BrowserDownloadProgressStateCompleted {
		return driver.Downloaded{}, diag.New(diag.StepFailed, "the download of %s was broken off: %s", one.name, one.progress()).
			WithDetail("url", one.url).WithHint("run the step again; check the connection and the space of the temporary folder")
	}
	path := filepath.Join(s.folder, one.id)
	info, err := os.Stat(path)
	if err != nil {
		return driver.Downloaded{}, diag.New(diag.StepFailed, "the browser says that %s is complete, and it is not there: %v", one.name, err).
			WithHint("a browser that runs on another machine keeps its downloads there").Because(err)
	}
	if keep {
		path = s.nameLocked(one)
	}
	return driver.Downloaded{Path: path, Name: one.name, URL: one.url, Size: info.Size()}, nil
}

// Progress says how much of the download has come, for people.
func (c *Claim) Progress() string {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	return c.got.progress()
}

func (d *download) progress() string {
	if d.total > 0 {
		return fmt.Sprintf("%.0f of %.0f bytes came", d.received, d.total)
	}
	return fmt.Sprintf("%.0f bytes came", d.received)
}

// Drop ends the claim. What it has taken is cancelled if it is not complete, and never reported
// by [Store.Take].
func (c *Claim) Drop() {
	s := c.store
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claim, s.near = nil, false
	if c.got == nil {
		return
	}
	if !c.got.over() {
		s.cancel(c.got)
	}
	s.list = slices.DeleteFunc(s.list, func(one *download) bool { return one == c.got })
}
