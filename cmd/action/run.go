package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"

	"actionregistry/cmd/action/forward"
	"actionregistry/daemon/client"
	"actionregistry/daemon/endpoint"
	"actionregistry/daemon/wire"
	"actionregistry/diag"
	"actionregistry/registry"
	"actionregistry/session"
)

type runCmd struct{ call }

// Run runs an action and prints its result.
func (c *runCmd) Run(ctx context.Context, a *app) error { return a.runAction(ctx, c.call, false) }

type debugCmd struct{ call }

// Run runs an action and tells every step.
func (c *debugCmd) Run(ctx context.Context, a *app) error { return a.runAction(ctx, c.call, true) }

func (a *app) runAction(ctx context.Context, c call, debug bool) error {
	command := "run"
	if debug {
		command = "debug"
	}
	t := &task{name: c.Action, debug: debug}
	if a.isPlain() {
		if a.inside != nil {
			return a.runInside(ctx, command, t)
		}
		if handed, err := a.handOver(ctx, t); handed || err != nil {
			return err
		}
	}
	d, err := a.lookUp(ctx, t)
	if t.daemon != nil {
		defer t.daemon.Close()
	}
	if err != nil {
		return err
	}
	params, helped, err := a.parseParams(ctx, command+" "+c.Action, d, a.rest)
	if helped || err != nil {
		return err
	}
	t.params, t.env = params, d.EnvDeclared
	return a.perform(ctx, t)
}

// unplain are the flags with which a run is help, or not the daemon's, or in another
// session or browser, or by other definitions.
var unplain = []string{"--help", "-h", "--no-daemon", "--trace", "--session", "--headed", "--cdp", "--strict"}

// isPlain reports whether a command line that runs an action has none of these flags.
// What follows the name can be read only when the action is known: a value that looks
// like such a flag counts as one, which only takes longer.
func (a *app) isPlain() bool {
	return !slices.ContainsFunc(a.rest, func(word string) bool {
		flag, _, _ := strings.Cut(word, "=")
		return slices.Contains(unplain, flag)
	})
}

// handOver starts the daemon where none runs, and has it run this command line, as
// package forward would have had it: it reads the definitions while it starts the
// browser, and this process reads none. handed is false where a process of its own must
// run it; then nothing is done yet.
func (a *app) handOver(ctx context.Context, t *task) (handed bool, err error) {
	c, err := a.connect(ctx)
	if err != nil {
		return false, err
	}
	if t.daemon = c; forward.Asked() || a.isWatched() {
		return false, nil
	}
	req := wire.Request{Type: wire.TypeCommand, Argv: a.args, Program: endpoint.Program(), Session: a.variable("ACTION_SESSION")}
	a.locate(&req, nil)
	var stdout strings.Builder
	reply, err := c.Stream(ctx, req, func(e wire.Event) {
		var out wire.Output
		if e.Event == wire.EventOutput && json.Unmarshal(e.Data, &out) == nil {
			stdout.WriteString(out.Stdout)
		}
	})
	if wire.IsDeclined(err) {
		return false, nil
	}
	t.daemon = nil
	defer c.Close()
	if err != nil {
		return true, a.interrupted(ctx, err)
	}
	var out wire.Output
	if err := reply.Decode(&out); err != nil {
		return true, err
	}
	_, err = io.WriteString(a.stdout, stdout.String()+out.Stdout)
	if _, err2 := io.WriteString(a.stderr, out.Stderr); (err != nil || err2 != nil) && out.Exit == exitDone {
		out.Exit = exitFailed
	}
	if out.Exit != exitDone {
		return true, errShown{exited(out.Exit)}
	}
	return true, nil
}

// lookUp describes the action of a task, before its flags are looked at: an
// unknown action is told before unknown flags. The daemon is asked if one runs: it
// has the definitions, and of a broken file the last good version.
func (a *app) lookUp(ctx context.Context, t *task) (*registry.Description, error) {
	if a.inside != nil {
		return a.describeInside(ctx, t)
	}
	if t.daemon == nil && !a.globals.NoDaemon && !slices.Contains(a.rest, "--no-daemon") {
		// None is started: it may be help that is wanted.
		c, err := client.Ensure(ctx, client.Options{Patience: a.patience()})
		if err != nil && !wire.IsNoDaemon(err) {
			return nil, a.interrupted(ctx, err)
		}
		t.daemon = c
	}
	if t.daemon != nil {
		req := wire.Request{Type: wire.TypeDescribe, Action: t.name}
		a.locate(&req, nil)
		reply, err := t.daemon.Call(ctx, req)
		if err != nil {
			return nil, a.interrupted(ctx, err)
		}
		d := new(registry.Description)
		return d, reply.Decode(d)
	}
	defs, err := a.definitions(ctx, t)
	if err != nil {
		return nil, err
	}
	a.printer.Source = defs.Source
	return defs.Describe(t.name)
}

// prepare reads the params of an action with the definitions of this process. A
// nil result without an error means that help was printed.
func (a *app) prepare(ctx context.Context, command string, c call) (*session.Definitions, map[string]any, error) {
	defs, err := a.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	a.printer.Source = defs.Source
	d, err := defs.Describe(c.Action)
	if err != nil {
		return nil, nil, err
	}
	strict := a.globals.Strict
	params, helped, err := a.parseParams(ctx, command+" "+c.Action, d, a.rest)
	if helped || err != nil {
		return nil, nil, err
	}
	if a.globals.Strict && !strict { // it stood behind the name
		if defs, err = a.load(ctx); err != nil {
			return nil, nil, err
		}
	}
	return defs, params, nil
}

// traceFile makes the file of --trace, readable by this user only.
func (a *app) traceFile(defs *session.Definitions) (*os.File, error) {
	file, err := defs.CreateFile(a.cwd, a.globals.Trace)
	if err != nil {
		if diag.As(err) != nil {
			return nil, err
		}
		return nil, diag.New(diag.InvalidRequest, "the trace cannot be written: %v", err).
			WithHint("give --trace a file in a folder that exists").Because(err)
	}
	return file, nil
}
