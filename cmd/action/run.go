package main

import (
	"context"
	"os"
	"time"

	"actionregistry/diag"
	"actionregistry/executor"
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
	o := session.RunOptions{
		Params: p.params, FromText: true, Debug: debug, Steps: a.globals.Steps || debug,
		Timeout: time.Duration(a.globals.Timeout), Cwd: a.cwd, Environ: a.environ,
	}
	if a.globals.Trace != "" {
		file, err := a.traceFile(p.defs)
		if err != nil {
			return err
		}
		defer file.Close()
		o.Trace = file
	}
	s := session.New(session.Options{
		Definitions: p.defs, Headed: a.globals.Headed,
		Warn: func(message string) { _ = a.printer.Print(a.stderr, warning(message)) },
	})
	bar := a.startProgress(c.Action)
	o.OnStep = func(e executor.StepEvent) { bar.step(e) }
	result := s.Run(ctx, c.Action, o)
	bar.end()
	// The run is over; ending the browser must not be cut short by the interrupt
	// that ended the run.
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	closeErr := s.Close(closing)
	if err := a.showResult(result); err != nil || closeErr == nil {
		return err
	}
	// The result has been told; this is not part of it.
	_ = a.printer.Print(a.stderr, closeErr)
	return errShown{closeErr}
}

// warning prints like an error without a code.
type warning string

func (w warning) Error() string { return "warning: " + string(w) }

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
