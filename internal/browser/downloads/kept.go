package downloads

// Downloads that are kept: those that no step has requested, and those that a step wants to keep.
// Each has its own name and a separate folder, which stays until the browser ends.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Limits of the downloads that no step has requested.
const (
	maxKept      = 20
	maxKeptBytes = 1 << 30
)

// keptTime is how long Take waits for a download that has begun.
const keptTime = 2 * time.Second

// A Kept is a download that no step has requested.
type Kept struct {
	Name, URL string
	Path      string // "" unless it is complete
	State     State
}

// A State is the state of a download that no step has requested.
type State string

const (
	Complete State = "complete"
	UnderWay State = "under way" // reported once, and again when it has ended
	Failed   State = "failed"
	Refused  State = "refused" // cancelled: it exceeded the limits
)

// Private sets whether a person is using the browser. Downloads that begin in this time are not
// reported. Their files stay in the folder until the browser ends.
func (s *Store) Private(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handed = on
}

// Expect records that a download may begin soon.
func (s *Store) Expect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.near = true
}

// Take returns the downloads that no step has requested and that were not reported before. A
// pending download is reported once, and again when it has ended. Take waits briefly for pending
// downloads to end. If Expect was called, it also waits briefly for a download to begin. The same
// applies if saved is set, which means that a tab has received a file as response.
func (s *Store) Take(saved bool) []Kept {
	ctx, cancel := context.WithTimeout(context.Background(), keptTime)
	defer cancel()
	s.awaitNear(ctx, saved)
	_ = s.until(ctx, func() bool { // at the deadline, the current state is reported
		return !slices.ContainsFunc(s.list, func(one *download) bool { return !one.over() && !one.reported && !one.byPerson })
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	var taken []Kept
	var left []*download
	for _, one := range s.list {
		k := Kept{Name: one.name, URL: one.url}
		switch {
		case one.byPerson:
			if !one.over() {
				left = append(left, one)
			}
			continue
		case one.refused:
			k.State = Refused
			_ = os.Remove(filepath.Join(s.folder, one.id)) // the download may have completed before it was cancelled
		case !one.over():
			left = append(left, one)
			if one.reported {
				continue
			}
			one.reported, k.State = true, UnderWay
		case one.state == proto.BrowserDownloadProgressStateCompleted:
			k.State, k.Path = Complete, s.countLocked(one)
		default:
			k.State = Failed
		}
		taken = append(taken, k)
	}
	s.list = left
	return taken
}

// awaitNear waits briefly if a download is expected to begin; see [Store.Take].
func (s *Store) awaitNear(ctx context.Context, saved bool) {
	s.mu.Lock()
	wait := s.near || saved && len(s.list) == 0
	s.near = wait
	s.mu.Unlock()
	if !wait {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	_ = s.until(ctx, func() bool { return !s.near }) // at the deadline, no download is expected any more
	s.mu.Lock()
	s.near = false
	s.mu.Unlock()
}

func (s *Store) keptBytesLocked() float64 {
	sum := s.bytes
	for _, one := range s.list {
		if !s.isClaimedLocked(one) {
			sum += one.received
		}
	}
	return sum
}

// countLocked counts a complete download towards the limits, gives it its own name and returns its
// path.
func (s *Store) countLocked(one *download) string {
	s.kept++
	s.bytes += one.received
	return s.nameLocked(one)
}

// nameLocked gives a complete download its own name and returns its path. If that fails, the file
// keeps its temporary name.
func (s *Store) nameLocked(one *download) string {
	s.named++
	path := filepath.Join(s.folder, one.id)
	folder := filepath.Join(s.folder, fmt.Sprint(s.named))
	named := filepath.Join(folder, one.name)
	if os.Mkdir(folder, 0o700) != nil || os.Chmod(path, 0o600) != nil || os.Rename(path, named) != nil {
		return path
	}
	return named
}
