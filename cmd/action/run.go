package main

import (
	"context"
	"os"
	"slices"

	"actionregistry/daemon/client"
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
	d, err := a.lookUp(ctx, t)
	if t.daemon != nil {
		defer t.daemon.Close()
	}
	if err != nil {
		return err
	}
	params, helped, err := a.parseParams(command+" "+c.Action, d, a.rest)
	if helped || err != nil {
		return err
	}
	t.params, t.env = params, d.EnvDeclared
	return a.perform(ctx, t)
}

// lookUp describes the action of a task, before its flags are looked at: an
// unknown action is told before unknown flags. The daemon is asked if one runs: it
// has the definitions, and of a broken file the last good version.
func (a *app) lookUp(ctx context.Context, t *task) (*registry.Description, error) {
	if a.inside != nil {
		return a.describeInside(ctx, t)
	}
	if !a.globals.NoDaemon && !slices.Contains(a.rest, "--no-daemon") {
		// None is started: it may be help that is wanted.
		c, err := client.Ensure(ctx, client.Options{})
		if err == nil {
			t.daemon = c
			req := wire.Request{Type: wire.TypeDescribe, Action: t.name}
			a.locate(&req, nil)
			reply, err := c.Call(ctx, req)
			if err != nil {
				return nil, a.interrupted(ctx, err)
			}
			d := new(registry.Description)
			return d, reply.Decode(d)
		}
		if diag.CodeOf(err) != diag.BrowserUnavailable {
			return nil, a.interrupted(ctx, err)
		}
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
	params, helped, err := a.parseParams(command+" "+c.Action, d, a.rest)
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
	path, err := defs.Files(a.cwd).WritePath(a.globals.Trace)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err == nil {
		err = file.Chmod(0o600) // the mode above is for new files only
	}
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "the trace cannot be written: %v", err).
			WithHint("give --trace a file in a folder that exists").Because(err)
	}
	return file, nil
}
