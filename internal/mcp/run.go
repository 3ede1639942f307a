package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// Running actions and single steps.

type runArgs struct {
	Action  string `json:"action"`
	Params  object `json:"params,omitempty"`
	Session string `json:"session,omitempty"`
}

type actArgs struct {
	Step    string `json:"step" jsonschema:"open, click, fill, select, check, press, hover, scroll, wait, get, ..."`
	Args    object `json:"args,omitempty" jsonschema:"such as {url} or {selector, value}; describe lists them"`
	Session string `json:"session,omitempty"`
}

// limitKey is the argument with the time limit of a step. It is not an argument in the catalogue,
// but models tend to send it.
const limitKey = "timeout"

func runTool() *tool {
	return define("run", "Run an action and check its outcome", sdk.ToolAnnotations{}, run).answers()
}

func actTool() *tool {
	return define("act", "One manual step. Selectors: @e5 (a ref of a snapshot), role:button[name=Save], label:Email, text:Next, css:.x. The effect says what changed.",
		sdk.ToolAnnotations{}, act).answers()
}

func run(ctx context.Context, c *call, args *runArgs) (*reply, error) {
	if args.Action == "" {
		return nil, diag.New(diag.InvalidRequest, "found no action, expected the name of an action").WithHint("find an action with the tool search")
	}
	return c.runAction(ctx, args.Action, args.Params, args.Session)
}

// runAction runs an action. If secret params are missing and the client can open pages, the user
// enters them on a page.
func (c *call) runAction(ctx context.Context, action string, params map[string]any, session string) (*reply, error) {
	params, err := c.entered(ctx, action, params)
	if err != nil {
		return nil, err
	}
	result, err := c.perform(ctx, &wire.RunRequest{
		ActionCall: wire.ActionCall{Action: action, Params: params},
		RunOptions: wire.RunOptions{Session: cmp.Or(session, c.o.Session), Stream: c.token() != nil}, Location: c.o.Location,
	})
	if err != nil {
		return nil, err
	}
	// If the error has a path, it is from a step. Then the run has begun, and must not be repeated.
	if e := result.Error; e != nil && e.Code == diag.ParamRequired && e.Path == "" {
		return c.missing(ctx, e, action, params)
	}
	a := answerOf(result)
	if a.Error != nil && strings.HasPrefix(action, anyLibrary+":") {
		a.Instead = c.ofLibraries(ctx, action)
	}
	return &reply{text: a.text(), data: a.structured(), failed: !a.OK}, nil
}

// ofLibraries returns the actions that do the same as an action, but for the pages of one library
// each.
func (c *call) ofLibraries(ctx context.Context, action string) (names []string) {
	var found struct {
		Actions []hit `json:"actions"`
	}
	if err := c.get(ctx, &wire.ListRequest{Location: c.o.Location}, &found); err != nil {
		return nil // ignore this error and report that of the action
	}
	i := slices.IndexFunc(found.Actions, func(h hit) bool { return h.Name == action })
	for _, h := range found.Actions {
		if i >= 0 && h.Name != action && verbOf(h.Name) == verbOf(action) && h.Description == found.Actions[i].Description {
			names = append(names, h.Name)
		}
	}
	return names
}

// act runs one step and reports its effect. If the element was not found, or if its ref is stale,
// the answer includes a snapshot of the page.
func act(ctx context.Context, c *call, args *actArgs) (*reply, error) {
	if args.Step == "" {
		return nil, diag.New(diag.InvalidRequest, "found no step, expected one of %s", strings.Join(catalogue.Names(), ", "))
	}
	options := wire.RunOptions{Session: cmp.Or(args.Session, c.o.Session), Steps: true, Stream: args.Step == catalogue.Handoff && c.token() != nil}
	if limit, ok := args.Args[limitKey]; ok {
		text, err := json.Marshal(limit)
		if err == nil {
			err = options.Timeout.UnmarshalJSON(text)
		}
		if err != nil {
			return nil, diag.New(diag.ParamInvalid, "found the timeout %s, expected milliseconds, or a text such as 5s", oneLine(fmt.Sprint(limit), 40))
		}
		delete(args.Args, limitKey)
	}
	result, err := c.perform(ctx, &wire.StepRequest{Step: args.Step, Args: args.Args, RunOptions: options, Location: c.o.Location})
	if err != nil {
		return nil, err
	}
	a := answerOf(result)
	if len(result.Steps) > 0 && result.Steps[0].Effect != nil {
		a.Effect = result.Steps[0].Effect.String()
	}
	a.Data = withoutNulls(a.Data)
	text := a.text()
	if a.Error != nil {
		text += c.now(ctx, a.Error.Code, args.Session)
	}
	return &reply{text: text, data: a.structured(), failed: !a.OK}, nil
}

// withoutNulls removes null fields from the result of a step. It also removes empty texts, unless
// all other fields are null.
func withoutNulls(data any) any {
	m, ok := data.(map[string]any)
	if !ok {
		return data
	}
	said, empty := make(map[string]any, len(m)), make(map[string]any)
	for key, value := range m {
		switch value {
		case nil:
		case "":
			empty[key] = value
		default:
			said[key] = value
		}
	}
	switch {
	case len(said) > 0:
		return said
	case len(empty) > 0:
		return empty
	}
	return nil
}

// now returns a snapshot of the elements that steps can act on. It returns "" unless code is
// ELEMENT_NOT_FOUND or STALE_REF.
func (c *call) now(ctx context.Context, code diag.Code, session string) string {
	if code != diag.StaleRef && code != diag.ElementNotFound {
		return ""
	}
	shot, err := c.snapshot(ctx, map[string]any{"interactive": true, "max_chars": maxNow}, session)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("what is there now, %s\n%s", pageMark, shot)
}
