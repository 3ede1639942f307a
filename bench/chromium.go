package main

// Chromium alone: the minimum that the browser's protocol needs for each operation, without
// waiting, checks or read-backs. It is not a competing tool, but a lower bound for all tools.

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const chromiumName = "Chromium alone"

// errNotThere means that a lane does not have the operation.
var errNotThere = errors.New("the lane does not have this operation")

// A chromium is a browser with one page, controlled over its pipe. Only one goroutine may use it at
// a time.
type chromium struct {
	cmd     *exec.Cmd
	profile string
	out     *os.File
	in      *bufio.Reader
	files   []*os.File
	session string
	last    int
}

type cdpMessage struct {
	ID     int
	Method string
	Result json.RawMessage
	Error  *struct{ Message string }
}

func startChromium(ctx context.Context, path, dir string) (_ *chromium, err error) {
	c := &chromium{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.stop())
		}
	}()
	if c.profile, err = os.MkdirTemp(dir, "profile-"); err != nil {
		return nil, err
	}
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	in, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	defer theirOut.Close()
	c.out, c.in, c.files = out, bufio.NewReaderSize(in, 1<<16), []*os.File{in, out}

	args := []string{"--headless", "--remote-debugging-pipe", "--no-first-run", "--no-startup-window", "--disable-background-networking",
		"--disable-sync", "--hide-scrollbars", "--disable-features=DeferRendererTasksAfterInput", "--window-size=1280,720", "--user-data-dir=" + c.profile}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	c.cmd = exec.CommandContext(ctx, path, args...)
	c.cmd.Env = environ("HOME="+dir, "TMPDIR="+c.profile)
	c.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.cmd.Cancel = func() error { return syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) }
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	var target struct{ TargetID string }
	if err := c.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	if err := c.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	c.session = attached.SessionID
	if err := c.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil); err != nil {
		return nil, err
	}
	return c, c.call("Page.enable", nil, nil)
}

func (c *chromium) stop() error {
	if c.cmd != nil && c.cmd.Process != nil {
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		_ = c.cmd.Wait()                                      // the error is always "signal: killed"
	}
	for _, f := range c.files {
		f.Close()
	}
	return os.RemoveAll(c.profile)
}

func (c *chromium) Name() string { return chromiumName }

// Do sends the commands of an operation together, except where one depends on the reply to another.
func (c *chromium) Do(_ context.Context, op Args) (Reply, error) {
	began := time.Now()
	text, err := c.do(op)
	return Reply{time.Since(began), text}, err
}

func (c *chromium) Flow(ctx context.Context, ops []Args) (Reply, error) {
	return oneByOne(ctx, c, ops)
}

func (c *chromium) do(op Args) (string, error) {
	switch op[0] {
	case "open":
		return "", c.open(op[1])
	case "click", "check", "uncheck":
		return "", c.press(op[1])
	case "fill":
		// Wait for the focus: on a page that has just loaded, the browser would lose text that is
		// sent together with it.
		if err := c.await(c.evaluate("(e => { e.focus(); e.select() })(" + find(op[1]) + ")")); err != nil {
			return "", err
		}
		return "", c.await(c.send("Input.insertText", map[string]any{"text": op[2]}))
	case "type":
		focus := c.evaluate(find(op[1]) + ".focus()")
		return "", c.await(append(c.keys(op[2]), focus)...)
	case "select":
		_, err := c.value(choice(find(op[1]), op[2]))
		return "", err
	case "get":
		if op[1] == "url" {
			return c.value("location.href")
		}
		return c.value(find(op[2]) + ".innerText")
	case "eval":
		return c.value(op[1])
	case "screenshot":
		return "", c.screenshot(op[1])
	}
	return "", errNotThere
}

// choice returns a script that chooses an option in a list. list is a script whose value is that
// list.
func choice(list, value string) string {
	return fmt.Sprintf("(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return e.value })(%s)", value, list)
}

func find(selector string) string { return fmt.Sprintf("document.querySelector(%q)", selector) }

func (c *chromium) open(url string) error {
	id := c.send("Page.navigate", map[string]any{"url": url})
	answered := false
	for {
		m, err := c.read()
		if err != nil {
			return err
		}
		answered = answered || m.ID == id
		// The event cannot be that of the previous page, which has already loaded.
		if answered && m.Method == "Page.loadEventFired" {
			return nil
		}
	}
}

// press presses the middle of an element: one evaluation to find its position, then three events
// that are sent together.
func (c *chromium) press(selector string) error {
	at, err := c.value("(r => JSON.stringify({x: r.x + r.width / 2, y: r.y + r.height / 2}))(" + find(selector) + ".getBoundingClientRect())")
	if err != nil {
		return err
	}
	ids, err := c.mouse(at)
	if err != nil {
		return err
	}
	return c.await(ids...)
}

// mouse sends a press at a point, given as JSON.
func (c *chromium) mouse(at string) ([]int, error) {
	var point struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(at), &point); err != nil {
		return nil, err
	}
	var ids []int
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		params := map[string]any{"type": kind, "x": point.X, "y": point.Y}
		if kind != "mouseMoved" {
			params["button"], params["clickCount"] = "left", 1
		}
		ids = append(ids, c.send("Input.dispatchMouseEvent", params))
	}
	return ids, nil
}

// keys sends the key events of a text.
func (c *chromium) keys(text string) []int {
	var ids []int
	for _, key := range strings.Split(text, "") {
		ids = append(ids, c.send("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "text": key, "key": key}),
			c.send("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}))
	}
	return ids
}

func (c *chromium) screenshot(path string) error {
	var shot struct{ Data string }
	if err := c.call("Page.captureScreenshot", nil, &shot); err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Clean(path), data, 0o600)
}

func (c *chromium) evaluate(script string) int {
	return c.send("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true})
}

func (c *chromium) value(script string) (string, error) {
	var answer struct {
		Result struct{ Value json.RawMessage }
		// nil if nothing was thrown
		ExceptionDetails json.RawMessage
	}
	if err := c.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &answer); err != nil {
		return "", err
	}
	if answer.ExceptionDetails != nil {
		return "", fmt.Errorf("%s: %s", script, answer.ExceptionDetails)
	}
	return text(answer.Result.Value), nil
}

func (c *chromium) call(method string, params map[string]any, into any) error {
	id := c.send(method, params)
	for {
		m, err := c.read()
		if err != nil {
			return err
		}
		if m.ID != id {
			continue
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(m.Result, into)
	}
}

// send writes a command. The next read reports a closed pipe.
func (c *chromium) send(method string, params map[string]any) int {
	c.last++
	message := map[string]any{"id": c.last, "method": method}
	if params != nil {
		message["params"] = params
	}
	if c.session != "" {
		message["sessionId"] = c.session
	}
	line, err := json.Marshal(message)
	if err == nil {
		_, _ = c.out.Write(append(line, 0))
	}
	return c.last
}

// await reads until all given commands have their replies.
func (c *chromium) await(ids ...int) error {
	open := make(map[int]bool)
	for _, id := range ids {
		open[id] = true
	}
	for len(open) > 0 {
		m, err := c.read()
		if err != nil {
			return err
		}
		delete(open, m.ID)
	}
	return nil
}

func (c *chromium) read() (*cdpMessage, error) {
	line, err := c.in.ReadBytes(0)
	if err != nil {
		return nil, fmt.Errorf("the browser's pipe: %w", err)
	}
	m := &cdpMessage{}
	if err := json.Unmarshal(line[:len(line)-1], m); err != nil {
		return nil, err
	}
	if m.Error != nil {
		return nil, errors.New(m.Error.Message)
	}
	return m, nil
}
