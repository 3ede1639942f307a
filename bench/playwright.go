package main

// The lanes of Playwright: a script in a running Node process, and one in a new process.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const playwrightName = "Playwright"

// A playwrightTool runs Playwright scripts with one browser.
type playwrightTool struct {
	node, script string
	options      string // options of the launch, as JSON
	environ      []string
}

func newPlaywright(node, peers, dir, browser string) (*playwrightTool, error) {
	// Use the sandbox like the other tools. Playwright's default is no sandbox.
	options, err := json.Marshal(map[string]any{"executablePath": browser, "chromiumSandbox": os.Geteuid() != 0})
	if err != nil {
		return nil, err
	}
	return &playwrightTool{node, filepath.Join(peers, "playwright.mjs"), string(options), environ("HOME=" + dir)}, nil
}

// once runs a flow in a new process. The measured time ends when the result is printed, because
// this tool then closes its browser and the others do not.
func (t *playwrightTool) once(ctx context.Context, ops []Args) (Reply, error) {
	list, err := json.Marshal(ops)
	if err != nil {
		return Reply{}, err
	}
	cmd := exec.CommandContext(ctx, t.node, t.script, "once", t.options, string(list))
	cmd.Env = t.environ
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Reply{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Reply{}, err
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	elapsed := time.Since(began)
	if err := errors.Join(readErr, cmd.Wait()); err != nil {
		return Reply{}, err
	}
	return Reply{elapsed, strings.TrimSpace(line)}, nil
}

// playwrightLane is a running script with an open page.
type playwrightLane struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (t *playwrightTool) serve(ctx context.Context) (*playwrightLane, error) {
	cmd := exec.CommandContext(ctx, t.node, t.script, "serve", t.options)
	// The script closes the browser when it is interrupted. If it were killed, the browser would
	// remain.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Env = t.environ
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &playwrightLane{cmd, in, bufio.NewReaderSize(out, 1<<16)}, nil
}

func (l *playwrightLane) Name() string { return playwrightName }

func (l *playwrightLane) Do(ctx context.Context, op Args) (Reply, error) {
	return l.Flow(ctx, []Args{op})
}

func (l *playwrightLane) Flow(_ context.Context, ops []Args) (Reply, error) {
	return l.ask(map[string]any{"ops": ops})
}

// sideBySide runs a flow concurrently in the given number of sessions.
func (l *playwrightLane) sideBySide(sessions int, ops []Args) (Reply, error) {
	return l.ask(map[string]any{"ops": ops, "sessions": sessions})
}

func (l *playwrightLane) ask(request any) (Reply, error) {
	if err := json.NewEncoder(l.in).Encode(request); err != nil {
		return Reply{}, err
	}
	line, err := l.out.ReadBytes('\n')
	if err != nil {
		return Reply{}, err
	}
	var answer struct {
		MS    float64
		Text  string
		Error string
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return Reply{}, fmt.Errorf("%w in %.200s", err, line)
	}
	if answer.Error != "" {
		return Reply{}, errors.New(answer.Error)
	}
	return Reply{time.Duration(answer.MS * float64(time.Millisecond)), strings.TrimSpace(answer.Text)}, nil
}

func (l *playwrightLane) close() error {
	return errors.Join(l.in.Close(), l.cmd.Wait())
}
