package main

import (
	"context"
	"os"

	"actionregistry/diag"
	"actionregistry/session"
)

type runCmd struct{ call }

// Run runs an action and prints its result.
func (c *runCmd) Run(ctx context.Context, a *app) error { return a.runAction(ctx, c.call, false) }

type debugCmd struct{ call }

// Run runs an action and tells every step.
func (c *debugCmd) Run(ctx context.Context, a *app) error { return a.runAction(ctx, c.call, true) }

// prepared is a call whose definitions are loaded and whose flags are parsed.
type prepared struct {
	defs   *session.Definitions
	params map[string]any
}

// prepare looks the action up before its flags are looked at: an unknown action
// is told before unknown flags. A nil result without an error means that help
// was printed.
func (a *app) prepare(ctx context.Context, command string, c call) (*prepared, error) {
	defs, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	a.printer.Source = defs.Source
	resolved, err := defs.Registry.Resolve(c.Action)
	if err != nil {
		return nil, defs.Explain(err)
	}
	strict := a.globals.Strict
	params, helped, err := a.parseParams(command+" "+c.Action, resolved.Action, a.rest)
	if helped || err != nil {
		return nil, err
	}
	if a.globals.Strict && !strict { // it stood behind the name
		if defs, err = a.load(ctx); err != nil {
			return nil, err
		}
	}
	return &prepared{defs, params}, nil
}

func (a *app) runAction(ctx context.Context, c call, debug bool) error {
	command := "run"
	if debug {
		command = "debug"
	}
	p, err := a.prepare(ctx, command, c)
	if p == nil {
		return err
	}
	return a.perform(ctx, &task{name: c.Action, debug: debug, params: p.params, defs: p.defs, env: p.defs.EnvNames(c.Action)})
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
