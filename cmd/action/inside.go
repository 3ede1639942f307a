package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"actionregistry/cmd/action/forward"
	"actionregistry/daemon"
	"actionregistry/daemon/client"
	"actionregistry/daemon/wire"
	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/registry"
	"actionregistry/session"
)

// commands runs command lines in the daemon, for processes that package forward
// ends before they have come to main. What they do and print is the same.
type commands struct{ parsers *parsers }

// Command runs the command line of a request.
func (c commands) Command(ctx context.Context, req *wire.Request, in daemon.Inside) (*wire.Output, error) {
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, cwd: req.Cwd, now: time.Now, inside: in, parsers: c.parsers}
	for name, value := range req.Env {
		a.environ = append(a.environ, name+"="+value)
	}
	if req.Path != nil {
		a.environ = append(a.environ, "ACTION_PATH="+*req.Path)
	}
	if req.Session != "" {
		a.environ = append(a.environ, "ACTION_SESSION="+req.Session)
	}
	a.setUp(req.Argv)
	err := a.dispatch(ctx, req.Argv)
	if wire.IsDeclined(err) {
		return nil, err
	}
	interrupted, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if errors.Is(context.Cause(ctx), daemon.ErrByRequest) { // not the end of the daemon
		cancel()
	}
	code := a.end(interrupted, err)
	return &wire.Output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}, nil
}

// loadInside is load in the daemon, which has read the definitions of most folders
// before.
func (a *app) loadInside(ctx context.Context) (*session.Definitions, error) {
	var req wire.Request
	a.locate(&req, nil)
	req.Strict = a.globals.Strict
	return a.inside.Definitions(ctx, req)
}

// describeInside is lookUp in the daemon. The variables that an action reads are
// those of the process.
func (a *app) describeInside(ctx context.Context, t *task) (*registry.Description, error) {
	req := wire.Request{Type: wire.TypeDescribe, Action: t.name}
	a.locate(&req, nil)
	data, err := a.inside.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	d, ok := data.(*registry.Description)
	switch {
	case !ok:
		return nil, diag.New(diag.Internal, "the description of %s is a %T", t.name, data).WithHint("please report it")
	case len(d.EnvDeclared) > 0:
		return nil, errReadsEnvironment
	}
	return d, nil
}

// runInside is runAction in the daemon that runs this command, in one go: a browser that
// is needed is started while the definitions are read.
func (a *app) runInside(ctx context.Context, command string, t *task) error {
	helped := false
	result, err := a.inside.Run(ctx, a.request(t), func(d *registry.Description) (wire.Request, error) {
		if len(d.EnvDeclared) > 0 {
			return wire.Request{}, errReadsEnvironment
		}
		params, help, err := a.parseParams(ctx, command+" "+t.name, d, a.rest)
		if help {
			helped, err = true, errHelped
		}
		if err != nil {
			return wire.Request{}, err
		}
		t.params = params
		return a.request(t), nil
	})
	switch {
	case helped:
		return nil
	case err != nil:
		return err
	}
	return a.showTask(t, result)
}

var (
	errReadsEnvironment = wire.Declined("the action reads the environment")
	errHelped           = errors.New("help was wanted") // seen by nobody
)

// performInside does a task in the daemon that runs this command.
func (a *app) performInside(ctx context.Context, t *task) error {
	if a.globals.NoDaemon || a.globals.Trace != "" {
		return wire.Declined("a flag asks for a process of its own")
	}
	data, err := a.inside.Do(ctx, a.request(t))
	if err != nil {
		return err
	}
	result, ok := data.(*executor.Result)
	switch {
	case !ok:
		return diag.New(diag.Internal, "the result of %s is a %T", t.name, data).WithHint("please report it")
	case result.Action == "" && result.Error != nil: // it was refused before it was one
		return result.Error
	}
	return a.showTask(t, result)
}

var errNoProtocol = errors.New("it is not of the protocol")

// lostError is the error of a command that the daemon has begun, and of whose end
// nothing is known.
func lostError(loss *forward.Loss) error {
	switch loss.Why {
	case forward.Interrupted:
		return diag.New(diag.Cancelled, "interrupted").WithHint("see what the daemon does with: action daemon status")
	case forward.Silent:
		return client.Silent(loss.PID, loss.Waits)
	case forward.Closed:
		return client.UnknownOutcome(loss.Cause)
	case forward.Refused:
		e := new(diag.Error)
		if err := json.Unmarshal(loss.Reply, e); err == nil {
			return e
		}
	}
	return wire.BadPeer(errNoProtocol).Because(loss)
}
