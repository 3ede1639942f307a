package ops

// The operations about actions, steps and definitions.

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/registry"
)

const actionPath = "/api/v1/actions/{ns}/{component}/{verb}"

var runEvents = []string{wire.EventStep, wire.EventTrace}

func actionOps() []*Operation {
	return []*Operation{
		Define(Operation{
			Doc: "Runs an action.", Scope: Run, Effects: true, Events: runEvents, Whole: true,
			HTTP: Route{Method: "POST", Path: actionPath},
		}, func(ctx context.Context, c *Call, m *wire.RunRequest) (*executor.Result, error) {
			return c.Backend.Run(ctx, c.runCall(m), m.Action, m.Params), nil
		}),
		Define(Operation{
			Doc:   "Runs an action; the result has each step's input, decision and time, and on failure the context.",
			Scope: Run, Effects: true, Events: runEvents, Whole: true,
			HTTP: Route{Method: "POST", Path: actionPath + "/debug"},
		}, func(ctx context.Context, c *Call, m *wire.DebugRequest) (*executor.Result, error) {
			call := c.runCall(&m.RunRequest)
			call.Debug, call.Steps = true, true
			return c.Backend.Run(ctx, call, m.Action, m.Params), nil
		}),
		Define(Operation{
			Doc: "Returns the plan of a run, without a browser.", Scope: Run,
			HTTP: Route{Method: "POST", Path: actionPath + "/dry-run"},
		}, dryRun),
		Define(Operation{
			Doc: "Lists the actions, and the problems because of which actions are missing.", Scope: Read,
			HTTP: Route{Method: "GET", Path: "/api/v1/actions"},
		}, list),
		Define(Operation{
			Doc:  "Describes an action: params, steps, where each part comes from.",
			More: "For the name of a namespace: its version, sources, files, variables and actions.", Scope: Read,
			HTTP: Route{Method: "GET", Path: actionPath},
		}, describe),
		Define(Operation{
			Doc: "Finds the actions that match words, best first.", Scope: Read,
			HTTP: Route{Method: "GET", Path: "/api/v1/actions", Query: "q=query"},
		}, search),
		Define(Operation{
			Doc:   "Checks definition files together with all definitions in force in `cwd`.",
			More:  "`valid` says whether they have no errors.",
			Scope: Admin,
		}, validate),
		Define(Operation{
			Doc: "Reads the definition files again.",
			More: "The daemon also does so when a file changes. A run in progress keeps the definitions that it " +
				"began with. For a broken file the last good version stays in use.",
			Scope: Admin, HTTP: Route{Method: "POST", Path: "/api/v1/reload"},
		}, func(ctx context.Context, c *Call, m *wire.ReloadRequest) (*wire.Reloaded, error) {
			r, err := c.Backend.Reload(ctx, at("", &m.Location))
			return (*wire.Reloaded)(r), err
		}),
		Define(Operation{
			Doc: "Runs one manual step, by any of its names in the catalogue.",
			More: "The reply is the result of a run. For an unknown step, its error is `INVALID_REQUEST`. For a missing argument, it is " +
				"`PARAM_REQUIRED`.",
			Scope: Run, Effects: true, Events: runEvents, Whole: true,
			HTTP: Route{Method: "POST", Path: sessionPath + "/{id}/steps/{step}"},
		}, func(ctx context.Context, c *Call, m *wire.StepRequest) (*executor.Result, error) {
			call := c.withOptions(at("", &m.Location), &m.RunOptions)
			call.FromText = m.FromText
			return c.Backend.Step(ctx, call, m.Step, m.Args), nil
		}),
	}
}

func dryRun(ctx context.Context, c *Call, m *wire.DryRunRequest) (*executor.Plan, error) {
	plan := c.Backend.DryRun(ctx, actionCall(&m.ActionCall, &m.Location), m.Action, m.Params)
	if plan.Error != nil {
		return nil, plan.Error
	}
	return plan, nil
}

// Actions is the result of action.list. It has either actions or namespaces.
type Actions struct {
	Actions    []registry.Item    `json:"actions,omitzero"`
	Namespaces []registry.Summary `json:"namespaces,omitzero"`
	Problems   diag.List          `json:"problems"`
}

func list(ctx context.Context, c *Call, m *wire.ListRequest) (*Actions, error) {
	k := at("", &m.Location)
	k.Strict = m.Strict
	defs, err := c.Backend.Definitions(ctx, k)
	if err != nil {
		return nil, err
	}
	out := &Actions{Problems: nonNil(defs.Problems)}
	if m.Namespaces {
		out.Namespaces = nonNil(defs.Registry.Summaries())
		return out, nil
	}
	items, err := defs.Registry.List(m.Namespace)
	if err != nil {
		return nil, defs.Explain(err)
	}
	out.Actions = nonNil(items)
	return out, nil
}

// Description is the result of action.describe.
type Description struct {
	one any // *registry.Description, *registry.NamespaceDescription or *DescriptionText
}

// DescriptionText is the result of action.describe with the format text.
type DescriptionText struct {
	Text string `json:"text"`
}

// Shapes implements [Shaped].
func (Description) Shapes() []any {
	return []any{registry.Description{}, registry.NamespaceDescription{}, DescriptionText{}}
}

// MarshalJSON encodes the description of an action or a namespace, or the text.
func (d Description) MarshalJSON() ([]byte, error) { return marshal(d.one) }

func describe(ctx context.Context, c *Call, m *wire.DescribeRequest) (Description, error) {
	defs, err := c.Backend.Definitions(ctx, at("", &m.Location))
	if err != nil {
		return Description{}, err
	}
	var d interface{ Text() string }
	if defs.Registry.Namespace(m.Action) != nil {
		d, err = defs.Registry.DescribeNamespace(m.Action)
	} else {
		d, err = defs.Describe(m.Action)
	}
	if err != nil {
		return Description{}, err
	}
	if m.Format == "text" {
		return Description{&DescriptionText{d.Text()}}, nil
	}
	return Description{d}, nil
}

// Found is the result of action.search.
type Found struct {
	Actions []registry.Hit `json:"actions"`
}

// defaultHits is the maximum number of hits of a search without a limit.
const defaultHits = 20

func search(ctx context.Context, c *Call, m *wire.SearchRequest) (*Found, error) {
	defs, err := c.Backend.Definitions(ctx, at("", &m.Location))
	if err != nil {
		return nil, err
	}
	return &Found{nonNil(defs.Registry.Search(m.Query, cmp.Or(max(m.Limit, 0), defaultHits)))}, nil
}

// Validation is the result of action.validate.
type Validation struct {
	Actions  int       `json:"actions"`
	Errors   diag.List `json:"errors"`
	Files    []string  `json:"files"`
	Valid    bool      `json:"valid"`
	Warnings diag.List `json:"warnings"`
}

// validate checks the files in the field "paths" of a request. If there are none, it checks those
// in the field "path".
func validate(ctx context.Context, c *Call, m *wire.ValidateRequest) (*Validation, error) {
	paths, where := m.Paths, m.Location
	if len(paths) == 0 && m.Path != nil && *m.Path != "" {
		paths, where.Path = filepath.SplitList(*m.Path), nil
	}
	if len(paths) == 0 {
		return nil, invalid("found a request action.validate without the field \"paths\", expected a list of definition files").WithHint(`add "paths", a list of definition files and folders`)
	}
	v, err := c.Backend.Validate(ctx, at("", &where), paths)
	if err != nil {
		return nil, err
	}
	return &Validation{
		Valid: len(v.Errors) == 0, Files: nonNil(v.Files), Actions: v.Actions,
		Errors: nonNil(v.Errors), Warnings: nonNil(v.Warnings),
	}, nil
}
