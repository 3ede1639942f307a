package engine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience limits every wait of the tests. A passing test never waits that long.
const patience = 30 * time.Second

var shared *chromium

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

// run starts one browser for all tests, and checks that it leaves no process behind.
func run(m *testing.M) int {
	b, err := launch()
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine tests need a Chromium:", err)
		return 1
	}
	shared = b
	code := m.Run()
	if err := b.close(); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		return 1
	}
	return code
}

// A chromium is a browser that is driven over a pipe, with only what these tests need.
type chromium struct {
	cmd  *exec.Cmd
	dir  string
	in   *os.File
	out  *os.File
	done chan struct{} // closed when the reader has ended
	id   atomic.Int64

	mu      sync.Mutex // guards the fields below, and writes to in
	replies map[int64]chan message
	events  map[string]chan message // by session
	targets []string                // tabs that no test uses
}

type message struct {
	ID        int64           `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

func launch() (*chromium, error) {
	var path string
	for _, name := range []string{"chrome-headless-shell", "chromium-headless-shell", "headless_shell", "chromium"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, errors.New("no chromium in PATH")
	}
	dir, err := os.MkdirTemp("", "engine-test-")
	if err != nil {
		return nil, err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--enable-blink-features=ComputedAccessibilityInfo", "--user-data-dir="+filepath.Join(dir, "profile"), "about:blank")
	cmd.ExtraFiles = []*os.File{childIn, childOut}
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	childIn.Close()
	childOut.Close()
	b := &chromium{cmd: cmd, dir: dir, in: in, out: out, done: make(chan struct{}),
		replies: map[int64]chan message{}, events: map[string]chan message{}}
	go b.read()
	return b, nil
}

// close ends the browser and reports processes that it has left behind.
func (b *chromium) close() error {
	_, err := b.call("", "Browser.close", nil)
	select {
	case <-b.done:
	case <-time.After(patience):
		err = errors.Join(err, errors.New("the browser did not close"))
	}
	group := -b.cmd.Process.Pid
	waited := make(chan error, 1)
	go func() { waited <- b.cmd.Wait() }()
	select {
	case <-waited:
	case <-time.After(patience):
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-waited
		err = errors.Join(err, errors.New("the browser did not end"))
	}
	// Helper processes of the group may outlive the browser for a moment.
	if kill := syscall.Kill(group, syscall.SIGKILL); kill != nil && !errors.Is(kill, syscall.ESRCH) {
		err = errors.Join(err, kill)
	}
	b.in.Close()
	b.out.Close()
	err = errors.Join(err, os.RemoveAll(b.dir))
	if _, stat := os.Stat(b.dir); !errors.Is(stat, os.ErrNotExist) {
		err = errors.Join(err, fmt.Errorf("%s is left", filepath.Base(b.dir)))
	}
	return err
}

func (b *chromium) read() {
	defer close(b.done)
	r := bufio.NewReaderSize(b.out, 1<<20)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if m.ID != 0 {
			if c := b.replies[m.ID]; c != nil {
				c <- m
			}
			delete(b.replies, m.ID)
		} else if c := b.events[m.SessionID]; c != nil {
			select {
			case c <- m:
			default: // the channel is full because its test is over
			}
		}
		b.mu.Unlock()
	}
}

func (b *chromium) send(session, method string, params any) (chan message, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if params == nil {
		raw = []byte("{}")
	}
	m := message{ID: b.id.Add(1), SessionID: session, Method: method, Params: raw}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	c := make(chan message, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replies[m.ID] = c
	_, err = b.in.Write(append(text, 0))
	return c, err
}

func (b *chromium) call(session, method string, params any) (json.RawMessage, error) {
	c, err := b.send(session, method, params)
	if err != nil {
		return nil, err
	}
	return b.wait(c, method)
}

func (b *chromium) wait(c chan message, method string) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	select {
	case m := <-c:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-b.done:
		return nil, fmt.Errorf("%s: the browser is gone", method)
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

// A tab is a page with the engine in its isolated world.
type tab struct {
	t       testing.TB
	session string
	world   int // execution context of the engine
	server  *httptest.Server
	events  chan message
}

// open opens a new tab with html, the content of a body or a whole document.
func open(t testing.TB, html string) *tab {
	t.Helper()
	return openFiles(t, map[string]string{"/": html})
}

// openFiles serves files by path and opens "/" in a new tab.
func openFiles(t testing.TB, files map[string]string) *tab {
	t.Helper()
	p := newTab(t, Source())
	p.serve(files)
	return p
}

// serve serves files by path and opens "/".
func (p *tab) serve(files map[string]string) {
	p.t.Helper()
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if !strings.HasPrefix(text, "<!doctype") {
			text = "<!doctype html><title>Test</title><body>" + text
		}
		fmt.Fprint(w, text)
	}))
	p.t.Cleanup(p.server.Close)
	p.navigate("/")
}

// takeTarget returns the id of a tab that an earlier test has left, or of a new one. A new tab has
// its own process, whose start takes longer than most tests. The settings of the earlier test end
// with its session, and its page with the next document.
func takeTarget(t testing.TB) string {
	t.Helper()
	shared.mu.Lock()
	if n := len(shared.targets); n > 0 {
		defer shared.mu.Unlock()
		target := shared.targets[n-1]
		shared.targets = shared.targets[:n-1]
		return target
	}
	shared.mu.Unlock()
	raw, err := shared.call("", "Target.createTarget", map[string]any{"url": "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	var target struct {
		TargetID string `json:"targetId"`
	}
	decode(t, raw, &target)
	return target.TargetID
}

// leave ends a session with a tab, and leaves the tab to another test or closes it.
func (b *chromium) leave(target, session string, good bool) {
	if good {
		_, err := b.call("", "Target.detachFromTarget", map[string]any{"sessionId": session})
		good = err == nil
	}
	b.mu.Lock()
	delete(b.events, session)
	if good {
		b.targets = append(b.targets, target)
	}
	b.mu.Unlock()
	if !good {
		_, _ = b.call("", "Target.closeTarget", map[string]any{"targetId": target}) // the test has already failed
	}
}

// withInner returns the script so that it also exports the given functions of the engine, separated
// by commas, which the Go side does not call.
func withInner(t *testing.T, names string) string {
	t.Helper()
	return altered(t, "Object.freeze({act,", "Object.freeze({"+names+",act,")
}

// altered returns the script with one text replaced by another.
func altered(t *testing.T, old, text string) string {
	t.Helper()
	source := strings.Replace(Source(), old, text, 1)
	if source == Source() {
		t.Fatalf("the script has no %s", old)
	}
	return source
}

func newTab(t testing.TB, source string) *tab {
	t.Helper()
	target := takeTarget(t)
	raw, err := shared.call("", "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})
	if err != nil {
		t.Fatal(err)
	}
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	decode(t, raw, &attached)
	t.Cleanup(func() { shared.leave(target, attached.SessionID, !t.Failed()) })
	p := &tab{t: t, session: attached.SessionID, events: make(chan message, 10000)}
	shared.mu.Lock()
	shared.events[p.session] = p.events
	shared.mu.Unlock()
	p.cdp("Page.enable", nil)
	p.cdp("Runtime.enable", nil)
	p.cdp("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	p.cdp("Emulation.setDeviceMetricsOverride", map[string]any{"width": 800, "height": 600, "deviceScaleFactor": 1, "mobile": false})
	p.cdp("Accessibility.enable", nil)
	p.cdp("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": source, "worldName": "action", "runImmediately": true})
	return p
}

func decode(t testing.TB, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("decoding %s: %v", raw, err)
	}
}

func (p *tab) cdp(method string, params any) json.RawMessage {
	p.t.Helper()
	raw, err := shared.call(p.session, method, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return raw
}

// navigate shows a path and waits for its load event and its engine.
func (p *tab) navigate(path string) {
	p.t.Helper()
	for len(p.events) > 0 {
		<-p.events
	}
	p.cdp("Page.navigate", map[string]any{"url": p.server.URL + path})
	p.world = 0
	var frame struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	decode(p.t, p.cdp("Page.getFrameTree", nil), &frame)
	loaded := false
	timeout := time.After(patience)
	for !loaded || p.world == 0 {
		select {
		case m := <-p.events:
			switch m.Method {
			case "Page.loadEventFired":
				loaded = true
			case "Runtime.executionContextsCleared":
				p.world = 0
			case "Runtime.executionContextCreated":
				p.note(m.Params, frame.FrameTree.Frame.ID)
			}
		case <-timeout:
			p.t.Fatalf("%s did not load", path)
		}
	}
	p.cdp("Accessibility.getRootAXNode", nil)
	p.engineEval(`__action.is({query: {parts: [{kind: 'css', value: 'html'}]}, state: 'visible', kept: true}), 1`)
}

func (p *tab) note(raw json.RawMessage, frame string) {
	var e struct {
		Context struct {
			ID      int    `json:"id"`
			Name    string `json:"name"`
			AuxData struct {
				FrameID string `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
	decode(p.t, raw, &e)
	if e.Context.Name == "action" && e.Context.AuxData.FrameID == frame {
		p.world = e.Context.ID
	}
}

type object = map[string]any

// start calls an engine function without waiting for its result.
func (p *tab) start(fn string, arg any) chan message {
	p.t.Helper()
	c, err := shared.send(p.session, "Runtime.callFunctionOn", map[string]any{
		"executionContextId":  p.world,
		"functionDeclaration": "(m,a)=>__action[m](a)",
		"arguments":           []any{object{"value": fn}, object{"value": arg}},
		"returnByValue":       true,
		"awaitPromise":        true,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

func (p *tab) finish(c chan message) object {
	p.t.Helper()
	raw, err := shared.wait(c, "callFunctionOn")
	if err != nil {
		p.t.Fatal(err)
	}
	return p.value(raw)
}

func (p *tab) value(raw json.RawMessage) object {
	p.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	decode(p.t, raw, &r)
	if e := r.ExceptionDetails; e != nil {
		p.t.Fatalf("exception: %s %s", e.Text, e.Exception.Description)
	}
	v, ok := r.Result.Value.(object)
	if !ok {
		return object{"value": r.Result.Value}
	}
	return v
}

// call calls an engine function.
func (p *tab) call(fn string, arg any) object {
	p.t.Helper()
	return p.finish(p.start(fn, arg))
}

// eval runs an expression in the page's own world.
func (p *tab) eval(script string) any {
	p.t.Helper()
	return p.value(p.cdp("Runtime.evaluate", object{"expression": script, "returnByValue": true, "awaitPromise": true}))["value"]
}

// engineEval runs an expression in the engine's world.
func (p *tab) engineEval(script string) any {
	p.t.Helper()
	return p.value(p.cdp("Runtime.evaluate", object{"expression": script, "returnByValue": true, "awaitPromise": true, "contextId": p.world}))["value"]
}

// engineObject is engineEval of an expression whose value is an object.
func (p *tab) engineObject(script string) object {
	p.t.Helper()
	return p.value(p.cdp("Runtime.evaluate", object{"expression": script, "returnByValue": true, "awaitPromise": true, "contextId": p.world}))
}

// mouse sends a whole click, pipelined as in package browser.
func (p *tab) mouse(point any, button string, count int) {
	p.t.Helper()
	at, ok := point.(object)
	if !ok {
		p.t.Fatalf("no point: %v", point)
	}
	var replies []chan message
	send := func(kind string, clicks int) {
		e := object{"type": kind, "x": at["x"], "y": at["y"], "button": button, "clickCount": clicks}
		if kind == "mouseMoved" {
			e["button"] = "none"
		}
		c, err := shared.send(p.session, "Input.dispatchMouseEvent", e)
		if err != nil {
			p.t.Fatal(err)
		}
		replies = append(replies, c)
	}
	send("mouseMoved", 0)
	for n := 1; n <= count; n++ {
		send("mousePressed", n)
		send("mouseReleased", n)
	}
	for _, c := range replies {
		if _, err := shared.wait(c, "dispatchMouseEvent"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// A part is one part of a query.
type part = object

func css(v string) part   { return part{"kind": "css", "value": v} }
func text(v string) part  { return part{"kind": "text", "value": v} }
func label(v string) part { return part{"kind": "label", "value": v} }
func role(r string, as ...object) part {
	p := part{"kind": "role", "role": r}
	if len(as) > 0 {
		p["attrs"] = as
	}
	return p
}
func named(v any) object { return object{"name": "name", "value": v} }
func with(p part, kv ...any) part {
	out := part{}
	for k, v := range p {
		out[k] = v
	}
	for i := 0; i < len(kv); i += 2 {
		out[kv[i].(string)] = kv[i+1]
	}
	return out
}
func query(parts ...part) object { return object{"parts": parts} }

// str returns the JSON of a value, for messages and comparisons.
func str(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
