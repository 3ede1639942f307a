package spec

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/definitions.md")

const definitionsPage = "../docs/definitions.md"

// keyTable matches a generated table of the page, with the mark that names its kind of map.
var keyTable = regexp.MustCompile(`(?m)^<!-- keys: (\w+) -->\n\n(?:(?:\|.*\n)+\n)?`)

// TestKeyTables compares the tables of docs/definitions.md with those of the keys. -update rewrites
// them.
func TestKeyTables(t *testing.T) {
	page, err := os.ReadFile(definitionsPage)
	if err != nil {
		t.Fatal(err)
	}
	var found []MappingName
	want := keyTable.ReplaceAllStringFunc(string(page), func(old string) string {
		name := MappingName(keyTable.FindStringSubmatch(old)[1])
		m := MappingOf(name)
		if m == nil {
			t.Errorf("the page marks a table of %s, which is no kind of map", name)
			return old
		}
		found = append(found, name)
		return "<!-- keys: " + string(name) + " -->\n\n" + tableOf(m) + "\n"
	})
	for _, m := range Mappings() {
		// The page describes the keys of an item in the table of a param.
		if n := count(found, m.Name); m.Name != ItemMap && n != 1 {
			t.Errorf("docs/definitions.md has %d tables of %s, expected one: <!-- keys: %s -->", n, m.Name, m.Name)
		}
	}
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatal("the tables of keys in docs/definitions.md differ from package spec; run `make docs`")
	}
	if err := os.WriteFile(definitionsPage, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func count(list []MappingName, name MappingName) int {
	return len(list) - len(slices.DeleteFunc(slices.Clone(list), func(other MappingName) bool { return other == name }))
}

func tableOf(m *Mapping) string {
	var b strings.Builder
	b.WriteString("| key | value | |\n| --- | --- | --- |\n")
	for i := range m.Fields {
		f := &m.Fields[i]
		b.WriteString("| `" + f.Name + "` | " + cell(words(f.Type)) + " | " + cell(note(m, f)) + " |\n")
	}
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// note returns the third column of a key.
func note(m *Mapping, f *Field) string {
	var parts []string
	if f.Required {
		parts = append(parts, "Required.")
	}
	if f.Doc != "" {
		parts = append(parts, f.Doc)
	}
	if f.Types != nil {
		types := make([]string, len(f.Types))
		for i, t := range f.Types {
			types[i] = "`" + string(t) + "`"
		}
		parts = append(parts, "For type "+strings.Join(types, " or ")+".")
	}
	if f.OfName {
		parts = append(parts, "Not for items.")
	}
	if f.Needs != "" {
		parts = append(parts, "Only with `"+f.Needs+"`.")
	}
	if f.Exclusive {
		others := m.Names(func(o *Field) bool { return o.Exclusive && o != f })
		parts = append(parts, "Not beside `"+strings.Join(others, "` or `")+"`.")
	}
	if f.Note != "" {
		parts = append(parts, f.Note)
	}
	return strings.Join(parts, " ")
}

// words returns the second column of a key, which describes its value.
func words(t Type) string {
	switch t.Kind {
	case TextType:
		return [...]string{"text", "name", "name", "name of an action", "name", "name", "version"}[t.Form]
	case BoolType:
		return "boolean"
	case WholeType:
		if t.Most > 0 {
			return "integer up to " + strconv.Itoa(t.Most)
		}
		return "integer"
	case NumberType:
		return "number"
	case ScalarType:
		return "text, number or boolean"
	case DurationType:
		return "duration"
	case ConditionType:
		return "condition"
	case SelectorType:
		return "selector"
	case EnumType:
		if slices.Equal(t.Values, errorCodes()) {
			return "[error code](errors.md)"
		}
		return "`" + strings.Join(t.Values, "`, `") + "`"
	case ListType:
		return "list: " + words(t.Of[0])
	case NamedType:
		return "map: " + words(t.Of[0])
	case ObjectType:
		return "map"
	case EitherType:
		var options []string
		for _, option := range t.Of {
			options = append(options, words(option))
		}
		return strings.Join(options, " or ")
	case KeysType:
		m := MappingOf(t.Map)
		if m.Short != nil && words(*m.Short) != pageName[t.Map] {
			return words(*m.Short) + ", or [map](#" + anchor[t.Map] + ")"
		}
		return "[" + pageName[t.Map] + "](#" + anchor[t.Map] + ")"
	case ParamsType, UsedType:
		return "map: [param](#params)"
	case StepNameType:
		return "[step](steps.md)"
	case WaitType:
		return "text"
	}
	return "any"
}

// pageName returns the page's name for a kind of map, and anchor the section with its table.
var (
	pageName = map[MappingName]string{
		CompatMap: "map", OverrideMap: "override", VariantMap: "map", AliasMap: "selector", ActionMap: "action",
		ParamMap: "param", ItemMap: "param", StepMap: "step", CaseMap: "case", CheckMap: "check",
	}
	anchor = map[MappingName]string{
		EnvMap: "env", CompatMap: "compatibility", OverrideMap: "overrides", VariantMap: "overrides", AliasMap: "selectors", ActionMap: "actions",
		ParamMap: "params", ItemMap: "params", StepMap: "steps", RetryMap: "retries", CaseMap: "choices-and-loops", CheckMap: "verify",
	}
)

// TestKeysAreDocumented checks that each key has a description and a row on the page.
func TestKeysAreDocumented(t *testing.T) {
	page, err := os.ReadFile(definitionsPage)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Mappings() {
		for i := range m.Fields {
			f := &m.Fields[i]
			if f.Type.Kind != WaitType && !strings.HasSuffix(f.Doc, ".") {
				t.Errorf("%s of %s: the doc is %q, expected a sentence", f.Name, m.Name, f.Doc)
			}
			if strings.Count(f.Doc, "`")%2 != 0 {
				t.Errorf("%s of %s: a mark of code is open in %q", f.Name, m.Name, f.Doc)
			}
			if !strings.Contains(string(page), "\n| `"+f.Name+"` | ") {
				t.Errorf("docs/definitions.md has no row for %s of %s", f.Name, m.Name)
			}
		}
	}
	for _, name := range anchor {
		heading := regexp.MustCompile(`(?mi)^#+ ` + strings.ReplaceAll(name, "-", " ") + `$`)
		if !heading.Match(page) {
			t.Errorf("docs/definitions.md has no section #%s", name)
		}
	}
}
