package main

// The lanes of agent-browser: its command line and its socket.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const agentName = "agent-browser"

// An agentTool is the native program of the npm package, with its own folder for its daemons.
type agentTool struct {
	binary  string
	environ []string
	// launch is the environment that selects the browser. Only the first call gets it: with it,
	// every later call would query the daemon once more.
	launch  []string
	sockets string
	session string // empty: "default"
}

// agentBinary returns the path of the package's program for this machine. Like the package's
// installer, it bypasses the script around the program, which requires Node.
func agentBinary(peers string) (string, error) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	path := filepath.Join(peers, "node_modules", agentName, "bin", agentName+"-"+runtime.GOOS+"-"+arch)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: run `npm ci --ignore-scripts` in bench/peers", err)
	}
	// The package's install script, which did not run, would do this.
	return path, os.Chmod(path, 0o755)
}

func newAgent(binary, dir, browser string) (*agentTool, error) {
	t := &agentTool{binary: binary, sockets: filepath.Join(dir, "ab")}
	if err := os.MkdirAll(t.sockets, 0o700); err != nil {
		return nil, err
	}
	// Without AGENT_BROWSER_NO_VERSION_CHECK, agent-browser checks over the network whether the
	// browser is outdated.
	t.environ = environ("HOME="+dir, "AGENT_BROWSER_SOCKET_DIR="+t.sockets, "AGENT_BROWSER_NO_VERSION_CHECK=1")
	if browser != "" {
		t.launch = append(t.launch, "AGENT_BROWSER_EXECUTABLE_PATH="+browser)
	}
	if os.Geteuid() == 0 {
		t.launch = append(t.launch, "AGENT_BROWSER_ARGS=--no-sandbox")
	}
	return t, nil
}

func (t *agentTool) name() string {
	if t.session == "" {
		return "default"
	}
	return t.session
}

func (t *agentTool) args(args ...string) []string {
	if t.session != "" {
		args = append(args, "--session", t.session)
	}
	return args
}

// first makes the call that starts the daemon and the browser.
func (t *agentTool) first(ctx context.Context, args ...string) (Reply, error) {
	return runCommand(ctx, append(t.environ[:len(t.environ):len(t.environ)], t.launch...), t.binary, t.args(args...)...)
}

// stop ends the browser and the daemon, and waits for the daemon's end.
func (t *agentTool) stop(ctx context.Context) error {
	pid, err := t.daemonPID()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := runCommand(ctx, t.environ, t.binary, t.args("close")...); err != nil {
		return errors.Join(err, terminate(pid))
	}
	return ended(ctx, pid, 10*time.Second)
}

func (t *agentTool) daemonPID() (int, error) {
	pid, err := os.ReadFile(filepath.Join(t.sockets, t.name()+".pid"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(pid)))
}

func (t *agentTool) dial(ctx context.Context) (*agentSocket, error) {
	lines, err := dialLines(ctx, filepath.Join(t.sockets, t.name()+".sock"))
	if err != nil {
		return nil, err
	}
	return &agentSocket{t, lines}, nil
}

// agentCLI is the lane that starts the program for each operation, while its daemon is running.
type agentCLI struct{ *agentTool }

func (l agentCLI) Name() string { return agentName }

func (l agentCLI) Do(ctx context.Context, op Args) (Reply, error) {
	return runCommand(ctx, l.environ, l.binary, l.args(op...)...)
}

func (l agentCLI) Flow(ctx context.Context, ops []Args) (Reply, error) {
	r, err := runCommand(ctx, l.environ, l.binary, l.args(batch(ops)...)...)
	return lastOf(r), err
}

// batch returns a flow as the arguments of the tool's command batch.
func batch(ops []Args) []string {
	args := []string{"batch", "--bail"}
	for _, op := range ops {
		args = append(args, strings.Join(op, " "))
	}
	return args
}

// lastOf returns the last part of the output of batch; empty lines separate the parts.
func lastOf(r Reply) Reply {
	if at := strings.LastIndex(r.Text, "\n\n"); at >= 0 {
		r.Text = strings.TrimSpace(r.Text[at:])
	}
	return r
}

// agentSocket is a lane that sends the requests of the command line on a single connection.
type agentSocket struct {
	*agentTool
	lines *jsonLines
}

func (l *agentSocket) Name() string { return agentName }

func (l *agentSocket) Do(ctx context.Context, op Args) (Reply, error) {
	var answer struct {
		Success bool
		Error   json.RawMessage
		Data    map[string]json.RawMessage
	}
	elapsed, err := l.lines.ask(ctx, agentRequest(op), &answer)
	if err != nil {
		return Reply{}, err
	}
	if !answer.Success {
		return Reply{}, fmt.Errorf("%s failed: %s", op, answer.Error)
	}
	r := Reply{Elapsed: elapsed}
	for _, name := range []string{"snapshot", "text", "result", "url"} {
		if v, ok := answer.Data[name]; ok {
			r.Text = text(v)
			break
		}
	}
	return r, nil
}

// Flow sends one request after the other, like the tool's command batch.
func (l *agentSocket) Flow(ctx context.Context, ops []Args) (Reply, error) {
	return oneByOne(ctx, l, ops)
}

// agentRequest returns the request that the tool's command line sends for an operation.
func agentRequest(op Args) map[string]any {
	request := map[string]any{"id": "1", "action": op[0]}
	put := func(names ...string) {
		for i, name := range names {
			request[name] = op[1+i]
		}
	}
	switch op[0] {
	case "open":
		request["action"] = "navigate"
		put("url")
	case "fill":
		put("selector", "value")
	case "type":
		put("selector", "text")
	case "select":
		put("selector", "values")
	case "get":
		if op[1] == "url" {
			request["action"] = "url"
		} else {
			request["action"], request["selector"] = "gettext", op[2]
		}
	case "eval":
		request["action"] = "evaluate"
		put("script")
	case "screenshot":
		put("path")
	case "snapshot":
		request["interactive"] = true
	default:
		put("selector")
	}
	return request
}
