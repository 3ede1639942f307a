package loader

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// Configuration is read from four origins, each of which overrides the ones before: the user's
// file, the project's file, ACTION_… variables, flags. All keys are in one table (settings.go). A
// project's folder may come from someone else. Its file may therefore not set anything that would
// run a program or send data elsewhere, unless the user trusts the folder, and it may only tighten
// the policy.

// A Config is the whole configuration, with defaults for the keys that are not set.
type Config struct {
	Actions ActionsConfig
	Limits  LimitsConfig
	Browser BrowserConfig
	Policy  Policy
	Trust   []string // folders whose project files may set everything except policy

	places  Places
	origins map[string]string
}

// ActionsConfig configures where definitions are found and how they run.
type ActionsConfig struct {
	Paths          []string // additional files or folders, from the user's config; absolute
	ProjectPaths   []string // the same, from the project's config; absolute
	Packages       []string // npm packages
	DefaultTimeout time.Duration
	Debug          bool
	DetectVersion  bool
}

// LimitsConfig bounds the resources of a run and of the daemon.
type LimitsConfig struct {
	MaxDepth      int
	MaxSteps      int
	ActionTimeout time.Duration
	PageTimeout   time.Duration

	// Limits of the daemon, which reads them when it starts.
	MaxSessions int           // open at the same time
	MaxTabs     int           // in one session, over all its windows
	MaxQueue    int           // waiting calls of one session
	SessionIdle time.Duration // time without a call after which a session ends
	DaemonIdle  time.Duration // time without a connection and a session after which the daemon ends
}

// BrowserConfig determines how the browser is started or reached.
type BrowserConfig struct {
	Path              string // "": search for it
	Args              []string
	Headed            bool
	Sandbox           *bool // nil: off for root only
	Width, Height     int   // of the viewport in CSS pixels; 0: the browser's own
	TestIDAttribute   string
	Proxy             string
	Profile           string // folder; "": a new one that is removed at the end
	CDP               string // address of a running browser
	UserAgent         string
	Locale            string
	CPUSlowdown       int  // factor by which the scripts of pages are slowed down; 0 and 1: none
	PageTools         bool // pages may offer tools to agents, through document.modelContext
	IgnoreHTTPSErrors bool
}

// ConfigOptions say where to read the configuration. With the zero value, all keys have their
// defaults.
type ConfigOptions struct {
	Home    string            // the user's home folder
	Cwd     string            // where the search for a project begins
	Environ []string          // in the form of os.Environ
	Flags   map[string]string // by key, such as browser.headed
}

// ReadConfig reads the configuration. It ignores invalid values and returns their problems. While
// the policy has a problem, it denies every step.
func ReadConfig(o ConfigOptions) (*Config, diag.List) {
	c := &Config{
		Actions: ActionsConfig{DefaultTimeout: 5 * time.Second, DetectVersion: true},
		Limits: LimitsConfig{
			MaxDepth: 10, MaxSteps: 10_000, ActionTimeout: 300 * time.Second, PageTimeout: 30 * time.Second,
			MaxSessions: 32, MaxTabs: 64, MaxQueue: 64, SessionIdle: 5 * time.Minute, DaemonIdle: 15 * time.Minute,
		},
		Browser: BrowserConfig{TestIDAttribute: "data-testid"},
		places:  Places{Home: o.Home, Cwd: o.Cwd},
		origins: make(map[string]string),
	}
	r := &configReader{config: c, home: o.Home}
	if o.Home != "" {
		r.from, r.base = fromUser, o.Home
		r.file(filepath.Join(o.Home, ConfigFolder, "config.yaml"))
	}
	if name := ProjectFolder(o.Cwd, o.Home, "config.yaml"); name != "" {
		r.from, r.base = fromProject, filepath.Dir(filepath.Dir(name))
		r.trusted = c.trusts(r.base)
		r.file(name)
	}
	r.from, r.base = fromVariable, o.Cwd
	r.environ(o.Environ)
	r.from = fromFlag
	r.flags(o.Flags)
	return c, r.problems.Sorted()
}

// Origin returns the origin of the value of a key: a position in a file, the name of a variable, or
// "flag". For a default, it returns "".
func (c *Config) Origin(key string) string { return c.origins[key] }

// Sources returns the sources of definitions that the configuration names, lowest priority first.
// They are for [Options.Sources].
func (c *Config) Sources() []Source {
	p := c.places
	p.Packages, p.UserPaths, p.ProjectPaths = c.Actions.Packages, c.Actions.Paths, c.Actions.ProjectPaths
	return p.Sources()
}

// Home returns the user's home folder, or "" if it is unknown.
func (c *Config) Home() string { return c.places.Home }

// DefinitionPaths returns the files and folders of definitions that the configuration lists. It
// does not include packages, or the folders named [ConfigFolder] that are always read.
func (c *Config) DefinitionPaths() []string {
	var out []string
	for _, path := range slices.Concat(c.Actions.Paths, c.Actions.ProjectPaths, c.places.Path) {
		out = append(out, c.places.abs(path))
	}
	return out
}

// trusts reports whether the user trusts dir or a folder above it. It resolves links first: a link
// in a trusted folder does not make its target trusted.
func (c *Config) trusts(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for _, t := range c.Trust {
		if t, err := filepath.EvalSymlinks(t); err == nil {
			if rel, err := filepath.Rel(t, dir); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

func (r *configReader) file(name string) {
	open := func(name string) (*os.File, error) { return os.OpenFile(name, readOnly, 0) }
	if r.from == fromProject {
		open = openProjectFile
	}
	f, err := open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.unreadable(fileError(name, err))
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		r.unreadable(diag.At(diag.Pos{File: name}, diag.DefinitionInvalid, "found a folder or a special file, expected a regular file").
			WithHint("write the configuration to a regular file of this name, or remove what is there"))
		return
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		r.unreadable(fileError(name, err))
		return
	}
	if strings.TrimSpace(string(trimText(data))) == "" {
		return
	}
	root, problems := ParseFile(name, data)
	if len(problems) > 0 {
		r.unreadable(problems...)
		return
	}
	r.where = ""
	r.section(root, "")
}

// unreadable reports a file that cannot be read. The file may contain a policy, so every step is
// denied.
func (r *configReader) unreadable(problems ...*diag.Error) {
	r.problems.Add(problems...)
	r.config.Policy.deny(problems[0])
}

// section reads a map whose keys begin with prefix.
func (r *configReader) section(n *spec.Node, prefix string) {
	if n.Kind != spec.Map {
		name := strings.TrimSuffix(prefix, ".")
		if name == "" {
			name = "the configuration"
		}
		r.wrong(prefix, r.errorf(n, "%s is %s, expected a map", name, n.Kind).WithHint("write for example: actions: {default_timeout: 5s}"))
		return
	}
	for _, k := range n.Keys {
		key := prefix + k.Name
		if s := settingOf(key); s != nil {
			r.set(s, k.Value)
			continue
		}
		known := keysBelow(prefix)
		if contains(known, k.Name) {
			r.section(k.Value, key+".")
			continue
		}
		e := diag.At(k.Pos, diag.DefinitionInvalid, "unknown key %s", clip(key))
		e.WithHint("see docs/configuration.md for all keys")
		if hint := diag.DidYouMean(k.Name, known); hint != "" {
			e.Hint = hint
		}
		r.problems.Add(e)
		r.wrong(key, e)
	}
}

// wrong handles an error in the value of a key. If the key belongs to the policy, every step is
// denied.
func (r *configReader) wrong(key string, e *diag.Error) {
	if key == "policy" || key == "" || strings.HasPrefix(key, "policy.") || diag.Nearest(key, []string{"policy"}) != "" {
		r.config.Policy.deny(e)
	}
}

// set reads the value of a key. If the current origin may not set this key, it reports an error.
func (r *configReader) set(s *setting, n *spec.Node) {
	switch {
	case r.from == fromProject && s.only == userFile, r.from > fromProject && s.only == userFile:
		r.errorf(n, "%s may be set only in the user's own config", s.key).
			WithHint("set the key in ~/%s/config.yaml", ConfigFolder)
		return
	case r.from == fromProject && s.only == trustedProject && !r.trusted:
		r.errorf(n, "a project may not set %s", s.key).
			WithHint("set the key in ~/%s/config.yaml, or list this project's folder under `trust` in that file", ConfigFolder)
		return
	case r.from == fromProject && s.only == notProject:
		r.errorf(n, "a project may not loosen the policy with %s", s.key).
			WithHint("set the key in ~/%s/config.yaml", ConfigFolder)
		return
	}
	before := len(r.problems)
	r.failed, r.ignored = false, false
	s.read(r, n)
	if r.ignored {
		return
	}
	if r.failed {
		if len(r.problems) > before {
			r.wrong(s.key, r.problems[before])
		}
		return
	}
	r.config.origins[s.key] = n.Pos.String()
	if r.where != "" {
		r.config.origins[s.key] = r.where
	}
}

// environ reads the ACTION_… variables. It reports a misspelled variable if its name is similar to
// a known one. It ignores other names, which may belong to other programs.
func (r *configReader) environ(environ []string) {
	names := make(map[string]*setting)
	var known []string
	for i, s := range settings() {
		v := variable(s.key)
		names[v] = &settings()[i]
		known = append(known, v)
	}
	sorted := append([]string(nil), environ...)
	sort.Strings(sorted)
	for _, entry := range sorted {
		name, value, _ := strings.Cut(entry, "=")
		r.where = name
		switch s := names[name]; {
		case name == "ACTION_PATH":
			for _, p := range filepath.SplitList(value) {
				if p != "" {
					r.config.places.Path = append(r.config.places.Path, r.path(p))
				}
			}
		case s != nil:
			r.text(s, value)
		case strings.HasPrefix(name, "ACTION_"):
			if near := diag.Nearest(name, known); near != "" {
				e := r.errorf(nil, "there is no setting for this variable").WithHint("did you mean %s?", near)
				r.wrong(strings.ToLower(strings.Replace(strings.TrimPrefix(name, "ACTION_"), "_", ".", 1)), e)
			}
		}
	}
}

func variable(key string) string {
	return "ACTION_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

func (r *configReader) flags(flags map[string]string) {
	var keys []string
	for key := range flags {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		r.where = "flag"
		s := settingOf(key)
		if s == nil {
			e := r.errorf(nil, "unknown setting %s", clip(key))
			if hint := diag.DidYouMean(key, Keys()); hint != "" {
				e.Hint = hint
			}
			r.wrong(key, e)
			continue
		}
		r.text(s, flags[key])
	}
}

// text parses the value of a variable or a flag. A list may be separated by commas. Other lists,
// and all maps, are written as YAML.
func (r *configReader) text(s *setting, value string) {
	n := &spec.Node{Kind: spec.String, Str: value, Raw: value}
	trimmed := strings.TrimSpace(value)
	switch {
	case s.kind == "text" || s.kind == "path":
	case s.kind == "list" && !strings.HasPrefix(trimmed, "["):
		n = &spec.Node{Kind: spec.List}
		for _, item := range strings.Split(value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				n.Items = append(n.Items, &spec.Node{Kind: spec.String, Str: item, Raw: item})
			}
		}
	case trimmed != "":
		parsed, problems := ParseFile(r.where, []byte(trimmed))
		if len(problems) > 0 {
			e := r.errorf(nil, "%s", problems[0].Msg)
			e.Hint = problems[0].Hint
			r.wrong(s.key, e)
			return
		}
		n = parsed
	}
	r.set(s, n)
}
