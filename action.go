// Package action embeds the registry in a Go program: load definitions, run actions on
// Chromium, with sources of definitions of the program's own. A program that only runs
// actions may as well speak to the daemon, see docs/protocol.md.
//
// Types of results and errors are those of packages executor, registry and diag; a failure
// that a caller can cause is a [*diag.Error] with a code of docs/errors.md. This package
// starts no daemon, installs no browser and reads no flags; what it needs to know of the
// environment is in [Options].
package action

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/spec"
)

// Options are those of a [Registry]. The zero value finds the definitions that the command
// line would find in the process's folder and environment.
type Options struct {
	// Dir is the folder whose project, with its definitions and configuration, counts, and
	// to which file names of actions are relative. "" is the working directory.
	Dir string
	// Environ has the variables that definitions may read and the ACTION_… settings, as
	// NAME=value. nil is that of the process.
	Environ []string
	// Sources are read beside the builtin definitions, the packages, and the user's and the
	// project's files. See [FS].
	Sources []loader.Source
	// Warn receives what belongs to no result and a person should know, such as a browser
	// that could not be ended. nil drops it. It is called concurrently.
	Warn func(message string)

	MaxSessions int           // sessions at the same time; 0: 32
	Idle        time.Duration // without a call, after which a session's browser ends; 0: 5m, negative: never
}

// A Registry runs actions. It keeps definitions and, by session, browsers. Its methods may be
// called concurrently; calls of one session run one after the other.
type Registry struct{ manager *session.Manager }

// New returns a registry, which must be closed. Nothing is read or started before it is
// needed.
func New(o Options) (*Registry, error) {
	dir := o.Dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return nil, diag.New(diag.InvalidRequest, "the working directory is not known: %v", err).WithHint("set Options.Dir").Because(err)
		}
	}
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	return &Registry{session.NewManager(session.ManagerOptions{
		Cwd: dir, Environ: environ, Sources: o.Sources, Warn: o.Warn, MaxSessions: o.MaxSessions, Idle: o.Idle,
	})}, nil
}

// FS is a source of every definition file (.yaml, .yml) in fsys, such as an embed.FS. The name
// stands in positions and results. The kind is the priority: a source of kind [spec.Package]
// may not use steps that a package may not use; [spec.Project] and [spec.Env] may use all.
func FS(name string, kind spec.SourceKind, fsys fs.FS) loader.Source {
	return files{spec.Source{Kind: kind, Name: name}, fsys}
}

type files struct {
	origin spec.Source
	fsys   fs.FS
}

// Origin implements [loader.Source].
func (f files) Origin() spec.Source { return f.origin }

// Open implements [loader.Source].
func (f files) Open() (*loader.Tree, error) {
	return &loader.Tree{FS: f.fsys, Name: func(path string) string { return f.origin.Name + "/" + path }}, nil
}

// RunOptions are those of one call. Their zero value is a call in the default session with
// the configured limits.
type RunOptions struct {
	Session string        // name of the session; "": default
	Timeout time.Duration // of the whole run, or of the step; 0: the configured one
	Steps   bool          // include every step in the result of a success too
	Debug   bool          // include inputs, decisions, and the context of a failure
	Headed  *bool         // of a browser that is started; nil: as configured
	CDP     string        // port or address of a running browser to use; "": as configured
	Trace   io.Writer     // receives what each step did as JSON lines; nil: no trace
	OnStep  func(executor.StepEvent)
}

func (o RunOptions) call() session.Call {
	return session.Call{
		Session: o.Session, Timeout: o.Timeout, Steps: o.Steps || o.Debug, Debug: o.Debug, Headed: o.Headed, CDP: o.CDP, Trace: o.Trace, OnStep: o.OnStep,
	}
}

// Run runs an action by its full name. Params have the types of JSON. The result is never
// nil; a failure is its Error.
func (r *Registry) Run(ctx context.Context, name string, params map[string]any, o RunOptions) *executor.Result {
	return r.manager.Run(ctx, o.call(), name, params)
}

// Step runs one step of docs/steps.md. The result is never nil; a failure is its Error.
func (r *Registry) Step(ctx context.Context, step string, args map[string]any, o RunOptions) *executor.Result {
	return r.manager.Step(ctx, o.call(), step, args)
}

// DryRun returns what a run would do. No browser is needed.
func (r *Registry) DryRun(ctx context.Context, name string, params map[string]any) *executor.Plan {
	return r.manager.DryRun(ctx, session.Call{}, name, params)
}

// List returns the actions of a namespace, or with "" of all, by name.
func (r *Registry) List(ctx context.Context, namespace string) ([]registry.Item, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	items, err := defs.Registry.List(namespace)
	return items, defs.Explain(err)
}

// Describe returns an action's params, steps, and where each part comes from.
func (r *Registry) Describe(ctx context.Context, name string) (*registry.Description, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	return defs.Describe(name)
}

// Search returns the actions that match words, best first; a limit of 0 is 20.
func (r *Registry) Search(ctx context.Context, words string, limit int) ([]registry.Hit, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	return defs.Registry.Search(words, cmp.Or(limit, 20)), nil
}

// Problems returns what is wrong with definitions and configuration. What they concern is
// left out of runs, so that a program may want to refuse to start with them.
func (r *Registry) Problems(ctx context.Context) (diag.List, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	return defs.All(), nil
}

// CloseSession ends a session and its browser; what runs in it is cancelled.
func (r *Registry) CloseSession(ctx context.Context, name string) error {
	return r.manager.CloseSession(ctx, cmp.Or(name, session.DefaultName))
}

// Close ends all sessions and their browsers.
func (r *Registry) Close(ctx context.Context) error { return r.manager.Close(ctx) }
