package session

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"actionregistry/browser"
	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/steps"
)

// DefaultName is the session of calls that name none.
const DefaultName = "default"

// ManagerOptions are those of a [Manager]. The zero value works: it finds the
// builtin definitions only.
type ManagerOptions struct {
	Cwd     string   // of calls that have none
	Environ []string // of calls that have none; NAME=value
	// Warn receives what is nobody's result and a person should know. nil drops
	// it. It is called concurrently.
	Warn func(message string)

	MaxSessions int           // sessions at the same time; 0: 32
	QueueMax    int           // calls that wait for one session; 0: 64
	Idle        time.Duration // without a call, after which a session ends; 0: 5m, negative: never
	Clock       Clock         // by which they are idle; nil: that of the machine
}

// A Call says for whom something is done. Its zero value is the manager's own
// place and the session [DefaultName].
type Call struct {
	Session string
	Cwd     string  // "": the manager's
	Path    *string // as ACTION_PATH; nil: the environment's
	// Env is the whole environment of the call: what its definitions may read, and
	// its ACTION_… settings. nil: the manager's. HOME alone is the manager's where
	// it has none.
	Env map[string]string

	Timeout  time.Duration // of the run, or of the step; 0: the configured one
	Debug    bool
	Steps    bool
	FromText bool
	Strict   bool
	OnStep   func(executor.StepEvent)
	Trace    io.Writer
	Headed   *bool // of the browser, should one be started
}

// A Manager keeps sessions by name and the definitions of the places from which
// it is called. Its methods may be called concurrently. List and CloseSession
// never wait for what runs.
type Manager struct {
	o      ManagerOptions
	places *places

	wake    chan struct{}      // to the reaper; holds one
	looks   chan chan struct{} // to look; each is closed when it has looked
	stop    context.CancelFunc // ends the helpers
	helpers sync.WaitGroup     // reap and look

	mu       sync.Mutex // guards what follows and the fields of every live; held for moments
	closed   bool
	sessions map[string]*live
	losses   *lru.Cache[string, *loss] // of sessions that are no more
	timed    bool                      // the reaper waits for a session that is idle
}

// maxLosses bounds how many names are remembered whose session was lost.
const maxLosses = 256

// NewManager returns a Manager, which must be closed.
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
		o: o, places: newPlaces(), wake: make(chan struct{}, 1), looks: make(chan chan struct{}),
		stop: stop, sessions: make(map[string]*live), losses: losses,
	}
	m.helpers.Add(2)
	go m.reap(ctx)
	go m.look(ctx)
	return m
}

// environ returns the environment of a call.
func (m *Manager) environ(c Call) []string {
	environ := m.o.Environ
	if c.Env != nil {
		environ = nil
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			environ = append(environ, name+"="+c.Env[name])
		}
		if _, ok := c.Env["HOME"]; !ok {
			environ = append(environ, "HOME="+lookup(m.o.Environ, "HOME"))
		}
	}
	if c.Path != nil {
		environ = append(slices.Clip(environ), "ACTION_PATH="+*c.Path)
	}
	return environ
}

func (m *Manager) cwd(c Call) string { return cmp.Or(c.Cwd, m.o.Cwd) }

func (m *Manager) loadOptions(c Call) LoadOptions {
	return LoadOptions{Cwd: m.cwd(c), Environ: m.environ(c), Strict: c.Strict}
}

// Definitions returns what holds for a call; of c, only Cwd, Path, Env and
// Strict count. They are read again when a file has changed.
func (m *Manager) Definitions(ctx context.Context, c Call) (*Definitions, error) {
	return m.places.get(ctx, m.loadOptions(c), false)
}

// Validate is [Validate] for a call.
func (m *Manager) Validate(ctx context.Context, c Call, paths []string) (*Validation, error) {
	return Validate(ctx, m.loadOptions(c), paths)
}

// Reloaded is what a reload found.
type Reloaded struct {
	Actions  int       `json:"actions"`
	Problems diag.List `json:"problems"`
	Kept     []string  `json:"kept"` // files that are bad and whose last good version is in use
}

// Reload reads definitions again, changed or not. What runs ends on those it has
// begun with.
func (m *Manager) Reload(ctx context.Context, c Call) (*Reloaded, error) {
	c.Strict = false
	d, err := m.places.get(ctx, m.loadOptions(c), true)
	if err != nil {
		return nil, err
	}
	return &Reloaded{Actions: d.Registry.Len(), Problems: append(diag.List{}, d.All()...), Kept: append([]string{}, d.Kept...)}, nil
}

// lookTime is how long Problems waits for a new look at the files.
const lookTime = 100 * time.Millisecond

// Problems returns what is wrong with the definition files of all places in use.
// It looks at them again, but does not wait for a file system that is slow: then
// it is what was known before.
func (m *Manager) Problems() diag.List {
	looked := make(chan struct{})
	late := time.NewTimer(lookTime)
	defer late.Stop()
	select {
	case m.looks <- looked:
		select {
		case <-looked:
		case <-late.C:
		}
	case <-late.C:
	}
	return m.places.problems()
}

// look does the looking for Problems until the manager is closed.
func (m *Manager) look(ctx context.Context) {
	defer m.helpers.Done()
	for {
		select {
		case looked := <-m.looks:
			m.places.lookAgain(ctx)
			close(looked)
		case <-ctx.Done():
			return
		}
	}
}

// DryRun returns the plan of a run. It touches no session.
func (m *Manager) DryRun(ctx context.Context, c Call, action string, params map[string]any) *executor.Plan {
	d, err := m.Definitions(ctx, c)
	if err != nil {
		return &executor.Plan{Action: action, Error: coded(err), Steps: []*executor.PlanStep{}}
	}
	return d.DryRun(ctx, action, m.runOptions(c, params))
}

func (m *Manager) runOptions(c Call, params map[string]any) RunOptions {
	return RunOptions{
		Params: params, FromText: c.FromText, Steps: c.Steps, Debug: c.Debug, Timeout: c.Timeout,
		Cwd: m.cwd(c), Environ: m.environ(c), Trace: c.Trace, OnStep: c.OnStep,
	}
}

// Run runs an action in the session of c, when its turn comes. Everything that
// goes wrong is in the result.
func (m *Manager) Run(ctx context.Context, c Call, action string, params map[string]any) *executor.Result {
	return m.do(ctx, c, &call{name: action, o: m.runOptions(c, params)})
}

// Step runs one step by hand in the session of c, when its turn comes. Where the
// session's page was lost since, it fails once and says so, unless it opens one.
func (m *Manager) Step(ctx context.Context, c Call, step string, args map[string]any) *executor.Result {
	return m.do(ctx, c, &call{name: step, step: true, o: m.runOptions(c, args)})
}

func (m *Manager) do(ctx context.Context, c Call, k *call) *executor.Result {
	began := time.Now()
	var err error
	if k.defs, err = m.Definitions(ctx, c); err != nil {
		return k.failed(began, err)
	}
	if err := k.check(ctx); err != nil {
		return k.failed(began, err)
	}
	name := cmp.Or(c.Session, DefaultName)
	ctx, s, t, err := m.enter(ctx, name, k.info(), SessionOptions{Headed: c.Headed})
	if err != nil {
		return k.failed(began, err)
	}
	defer m.leave(s, t)
	k.session = name
	page, warnings, err := m.page(ctx, s, k)
	if err != nil {
		return k.failed(began, err)
	}
	result := k.perform(ctx, page)
	result.Warnings = append(warnings, result.Warnings...)
	m.settle(ctx, s, k.name)
	if why := diag.As(context.Cause(ctx)); why != nil && result.Error != nil && result.Error.Code == diag.Cancelled {
		result.Error.WithHint("%s", why.Hint).Msg = why.Msg
	}
	return result
}

// page returns the page for the call whose turn it is. A loss is told: as the
// error of a step that relies on what was lost, as a warning otherwise.
func (m *Manager) page(ctx context.Context, s *live, k *call) (*browser.Page, []executor.Warning, error) {
	m.settle(ctx, s, "")
	var warnings []executor.Warning
	if l := m.takeLoss(s); l != nil {
		if k.step && !opensPage(k.name) {
			return nil, nil, l.err()
		}
		warnings = append(warnings, l.warning())
	}
	page, err := m.open(ctx, s, k.defs)
	if err != nil && ctx.Err() != nil {
		err = cancelledCall(ctx)
	}
	return page, warnings, err
}

// opensPage reports whether a step by hand needs nothing of the page before it.
func opensPage(step string) bool {
	e := steps.Lookup(step)
	return e != nil && e.Name == "open"
}

func (c *call) info() RunInfo {
	if c.step {
		return RunInfo{Step: c.name}
	}
	return RunInfo{Action: c.name}
}

// SessionOptions are those with which a session's browser is started. The zero
// value leaves everything as configured.
type SessionOptions struct {
	Headed            *bool
	Viewport          *browser.Viewport
	UserAgent         string
	Locale            string
	IgnoreHTTPSErrors *bool
}

func (o SessionOptions) apply(b *browser.Options) {
	if o.Headed != nil {
		b.Headed = *o.Headed
	}
	if o.Viewport != nil {
		b.Viewport = *o.Viewport
	}
	if o.IgnoreHTTPSErrors != nil {
		b.IgnoreHTTPSErrors = *o.IgnoreHTTPSErrors
	}
	b.UserAgent = cmp.Or(o.UserAgent, b.UserAgent)
	b.Locale = cmp.Or(o.Locale, b.Locale)
}

// takes refuses options that the session's browser, which runs, does not have,
// and those that differ from others that were asked for before it runs. Manager.mu
// must be held.
func (s *live) takes(o SessionOptions) error {
	var differ []string
	against := func(name string, same bool) {
		if !same {
			differ = append(differ, name)
		}
	}
	has := s.started
	if s.browser == nil {
		s.wish.apply(&has)
	}
	fixed := s.browser != nil
	against("headed", o.Headed == nil || !fixed && s.wish.Headed == nil || *o.Headed == has.Headed)
	against("viewport", o.Viewport == nil || !fixed && s.wish.Viewport == nil || *o.Viewport == has.Viewport)
	against("user_agent", o.UserAgent == "" || !fixed && s.wish.UserAgent == "" || o.UserAgent == has.UserAgent)
	against("locale", o.Locale == "" || !fixed && s.wish.Locale == "" || o.Locale == has.Locale)
	against("ignore_https_errors", o.IgnoreHTTPSErrors == nil || !fixed && s.wish.IgnoreHTTPSErrors == nil || *o.IgnoreHTTPSErrors == has.IgnoreHTTPSErrors)
	if len(differ) > 0 {
		return diag.New(diag.InvalidRequest, "the session %s is open with another %s", s.name, strings.Join(differ, " and ")).
			WithHint("close it first (action session close %s), or use another session", s.name)
	}
	if fixed {
		return nil
	}
	s.wish.Headed = cmp.Or(s.wish.Headed, o.Headed)
	s.wish.Viewport = cmp.Or(s.wish.Viewport, o.Viewport)
	s.wish.IgnoreHTTPSErrors = cmp.Or(s.wish.IgnoreHTTPSErrors, o.IgnoreHTTPSErrors)
	s.wish.UserAgent = cmp.Or(s.wish.UserAgent, o.UserAgent)
	s.wish.Locale = cmp.Or(s.wish.Locale, o.Locale)
	return nil
}

// Open makes sure that the session of c has a browser with a page, in its turn.
// Of c, Session, Cwd, Path and Env count.
func (m *Manager) Open(ctx context.Context, c Call, o SessionOptions) (*Info, error) {
	d, err := m.Definitions(ctx, c)
	if err != nil {
		return nil, err
	}
	ctx, s, t, err := m.enter(ctx, cmp.Or(c.Session, DefaultName), RunInfo{Opening: true}, o)
	if err != nil {
		return nil, err
	}
	defer m.leave(s, t)
	m.settle(ctx, s, "")
	m.takeLoss(s) // whoever opens it knows that it is new
	if _, err := m.open(ctx, s, d); err != nil {
		if ctx.Err() != nil {
			err = cancelledCall(ctx)
		}
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	info := m.infoLocked(s)
	info.State, info.Running = StateIdle, nil // as it is when the caller reads it
	return &info, nil
}

// States of a session.
const (
	StateStarting = "starting" // its browser is being started
	StateIdle     = "idle"
	StateRunning  = "running"
	StateLost     = "lost" // its page is gone; the next call gets a new one
)

// A RunInfo is what runs, or waits, in a session.
type RunInfo struct {
	Action  string    `json:"action,omitempty"`
	Step    string    `json:"step,omitempty"`
	Opening bool      `json:"opening,omitempty"` // by session.open
	Since   time.Time `json:"since"`
}

// An Info tells about a session.
type Info struct {
	Name      string     `json:"name"`
	State     string     `json:"state"`
	Running   *RunInfo   `json:"running,omitempty"`
	Queued    int        `json:"queued"`
	URL       string     `json:"url,omitempty"` // without what may be secret in it
	Lost      string     `json:"lost,omitempty"`
	IdleSince *time.Time `json:"idle_since,omitempty"`
}

// List tells about all sessions, by name. It waits for nothing.
func (m *Manager) List() []Info {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Info, 0, len(m.sessions))
	for _, name := range m.namesLocked() {
		list = append(list, m.infoLocked(m.sessions[name]))
	}
	return list
}

func (m *Manager) infoLocked(s *live) Info {
	i := Info{Name: s.name, State: StateIdle, URL: s.url}
	wrong := ""
	if s.browser != nil && s.page != nil {
		if i.URL, wrong = lookAt(s.browser, s.page); wrong != "" {
			i.URL = s.url
		}
	}
	switch {
	case len(s.turns) > 0 && s.page == nil:
		i.State = StateStarting
	case len(s.turns) > 0:
		i.State = StateRunning
	case wrong != "" || s.lost != nil:
		i.State = StateLost
	}
	if s.lost != nil {
		i.Lost = s.lost.String()
	} else if wrong != "" {
		i.Lost = (&loss{what: lossText(wrong, s.name), url: s.url}).String()
	}
	if len(s.turns) > 0 {
		running := s.turns[0].what
		i.Running, i.Queued = &running, len(s.turns)-1
	} else {
		since := s.idleSince
		i.IdleSince = &since
	}
	return i
}

// CloseSession ends a session at once: what runs and waits in it is cancelled.
// It returns when its browser has ended.
func (m *Manager) CloseSession(ctx context.Context, name string) error {
	name = cmp.Or(name, DefaultName)
	m.mu.Lock()
	s := m.sessions[name]
	if s == nil {
		names := m.namesLocked()
		known := m.losses.Remove(name)
		m.mu.Unlock()
		if known {
			return nil // it was lost, and is not to be told of any more
		}
		e := diag.New(diag.InvalidRequest, "there is no session %q", cut(name))
		if len(names) == 0 {
			return e.WithHint("there are no sessions at all")
		}
		return e.WithHint("there are: %s", strings.Join(names, ", "))
	}
	m.endLocked(s, diag.New(diag.Cancelled, "the session %s was closed", name).WithHint("run it again: a new session is made"))
	m.mu.Unlock()
	return m.finish(ctx, s)
}

// Close ends all sessions. It returns when nothing of the manager is left, or
// soon after ctx has ended.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	var all []*live
	for _, s := range m.sessions {
		m.endLocked(s, diag.New(diag.Cancelled, "the daemon is stopping").WithHint("run it again: a new daemon is started"))
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
	m.helpers.Wait()
	return list.Err()
}
