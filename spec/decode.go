package spec

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/version"
)

// A File is one definition file as typed data. Missing parts are zero. They are not errors, because
// a file may add to definitions in other files; see [Action.Check].
type File struct {
	Root        *Node
	Namespace   Text
	Version     *Text
	Description *Text
	Extends     []Text
	Env         []EnvVar
	Compat      Compat
	Busy        *Text
	Settle      *Settle
	Selectors   map[string]*Alias
	Overrides   []Override
	Actions     map[string]*Action
	Order       []string // names of Actions in file order
}

// A MainArg is a function that returns the name of the main argument of a step. In the short form
// of a step, the value of this argument may be written alone, as in `- click: text:Save`. If the
// step has no main argument, arg is "". known is false if there is no such step.
type MainArg func(step string) (arg string, known bool)

// Decode decodes the tree of a file. It returns all problems that it finds. The File is valid only
// if there are none.
func Decode(root *Node, source Source, main MainArg) (*File, diag.List) {
	d := &decoder{source: source, main: main}
	f := d.file(root)
	return f, d.problems
}

// DecodeAction decodes an action whose parts from several files have been merged. key is its entry
// in `actions`.
func DecodeAction(namespace string, key Key, source Source, main MainArg) (*Action, diag.List) {
	d := &decoder{source: source, namespace: namespace, main: main}
	a := d.action(key)
	return a, d.problems
}

func (d *decoder) file(root *Node) *File {
	f := &File{Root: root}
	if !d.isMap(root, "the file", "start with: namespace: NAME") {
		return f
	}
	// Actions contain the name of their namespace, whatever the order of the keys.
	if n := root.Get(KeyNamespace); n == nil {
		d.errorf(root.Pos, "the file has no namespace").WithHint("add a namespace, such as: namespace: my-app")
	} else if t := d.text(n, KeyNamespace); t != nil {
		if !IsNamespace(t.Value) {
			d.badName(n.Pos, "a namespace", t.Value, namespaceForm)
		}
		f.Namespace, d.namespace = *t, t.Value
	}
	fileTable.decode(d, root, f, "")
	return f
}

// semVer reads the version of a file's definitions.
func (d *decoder) semVer(k *Key) *Text {
	t := d.version(k.Value, k.Name)
	if t != nil && !IsSemVer(t.Value) {
		d.errorf(k.Value.Pos, "version is %s, expected three numbers as in SemVer", clip(t.Value)).
			WithHint("write for example: version: 1.0.0")
	}
	return t
}

// settle reads true, false or the longest wait.
func (d *decoder) settle(k *Key) *Settle {
	n := k.Value
	s := &Settle{Pos: n.Pos}
	if n.Kind == Bool {
		s.On = n.Bool
		return s
	}
	if n.Kind != Int && n.Kind != String {
		d.errorf(n.Pos, "`settle` is %s, expected true, false or a duration", n.describe()).WithHint("write `settle: true`, or the longest wait, as in `settle: 2s`")
		return nil
	}
	most := d.duration(n, k.Name)
	if most == nil {
		return nil
	}
	if *most == 0 {
		d.errorf(n.Pos, "`settle` is 0, expected more than 0").WithHint("to disable the wait, write `settle: false`")
		return nil
	}
	s.On, s.Most = true, *most
	return s
}

func (d *decoder) env(k *Key) []EnvVar {
	n := k.Value
	if !d.isList(n, k.Name, "write for example: env: [TEST_USER]") {
		return nil
	}
	out := make([]EnvVar, 0, len(n.Items))
	for _, item := range n.Items {
		v := envEntry{EnvVar: EnvVar{Secret: true, Pos: item.Pos, Source: d.source}, name: item}
		if item.Kind == Map {
			v.name = nil
			envTable.decode(d, item, &v, "")
			if v.name == nil {
				d.errorf(item.Pos, "an entry of env has no name").WithHint("write for example: {name: BASE_URL, secret: false}")
				continue
			}
		}
		t := d.text(v.name, "the name of an environment variable")
		if t == nil {
			continue
		}
		if !IsEnvName(t.Value) {
			d.badName(t.Pos(), "an environment variable", t.Value, "letters, digits and _, not starting with a digit")
		}
		for _, other := range out {
			if other.Name == t.Value {
				d.errorf(item.Pos, "%s is listed twice in env", t.Value).WithNote(other.Pos, "first here").WithHint("remove one of the two entries")
			}
		}
		v.Name = t.Value
		out = append(out, v.EnvVar)
	}
	return out
}

func (d *decoder) compat(key *Key, f *File) {
	n := key.Value
	if !d.isMap(n, key.Name, "") {
		return
	}
	compatTable.decode(d, n, f, "")
	var ways []Key
	for _, k := range n.Keys {
		if field := compatTable.entry(k.Name); field != nil && field.Exclusive {
			ways = append(ways, k)
		}
	}
	if len(ways) > 1 {
		d.errorf(ways[1].Pos, "compatibility has both %s and %s, expected one of them", ways[0].Name, ways[1].Name).
			WithNote(ways[0].Pos, "first here").WithHint("keep only the key that works on every page of the application")
	}
}

func (d *decoder) markup(key *Key) []Markup {
	n := key.Value
	if !d.isMap(n, key.Name, `write for example: version_markup: {"3.x": "css:.ant-select-selection__rendered"}`) {
		return nil
	}
	out := make([]Markup, 0, len(n.Keys))
	for _, k := range n.Keys {
		if t := d.text(k.Value, "the selector of "+clip(k.Name)); t != nil {
			out = append(out, Markup{Version: Text{Value: k.Name, Node: k.node()}, Selector: *t})
		}
	}
	return out
}

func (d *decoder) overrides(key *Key) []Override {
	n := key.Value
	if !d.isMap(n, key.Name, `write for example: "3.x": {selectors: {…}}`) {
		return nil
	}
	out := make([]Override, 0, len(n.Keys))
	for _, k := range n.Keys {
		o := Override{Pattern: &Text{Value: k.Name, Node: k.node()}}
		o.Match, _ = version.ParsePattern(k.Name, k.node().At) // the validator reports what is wrong with the pattern
		if !d.isMap(k.Value, "an override", "write for example: {selectors: {…}}") {
			continue
		}
		overrideTable.decode(d, k.Value, &o, "")
		out = append(out, o)
	}
	return out
}

func (d *decoder) variants(key *Key) map[string]*Variant {
	n := key.Value
	if !d.isMap(n, key.Name, "") {
		return nil
	}
	out := make(map[string]*Variant, len(n.Keys))
	for _, k := range n.Keys {
		d.actionName(k)
		v := &Variant{Pos: k.Pos, Source: d.source}
		out[k.Name] = v
		if !d.isMap(k.Value, "an action in an override", "write for example: {steps: […]}") {
			continue
		}
		for i := range k.Value.Keys {
			switch part := &k.Value.Keys[i]; {
			case variantTable.decodeKey(d, v, part):
			case part.Name == KeyParams:
				d.errorf(part.Pos, "found `params` in an override, which cannot change params").
					WithHint("an override replaces steps, verify and returns; declare the param in the action itself")
			default:
				variantTable.unknown(d, part, "")
			}
		}
	}
	return out
}

func (d *decoder) selectors(key *Key) map[string]*Alias {
	n := key.Value
	if !d.isMap(n, key.Name, "write for example: selectors: {modal: \"role:dialog\"}") {
		return nil
	}
	out := make(map[string]*Alias, len(n.Keys))
	for _, k := range n.Keys {
		if !IsName(k.Name) {
			d.badName(k.Pos, "a selector", k.Name, nameForm)
		}
		a := &Alias{Name: k.Name, Pos: k.Pos, Source: d.source}
		if d.alias(k.Value, a) {
			out[k.Name] = a
		}
	}
	return out
}

func (d *decoder) alias(n *Node, a *Alias) bool {
	if n.Kind != Map {
		t := d.text(n, "a selector")
		if t != nil {
			a.Primary = *t
		}
		return t != nil
	}
	aliasTable.decode(d, n, a, "")
	if n.Get(KeyPrimary) == nil {
		d.errorf(n.Pos, "the selector %s has no `primary`", a.Name).WithHint("write {primary: SELECTOR, fallback: [SELECTOR]}")
		return false
	}
	return a.Primary.Node != nil
}
