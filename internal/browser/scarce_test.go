package browser

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A browser that may open too few files is not started: it would show no page and give no reason.
func TestFewFiles(t *testing.T) {
	t.Parallel()
	for limit, starts := range map[int]bool{64: false, 100: false, 128: true} {
		child := exec.Command("/bin/sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0" -test.run='^$'`, limit), os.Args[0]) // it starts the shared browser
		out, err := child.CombinedOutput()
		says := strings.Contains(string(out), "cannot open more files: a browser needs")
		if (err == nil) != starts || says == starts {
			t.Errorf("%d files: %v, %s", limit, err, out)
		}
	}
}
