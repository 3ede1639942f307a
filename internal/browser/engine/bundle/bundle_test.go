package bundle

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the script")

const script = "../engine.js"

func TestScriptIsCurrent(t *testing.T) {
	got, err := Build("../page")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(script, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, kept) {
		t.Error("engine.js is not what the modules in page make: run make engine")
	}
	if i := bytes.IndexFunc(kept, func(r rune) bool { return r >= 0x80 }); i >= 0 {
		t.Errorf("engine.js has a letter beyond ASCII at byte %d", i)
	}
}

// An error in a module is reported with its position.
func TestBuildReports(t *testing.T) {
	for name, main := range map[string]string{
		"no such module": "import { a } from './none.js'; export { a };",
		"no such export": "import { a } from './boot.js'; export { a };",
		"a syntax error": "export const = 1;",
		"written to":     "import * as boot from './boot.js'; export const f = () => { boot.b = 1; };",
		"declared twice": "export const a = 1; export const a = 2;",
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"main.js": main, "boot.js": "export const b = 1;"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Build(dir); err == nil || !strings.Contains(err.Error(), "main.js:1:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Letters beyond the first 65,536 are two units in JavaScript.
func TestInASCII(t *testing.T) {
	for line, want := range map[string]string{
		"const a = 'b';": "const a = 'b';",
		"/[é文🚫]/u":       `/[\u00e9\u6587\ud83d\udeab]/u`,
	} {
		if got := inASCII(line); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}
