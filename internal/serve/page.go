package serve

// The generated parts of docs/http.md.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/ops"
)

// PagePart returns the text of one part of docs/http.md. The parts are "paths", "statuses" and
// "types". For other names, ok is false.
func PagePart(name string) (text string, ok bool) {
	switch name {
	case "paths":
		return pathTable(), true
	case "statuses":
		return statusTable(), true
	case "types":
		var names []string
		for _, t := range ActionTypes() {
			names = append(names, "`"+t+"`")
		}
		return ops.Wrap(strings.Join(names, ", ") + "."), true
	}
	return "", false
}

func pathTable() string {
	var b strings.Builder
	b.WriteString("| path | | query | scope |\n| --- | --- | --- | --- |\n")
	for _, r := range apiRoutes() {
		scope := string(r.scope)
		if scope == "" {
			scope = "no token"
		}
		var query []string
		for _, q := range r.query {
			query = append(query, "`"+q+"`")
		}
		fmt.Fprintf(&b, "| `%s %s` | %s | %s | %s |\n", r.method, r.path, ops.Cell(r.doc), strings.Join(query, ", "), scope)
	}
	return b.String()
}

// statusTable returns a table of the HTTP statuses, with the error codes of each.
func statusTable() string {
	codes := make(map[int][]string)
	var statuses []int
	for _, code := range diag.Codes() {
		status := ops.StatusOf(code)
		if codes[status] == nil {
			statuses = append(statuses, status)
		}
		codes[status] = append(codes[status], "`"+string(code)+"`")
	}
	slices.Sort(statuses)
	var b strings.Builder
	b.WriteString("| status | codes |\n| --- | --- |\n")
	for _, status := range statuses {
		fmt.Fprintf(&b, "| %d %s | %s |\n", status, title(status), strings.Join(codes[status], ", "))
	}
	return b.String()
}
