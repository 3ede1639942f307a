package steps

// The arguments of a step as a struct: each exported field with an `arg` tag is one argument.
//
//	Selector *Target       `arg:"selector,one" pos:"1" doc:"what to press"`
//	Count    int           `arg:"count" default:"1" min:"1" max:"3" doc:"how many times"`
//	Delay    time.Duration `arg:"delay" default:"0" doc:"pause between keys"`
//
// The type of the field determines the type of the argument (argTypes). A pointer, a list or a
// map is nil if the argument is absent; any other field then has its default.
// The tags:
//
//	arg      its name, then: required; one (of these exactly one is given); main (the value
//	         that may be written alone in a file, if that is not the first positional one);
//	         short=X (the letter of its flag)
//	doc      a phrase, without a full stop
//	pos      its position on the command line, from 1
//	alias    the alias of the step after which it is the positional one
//	with     the argument that it requires
//	instead  the positional argument whose position a value that fits may take
//	default, min, max; enum (the values, separated by blanks, unless the type has them)
//
// A struct is read once, when the program starts. An invalid one causes a panic.

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Types of struct fields, for arguments that a plain Go type cannot describe.
type (
	CSS        driver.Target  // the body of a css: selector
	XPath      driver.Target  // the body of an xpath: selector
	Script     string         // a script, literal
	ActionName string         // the literal name of an action
	Name       string         // a literal name
	Params     map[string]any // params of another action; `use` names sets of them
	ScriptArgs map[string]any // values in the scope of a script, so their names are identifiers
	Kept       bool           // the value that is read must still hold at the end of the run
	Fields     []BoundField   // a map of names to selectors or {selector, what, attr, all}
	Selectors  []BoundField   // a map of names to selectors
	Attrs      []BoundField   // a map of names to {selector, name}
	Rows       []BoundField   // a map of names to {rows, fields, shown, hue, over}
)

// On returns a copy of t in which Keep is k.
func (k Kept) On(t driver.Target) driver.Target {
	t.Keep = bool(k)
	return t
}

// A TargetMaker makes a target for a selector that the step itself has built. The target is in the
// scope of the step. A struct field of this type is not an argument; Bind sets it.
type TargetMaker func(*selectors.Selector) driver.Target

// An enumeration is a text type with a fixed set of values.
type enumeration interface{ Values() []string }

// argTypes maps the Go types of struct fields to the types of their arguments.
var argTypes = map[reflect.Type]ArgType{
	reflect.TypeFor[string]():            ArgText,
	reflect.TypeFor[int]():               ArgInteger,
	reflect.TypeFor[float64]():           ArgNumber,
	reflect.TypeFor[bool]():              ArgBoolean,
	reflect.TypeFor[Kept]():              ArgBoolean,
	reflect.TypeFor[time.Duration]():     ArgDuration,
	reflect.TypeFor[driver.Target]():     ArgSelector,
	reflect.TypeFor[CSS]():               ArgCSS,
	reflect.TypeFor[XPath]():             ArgXPath,
	reflect.TypeFor[driver.URLPattern](): ArgURL,
	reflect.TypeFor[[]string]():          ArgTextList,
	reflect.TypeFor[map[string]string](): ArgTextMap,
	reflect.TypeFor[any]():               ArgValue,
	reflect.TypeFor[map[string]any]():    ArgValueMap,
	reflect.TypeFor[Params]():            ArgValueMap,
	reflect.TypeFor[ScriptArgs]():        ArgValueMap,
	reflect.TypeFor[[]Pair]():            ArgPairs,
	reflect.TypeFor[Script]():            ArgScript,
	reflect.TypeFor[expr.Condition]():    ArgCondition,
	reflect.TypeFor[ActionName]():        ArgAction,
	reflect.TypeFor[Name]():              ArgName,
	reflect.TypeFor[driver.Point]():      ArgPoint,
	reflect.TypeFor[driver.Place]():      ArgPlace,
	reflect.TypeFor[Fields]():            ArgFields,
	reflect.TypeFor[Selectors]():         ArgSelectors,
	reflect.TypeFor[Attrs]():             ArgAttrs,
	reflect.TypeFor[Rows]():              ArgRows,
}

// A plan describes a struct of arguments, and how to set its fields.
type plan struct {
	of     reflect.Type
	args   []*argField   // in the order of the struct, or of the step if it has verbs
	blank  reflect.Value // the struct with its defaults
	maker  []int         // the index of the TargetMaker; nil: there is none
	hand   []string      // the positional arguments
	oneOf  []string
	with   map[string]string
	alias  map[string][]string
	main   string
	tagged []*argField // arguments with a pos tag, by position
}

// An argField is the struct field of one argument.
type argField struct {
	Arg
	index   []int
	offset  uintptr
	typ     reflect.Type // without the pointer
	pointer bool
	subject bool // see Args.Subject
	put     func(into reflect.Value, v any)
	field   string // its name
	tags    map[string]string
}

var tagKeys = []string{"arg", "doc", "pos", "alias", "with", "instead", "default", "min", "max", "enum"}

// planOf returns the plan of a struct of arguments.
func planOf(t reflect.Type) *plan {
	p := &plan{of: t}
	if t.Kind() != reflect.Struct {
		p.fail("", "not a struct")
	}
	p.read(t, nil, 0)
	for i, f := range p.tagged {
		if f == nil {
			p.fail("", "no field has pos:%q", strconv.Itoa(i+1))
		}
		p.hand = append(p.hand, f.Name)
	}
	for name, partner := range p.with {
		if p.arg(partner) == nil {
			p.fail("", "%s requires %s, which is not an argument", name, partner)
		}
	}
	for _, f := range p.args {
		if f.InPlaceOf != "" && !slices.Contains(p.hand, f.InPlaceOf) {
			p.fail(f.field, "it may replace %s, which is not a positional argument", f.InPlaceOf)
		}
	}
	p.subjects()
	for _, f := range p.args {
		f.tags = nil // no longer needed
	}
	return p
}

// subjects marks the fields that may hold the step's main element; see [Args.Subject].
func (p *plan) subjects() {
	var first *argField
	for _, f := range p.args {
		switch f.Type {
		case ArgSelector, ArgCSS, ArgXPath, ArgPlace:
			f.subject = first == nil || slices.Contains(p.oneOf, first.Name) && slices.Contains(p.oneOf, f.Name)
			if first == nil {
				first = f
			}
		}
	}
}

func (p *plan) fail(field, format string, args ...any) {
	where := "steps: " + p.of.String()
	if field != "" {
		where += "." + field
	}
	panic(where + ": " + fmt.Sprintf(format, args...))
}

func (p *plan) arg(name string) *argField {
	for _, f := range p.args {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (p *plan) read(t reflect.Type, index []int, offset uintptr) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clip(index), i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag == "":
			p.read(f.Type, at, offset+f.Offset)
		case f.Type == reflect.TypeFor[TargetMaker]():
			p.maker = at
		case f.Tag == "":
			p.fail(f.Name, "it has no tag")
		case !f.IsExported():
			p.fail(f.Name, "it is not exported")
		default:
			p.add(f, at, offset+f.Offset)
		}
	}
}

// add adds the argument for the struct field f.
func (p *plan) add(f reflect.StructField, index []int, offset uintptr) {
	tags, err := tagsOf(f.Tag, tagKeys)
	if err != nil {
		p.fail(f.Name, "%v", err)
	}
	words := strings.Split(tags["arg"], ",")
	a := &argField{Arg: Arg{Name: words[0], Doc: tags["doc"], InPlaceOf: tags["instead"]}, index: index, offset: offset, typ: f.Type, field: f.Name, tags: tags}
	if a.pointer = f.Type.Kind() == reflect.Pointer; a.pointer {
		a.typ = f.Type.Elem()
	}
	if a.Name == "" || p.arg(a.Name) != nil {
		p.fail(f.Name, "the name %q is empty or taken", a.Name)
	}
	for _, word := range words[1:] {
		switch {
		case word == "required":
			a.Required = true
		case word == "one":
			p.oneOf = append(p.oneOf, a.Name)
		case word == "main" && p.main == "":
			p.main = a.Name
		case strings.HasPrefix(word, "short=") && len(word) == len("short=x"):
			a.Short = strings.TrimPrefix(word, "short=")
		default:
			p.fail(f.Name, "unknown or repeated option %q", word)
		}
	}
	p.typeOf(a)
	p.bounds(a)
	p.place(a)
	p.args = append(p.args, a)
}

// typeOf determines the type of an argument from the type of its field. It also chooses the
// function that sets the field.
func (p *plan) typeOf(a *argField) {
	kind, known := argTypes[a.typ]
	if values := a.tags["enum"]; values != "" {
		kind, known, a.Values = ArgEnum, a.typ.Kind() == reflect.String, strings.Fields(values)
	} else if e, ok := reflect.Zero(a.typ).Interface().(enumeration); ok {
		kind, known, a.Values = ArgEnum, true, e.Values()
	}
	if !known {
		p.fail(a.field, "no argument has the type %s", a.typ)
	}
	a.Type = kind
	if holds := kind == ArgSelector || kind == ArgCSS || kind == ArgXPath || kind == ArgPoint || kind == ArgPlace || kind == ArgCondition; holds && a.pointer == (a.Required && kind != ArgCondition) {
		p.fail(a.field, "a %s must be a value if it is required, otherwise a pointer; a condition is always a pointer", a.typ)
	}
	if a.pointer && a.Required && kind != ArgCondition {
		p.fail(a.field, "found a pointer, expected a value for a required argument")
	}
	a.TakesParams, a.Identifiers, a.keeps = a.typ == reflect.TypeFor[Params](), a.typ == reflect.TypeFor[ScriptArgs](), a.typ == reflect.TypeFor[Kept]()
	a.put = putter(a)
}

// bounds reads the tags default, min and max.
func (p *plan) bounds(a *argField) {
	for key, into := range map[string]**float64{"min": &a.Min, "max": &a.Max} {
		if text, ok := a.tags[key]; ok {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil || a.Type != ArgInteger && a.Type != ArgNumber {
				p.fail(a.field, "%s is %q, expected a number, for a numeric argument", key, text)
			}
			*into = &n
		}
	}
	text, ok := a.tags["default"]
	if !ok {
		return
	}
	a.Default = text
	switch n, err := strconv.Atoi(text); {
	case a.Type == ArgBoolean && (text == "true" || text == "false"):
		a.Default = text == "true"
	case err == nil && a.Type != ArgText:
		a.Default = n
	}
	if _, msg := a.Convert(a.Default, false); msg != "" || a.Required || a.pointer {
		p.fail(a.field, "the default %q does not fit: expected a value of the argument's type, and an argument that is neither required nor a pointer", text)
	}
}

// place reads the tags with, alias and pos.
func (p *plan) place(a *argField) {
	if partner, ok := a.tags["with"]; ok {
		if p.with == nil {
			p.with = make(map[string]string)
		}
		p.with[a.Name] = partner
	}
	if alias, ok := a.tags["alias"]; ok {
		if p.alias == nil {
			p.alias = make(map[string][]string)
		}
		p.alias[alias] = []string{a.Name}
	}
	text, ok := a.tags["pos"]
	if !ok {
		return
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 9 {
		p.fail(a.field, "pos is %q, expected a number from 1", text)
	}
	for len(p.tagged) < n {
		p.tagged = append(p.tagged, nil)
	}
	if p.tagged[n-1] != nil {
		p.fail(a.field, "pos %d is taken", n)
	}
	p.tagged[n-1] = a
}

// tagsOf returns the tags of a field by key. If a key is not in keys, it returns an error.
func tagsOf(tag reflect.StructTag, keys []string) (map[string]string, error) {
	tags := make(map[string]string, 4)
	for rest := string(tag); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, value, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil || !slices.Contains(keys, key) {
			return nil, fmt.Errorf("unknown tag %s", rest)
		}
		tags[key], _ = strconv.Unquote(quoted)
		rest = value[len(quoted):]
	}
	return tags, nil
}

// A BoundField is one field of `extract`, or one question of `look`.
type BoundField struct {
	Name   string
	Target *driver.Target // nil: the row itself
	What   string
	Attr   string
	All    bool // every match instead of the first
	// Fields and Only are set for a list of `look`. Fields are the fields of each row. Only says
	// which rows to read.
	Fields []BoundField
	Only   driver.RowFilter
}

// putter returns the function that stores the value of an argument in its struct field.
func putter(a *argField) func(into reflect.Value, v any) {
	set := setter(a)
	if !a.pointer || a.Type == ArgCondition {
		return set
	}
	t := a.typ
	if t == reflect.TypeFor[driver.Target]() {
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v)) }
	}
	return func(into reflect.Value, v any) {
		p := reflect.New(t)
		set(p.Elem(), v)
		into.Set(p)
	}
}

func setter(a *argField) func(into reflect.Value, v any) {
	switch a.Type {
	case ArgInteger:
		return func(into reflect.Value, v any) { into.SetInt(int64(v.(float64))) }
	case ArgText, ArgEnum, ArgScript, ArgAction, ArgName:
		return func(into reflect.Value, v any) { into.SetString(v.(string)) }
	case ArgBoolean:
		return func(into reflect.Value, v any) { into.SetBool(v.(bool)) }
	case ArgValue:
		return func(into reflect.Value, v any) {
			if v != nil {
				into.Set(reflect.ValueOf(v))
			}
		}
	case ArgSelector:
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v).Elem()) }
	case ArgCSS, ArgXPath:
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v).Elem().Convert(a.typ)) }
	case ArgTextMap:
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(texts(v.(map[string]any)))) }
	case ArgPlace:
		return func(into reflect.Value, v any) {
			if at, ok := v.(driver.Point); ok {
				into.Set(reflect.ValueOf(driver.Place{Point: at}))
			} else {
				into.Set(reflect.ValueOf(driver.Place{Target: v.(*driver.Target)}))
			}
		}
	}
	if t := a.typ; t.Name() != "" && (t.Kind() == reflect.Map || t.Kind() == reflect.Slice) {
		return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v).Convert(t)) }
	}
	return func(into reflect.Value, v any) { into.Set(reflect.ValueOf(v)) }
}

func texts(m map[string]any) map[string]string {
	out := make(map[string]string, len(m))
	for name, v := range m {
		out[name] = expr.Text(v)
	}
	return out
}
