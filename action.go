// Package action embeds the registry in a Go program. It loads definitions, including the
// program's own sources, and runs actions in Chromium. A program that only runs actions can use
// the daemon instead, see docs/protocol.md.
//
// The types of results and errors are those of packages executor, registry and diag. A failure
// that a caller can cause is a [*diag.Error] with a code of docs/errors.md. This package starts
// no daemon, installs no browser and reads no flags. [Options] holds what it uses of the
// environment.
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

// Options configures a [Registry]. With the zero value, the registry has the same definitions as
// the command line in the working directory and the environment of the process.
type Options struct {
	// Dir is the folder in which the registry works. It determines the project, with its definitions
	// and configuration. Actions resolve relative file names in Dir. "" means the working directory of
	// the process.
	Dir string
	// Environ holds environment variables as NAME=value: those that definitions may read, and the
	// settings ACTION_…. Nil means the environment of the process.
	Environ []string
	// Sources holds additional definitions, such as those of [FS]. The registry always reads the
	// builtin definitions, the packages, and the files of the user and the project.
	Sources []loader.Source
	// Warn receives warnings that are not part of a result, such as a browser that could not be ended.
	// Nil discards them. Warn may be called concurrently.
	Warn func(message string)

	MaxSessions int           // sessions at the same time; 0 means 32
	Idle        time.Duration // idle time after which a session's browser ends; 0 means 5m, negative means never
}

// A Registry runs actions. It keeps the definitions, and one browser for each session. Its methods
// may be called concurrently; calls in the same session run one after the other.
type Registry struct{ manager *session.Manager }

// New returns a registry. The caller must close it. New reads no files and starts no browser.
func New(o Options) (*Registry, error) {
	dir := o.Dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return nil, diag.New(diag.InvalidRequest, "the working directory cannot be determined: %v", err).WithHint("set Options.Dir").Because(err)
		}
	}
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	return &Registry{session.NewManager(session.ManagerOptions{
		Embedded: true, Cwd: dir, Environ: environ, Sources: o.Sources, Warn: o.Warn, MaxSessions: o.MaxSessions, Idle: o.Idle,
	})}, nil
}

// FS returns a source of all definition files (.yaml, .yml) in fsys, such as an embed.FS. Positions
// and results show the name. The kind determines the priority of the source, and which steps its
// actions may use. Actions of the kinds [spec.Project] and [spec.Env] may use all steps. Actions of
// the kind [spec.Package] may use only the steps that are allowed for packages.
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

// RunOptions configures one run or one step. The zero value means the default session and the
// configured limits.
type RunOptions struct {
	Session string        // name of the session; "" means default
	Timeout time.Duration // time limit of the whole run, or of the step; 0 means the configured limit
	Steps   bool          // include every step in the result even if the run succeeds
	Debug   bool          // include inputs, decisions, and the context of a failure
	Headed  *bool         // show the window of a browser that is started; nil means as configured
	CDP     string        // port or address of a running browser to use; "" means as configured
	Trace   io.Writer     // receives a trace of every step as JSON lines; nil means no trace
	// OnStep is called when a step ends. If a step waits for a person (see [Registry.Resume]), OnStep
	// is also called when the wait begins, with the status [executor.Waiting].
	OnStep func(executor.StepEvent)
	// Approve decides whether a step or an action may run. It is called if policy.approve or a
	// definition requires an approval. If it returns false, it may return a reason. ctx ends when
	// policy.approve_timeout has passed or the run has ended. Approve must then return, and its result
	// is ignored. Nil approves nothing: the step fails with POLICY_DENIED.
	Approve func(ctx context.Context, r *executor.ApprovalRequest) (yes bool, reason string)
}

func (o RunOptions) call() session.Call {
	return session.Call{
		Answer: o.Approve, Session: o.Session, Timeout: o.Timeout, Steps: o.Steps || o.Debug, Debug: o.Debug, Headed: o.Headed, CDP: o.CDP, Trace: o.Trace, OnStep: o.OnStep,
	}
}

// Run runs an action by its full name. The values of params are those of JSON, such as string,
// float64 and []any. The result is never nil. If the run failed, Error of the result is set.
func (r *Registry) Run(ctx context.Context, name string, params map[string]any, o RunOptions) *executor.Result {
	return r.manager.Run(ctx, o.call(), name, params)
}

// Step runs one of the steps that docs/steps.md lists. The result is never nil. If the step failed,
// Error of the result is set.
func (r *Registry) Step(ctx context.Context, step string, args map[string]any, o RunOptions) *executor.Result {
	return r.manager.Step(ctx, o.call(), step, args)
}

// DryRun returns the plan of a run without running anything. It needs no browser.
func (r *Registry) DryRun(ctx context.Context, name string, params map[string]any) *executor.Plan {
	return r.manager.DryRun(ctx, session.Call{}, name, params)
}

// List returns the actions of a namespace, sorted by name. An empty namespace means all namespaces.
func (r *Registry) List(ctx context.Context, namespace string) ([]registry.Item, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	items, err := defs.Registry.List(namespace)
	return items, defs.Explain(err)
}

// Describe returns the params and the steps of an action, and where they are defined.
func (r *Registry) Describe(ctx context.Context, name string) (*registry.Description, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	return defs.Describe(name)
}

// Search returns the actions that match words, best first. A limit of 0 means 20.
func (r *Registry) Search(ctx context.Context, words string, limit int) ([]registry.Hit, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	return defs.Registry.Search(words, cmp.Or(limit, 20)), nil
}

// Problems returns the problems found in the definitions and the configuration. Runs leave out the
// affected definitions. A program may want to call Problems when it starts.
func (r *Registry) Problems(ctx context.Context) (diag.List, error) {
	defs, err := r.manager.Definitions(ctx, session.Call{})
	if err != nil {
		return nil, err
	}
	return defs.All(), nil
}

// Resume continues a run in which the step "handoff" waits for a person. An empty name means the
// default session. If no step waits in the session, the error is INVALID_REQUEST.
func (r *Registry) Resume(session string) error {
	_, err := r.manager.Resume(session)
	return err
}

// CloseSession ends a session and its browser. It cancels a running call.
func (r *Registry) CloseSession(ctx context.Context, name string) error {
	return r.manager.CloseSession(ctx, cmp.Or(name, session.DefaultName))
}

// Close ends all sessions and their browsers.
func (r *Registry) Close(ctx context.Context) error { return r.manager.Close(ctx) }
