// Package downloads keeps the files that the pages of one browser save. The browser writes each
// into a private folder, under a temporary name, and reports it; a download belongs to the step
// that is waiting for one, or is kept, within bounds, until the browser ends.
//
// It knows no pages: package browser passes the browser's events on, and presses what starts a
// download.
package downloads

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/process"
)

// nearTime is how long an expected download may take to begin.
const nearTime = 500 * time.Millisecond

// A Store holds the downloads of one browser; see [New]. It may be used by several goroutines.
// It acquires no lock of the browser or of a page, so it may be used with those held.
type Store struct {
	conn    *cdp.Conn
	profile string // the private folder of the browser; "" if that is not ours
	temp    string // where a private folder is made then

	// mu guards what follows and the fields of each download, [Claim] and [Load]. Calls are
	// started with it held, but not awaited.
	mu      sync.Mutex
	changed chan struct{}    // closed at the next change; nil when nobody waits
	folder  string           // "" before the first window
	private *process.Profile // of the folder, if that is not the browser's
	list    []*download      // downloads not yet fully reported
	claim   *Claim           // of the step that waits for one
	load    *Load            // nil when no address is being loaded
	near    bool             // one is to begin in a moment
	kept    int              // reported by Take as complete
	bytes   float64          // that those have
	named   int              // files with a folder of their own
}

// A download is one that has begun. id, name, url and context do not change.
type download struct {
	id, name, url   string
	context         proto.BrowserBrowserContextID
	received, total float64
	state           proto.BrowserDownloadProgressState
	refused         bool // beyond the bounds: it was cancelled
	reported        bool // that it is under way
}

func (d *download) over() bool { return d.state != proto.BrowserDownloadProgressStateInProgress }

// New returns the store of the browser behind conn. It keeps files in a folder below profile,
// which is removed with the browser. If profile is "", it makes a private folder in temp ("" is
// os.TempDir) when it needs one, which [Store.Remove] removes.
func New(conn *cdp.Conn, profile, temp string) *Store {
	return &Store{conn: conn, profile: profile, temp: temp}
}

// Folder returns the folder of the files, or "" if there is none yet.
func (s *Store) Folder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folder
}

// Accept redirects the downloads of a browser context ("" is the browser's own) to the store. A
// folder that cannot be made is STEP_FAILED, which the call returns.
func (s *Store) Accept(in proto.BrowserBrowserContextID) *cdp.Call {
	dir, err := s.makeFolder()
	if err != nil {
		return cdp.Failed(err)
	}
	return s.conn.Start(context.Background(), "", proto.BrowserSetDownloadBehavior{
		Behavior: proto.BrowserSetDownloadBehaviorBehaviorAllowAndName, DownloadPath: dir, EventsEnabled: true, BrowserContextID: in,
	})
}

func (s *Store) makeFolder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder != "" {
		return s.folder, nil
	}
	parent := s.profile
	var err error
	if parent == "" {
		if s.private, err = process.NewProfile(s.temp); err == nil {
			parent = s.private.Folder()
		}
	}
	dir := filepath.Join(parent, "downloads")
	if err = cmp.Or(err, os.Mkdir(dir, 0o700)); err != nil {
		return "", diag.New(diag.StepFailed, "cannot make the folder for downloads: %v", err).
			WithHint("check that the temporary folder can be written (TMPDIR)").Because(err)
	}
	s.folder = dir
	return dir, nil
}

// Release returns the downloads of a browser context to its user. Pending ones, which would no
// longer be reported, are cancelled.
func (s *Store) Release(in proto.BrowserBrowserContextID) {
	s.mu.Lock()
	for _, one := range s.list {
		if !one.over() && one.context == in {
			s.cancel(one)
			one.state = proto.BrowserDownloadProgressStateCanceled
		}
	}
	s.mu.Unlock()
	s.conn.Start(context.Background(), "", proto.BrowserSetDownloadBehavior{
		Behavior: proto.BrowserSetDownloadBehaviorBehaviorDefault, BrowserContextID: in,
	})
}

// Remove removes the folder if it is not inside the browser's profile. The store must not be used
// after that.
func (s *Store) Remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.private == nil {
		return nil
	}
	return s.private.Remove()
}

// Began handles the beginning of a download. from is the traffic of the tab that began it, nil if
// that tab is none of ours; in is the browser context of its window.
func (s *Store) Began(v *proto.BrowserDownloadWillBegin, from *network.Traffic, in proto.BrowserBrowserContextID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := &download{id: v.GUID, name: FileName(v.SuggestedFilename), url: v.URL, context: in, state: proto.BrowserDownloadProgressStateInProgress}
	s.list, s.near = append(s.list, one), false
	if s.claim != nil {
		s.claim.takeLocked(one, from)
	}
	if !s.isClaimedLocked(one) && s.kept+len(s.list) > maxKept {
		s.refuseLocked(one)
	}
	s.notifyLocked()
}

// Moved handles the progress of a download, or its end.
func (s *Store) Moved(v *proto.BrowserDownloadProgress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(one *download) bool { return one.id == v.GUID })
	if i < 0 {
		return
	}
	one := s.list[i]
	if one.over() { // the end of a cancelled one is reported more than once
		return
	}
	one.received, one.total, one.state = max(one.received, v.ReceivedBytes), max(one.total, v.TotalBytes), v.State
	if !s.isClaimedLocked(one) && !one.refused && s.keptBytesLocked() > maxKeptBytes {
		s.refuseLocked(one)
	}
	s.notifyLocked()
}

func (s *Store) isClaimedLocked(one *download) bool { return s.claim != nil && s.claim.got == one }

// refuseLocked cancels a download that is beyond the bounds.
func (s *Store) refuseLocked(one *download) {
	one.refused = true
	s.cancel(one)
}

func (s *Store) cancel(one *download) {
	s.conn.Start(context.Background(), "", proto.BrowserCancelDownload{GUID: one.id, BrowserContextID: one.context})
}

func (s *Store) notifyLocked() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// until waits until cond, which is called with mu held, is true. It returns ctx's error if ctx
// ended before, or [cdp.ErrClosed] if the connection did.
func (s *Store) until(ctx context.Context, cond func() bool) error {
	for {
		s.mu.Lock()
		if cond() {
			s.mu.Unlock()
			return nil
		}
		if s.changed == nil {
			s.changed = make(chan struct{})
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-s.conn.Ended():
			return cdp.ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
