package chrome

// Downloads: the steps that start them, and the browser's events about them. Package downloads does
// the rest. In a browser that is not ours, downloads of its own context are redirected to us only
// during a step. At all other times, they go to the folder that its user has chosen.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// downloadBegan handles the start of a download. It runs in the goroutine that reads replies.
func (s *saves) downloadBegan(v *proto.BrowserDownloadWillBegin) {
	from, in := s.sourceOf(v.FrameID)
	var traffic *network.Traffic
	if from != nil {
		traffic = from.Net
		if !s.host.isPrivate() {
			if !strings.HasPrefix(v.URL, "http") { // nothing was fetched
				traffic.NoteMade(s.host.numberRequest(), v.URL)
			}
			from.NoteDownload(downloads.FileName(v.SuggestedFilename))
		}
	}
	if s.gate.consents.Download(downloads.FileName(v.SuggestedFilename)) != nil {
		s.downloads.Refuse(v, in)
		return
	}
	s.downloads.Began(v, traffic, in)
}

// sourceOf returns the tab of a frame and the tab's context. If the frame is in none of our tabs,
// it returns nil and the context of the active tab. If no tab is active, that context is "".
func (s *saves) sourceOf(frame proto.PageFrameID) (*Tab, proto.BrowserBrowserContextID) {
	s.roster.mu.Lock()
	pages := make(map[*Tab]bool)
	for _, p := range s.roster.pages {
		pages[p] = true
	}
	var active *window
	if s.roster.active != nil {
		active = s.roster.active.window
	}
	s.roster.mu.Unlock()
	for p := range pages {
		if p.Frames.Has(frame) {
			return p, p.window.contextToAsk()
		}
	}
	if active == nil {
		return nil, ""
	}
	return nil, active.contextToAsk() // the tab was opened only for the download
}

// Download implements [driver.Downloader].
func (s *saves) Download(ctx context.Context, o driver.DownloadOptions) (driver.Downloaded, error) {
	s.roster.mu.Lock()
	p := s.roster.active
	s.roster.mu.Unlock()
	return p.Download(ctx, o)
}

// Download is [Browser.Download] in this tab.
func (p *Tab) Download(ctx context.Context, o driver.DownloadOptions) (driver.Downloaded, error) {
	b := p.saves
	b.roster.mu.Lock()
	accepted := p.window.downloads
	b.roster.mu.Unlock()
	if accepted == nil { // in a browser that is not ours: only for this step
		in := p.window.contextToAsk()
		accepted = b.downloads.Accept(in)
		defer b.downloads.Release(in)
	}
	if err := b.host.explain(ctx, accepted.Wait(nil)); err != nil {
		return driver.Downloaded{}, err
	}
	c := b.downloads.Claim(o.Target == nil)
	defer b.takeSaved() // the step has accounted for the file
	defer c.Drop()
	did := ""
	var err error
	if o.Target != nil {
		did, err = pressToDownload(ctx, p, *o.Target)
	} else {
		err = p.Navigation.Fetch(ctx, b.downloads, o.URL)
	}
	if err != nil {
		return driver.Downloaded{}, err
	}
	return b.finishDownload(ctx, o, c, did)
}

// pressToDownload presses an element and describes the outcome.
func pressToDownload(ctx context.Context, p *Tab, t driver.Target) (did string, err error) {
	press, err := p.page.Press(ctx, t, driver.PressOptions{})
	if err != nil {
		return "", err
	}
	label := press.Element.Label(t.Source)
	switch {
	case press.Navigated != nil:
		return fmt.Sprintf("the press of %s led to %s", label, press.Navigated.URL), nil
	case press.Tab != "":
		return fmt.Sprintf("the press of %s opened the tab %s", label, press.Tab), nil
	}
	return fmt.Sprintf("the press of %s led to no other page", label), p.unblocked(ctx)
}

// finishDownload waits until the download that c has claimed is complete.
func (s *saves) finishDownload(ctx context.Context, o driver.DownloadOptions, c *downloads.Claim, did string) (driver.Downloaded, error) {
	name, err := c.Begun(ctx)
	if err != nil {
		e := s.downloadFailed(err, "no download began: "+did)
		if e.Code == diag.Timeout {
			e.Hint = "check that the element starts a download, or give the step more time"
		}
		return driver.Downloaded{}, e
	}
	if o.Accept != nil {
		if err := o.Accept(name); err != nil {
			return driver.Downloaded{}, err
		}
	}
	got, err := c.Complete(ctx, o.Keep)
	if err != nil {
		return driver.Downloaded{}, s.downloadFailed(err, "the download of "+name+" is not complete: "+c.Progress())
	}
	return got, nil
}

// downloadFailed returns the error of a failed wait for a download. After a deadline, its message
// is the argument "late".
func (s *saves) downloadFailed(err error, late string) *diag.Error {
	if errors.Is(err, cdp.ErrClosed) {
		return s.host.ended(err)
	}
	if coded := diag.As(err); coded != nil {
		return coded
	}
	return cdp.Overdue(err, late)
}

// TakeDownloads returns the downloads that pages have begun since the last call, except those that
// a step has requested. It waits briefly for downloads that have not ended.
func (s *saves) TakeDownloads() []downloads.Kept { return s.downloads.Take(s.takeSaved()) }

// SavedFolder returns the folder of the downloads that are kept until the browser ends, or "" if
// there is none yet.
func (s *saves) SavedFolder() string { return s.downloads.Folder() }

// takeSaved reports whether a navigation in any tab has ended with a file to save since the last
// call.
func (s *saves) takeSaved() bool {
	s.roster.mu.Lock()
	pages := slices.Collect(maps.Values(s.roster.pages))
	s.roster.mu.Unlock()
	saved := false
	for _, p := range pages {
		saved = p.Moves.TakeSaved() || saved
	}
	return saved
}
