package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/registry"
)

type runCmd struct{ call }

// Run runs an action and prints its result.
func (c *runCmd) Run(ctx context.Context, a *app) error { return a.runAction(ctx, c.Action, false) }

type debugCmd struct{ call }

// Run runs an action and prints every step.
func (c *debugCmd) Run(ctx context.Context, a *app) error { return a.runAction(ctx, c.Action, true) }

// runAction runs an action, in the turn of its session: a browser that is needed is
// started while the definitions are read, and with them the flags of the action.
func (a *app) runAction(ctx context.Context, name string, debug bool) error {
	command := "run " + name
	if debug {
		command = "debug " + name
	}
	a.readGlobals()
	if a.wantsHelp() {
		return a.helpOf(ctx, command, name)
	}
	backend, err := a.runner()
	if err != nil {
		return err
	}
	bar := a.startProgress(name)
	defer bar.end()
	trace := new(traceFile)
	defer trace.close()
	var missing *missingInput
	result := backend.RunDescribed(ctx, a.callFor(bar, debug, nil), name, func(d *registry.Description) (session.Completion, error) {
		rest, why, err := a.complete(ctx, command, d)
		if err != nil || why != nil {
			missing = why
			return session.Completion{Later: why != nil}, err
		}
		if err := trace.make(ctx, a); err != nil {
			return session.Completion{}, err
		}
		return session.Completion{Call: a.callFor(bar, debug, trace), Params: rest}, nil
	})
	bar.end()
	switch {
	case missing != nil:
		a.missing = missing
		return nil
	case result.Action == "" && result.Error != nil: // it was refused before it was one
		return result.Error
	}
	return a.showResult(result)
}

// complete reads the params of an action. missing is what only the client can give, without
// which nothing is run.
func (a *app) complete(ctx context.Context, command string, d *registry.Description) (params map[string]any, missing *missingInput, err error) {
	if a.remote != nil && !a.remote.EnvWhole && len(d.EnvDeclared) > 0 {
		return nil, &missingInput{env: d.EnvDeclared}, nil
	}
	params, _, missing, err = a.parseParams(ctx, command, d, a.rest)
	return params, missing, err
}

// helpOf prints the flags of an action.
func (a *app) helpOf(ctx context.Context, command, name string) error {
	defs, err := a.load(ctx)
	if err != nil {
		return err
	}
	a.printer.Source = defs.Source
	d, err := defs.Describe(name)
	if err != nil {
		return err
	}
	_, _, _, err = a.parseParams(ctx, command, d, a.rest)
	return err
}

// wantsHelp reports whether the words behind the action's name ask for help.
func (a *app) wantsHelp() bool {
	flags := a.rest
	if end := slices.Index(flags, "--"); end >= 0 {
		flags = flags[:end]
	}
	return slices.Contains(flags, "--help") || slices.Contains(flags, "-h")
}

// runStep does one step by hand. What it was asked for is printed bare when it is one
// value, so that a script can use it.
func (a *app) runStep(ctx context.Context, c *handCommand) error {
	args, err := c.args()
	if err != nil {
		return err
	}
	backend, err := a.runner()
	if err != nil {
		return err
	}
	trace := new(traceFile)
	defer trace.close()
	if err := trace.make(ctx, a); err != nil {
		return err
	}
	bar := a.startProgress(c.entry.Name)
	result := backend.Step(ctx, a.callFor(bar, false, trace), c.entry.Name, args)
	bar.end()
	if result.Action == "" && result.Error != nil {
		return result.Error
	}
	if a.json {
		return a.showResult(result)
	}
	shown := *result
	if m, ok := result.Data.(map[string]any); ok {
		if v, ok := m[steps.Lookup(c.entry.Name).ShownFor(args)]; ok {
			shown.Data = bare{v}
		} else if len(m) == 1 {
			for _, v := range m {
				shown.Data = bare{v}
			}
		}
	}
	if !a.globals.Steps {
		shown.Steps = nil // the one step is the whole
	}
	return a.showResult(&shown)
}

// callFor is a call by the global flags.
func (a *app) callFor(bar *progress, debug bool, trace *traceFile) session.Call {
	c := a.call()
	c.FromText, c.Debug, c.Steps = true, debug, a.globals.Steps || debug
	c.Timeout, c.CDP = time.Duration(a.globals.Timeout), a.globals.CDP
	if a.globals.Headed {
		c.Headed = &a.globals.Headed
	}
	if bar != nil {
		c.OnStep = bar.step
	}
	if trace != nil && trace.file != nil {
		c.Trace = trace.file
	}
	return c
}

// call says for whom something is done: for the place of this command, and in the
// session of --session or ACTION_SESSION.
func (a *app) call() session.Call {
	c := session.Call{Cwd: a.cwd, Strict: a.globals.Strict, Session: a.globals.Session}
	if a.remote != nil {
		c.Path, c.Env = a.remote.Path, a.remote.Env
	}
	if c.Session == "" && !a.globals.NoDaemon {
		c.Session = a.variable("ACTION_SESSION")
	}
	return c
}

func (a *app) variable(name string) string {
	for i := len(a.environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(a.environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// A traceFile is the file of --trace, readable by this user only. Its zero value is none.
type traceFile struct{ file *os.File }

func (t *traceFile) make(ctx context.Context, a *app) error {
	if a.globals.Trace == "" {
		return nil
	}
	var err error
	t.file, err = a.manager().CreateFile(ctx, a.call(), a.globals.Trace)
	if err != nil && diag.As(err) == nil {
		err = diag.New(diag.InvalidRequest, "the trace cannot be written: %v", err).
			WithHint("give --trace a file in a folder that exists").Because(err)
	}
	return err
}

func (t *traceFile) close() {
	if t.file != nil {
		_ = t.file.Close() // what could not be written is a warning of the result
	}
}
