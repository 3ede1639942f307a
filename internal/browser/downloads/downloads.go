// Package downloads keeps the files that the pages of one browser save. The browser writes each
// file into a private folder, under a temporary name, and reports it. A download belongs to the
// step that is waiting for one. Otherwise it is kept, within limits, until the browser ends.
//
// The package does not know pages. Package chrome passes the browser's events to it, and presses
// what starts a download.
//
// Files, bottom to top: downloads, load, name, kept, claim, events.
package downloads

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/process"
)

// nearTime is how long an expected download may take to begin.
const nearTime = 500 * time.Millisecond

// A Store holds the downloads of one browser; see [New]. It is safe for concurrent use. Its methods
// may be called with a lock of the browser or of a page held.
type Store struct {
	conn    *cdp.Conn
	profile string // the private folder of the browser; "" if that is not ours
	temp    string // where the private folder is created if profile is ""

	// mu guards the following fields, and the fields of each download, [Claim] and [Load]. It is
	// not held while a reply of the browser is awaited.
	mu      sync.Mutex
	changed chan struct{}    // closed at the next change; nil when nothing waits
	folder  string           // "" before the first call of Accept
	private *process.Profile // contains folder; "" if the browser's profile does
	list    []*download      // downloads not yet fully reported
	claim   *Claim           // of the step that is waiting for a download
	load    *Load            // nil if no address is being loaded
	near    bool             // a download should begin soon
	handed  bool             // a person uses the browser, whose downloads are not reported
	kept    int              // number of complete downloads that Take has reported
	bytes   float64          // their total size
	named   int              // number of folders created for files
}

// download is the state of a download that has begun. The first four fields do not change.
type download struct {
	id, name, url   string
	context         proto.BrowserBrowserContextID
	received, total float64
	state           proto.BrowserDownloadProgressState
	refused         bool // over the limits: it was cancelled
	reported        bool // as under way
	byPerson        bool // a person has begun it: it is not reported
}

func (d *download) over() bool { return d.state != proto.BrowserDownloadProgressStateInProgress }

// New returns the store of the browser behind conn. The argument profile is the private folder of
// that browser, in which the store keeps its files. If profile is "", the store creates a private
// folder in temp, which [Store.Remove] removes. An empty temp means os.TempDir.
func New(conn *cdp.Conn, profile, temp string) *Store {
	return &Store{conn: conn, profile: profile, temp: temp}
}

// Folder returns the folder of the files, or "" if there is none yet.
func (s *Store) Folder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folder
}

// Accept makes the browser save the downloads of a browser context in the store. "" means the
// default context. If the folder cannot be created, the returned call fails with STEP_FAILED.
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
		return "", diag.New(diag.StepFailed, "cannot create the folder for downloads: %v", err).
			WithHint("check that you can write to the temporary folder (TMPDIR)").Because(err)
	}
	s.folder = dir
	return dir, nil
}

// Release undoes [Store.Accept] for a browser context. It cancels the pending downloads of the
// context.
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

// Remove removes the private folder that the store has created, if any. The store must not be used
// afterwards.
func (s *Store) Remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.private == nil {
		return nil
	}
	return s.private.Remove()
}

func (s *Store) isClaimedLocked(one *download) bool { return s.claim != nil && s.claim.got == one }

func (s *Store) cancel(one *download) {
	s.conn.Start(context.Background(), "", proto.BrowserCancelDownload{GUID: one.id, BrowserContextID: one.context})
}

func (s *Store) notifyLocked() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// until waits until cond returns true. It calls cond with mu held. If ctx ends first, the error is
// that of ctx. If the connection ends first, the error is [cdp.ErrClosed].
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
