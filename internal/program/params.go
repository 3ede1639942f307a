package program

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// CheckParams checks the given values against the params of the action. It returns the values and
// the defaults in a new map. If fromText is set, the values are texts from the command line, and
// CheckParams converts them to the declared types.
//
// The code of an error is PARAM_REQUIRED or PARAM_INVALID. No error contains the value of a secret
// param. When done is closed, CheckParams stops matching patterns, and the results are meaningless.
// A nil done is never closed.
func CheckParams(a *spec.Action, given map[string]any, fromText bool, done <-chan struct{}) (map[string]any, diag.List) {
	p := paramChecker{action: a.FullName(), fromText: fromText, done: done}
	out := make(map[string]any, len(a.Params))
	var names []string
	for _, d := range a.Params {
		names = append(names, d.Name)
		v, ok := given[d.Name]
		switch {
		case ok && v != nil:
			p.path, p.secret = d.Name, d.Secret
			out[d.Name] = p.value(d, v)
		case d.Required && d.Default == nil:
			p.errs.Add(diag.New(diag.ParamRequired, "%s needs the param %s", p.action, d.Name).
				WithDetail("param", d.Name).
				WithHint("pass %s%s", p.wordFor(d.Name), asAside(d.Description)))
		case d.Default != nil:
			out[d.Name] = d.Default.Value()
		}
	}
	var unknown []string
	for name := range given {
		if a.Param(name) == nil {
			unknown = append(unknown, name)
		}
	}
	sort.Strings(unknown)
	for _, name := range unknown {
		hint := diag.DidYouMean(name, names)
		if len(names) == 0 {
			hint = "the action takes no params"
		}
		shown := steps.Clipped(name, 40)
		p.errs.Add(diag.New(diag.ParamInvalid, "%s has no param %q", p.action, shown).
			WithDetail("param", shown).
			WithHint("%s", cmp.Or(hint, "see the params with: action describe "+p.action)))
	}
	return out, p.errs
}

// CheckDefault checks the default of a param. The errors are DEFINITION_INVALID, with the position
// of the default.
func CheckDefault(d *spec.Param) diag.List {
	if d.Default == nil || d.Default.Kind == spec.Null {
		return nil
	}
	p := paramChecker{path: d.Name, secret: d.Secret}
	p.value(d, d.Default.Value())
	for _, e := range p.errs {
		e.Code, e.Pos = diag.DefinitionInvalid, d.Default.Pos
		e.Msg = "default of " + e.Msg
		e.Details = nil
	}
	return p.errs
}

type paramChecker struct {
	action   string
	fromText bool
	done     <-chan struct{}
	path     string // e.g. rows[1].id
	secret   bool
	errs     diag.List
}

func (p *paramChecker) bad(d *spec.Param, v any, want string) {
	found := steps.Describe(v)
	if p.secret {
		found = steps.KindOf(v)
	}
	p.errs.Add(diag.New(diag.ParamInvalid, "param %s is %s, expected %s", p.path, found, want).
		WithDetail("param", p.path).
		WithHint("%s", cmp.Or(d.Description, p.advice())))
}

// advice returns the hint for a bad value of a param that has no description.
func (p *paramChecker) advice() string {
	if p.action == "" {
		return "write a default that fits the type"
	}
	return "pass a value that fits; see: action describe " + p.action
}

// value checks a value and converts it to the type of its param. If it reports an error, the result
// is meaningless.
func (p *paramChecker) value(d *spec.Param, v any) any {
	switch d.Type {
	case spec.TypeNumber, spec.TypeInteger:
		return p.number(d, v)
	case spec.TypeBoolean:
		return p.boolean(d, v)
	case spec.TypeEnum:
		return p.enum(d, v)
	case spec.TypeArray:
		return p.array(d, v)
	case spec.TypeObject:
		return p.object(d, v)
	case spec.TypeAny:
		if s, ok := v.(string); ok && p.fromText {
			return fromJSONOr(s, s)
		}
		return v
	}
	return p.text(d, v)
}

func (p *paramChecker) text(d *spec.Param, v any) any {
	if n, ok := steps.Float(v); ok && d.Type == spec.TypeDuration && n == math.Trunc(n) && n >= 0 {
		v = expr.Text(v)
	}
	s, ok := v.(string)
	if !ok {
		p.bad(d, v, "text"+example(d.Type))
		return v
	}
	if _, err := strconv.ParseUint(s, 10, 32); d.Type == spec.TypeDuration && err == nil {
		s += "ms" // an integer is milliseconds, as everywhere in a file
		v = s
	}
	p.length(d, v, utf8.RuneCountInString(s), "characters")
	if d.Pattern != nil {
		if re, err := regexp.Compile(d.Pattern.Value); err == nil {
			if ok, err := expr.Matches(re, s, p.done); err == nil && !ok {
				p.bad(d, v, "text that matches "+d.Pattern.Value)
			}
		}
	}
	switch ex := expr.TimeExample(string(d.Type)); {
	case ex != "" && !expr.IsTime(string(d.Type), s):
		p.bad(d, v, "a "+string(d.Type)+example(d.Type))
		p.errs[len(p.errs)-1].WithHint("pass a value that exists in the calendar, such as %s", ex)
	case d.Type == spec.TypeURL && !isAbsoluteURL(s):
		p.bad(d, v, "an absolute URL"+example(d.Type))
	}
	if d.Type == spec.TypeSelector {
		if _, err := selectors.Parse(s, selectors.Options{Literal: true, Fragment: true, Code: diag.ParamInvalid}); err != nil {
			p.bad(d, v, "a selector: "+diag.As(err).Msg)
		}
	}
	return v
}

// example returns the end of an error message, such as " such as https://example.com/orders". It
// returns "" for types without an example.
func example(t spec.ParamType) string {
	if t == spec.TypeURL {
		return " such as https://example.com/orders?page=2"
	}
	if ex := expr.TimeExample(string(t)); ex != "" {
		return " such as " + ex
	}
	return ""
}

// isAbsoluteURL reports whether s is a URL with a scheme, and with a host if the scheme requires
// one.
func isAbsoluteURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || strings.ContainsAny(s, " \t\n") {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "ws", "wss", "ftp":
		return u.Host != ""
	}
	return u.Host != "" || u.Path != "" || u.Opaque != ""
}

func (p *paramChecker) length(d *spec.Param, v any, n int, unit string) {
	if d.MinLength != nil && n < *d.MinLength {
		p.bad(d, v, fmt.Sprintf("at least %d %s", *d.MinLength, unit))
	}
	if d.MaxLength != nil && n > *d.MaxLength {
		p.bad(d, v, fmt.Sprintf("at most %d %s", *d.MaxLength, unit))
	}
}

func (p *paramChecker) number(d *spec.Param, v any) any {
	want := "a number"
	if d.Type == spec.TypeInteger {
		want = "an integer"
	}
	if s, ok := v.(string); ok && p.fromText {
		s = strings.TrimSpace(s)
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			v = n
		} else if f, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "xX_") {
			if _, err := expr.Number(json.Number(s)); err != nil {
				p.bad(d, v, want+" with at most 18 digits")
				return v
			}
			v = f
		}
	}
	f, ok := steps.Float(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) || d.Type == spec.TypeInteger && f != math.Trunc(f) {
		p.bad(d, v, want)
		return v
	}
	if d.Min != nil && f < *d.Min {
		p.bad(d, v, fmt.Sprintf("at least %g", *d.Min))
	}
	if d.Max != nil && f > *d.Max {
		p.bad(d, v, fmt.Sprintf("at most %g", *d.Max))
	}
	// Whole numbers stay exact beyond 2^53.
	if d.Type == spec.TypeInteger && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return v
}

func (p *paramChecker) boolean(d *spec.Param, v any) any {
	if s, ok := v.(string); ok && p.fromText {
		switch strings.ToLower(s) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	if _, ok := v.(bool); !ok {
		p.bad(d, v, "true or false")
	}
	return v
}

func (p *paramChecker) enum(d *spec.Param, v any) any {
	var texts []string
	for _, want := range d.Values {
		text := describeEnum(want)
		texts = append(texts, text)
		if v == want || p.fromText && v == text {
			return want
		}
		if a, ok := steps.Float(v); ok {
			if b, ok := steps.Float(want); ok && a == b {
				return want
			}
		}
	}
	p.bad(d, v, "one of "+strings.Join(texts, ", "))
	if s, ok := v.(string); ok && !p.secret {
		if c := diag.Nearest(s, texts); c != "" {
			p.errs[len(p.errs)-1].WithHint("did you mean %s?", c)
		}
	}
	return v
}

func describeEnum(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return steps.Describe(v)
}

func (p *paramChecker) array(d *spec.Param, v any) any {
	if s, ok := v.(string); ok && p.fromText {
		v = fromJSONOr(s, []any{s})
	}
	list, ok := v.([]any)
	if !ok {
		p.bad(d, v, "a list")
		return v
	}
	// A single flag that contains a JSON list is the whole list.
	if s, isText := only(list); isText && p.fromText {
		if inner, ok := fromJSONOr(s, nil).([]any); ok {
			list = inner
		}
	}
	p.length(d, v, len(list), "items")
	if d.Items == nil {
		return list
	}
	out := make([]any, len(list))
	path := p.path
	for i, item := range list {
		p.path = fmt.Sprintf("%s[%d]", path, i)
		out[i] = p.value(d.Items, item)
	}
	p.path = path
	return out
}

func only(list []any) (string, bool) {
	if len(list) != 1 {
		return "", false
	}
	s, ok := list[0].(string)
	return s, ok && strings.HasPrefix(strings.TrimSpace(s), "[")
}

func fromJSONOr(s string, otherwise any) any {
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "[") || strings.HasPrefix(t, "{") {
		if v, err := expr.DecodeJSON([]byte(t)); err == nil && expr.CheckJSON([]byte(t)) == nil {
			return v
		}
	}
	return otherwise
}

func (p *paramChecker) object(d *spec.Param, v any) any {
	if s, ok := v.(string); ok && p.fromText {
		v = fromJSONOr(s, v)
	}
	m, ok := v.(map[string]any)
	if !ok {
		p.bad(d, v, "an object")
		return v
	}
	if len(d.Properties) == 0 {
		return m
	}
	out := make(map[string]any, len(m))
	path, secret := p.path, p.secret
	var names []string
	for _, prop := range d.Properties {
		names = append(names, prop.Name)
		p.path, p.secret = path+"."+prop.Name, secret || prop.Secret
		item, given := m[prop.Name]
		switch {
		case given && item != nil:
			out[prop.Name] = p.value(prop, item)
		case prop.Required && prop.Default == nil:
			p.errs.Add(diag.New(diag.ParamRequired, "param %s is missing", p.path).
				WithDetail("param", p.path).WithHint("add the property to the object%s", asAside(prop.Description)))
		case prop.Default != nil:
			out[prop.Name] = prop.Default.Value()
		}
	}
	p.path, p.secret = path, secret
	p.unknownProperties(m, names)
	return out
}

func (p *paramChecker) unknownProperties(m map[string]any, names []string) {
	var unknown []string
	for name := range m {
		found := false
		for _, n := range names {
			found = found || n == name
		}
		if !found {
			unknown = append(unknown, name)
		}
	}
	sort.Strings(unknown)
	for _, name := range unknown {
		p.errs.Add(diag.New(diag.ParamInvalid, "param %s has no property %q", p.path, name).
			WithDetail("param", p.path).
			WithHint("%s", cmp.Or(diag.DidYouMean(name, names), "its properties are "+strings.Join(names, ", "))))
	}
}

// wordFor returns how the caller writes a param. On the command line, that is a flag.
func (p *paramChecker) wordFor(name string) string {
	if p.fromText {
		return "--" + strings.ReplaceAll(name, "_", "-")
	}
	return "the param " + name
}

func asAside(doc string) string {
	if doc == "" {
		return ""
	}
	return " (" + doc + ")"
}
