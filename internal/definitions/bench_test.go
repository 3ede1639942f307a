package definitions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkLoadAndCheck1000 reads and checks 1,000 actions from 100 files, the
// first time, as a command does.
func BenchmarkLoadAndCheck1000(b *testing.B) {
	_, o := benchFiles(b)
	for b.Loop() {
		d, err := Load(context.Background(), o)
		checkThousand(b, d, err)
	}
}

// BenchmarkLoadAndCheck1000Again measures a repeated load, as in a daemon: with nothing changed,
// and with one file changed.
func BenchmarkLoadAndCheck1000Again(b *testing.B) {
	dir, o := benchFiles(b)
	s := NewStore()
	d, err := s.Get(context.Background(), o, Request{Definitions: true})
	checkThousand(b, d, err)
	for name, change := range map[string]bool{"unchanged": false, "one file changed": true} {
		b.Run(name, func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				if change {
					text := strings.Replace(benchFile(0), "Benchmark 0", fmt.Sprint("Changed ", n), 1)
					if err := os.WriteFile(filepath.Join(dir, "ns0.yaml"), []byte(text), 0o600); err != nil {
						b.Fatal(err)
					}
				}
				d, err := s.Get(context.Background(), o, Request{Definitions: true})
				checkThousand(b, d, err)
			}
		})
	}
}

// benchFiles writes 100 files with ten actions each.
func benchFiles(b *testing.B) (dir string, o Options) {
	dir = b.TempDir()
	size := 0
	for f := range 100 {
		text := benchFile(f)
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("ns%d.yaml", f)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	return dir, Options{Cwd: b.TempDir(), Environ: []string{"ACTION_PATH=" + dir}}
}

func checkThousand(b *testing.B, d *Set, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	if errs := append(d.Problems, d.Errors()...); len(errs) > 0 {
		b.Fatal(errs)
	}
	if n := d.Registry.Len(); n < 1000 {
		b.Fatalf("loaded %d actions, expected at least 1000", n)
	}
}

// benchFile is a namespace of ten actions, about 6.5 KB, with every kind of
// expression that real definitions hold.
func benchFile(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "namespace: ns%d\nversion: 1.0.0\ndescription: Benchmark %d\nselectors:\n  dialog: role:dialog\n  ok: {primary: \"role:button[name='OK']\", fallback: [\"css:.ok\"]}\nactions:\n", n, n)
	for a := range 10 {
		fmt.Fprintf(&s, `  form%d:submit:
    description: Fill the form, number %d
    params:
      customer: {type: string, required: true}
      method: {type: enum, values: [text, testid], default: text}
      quantity: {type: integer, default: 1, min: 1, max: 99}
    steps:
      - action: click
        args: {selector: "role:button[name='${customer}']"}
        when: ${method} == 'text' && ${quantity} > 0
      - action: fill
        args: {selector: "css:form[data-name='${customer}'] input", value: "${quantity}"}
      - action: get
        args: {selector: "${selectors.dialog}", what: text}
        output: row
    verify:
      - {condition: "${steps.row.text} contains ${params.customer}", message: Another customer}
    returns: {text: "${steps.row.text}"}
`, a, a)
	}
	return s.String()
}
