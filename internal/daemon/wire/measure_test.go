package wire_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// heavyLines returns lines of almost maximum length, which would need many times that much memory
// when decoded.
func heavyLines() map[string]string {
	var names strings.Builder
	for i := range 600_000 {
		fmt.Fprintf(&names, `,"%x":1`, i)
	}
	return map[string]string{
		"names of the request": `{"id":7,"type":"status"` + names.String() + `}`,
		"names of a param":     `{"type":"action.run","action":"x","params":{"a":1` + names.String() + `},"id":7}`,
		"empty objects":        `{"id":7,"type":"action.run","action":"x","params":{"a":[{}` + strings.Repeat(",{}", 2_000_000) + `]}}`,
		"numbers":              `{"id":7,"type":"action.run","action":"x","params":{"id":8,"a":[0` + strings.Repeat(",0", 3_000_000) + `]}}`,
		"levels":               `{"id":7,"type":"action.run","action":"x","params":{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
	}
}

// TestHeavyLinesAreNotDecoded checks that lines beyond a limit are rejected before memory is
// allocated for them, and that the error still has the id.
func TestHeavyLinesAreNotDecoded(t *testing.T) {
	for name, text := range heavyLines() {
		t.Run(name, func(t *testing.T) {
			line := []byte(text)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			req, err := wire.Parse(line)
			runtime.ReadMemStats(&after)
			if err == nil || string(req.ID) != "7" {
				t.Errorf("id %s, error %v", req.ID, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 512<<10 {
				t.Errorf("refusing %d bytes took %d bytes of memory", len(line), took)
			}
		})
	}
}

// TestIDOfHeavyLines checks that a rejected line has its id only if the id is valid and unique.
func TestIDOfHeavyLines(t *testing.T) {
	deep := `"params":{"id":9,"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`
	for head, want := range map[string]string{
		`{"id":"a\"b",` + deep + `}`:                              `"a\"b"`,
		`{ "id" : -1.5e3 ,` + deep + `}`:                          `-1.5e3`,
		`{"type":"id",` + deep + ` , "id":1}`:                     `1`,
		`{"x":["id",1],` + deep + `}`:                             `null`,
		`{"id":1,"id":2,` + deep + `}`:                            `null`,
		`{"id":{"id":1},` + deep + `}`:                            `null`,
		`{"id":true,` + deep + `}`:                                `null`,
		`["id",1,{"id":1,` + deep + `}]`:                          `null`,
		`{"id":"` + strings.Repeat("x", 2000) + `",` + deep + `}`: `null`,
	} {
		req, err := wire.Parse([]byte(head))
		if err == nil || string(req.ID) != want {
			t.Errorf("%.40s: id %s, error %v, want %s", head, req.ID, err, want)
		}
	}
}
