package loader

// Reading one value of the configuration.

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A configOrigin is one of the places from which the configuration is read. The constants are in
// the order of reading.
type configOrigin uint8

const (
	fromUser configOrigin = iota
	fromProject
	fromVariable
	fromFlag
)

// A configReader is the state of reading configuration.
type configReader struct {
	config   *Config
	home     string
	from     configOrigin
	base     string // start of relative paths
	trusted  bool   // the user trusts the project
	where    string // the current variable or flag
	failed   bool   // the current value is invalid
	ignored  bool   // the current value is not allowed in this origin
	problems diag.List
}

// errorf reports a problem with the current value.
func (r *configReader) errorf(n *spec.Node, format string, args ...any) *diag.Error {
	r.failed = true
	e := diag.New(diag.DefinitionInvalid, format, args...).WithHint("see docs/configuration.md for the possible values")
	if n != nil {
		e.Pos = n.Pos
	}
	if r.where != "" {
		e.Pos, e.Msg = diag.Pos{}, r.where+": "+e.Msg
	}
	r.problems.Add(e)
	return e
}

// path makes a path absolute. "~/" at its beginning means the home folder. Other relative paths
// start at r.base.
func (r *configReader) path(p string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && r.home != "" {
		return filepath.Join(r.home, rest)
	}
	if filepath.IsAbs(p) || r.base == "" {
		return p
	}
	return filepath.Join(r.base, p)
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// kind reports that n is not of the expected kind. The argument "want" describes that kind.
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

// list reads a list of strings and stores it in out.
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

// program reads the name or the path of a program. A name without a slash is left as it is.
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

// viewport reads a size such as 1280x720.
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

// fileURLs reads policy.file_urls. A project may set it only to false.
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
	// The rule is readable, so it does not deny every step: the previous policy stays in force.
	r.problems.Add(diag.At(n.Pos, diag.DefinitionInvalid, "a project may not loosen the policy with `%s`", what).
		WithHint("set the key in ~/%s/config.yaml", ConfigFolder))
	r.ignored = true
}

func envGrant(name string) *diag.Error {
	if spec.IsEnvName(name) {
		return nil
	}
	return diag.New(diag.DefinitionInvalid, "found %s, expected the name of an environment variable", clip(name)).WithHint("write a name such as SHOP_TOKEN")
}
