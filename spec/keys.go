package spec

// The keys of definition files. Each kind of map in a file has one table, and each key of the map
// has one entry in the table. The tables are in keys_file.go, keys_action.go, keys_step.go and
// keys_param.go. They determine how files are decoded, and which key is proposed for an unknown
// one. They are also the source of the JSON Schema, of the params in `describe`, and of the tables
// in docs/definitions.md.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A Field describes one key of a [Mapping].
type Field struct {
	Name string
	Doc  string // sentences, with marks around `code`, which the JSON Schema omits
	Note string // what docs/definitions.md adds to Doc, in Markdown
	Type Type   // type of its value

	Required bool   // a map without it is an error
	Needs    string // the key that it requires; "": none
	// Exclusive is set for several keys of a map. The map may have only one of them.
	Exclusive bool
	// Types lists the param types for which the key is allowed. Nil means all types.
	Types []ParamType
	// OfName is set for a key that is not allowed in `items`, where params have no names.
	OfName bool

	// Rank is the rank of the key in the JSON Schema, and Described its rank in the output of
	// `describe`. Keys with lower ranks come first. Keys of equal rank keep the order of the table.
	Rank, Described int
}

// Plain returns Doc without the marks around code.
func (f *Field) Plain() string { return strings.ReplaceAll(f.Doc, "`", "") }

// A Mapping describes one kind of map in definition files.
type Mapping struct {
	Name MappingName
	What string // its name in error messages
	Doc  string // its description in the JSON Schema; "" for none
	// Short is the type of a value that may be written instead of the map. Nil means that only the
	// map is allowed.
	Short *Type
	// Inline is set if the JSON Schema describes the map at the key that uses it, instead of under
	// `definitions`.
	Inline bool
	// Fields lists the keys in the order in which messages list them. For a step, it is also the
	// order in which `action fmt` writes them.
	Fields []Field
}

// A MappingName names a kind of map. It is also the name of its definition in the JSON Schema.
type MappingName string

// The kinds of maps, from the whole file inwards.
const (
	FileMap     MappingName = "file"
	EnvMap      MappingName = "env"
	CompatMap   MappingName = "compatibility"
	OverrideMap MappingName = "override"
	VariantMap  MappingName = "variant"
	AliasMap    MappingName = "alias"
	ActionMap   MappingName = "action"
	ParamMap    MappingName = "param"
	ItemMap     MappingName = "item"
	StepMap     MappingName = "step"
	RetryMap    MappingName = "retry"
	CaseMap     MappingName = "case"
	CheckMap    MappingName = "check"
)

// Field returns a key by its name, or nil.
func (m *Mapping) Field(name string) *Field {
	for i := range m.Fields {
		if m.Fields[i].Name == name {
			return &m.Fields[i]
		}
	}
	return nil
}

// Names returns the names of the fields for which the function "keep" returns true. If the function
// is nil, Names returns all names.
func (m *Mapping) Names(keep func(*Field) bool) []string {
	var out []string
	for i := range m.Fields {
		if keep == nil || keep(&m.Fields[i]) {
			out = append(out, m.Fields[i].Name)
		}
	}
	return out
}

// Keys that code outside the tables uses by name.
const (
	KeyNamespace     = "namespace"
	KeyParams        = "params"
	KeySince         = "since"
	KeySteps         = "steps"
	KeyVerify        = "verify"
	KeyReturns       = "returns"
	KeyPrimary       = "primary"
	KeyAction        = "action"
	KeyArgs          = "args"
	KeyWhen          = "when"
	KeyRetry         = "retry"
	KeyRetryDelay    = "retry_delay"
	KeyFallback      = "fallback"
	KeyCases         = "cases"
	KeyElse          = "else"
	KeyTimes         = "times"
	KeyCondition     = "condition"
	KeyRequireChange = "require_change"
	KeyApproval      = "approval"
)

// ApprovalRequired is the value of `approval` for a step or an action that a person has to approve.
const ApprovalRequired = "required"

// An entry describes one key of a map. M is the type of the decoded map.
type entry[M any] struct {
	Field
	// decode stores the value of the key in *into. It is nil for a key that is decoded separately.
	decode func(d *decoder, into *M, k *Key)
	// value returns the value of the key, as plain data. If the file does not set the key, or sets
	// it to false, value returns nil. Only the entries for params and variants have this function.
	value func(of *M) any
}

// A table holds the entries of one kind of map.
type table[M any] struct {
	*Mapping
	entries []entry[M]
	names   []string
}

func newTable[M any](m Mapping, entries []entry[M]) *table[M] {
	m.Fields = make([]Field, len(entries))
	t := &table[M]{Mapping: &m, entries: entries, names: make([]string, len(entries))}
	for i := range entries {
		m.Fields[i], t.names[i] = entries[i].Field, entries[i].Name
	}
	mappings = append(mappings, t.Mapping)
	return t
}

// entry returns the entry of a key, or nil.
func (t *table[M]) entry(name string) *entry[M] {
	if i := slices.Index(t.names, name); i >= 0 {
		return &t.entries[i]
	}
	return nil
}

// decode reads the keys of n into *into, in the order of the file. name is the name of the map in
// messages; it may be empty.
func (t *table[M]) decode(d *decoder, n *Node, into *M, name string) {
	for i := range n.Keys {
		k := &n.Keys[i]
		if !t.decodeKey(d, into, k) {
			t.unknown(d, k, name)
		}
	}
}

// decodeKey reads one key. It returns false if the table does not have the key.
func (t *table[M]) decodeKey(d *decoder, into *M, k *Key) bool {
	e := t.entry(k.Name)
	if e == nil {
		return false
	}
	if e.decode != nil {
		e.decode(d, into, k)
	}
	return true
}

// unknown reports a key that the table does not have.
func (t *table[M]) unknown(d *decoder, k *Key, name string) *diag.Error {
	where := t.What
	if name != "" {
		where += " " + name
	}
	e := d.errorf(k.Pos, "unknown key %s in %s", clip(k.Name), where)
	if hint := diag.DidYouMean(k.Name, t.names); hint != "" {
		e.Hint = hint
	}
	return e
}

// described returns the entries in the order of [Field.Described].
func (t *table[M]) described() []*entry[M] {
	out := make([]*entry[M], len(t.entries))
	for i := range t.entries {
		out[i] = &t.entries[i]
	}
	slices.SortStableFunc(out, func(a, b *entry[M]) int { return cmp.Compare(a.Described, b.Described) })
	return out
}

// written returns the keys that are set in a decoded map, in the order of the table.
func (t *table[M]) written(of *M) []string {
	var out []string
	for i := range t.entries {
		if t.entries[i].value(of) != nil {
			out = append(out, t.entries[i].Name)
		}
	}
	return out
}

// given returns *p, or nil if p is nil.
func given[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// nonZero returns v, or nil if v is the zero value.
func nonZero[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// list returns l, or a nil interface if l is nil.
func list[T any](l []T) any {
	if l == nil {
		return nil
	}
	return l
}

// value returns the string, or "" for a text that could not be read.
func (t *Text) value() string {
	if t == nil {
		return ""
	}
	return t.Value
}
