package browser

// Downloads. Chromium writes each into a private folder, under a temporary name, and
// reports it on the browser's session. In a browser that is not ours, downloads of its own
// context are redirected only for the time of a step: its user's downloads go where they
// went before.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/driver"
)

// Bounds of the downloads that no step has requested, which stay until the browser ends.
const (
	maxKept      = 20
	maxKeptBytes = 1 << 30
)

// keptTime is how long the end of a call waits for a download that has begun during it.
const keptTime = 2 * time.Second

// downloads are those of one browser.
type downloads struct {
	mu      sync.Mutex
	changed chan struct{}    // closed at the next change; nil when nobody waits
	folder  string           // "" before the first window
	private *process.Profile // of the folder, if that is not the browser's
	list    []*download      // downloads not yet fully reported
	claim   *claim           // of the step that waits for one
	load    *load            // of an address that is to be downloaded
	near    bool             // one is to begin in a moment
	kept    int              // given out by TakeDownloads
	bytes   float64          // that those have
	named   int              // files with a folder of their own
}

// A download is one that has begun. Its fields are guarded by downloads.mu.
type download struct {
	id, name, url   string
	context         proto.BrowserBrowserContextID
	received, total float64
	state           proto.BrowserDownloadProgressState
	refused         bool // beyond the bounds: it was cancelled
	told            bool // that it is under way
}

func (d *download) over() bool { return d.state != proto.BrowserDownloadProgressStateInProgress }

// acceptDownloads redirects the downloads of a window to us. Nobody waits for it: later
// calls find it done.
func (b *Browser) acceptDownloads(w *window) *cdp.Call {
	dir, err := b.downloadFolder()
	if err != nil {
		return cdp.Failed(err)
	}
	return b.conn.Start(context.Background(), "", proto.BrowserSetDownloadBehavior{
		Behavior: proto.BrowserSetDownloadBehaviorBehaviorAllowAndName, DownloadPath: dir, EventsEnabled: true, BrowserContextID: w.contextToAsk(),
	})
}

// downloadFolder makes the private folder.
func (b *Browser) downloadFolder() (string, error) {
	d := &b.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folder != "" {
		return d.folder, nil
	}
	in := ""
	var err error
	if b.process != nil {
		in = b.process.Folder()
	} else if d.private, err = process.NewProfile(b.opts.TempDir); err == nil {
		in = d.private.Folder()
	}
	dir := filepath.Join(in, "downloads")
	if err = cmp.Or(err, os.Mkdir(dir, 0o700)); err != nil {
		return "", diag.New(diag.StepFailed, "cannot make the folder for downloads: %v", err).
			WithHint("check that the temporary folder can be written (TMPDIR)").Because(err)
	}
	d.folder = dir
	return dir, nil
}

// remove removes the folder if it is not inside the browser's profile.
func (d *downloads) remove() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.private == nil {
		return nil
	}
	return d.private.Remove()
}

// downloadBegan handles the beginning of a download, in the goroutine that reads replies.
func (b *Browser) downloadBegan(v *proto.BrowserDownloadWillBegin) {
	from, in := b.sourceOf(v.FrameID)
	if from != nil && !strings.HasPrefix(v.URL, "http") { // nothing was fetched
		from.net.NoteMade(b.numberRequest(), v.URL)
	}
	mine := b.takes(from, v.URL)
	if from != nil {
		from.noteDownload(cleanFileName(v.SuggestedFilename))
	}
	d := &b.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	one := &download{id: v.GUID, name: cleanFileName(v.SuggestedFilename), url: v.URL, context: in, state: proto.BrowserDownloadProgressStateInProgress}
	d.list, d.near = append(d.list, one), false
	if d.claim != nil && d.claim.got == nil && mine == network.FitsMaybe {
		d.claim.unsure = one
	}
	if d.claim != nil && d.claim.got == nil && mine == network.Fits {
		d.claim.got = one
	} else if d.kept+len(d.list) > maxKept {
		b.refuseLocked(one)
	}
	d.notifyLocked()
}

// sourceOf returns the tab of a frame, nil if it is not ours, and its context.
func (b *Browser) sourceOf(frame proto.PageFrameID) (*Tab, proto.BrowserBrowserContextID) {
	b.mu.Lock()
	pages := make(map[*Tab]bool)
	for _, p := range b.pages {
		pages[p] = true
	}
	var active *window
	if b.active != nil {
		active = b.active.window
	}
	b.mu.Unlock()
	for p := range pages {
		p.mu.Lock()
		has := p.frame == frame || p.frames[frame] != nil
		p.mu.Unlock()
		if has {
			return p, p.window.contextToAsk()
		}
	}
	if active == nil {
		return nil, ""
	}
	return nil, active.contextToAsk() // a tab that is none but for the download
}

// refuseLocked cancels a download that is beyond the bounds.
func (b *Browser) refuseLocked(one *download) {
	one.refused = true
	b.cancelDownload(one)
}

func (b *Browser) cancelDownload(one *download) {
	b.conn.Start(context.Background(), "", proto.BrowserCancelDownload{GUID: one.id, BrowserContextID: one.context})
}

// downloadMoved handles the progress of a download, in the goroutine that reads replies.
func (b *Browser) downloadMoved(v *proto.BrowserDownloadProgress) {
	d := &b.downloads
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.list, func(one *download) bool { return one.id == v.GUID })
	if i < 0 {
		return
	}
	one := d.list[i]
	if one.over() { // a cancelled one tells more than once
		return
	}
	one.received, one.total, one.state = max(one.received, v.ReceivedBytes), max(one.total, v.TotalBytes), v.State
	if (d.claim == nil || d.claim.got != one) && !one.refused && d.keptBytesLocked() > maxKeptBytes {
		b.refuseLocked(one)
	}
	d.notifyLocked()
}

func (d *downloads) keptBytesLocked() float64 {
	sum := d.bytes
	for _, one := range d.list {
		if d.claim == nil || d.claim.got != one {
			sum += one.received
		}
	}
	return sum
}

func (d *downloads) notifyLocked() {
	if d.changed != nil {
		close(d.changed)
		d.changed = nil
	}
}

// until waits until cond, which is called with mu held, is true, and returns an error if
// ctx or the connection ended before.
func (d *downloads) until(ctx context.Context, ended <-chan struct{}, cond func() bool) error {
	for {
		d.mu.Lock()
		if cond() {
			d.mu.Unlock()
			return nil
		}
		if d.changed == nil {
			d.changed = make(chan struct{})
		}
		changed := d.changed
		d.mu.Unlock()
		if err := pause(ctx, changed, ended, 0); err != nil {
			return err
		}
	}
}

// Download implements [driver.Downloader].
func (b *Browser) Download(ctx context.Context, o driver.DownloadOptions) (driver.Downloaded, error) {
	b.mu.Lock()
	p := b.active
	b.mu.Unlock()
	return b.downloadFrom(ctx, p, o)
}

func (b *Browser) downloadFrom(ctx context.Context, p *Tab, o driver.DownloadOptions) (driver.Downloaded, error) {
	end, err := b.beginDownload(ctx, p.window)
	if err != nil {
		return driver.Downloaded{}, err
	}
	defer end()
	mine := &claim{loads: o.Target == nil}
	b.setClaim(mine)
	defer b.takeSaved() // that was it
	defer b.dropClaim(mine)
	did := ""
	if o.Target != nil {
		did, err = pressToDownload(ctx, p, *o.Target)
	} else {
		err = p.loadToDownload(ctx, o.URL)
	}
	if err != nil {
		return driver.Downloaded{}, err
	}
	return b.finishDownload(ctx, o, mine, did)
}

// beginDownload makes sure that we get the downloads of w until end is called.
func (b *Browser) beginDownload(ctx context.Context, w *window) (end func(), err error) {
	end = func() {}
	b.mu.Lock()
	accepted := w.downloads
	b.mu.Unlock()
	if accepted == nil { // the window of a browser that is not ours
		accepted = b.acceptDownloads(w)
		end = func() { b.endDownloads(w) }
	}
	if err := b.explain(ctx, accepted.Wait(nil)); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// endDownloads returns the downloads of a context to its user. Pending ones would no longer
// be reported.
func (b *Browser) endDownloads(w *window) {
	d := &b.downloads
	d.mu.Lock()
	for _, one := range d.list {
		if !one.over() && one.context == w.contextToAsk() {
			b.cancelDownload(one)
			one.state = proto.BrowserDownloadProgressStateCanceled
		}
	}
	d.mu.Unlock()
	b.conn.Start(context.Background(), "", proto.BrowserSetDownloadBehavior{
		Behavior: proto.BrowserSetDownloadBehaviorBehaviorDefault, BrowserContextID: w.contextToAsk(),
	})
}

// pressToDownload presses an element and returns the outcome.
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

// finishDownload waits until the download taken by mine is complete.
func (b *Browser) finishDownload(ctx context.Context, o driver.DownloadOptions, mine *claim, did string) (driver.Downloaded, error) {
	d := &b.downloads
	err := d.until(ctx, b.conn.Ended(), func() bool { return mine.got != nil || mine.unsure != nil })
	if err == nil {
		err = d.sure(ctx, b.conn.Ended(), mine)
	}
	if err != nil {
		if errors.Is(err, cdp.ErrClosed) {
			return driver.Downloaded{}, b.ended(err)
		}
		if diag.As(err) != nil {
			return driver.Downloaded{}, err
		}
		e := overdue(err, "no download began: "+did)
		if diag.CodeOf(e) == diag.Timeout {
			e.Hint = "check that the element starts a download, or give the step more time"
		}
		return driver.Downloaded{}, e
	}
	one := mine.got // id, name and url do not change
	if o.Accept != nil {
		if err := o.Accept(one.name); err != nil {
			return driver.Downloaded{}, err
		}
	}
	var last download
	if err := d.until(ctx, b.conn.Ended(), func() bool { last = *one; return one.over() }); err != nil {
		if errors.Is(err, cdp.ErrClosed) {
			return driver.Downloaded{}, b.ended(err)
		}
		return driver.Downloaded{}, overdue(err, "the download of "+one.name+" is not complete: "+last.progress())
	}
	if last.state != proto.BrowserDownloadProgressStateCompleted {
		return driver.Downloaded{}, diag.New(diag.StepFailed, "the download of %s was broken off: %s", one.name, last.progress()).
			WithDetail("url", one.url).WithHint("run the step again; check the connection and the space of the temporary folder")
	}
	path := filepath.Join(d.folder, one.id)
	info, err := os.Stat(path)
	if err != nil {
		return driver.Downloaded{}, diag.New(diag.StepFailed, "the browser says that %s is complete, and it is not there: %v", one.name, err).
			WithHint("a browser that runs on another machine keeps its downloads there").Because(err)
	}
	if o.Keep {
		path = d.keep(one)
	}
	return driver.Downloaded{Path: path, Name: one.name, URL: one.url, Size: info.Size()}, nil
}

func (d *download) progress() string {
	if d.total > 0 {
		return fmt.Sprintf("%.0f of %.0f bytes came", d.received, d.total)
	}
	return fmt.Sprintf("%.0f bytes came", d.received)
}

// A KeptDownload is a download that no step has requested.
type KeptDownload struct {
	Name, URL string
	Path      string // "" unless it is complete
	State     string // complete, under way, failed, refused
}

const (
	DownloadComplete = "complete"
	DownloadUnderWay = "under way" // told once; when it is over, again
	DownloadFailed   = "failed"
	DownloadRefused  = "refused" // there were too many, or too much
)

// TakeDownloads returns the downloads that pages have begun since the last call and that no
// step has requested. It waits a moment for pending ones.
func (b *Browser) TakeDownloads() []KeptDownload {
	ctx, cancel := context.WithTimeout(context.Background(), keptTime)
	defer cancel()
	d := &b.downloads
	b.awaitNear(ctx)
	_ = d.until(ctx, b.conn.Ended(), func() bool { // otherwise its present state is reported
		return !slices.ContainsFunc(d.list, func(one *download) bool { return !one.over() && !one.told })
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	var taken []KeptDownload
	var left []*download
	for _, one := range d.list {
		k := KeptDownload{Name: one.name, URL: one.url}
		switch {
		case one.refused:
			k.State = DownloadRefused
			_ = os.Remove(filepath.Join(d.folder, one.id)) // it may have been complete before it was cancelled
		case !one.over():
			left = append(left, one)
			if one.told {
				continue
			}
			one.told, k.State = true, DownloadUnderWay
		case one.state == proto.BrowserDownloadProgressStateCompleted:
			k.State, k.Path = DownloadComplete, d.countLocked(one)
		default:
			k.State = DownloadFailed
		}
		taken = append(taken, k)
	}
	d.list = left
	return taken
}

// expectDownload records that a download may begin in a moment.
func (b *Browser) expectDownload() {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	b.downloads.near = true
}

// nearTime is how long an expected download may take to begin.
const nearTime = 500 * time.Millisecond

// awaitNear waits for an expected download: a navigation brought no page, or a press
// followed a link that saves.
func (b *Browser) awaitNear(ctx context.Context) {
	saved := b.takeSaved()
	d := &b.downloads
	d.mu.Lock()
	wait := d.near || saved && len(d.list) == 0
	d.near = wait
	d.mu.Unlock()
	if !wait {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	_ = d.until(ctx, b.conn.Ended(), func() bool { return !d.near }) // it may be one that a step has asked for
	d.mu.Lock()
	d.near = false
	d.mu.Unlock()
}

// takeSaved reports whether a tab has received an answer that was a file, since the last
// call.
func (b *Browser) takeSaved() bool {
	b.mu.Lock()
	pages := slices.Collect(maps.Values(b.pages))
	b.mu.Unlock()
	saved := false
	for _, p := range pages {
		p.mu.Lock()
		saved, p.nav.saved = saved || p.nav.saved, false
		for _, f := range p.frames {
			saved, f.nav.saved = saved || f.nav.saved, false
		}
		p.mu.Unlock()
	}
	return saved
}
