package main

// The lanes of action: its command line and its socket.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const actionName = "action"

// An actionTool is action with its own daemon.
type actionTool struct {
	binary      string
	environ     []string
	socket      string
	definitions string // file with the flows
	session     string // "" means the default session
}

// newAction returns a tool that keeps its files below dir and starts browser. "" means the browser
// that action finds itself.
func newAction(binary, dir, browser, definitions string) (*actionTool, error) {
	runtime := filepath.Join(dir, "run")
	if err := os.MkdirAll(runtime, 0o700); err != nil {
		return nil, err
	}
	t := &actionTool{binary: binary, socket: filepath.Join(runtime, "action", "daemon.sock"), definitions: definitions}
	t.environ = environ("HOME="+dir, "XDG_RUNTIME_DIR="+runtime, "ACTION_PATH="+definitions, "ACTION_POLICY_FILES="+dir)
	if browser != "" {
		t.environ = append(t.environ, "ACTION_BROWSER_PATH="+browser)
	}
	return t, nil
}

// stop ends the daemon and its browsers.
func (t *actionTool) stop(ctx context.Context) error {
	_, err := runCommand(ctx, t.environ, t.binary, "daemon", "stop")
	return err
}

func (t *actionTool) daemonPID(ctx context.Context) (int, error) {
	lines, err := dialLines(ctx, t.socket)
	if err != nil {
		return 0, err
	}
	defer lines.close()
	var answer struct{ Data struct{ PID int } }
	_, err = lines.ask(ctx, map[string]any{"id": 1, "type": "hello"}, &answer)
	return answer.Data.PID, err
}

// actionCLI is a lane that starts the program for each operation.
type actionCLI struct {
	*actionTool
	noDaemon bool // each call starts its own browser, which ends with the call
}

func (l actionCLI) Name() string {
	if l.noDaemon {
		return actionName + " --no-daemon"
	}
	return actionName
}

func (l actionCLI) command(ctx context.Context, args ...string) (Reply, error) {
	if l.noDaemon {
		args = append(args, "--no-daemon")
	}
	if l.session != "" {
		args = append(args, "--session", l.session)
	}
	return runCommand(ctx, l.environ, l.binary, args...)
}

func (l actionCLI) Do(ctx context.Context, op Args) (Reply, error) { return l.command(ctx, op...) }

func (l actionCLI) Flow(ctx context.Context, ops []Args) (Reply, error) {
	return l.command(ctx, "run", flowAction(len(ops)), "--url", ops[0][1])
}

// actionSocket is a lane that sends requests on one connection to the daemon.
type actionSocket struct {
	*actionTool
	lines *jsonLines
}

func (l *actionSocket) Name() string { return actionName }

func (l *actionSocket) Do(ctx context.Context, op Args) (Reply, error) {
	step, args := stepOf(op)
	return l.ask(ctx, map[string]any{"id": 1, "type": "step", "step": step, "args": args})
}

func (l *actionSocket) Flow(ctx context.Context, ops []Args) (Reply, error) {
	return l.ask(ctx, map[string]any{
		"id": 1, "type": "action.run", "action": flowAction(len(ops)), "params": map[string]any{"url": ops[0][1]}, "path": l.definitions,
	})
}

func (l *actionSocket) ask(ctx context.Context, request map[string]any) (Reply, error) {
	if l.session != "" {
		request["session"] = l.session
	}
	var answer struct {
		Success bool
		Error   json.RawMessage
		Data    map[string]json.RawMessage
	}
	elapsed, err := l.lines.ask(ctx, request, &answer)
	if err != nil {
		return Reply{}, err
	}
	if !answer.Success {
		return Reply{}, fmt.Errorf("%s failed: %s", request["type"], answer.Error)
	}
	r := Reply{Elapsed: elapsed}
	for _, name := range []string{"text", "value", "url"} {
		if v, ok := answer.Data[name]; ok {
			r.Text = text(v)
			break
		}
	}
	return r, nil
}

// stepOf converts an operation of the command line to a step and its arguments.
func stepOf(op Args) (string, map[string]any) {
	names := map[string][]string{
		"open": {"url"}, "click": {"selector"}, "check": {"selector"}, "uncheck": {"selector"}, "fill": {"selector", "value"},
		"type": {"selector", "text"}, "select": {"selector", "values"}, "get": {"what", "selector"}, "eval": {"script"}, "screenshot": {"path"},
	}[op[0]]
	args := make(map[string]any)
	for _, arg := range op[1:] {
		flag, isFlag := strings.CutPrefix(arg, "--")
		switch {
		case arg == "-i":
			args["interactive"] = true
		case isFlag:
			name, value, _ := strings.Cut(flag, "=")
			n, _ := strconv.Atoi(value) // only integers are used
			args[strings.ReplaceAll(name, "-", "_")] = n
		default:
			args[names[0]], names = arg, names[1:]
		}
	}
	return op[0], args
}
