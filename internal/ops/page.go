package ops

// The generated parts of the reference pages. A part is what is between the lines <!-- ops: NAME
// --> and <!-- end -->.

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

// part matches a generated part of a page.
var part = regexp.MustCompile(`(?ms)^<!-- ops: (\S+) -->\n.*?^<!-- end -->\n`)

// WritePage replaces the generated parts of a page. It calls the function "print" with the name of
// each part to get its text. WritePage returns the new page and the names of the parts. It returns
// an error if ok is false for a part.
func WritePage(page string, print func(name string) (text string, ok bool)) (written string, names []string, err error) {
	written = part.ReplaceAllStringFunc(page, func(old string) string {
		name := part.FindStringSubmatch(old)[1]
		text, ok := print(name)
		if !ok {
			err = fmt.Errorf("the page has the unknown part %q", name)
			return old
		}
		names = append(names, name)
		return "<!-- ops: " + name + " -->\n\n" + strings.TrimSpace(text) + "\n\n<!-- end -->\n"
	})
	return written, names, err
}

// ProtocolPart returns the text of a generated part of docs/protocol.md. The name of the part is
// table, fields, results, or the name of an operation. For another name, ProtocolPart returns
// false.
func ProtocolPart(name string) (text string, ok bool) {
	switch name {
	case "table":
		return operationTable(), true
	case "fields":
		return fieldTable(), true
	case "results":
		return resultTable(), true
	}
	o := Lookup(name)
	if o == nil {
		return "", false
	}
	text = Wrap(strings.TrimSpace(o.Doc+" "+o.More)) + "\n\n" + Wrap("Fields: "+fieldList(o.Fields))
	return text, true
}

func operationTable() string {
	var b strings.Builder
	b.WriteString("| type | | scope | events | HTTP |\n| --- | --- | --- | --- | --- |\n")
	for _, o := range All() {
		scope := string(o.Scope)
		if o.Control() {
			scope += ", control"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s | %s |\n", o.Name, anchor(o.Name), Cell(o.Doc), scope, code(o.Events...), code(o.HTTP.String()))
	}
	return b.String()
}

// anchor returns the fragment of a link to a heading.
func anchor(heading string) string { return strings.ToLower(strings.ReplaceAll(heading, ".", "")) }

// String returns the method and the path, such as "GET /api/v1/actions?q={query}". It returns ""
// for the zero value.
func (r Route) String() string {
	text := strings.TrimSpace(r.Method + " " + r.Path)
	if name, field, ok := strings.Cut(r.Query, "="); ok {
		text += "?" + name + "={" + field + "}"
	}
	return text
}

func code(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, "`"+w+"`")
		}
	}
	return strings.Join(out, ", ")
}

// fieldTable returns a table of all fields of requests.
func fieldTable() string {
	var b strings.Builder
	b.WriteString("| field | type | |\n| --- | --- | --- |\n")
	seen := make(map[string]bool)
	for _, o := range All() {
		for _, f := range o.Fields {
			if !seen[f.Name] {
				seen[f.Name] = true
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Kind, Cell(f.Doc))
			}
		}
	}
	return b.String()
}

// resultTable returns a table of all fields of results.
func resultTable() string {
	var b strings.Builder
	b.WriteString("| of | field | type | |\n| --- | --- | --- | --- |\n")
	seen := make(map[reflect.Type]bool)
	for _, o := range All() {
		if seen[o.result] {
			continue
		}
		seen[o.result] = true
		of := code(sameResult(o.result)...)
		for _, v := range o.Result {
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", of, v.Name, plainType(v.Type), Cell(v.Doc))
			of = ""
		}
	}
	return b.String()
}

func sameResult(t reflect.Type) (names []string) {
	for _, o := range All() {
		if o.result == t {
			names = append(names, o.Name)
		}
	}
	return names
}

// plainType returns the name of a type for the documentation, such as "list of texts".
func plainType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t == reflect.TypeFor[diag.List]():
		return "list of errors"
	case t == reflect.TypeFor[diag.Error]():
		return "error"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.String:
			return "list of texts"
		default:
			return "list of objects"
		}
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "any"
}

// fieldList returns the names of the fields as a sentence.
func fieldList(fields []Field) string {
	if len(fields) == 0 {
		return "none."
	}
	var words []string
	for _, f := range fields {
		word := "`" + f.Name + "`"
		if f.Required {
			word += " (required)"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ") + "."
}

// Cell escapes a text for a Markdown table.
func Cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Wrap breaks a paragraph into lines of at most 100 characters. It keeps "(required)" on the line
// of the word before it.
func Wrap(text string) string {
	const most = 100
	var lines []string
	line := ""
	for _, word := range strings.Fields(strings.ReplaceAll(text, " (required)", "\u00a0(required)")) {
		word = strings.ReplaceAll(word, "\u00a0", " ")
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > most:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return strings.Join(append(lines, line), "\n")
}
