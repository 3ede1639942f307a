package steps

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
)

// An ArgType is the type of an argument. It determines which values the argument accepts.
type ArgType uint8

const (
	ArgText      ArgType = iota // text with ${…}; numbers and booleans become text
	ArgInteger                  // an integer, or a reference to one
	ArgNumber                   // any number, or a reference to one
	ArgBoolean                  // true or false, or a reference to one
	ArgEnum                     // one of Arg.Values
	ArgDuration                 // milliseconds as an integer, or a text such as 500ms or 5s
	ArgSelector                 // a selector; values in it are data
	ArgCSS                      // the body of a css: selector
	ArgXPath                    // the body of an xpath: selector
	ArgURL                      // a URL pattern; see [driver.URLPattern]
	ArgTextList                 // a text, or a list of texts
	ArgTextMap                  // a map of names to texts
	ArgValue                    // any value; texts inside may contain ${…}
	ArgValueMap                 // a map of names to any values
	ArgPairs                    // a map of labels to any values, or a list of {label, value}, in the order written
	ArgScript                   // a script without ${…}: its values are passed in args
	ArgCondition                // an expression, evaluated when the step runs
	ArgAction                   // the literal name of an action
	ArgName                     // a literal name
	ArgPoint                    // {x, y} in CSS pixels
	ArgPlace                    // a selector, or {x, y} in CSS pixels
	ArgFields                   // a map of names to selectors or {selector, what, attr}
	ArgSelectors                // a map of names to selectors
	ArgAttrs                    // a map of names to {selector, name}
	ArgRows                     // a map of names to {rows, fields, shown, hue, over}
)

func (t ArgType) String() string {
	return [...]string{
		"text", "integer", "number", "boolean", "enum", "duration", "selector",
		"css selector", "xpath", "url pattern", "text or list of texts",
		"map of texts", "any value", "map of values", "map of values or list of {label, value}", "script", "condition", "action name", "name",
		"map of x and y", "selector or map of x and y", "map of selectors",
		"map of names to selectors", "map of names to {selector, name}", "map of names to {rows, fields}",
	}[t]
}

// An Arg describes one argument of a step.
type Arg struct {
	Name     string
	Short    string // one-letter flag on the command line; "": none
	Type     ArgType
	Required bool
	Values   []string // values of an ArgEnum
	Default  any      // value of an absent argument; nil: none
	Min, Max *float64 // bounds of ArgInteger and ArgNumber
	Doc      string   // a phrase, without a full stop
	// InPlaceOf names a positional argument whose place this argument can take on the command line.
	// It does so if the value fits this argument, but not the positional one.
	InPlaceOf string

	TakesParams bool // the values are params of another action; see [Params]
	Identifiers bool // the names must be identifiers; see [ScriptArgs]
	keeps       bool // see Kept
}

// Convert converts a value to the type of the argument. If atRun is set, it also accepts texts such
// as "5" and "true" for numbers and booleans. msg is "" if the value fits. Otherwise it says what
// was found and what was expected.
func (arg *Arg) Convert(v any, atRun bool) (out any, msg string) {
	switch arg.Type {
	case ArgText:
		return expr.Text(v), ""
	case ArgScript, ArgAction, ArgName:
		return v, ""
	case ArgInteger, ArgNumber:
		return toNumber(arg, v, atRun)
	case ArgBoolean:
		switch {
		case v == true || v == false:
			return v, ""
		case atRun && v == "true":
			return true, ""
		case atRun && v == "false":
			return false, ""
		}
		return nil, Describe(v) + ", expected true or false"
	case ArgEnum:
		for _, want := range arg.Values {
			if v == want {
				return v, ""
			}
		}
		return nil, Describe(v) + ", expected one of " + strings.Join(arg.Values, ", ")
	case ArgDuration:
		d, ok := toDuration(v)
		if !ok {
			return nil, Describe(v) + ", expected milliseconds as an integer, or a text like 500ms or 5s"
		}
		return d, ""
	case ArgTextList:
		return toTexts(v)
	case ArgPoint, ArgPlace:
		return toPoint(v, atRun)
	case ArgTextMap, ArgValueMap:
		m, ok := v.(map[string]any)
		if !ok {
			return nil, Describe(v) + ", expected a map"
		}
		return m, ""
	}
	return v, ""
}

func toNumber(arg *Arg, v any, atRun bool) (any, string) {
	if s, ok := v.(string); ok && atRun {
		if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
			v = f
		}
	}
	f, ok := Float(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, Describe(v) + ", expected " + arg.Type.String()
	}
	if arg.Type == ArgInteger && f != math.Trunc(f) {
		return nil, Describe(v) + ", expected an integer"
	}
	if arg.Min != nil && f < *arg.Min {
		return nil, fmt.Sprintf("%s, expected at least %g", Describe(v), *arg.Min)
	}
	if arg.Max != nil && f > *arg.Max {
		return nil, fmt.Sprintf("%s, expected at most %g", Describe(v), *arg.Max)
	}
	return f, ""
}

func toPoint(v any, atRun bool) (any, string) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, Describe(v) + ", expected a map of x and y"
	}
	var at [2]float64
	for i, name := range []string{"x", "y"} {
		n, msg := toNumber(&Arg{Type: ArgNumber}, m[name], atRun)
		if msg != "" {
			return nil, "a map whose " + name + " is " + msg
		}
		at[i], _ = Float(n)
	}
	return driver.Point{X: at[0], Y: at[1]}, ""
}

// Float converts a number to float64. It reports false if v is not a number.
func Float(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	case int:
		return float64(n), true
	}
	return 0, false
}

func toDuration(v any) (time.Duration, bool) {
	if d, ok := v.(time.Duration); ok {
		return d, true // a literal, converted at compile time
	}
	const most = 24 * time.Hour // far above any sensible wait, far below overflow
	if s, ok := v.(string); ok {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			v = n
		} else {
			d, ok := expr.ParseDuration(s)
			return d, ok && d <= most
		}
	}
	f, ok := Float(v)
	if !ok || f != math.Trunc(f) || f < 0 || f > float64(most.Milliseconds()) {
		return 0, false
	}
	return time.Duration(f) * time.Millisecond, true
}

// Texts converts v, the value of an argument of type [ArgTextList], to a list of texts. It reports
// whether v is valid.
func Texts(v any) ([]string, bool) {
	texts, _ := toTexts(v)
	list, ok := texts.([]string)
	return list, ok
}

func toTexts(v any) (any, string) {
	list, ok := v.([]any)
	if !ok {
		if _, isMap := v.(map[string]any); isMap || v == nil {
			return nil, Describe(v) + ", expected text or a list of texts"
		}
		return []string{expr.Text(v)}, ""
	}
	out := make([]string, len(list))
	for i, item := range list {
		switch item.(type) {
		case map[string]any, []any, nil:
			return nil, fmt.Sprintf("a list that contains %s, expected texts", KindOf(item))
		}
		out[i] = expr.Text(item)
	}
	return out, ""
}

// A Pair is a label and its value.
type Pair struct {
	Label string
	Value any
}

// toPairs converts a map, or a list of {label, value}, to pairs. keys is the order of the keys of a
// map; nil means that they are sorted. The second result is the error message, or "".
func toPairs(v any, keys []string) (any, string) {
	switch v := v.(type) {
	case map[string]any:
		if keys == nil {
			keys = slices.Sorted(maps.Keys(v))
		}
		out := make([]Pair, len(keys))
		for i, label := range keys {
			out[i] = Pair{label, v[label]}
		}
		return out, ""
	case []any:
		out, seen := make([]Pair, len(v)), make(map[string]bool)
		for i, item := range v {
			m, _ := item.(map[string]any)
			value, hasValue := m["value"]
			name, hasLabel := m["label"]
			label := expr.Text(name)
			switch {
			case !hasLabel || !hasValue || !isScalar(name):
				return nil, fmt.Sprintf("a list whose item %d is %s, expected {label, value}", i+1, KindOf(item))
			case seen[label]:
				return nil, fmt.Sprintf("a list with the label %q twice, expected different labels", label)
			}
			out[i], seen[label] = Pair{label, value}, true
		}
		return out, ""
	}
	return nil, Describe(v) + ", expected a map, or a list of {label, value}"
}

func isScalar(v any) bool {
	switch v.(type) {
	case nil, []any, map[string]any:
		return false
	}
	return true
}

// Describe returns v as an error message shows it. For null, a list, a map or a long text, it
// returns only the kind of v; see [KindOf].
func Describe(v any) string {
	switch v := v.(type) {
	case nil, []any, map[string]any:
		return KindOf(v)
	case string:
		if len(v) > 60 {
			return KindOf(v)
		}
		return fmt.Sprintf("%q", v)
	}
	return expr.Text(v)
}

// KindOf returns the kind of a value for an error message, such as "a list".
func KindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return "a number"
}

// Clipped returns the first limit characters of text, followed by "…". If text is not longer than
// limit, it is returned unchanged.
func Clipped(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	if chars := []rune(text[:min(len(text), 4*limit)]); len(chars) > limit {
		return string(chars[:limit]) + "…"
	}
	return text
}
