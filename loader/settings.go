package loader

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A setting is one key of the configuration. To add one, add an entry here and a row in
// docs/configuration.md. A test compares them.
type setting struct {
	key  string
	kind string // text, path, boolean, integer, duration, list, map: how to parse the text of variables
	only permission
	read func(r *configReader, n *spec.Node)
}

// A permission says which sources may set a key in addition to the user's own file.
type permission uint8

const (
	anyone         permission = iota
	trustedProject            // variables, flags, and projects that the user trusts
	notProject                // variables and flags, but no project
	userFile                  // no one else
)

// settings returns the table of all keys, in the order of the reference page. It is a function
// because reading a value uses the settings.
func settings() []setting {
	settingsOnce.Do(func() { allSettings = makeSettings() })
	return allSettings
}

var (
	settingsOnce sync.Once
	allSettings  []setting
)

func makeSettings() []setting {
	return []setting{
		{"actions.paths", "list", anyone, func(r *configReader, n *spec.Node) { r.actionPaths(n) }},
		{"actions.packages", "list", trustedProject, func(r *configReader, n *spec.Node) { r.list(n, &r.config.Actions.Packages) }},
		{"actions.default_timeout", "duration", anyone, func(r *configReader, n *spec.Node) { r.duration(n, &r.config.Actions.DefaultTimeout) }},
		{"actions.debug", "boolean", anyone, func(r *configReader, n *spec.Node) { r.boolean(n, &r.config.Actions.Debug) }},
		{"actions.detect_version", "boolean", anyone, func(r *configReader, n *spec.Node) { r.boolean(n, &r.config.Actions.DetectVersion) }},

		{"limits.max_depth", "integer", anyone, func(r *configReader, n *spec.Node) { r.integer(n, &r.config.Limits.MaxDepth, 100) }},
		{"limits.max_steps", "integer", anyone, func(r *configReader, n *spec.Node) { r.integer(n, &r.config.Limits.MaxSteps, 1_000_000) }},
		{"limits.action_timeout", "duration", anyone, func(r *configReader, n *spec.Node) { r.duration(n, &r.config.Limits.ActionTimeout) }},
		{"limits.page_timeout", "duration", anyone, func(r *configReader, n *spec.Node) { r.duration(n, &r.config.Limits.PageTimeout) }},
		{"limits.max_sessions", "integer", notProject, func(r *configReader, n *spec.Node) { r.integer(n, &r.config.Limits.MaxSessions, 1000) }},
		{"limits.max_tabs", "integer", anyone, func(r *configReader, n *spec.Node) { r.integer(n, &r.config.Limits.MaxTabs, 1000) }},
		{"limits.max_queue", "integer", notProject, func(r *configReader, n *spec.Node) { r.integer(n, &r.config.Limits.MaxQueue, 10_000) }},
		{"limits.session_idle", "duration", notProject, func(r *configReader, n *spec.Node) { r.duration(n, &r.config.Limits.SessionIdle) }},
		{"limits.daemon_idle", "duration", notProject, func(r *configReader, n *spec.Node) { r.duration(n, &r.config.Limits.DaemonIdle) }},

		{"browser.path", "path", trustedProject, func(r *configReader, n *spec.Node) { r.program(n, &r.config.Browser.Path) }},
		{"browser.args", "list", trustedProject, func(r *configReader, n *spec.Node) { r.list(n, &r.config.Browser.Args) }},
		{"browser.headed", "boolean", anyone, func(r *configReader, n *spec.Node) { r.boolean(n, &r.config.Browser.Headed) }},
		{"browser.sandbox", "boolean", trustedProject, func(r *configReader, n *spec.Node) { r.sandbox(n) }},
		{"browser.viewport", "text", anyone, func(r *configReader, n *spec.Node) { r.viewport(n) }},
		{"browser.test_id_attribute", "text", anyone, func(r *configReader, n *spec.Node) { r.attribute(n, &r.config.Browser.TestIDAttribute) }},
		{"browser.proxy", "text", trustedProject, func(r *configReader, n *spec.Node) { r.str(n, &r.config.Browser.Proxy) }},
		{"browser.profile", "path", trustedProject, func(r *configReader, n *spec.Node) { r.folder(n, &r.config.Browser.Profile) }},
		{"browser.cdp", "text", trustedProject, func(r *configReader, n *spec.Node) { r.str(n, &r.config.Browser.CDP) }},
		{"browser.user_agent", "text", anyone, func(r *configReader, n *spec.Node) { r.str(n, &r.config.Browser.UserAgent) }},
		{"browser.locale", "text", anyone, func(r *configReader, n *spec.Node) { r.str(n, &r.config.Browser.Locale) }},
		{"browser.cpu_slowdown", "integer", anyone, func(r *configReader, n *spec.Node) { r.integer(n, &r.config.Browser.CPUSlowdown, 100) }},
		{"browser.ignore_https_errors", "boolean", trustedProject, func(r *configReader, n *spec.Node) { r.boolean(n, &r.config.Browser.IgnoreHTTPSErrors) }},

		{"policy.allow", "list", anyone, func(r *configReader, n *spec.Node) { r.allowSteps(n) }},
		{"policy.deny", "list", anyone, func(r *configReader, n *spec.Node) { r.denySteps(n, &r.config.Policy.Deny) }},
		{"policy.approve", "list", anyone, func(r *configReader, n *spec.Node) { r.denySteps(n, &r.config.Policy.Approve) }},
		{"policy.package_steps", "map", notProject, func(r *configReader, n *spec.Node) { r.packageSteps(n) }},
		{"policy.env", "map", notProject, func(r *configReader, n *spec.Node) { r.grants(n, &r.config.Policy.PackageEnv, envGrant) }},
		{"policy.hosts.allow", "list", anyone, func(r *configReader, n *spec.Node) { r.allowHosts(n) }},
		{"policy.hosts.deny", "list", anyone, func(r *configReader, n *spec.Node) { r.denyHosts(n) }},
		{"policy.files", "list", notProject, func(r *configReader, n *spec.Node) { r.folders(n, &r.config.Policy.Files) }},
		{"policy.file_urls", "boolean", anyone, func(r *configReader, n *spec.Node) { r.fileURLs(n) }},
		{"policy.dialogs", "map", anyone, func(r *configReader, n *spec.Node) { r.dialogs(n) }},
		{"policy.deny_private", "boolean", anyone, func(r *configReader, n *spec.Node) { r.denyPrivate(n) }},

		{"trust", "list", userFile, func(r *configReader, n *spec.Node) { r.folders(n, &r.config.Trust) }},
	}
}

// Keys returns every key of the configuration, in the order of the reference page. The caller owns
// the slice.
func Keys() []string {
	out := make([]string, len(settings()))
	for i, s := range settings() {
		out[i] = s.key
	}
	return out
}

func settingOf(key string) *setting {
	for i, s := range settings() {
		if s.key == key {
			return &settings()[i]
		}
	}
	return nil
}

// keysBelow returns the names that may follow prefix.
func keysBelow(prefix string) []string {
	seen := make(map[string]bool)
	for _, s := range settings() {
		if rest, ok := strings.CutPrefix(s.key, prefix); ok {
			name, _, _ := strings.Cut(rest, ".")
			seen[name] = true
		}
	}
	var out []string
	for name := range seen {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// kind reports that a value is not what was expected.
func (r *configReader) kind(n *spec.Node, want string) {
	found := n.Kind.String()
	switch {
	case n.Kind == spec.String:
		found = clip(n.Str)
	case n.Kind == spec.Null:
		found = "nothing"
	case n.Raw != "":
		found = n.Raw
	}
	r.errorf(n, "found %s, expected %s", found, want).WithHint("see docs/configuration.md for the values of each key")
}

func (r *configReader) str(n *spec.Node, out *string) {
	if n.Kind != spec.String {
		r.kind(n, "a string")
		return
	}
	*out = n.Str
}

func (r *configReader) boolean(n *spec.Node, out *bool) {
	if n.Kind != spec.Bool {
		r.kind(n, "true or false")
		return
	}
	*out = n.Bool
}

func (r *configReader) integer(n *spec.Node, out *int, most int64) {
	if n.Kind != spec.Int || n.Int < 1 || n.Int > most {
		r.kind(n, "an integer from 1 to "+strconv.FormatInt(most, 10))
		return
	}
	*out = int(n.Int)
}

func (r *configReader) duration(n *spec.Node, out *time.Duration) {
	d, err := spec.DurationOf(n)
	switch {
	case err != nil:
		r.errorf(n, "%s", err.Msg).Hint = err.Hint
	case d == 0:
		r.kind(n, "a duration over 0")
	default:
		*out = d
	}
}

// list reads a list of strings. Each entry is one value, unchanged.
func (r *configReader) list(n *spec.Node, out *[]string) {
	if n.Kind != spec.List {
		r.kind(n, "a list of strings")
		return
	}
	values := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if item.Kind != spec.String {
			r.kind(item, "a string")
			continue
		}
		values = append(values, item.Str)
	}
	if !r.failed {
		*out = values
	}
}

func (r *configReader) folders(n *spec.Node, out *[]string) {
	var values []string
	if r.list(n, &values); r.failed {
		return
	}
	for i := range values {
		values[i] = r.path(values[i])
	}
	*out = values
}

func (r *configReader) folder(n *spec.Node, out *string) {
	if r.str(n, out); !r.failed && *out != "" {
		*out = r.path(*out)
	}
}

// program reads a path, or a bare name to search in PATH.
func (r *configReader) program(n *spec.Node, out *string) {
	if r.str(n, out); !r.failed && strings.ContainsRune(*out, '/') {
		*out = r.path(*out)
	}
}

func (r *configReader) actionPaths(n *spec.Node) {
	if r.from == fromProject {
		r.folders(n, &r.config.Actions.ProjectPaths)
	} else {
		r.folders(n, &r.config.Actions.Paths)
	}
}

func (r *configReader) sandbox(n *spec.Node) {
	var on bool
	if r.boolean(n, &on); !r.failed {
		r.config.Browser.Sandbox = &on
	}
}

func (r *configReader) attribute(n *spec.Node, out *string) {
	if n.Kind != spec.String || !spec.IsName(n.Str) {
		r.kind(n, "the name of an attribute")
		return
	}
	*out = n.Str
}

// viewport reads 1280x720.
func (r *configReader) viewport(n *spec.Node) {
	width, height, ok := strings.Cut(n.Str, "x")
	w, errW := strconv.Atoi(width)
	h, errH := strconv.Atoi(height)
	if n.Kind != spec.String || !ok || errW != nil || errH != nil || w < 1 || h < 1 || w > 10_000 || h > 10_000 {
		r.kind(n, "a size such as 1280x720")
		return
	}
	r.config.Browser.Width, r.config.Browser.Height = w, h
}

// fileURLs reads policy.file_urls. Like dialogs, it accepts from a project only a stricter value.
func (r *configReader) fileURLs(n *spec.Node) {
	var on bool
	if r.boolean(n, &on); r.failed {
		return
	}
	if on && r.from == fromProject {
		r.loosens(n, "policy.file_urls: true")
		return
	}
	r.config.Policy.FileURLs = on
}

// dialogKinds maps the kinds of dialogs to their default answers. dialogAnswers lists the possible
// answers.
var (
	dialogKinds   = map[string]string{"alert": "accept", "confirm": "dismiss", "prompt": "dismiss", "beforeunload": "accept"}
	dialogAnswers = []string{"accept", "dismiss", "leave"}
)

// dialogs reads a map of kinds to answers, or one answer for all kinds.
func (r *configReader) dialogs(n *spec.Node) {
	kinds := slices.Sorted(maps.Keys(dialogKinds))
	said := make(map[string]string)
	read := func(value *spec.Node, kinds ...string) {
		if value.Kind != spec.String || !contains(dialogAnswers, value.Str) {
			r.kind(value, "accept, dismiss or leave")
			return
		}
		for _, kind := range kinds {
			said[kind] = value.Str
		}
	}
	switch {
	case n.Kind == spec.Map:
		for _, k := range n.Keys {
			if !contains(kinds, k.Name) {
				r.errorf(&spec.Node{Pos: k.Pos}, "found %s, expected a kind of dialog", clip(k.Name)).
					WithHint("use one of %s", strings.Join(kinds, ", "))
				continue
			}
			read(k.Value, k.Name)
		}
	case n.Kind == spec.String && n.Str == "default":
		maps.Copy(said, dialogKinds)
	case n.Kind == spec.String:
		read(n, kinds...)
	default:
		r.kind(n, "default, accept, dismiss, leave, or a map of kinds of dialogs to these")
	}
	if r.failed {
		return
	}
	merged := maps.Clone(dialogKinds)
	maps.Copy(merged, r.config.Policy.Dialogs)
	for _, kind := range kinds {
		answer, ok := said[kind]
		if !ok {
			continue
		}
		if r.from == fromProject && answer == "accept" && merged[kind] != "accept" {
			r.loosens(n, "policy.dialogs: {"+kind+": accept}")
			return
		}
		merged[kind] = answer
	}
	r.config.Policy.Dialogs = merged
}

func (r *configReader) loosens(n *spec.Node, what string) {
	// This is not an unreadable rule, so the previous policy stays in force.
	r.problems.Add(diag.At(n.Pos, diag.DefinitionInvalid, "a project may not loosen the policy with %s", what).
		WithHint("set it in ~/%s/config.yaml", ConfigFolder))
	r.ignored = true
}

func (r *configReader) denyPrivate(n *spec.Node) {
	var on bool
	if r.boolean(n, &on); r.failed || !on {
		return
	}
	r.errorf(n, "policy.deny_private is not supported yet, so every step is denied").
		WithHint("list the hosts under policy.hosts.deny, or the allowed ones under policy.hosts.allow")
}

func envGrant(name string) *diag.Error {
	if spec.IsEnvName(name) {
		return nil
	}
	return diag.New(diag.DefinitionInvalid, "found %s, expected the name of an environment variable", clip(name))
}
