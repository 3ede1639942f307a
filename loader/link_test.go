package loader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/version"
)

const linkedFile = "namespace: far\nversion: 1.0.0\nactions:\n  a:b:\n    steps: [{action: wait, args: {time: 1}}]\n"

// TestLinkedFolders checks that a project's folder is read as it is, and that links out of it are
// reported. The user may keep ~/.agent-browser elsewhere.
func TestLinkedFolders(t *testing.T) {
	tests := []struct {
		name  string
		links map[string]string // from → to
		// want is the code of the problem; "": the target of the link is read.
		want diag.Code
		deny bool // every step
	}{
		{"a project's actions", map[string]string{"work/.agent-browser/actions": "far/actions"}, diag.SecurityError, false},
		{"a project's folder", map[string]string{"work/.agent-browser": "far"}, diag.SecurityError, true},
		{"a project's configuration", map[string]string{"work/.agent-browser/config.yaml": "far/config.yaml"}, diag.SecurityError, true},
		{"a folder in a project's actions", map[string]string{"work/.agent-browser/actions/more": "far/actions"}, diag.SecurityError, false},
		{"the user's folder", map[string]string{"home/.agent-browser": "far"}, "", false},
		{"the user's actions", map[string]string{"home/.agent-browser/actions": "far/actions"}, "", false},
		{"a file of the user's actions", map[string]string{"home/.agent-browser/actions/a.yaml": "far/actions/a.yaml"}, diag.SecurityError, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"far/actions/a.yaml": linkedFile, "far/config.yaml": "limits: {max_depth: 3}\n", "work/a": "", "home/a": ""} {
				writeFile(t, filepath.Join(dir, name), text)
			}
			for from, to := range tt.links {
				from = filepath.Join(dir, from)
				if err := os.MkdirAll(filepath.Dir(from), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(dir, to), from); err != nil {
					t.Fatal(err)
				}
			}
			c, problems := ReadConfig(ConfigOptions{Home: filepath.Join(dir, "home"), Cwd: filepath.Join(dir, "work")})
			set, err := Load(t.Context(), Options{Sources: c.Sources(), NoBuiltin: true})
			if err != nil {
				t.Fatal(err)
			}
			problems.Add(set.Problems...)
			if tt.want == "" {
				if len(problems) > 0 || set.Namespaces["far"] == nil {
					t.Fatalf("problems %v, namespaces %v, want what lies behind the link", problems, set.Namespaces)
				}
				return
			}
			if len(problems) == 0 || problems[0].Code != tt.want || problems[0].Hint == "" {
				t.Errorf("problems %v, want %s with a hint", problems, tt.want)
			}
			if len(set.Namespaces) > 0 || c.Limits.MaxDepth == 3 {
				t.Errorf("namespaces %v, max_depth %d: the link was followed", set.Namespaces, c.Limits.MaxDepth)
			}
			if denied := c.Policy.Step(nil, "click") != nil; denied != tt.deny {
				t.Errorf("steps are denied: %v, want %v", denied, tt.deny)
			}
		})
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReplaced checks that what a higher source replaces of a lower one is recorded for the result
// of a run: steps by any source, other parts by a package.
func TestReplaced(t *testing.T) {
	const (
		low = "namespace: app\nversion: 1.0.0\nenv: [A]\ncompatibility: {version_script: app.version, max_version: 6.x}\nactions:\n  a:b:\n    params: {url: {type: string}}\n" +
			"    steps: [{action: wait, args: {time: 1}}]\n    verify: [{text: done}]\n"
		head   = "namespace: app\nactions:\n  a:b: "
		steps  = head + "{steps: [{action: wait, args: {time: 2}}]}\n"
		check  = head + "{verify: [{text: other}], params: {url: {type: string, default: 'https://evil.test'}}}\n"
		about  = head + "{description: an action}\n"
		adds   = "namespace: app\nbusy: css:#b\nsettle: true\nactions:\n  a:b: {scope: css:#m, settle: 1s, calm: true, returns: {x: 1}, params: {new: {type: string, default: a}}}\n  c:d: {scope: css:#m, steps: [{action: wait, args: {time: 1}}]}\n"
		compat = "namespace: app\nenv: [{name: A, secret: true}]\ncompatibility: {version_meta: v, max_version: 9.x}\n"
		child  = "namespace: kid\nversion: 1.0.0\nextends: [app]\nactions:\n  a:b: {steps: [{action: wait, args: {time: 3}}]}\n"
	)
	tests := []struct {
		name, namespace string
		sources         []Source
		want            string
	}{
		{"a package's steps", "app", []Source{source(1, "p.yaml", steps)}, " by package"},
		{"a project's steps", "app", []Source{source(3, "p.yaml", steps)}, " by project"},
		{"a user's steps", "app", []Source{source(2, "g.yaml", steps)}, " by global"},
		{"ACTION_PATH's steps", "app", []Source{source(4, "e.yaml", steps)}, " by env"},
		{"a package's checks", "app", []Source{source(1, "p.yaml", check)}, "params.url by package, verify by package"},
		{"a project's checks", "app", []Source{source(3, "p.yaml", check)}, ""},
		{"a project's checks over a package's", "app", []Source{source(1, "p.yaml", check), source(3, "q.yaml", check)}, ""},
		{"a project's steps with a package's checks", "app", []Source{source(1, "p.yaml", check), source(3, "q.yaml", steps)}, "params.url by package, verify by package,  by project"},
		{"a package's additions", "app", []Source{source(1, "p.yaml", adds)}, "busy by package, settle by package, scope by package, own settle by package, calm by package, returns by package, params.new by package"},
		{"a project's additions", "app", []Source{source(3, "p.yaml", adds)}, ""},
		{"a package's additions below a project's steps", "app", []Source{source(1, "p.yaml", adds), source(3, "q.yaml", steps)},
			"busy by package, settle by package, scope by package, own settle by package, calm by package, returns by package, params.new by package,  by project"},
		{"a package's description", "app", []Source{source(1, "p.yaml", about)}, ""},
		{"a package's versions and env", "app", []Source{source(1, "p.yaml", compat)}, "version check by package, max_version by package, env by package"},
		{"a project's versions and env", "app", []Source{source(3, "p.yaml", compat)}, ""},
		{"a package's child", "kid", []Source{source(1, "p.yaml", child)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := mustLoad(t, append([]Source{source(0, "builtin.yaml", low)}, tt.sources...)...)
			noProblems(t, set)
			var got []string
			for _, r := range set.Namespaces[tt.namespace].Actions["a:b"].Replaced {
				got = append(got, r.What+" by "+r.By.Kind.String())
				if r.At.File != "builtin/builtin.yaml" {
					t.Errorf("%s replaces %s, want a place in builtin/builtin.yaml", r.What, r.At)
				}
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("replaced: %q, want %q", strings.Join(got, ", "), tt.want)
			}
		})
	}
}

// TestNewReplacesNothing checks that an action that a higher source adds to a namespace replaces
// nothing, and neither do its parts.
func TestNewReplacesNothing(t *testing.T) {
	const (
		low  = "namespace: app\nversion: 1.0.0\nbusy: css:#l\nactions:\n  a:b: {steps: [{action: wait, args: {time: 1}}]}\n"
		high = "namespace: app\nbusy: css:#b\nactions:\n  new:one: {description: new, params: {x: {type: string}}, steps: [{action: wait, args: {time: 1}}], returns: {x: 1}}\n"
	)
	for _, s := range []Source{source(1, "p.yaml", high), source(2, "g.yaml", high), source(3, "p.yaml", high)} {
		set := mustLoad(t, source(0, "builtin.yaml", low), s)
		noProblems(t, set)
		if got := set.Namespaces["app"].Actions["new:one"].Replaced; len(got) > 0 {
			t.Errorf("replaced %+v, want nothing", got)
		}
	}
}

// TestReplacedSelectors checks that a package that replaces a builtin selector is recorded. Users
// who do so for themselves are not.
func TestReplacedSelectors(t *testing.T) {
	const (
		low      = "namespace: app\nversion: 1.0.0\nselectors: {one: css:#one}\nactions:\n  a:b: {steps: [{action: click, args: {selector: \"${selectors.one}\"}}]}\n"
		head     = "namespace: app\n"
		alias    = head + "selectors: {one: css:#other}\n"
		override = head + "compatibility: {version_meta: v, version_overrides: {\"3.x\": {selectors: {one: css:#other}}}}\n"
		variant  = head + "compatibility:\n  version_meta: v\n  version_overrides:\n    \"3.x\":\n      actions:\n        a:b: {steps: [{action: reload}]}\n"
		child    = "namespace: kid\nversion: 1.0.0\nextends: [app]\nselectors: {one: css:#other}\n"
	)
	tests := []struct {
		name, namespace, version string
		sources                  []Source
		selector, variant        string // whose is noted
	}{
		{"a package's selector", "app", "", []Source{source(1, "p.yaml", alias)}, "package", ""},
		{"a project's selector", "app", "", []Source{source(3, "p.yaml", alias)}, "", ""},
		{"a project's selector over a package's", "app", "", []Source{source(1, "p.yaml", alias), source(3, "q.yaml", alias)}, "", ""},
		{"a package's selector for a version", "app", "3.1.0", []Source{source(1, "p.yaml", override)}, "package", ""},
		{"a package's selector for another version", "app", "4.1.0", []Source{source(1, "p.yaml", override)}, "", ""},
		{"a package's child", "kid", "", []Source{source(1, "p.yaml", child)}, "", ""},
		{"a package's steps for a version", "app", "3.1.0", []Source{source(1, "p.yaml", variant)}, "", "package"},
		{"a project's steps for a version", "app", "3.1.0", []Source{source(3, "p.yaml", variant)}, "", "project"},
		{"a project's steps for another version", "app", "4.1.0", []Source{source(3, "p.yaml", variant)}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := mustLoad(t, append([]Source{source(0, "builtin.yaml", low)}, tt.sources...)...)
			noProblems(t, set)
			ns := set.Namespaces[tt.namespace]
			v, _ := version.Coerce(tt.version)
			view := ns.At(v)
			got := ""
			if view.Replaced["one"] != nil {
				got = view.Aliases["one"].Source.Kind.String()
			}
			if got != tt.selector {
				t.Errorf("the selector of %q is noted, want %q", got, tt.selector)
			}
			got = ""
			for _, written := range view.Written("a:b") {
				if r, ok := ns.Actions["a:b"].Overridden[written]; ok {
					got += r.By.Kind.String()
				}
			}
			if got != tt.variant {
				t.Errorf("the steps of %q are noted, want %q", got, tt.variant)
			}
		})
	}
}

// TestReplacedInherited checks that what a lower source's namespace inherits from its parents
// counts as the lower source's, whether a higher one replaces it by its own definitions or by its
// `extends`.
func TestReplacedInherited(t *testing.T) {
	const (
		base = "namespace: base\nversion: 1.0.0\nselectors: {one: css:#one, two: css:#two}\nactions:\n" +
			"  a:b:\n    params: {url: {type: string}}\n    steps: [{action: wait, args: {time: 1}}]\n    returns: {x: \"1\"}\n" +
			"  c:d:\n    steps: [{action: wait, args: {time: 1}}]\n"
		app = "namespace: app\nversion: 1.0.0\nextends: [base]\nselectors: {two: css:#own}\nactions:\n" +
			"  c:d:\n    steps: [{action: wait, args: {time: 3}}]\n"
		other = "namespace: other\nversion: 1.0.0\nselectors: {one: css:#o, two: css:#o}\nactions:\n" +
			"  a:b:\n    steps: [{action: wait, args: {time: 4}}]\n  c:d:\n    steps: [{action: wait, args: {time: 4}}]\n"
		steps   = "actions:\n  a:b: {steps: [{action: wait, args: {time: 2}}]}\n"
		returns = "actions:\n  a:b: {returns: {x: \"2\"}, params: {url: {type: string, default: 'https://evil.test'}}}\n"
		variant = "compatibility:\n  version_meta: v\n  version_overrides:\n    \"3.x\":\n      selectors: {one: css:#x}\n      actions:\n        a:b: {steps: [{action: reload}]}\n"
		head    = "namespace: app\n"
		evil    = "namespace: evil\nversion: 1.0.0\nselectors: {one: css:#evil, two: css:#evil}\n" + steps
		extends = head + "extends: [base, evil]\n"
	)
	tests := []struct {
		name, namespace    string
		sources            []Source
		replaced, selector string
		variant            string
	}{
		{"nothing", "app", nil, "", "", ""},
		{"a package's steps", "app", []Source{source(1, "p.yaml", head+steps)}, " by package", "", ""},
		{"a project's steps", "app", []Source{source(3, "p.yaml", head+steps)}, " by project", "", ""},
		{"a package's parts", "app", []Source{source(1, "p.yaml", head+returns)}, "params.url by package, returns by package", "", ""},
		{"a project's parts", "app", []Source{source(3, "p.yaml", head+returns)}, "", "", ""},
		{"a package's selector", "app", []Source{source(1, "p.yaml", head+"selectors: {one: css:#x}\n")}, "", "one", ""},
		{"a project's selector", "app", []Source{source(3, "p.yaml", head+"selectors: {one: css:#x}\n")}, "", "", ""},
		{"a package's variant", "app", []Source{source(1, "p.yaml", head+variant)}, "", "one", "package"},
		{"a project's variant", "app", []Source{source(3, "p.yaml", head+variant)}, "", "", "project"},
		{"a package's parent", "app", []Source{source(1, "p.yaml", extends, "e.yaml", evil)}, " by package", "one", ""},
		{"a package's parent with a variant", "app", []Source{source(1, "p.yaml", extends, "e.yaml", "namespace: evil\nversion: 1.0.0\n"+variant)}, "", "one", "package"},
		{"a package's only parent", "app", []Source{source(1, "p.yaml", head+"extends: [evil]\n", "e.yaml", evil)}, " by package", "one", ""},
		{"a package's builtin parent", "app", []Source{source(1, "p.yaml", head+"extends: [base, other]\n")}, " by package", "one", ""},
		{"a project's builtin parent", "app", []Source{source(3, "p.yaml", head+"extends: [base, other]\n")}, " by project", "", ""},
		{"a package's change of the parent", "app", []Source{source(1, "p.yaml", "namespace: base\n"+steps)}, " by package", "", ""},
		{"a project's child of the parent that a package changes", "kid", []Source{source(1, "p.yaml", "namespace: base\n"+steps),
			source(3, "k.yaml", "namespace: kid\nversion: 1.0.0\nextends: [base]\n")}, " by package", "", ""},
		{"a package's child", "kid", []Source{source(1, "p.yaml", "namespace: kid\nversion: 1.0.0\nextends: [app]\nselectors: {one: css:#x}\n"+steps)}, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := mustLoad(t, append([]Source{source(0, "base.yaml", base, "app.yaml", app, "other.yaml", other)}, tt.sources...)...)
			noProblems(t, set)
			ns := set.Namespaces[tt.namespace]
			var got []string
			for _, r := range ns.Actions["a:b"].Replaced {
				got = append(got, r.What+" by "+r.By.Kind.String())
				if r.At.File != "builtin/base.yaml" {
					t.Errorf("%s replaces %s, want a place in builtin/base.yaml", r.What, r.At)
				}
			}
			if strings.Join(got, ", ") != tt.replaced {
				t.Errorf("replaced: %q, want %q", strings.Join(got, ", "), tt.replaced)
			}
			if r := ns.Actions["c:d"].Replaced; len(r) > 0 {
				t.Errorf("replaced: %v, but the builtin child's steps hold", r)
			}
			v, _ := version.Coerce("3.1.0")
			view := ns.At(v)
			var names []string
			for name := range view.Replaced {
				names = append(names, name)
			}
			if strings.Join(names, ", ") != tt.selector {
				t.Errorf("replaced selectors: %q, want %q", names, tt.selector)
			}
			by := ""
			for _, written := range view.Written("a:b") {
				if r, ok := ns.Actions["a:b"].Overridden[written]; ok {
					by += r.By.Kind.String()
				}
			}
			if by != tt.variant {
				t.Errorf("the steps of %q for the version are noted, want %q", by, tt.variant)
			}
		})
	}
}
