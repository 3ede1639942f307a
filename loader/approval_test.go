package loader

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/spec"
)

func TestApproveSettings(t *testing.T) {
	tests := []struct {
		name, user, project, env string
		approve, by              string
		timeout                  time.Duration
		problem                  string
	}{
		{"defaults", "", "", "", "", "terminal command socket http console", 5 * time.Minute, ""},
		{"lists add up", "policy: {approve: [submit, click]}", "policy: {approve: [eval]}", "ACTION_POLICY_APPROVE=upload, wait_function",
			"submit click eval upload wait_function", "terminal command socket http console", 5 * time.Minute, ""},
		{"an empty list removes nothing", "policy: {approve: [submit]}", "policy: {approve: []}", "ACTION_POLICY_APPROVE=", "submit", "", 0, ""},
		{"an unknown word", "policy: {approve: [submitt]}", "", "", "", "", 0, `:1:20: found "submitt", expected a risk or the name of a step`},
		{"the user adds mcp", "policy: {approve_by: [mcp, command]}", "", "", "", "mcp command", 0, ""},
		{"channels intersect", "policy: {approve_by: [mcp, command, socket]}", "policy: {approve_by: [socket, mcp]}", "ACTION_POLICY_APPROVE_BY=mcp, http", "", "mcp", 0, ""},
		{"a project may not widen", "", "policy: {approve_by: [command, mcp]}", "", "", "terminal command socket http console", 0, "a project may not loosen the policy with `policy.approve_by: [mcp]`"},
		{"a variable does not widen", "", "", "ACTION_POLICY_APPROVE_BY=command, mcp", "", "command", 0, ""},
		{"no channel", "policy: {approve_by: []}", "", "", "", "", 0, ""},
		{"an unknown channel", "policy: {approve_by: [sockets]}", "", "", "", "", 0, `found "sockets", expected a channel`},
		{"a time", "policy: {approve_timeout: 1h}", "", "", "", "", time.Hour, ""},
		{"too short", "policy: {approve_timeout: 9s}", "", "", "", "", 0, `expected a duration from 10s to 24h`},
		{"too long", "policy: {approve_timeout: 25h}", "", "", "", "", 0, `expected at most 24h`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var environ []string
			if tt.env != "" {
				environ = []string{tt.env}
			}
			c, problems, _, _ := config(t, tt.user, tt.project, environ...)
			if tt.problem == "" && len(problems) > 0 || tt.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.problem)) {
				t.Fatalf("problems = %v, want %q", problems, tt.problem)
			}
			if got := strings.Join(c.Policy.Approve, " "); got != tt.approve {
				t.Errorf("approve = %q, want %q", got, tt.approve)
			}
			if got := strings.Join(c.Policy.ApproveChannels(), " "); tt.by != "" && got != tt.by {
				t.Errorf("channels = %q, want %q", got, tt.by)
			}
			if got := c.Policy.ApproveTime(); tt.timeout != 0 && got != tt.timeout {
				t.Errorf("time = %v, want %v", got, tt.timeout)
			}
		})
	}
}

// TestPackageKeepsApproval: a package does not remove an approval; a file of the user or the project
// may.
func TestPackageKeepsApproval(t *testing.T) {
	const step = "namespace: app\nversion: 1.0.0\nactions:\n  order:send:\n    steps:\n      - click: css:#b\n        approval: required\n"
	const whole = "namespace: app\nversion: 1.0.0\nactions:\n  order:send:\n    approval: required\n    steps: [{click: css:#b}]\n"
	const head = "namespace: app\nactions:\n  order:send:\n"
	const others = head + "    steps: [{click: css:#c}]\n"
	const none = head + "    approval: none\n"
	const nested = "namespace: app\nversion: 1.0.0\nactions:\n  order:send:\n    steps:\n      - foreach: [1]\n        steps: [{click: css:#b, approval: required}]\n"
	const variant = "namespace: app\ncompatibility:\n  version_overrides:\n    \"2.x\":\n      actions: {\"order:send\": {steps: [{click: css:#c}]}}\n"
	tests := []struct {
		name    string
		sources []Source
		want    bool // the whole action has to be approved
	}{
		{"nothing replaced", []Source{source(spec.Builtin, "a.yaml", whole)}, true},
		{"a step alone", []Source{source(spec.Builtin, "a.yaml", step)}, false},
		{"a package with other steps", []Source{source(spec.Builtin, "a.yaml", step), source(spec.Package, "b.yaml", others)}, true},
		{"a package with other steps of a block", []Source{source(spec.Builtin, "a.yaml", nested), source(spec.Package, "b.yaml", others)}, true},
		{"a package with other steps of an action", []Source{source(spec.Builtin, "a.yaml", whole), source(spec.Package, "b.yaml", others)}, true},
		{"a package that says none", []Source{source(spec.Builtin, "a.yaml", whole), source(spec.Package, "b.yaml", none)}, true},
		{"a package with steps for a version", []Source{source(spec.Builtin, "a.yaml", step), source(spec.Package, "b.yaml", variant)}, true},
		{"a project that says none", []Source{source(spec.Builtin, "a.yaml", whole), source(spec.Project, "b.yaml", none)}, false},
		{"a user's other steps", []Source{source(spec.Builtin, "a.yaml", step), source(spec.Global, "b.yaml", others)}, false},
		{"a package, then a project", []Source{source(spec.Builtin, "a.yaml", step), source(spec.Package, "b.yaml", others), source(spec.Project, "c.yaml", none)}, false},
		{"a package with a description", []Source{source(spec.Builtin, "a.yaml", step), source(spec.Package, "b.yaml", head+"    description: Send\n")}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := mustLoad(t, slices.Clone(tt.sources)...)
			noProblems(t, set)
			if got := set.Namespaces["app"].Actions["order:send"].Approval; got != tt.want {
				t.Errorf("the action requires an approval: %t, want %t", got, tt.want)
			}
		})
	}
}
