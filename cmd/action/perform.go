package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"actionregistry/cmd/action/forward"
	"actionregistry/daemon/client"
	"actionregistry/daemon/endpoint"
	"actionregistry/daemon/wire"
	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/session"
	"actionregistry/steps"
)

// A task is what run, debug and the steps by hand have done: an action, or one
// step.
type task struct {
	name   string
	step   bool
	debug  bool
	params map[string]any       // text, as the command line has it
	strict bool                 // so the definitions were loaded
	env    []string             // names of the variables that it may read
	defs   *session.Definitions // nil until they are needed in this process
	daemon *client.Client       // nil until it is needed, or known to run
}

// definitions are those of a task. One that the daemon does needs none, unless it
// writes a trace.
func (a *app) definitions(ctx context.Context, t *task) (*session.Definitions, error) {
	if t.defs != nil && t.strict == a.globals.Strict {
		return t.defs, nil
	}
	t.strict = a.globals.Strict // it may stand behind the name, and count from then on
	if t.step && !t.strict {
		t.defs = session.LoadSettings(session.LoadOptions{Cwd: a.cwd, Environ: a.environ})
		return t.defs, nil
	}
	var err error
	t.defs, err = a.load(ctx)
	return t.defs, err
}

// perform does a task, in the daemon unless --no-daemon is given, and prints its
// result.
func (a *app) perform(ctx context.Context, t *task) error {
	if a.inside != nil {
		return a.performInside(ctx, t)
	}
	var trace *os.File
	if a.globals.Trace != "" {
		defs, err := a.definitions(ctx, t)
		if err != nil {
			return err
		}
		if trace, err = a.traceFile(defs); err != nil {
			return err
		}
		defer trace.Close()
	}
	if a.globals.NoDaemon {
		return a.performHere(ctx, t, trace)
	}
	return a.performThere(ctx, t, trace)
}

// performHere does a task in this process, with a browser of its own.
func (a *app) performHere(ctx context.Context, t *task, trace *os.File) error {
	if a.globals.Session != "" {
		return diag.New(diag.InvalidRequest, "--session is for the daemon, which --no-daemon leaves out").WithHint("give one of the two")
	}
	defs, err := a.definitions(ctx, t)
	if err != nil {
		return err
	}
	o := session.RunOptions{
		Params: t.params, FromText: true, Debug: t.debug, Steps: a.globals.Steps || t.debug,
		Timeout: time.Duration(a.globals.Timeout), Cwd: a.cwd, Environ: a.environ,
	}
	if trace != nil {
		o.Trace = trace
	}
	s := session.New(session.Options{Definitions: defs, Headed: a.globals.Headed, CDP: a.globals.CDP, Warn: a.warn})
	bar := a.startProgress(t.name)
	o.OnStep = bar.step
	var result *executor.Result
	if t.step {
		result = s.Step(ctx, t.name, o)
	} else {
		result = s.Run(ctx, t.name, o)
	}
	bar.end()
	// The run is over; ending the browser must not be cut short by the interrupt
	// that ended the run.
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	closeErr := s.Close(closing)
	if err := a.showTask(t, result); err != nil || closeErr == nil {
		return err
	}
	// The result has been told; this is not part of it.
	_ = a.printer.Print(a.stderr, closeErr)
	return errShown{closeErr}
}

// performThere has the daemon do a task. An interrupt cancels it there, too.
func (a *app) performThere(ctx context.Context, t *task, trace *os.File) error {
	// The one that described the action may be of another build.
	c, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	bar := a.startProgress(t.name)
	req := a.request(t)
	req.Stream, req.Trace = bar != nil, trace != nil
	var traceErr error
	reply, err := c.Stream(ctx, req, func(e wire.Event) {
		switch e.Event {
		case wire.EventStep:
			var step executor.StepEvent
			if json.Unmarshal(e.Data, &step) == nil { // it is only shown
				bar.step(step)
			}
		case wire.EventTrace:
			if traceErr == nil {
				_, traceErr = trace.Write(append(e.Data, '\n'))
			}
		}
	})
	bar.end()
	if reply == nil {
		return a.interrupted(ctx, err)
	}
	result, err := reply.Result()
	if err != nil {
		return err
	}
	if result.Action == "" && reply.Error != nil { // it was refused before it was one
		return reply.Error
	}
	if traceErr != nil {
		result.Warnings = append(result.Warnings, executor.Warning{Code: "trace", Message: "the trace is not complete: " + traceErr.Error()})
	}
	return a.showTask(t, result)
}

func (a *app) request(t *task) wire.Request {
	req := wire.Request{
		Type: wire.TypeRun, Session: a.session(), FromText: true, Strict: a.globals.Strict,
		Steps: a.globals.Steps, Timeout: wire.Duration(a.globals.Timeout), CDP: a.globals.CDP,
	}
	a.locate(&req, t.env)
	if a.globals.Headed {
		req.Headed = &a.globals.Headed
	}
	switch {
	case t.step:
		req.Type, req.Step, req.Args, req.Strict = wire.TypeStep, t.name, t.params, false
		return req
	case t.debug:
		req.Type = wire.TypeDebug
	}
	req.Action, req.Params = t.name, t.params
	return req
}

// locate says whose definitions answer a request: those of this command, in its
// folder and with its environment, of which the daemon gets the settings, and the
// variables with these names.
func (a *app) locate(req *wire.Request, names []string) {
	req.Cwd = a.cwd
	req.Path, _, req.Env = forward.Environ(a.environ) // the session is that of the command line
	wanted := make(map[string]bool)
	for _, name := range names {
		wanted[name] = true
	}
	for _, kv := range a.environ {
		if name, value, _ := strings.Cut(kv, "="); wanted[name] {
			req.Env[name] = value
		}
	}
}

// session is the one of --session or ACTION_SESSION; "" leaves it to the daemon.
func (a *app) session() string {
	if a.globals.Session != "" {
		return a.globals.Session
	}
	return a.variable("ACTION_SESSION")
}

func (a *app) variable(name string) string {
	for i := len(a.environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(a.environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// connect returns a connection to the daemon of this build, which is started if
// need be.
func (a *app) connect(ctx context.Context) (*client.Client, error) {
	c, _, err := a.ensure(ctx)
	return c, a.interrupted(ctx, err)
}

// ensure is connect; started reports whether there was no daemon before.
func (a *app) ensure(ctx context.Context) (c *client.Client, started bool, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, false, diag.New(diag.BrowserUnavailable, "the daemon cannot be started: %v", err).
			WithHint("start it with: action daemon run").Because(err)
	}
	start := client.Process(program, []string{"daemon", "run", "--ready", "--cwd", a.cwd}, nil)
	c, err = client.Ensure(ctx, client.Options{
		Build: wire.CurrentBuild(buildVersion()), Patience: a.patience(),
		Start: func(ctx context.Context) error {
			err := start(ctx)
			started = started || err == nil
			return err
		},
	})
	return c, started, err
}

// dial returns a connection to the daemon that runs, or nil when there is none.
func (a *app) dial(ctx context.Context) (*client.Client, error) {
	c, err := client.Dial(ctx, "")
	if wire.IsNoDaemon(err) {
		return nil, nil
	}
	if err == nil {
		c.Bound(a.patience())
	}
	return c, err
}

// patience is that of the command, from now on. The flag may stand where it has not
// been read yet.
func (a *app) patience() endpoint.Patience {
	return endpoint.Patience{Began: time.Now(), Limit: endpoint.Limit(a.args)}
}

// interrupted makes an error that an interrupt has led to say so.
func (a *app) interrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || diag.CodeOf(err) == diag.Cancelled {
		return err
	}
	return diag.New(diag.Cancelled, "interrupted").WithHint("see what the daemon does with: action daemon status").Because(err)
}

func (a *app) warn(message string) { _ = a.printer.Print(a.stderr, warning(message)) }

// warning prints like an error without a code.
type warning string

func (w warning) Error() string { return "warning: " + string(w) }

// showTask prints the result of a task. What a step by hand was asked for comes
// bare when it is one value, so that a script can use it.
func (a *app) showTask(t *task, r *executor.Result) error {
	if !t.step || a.json {
		return a.showResult(r)
	}
	shown := *r
	if m, ok := r.Data.(map[string]any); ok {
		if v, ok := m[steps.Lookup(t.name).ShownFor(t.params)]; ok {
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
