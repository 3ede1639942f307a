package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestEveryKeyIsDecoded checks that each key of each table changes the model, and that any other
// key there is rejected with the keys of that table in the hint.
func TestEveryKeyIsDecoded(t *testing.T) {
	names := make(map[MappingName]bool)
	for _, m := range Mappings() {
		if names[m.Name] {
			t.Errorf("two kinds of maps are called %s", m.Name)
		}
		names[m.Name] = true
		for i := range m.Fields {
			f := &m.Fields[i]
			t.Run(string(m.Name)+"/"+f.Name, func(t *testing.T) {
				if m.Field(f.Name) != f {
					t.Fatal("the table has the key twice")
				}
				without, problems := decodeSample(t, m, f, nil)
				if hasUnknown(problems) {
					t.Fatalf("without the key: %v", problems)
				}
				with, problems := decodeSample(t, m, f, sampleOf(t, f.Type))
				if len(problems) > 0 {
					t.Fatalf("with the key: %v", problems)
				}
				if f.Type.Kind == BoolType && reflect.DeepEqual(with, without) { // true is the default
					with, _ = decodeSample(t, m, f, &Node{Kind: Bool, Raw: "false"})
				}
				// Param sets are not part of the model: they are checked, and the loader merges
				// them.
				_, wrong := decodeSample(t, m, f, &Node{Kind: Null})
				if reflect.DeepEqual(with, without) && len(wrong) == 0 {
					t.Error("the model is the same with and without the key, and it may be empty")
				}
				if _, problems = decodeSample(t, m, &Field{Name: f.Name + "x"}, node("x")); !hasUnknown(problems) {
					t.Errorf("%sx is not refused as a key that is unknown: %v", f.Name, problems)
				}
			})
		}
	}
}

// TestEveryKeyIsDescribed checks that each key of a param is printed if it is written.
func TestEveryKeyIsDescribed(t *testing.T) {
	m := MappingOf(ParamMap)
	for i := range m.Fields {
		f := &m.Fields[i]
		file, problems := decodeSample(t, m, f, sampleOf(t, f.Type))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		p := file.Actions["a:b"].Params[0]
		found := false
		for _, k := range p.Written() {
			found = found || k.Name == f.Name && !isEmpty(k.Value)
		}
		if !found {
			t.Errorf("%s is written, but %v does not have it", f.Name, p.Written())
		}
	}
}

// TestTypesOfParams checks that each key for some types is rejected for all others.
func TestTypesOfParams(t *testing.T) {
	m := MappingOf(ParamMap)
	for i := range m.Fields {
		f := &m.Fields[i]
		for _, typ := range ParamTypes() {
			file, problems := decodeSample(t, m, f, sampleOf(t, f.Type))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			p := file.Actions["a:b"].Params[0]
			if p.Type = typ; typ == TypeEnum && p.Values == nil {
				p.Values = []any{"a"}
			}
			var found diag.List
			p.check(&found)
			fits := f.Types == nil
			for _, other := range f.Types {
				fits = fits || other == typ
			}
			if refused := strings.Contains(found.Error(), " may not have `"+f.Name+"`"); refused == fits {
				t.Errorf("%s of a param of type %s: %v, want it refused: %v", f.Name, typ, found, !fits)
			}
		}
	}
}

func hasUnknown(problems diag.List) bool {
	for _, e := range problems {
		if strings.HasPrefix(e.Msg, "unknown key ") {
			return true
		}
	}
	return false
}

// decodeSample decodes a file with a map m that has its required keys and the key f with the given
// value. If value is nil, the map lacks f.
func decodeSample(t *testing.T, m *Mapping, f *Field, value *Node) (*File, diag.List) {
	t.Helper()
	var keys []any
	for i := range m.Fields {
		if other := &m.Fields[i]; other.Name != f.Name && (other.Required || other.Name == f.Needs) {
			keys = append(keys, other.Name, sampleOf(t, other.Type))
		}
	}
	if value != nil {
		keys = append(keys, f.Name, value)
	}
	n := mapNode(keys...)
	steps := func(step *Node) *Node {
		return mapNode("actions", mapNode("a:b", mapNode("steps", listNode(step))))
	}
	params := func(param *Node) *Node {
		return mapNode("actions", mapNode("a:b", mapNode("params", mapNode("p", param))))
	}
	var root *Node
	switch m.Name {
	case FileMap:
		root = n
	case EnvMap:
		root = mapNode("env", listNode(n))
	case CompatMap:
		root = mapNode("compatibility", n)
	case OverrideMap:
		root = mapNode("compatibility", mapNode("version_overrides", mapNode("3.x", n)))
	case VariantMap:
		root = mapNode("compatibility", mapNode("version_overrides", mapNode("3.x", mapNode("actions", mapNode("a:b", n)))))
	case AliasMap:
		root = mapNode("selectors", mapNode("a", n))
	case ActionMap:
		root = mapNode("actions", mapNode("a:b", n))
	case ParamMap:
		root = params(n)
	case ItemMap:
		root = params(mapNode("type", node("array"), "items", n))
	case StepMap:
		if f.Name != KeyAction && n.Get(KeyAction) == nil {
			n.Keys = append(n.Keys, Key{Name: KeyAction, Value: node("click")})
		}
		root = steps(n)
	case RetryMap:
		root = steps(mapNode("action", node("click"), "retry", n))
	case CaseMap:
		root = steps(mapNode("action", node("choose"), "cases", listNode(n)))
	case CheckMap:
		if f.Type.Kind != WaitType && f.Name != KeyCondition {
			n.Keys = append(n.Keys, Key{Name: "text", Value: node("Saved")})
		}
		root = mapNode("actions", mapNode("a:b", mapNode("verify", listNode(n))))
	default:
		t.Fatalf("where does a map of kind %s stand? Say so here", m.Name)
	}
	if root.Get(KeyNamespace) == nil && f.Name != KeyNamespace {
		root.Keys = append(root.Keys, Key{Name: KeyNamespace, Value: node("x")})
	}
	file, problems := Decode(root, Source{}, func(string) (string, bool) { return "", false })
	file.Root = nil // the tree always contains the key
	for _, a := range file.Actions {
		a.Parts = nil
	}
	return file, problems
}

// sampleOf returns a value of the type that a missing key would not result in.
func sampleOf(t *testing.T, typ Type) *Node {
	t.Helper()
	switch typ.Kind {
	case TextType:
		return node([...]string{"text", "name", "c:d", "c:d", "name", "NAME", "1.2.3"}[typ.Form])
	case SelectorType, WaitType, ScalarType, AnyType, ConditionType, StepNameType:
		return node("text")
	case BoolType:
		return &Node{Kind: Bool, Bool: true, Raw: "true"}
	case WholeType, DurationType, NumberType:
		return &Node{Kind: Int, Int: int64(typ.Least) + 2, Raw: "2"}
	case EnumType:
		return node(typ.Values[0])
	case ListType:
		return listNode(sampleOf(t, typ.Of[0]))
	case NamedType:
		name := map[Form]string{AnyForm: "3.x", NameForm: "name", ActionForm: "c:d"}[typ.Form]
		return mapNode(name, sampleOf(t, typ.Of[0]))
	case ObjectType:
		return mapNode("name", node("text"))
	case EitherType:
		return sampleOf(t, typ.Of[0])
	case ParamsType, UsedType:
		return mapNode("name", mapNode("type", node("string")))
	case KeysType:
		switch m := MappingOf(typ.Map); {
		case m.Short != nil:
			return sampleOf(t, *m.Short)
		case m.Name == StepMap:
			return mapNode("action", node("click"))
		case m.Name == CheckMap:
			return mapNode("text", node("Saved"))
		default:
			var keys []any
			for i := range m.Fields {
				if m.Fields[i].Required || m.Fields[i].Name == "type" {
					keys = append(keys, m.Fields[i].Name, sampleOf(t, m.Fields[i].Type))
				}
			}
			if keys == nil {
				keys = append(keys, m.Fields[0].Name, sampleOf(t, m.Fields[0].Type))
			}
			return mapNode(keys...)
		}
	}
	t.Fatalf("no sample of the type %+v", typ)
	return nil
}

func node(s string) *Node { return &Node{Kind: String, Str: s, Raw: s} }

func listNode(items ...*Node) *Node { return &Node{Kind: List, Items: items} }

// mapNode returns a map of alternating names and nodes.
func mapNode(keys ...any) *Node {
	n := &Node{Kind: Map}
	for i := 0; i < len(keys); i += 2 {
		n.Keys = append(n.Keys, Key{Name: keys[i].(string), Value: keys[i+1].(*Node)})
	}
	return n
}
