package pysdk

// The classes of results, from the types of operations and steps.

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/registry"
)

// names holds the Python class names of Go types. Other types keep their names.
var names = map[reflect.Type]string{
	reflect.TypeFor[executor.Result]():               "RunResult",
	reflect.TypeFor[executor.Warning]():              "RunWarning",
	reflect.TypeFor[executor.ApprovalTarget]():       "ApprovalTarget",
	reflect.TypeFor[registry.Item]():                 "ActionItem",
	reflect.TypeFor[registry.Summary]():              "NamespaceItem",
	reflect.TypeFor[registry.Hit]():                  "SearchHit",
	reflect.TypeFor[registry.Description]():          "ActionDescription",
	reflect.TypeFor[registry.NamespaceDescription](): "NamespaceDescription",
	reflect.TypeFor[registry.Step]():                 "ActionStep",
	reflect.TypeFor[ops.Actions]():                   "ActionList",
	reflect.TypeFor[ops.Found]():                     "SearchResult",
	reflect.TypeFor[ops.Approvals]():                 "ApprovalList",
	reflect.TypeFor[approvals.Approval]():            "Approval",
	reflect.TypeFor[ops.Approval]():                  "Approval",
	reflect.TypeFor[approvals.Answer]():              "ApprovalAnswer",
	reflect.TypeFor[wire.Session]():                  "SessionInfo",
	reflect.TypeFor[wire.Sessions]():                 "SessionList",
	reflect.TypeFor[wire.Hello]():                    "DaemonInfo",
	reflect.TypeFor[wire.Status]():                   "DaemonStatus",
	reflect.TypeFor[diag.Pos]():                      "Position",
}

// docs holds the docstrings of classes.
var docs = map[string]string{
	"RunResult":            "The result of a run: what the action returns is in `data`.",
	"RunWarning":           "What the caller should know even if the run succeeded.",
	"StepEvent":            "A step that has ended, while its run goes on; with the status `waiting`, one that waits for a person.",
	"StepResult":           "What one step did.",
	"ActionDescription":    "An action: its params, its steps and where they come from.",
	"NamespaceDescription": "A namespace: its version, sources, variables and actions.",
	"ActionList":           "The actions, and the problems that excluded others.",
	"SearchResult":         "The actions that match, best first.",
	"SessionInfo":          "A session, as the server describes it.",
	"SessionList":          "The sessions of the server.",
	"DaemonInfo":           "The daemon: its version and its process.",
	"DaemonStatus":         "What the daemon is doing.",
	"Approval":             "What a run waits for, and the answer to it.",
	"ApprovalAnswer":       "Who has answered an approval.",
	"Held":                 "Who uses the browser of a session.",
	"HandedBack":           "How a handoff has ended: `resumed` or `condition`.",
	"Plan":                 "The plan of a run.",
	"Validation":           "The problems of definition files.",
	"Reloaded":             "The definitions after they were read again.",
}

// A modelField is one field of a class.
type modelField struct {
	name, typ, def, doc string
}

type model struct {
	name   string
	base   string
	doc    string
	fields []modelField
}

// models collects the classes to print.
type models struct {
	list  []*model
	done  map[string]*model
	types map[string]reflect.Type
	names []string // other definitions, in order: the sets of values
	alias map[string]string
}

func newModels() *models {
	m := &models{done: make(map[string]*model), types: make(map[string]reflect.Type), alias: make(map[string]string)}
	m.class(reflect.TypeFor[ops.Approval]()) // the larger of the two
	m.class(reflect.TypeFor[executor.StepEvent]())
	return m
}

// class returns the name of the class for a struct. If the class is new, it is added.
func (m *models) class(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := names[t]
	if name == "" {
		name = className(t.Name())
	}
	if known := m.types[name]; known != nil {
		if known != t && names[t] == "" {
			panic(fmt.Sprintf("pysdk: %s and %s would have the same class %s", known, t, name))
		}
		return name
	}
	m.types[name] = t
	c := &model{name: name, base: "Model", doc: docs[name]}
	m.done[name] = c
	m.list = append(m.list, c)
	m.fill(c, t)
	return name
}

// fill adds the fields of the struct type t. The fields of an embedded struct count as fields of t.
func (m *models) fill(c *model, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			m.fill(c, f.Type)
		case name == "" || name == "-":
		default:
			c.fields = append(c.fields, m.field(name, f.Type, ops.ResultDoc(t, name), false))
		}
	}
}

// field returns a field of a class. If "none" is set, the default of the field is None. Otherwise
// it is the zero value of its type.
func (m *models) field(name string, t reflect.Type, text string, none bool) modelField {
	typ := m.typeOf(t)
	if none {
		typ = optional(typ)
	}
	return modelField{name: pythonName(name), typ: typ, def: zeroOf(typ), doc: text}
}

// zeroOf returns the zero value of a Python type, as Python source.
func zeroOf(typ string) string {
	switch {
	case typ == "str":
		return `""`
	case typ == "int":
		return "0"
	case typ == "float":
		return "0.0"
	case typ == "bool":
		return "False"
	case strings.HasPrefix(typ, "List["):
		return "field(default_factory=list)"
	case strings.HasPrefix(typ, "Dict["):
		return "field(default_factory=dict)"
	}
	return "None"
}

// typeOf returns the Python type for the JSON encoding of t.
func (m *models) typeOf(t reflect.Type) string {
	switch t {
	case nil:
		return "Any"
	case reflect.TypeFor[time.Time]():
		return "Optional[datetime]"
	case reflect.TypeFor[diag.List]():
		return "List[ErrorInfo]"
	case reflect.TypeFor[diag.Error]():
		return "Optional[ErrorInfo]"
	case reflect.TypeFor[json.RawMessage]():
		return "Any"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return optional(m.typeOf(t.Elem()))
	case reflect.String:
		return "str"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint32, reflect.Uint8:
		return "int"
	case reflect.Float64:
		return "float"
	case reflect.Slice:
		return "List[" + m.element(t.Elem()) + "]"
	case reflect.Map:
		return "Dict[str, " + m.element(t.Elem()) + "]"
	case reflect.Struct:
		if t.Implements(reflect.TypeFor[json.Marshaler]()) {
			return "Dict[str, Any]"
		}
		return optional(m.class(t))
	}
	return "Any"
}

// element is like typeOf, but for the elements of a list or a map, which are never None.
func (m *models) element(t reflect.Type) string {
	typ := m.typeOf(t)
	if inner, ok := strings.CutPrefix(typ, "Optional["); ok {
		return strings.TrimSuffix(inner, "]")
	}
	return typ
}

// values adds a Literal type with the given values, and returns the name of the type.
func (m *models) values(name string, list []string) string {
	var b strings.Builder
	one := make([]string, len(list))
	for i, v := range list {
		one[i] = quoted(v)
	}
	if text := fmt.Sprintf("%s = Literal[%s]\n", name, strings.Join(one, ", ")); len(text) <= width {
		b.WriteString(text)
	} else {
		fmt.Fprintf(&b, "%s = Literal[\n    %s,\n]\n", name, strings.Join(one, ",\n    "))
	}
	if old, known := m.alias[name]; known && old != b.String() {
		panic("pysdk: two sets of values are named " + name)
	} else if !known {
		m.names, m.alias[name] = append(m.names, name), b.String()
	}
	return name
}

// print returns the text of the module with all classes.
func (m *models) print() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, "The classes of results.")
	b.WriteString("from dataclasses import dataclass, field\nfrom datetime import datetime\nfrom typing import Any, Dict, List, Literal, Optional\n\n" +
		"from ._base import ErrorInfo, Model, StepData\n\n")
	for _, name := range m.names {
		b.WriteString(m.alias[name])
	}
	for _, c := range m.list {
		decorator := "@dataclass"
		if len(c.fields) == 0 {
			decorator = "@dataclass(repr=False)" // the base class shows what the object has
		}
		fmt.Fprintf(&b, "\n\n%s\nclass %s(%s):\n", decorator, c.name, c.base)
		d := doc{paragraphs: []string{sentence(c.doc)}}
		if c.doc == "" {
			d.paragraphs = []string{c.name + ", a part of a result."}
		}
		s := section{title: "Attributes"}
		for _, f := range c.fields {
			s.add(f.name, f.doc)
		}
		d.sections = []section{s}
		b.WriteString(d.print("    "))
		if len(c.fields) > 0 {
			b.WriteString("\n")
		}
		for _, f := range c.fields {
			fmt.Fprintf(&b, "    %s: %s = %s\n", f.name, f.typ, f.def)
		}
	}
	all := append(slices.Clone(m.names), "ErrorInfo", "Model", "StepData")
	for _, c := range m.list {
		all = append(all, c.name)
	}
	slices.Sort(all)
	b.WriteString("\n\n__all__ = [\n")
	for _, name := range all {
		fmt.Fprintf(&b, "    %s,\n", quoted(name))
	}
	b.WriteString("]\n")
	return b.String()
}
