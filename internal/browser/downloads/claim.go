package downloads

// Decides which download belongs to the step that is waiting for one. A file may also come from an
// earlier press.

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

// A Claim reserves the download that a step starts. A store has at most one claim. Only one
// goroutine may call its methods, in this order: Begun, then Complete and Progress, and finally
// Drop.
type Claim struct {
	store  *Store
	loads  bool // the step loads an address instead of pressing something
	got    *download
	unsure *download // a download of this step or of an earlier press
	// pressed is the traffic of the tab in which the step has pressed something. mark holds the
	// open requests of that tab before the press. Both are nil before the press.
	pressed *network.Traffic
	mark    *network.Mark
}

// Claim starts a claim, which replaces any other. The argument loads is set if the step loads an
// address instead of pressing something. The caller must call [Claim.Drop].
func (s *Store) Claim(loads bool) *Claim {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claim = &Claim{store: s, loads: loads}
	return s.claim
}

// NotePress records the open requests of a tab. It is called before the press that starts the
// claimed download.
func (s *Store) NotePress(tab *network.Traffic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.claim; c != nil && !c.loads {
		c.pressed, c.mark = tab, tab.Mark()
	}
}

// takeLocked claims a new download if it belongs to the step. The caller holds the store's mu.
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

// fit decides whether the download of address belongs to the step. The other argument is the
// traffic of the tab that began the download.
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

// Begun waits until the download has begun, and returns its file name. The error is STEP_FAILED if
// a download has begun that may belong to an earlier press. Otherwise the error is that of ctx, or
// [cdp.ErrClosed].
func (c *Claim) Begun(ctx context.Context) (name string, err error) {
	s := c.store
	if err := s.until(ctx, func() bool { return c.got != nil || c.unsure != nil }); err != nil {
		return "", err
	}
	// The step's download may follow one of an earlier press.
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
	return "", diag.New(diag.StepFailed, "the file %s arrived, but perhaps because of an earlier press: the file is kept as a download that no step requested",
		c.unsure.name).
		WithHint("before you press again, wait for the file of the previous press, as the step `download` does")
}

// Complete waits until the download is complete, and returns its file. If keep is set, the file is
// renamed to its own name. The error is STEP_FAILED if the download failed. Otherwise the error is
// that of ctx, or [cdp.ErrClosed].
func (c *Claim) Complete(ctx context.Context, keep bool) (driver.Downloaded, error) {
	s, one := c.store, c.got
	if err := s.until(ctx, one.over); err != nil {
		return driver.Downloaded{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.state != proto.BrowserDownloadProgressStateCompleted {
		return driver.Downloaded{}, diag.New(diag.StepFailed, "the download of %s failed: %s", one.name, one.progress()).
			WithDetail("url", one.url).WithHint("run the step again; check the connection and the free space of the temporary folder")
	}
	path := filepath.Join(s.folder, one.id)
	info, err := os.Stat(path)
	if err != nil {
		return driver.Downloaded{}, diag.New(diag.StepFailed, "the browser reports that %s is complete, but the file is missing: %v", one.name, err).
			WithHint("if the browser runs on another machine, look for the file there").Because(err)
	}
	if keep {
		path = s.nameLocked(one)
	}
	return driver.Downloaded{Path: path, Name: one.name, URL: one.url, Size: info.Size()}, nil
}

// Progress describes how much of the download has been received.
func (c *Claim) Progress() string {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	return c.got.progress()
}

func (d *download) progress() string {
	if d.total > 0 {
		return fmt.Sprintf("%.0f of %.0f bytes received", d.received, d.total)
	}
	return fmt.Sprintf("%.0f bytes received", d.received)
}

// Drop ends the claim. It cancels a download that is not complete. [Store.Take] never reports the
// claimed download.
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
