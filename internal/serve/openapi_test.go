package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/internal/testkit"
)

// description is the OpenAPI description, as a client reads it.
var description = sync.OnceValue(func() map[string]any {
	doc, err := serve.OpenAPI("1.2.3")
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
})

// described returns the description of a request: its operation, by the pattern that fits its path best.
func described(method, path string) map[string]any {
	path, _, _ = strings.Cut(path, "?")
	best, fewest := "", 100
	for pattern := range description()["paths"].(map[string]any) {
		expr := "^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(pattern), "[^/]+") + "$"
		if regexp.MustCompile(expr).MatchString(path) && strings.Count(pattern, "{") < fewest {
			best, fewest = pattern, strings.Count(pattern, "{")
		}
	}
	o, _ := description()["paths"].(map[string]any)[best].(map[string]any)
	operation, _ := o[strings.ToLower(method)].(map[string]any)
	return operation
}

// mustBeDescribed checks that an answer is one that the description has for its request.
func mustBeDescribed(t testing.TB, method, path string, a *answer) {
	t.Helper()
	operation := described(method, path)
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	if operation == nil || a.status == 404 && a.data["detail"] == "found an unknown path" {
		return
	}
	switch a.status {
	case 401, 403, 408, 413, 415, 426, 431:
		return // of all paths
	}
	response, ok := operation["responses"].(map[string]any)[fmt.Sprint(a.status)].(map[string]any)
	if !ok {
		t.Errorf("%s %s is answered with %d, which its description lacks", method, path, a.status)
		return
	}
	if ref, ok := response["$ref"].(string); ok {
		response = description()["components"].(map[string]any)["responses"].(map[string]any)[strings.TrimPrefix(ref, "#/components/responses/")].(map[string]any)
	}
	content, ok := response["content"].(map[string]any)[kind].(map[string]any)
	if !ok {
		t.Errorf("%s %s is answered with %d %s, which its description lacks", method, path, a.status, kind)
		return
	}
	if !strings.HasSuffix(kind, "json") {
		return
	}
	if err := validate(content["schema"], a.text); err != nil {
		t.Errorf("%s %s: %v\n%.500s", method, path, err, a.text)
	}
}

func validate(schema any, text string) error {
	whole := map[string]any{"allOf": []any{schema}, "$defs": description()["components"].(map[string]any)["schemas"]}
	encoded, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	encoded = bytes.ReplaceAll(encoded, []byte("#/components/schemas/"), []byte("#/$defs/"))
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(encoded, s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}

// TestOpenAPI checks that the description has every operation with a path and every step, and that
// each of its references leads somewhere.
func TestOpenAPI(t *testing.T) {
	paths := description()["paths"].(map[string]any)
	for _, o := range ops.All() {
		if o.HTTP.Method == "" || o.Name == "step" {
			continue
		}
		item, _ := paths[o.HTTP.Path].(map[string]any)
		if item[strings.ToLower(o.HTTP.Method)] == nil {
			t.Errorf("no %s %s, of %s", o.HTTP.Method, o.HTTP.Path, o.Name)
		}
	}
	for _, name := range catalogue.Names() {
		if e := catalogue.Lookup(name); e.Instead == "" && e.Name == name && paths["/api/v1/browser/session/{id}/steps/"+name] == nil {
			t.Errorf("no path of the step %s", name)
		}
	}
	ids := make(map[string]bool)
	for path, item := range paths {
		for method, o := range item.(map[string]any) {
			id := o.(map[string]any)["operationId"].(string)
			if ids[id] || o.(map[string]any)["summary"] == "" {
				t.Errorf("%s %s has the id %q, which another one has too, or no summary", method, path, id)
			}
			ids[id] = true
			if n := len(regexp.MustCompile(`\{\w+\}`).FindAllString(path, -1)); n > 0 {
				params, _ := o.(map[string]any)["parameters"].([]any)
				if len(params) < n {
					t.Errorf("%s %s has %d parameters", method, path, len(params))
				}
			}
		}
	}
	text, err := json.Marshal(description())
	if err != nil {
		t.Fatal(err)
	}
	schemas := description()["components"].(map[string]any)["schemas"].(map[string]any)
	for _, m := range regexp.MustCompile(`"\$ref":"#/components/schemas/(\w+)"`).FindAllStringSubmatch(string(text), -1) {
		if schemas[m[1]] == nil {
			t.Errorf("no schema %s", m[1])
		}
	}
	s := start(t, "")
	if a := s.do("GET", "/openapi.json", "").must(200); a.data["openapi"] != "3.1.0" || a.at("info.version") != "1.2.3" {
		t.Errorf("got %.200s", a.text)
	}
	if a := s.do("GET", "/metrics", "").must(200); !strings.Contains(a.text, `action_http_requests_total{method="GET",path="/openapi.json",status="200"} 1`) {
		t.Errorf("metrics: %s", a.text)
	}
}

// A finding is a problem that Redocly has found in a description.
type finding struct{ RuleID, Severity, Message string }

// lint returns what Redocly (testdata/openapi) finds in a description.
func lint(t *testing.T, doc any) []finding {
	t.Helper()
	module, err := filepath.Abs("../../testdata/openapi")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "openapi.json")
	testkit.Write(t, file, string(text))
	cmd := exec.CommandContext(t.Context(), filepath.Join(module, "node_modules/.bin/redocly"), "lint", file, "--config", "redocly.yaml", "--format", "json")
	cmd.Dir, cmd.Env = module, append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "HOME="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var found struct {
		Totals   *struct{ Errors, Warnings, Ignored int }
		Problems []finding
	}
	if why := json.Unmarshal(out, &found); why != nil || found.Totals == nil {
		t.Fatalf("Redocly did not report: %v, %v\n%s%s\ninstall it with: make node_modules", err, why, out, &stderr)
	}
	if found.Totals.Ignored > 0 {
		t.Errorf("%d problems are ignored", found.Totals.Ignored)
	}
	if n := found.Totals.Errors; (n > 0) != (err != nil) {
		t.Errorf("with %d errors, Redocly ended with %v", n, err)
	}
	return found.Problems
}

// TestRedocly checks the description by the rules of Redocly, and that a broken one is refused.
func TestRedocly(t *testing.T) {
	t.Parallel()
	for _, p := range lint(t, description()) {
		t.Errorf("%s %s: %s", p.Severity, p.RuleID, p.Message)
	}
	var broken map[string]any
	text, err := json.Marshal(description())
	if err == nil {
		err = json.Unmarshal(text, &broken)
	}
	if err != nil {
		t.Fatal(err)
	}
	paths := broken["paths"].(map[string]any)
	list := paths["/api/v1/actions"].(map[string]any)["get"].(map[string]any)
	delete(list["responses"].(map[string]any), "200")
	paths["/api/v1/reload"].(map[string]any)["post"].(map[string]any)["operationId"] = list["operationId"]
	delete(paths["/api/v1/runs/{id}"].(map[string]any)["get"].(map[string]any), "parameters")
	delete(broken["components"].(map[string]any)["schemas"].(map[string]any), "Problem")
	rules := make(map[string]bool)
	for _, p := range lint(t, broken) {
		rules[p.RuleID] = true
	}
	for _, want := range []string{"rule/good-answer", "operation-operationId-unique", "path-parameters-defined", "no-unresolved-refs"} {
		if !rules[want] {
			t.Errorf("a broken description is not refused by %s, but by %v", want, rules)
		}
	}
}
