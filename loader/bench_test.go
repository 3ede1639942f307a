package loader

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/version"
)

// manyFiles returns n files of ten actions each, about 6.5 KB per file.
func manyFiles(n int) []string {
	var out []string
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "namespace: ns%d\nversion: 1.0.0\ndescription: Namespace %d\nselectors:\n  modal: role:dialog\n  ok: {primary: \"role:button[name='OK']\", fallback: [\"css:.ok\"]}\nactions:\n", i, i)
		for j := range 10 {
			fmt.Fprintf(&b, `  dialog:open-%d:
    description: Open the dialog number %d by its trigger
    since: 1.0.0
    params:
      trigger: {type: string, required: true, description: Text of the button}
      trigger_by: {type: enum, values: [text, testid], default: text}
    steps:
      - action: click
        args: {selector: "text:${params.trigger}"}
        when: ${params.trigger_by} == 'text'
      - action: wait
        args:
          selector: "${selectors.modal}"
          state: visible
        timeout: 5s
        retry: 2
      - action: get
        args: {selector: "${selectors.modal}", what: text}
        output: modal
    verify:
      - {condition: "${steps.modal.text} != ''", message: The dialog is empty}
    returns: {text: "${steps.modal.text}"}
`, j, j)
		}
		out = append(out, fmt.Sprintf("f%03d.yaml", i), b.String())
	}
	return out
}

func BenchmarkLoad1000(b *testing.B) {
	files := manyFiles(100)
	src := source(spec.Global, files...)
	size := 0
	for i := 1; i < len(files); i += 2 {
		size += len(files[i])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		set, err := Load(context.Background(), Options{Sources: []Source{src}})
		if err != nil || len(set.Problems) > 0 || len(set.Files) < 100 {
			b.Fatalf("%v %v", err, set.Problems)
		}
	}
}

// BenchmarkMerge merges 1,000 actions, every second of which a higher source changes. It does not
// measure reading.
func BenchmarkMerge(b *testing.B) {
	l := &load{text: make(map[string][]byte)}
	if err := l.open(context.Background(), source(spec.Global, manyFiles(100)...)); err != nil {
		b.Fatal(err)
	}
	var changes []string
	for i := range 100 {
		text := fmt.Sprintf("namespace: ns%d\nselectors: {ok: \"css:.mine\"}\nactions:\n", i)
		for j := 0; j < 10; j += 2 {
			text += fmt.Sprintf("  dialog:open-%d: {params: {trigger_by: {default: testid}}}\n", j)
		}
		changes = append(changes, fmt.Sprintf("c%03d.yaml", i), text)
	}
	if err := l.open(context.Background(), source(spec.Project, changes...)); err != nil {
		b.Fatal(err)
	}
	l.order()
	if err := l.read(context.Background(), l.files); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		l.problems = nil
		if set := l.merge(); len(set.Problems) > 0 {
			b.Fatal(set.Problems)
		}
	}
}

// TestSameResult checks that neither the order in which files are listed nor the order in which
// they are read changes anything.
func TestSameResult(t *testing.T) {
	files := manyFiles(12)
	files = append(files,
		"x1.yaml", "namespace: x\nversion: 1.0.0\nextends: [y, ns1]\nenv: [A]\nselectors: {a: css:1}\n",
		"x2.yaml", "namespace: x\nversion: 1.0.1\nextends: [z, ns2]\nenv: [B]\nselectors: {a: css:2, b: css:2}\n",
		"y.yaml", "namespace: y\nversion: 1.0.0\nextends: [z]\n",
		"z.yaml", "namespace: z\nversion: 1.0.0\nextends: [y]\n",
		"bad.yaml", "namespace: [")
	higher := []string{"p1.yaml", "namespace: ns3\nactions:\n  dialog:open-1: {steps: [{action: back}]}\n", "p2.yaml", "namespace: ns4\nselectors: {ok: css:x}\n"}
	load := func(seed uint64) *Set {
		// A listing in another order, as a file system may return it.
		m := source(spec.Global, files...).(memory)
		r := rand.New(rand.NewPCG(seed, 0))
		var sources []Source
		if sources = []Source{shuffled{m, r}, source(spec.Project, higher...)}; seed%2 == 1 {
			sources[0], sources[1] = sources[1], sources[0]
		}
		return mustLoad(t, sources...)
	}
	// Patterns contain functions of the version library, so their text is compared.
	compare := []cmp.Option{
		cmp.Exporter(func(reflect.Type) bool { return true }),
		cmp.Comparer(func(a, b *version.Pattern) bool { return a.String() == b.String() }),
	}
	want := load(0)
	if len(want.Problems) != 4 {
		t.Fatalf("problems = %v, want 4", want.Problems)
	}
	for seed := uint64(1); seed < 6; seed++ {
		if diff := cmp.Diff(want, load(seed), compare...); diff != "" {
			t.Fatalf("seed %d gives another result: %s", seed, diff[:min(len(diff), 3000)])
		}
	}
}

// shuffled lists a source's files in a random order.
type shuffled struct {
	memory
	r *rand.Rand
}

func (s shuffled) Open() (*Tree, error) {
	t, err := s.memory.Open()
	if err != nil {
		return nil, err
	}
	for name := range s.files {
		t.Files = append(t.Files, name)
	}
	s.r.Shuffle(len(t.Files), func(i, j int) { t.Files[i], t.Files[j] = t.Files[j], t.Files[i] })
	return t, nil
}
