package pysdk

// The methods of the clients, and the table by which their requests travel.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/actionregistry/action/internal/ops"
)

// Unprinted holds the operations that have no method, with the reasons.
var Unprinted = map[string]string{
	"cancel":  "the transports send it when a call is given up",
	"command": "it is how bin/action runs its command lines",
	"step":    "each step is a method of a session",
}

// client lists the request fields that are not parameters of methods. The client or the transport
// sets them.
var client = []string{"cwd", "path", "env", "unattended", "stream", "channel"}

// A variant is one of the methods of an operation whose result has several shapes. Each method
// returns one shape.
type variant struct {
	method string
	shape  int
	fixed  map[string]string // fields that the method sets
	doc    string
}

var variants = map[string][]variant{
	"action.describe": {
		{method: "describe", doc: "Describes an action: params, steps, where each part comes from."},
		{method: "describe_namespace", shape: 1, doc: "Describes a namespace: its version, sources, files, variables and actions. Only over the socket."},
		{method: "describe_text", shape: 2, fixed: map[string]string{"format": "text"}, doc: "Describes an action as the text that `action describe` prints."},
	},
	"session.handoff": {
		{method: "handoff", doc: "Lets a person use the browser of a session, and returns at once. The handoff outlives the call."},
		{method: "handoff_and_wait", shape: 1, fixed: map[string]string{"wait": "True"}, doc: "Lets a person use the browser of a session, and returns when the handoff has ended."},
	},
}

// groups holds the classes of methods. A class has the operations whose names begin with its
// prefix. The class without a prefix has the operations without a dot in their names.
var groups = []struct{ prefix, class, doc string }{
	{"action.", "ActionOperations", "Actions: find them and run them."},
	{"session.", "SessionOperations", "Sessions: browsers that the server keeps."},
	{"approval.", "ApprovalOperations", "Approvals: what runs wait for until a person has answered."},
	{"", "ServerOperations", "The server itself. Only over the socket."},
}

func groupOf(name string) (class, method string) {
	for _, g := range groups {
		if rest, ok := strings.CutPrefix(name, g.prefix); ok && (g.prefix != "" || !strings.Contains(name, ".")) {
			return g.class, rest
		}
	}
	panic("pysdk: no class has the operation " + name)
}

// operationClasses prints the methods of all operations.
func operationClasses(m *models, s style) string {
	var b strings.Builder
	fmt.Fprintf(&b, head, "The operations as methods of the "+s.module+" client.")
	b.WriteString("from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence\n\n")
	fmt.Fprintf(&b, "from ._base import Duration\nfrom ._calls import %[1]sOnApproval, %[1]sOperations, OnEvent\nfrom .models import (\n", s.prefix)
	body, used := operationMethods(m, s)
	for _, name := range used {
		fmt.Fprintf(&b, "    %s,\n", name)
	}
	fmt.Fprintf(&b, ")\n\nif TYPE_CHECKING:\n    from .%s import %sSession\n", s.home, s.prefix)
	b.WriteString(body)
	return b.String()
}

func operationMethods(m *models, s style) (text string, used []string) {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "\n\nclass %s%s(%sOperations):\n    \"\"\"%s\"\"\"\n", s.prefix, g.class, s.prefix, g.doc)
		for _, o := range ops.All() {
			class, name := groupOf(o.Name)
			if class != g.class || Unprinted[o.Name] != "" {
				continue
			}
			list := variants[o.Name]
			if list == nil {
				list = []variant{{method: pythonName(name), doc: strings.TrimSpace(o.Doc + " " + o.More)}}
			}
			for _, v := range list {
				result := m.class(shape(o, v.shape))
				used = append(used, result)
				b.WriteString("\n" + operationMethod(m, s, o, v, result))
				if o.Name == "session.open" {
					b.WriteString("\n" + createMethod(m, s, o))
				}
				for _, f := range o.Fields {
					if f.Values != nil && !slices.Contains(client, f.Name) && !fixed(o, f.Name) {
						used = append(used, className(o.Name, f.Name))
					}
				}
			}
		}
	}
	slices.Sort(used)
	return b.String(), slices.Compact(used)
}

// shape returns the type of an operation's result. If the result has several shapes, i chooses one
// of them.
func shape(o *ops.Operation, i int) reflect.Type {
	t := o.ResultType()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if shaped, ok := reflect.Zero(t).Interface().(ops.Shaped); ok {
		return reflect.TypeOf(shaped.Shapes()[i])
	}
	return t
}

// operationMethod prints the method for a variant of an operation.
func operationMethod(m *models, s style, o *ops.Operation, v variant, result string) string {
	var b strings.Builder
	args := section{title: "Args"}
	var params []parameter
	sent := []string{}
	hasTimeout := false
	for _, f := range o.Fields {
		switch {
		case slices.Contains(client, f.Name):
			continue
		case f.Name == "timeout":
			hasTimeout = true
			continue
		case v.fixed[f.Name] != "":
			value := v.fixed[f.Name]
			if f.Kind == ops.Text {
				value = quoted(value)
			}
			sent = append(sent, fmt.Sprintf("%s: %s", quoted(f.Name), value))
			continue
		case fixed(o, f.Name):
			continue // another variant sets it
		case f.Kind == ops.Fields:
			var inner []string
			for _, part := range f.Fields {
				params = append(params, parameter{name: pythonName(part.Name), typ: optional(fieldType(m, o, part)), def: "None", keyword: true})
				args.add(pythonName(part.Name), part.Doc)
				inner = append(inner, fmt.Sprintf("%s: %s", quoted(part.Name), pythonName(part.Name)))
			}
			sent = append(sent, fmt.Sprintf("%s: {\n                %s,\n            }", quoted(f.Name), strings.Join(inner, ",\n                ")))
			continue
		}
		p := parameter{name: pythonName(f.Name), typ: fieldType(m, o, f)}
		if !f.Required {
			p.typ, p.def = optional(p.typ), "None"
			p.keyword = !inOrder(o, f.Name)
		}
		params = append(params, p)
		args.add(p.name, f.Doc)
		sent = append(sent, fmt.Sprintf("%s: %s", quoted(f.Name), p.name))
	}
	params = append(params, parameter{name: "timeout", typ: "Optional[float]", def: "None", keyword: true})
	args.add("timeout", timeoutDoc(o, hasTimeout))
	call, more := "_call", ""
	if o.Whole {
		params = append(params, parameter{name: "on_event", typ: "Optional[OnEvent]", def: "None", keyword: true},
			parameter{name: "on_approval", typ: "Optional[" + s.prefix + "OnApproval]", def: "None", keyword: true})
		args.add("on_event", "is called with each event of the run, in the thread of the call")
		args.add("on_approval", s.approval)
		call, more = "_run", ", on_event, on_approval"
	}
	b.WriteString(signature(s, "    ", v.method, params, result))
	d := doc{paragraphs: []string{v.doc}, sections: []section{args}}
	d.paragraphs = append(d.paragraphs, scopeDoc(o))
	b.WriteString(d.print("        "))
	var last string
	if len(sent) == 0 {
		last = fmt.Sprintf("        return %sself.%s(%s, {}, %s, timeout%s)\n", s.await, call, quoted(o.Name), result, more)
	} else {
		fmt.Fprintf(&b, "        given: Mapping[str, Any] = {\n            %s,\n        }\n", strings.Join(sent, ",\n            "))
		last = fmt.Sprintf("        return %sself.%s(%s, given, %s, timeout%s)\n", s.await, call, quoted(o.Name), result, more)
	}
	b.WriteString(last)
	return b.String()
}

// fixed reports whether any variant of an operation sets the field to a fixed value.
func fixed(o *ops.Operation, field string) bool {
	return slices.ContainsFunc(variants[o.Name], func(v variant) bool { return v.fixed[field] != "" })
}

// inOrder reports whether an optional parameter may be passed by position.
func inOrder(o *ops.Operation, name string) bool {
	switch name {
	case "params", "paths":
		return true
	case "session":
		return strings.HasPrefix(o.Name, "session.")
	}
	return false
}

// createMethod prints the method that opens a session and returns it as an object.
func createMethod(m *models, s style, o *ops.Operation) string {
	params := []parameter{{name: "name", typ: "Optional[str]", def: "None"}}
	args := section{title: "Args"}
	args.add("name", "name of the session; default: a new one. Over HTTP the server chooses the name")
	var passed []string
	for _, f := range o.Fields {
		if f.Kind != ops.Fields {
			continue
		}
		for _, part := range f.Fields {
			name := pythonName(part.Name)
			params = append(params, parameter{name: name, typ: optional(fieldType(m, o, part)), def: "None", keyword: true})
			args.add(name, part.Doc)
			passed = append(passed, name+"="+name)
		}
	}
	params = append(params, parameter{name: "timeout", typ: "Optional[float]", def: "None", keyword: true})
	args.add("timeout", timeoutDoc(o, false))
	passed = append(passed, "timeout=timeout")
	d := doc{paragraphs: []string{"Opens a session with options and returns it. It is closed at the end of a `with` block."}, sections: []section{args}}
	return signature(s, "    ", "create", params, s.prefix+"Session") + d.print("        ") +
		fmt.Sprintf("        info = %sself.open(\n            self._new_name(name),\n            %s,\n        )\n        return self._bound(info)\n",
			s.await, strings.Join(passed, ",\n            "))
}

func scopeDoc(o *ops.Operation) string {
	if o.HTTP == (ops.Route{}) {
		return "Only over the socket."
	}
	return fmt.Sprintf("Over HTTP: `%s`, with a token of scope %s.", strings.TrimSuffix(o.HTTP.String(), "?"+queryText(o)), o.Scope)
}

func queryText(o *ops.Operation) string {
	_, text, _ := strings.Cut(o.HTTP.String(), "?")
	return text
}

func timeoutDoc(o *ops.Operation, server bool) string {
	switch {
	case o.Name == "session.handoff":
		return "seconds after which the handoff is over, at most a day; default: 600"
	case server:
		return "seconds that the server gives the run, without the time that people take; default: the configured limit"
	}
	return "seconds to wait for the answer; default: as long as the server is alive"
}

// fieldType returns the Python type of a parameter.
func fieldType(m *models, o *ops.Operation, f ops.Field) string {
	switch f.Kind {
	case ops.Text, ops.Absolute:
		if f.Values != nil {
			return m.values(className(o.Name, f.Name), f.Values)
		}
		return "str"
	case ops.Integer:
		return "int"
	case ops.Boolean:
		return "bool"
	case ops.Time:
		return "Duration"
	case ops.Texts:
		return "Sequence[str]"
	case ops.Map:
		return "Mapping[str, Any]"
	case ops.Fields:
		return "Mapping[str, int]"
	}
	panic(fmt.Sprintf("pysdk: %s: no parameter has the kind %s", f.Name, f.Kind))
}

// operationTable prints the module with the table of operations, which the transports use to send
// requests.
func operationTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, "How the request of each operation travels.")
	b.WriteString("from typing import Dict, NamedTuple, Tuple\n\n\n" + operationClass + "\n\nOPERATIONS: Dict[str, Operation] = {\n")
	for _, o := range ops.All() {
		var fields []string
		for _, f := range o.Fields {
			fields = append(fields, quoted(f.Name))
		}
		tuple := "(" + strings.Join(fields, ", ")
		if len(fields) == 1 {
			tuple += ","
		}
		_, query, _ := strings.Cut(o.HTTP.Query, "=")
		as, _, _ := strings.Cut(o.HTTP.Query, "=")
		fmt.Fprintf(&b, "    %s: Operation(\n        name=%[1]s,\n", quoted(o.Name))
		if line := "        fields=" + tuple + "),\n"; len(line) <= width {
			b.WriteString(line)
		} else {
			fmt.Fprintf(&b, "        fields=(\n            %s,\n        ),\n", strings.Join(fields, ",\n            "))
		}
		fmt.Fprintf(&b, "        effects=%s,\n        whole=%s,\n", boolean(o.Effects), boolean(o.Whole))
		fmt.Fprintf(&b, "        method=%s,\n        path=%s,\n        renamed={%s},\n    ),\n", quoted(o.HTTP.Method), quoted(o.HTTP.Path), renamed(query, as))
	}
	b.WriteString("}\n")
	return b.String()
}

func renamed(field, as string) string {
	if field == "" {
		return ""
	}
	return quoted(field) + ": " + quoted(as)
}

func boolean(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

const operationClass = `class Operation(NamedTuple):
    """One operation.

    Attributes:
        name: the type of the request on the socket.
        fields: the fields that a request may have.
        effects: whether it may change a page or a session, so that it is not sent twice.
        whole: whether the fields of the result are at the top level of a reply.
        method: the method over HTTP; empty if there is no path.
        path: the path over HTTP.
        renamed: the names of fields in the query that are not those of the request.
    """

    name: str
    fields: Tuple[str, ...]
    effects: bool
    whole: bool
    method: str
    path: str
    renamed: Dict[str, str]
`
