package loader

import (
	"sort"
	"strings"
	"sync"

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

// A permission says who may set a key. The user's own file may set every key.
type permission uint8

const (
	anyone         permission = iota
	trustedProject            // variables, flags, and projects that the user trusts
	notProject                // variables and flags, but no project
	userFile                  // nothing but the user's own file
)

// settings returns the table of all keys, in the order of the reference page. It is built on first
// use.
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
		{"browser.page_tools", "boolean", anyone, func(r *configReader, n *spec.Node) { r.boolean(n, &r.config.Browser.PageTools) }},
		{"browser.ignore_https_errors", "boolean", trustedProject, func(r *configReader, n *spec.Node) { r.boolean(n, &r.config.Browser.IgnoreHTTPSErrors) }},

		{"policy.allow", "list", anyone, func(r *configReader, n *spec.Node) { r.allowSteps(n) }},
		{"policy.deny", "list", anyone, func(r *configReader, n *spec.Node) { r.denySteps(n, &r.config.Policy.Deny) }},
		{"policy.approve", "list", anyone, func(r *configReader, n *spec.Node) { r.approve(n) }},
		{"policy.approve_timeout", "duration", anyone, func(r *configReader, n *spec.Node) { r.approveTimeout(n) }},
		{"policy.approve_by", "list", anyone, func(r *configReader, n *spec.Node) { r.approveBy(n) }},
		{"policy.package_steps", "map", notProject, func(r *configReader, n *spec.Node) { r.packageSteps(n) }},
		{"policy.env", "map", notProject, func(r *configReader, n *spec.Node) { r.grants(n, &r.config.Policy.PackageEnv, envGrant) }},
		{"policy.hosts.allow", "list", anyone, func(r *configReader, n *spec.Node) { r.allowHosts(n) }},
		{"policy.hosts.deny", "list", anyone, func(r *configReader, n *spec.Node) { r.denyHosts(n) }},
		{"policy.network.private", "text", anyone, func(r *configReader, n *spec.Node) { r.privateNetwork(n) }},
		{"policy.network.allow", "list", notProject, func(r *configReader, n *spec.Node) { r.allowNetwork(n) }},
		{"policy.network.deny", "list", anyone, func(r *configReader, n *spec.Node) { r.denyNetwork(n) }},
		{"policy.files", "list", notProject, func(r *configReader, n *spec.Node) { r.folders(n, &r.config.Policy.Files) }},
		{"policy.file_urls", "boolean", anyone, func(r *configReader, n *spec.Node) { r.fileURLs(n) }},
		{"policy.dialogs", "map", anyone, func(r *configReader, n *spec.Node) { r.dialogs(n) }},

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
