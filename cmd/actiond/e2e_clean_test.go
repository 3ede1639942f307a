//go:build linux

package main

// Tests that a run leaves no process and no file, however it ends. They find the descendants of a
// process in /proc by their parents, because the helpers of a browser overwrite their environment.
// The browser is the child of a shell, which runs as long as the browser.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/testkit"
)

// patience bounds every wait of a test. Only a failing test reaches it.
const patience = 30 * time.Second

// A process of this machine. The start time distinguishes it from a later process with the same id.
type process struct {
	pid   int
	start string
}

// stat returns the state, the parent and the identity of a process.
func stat(pid int) (state string, parent int, p process, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0, p, false
	}
	// The name may contain spaces and parentheses.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	parent, err = strconv.Atoi(fields[1])
	if flags, _ := strconv.ParseUint(fields[6], 10, 64); flags&exiting != 0 {
		fields[0] = "X"
	}
	return fields[0], parent, process{pid, fields[19]}, err == nil
}

// exiting is the kernel's flag of a process that is exiting.
const exiting = 4

// descendants lists the processes below pid.
func descendants(t *testing.T, pid int) []process {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	children := make(map[int][]process)
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if _, parent, p, ok := stat(id); ok {
			children[parent] = append(children[parent], p)
		}
	}
	var found []process
	for next := []int{pid}; len(next) > 0; next = next[1:] {
		for _, p := range children[next[0]] {
			found = append(found, p)
			next = append(next, p.pid)
		}
	}
	return found
}

// alive reports whether p is running. A zombie is not.
func (p process) alive() bool {
	state, _, now, ok := stat(p.pid)
	return ok && now == p && state != "Z" && state != "X"
}

// eventually waits for a condition.
var eventually = testkit.Eventually

func allGone(t *testing.T, list []process) {
	t.Helper()
	if len(list) < 2 {
		t.Errorf("the run had %d processes, so that nothing is proved", len(list))
	}
	eventually(t, "the processes of the run end", func() bool {
		return !slices.ContainsFunc(list, process.alive)
	})
}

// tempDir returns an empty folder for temporary files. Its name is short, because a browser puts a
// socket into it.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ac-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A job is a running command. It leads its own process group, like a foreground job of a terminal.
type job struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

func start(t *testing.T, temp string, environ []string, args ...string) *job {
	t.Helper()
	j := &job{Cmd: command(t, append(args, "--no-daemon")...)}
	j.Env = append(append(j.Env, "TMPDIR="+temp), environ...)
	j.Stdout, j.Stderr = &j.stdout, &j.stderr
	j.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	j.WaitDelay = patience
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if j.ProcessState == nil { // the test has failed before it waited
			_ = j.Process.Kill()
			_ = j.Wait()
		}
	})
	return j
}

// end waits for the program and returns its exit code, or -1 if a signal has ended it.
func (j *job) end() int {
	_ = j.Wait() // the exit code contains the outcome
	return j.ProcessState.ExitCode()
}

// interrupt sends SIGINT to the process group, like Ctrl-C.
func (j *job) interrupt(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(-j.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

func (j *job) wantCode(t *testing.T, want int) {
	t.Helper()
	if got := j.end(); got != want {
		t.Errorf("exit code %d, want %d\nstdout: %s\nstderr: %s", got, want, &j.stdout, &j.stderr)
	}
}

// result returns the JSON value on standard output, which must be the only one.
func (j *job) result(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(j.stdout.Bytes(), &v); err != nil {
		t.Fatalf("standard output is not one JSON value: %v\n%s", err, &j.stdout)
	}
	return v
}

func wantClean(t *testing.T, temp string) {
	t.Helper()
	if left := files(t, temp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

// A stage is a site with two pages. A request for /hold is reported to the test, and answered when
// the test closes open. /page is answered immediately, and its script requests /hold.
type stage struct {
	url   string
	asked chan string // the query of each request for /hold
	open  chan struct{}
}

func newStage(t *testing.T) *stage {
	s := &stage{asked: make(chan string, 16), open: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Page</title><p>shown</p><script>fetch("/hold").catch(() => {})</script>`)
	})
	mux.HandleFunc("/hold", func(w http.ResponseWriter, r *http.Request) {
		s.asked <- r.URL.RawQuery
		select {
		case <-s.open:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!DOCTYPE html><title>Held</title><p>answer to %s</p>`, r.URL.Query().Get("who"))
		case <-r.Context().Done():
		}
	})
	s.url = serve(t.Cleanup, mux)
	return s
}

// wait waits for a request for /hold.
func (s *stage) wait(t *testing.T) {
	t.Helper()
	select {
	case <-s.asked:
	case <-time.After(patience):
		t.Fatal("/hold was not requested")
	}
}

func TestNothingLeftAfterARun(t *testing.T) {
	s, temp := newStage(t), tempDir(t)
	j := start(t, temp, nil, "run", "--json", "web:page:read", "--url", s.url+"/hold?who=me")
	s.wait(t)
	list := descendants(t, j.Process.Pid)
	close(s.open)
	j.wantCode(t, exitDone)
	if data, _ := j.result(t)["data"].(map[string]any); data["text"] != "answer to me" {
		t.Errorf("data %v, want the text of the page", data)
	}
	allGone(t, list)
	wantClean(t, temp)
}

// TestNothingLeftAfterAPictureAndATrace checks that a run creates only the files that its arguments
// name.
func TestNothingLeftAfterAPictureAndATrace(t *testing.T) {
	temp := tempDir(t)
	j := start(t, temp, nil, "run", "--json", "web:page:shot", "--path", "shot.png", "--trace", "trace.jsonl")
	j.wantCode(t, exitDone)
	wantClean(t, temp)
	for _, name := range []string{"shot.png", "trace.jsonl"} {
		if info, err := os.Stat(filepath.Join(j.Dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written (%v)", name, err)
		}
	}
}

func TestNothingLeftAfterAFailure(t *testing.T) {
	s, temp := newStage(t), tempDir(t)
	close(s.open)
	j := start(t, temp, nil, "run", "--json", "web:page:read", "--url", s.url+"/page", "--within", "text:absent", "--timeout", "2s")
	s.wait(t)
	list := descendants(t, j.Process.Pid)
	j.wantCode(t, exitFailed)
	allGone(t, list)
	wantClean(t, temp)
}

func TestInterrupt(t *testing.T) {
	testkit.Long(t)
	tests := []struct {
		name string
		args []string
	}{
		{"while a page loads", []string{"run", "web:page:open", "--url", "$URL/hold"}},
		{"while an element is waited for", []string{"run", "web:page:read", "--url", "$URL/page", "--within", "text:absent"}},
		{"in debug", []string{"debug", "web:page:read", "--url", "$URL/page", "--within", "text:absent"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, temp := newStage(t), tempDir(t)
			args := slices.Clone(tt.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "$URL", s.url)
			}
			j := start(t, temp, []string{"ACTION_ACTIONS_DEFAULT_TIMEOUT=20s"}, append([]string{"--json"}, args...)...)
			s.wait(t)
			list := descendants(t, j.Process.Pid)
			j.interrupt(t)
			j.wantCode(t, exitInterrupted)
			if e, _ := j.result(t)["error"].(map[string]any); e["code"] != "CANCELLED" {
				t.Errorf("error %v, want CANCELLED", e)
			}
			allGone(t, list)
			wantClean(t, temp)
		})
	}
}

// TestInterruptWhileTheBrowserStarts interrupts a run while its browser starts, also one whose
// browser never answers.
func TestInterruptWhileTheBrowserStarts(t *testing.T) {
	temp, dir := tempDir(t), t.TempDir()
	fake, started := filepath.Join(dir, "fake-browser"), filepath.Join(dir, "started")
	script := "#!/bin/sh\n: > " + started + "\nsleep 600\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	j := start(t, temp, []string{"ACTION_BROWSER_PATH=" + fake}, "run", "--json", "web:page:read")
	eventually(t, "the browser is started", func() bool { _, err := os.Stat(started); return err == nil })
	list := descendants(t, j.Process.Pid)
	j.interrupt(t)
	j.wantCode(t, exitInterrupted)
	allGone(t, list)
	wantClean(t, temp)
}

func TestBrowserThatDoesNotStart(t *testing.T) {
	tests := []struct{ name, path string }{
		{"it ends at once", "false"},
		{"it is not there", "no-such-browser"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			temp := tempDir(t)
			path, err := exec.LookPath(tt.path)
			if err != nil {
				path = filepath.Join(t.TempDir(), tt.path)
			}
			j := start(t, temp, []string{"ACTION_BROWSER_PATH=" + path}, "run", "--json", "web:page:read")
			j.wantCode(t, exitBrowser)
			if e, _ := j.result(t)["error"].(map[string]any); e["code"] != "BROWSER_UNAVAILABLE" || e["suggestion"] == nil {
				t.Errorf("error %v, want BROWSER_UNAVAILABLE with a next step", e)
			}
			wantClean(t, temp)
		})
	}
}

// TestKill kills the program. Only the guard that runs the browser can clean up.
func TestKill(t *testing.T) {
	s, temp := newStage(t), tempDir(t)
	j := start(t, temp, nil, "run", "web:page:open", "--url", s.url+"/hold")
	s.wait(t)
	list := descendants(t, j.Process.Pid)
	if err := j.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	j.wantCode(t, -1)
	allGone(t, list)
	eventually(t, "the profile folder goes", func() bool { return len(files(t, temp)) == 0 })
}

// TestNextRunSweeps kills all processes at once, as when a container ends. The next run removes the
// remaining profile folder, and nothing else.
func TestNextRunSweeps(t *testing.T) {
	testkit.Long(t)
	s, temp := newStage(t), tempDir(t)
	j := start(t, temp, nil, "run", "web:page:open", "--url", s.url+"/hold")
	s.wait(t)
	list := descendants(t, j.Process.Pid)
	// The guard dies first, so that it cannot clean up.
	for _, p := range slices.Concat([]process{{pid: j.Process.Pid}}, list) {
		if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil && p.alive() {
			t.Fatal(err)
		}
	}
	j.wantCode(t, -1)
	allGone(t, list)
	left := files(t, temp)
	if len(left) != 1 {
		t.Fatalf("the killed run left %v, want one profile folder", left)
	}
	foreign := []string{"action-notes", "action-1x-y", "other"}
	for _, name := range foreign {
		if err := os.Mkdir(filepath.Join(temp, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	start(t, temp, nil, "run", "web:page:read").wantCode(t, exitDone)
	slices.Sort(foreign)
	if now := files(t, temp); !slices.Equal(now, foreign) {
		t.Errorf("after the next run there is %v, want %v: %v was to be swept", now, foreign, left)
	}
}

const visitYAML = `
namespace: visit
version: 1.0.0
env: [{name: SITE, secret: false}]
actions:
  site:twice:
    params: {who: {type: string, required: true}}
    steps:
      - {action: open, args: {url: "${env.SITE}/?who=${who}"}}
      - {action: open, args: {url: "${env.SITE}/?who=${who}"}}
      - {action: get, args: {what: text}, output: page}
    returns: {text: "${steps.page.text}"}
`

// pairs answers requests in pairs, each when the second one has arrived. The answer contains the
// cookies of the request.
func pairs() http.Handler {
	var mu sync.Mutex
	var waiting chan struct{} // closed when the second request arrives; guarded by mu
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		partner := waiting
		if partner == nil {
			waiting = make(chan struct{})
			partner = waiting
		} else {
			close(partner)
			waiting = nil
		}
		mu.Unlock()
		select {
		case <-partner:
		case <-r.Context().Done():
			return
		}
		who := r.URL.Query().Get("who")
		var seen []string
		for _, c := range r.Cookies() {
			seen = append(seen, c.Name)
		}
		http.SetCookie(w, &http.Cookie{Name: "is-" + who, Value: "1"})
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><title>Pair</title><p>%s: %s</p>", who, strings.Join(seen, " "))
	})
}

func TestTwoRunsAtOnce(t *testing.T) {
	site, temp := serve(t.Cleanup, pairs()), tempDir(t)
	path := filepath.Join(t.TempDir(), "visit.yaml")
	if err := os.WriteFile(path, []byte(visitYAML), 0o600); err != nil {
		t.Fatal(err)
	}
	jobs := make(map[string]*job)
	for _, who := range []string{"ada", "grace"} {
		jobs[who] = start(t, temp, []string{"ACTION_PATH=" + path, "SITE=" + site}, "run", "--json", "visit:site:twice", "--who", who)
	}
	for who, j := range jobs {
		j.wantCode(t, exitDone)
		data, _ := j.result(t)["data"].(map[string]any)
		if want := who + ": is-" + who; data["text"] != want {
			t.Errorf("%s saw %q, want %q", who, data["text"], want)
		}
	}
	wantClean(t, temp)
}

// TestOneOfTwoRunsIsKilled checks that neither killing a run nor the cleanup after it affects
// another run.
func TestOneOfTwoRunsIsKilled(t *testing.T) {
	testkit.Long(t)
	s, other, temp := newStage(t), newStage(t), tempDir(t)
	killed := start(t, temp, nil, "run", "--json", "web:page:open", "--url", other.url+"/hold")
	stays := start(t, temp, nil, "run", "--json", "web:page:read", "--url", s.url+"/hold?who=stays")
	other.wait(t)
	s.wait(t)
	list := descendants(t, killed.Process.Pid)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed.wantCode(t, -1)
	allGone(t, list)
	start(t, temp, nil, "run", "web:page:read").wantCode(t, exitDone) // cleans up
	close(s.open)
	stays.wantCode(t, exitDone)
	if data, _ := stays.result(t)["data"].(map[string]any); data["text"] != "answer to stays" {
		t.Errorf("data %v, want the text of the page", data)
	}
	eventually(t, "the temporary folder is empty", func() bool { return len(files(t, temp)) == 0 })
}

func TestDryRunWithoutABrowser(t *testing.T) {
	empty := t.TempDir()
	for _, tt := range []struct {
		name    string
		environ []string
	}{
		{"none in PATH", []string{"PATH=" + empty}},
		{"the configured one is not there", []string{"PATH=" + empty, "ACTION_BROWSER_PATH=" + filepath.Join(empty, "none")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			temp := tempDir(t)
			args := []string{"web:page:read", "--json", "--url", "http://127.0.0.1:9/"}
			j := start(t, temp, tt.environ, append([]string{"dry-run"}, args...)...)
			j.wantCode(t, exitDone)
			plan := j.result(t)
			steps, _ := plan["steps"].([]any)
			if len(steps) != 2 || plan["error"] != nil {
				t.Errorf("plan %s, want two steps", &j.stdout)
			}
			// A run fails, which proves that there is no browser.
			j = start(t, temp, tt.environ, append([]string{"run"}, args...)...)
			j.wantCode(t, exitBrowser)
			wantClean(t, temp)
		})
	}
}
