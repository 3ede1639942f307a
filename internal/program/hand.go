package program

// Manual steps. They have the same arguments as steps of a file, which the same code checks, but
// every value is data: ${…} has no meaning.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// maxHandDepth is the maximum nesting depth of argument values.
const maxHandDepth = 64

// Hand compiles a manual step. The arguments are plain JSON data. If fromText is set, they are
// texts from the command line, and Hand parses the numbers, booleans and JSON maps in them. The
// caller owns the op.
//
// If there are errors, the op is nil. The code is INVALID_REQUEST for a step that does not exist or
// cannot run manually, PARAM_REQUIRED for a missing argument, and PARAM_INVALID otherwise. The
// errors have no positions.
func Hand(name string, args map[string]any, fromText bool) (*steps.Op, diag.List) {
	entry := catalogue.Lookup(name)
	if e := refuseByHand(name, entry); e != nil {
		return nil, diag.List{e}
	}
	c := &compiler{hand: true, fromText: fromText}
	n := c.handArgs(entry, args)
	op := &steps.Op{Spec: &spec.Step{Args: n}, Entry: entry}
	op.Spec.Action.Value = name
	if len(c.errs) == 0 {
		c.args(op, n, diag.Pos{})
	}
	if len(c.errs) == 0 {
		return op, nil
	}
	for i, e := range c.errs {
		e = e.Clone()
		e.Pos = diag.Pos{}
		if e.Code == diag.DefinitionInvalid {
			e.Code = diag.ParamInvalid
		}
		c.errs[i] = e
	}
	return nil, c.errs.Sorted()
}

func refuseByHand(name string, entry *steps.Entry) *diag.Error {
	switch {
	case entry == nil && strings.Contains(name, ":"):
		return diag.New(diag.InvalidRequest, "found %q, expected a step", name).WithHint("use: action run %s", name)
	case entry == nil:
		var names []string
		for _, n := range catalogue.Names() {
			if catalogue.Lookup(n).Instead == "" {
				names = append(names, n)
			}
		}
		return diag.New(diag.InvalidRequest, "unknown step %q", name).
			WithHint("%s", cmp.Or(diag.DidYouMean(name, names), "see docs/steps.md for the catalogue"))
	case entry.Instead != "":
		return diag.New(diag.InvalidRequest, "the step %s can only be used inside an action", name).WithHint("%s", entry.Instead)
	}
	return nil
}

// handArgs returns the arguments as a node. The keys are sorted by name.
func (c *compiler) handArgs(entry *steps.Entry, args map[string]any) *spec.Node {
	names := make([]string, 0, len(args))
	for name := range args {
		names = append(names, name)
	}
	sort.Strings(names)
	n := &spec.Node{Kind: spec.Map}
	for _, name := range names {
		value, err := c.handNode(entry.Arg(name), args[name])
		if err != nil {
			c.bad(diag.Pos{}, "%s %v", name, err).WithHint("pass a JSON value")
			continue
		}
		n.Keys = append(n.Keys, spec.Key{Name: name, Value: value})
	}
	return n
}

// handNode converts the value of an argument to a node. A text from the command line that looks
// like JSON is parsed, if the argument accepts maps or lists.
func (c *compiler) handNode(arg *steps.Arg, v any) (*spec.Node, error) {
	text, isText := v.(string)
	if isText && c.fromText && arg != nil {
		switch arg.Type {
		case steps.ArgTextMap, steps.ArgValueMap, steps.ArgPairs, steps.ArgPoint, steps.ArgPlace, steps.ArgFields, steps.ArgSelectors, steps.ArgAttrs, steps.ArgRows:
			if t := strings.TrimSpace(text); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
				return jsonNode(t)
			}
		case steps.ArgValue: // a text, or a map
			t := strings.TrimSpace(text)
			if n, err := jsonNode(t); strings.HasPrefix(t, "{") && (err == nil || strings.HasPrefix(t, `{"`)) {
				return n, err
			}
		}
	}
	return nodeOf(v, 1)
}

// jsonNode parses JSON to a node. It keeps the order of the keys.
func jsonNode(text string) (*spec.Node, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := jsonValue(d, 1)
	if err == nil && d.InputOffset() != int64(len(text)) {
		err = fmt.Errorf("is not JSON: found text after its end")
	}
	return n, err
}

func jsonValue(d *json.Decoder, depth int) (*spec.Node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, noJSON(err)
	}
	switch {
	case t != json.Delim('{') && t != json.Delim('['):
		return nodeOf(t, depth)
	case depth > maxHandDepth:
		return nil, fmt.Errorf("is nested too deeply, expected at most %d levels", maxHandDepth)
	case t == json.Delim('{'):
		return jsonMap(d, depth)
	}
	n := &spec.Node{Kind: spec.List}
	for d.More() {
		item, err := jsonValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, jsonEnd(d)
}

func jsonMap(d *json.Decoder, depth int) (*spec.Node, error) {
	n, seen := &spec.Node{Kind: spec.Map}, make(map[string]bool)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, noJSON(err)
		}
		name, _ := key.(string) // the decoder accepts nothing else there
		if seen[name] {
			return nil, fmt.Errorf("contains %q twice", name)
		}
		seen[name] = true
		value, err := jsonValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		n.Keys = append(n.Keys, spec.Key{Name: name, Value: value})
	}
	return n, jsonEnd(d)
}

// jsonEnd reads the bracket that closes a list or a map.
func jsonEnd(d *json.Decoder) error {
	_, err := d.Token()
	if err != nil {
		return noJSON(err)
	}
	return nil
}

func noJSON(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("is not JSON: %w", err)
}

// nodeOf converts plain data to a node. The node has no position.
func nodeOf(v any, depth int) (*spec.Node, error) {
	if depth > maxHandDepth {
		return nil, fmt.Errorf("is nested too deeply, expected at most %d levels", maxHandDepth)
	}
	switch v := v.(type) {
	case nil:
		return &spec.Node{Kind: spec.Null}, nil
	case bool:
		return &spec.Node{Kind: spec.Bool, Bool: v, Raw: expr.Text(v)}, nil
	case int:
		return &spec.Node{Kind: spec.Int, Int: int64(v), Raw: expr.Text(v)}, nil
	case int64:
		return &spec.Node{Kind: spec.Int, Int: v, Raw: expr.Text(v)}, nil
	case float64:
		return &spec.Node{Kind: spec.Float, Float: v, Raw: expr.Text(v)}, nil
	case json.Number:
		return numberNode(v)
	case string:
		return textNode(v), nil
	case []string:
		n := &spec.Node{Kind: spec.List}
		for _, s := range v {
			n.Items = append(n.Items, textNode(s))
		}
		return n, nil
	case []any:
		return listNode(v, depth)
	case map[string]any:
		return mapNode(v, depth)
	}
	return nil, fmt.Errorf("is a %T, expected plain data", v)
}

func textNode(s string) *spec.Node { return &spec.Node{Kind: spec.String, Str: s, Raw: s} }

func numberNode(v json.Number) (*spec.Node, error) {
	number, err := expr.Number(v)
	if err != nil {
		return nil, fmt.Errorf("is not valid: %w", err)
	}
	if i, ok := number.(int64); ok {
		return &spec.Node{Kind: spec.Int, Int: i, Raw: v.String()}, nil
	}
	return &spec.Node{Kind: spec.Float, Float: number.(float64), Raw: v.String()}, nil
}

func listNode(list []any, depth int) (*spec.Node, error) {
	n := &spec.Node{Kind: spec.List}
	for _, v := range list {
		item, err := nodeOf(v, depth+1)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, nil
}

func mapNode(m map[string]any, depth int) (*spec.Node, error) {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	n := &spec.Node{Kind: spec.Map}
	for _, name := range names {
		value, err := nodeOf(m[name], depth+1)
		if err != nil {
			return nil, err
		}
		n.Keys = append(n.Keys, spec.Key{Name: name, Value: value})
	}
	return n, nil
}
