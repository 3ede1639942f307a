package session_test

// Helpers of the tests of the manager: a manager, a site that can delay answers, a clock, and
// functions for the processes of browsers.

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// A managed is a manager under test, with its own home and folder.
type managed struct {
	*session.Manager
	home, cwd string
}

// newManager returns a manager that does not use the definitions of this machine. environ is added
// to its environment.
func newManager(t *testing.T, o session.ManagerOptions, environ ...string) *managed {
	t.Helper()
	m := &managed{home: t.TempDir(), cwd: t.TempDir()}
	o.Cwd, o.Environ = m.cwd, append([]string{"HOME=" + m.home}, environ...)
	o.Warn = func(message string) {
		if !strings.Contains(message, "sandbox") {
			t.Error("warning:", message)
		}
	}
	m.Manager = session.NewManager(o)
	t.Cleanup(func() {
		if err := m.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	return m
}

// in returns a call in a session.
func in(name string) session.Call { return session.Call{Session: name} }

// step runs one step in a session.
func (m *managed) step(t *testing.T, name, step string, args map[string]any) *executor.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	return m.Step(ctx, in(name), step, args)
}

func (m *managed) open(t *testing.T, name, url string) *executor.Result {
	t.Helper()
	r := m.step(t, name, "open", map[string]any{"url": url})
	data(t, r)
	return r
}

// run runs an action in a session.
func (m *managed) run(t *testing.T, name, action string, params map[string]any) *executor.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	return m.Run(ctx, in(name), action, params)
}

// url returns the address that a session shows.
func (m *managed) url(t *testing.T, name string) string {
	t.Helper()
	return fmt.Sprint(data(t, m.step(t, name, "get", map[string]any{"what": "url"}))["url"])
}

// eval evaluates an expression in a session's page.
func (m *managed) eval(t *testing.T, name, script string) any {
	t.Helper()
	return data(t, m.step(t, name, "eval", map[string]any{"script": script}))["value"]
}

// info returns what List reports about a session, or the zero value if there is none.
func (m *managed) info(name string) session.Info {
	for _, i := range m.List() {
		if i.Name == name {
			return i
		}
	}
	return session.Info{}
}

// begin starts f and returns a channel that receives its result.
func begin(f func() *executor.Result) <-chan *executor.Result {
	c := make(chan *executor.Result, 1)
	go func() { c <- f() }()
	return c
}

// get waits for a value and returns it. what names the value in the failure.
func get[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	late := time.NewTimer(runTime)
	defer late.Stop()
	select {
	case v := <-c:
		return v
	case <-late.C:
		t.Fatalf("%s did not come", what)
		panic("not reached")
	}
}

// pending fails the test if c has a value already.
func pending[T any](t *testing.T, what string, c <-chan T) {
	t.Helper()
	select {
	case v := <-c:
		t.Errorf("%s has ended already: %v", what, v)
	default:
	}
}

// eventually waits until cond holds.
var eventually = testkit.Eventually

// code returns the code of a result's error.
func code(r *executor.Result) diag.Code { return codeOf(r.Error) }

// A site serves pages. It reports each request for /gate on the channel entered, and answers the
// request only after a call of let.
type site struct {
	url     string
	entered chan string // the queries of requests for /gate
	release chan struct{}
	once    sync.Once

	mu   sync.Mutex
	seen []string // paths and queries of all requests for pages
}

func newSite(t *testing.T) *site {
	s := &site{entered: make(chan string, 100), release: make(chan struct{})}
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen = append(s.seen, r.URL.RequestURI())
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><p>page %s", r.URL.Path, r.URL.RawQuery)
	}
	mux.HandleFunc("/favicon.ico", http.NotFound)
	mux.HandleFunc("/gate", func(w http.ResponseWriter, r *http.Request) {
		s.entered <- r.URL.RawQuery
		select {
		case <-s.release:
		case <-r.Context().Done():
		}
		page(w, r)
	})
	mux.HandleFunc("/", page)
	s.url = serve(t, mux)
	t.Cleanup(s.let) // before the server closes
	return s
}

// let answers all requests for /gate, including later ones.
func (s *site) let() { s.once.Do(func() { close(s.release) }) }

func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// hang begins a call that hangs in a session until the site answers or the call is cancelled. It
// returns when the page of the call has been requested.
func (s *site) hang(t *testing.T, m *managed, ctx context.Context, name string) <-chan *executor.Result {
	t.Helper()
	done := begin(func() *executor.Result {
		return m.Step(ctx, in(name), "open", map[string]any{"url": s.url + "/gate"})
	})
	get(t, "the request for /gate", s.entered)
	return done
}

// spin returns a script that requests /spin and then never ends.
func (s *site) spin() string {
	return "const x = new XMLHttpRequest(); x.open('GET', '/spin', false); x.send(); while (true) {}"
}

func (s *site) spinning() bool {
	for _, uri := range s.requests() {
		if uri == "/spin" {
			return true
		}
	}
	return false
}

// A turnable is a clock that a test advances with turn.
type turnable struct {
	mu     sync.Mutex
	now    time.Time
	timers []*turnableTimer
}

type turnableTimer struct {
	at time.Time
	c  chan time.Time
}

func newTurnable() *turnable {
	return &turnable{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
}

func (c *turnable) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *turnable) Timer(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &turnableTimer{c.now.Add(d), make(chan time.Time, 1)}
	c.timers = append(c.timers, t)
	return t.c, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i := range c.timers {
			if c.timers[i] == t {
				c.timers = append(c.timers[:i], c.timers[i+1:]...)
				return
			}
		}
	}
}

// waiting returns the number of timers that were not stopped.
func (c *turnable) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}

func (c *turnable) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for _, t := range c.timers {
		if !t.at.After(c.now) {
			select {
			case t.c <- c.now:
			default: // the timer has fired already
			}
		}
	}
}

// A proc is a running process.
type proc struct {
	pid, parent int
	args        string
}

// browserProcesses returns all descendants of this process.
func browserProcesses(t *testing.T) []proc {
	t.Helper()
	if err := browsers.Close(); err != nil { // ends the browsers of other tests
		t.Fatal(err)
	}
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,stat=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []proc
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		pid, _ := strconv.Atoi(f[0])
		parent, _ := strconv.Atoi(f[1])
		if !strings.HasPrefix(f[2], "Z") && f[3] != "ps" {
			all = append(all, proc{pid, parent, strings.Join(f[3:], " ")})
		}
	}
	ours := map[int]bool{os.Getpid(): true}
	var found []proc
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if ours[p.parent] && !ours[p.pid] {
				ours[p.pid], grown = true, true
				found = append(found, p)
			}
		}
	}
	return found
}

// kill kills the processes that which selects. It fails the test if which selects none.
func kill(t *testing.T, what string, which func(p proc) bool) {
	t.Helper()
	killed := 0
	for _, p := range browserProcesses(t) {
		if which(p) {
			killed++
			if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
				t.Log(what, p.pid, err) // it may have ended with another process
			}
		}
	}
	if killed == 0 {
		t.Fatalf("there is no %s among %v", what, browserProcesses(t))
	}
}

// killBrowser kills the main process of the browser.
func killBrowser(t *testing.T) {
	t.Helper()
	kill(t, "browser", func(p proc) bool {
		return strings.Contains(p.args, "--remote-debugging-pipe") && !strings.Contains(p.args, "--type=") && !strings.Contains(p.args, "/sh ") && !strings.HasPrefix(p.args, "sh ")
	})
}

// killTab kills the renderer processes.
func killTab(t *testing.T) {
	t.Helper()
	kill(t, "page", func(p proc) bool { return strings.Contains(p.args, "--type=renderer") })
}

// wantGone waits until all these processes have ended. It polls, because some processes of a killed
// browser are not our children.
func wantGone(t *testing.T, procs []proc) {
	t.Helper()
	if len(procs) == 0 {
		t.Fatal("there was no process to begin with")
	}
	eventually(t, "the end of all processes", func() bool {
		out, err := exec.Command("ps", "-A", "-o", "pid=,stat=").Output()
		if err != nil {
			t.Fatal(err)
		}
		living := make(map[int]bool)
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			pid, _ := strconv.Atoi(f[0])
			living[pid] = !strings.HasPrefix(f[1], "Z")
		}
		for _, p := range procs {
			if living[p.pid] {
				return false
			}
		}
		return true
	})
}
