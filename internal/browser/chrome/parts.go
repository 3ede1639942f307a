package chrome

import (
	"sync"
	"sync/atomic"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/egress"
	"github.com/actionregistry/action/internal/snapshot"
)

// A host is the running browser: its connection, and its process if we have started it.
type host struct {
	opts     startup.Options
	conn     *cdp.Conn
	process  *process.Process  // nil if we did not start it
	endpoint *startup.Endpoint // set if process is nil
	egress   *egress.Proxy     // nil without startup.Options.Guard
	// version is the product string, such as "Chrome/156.0.8078.79".
	version   string
	userAgent string

	lastRequest atomic.Int64 // number of the latest request of the tabs
	private     atomic.Bool  // a person uses the browser: see handoff.go
	timers      timers.Recorder
	readings    eval.Cache // of compiled scripts
}

// A roster records the windows and tabs, the order in which tabs were active, and changes that are
// not reported yet.
type roster struct {
	host *host

	mu      sync.Mutex      // guards the following fields; never held while acquiring a page's lock
	pages   map[string]*Tab // by session; includes the sessions of their frames
	windows []*window       // in the order in which they were opened
	active  *Tab            // nil before the first tab
	recent  []*Tab          // open tabs, in the order in which they were last active
	news    []News          // since the last TakeNews
}

// asks implements [driver.Dialogs].
type asks struct {
	host    *host
	roster  *roster
	dialogs dialogs.Dialogs
}

// A gate implements [driver.Router], and applies the rule for hosts to all sessions.
type gate struct {
	host       *host
	roster     *roster
	rules      rules.Table
	consents   rules.Consents
	attachedTo workerSet
}

// workers sets up the workers of pages and handles their events. It passes requests of a worker to
// the tab of the worker's page.
type workers struct {
	host   *host
	roster *roster
	gate   *gate
}

// tabs implements [driver.Tabs]: it opens and closes tabs, and adopts those that pages open.
type tabs struct {
	host    *host
	roster  *roster
	asks    *asks
	gate    *gate
	acting  func(*Tab) driver.Page // creates the page for steps of a new tab; nil if tabs have none
	makeTab func(v *proto.TargetAttachedToTarget, id string, book *snapshot.Book) *Tab
}

// saves implements [driver.Downloader]. It completes downloads that [Tab.Download] has started.
type saves struct {
	host      *host
	roster    *roster
	gate      *gate
	downloads *downloads.Store
}

// windows implements [driver.Windows].
type windows struct {
	host   *host
	roster *roster
	tabs   *tabs
	saves  *saves
}

// states implements [driver.CookieJar] and [driver.Storage].
type states struct {
	host   *host
	roster *roster
	tabs   *tabs
}

// isPrivate reports whether a person uses the browser, so that nothing may be recorded.
func (h *host) isPrivate() bool { return h.private.Load() }

// visible reports whether a user may see the browser's windows.
func (h *host) visible() bool { return h.opts.Headed || h.endpoint != nil }
