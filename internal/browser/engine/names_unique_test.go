package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The parts of the engine share one scope, in which a function may be declared twice: the
// last one counts, for all of them.
func TestNamesAreDeclaredOnce(t *testing.T) {
	parts, err := filepath.Glob("*.js")
	if err != nil || len(parts) < 20 {
		t.Fatal(parts, err)
	}
	declared := regexp.MustCompile(`(?m)^(?:async )?(?:function\*?|const|let|var|class) (\w+)`)
	where := make(map[string]string)
	for _, part := range parts {
		text, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			if first, ok := where[m[1]]; ok {
				t.Errorf("%s is declared in %s and in %s", m[1], first, part)
			}
			where[m[1]] = part
		}
	}
}
