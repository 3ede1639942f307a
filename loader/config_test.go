package loader

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/hosts"
	"github.com/actionregistry/action/spec"
)

// TestConfigDoc compares the reference page with the table of keys.
func TestConfigDoc(t *testing.T) {
	doc, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var keys, rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\|.*\\| ([^|]+) \\|$").FindAllStringSubmatch(string(doc), -1) {
		rows = append(rows, m[1]+" "+m[2])
	}
	who := map[permission]string{
		anyone: "anyone", trustedProject: "not a project", notProject: "never a project", userFile: "the user's own file only",
	}
	for _, s := range settings() {
		keys = append(keys, s.key+" "+who[s.only])
	}
	if got, want := strings.Join(rows, "\n"), strings.Join(keys, "\n"); got != want {
		t.Errorf("docs/configuration.md has\n%s\nthe settings are\n%s", got, want)
	}
}

// config reads user and project files and variables from folders of the test.
func config(t *testing.T, user, project string, environ ...string) (c *Config, problems diag.List, home, dir string) {
	t.Helper()
	home, dir = t.TempDir(), t.TempDir()
	if user != "" {
		write(t, home, ".agent-browser/config.yaml", strings.ReplaceAll(user, "PROJECT", dir))
	}
	if project != "" {
		write(t, dir, ".agent-browser/config.yaml", project)
	}
	c, problems = ReadConfig(ConfigOptions{Home: home, Cwd: dir, Environ: environ})
	return c, problems, home, dir
}

func TestConfigDefaults(t *testing.T) {
	c, problems := ReadConfig(ConfigOptions{})
	if len(problems) > 0 || c.Actions.DefaultTimeout != 5*time.Second || c.Limits.MaxDepth != 10 || c.Limits.MaxSteps != 10_000 ||
		c.Limits.ActionTimeout != 5*time.Minute || !c.Actions.DetectVersion || c.Browser.TestIDAttribute != "data-testid" {
		t.Errorf("got %+v, problems %v", c, problems)
	}
	if got := c.Origin("limits.max_depth"); got != "" {
		t.Errorf("origin of a default = %q, want none", got)
	}
}

func TestConfigOrder(t *testing.T) {
	c, problems, home, dir := config(t,
		"actions: {default_timeout: 1s, paths: [u, ~/v, /w]}\nlimits: {max_depth: 5}\nbrowser: {path: bin/chrome, args: [--x]}",
		"actions: {default_timeout: 2000, paths: [./p]}\nlimits: {max_depth: 6, max_steps: 7}",
		"ACTION_LIMITS_MAX_DEPTH=8", "ACTION_BROWSER_ARGS=--a, --b", "ACTION_BROWSER_HEADED=true", "OTHER=1", "ACTION_UNRELATED=1",
		"ACTION_PATH=one"+string(os.PathListSeparator)+"two")
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	if c.Actions.DefaultTimeout != 2*time.Second || c.Limits.MaxDepth != 8 || c.Limits.MaxSteps != 7 || !c.Browser.Headed {
		t.Errorf("got %+v", c)
	}
	if got := strings.Join(c.Browser.Args, " "); got != "--a --b" {
		t.Errorf("args = %q, want those of the variable", got)
	}
	if got, want := strings.Join(c.Actions.Paths, " "), filepath.Join(home, "u")+" "+filepath.Join(home, "v")+" /w"; got != want {
		t.Errorf("paths = %q, want %q", got, want)
	}
	if got, want := strings.Join(c.Actions.ProjectPaths, " "), filepath.Join(dir, "p"); got != want {
		t.Errorf("project's paths = %q, want %q", got, want)
	}
	if c.Browser.Path != filepath.Join(home, "bin/chrome") {
		t.Errorf("path = %q", c.Browser.Path)
	}
	for key, want := range map[string]string{
		"limits.max_depth": "ACTION_LIMITS_MAX_DEPTH", "limits.max_steps": filepath.Join(dir, ".agent-browser/config.yaml") + ":2:35",
	} {
		if got := c.Origin(key); got != want {
			t.Errorf("origin of %s = %q, want %q", key, got, want)
		}
	}
	if got := strings.Join(c.places.Path, " "); got != filepath.Join(dir, "one")+" "+filepath.Join(dir, "two") {
		t.Errorf("ACTION_PATH = %q", got)
	}
	c, problems = ReadConfig(ConfigOptions{Environ: []string{"ACTION_LIMITS_MAX_DEPTH=8"}, Flags: map[string]string{"limits.max_depth": "9"}})
	if len(problems) > 0 || c.Limits.MaxDepth != 9 || c.Origin("limits.max_depth") != "flag" {
		t.Errorf("flag: got %d, problems %v", c.Limits.MaxDepth, problems)
	}
}

func TestConfigProblems(t *testing.T) {
	tests := []struct{ name, user, env, want, hint string }{
		{"unknown key", "actions: {path: [x]}", "", `:1:11: unknown key "actions.path"`, "did you mean paths?"},
		{"unknown section", "action: {}", "", `:1:1: unknown key "action"`, "did you mean actions?"},
		{"no map", "actions: 3", "", ":1:10: actions is an integer, expected a map", ""},
		{"wrong type", "browser: {headed: yes}", "", `:1:19: found "yes", expected true or false`, "docs"},
		{"bad duration", "actions: {default_timeout: 5 sec}", "", "expected a duration", "500ms"},
		{"no duration", "actions: {default_timeout: 0}", "", "expected a duration over 0", ""},
		{"out of range", "limits: {max_depth: 1000}", "", "found 1000, expected an integer from 1 to 100", ""},
		{"viewport", "browser: {viewport: 1280}", "", "expected a size such as 1280x720", ""},
		{"no entry of a list", "browser: {args: [1]}", "", "found 1, expected a string", ""},
		{"broken YAML", "a: [", "", "invalid YAML", ""},
		{"unknown step", "policy: {deny: [evall]}", "", `:1:17: there is no step "evall"`, "did you mean eval?"},
		{"host with a scheme", "policy: {hosts: {deny: [\"https://x.test/\"]}}", "", "expected a host", "without scheme"},
		{"host with a port", "policy: {hosts: {allow: [\"x.test:8080\"]}}", "", `found "x.test:8080", expected a host`, "omit the port"},
		{"network", "policy: {hosts: {deny: [x.test, 10.0.0.0/8]}}", "", `:1:33: found "10.0.0.0/8", expected a host`, "networks are not supported"},
		{"names below an address", "policy: {hosts: {deny: [\"*.127.0.0.1\"]}}", "", "expected a host", "no names below"},
		{"a key that is gone", "policy: {deny_private: true}", "", `unknown key "policy.deny_private"`, ""},
		{"private", "policy: {network: {private: true}}", "", ":1:29: found true, expected allow or deny", ""},
		{"private of another word", "policy: {network: {private: no-way}}", "", `found "no-way", expected allow or deny`, ""},
		{"destination with a scheme", "policy: {network: {deny: [\"http://x.test\"]}}", "", `:1:27: found "http://x.test", expected a host, an address or a network`, "without scheme"},
		{"destination with an invalid port", "policy: {network: {allow: [\"x.test:0\"]}}", "", `found "x.test:0"`, "from 1 to 65535"},
		{"destination with too many bits", "policy: {network: {deny: [10.0.0.0/33]}}", "", `found "10.0.0.0/33"`, "at most /32"},
		{"destination inside a network", "policy: {network: {deny: [10.1.0.0/8]}}", "", `found "10.1.0.0/8"`, "10.0.0.0/8"},
		{"destination by variable", "", "ACTION_POLICY_NETWORK_DENY=10.0.0.0/x", `ACTION_POLICY_NETWORK_DENY: found "10.0.0.0/x"`, "ADDRESS/BITS"},
		{"variable", "", "ACTION_LIMITS_MAX_DEPTH=x", `ACTION_LIMITS_MAX_DEPTH: found "x", expected an integer`, ""},
		{"nearly a variable", "", "ACTION_LIMIT_MAX_DEPTH=3", "ACTION_LIMIT_MAX_DEPTH: there is no setting for this variable", "ACTION_LIMITS_MAX_DEPTH"},
		{"trust by variable", "", "ACTION_TRUST=/", "trust may be set only in the user's own config", "config.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, problems, _, _ := config(t, tt.user, "", tt.env)
			if len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.want) || !strings.Contains(problems[0].Hint, tt.hint) {
				t.Fatalf("problems = %v, want one with %q and hint %q", problems, tt.want, tt.hint)
			}
			// What may have been a rule denies everything if it cannot be read.
			denies := c.Policy.Step(nil, "click") != nil
			if want := strings.HasPrefix(tt.user, "policy") || strings.HasPrefix(tt.env, "ACTION_POLICY") || tt.name == "broken YAML"; denies != want {
				t.Errorf("every step is denied: got %v, want %v", denies, want)
			}
		})
	}
}

func TestProjectMayNot(t *testing.T) {
	const dangerous = "browser: {path: ./evil, args: [--x], proxy: \"p:1\", profile: p, cdp: \"ws://x\", sandbox: false}\nactions: {packages: [x]}"
	c, problems, _, _ := config(t, "", dangerous)
	if len(problems) != 7 {
		t.Errorf("problems = %v, want 7", problems)
	}
	if b := c.Browser; b.Path != "" || b.Args != nil || b.Proxy != "" || b.Profile != "" || b.CDP != "" || b.Sandbox != nil || c.Actions.Packages != nil {
		t.Errorf("a project set %+v %v", b, c.Actions.Packages)
	}
	c, problems, _, dir := config(t, "trust: [PROJECT]", dangerous)
	if len(problems) > 0 || c.Browser.Path != filepath.Join(dir, "evil") || len(c.Actions.Packages) != 1 {
		t.Errorf("trusted: got %+v, problems %v", c.Browser, problems)
	}
	if _, problems, _, _ = config(t, "trust: [PROJECT-other]", dangerous); len(problems) != 7 {
		t.Errorf("a folder with a longer name is not the project: problems %v", problems)
	}
}

func TestProjectTightens(t *testing.T) {
	c, problems, _, _ := config(t,
		"policy: {allow: [click, open, fill], deny: [fill], hosts: {allow: [\"*.a.test\"]}, file_urls: true}\ntrust: [PROJECT]",
		"policy: {allow: [click, eval, open], deny: [open], hosts: {allow: [x.a.test, b.test]}, file_urls: false, dialogs: dismiss}")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for step, want := range map[string]bool{"click": true, "open": false, "fill": false, "eval": false} {
		if got := c.Policy.Step(nil, step) == nil; got != want {
			t.Errorf("%s is allowed: got %v, want %v", step, got, want)
		}
	}
	for address, want := range map[string]bool{
		"https://x.a.test/": true, "https://X.A.TEST./": true, "https://y.a.test": false, "http://b.test": false, "about:blank": true, "https://x.a.test@b.test/": false,
	} {
		if got := c.Policy.URL(address, true) == nil; got != want {
			t.Errorf("%s may be opened: got %v, want %v", address, got, want)
		}
	}
	if c.Policy.FileURLs || c.Policy.Dialogs["alert"] != "dismiss" {
		t.Errorf("policy = %+v", c.Policy)
	}
	// Even a trusted project may not loosen.
	c, problems, _, _ = config(t, "trust: [PROJECT]",
		"policy: {env: {x: [A]}, package_steps: {x: [eval]}, files: [/], file_urls: true, dialogs: accept}")
	if len(problems) != 5 || c.Policy.FileURLs || c.Policy.PackageEnv != nil || c.Policy.PackageSteps != nil || c.Policy.Files != nil || c.Policy.Dialogs != nil {
		t.Errorf("problems = %v policy %+v, want 5 and nothing loosened", problems, c.Policy)
	}
	if c.Policy.Step(nil, "click") != nil {
		t.Error("a loosening is ignored: the rest of the policy must hold")
	}
}

// TestHosts checks that hosts are compared as a browser reads them.
func TestHosts(t *testing.T) {
	const local = "http://127.0.0.1/ http://127.1/ http://0x7f.1/ http://2130706433/ http://0/ http://0.0.0.0:80/ http://[::1]/ http://[::]/ " +
		"http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]:8080/ http://localhost/ http://LOCALHOST./ http://a.localhost/ http://①②⑦.0.0.1/ http://u:p@127.0.0.1/"
	for _, tt := range []struct{ rule, denied, allowed string }{
		{"deny: [127.0.0.1]", local, "http://10.0.0.1/ http://example.test/ about:blank"},
		{"deny: [\"::1\"]", local, "http://[::2]/"},
		{"deny: [localhost]", local, "http://localhost.test/"},
		{"deny: [10.0.0.1]", "http://10.1/ http://[::ffff:10.0.0.1]/ https://[64:ff9b::a00:1]/", "http://10.0.0.2/ http://127.0.0.1/"},
		{"deny: [\"[::ffff:10.0.0.1]\"]", "http://10.0.0.1/", "http://10.0.0.2/"},
		{"deny: [MÜNCHEN.test]", "http://xn--mnchen-3ya.test/ http://münchen.test./", "http://munchen.test/"},
		{"allow: [127.0.0.1]", "http://[::ffff:127.0.0.1]/ http://localhost/ http://0/ http://[::1]/ http:///x", "http://127.0.0.1:8/ http://127.1/"},
		{"allow: [localhost]", "http://127.0.0.1/ http://a.localhost/", "http://localhost:8/ http://Localhost./"},
		{"allow: [\"*.xn--mnchen-3ya.test\"]", "http://münchen.test/", "http://a.münchen.test/"},
	} {
		c, problems, _, _ := config(t, "policy: {hosts: {"+tt.rule+"}}", "")
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, address := range strings.Fields(tt.denied) {
			if err := c.Policy.URL(address, true); diag.CodeOf(err) != diag.PolicyDenied || diag.As(err).Hint == "" {
				t.Errorf("%s: %s: got %v, want POLICY_DENIED", tt.rule, address, err)
			}
		}
		for _, address := range strings.Fields(tt.allowed) {
			if err := c.Policy.URL(address, true); err != nil {
				t.Errorf("%s: %s: got %v, want it allowed", tt.rule, address, err)
			}
		}
	}
}

func TestPackagePolicy(t *testing.T) {
	pkg := spec.Source{Kind: spec.Package, Name: "@x/y"}
	ofPackage := &spec.Action{Source: spec.Source{Kind: spec.Project}, StepSources: []spec.Source{pkg}}
	own := &spec.Action{StepSources: []spec.Source{{Kind: spec.Project}}}
	token := spec.EnvVar{Name: "TOKEN", Source: pkg}
	c, problems, _, _ := config(t, "", "")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if err := c.Policy.Step(ofPackage, "eval"); diag.CodeOf(err) != diag.PolicyDenied || !strings.Contains(diag.As(err).Hint, "package_steps") {
		t.Errorf("eval of a package: got %v, want POLICY_DENIED", err)
	}
	if err := c.Policy.Env(nil, token); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("env of a package: got %v, want POLICY_DENIED", err)
	}
	for name, err := range map[string]error{
		"click of a package": c.Policy.Step(ofPackage, "click"), "own eval": c.Policy.Step(own, "eval"), "eval by hand": c.Policy.Step(nil, "eval"),
		"own env": c.Policy.Env(nil, spec.EnvVar{Name: "TOKEN"}), "file by hand": c.Policy.URL("file:///x", true),
	} {
		if err != nil {
			t.Errorf("%s: got %v, want none", name, err)
		}
	}
	if err := c.Policy.URL("http://%31/", true); diag.CodeOf(err) != diag.ParamInvalid {
		t.Errorf("no address: got %v, want PARAM_INVALID", err)
	}
	if err := c.Policy.URL("FILE:///x", false); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("file: of a definition: got %v, want POLICY_DENIED", err)
	}
	c, problems, _, _ = config(t, "policy: {package_steps: {\"@x/y\": [eval]}, env: {\"@x/y\": [TOKEN]}}", "")
	if len(problems) > 0 || c.Policy.Step(ofPackage, "eval") != nil || c.Policy.Env(nil, token) != nil {
		t.Errorf("granted: problems %v", problems)
	}
}

func TestPolicyFiles(t *testing.T) {
	p := Policy{Files: []string{"/data/in"}}
	for path, want := range map[string]bool{"/data/in/x": true, "/data/in": true, "/data/inner/x": false, "/data/in/../x": false, "/etc": false} {
		if got := p.AllowsFile(path); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

func TestDialogPolicy(t *testing.T) {
	all := func(alert, beforeunload, confirm, prompt string) map[string]string {
		return map[string]string{"alert": alert, "beforeunload": beforeunload, "confirm": confirm, "prompt": prompt}
	}
	tests := []struct {
		name          string
		user, project string
		want          map[string]string
		problem       string
	}{
		{"nothing said", "", "", nil, ""},
		{"one answer for all", "leave", "", all("leave", "leave", "leave", "leave"), ""},
		{"kinds", "{confirm: accept, prompt: leave}", "", all("accept", "accept", "accept", "leave"), ""},
		{"default", "default", "", all("accept", "accept", "dismiss", "dismiss"), ""},
		{"a project tightens", "accept", "{confirm: leave, alert: dismiss}", all("dismiss", "accept", "leave", "accept"), ""},
		{"a project repeats what holds", "", "{alert: accept}", all("accept", "accept", "dismiss", "dismiss"), ""},
		{"a project loosens", "{prompt: leave}", "{alert: leave, prompt: accept}", all("accept", "accept", "dismiss", "leave"), "may not loosen the policy with `policy.dialogs: {prompt: accept}`"},
		{"an unknown kind", "{conform: accept}", "", nil, `found "conform", expected a kind of dialog`},
		{"an unknown answer", "{confirm: ok}", "", nil, "expected accept, dismiss or leave"},
		{"a number", "3", "", nil, "expected default, accept, dismiss, leave, or a map"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := func(dialogs string) string {
				if dialogs == "" {
					return ""
				}
				return "policy: {dialogs: " + dialogs + "}"
			}
			c, problems, _, _ := config(t, text(tt.user), text(tt.project))
			if !maps.Equal(c.Policy.Dialogs, tt.want) {
				t.Errorf("dialogs are %v, want %v", c.Policy.Dialogs, tt.want)
			}
			if told := fmt.Sprint(problems); !strings.Contains(told, tt.problem) || tt.problem == "" && len(problems) > 0 {
				t.Errorf("problems are %v, want %q", problems, tt.problem)
			}
		})
	}
}

// TestNetwork checks how the sources of policy.network add up.
func TestNetwork(t *testing.T) {
	c, problems, _, _ := config(t,
		"policy: {network: {allow: [intra.test], deny: [10.0.0.0/8]}}",
		"policy: {network: {private: deny, deny: [\"*.ads.test:443\"]}}", "ACTION_POLICY_NETWORK_PRIVATE=allow")
	n := c.Policy.Network
	if len(problems) > 0 || !n.DenyPrivate || !strings.HasSuffix(n.PrivatePos.String(), "config.yaml:1:29") || len(n.Allow) != 1 || len(n.Deny) != 2 {
		t.Errorf("got %+v, %v", n, problems)
	}
	if got := n.Deny[1].Pos.String() + " " + n.Deny[1].String(); !strings.HasSuffix(got, "config.yaml:1:42 *.ads.test:443") {
		t.Errorf("the project's entry is %s", got)
	}
	_, problems, _, _ = config(t, "", "policy: {network: {allow: [intra.test]}}", "")
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "a project may not loosen the policy with policy.network.allow") {
		t.Errorf("allow of a project: %v", problems)
	}
	c, problems, _, _ = config(t, "policy: {network: {allow: [a.test]}}", "", "ACTION_POLICY_NETWORK_ALLOW=b.test,127.0.0.1:80")
	if len(problems) > 0 || len(c.Policy.Network.Allow) != 2 || c.Policy.Network.Restricts() {
		t.Errorf("allow by a variable: %+v, %v", c.Policy.Network, problems)
	}
	// Addresses and the names of this machine are refused before a browser is used.
	p := &Policy{Network: hosts.Network{DenyPrivate: true}}
	for address, want := range map[string]string{
		"http://example.test/": "", "https://8.8.8.8/": "", "http://127.0.0.1:8080/": "loopback", "http://0x7f.1/": "loopback", "https://a.localhost/": "loopback",
		"http://[::ffff:10.0.0.1]/": "private", "http://169.254.169.254/latest/": "metadata",
	} {
		err := p.URL(address, true)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
