package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// The tools that find actions and describe them.

const (
	maxHits = 8  // number of actions that a search shows
	deepest = 40 // number of hits from which it chooses, because libraries have actions of the same name
)

type searchArgs struct {
	Query string `json:"query"`
}

type describeArgs struct {
	Action string `json:"action" jsonschema:"an action, a namespace, or a step of act"`
}

// A hit is an action that a search has found.
type hit struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Score       int    `json:"score"`
	also        []string
}

// A description has the properties of an action or a namespace that a model needs.
type description struct {
	Name              string          `json:"name"`
	Description       string          `json:"description"`
	Deprecated        bool            `json:"deprecated"`
	DeprecatedMessage string          `json:"deprecated_message"`
	Params            []param         `json:"params"`
	Returns           json.RawMessage `json:"returns"`
	Source            string          `json:"source"`
	Actions           []hit           `json:"actions"` // the actions, if it describes a namespace
}

// A param is a param of an action. It may also be an item or a property of another param. Its
// fields are the keys in docs/definitions.md.
type param struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Required    bool     `json:"required"`
	Secret      bool     `json:"secret"`
	Default     any      `json:"default"`
	Values      []any    `json:"values"`
	Pattern     string   `json:"pattern"`
	Min         *float64 `json:"min"`
	Max         *float64 `json:"max"`
	MinLength   *int     `json:"min_length"`
	MaxLength   *int     `json:"max_length"`
	Items       *param   `json:"items"`
	Properties  []param  `json:"properties"`
}

func searchTool() *tool {
	return define("search", "Find actions by words, such as: choose in a list. Shows their params; ? marks optional ones. Prefer an action over act.",
		sdk.ToolAnnotations{ReadOnlyHint: true}, search).always()
}

func describeTool() *tool {
	return define("describe", "Params of an action", sdk.ToolAnnotations{ReadOnlyHint: true}, describe).always()
}

// search returns a line for each action that matches a query, best first. The line shows the params
// of the action.
func search(ctx context.Context, c *call, args *searchArgs) (*reply, error) {
	if strings.TrimSpace(args.Query) == "" {
		return nil, diag.New(diag.InvalidRequest, "found no query, expected words to search for").WithHint("describe what you want to do, such as: fill a form")
	}
	var found struct {
		Actions []hit `json:"actions"`
	}
	if err := c.get(ctx, &wire.SearchRequest{Query: args.Query, Limit: deepest, Location: c.o.Location}, &found); err != nil {
		return nil, err
	}
	if len(found.Actions) == 0 {
		return &reply{text: "no action matches; try other words, or read the page with `snapshot` and use `act`"}, nil
	}
	var out strings.Builder
	for _, h := range grouped(found.Actions) {
		d, err := c.describe(ctx, h.Name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s%s: %s", h.Name, d.signature(), oneLine(h.Description, maxLineOf))
		if len(h.also) > 0 && strings.HasPrefix(h.Name, anyLibrary+":") {
			fmt.Fprintf(&out, " (on pages of these libraries: %s)", strings.Join(h.also, ", "))
		}
		out.WriteByte('\n')
	}
	return &reply{text: out.String()}, nil
}

// anyLibrary is the namespace of the actions for pages of any component library.
const anyLibrary = "components"

// grouped merges the hits that are the same action for several libraries. These have the same
// component, verb and description. Only the best hit of a group is returned, with the others in its
// field "also". If several are equally good, the action for any library is preferred.
func grouped(hits []hit) []*hit {
	var out []*hit
	byVerb := make(map[string]*hit)
	for _, h := range hits {
		key := verbOf(h.Name) + "\n" + h.Description
		first := byVerb[key]
		if first == nil {
			first = &hit{Name: h.Name, Description: h.Description, Score: h.Score}
			byVerb[key] = first
			out = append(out, first)
			continue
		}
		also := h.Name
		if strings.HasPrefix(h.Name, anyLibrary+":") && h.Score == first.Score {
			also, first.Name = first.Name, h.Name
		}
		first.also = append(first.also, also)
	}
	for _, h := range out {
		slices.Sort(h.also)
	}
	return out[:min(len(out), maxHits)]
}

// verbOf returns the component and the verb of an action.
func verbOf(action string) string {
	_, verb, _ := strings.Cut(action, ":")
	return verb
}

// signature returns the params of an action on one line, such as (label, value, within?).
func (d *description) signature() string {
	names := make([]string, len(d.Params))
	for i, p := range d.Params {
		names[i] = p.Name
		if p.Type != "" && p.Type != "string" {
			names[i] += " " + p.kind()
		}
		if !p.Required {
			names[i] += "?"
		}
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// kind returns the type of a param. For an enum, it returns the values.
func (p *param) kind() string {
	if len(p.Values) == 0 {
		return cmp.Or(p.Type, "any")
	}
	values := make([]string, len(p.Values))
	for i, v := range p.Values {
		values[i] = oneLine(fmt.Sprint(v), 40)
	}
	return strings.Join(values, "|")
}

// describe describes an action, a namespace or a step for a model.
func describe(ctx context.Context, c *call, args *describeArgs) (*reply, error) {
	name := strings.TrimSpace(args.Action)
	if !strings.Contains(name, ":") {
		if e := catalogue.Lookup(name); e != nil {
			return &reply{text: stepText(e)}, nil
		}
	}
	d, err := c.describe(ctx, name)
	if err != nil {
		return nil, err
	}
	return &reply{text: d.text()}, nil
}

// describe returns the description of an action or of a namespace.
func (s *server) describe(ctx context.Context, name string) (*description, error) {
	d := new(description)
	return d, s.get(ctx, &wire.DescribeRequest{Action: name, Location: s.o.Location}, d)
}

func (d *description) text() string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("%s: %s", d.Name, oneLine(d.Description, maxLineOf))
	if d.Deprecated {
		line("deprecated: %s", oneLine(d.DeprecatedMessage, maxLineOf))
	}
	for i := range d.Params {
		p := &d.Params[i]
		line("- %s %s%s", p.Name, p.kind(), p.note())
	}
	if returns := resultNames(d.Returns); returns != "" {
		line("returns: %s", returns)
	}
	for _, a := range d.Actions {
		line("- %s: %s", a.Name, oneLine(a.Description, maxLineOf))
	}
	return cutText(out.String(), maxData)
}

// note returns the text after the type of a param in a description.
func (p *param) note() string {
	var notes []string
	if p.Required {
		notes = append(notes, "required")
	} else if p.Default != nil && p.Default != "" {
		notes = append(notes, "default "+oneLine(diag.JSONText(p.Default), 80))
	}
	if p.Secret {
		notes = append(notes, "secret")
	}
	if p.Pattern != "" {
		notes = append(notes, "pattern "+oneLine(p.Pattern, 120))
	}
	if p.Min != nil {
		notes = append(notes, fmt.Sprintf("at least %v", *p.Min))
	}
	if p.Max != nil {
		notes = append(notes, fmt.Sprintf("at most %v", *p.Max))
	}
	if p.Items != nil {
		notes = append(notes, "of "+p.Items.kind())
	}
	out := ""
	if len(notes) > 0 {
		out = " (" + strings.Join(notes, ", ") + ")"
	}
	if p.Description != "" {
		out += ": " + oneLine(p.Description, maxLineOf)
	}
	return out
}

// resultNames returns the names of the values that an action returns.
func resultNames(returns json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(returns, &m) != nil {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

// stepText returns a description of a step for a model.
func stepText(e *steps.Entry) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n", e.Name, e.Summary)
	for i := range e.Args {
		a := &e.Args[i]
		kind := a.Type.String()
		if len(a.Values) > 0 {
			kind = strings.Join(a.Values, "|")
		}
		note := ""
		switch {
		case a.Required:
			note = " (required)"
		case a.Default != nil:
			note = fmt.Sprintf(" (default %v)", a.Default)
		}
		fmt.Fprintf(&out, "- %s %s%s: %s\n", a.Name, kind, note, a.Doc)
	}
	for i, f := range e.Result {
		if i == 0 {
			out.WriteString("returns: ")
		} else {
			out.WriteString("; ")
		}
		fmt.Fprintf(&out, "%s %s", f.Name, f.Doc)
	}
	return out.String()
}
