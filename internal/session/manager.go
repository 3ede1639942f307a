package session

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/registry"
)

// DefaultName is the session of a call without a session name.
const DefaultName = "default"

// ManagerOptions are the options of a [Manager]. With the zero value, the manager finds only the
// builtin definitions.
type ManagerOptions struct {
	Cwd     string   // for calls without a folder
	Environ []string // for calls without an environment, as NAME=value
	// Sources are further sources of definitions, for every folder. They must not change.
	Sources []loader.Source
	// Warn receives messages for the user that belong to no result. It may be called concurrently,
	// and may be nil.
	Warn func(message string)

	// ApprovalsChanged is called after each change of the pending approvals, with their number.
	// Calls do not overlap. It may be nil.
	ApprovalsChanged func(pending int)
	// Embedded means that approvals are answered only by [Call.Answer].
	Embedded bool

	MaxSessions int           // most sessions at the same time; 0: 32
	QueueMax    int           // most calls that wait in one session; 0: 64
	Idle        time.Duration // time without a call after which a session ends; 0: 5m, negative: never
	Clock       Clock         // measures how long sessions are idle; nil: the system clock
}

// A Manager holds sessions by name, and the definitions that their callers use. It is safe for
// concurrent use.
type Manager struct {
	o           ManagerOptions
	definitions *definitions.Store
	approvals   *approvals.Table

	wake    chan struct{}      // wakes the reaper; buffered
	stop    context.CancelFunc // ends the goroutines in helpers
	helpers sync.WaitGroup     // the goroutines of reap and of the store's Serve
	closing sync.WaitGroup     // pending calls of CloseSession, and detached calls; grows only until the manager is closed

	recording  sync.Mutex              // guards the next three fields; acquired before mu
	record     func([]Remainder) error // nil: the list is not stored
	recorded   []Remainder             // the list last passed to record
	unrecorded error                   // the error of the last call of record; nil if it succeeded

	mu       sync.Mutex // guards the following fields and those of every namedSession; held only briefly
	closed   bool
	sessions map[string]*namedSession
	losses   *lru.Cache[string, *loss] // losses of sessions that have ended, by name
	due      time.Time                 // when the reaper wakes up for the next session that expires; zero: it waits for none
}

// maxLosses limits how many losses of ended sessions are kept.
const maxLosses = 256

// NewManager returns a Manager. The caller must close it.
func NewManager(o ManagerOptions) *Manager {
	o.MaxSessions = cmp.Or(o.MaxSessions, 32)
	o.QueueMax = cmp.Or(o.QueueMax, 64)
	o.Idle = cmp.Or(o.Idle, 5*time.Minute)
	if o.Clock == nil {
		o.Clock = wallClock{}
	}
	losses, err := lru.New[string, *loss](maxLosses)
	if err != nil {
		panic(err) // only for a size below 1
	}
	ctx, stop := context.WithCancel(context.Background())
	m := &Manager{
		o: o, definitions: definitions.NewStore(), approvals: approvals.New(nil, o.ApprovalsChanged), wake: make(chan struct{}, 1), stop: stop,
		sessions: make(map[string]*namedSession), losses: losses,
	}
	m.helpers.Go(func() { m.reap(ctx) })
	m.helpers.Go(func() { m.definitions.Serve(ctx) })
	return m
}

// Definitions returns the current definitions for a call. It reads files again if they have
// changed. It uses only the fields Cwd, Path, Env and Strict of c.
func (m *Manager) Definitions(ctx context.Context, c Call) (*definitions.Set, error) {
	return m.definitions.Get(ctx, m.loadOptions(c), definitions.Request{Definitions: true})
}

// CreateFile creates a file for a caller. If the file exists, it is emptied. The policy must allow
// the caller's steps to write the path.
func (m *Manager) CreateFile(ctx context.Context, c Call, path string) (*os.File, error) {
	d, err := m.definitions.Get(ctx, m.loadOptions(c), definitions.Request{})
	if err != nil {
		return nil, err
	}
	return fileRules(d, m.cwd(c)).Create(path)
}

// Validate calls [definitions.Validate] with the options of a call.
func (m *Manager) Validate(ctx context.Context, c Call, paths []string) (*definitions.Validation, error) {
	return definitions.Validate(ctx, m.loadOptions(c), paths)
}

// Reloaded is the result of a reload.
type Reloaded struct {
	Actions  int       `json:"actions"` // number of public actions
	Problems diag.List `json:"problems"`
	Kept     []string  `json:"kept"` // broken files whose last good version is in use
}

// Reload reads the definitions again, even if no file has changed. Runs in progress keep their
// definitions.
func (m *Manager) Reload(ctx context.Context, c Call) (*Reloaded, error) {
	c.Strict = false
	d, err := m.definitions.Get(ctx, m.loadOptions(c), definitions.Request{Definitions: true, Reload: true})
	if err != nil {
		return nil, err
	}
	return &Reloaded{Actions: d.Registry.Public(), Problems: append(diag.List{}, d.All()...), Kept: append([]string{}, d.Kept...)}, nil
}

// Problems returns the errors in the definition files of all folders in use. See
// [definitions.Store.Problems].
func (m *Manager) Problems() diag.List { return m.definitions.Problems() }

// DryRun returns the plan of a run. It uses no session.
func (m *Manager) DryRun(ctx context.Context, c Call, action string, params map[string]any) *executor.Plan {
	d, err := m.Definitions(ctx, c)
	if err != nil {
		return noPlan(action, err)
	}
	return DryRun(ctx, d, action, m.runOptions(c, params))
}

// Run runs an action in the session of c, after the calls in its queue. Errors are in the result.
func (m *Manager) Run(ctx context.Context, c Call, action string, params map[string]any) *executor.Result {
	return m.do(ctx, c, &call{name: action, o: m.runOptions(c, params)})
}

// A Completion is the rest of a call, which depends on the action.
type Completion struct {
	Call   Call // without its session, browser and definitions: those of the original call apply
	Params map[string]any
	// Later means that the caller will immediately repeat the call. Nothing is run now. A session
	// that was created for the call is kept.
	Later bool
}

// RunDescribed is like Run, but calls complete for the params. complete receives the description of
// the action. If nothing was run, the result has no action. Its error is then ACTION_NOT_FOUND, the
// error of complete, or nil if complete has set Later.
func (m *Manager) RunDescribed(ctx context.Context, c Call, action string, complete func(*registry.Description) (Completion, error)) *executor.Result {
	return m.do(ctx, c, &call{name: action, complete: complete, o: m.runOptions(c, nil)})
}

// Step runs a manual step in the session of c, after the calls in its queue. If the session's page
// was lost, the first step fails and reports it, unless the step opens a page.
func (m *Manager) Step(ctx context.Context, c Call, step string, args map[string]any) *executor.Result {
	return m.do(ctx, c, &call{name: step, step: true, o: m.runOptions(c, args)})
}

func (m *Manager) do(ctx context.Context, c Call, k *call) *executor.Result {
	began := time.Now()
	k.session = cmp.Or(c.Session, DefaultName)
	asked := SessionOptions{Headed: c.Headed, CDP: c.CDP}
	if m.isCold(c, k) {
		ctx, s, t, err := m.enter(ctx, k.session, k.info(), asked, k.o.Timeout)
		if err != nil {
			return k.failed(began, err)
		}
		defer m.leave(s, t)
		k.prelaunch = m.startPrelaunch(ctx, c, s, asked)
		defer func() { m.drop(ctx, k.prelaunch) }()
		if err := m.prepare(ctx, c, k); err != nil {
			return k.failed(began, err)
		}
		if k.later {
			m.keepPrelaunch(ctx, s, k, asked)
			return new(executor.Result)
		}
		k.o.Timeout = rest(k.o.Timeout, t.waited)
		return m.performFirst(ctx, s, k, asked, began)
	}
	if err := m.prepare(ctx, c, k); err != nil {
		return k.failed(began, err)
	}
	if k.later {
		return new(executor.Result)
	}
	ctx, s, t, err := m.enter(ctx, k.session, k.info(), asked, k.o.Timeout)
	if err != nil {
		return k.failed(began, err)
	}
	defer m.leave(s, t)
	k.o.Timeout = rest(k.o.Timeout, t.waited)
	return m.performFirst(ctx, s, k, asked, began)
}

// prepare loads the definitions of a call and checks the call.
func (m *Manager) prepare(ctx context.Context, c Call, k *call) error {
	r := definitions.Request{Definitions: !k.step || c.Strict}
	if !k.step {
		r.Action = k.name
	}
	var err error
	if k.defs, err = m.definitions.Get(ctx, m.loadOptions(c), r); err != nil {
		return err
	}
	if k.complete != nil {
		if err := m.complete(c, k); err != nil || k.later {
			return err
		}
	}
	return k.check(ctx)
}

// complete calls k.complete and fills in the rest of k.
func (m *Manager) complete(c Call, k *call) error {
	name := k.name
	k.name = "" // the result of a call that is not run has no action
	d, err := k.defs.Describe(name)
	if err != nil {
		return err
	}
	rest, err := k.complete(d)
	if err != nil {
		return err
	}
	if k.later = rest.Later; !k.later {
		k.name, k.o = name, m.runOptions(rest.Call, rest.Params)
	}
	return nil
}

// performFirst runs the call that is first in the queue. A call that opens a page is run again if
// it fails because the old page was lost.
func (m *Manager) performFirst(ctx context.Context, s *namedSession, k *call, asked SessionOptions, began time.Time) *executor.Result {
	result, lost := m.perform(ctx, s, k, asked, began)
	if lost && k.opensPage() && ctx.Err() == nil {
		// The call was the first to notice the loss. It opens a page, so it does not depend on the
		// lost state: run it again.
		result, _ = m.perform(ctx, s, k, asked, began)
	}
	return result
}

// perform runs the call that is first in the queue. lost reports whether the call failed because
// its page was lost.
func (m *Manager) perform(ctx context.Context, s *namedSession, k *call, asked SessionOptions, began time.Time) (result *executor.Result, lost bool) {
	b, warnings, err := m.browser(ctx, s, k, asked)
	if err != nil {
		return k.failed(began, err), false
	}
	k.secrets, k.approvals, k.embedded = &s.secrets, m.approvals, m.o.Embedded
	k.hold = func(ctx context.Context, h executor.Handoff) (<-chan struct{}, func()) {
		return m.beginHold(ctx, s, k.info(), k.held, h)
	}
	result = k.perform(ctx, b)
	result.Warnings = append(warnings, result.Warnings...)
	return result, m.after(ctx, s, k, result)
}

// browser returns the browser for the call that is first in the queue. If the state of the session
// was lost, a manual step fails, unless it opens a page. Other calls get a warning.
func (m *Manager) browser(ctx context.Context, s *namedSession, k *call, asked SessionOptions) (*chrome.Browser, []executor.Warning, error) {
	m.settle(ctx, s, "")
	if k.step && !k.opensPage() {
		if l := m.takeLoss(s); l != nil && !l.told {
			return nil, nil, l.err()
		}
	}
	e := k.prelaunch
	k.prelaunch = nil
	b, err := m.open(ctx, s, k.defs, asked, e)
	if err != nil {
		return nil, nil, err
	}
	warnings := append(m.settingsWarning(s, k.defs), m.recordWarning()...)
	if l := m.takeLoss(s); l != nil {
		warnings = append(warnings, l.warning())
	}
	return b, warnings, nil
}

// after adds to the result what has happened to the session during the call. lost reports whether
// the call failed because its page was lost.
func (m *Manager) after(ctx context.Context, s *namedSession, k *call, result *executor.Result) (lost bool) {
	e := result.Error
	gone := e != nil && e.Code == diag.BrowserUnavailable
	if gone {
		m.awaitEnd(s)
	}
	l := m.settle(ctx, s, k.name)
	if lost = l != nil && gone; lost {
		l.explain(e)
		m.tellLoss(s, k)
	}
	// If the session was closed, report that, and not the error that this caused in the call.
	if why := diag.As(context.Cause(ctx)); why != nil && (gone || e != nil && e.Code == diag.Cancelled) {
		e.Code, e.Msg, e.Hint = why.Code, why.Msg, why.Hint
	}
	return lost
}

// Open starts the browser of the session of c, after the calls in its queue. If the session has a
// browser, Open keeps it. Open does not report an earlier loss. It uses only the fields Session,
// Cwd, Path, Env and Unattended of c.
func (m *Manager) Open(ctx context.Context, c Call, o SessionOptions) (*Info, error) {
	if err := checkIdle(o.IdleTimeout); err != nil {
		return nil, err
	}
	d, err := m.definitions.Get(ctx, m.loadOptions(c), definitions.Request{})
	if err != nil {
		return nil, err
	}
	if o.Target != "" && cmp.Or(o.CDP, d.Config.Browser.CDP) == "" {
		return nil, diag.New(diag.InvalidRequest, "found a target without the address of a browser").WithHint("add --cdp PORT: only a browser that is already running has targets")
	}
	if o.Profile != "" && c.Unattended {
		return nil, diag.New(diag.PolicyDenied, "found a profile, which only a person may choose").
			WithHint("remove `profile`, or set browser.profile in ~/%s/config.yaml", loader.ConfigFolder)
	}
	if o.Profile != "" && !filepath.IsAbs(o.Profile) {
		o.Profile = filepath.Join(m.cwd(c), o.Profile)
	}
	s, err := m.openFirst(ctx, cmp.Or(c.Session, DefaultName), d, o)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	info := m.infoLocked(s)
	return &info, nil
}

// Targets lists the tabs of the running browser at c.CDP, or at the configured address. A session
// can begin with any of them.
func (m *Manager) Targets(ctx context.Context, c Call) ([]chrome.Target, error) {
	d, err := m.definitions.Get(ctx, m.loadOptions(c), definitions.Request{})
	if err != nil {
		return nil, err
	}
	address := cmp.Or(c.CDP, d.Config.Browser.CDP)
	if address == "" {
		return nil, diag.New(diag.InvalidRequest, "found no address of a browser, expected the port or the address of a running one").
			WithHint("add --cdp PORT: only a browser that is already running has targets")
	}
	return chrome.Targets(ctx, startup.Options{CDP: address})
}

func (m *Manager) openFirst(ctx context.Context, name string, d *definitions.Set, o SessionOptions) (*namedSession, error) {
	ctx, s, t, err := m.enter(ctx, name, RunInfo{Opening: true}, o, 0)
	if err != nil {
		return nil, err
	}
	defer m.leave(s, t)
	m.settle(ctx, s, "")
	if _, err := m.open(ctx, s, d, o, nil); err != nil {
		return nil, err
	}
	m.takeLoss(s)
	if o.IdleTimeout > 0 {
		m.mu.Lock()
		s.idle = o.IdleTimeout
		m.mu.Unlock()
	}
	return s, nil
}

// List describes all sessions, sorted by name. A session that has ended is included if its loss has
// not been reported. List does not wait for running calls.
func (m *Manager) List() []Info {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Info, 0, len(m.sessions))
	for _, name := range m.namesLocked() {
		list = append(list, m.infoLocked(m.sessions[name]))
	}
	for _, name := range m.losses.Keys() {
		if l, ok := m.losses.Peek(name); ok && !l.told && l.cause != LostExpired {
			list = append(list, Info{Name: name, State: StateLost, Lost: l.String(), Gone: true})
		}
	}
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// CloseSession ends a session and cancels its calls. It returns when the browser and the calls have
// ended. If a call does not end within a few seconds, the error is TIMEOUT.
func (m *Manager) CloseSession(ctx context.Context, name string) error {
	name = cmp.Or(name, DefaultName)
	m.mu.Lock()
	s := m.sessions[name]
	if s == nil {
		names := m.namesLocked()
		l, known := m.losses.Peek(name)
		known = known && l.cause != LostReported
		m.losses.Remove(name)
		m.mu.Unlock()
		m.recordRemains()
		if known {
			return nil // the session was lost; now its loss no longer has to be reported
		}
		e := diag.New(diag.InvalidRequest, "there is no session %q", diag.Clip(name, maxNameBytes))
		if len(names) == 0 {
			return e.WithHint("there are no sessions")
		}
		return e.WithHint("the sessions are: %s", strings.Join(names, ", "))
	}
	m.endLocked(s, diag.New(diag.Cancelled, "the session %s was closed", name).WithHint("repeat the call: this starts a new session"))
	m.closing.Add(1)
	m.mu.Unlock()
	m.recordRemains()
	defer m.closing.Done()
	return m.finish(ctx, s)
}

// Close ends all sessions and waits for all goroutines of the manager. Later calls are refused.
// When ctx ends, Close stops waiting for calls that ignore their cancellation.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	var all []*namedSession
	for _, s := range m.sessions {
		m.endLocked(s, errClosed())
		all = append(all, s)
	}
	m.mu.Unlock()
	m.stop()
	var list diag.List
	var mu sync.Mutex
	var ending sync.WaitGroup
	for _, s := range all {
		ending.Go(func() {
			if err := m.finish(ctx, s); err != nil {
				mu.Lock()
				defer mu.Unlock()
				list.AddErr(err)
			}
		})
	}
	ending.Wait()
	m.closing.Wait()
	m.helpers.Wait()
	return list.Err()
}
