package downloads

// The browser's reports about downloads: each is claimed, kept, or refused over the limits.

import (
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/network"
)

// Began handles the start of a download. The second argument is the traffic of the tab that began
// the download, or nil if that tab is not ours. The third argument is the browser context of the
// tab.
func (s *Store) Began(v *proto.BrowserDownloadWillBegin, from *network.Traffic, in proto.BrowserBrowserContextID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := &download{id: v.GUID, name: FileName(v.SuggestedFilename), url: v.URL, context: in, state: proto.BrowserDownloadProgressStateInProgress, byPerson: s.handed}
	s.list, s.near = append(s.list, one), false
	if one.byPerson {
		one.name, one.url = "download", ""
	}
	if s.claim != nil && !one.byPerson {
		s.claim.takeLocked(one, from)
	}
	if !s.isClaimedLocked(one) && s.kept+len(s.list) > maxKept {
		s.refuseLocked(one)
	}
	s.notifyLocked()
}

// Refuse cancels a download that nobody has approved. The second argument is the browser context in
// which the download began.
func (s *Store) Refuse(v *proto.BrowserDownloadWillBegin, in proto.BrowserBrowserContextID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.near = false
	s.cancel(&download{id: v.GUID, name: FileName(v.SuggestedFilename), url: v.URL, context: in})
	s.notifyLocked()
}

// Moved handles the progress or the end of a download.
func (s *Store) Moved(v *proto.BrowserDownloadProgress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(one *download) bool { return one.id == v.GUID })
	if i < 0 {
		return
	}
	one := s.list[i]
	if one.over() { // the end of a cancelled download is reported more than once
		return
	}
	one.received, one.total, one.state = max(one.received, v.ReceivedBytes), max(one.total, v.TotalBytes), v.State
	if !s.isClaimedLocked(one) && !one.refused && s.keptBytesLocked() > maxKeptBytes {
		s.refuseLocked(one)
	}
	s.notifyLocked()
}

// refuseLocked cancels a download that is over the limits.
func (s *Store) refuseLocked(one *download) {
	one.refused = true
	s.cancel(one)
}
