package main

import (
	"context"
	"strings"
	"testing"
)

func TestChromiumAlone(t *testing.T) {
	shell := firstOnPath("chrome-headless-shell", "chromium-headless-shell", "headless_shell")
	if shell == "" {
		t.Fatal("found no headless shell")
	}
	pages, err := servePages()
	if err != nil {
		t.Fatal(err)
	}
	defer pages.close()
	c, err := startChromium(context.Background(), shell, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.stop(); err != nil {
			t.Error(err)
		}
	}()
	for _, n := range flowSizes {
		ops := flowOps(pages.base+"/form", n)
		r, err := c.Flow(t.Context(), ops)
		if err != nil || !strings.Contains(r.Text, flowText(ops)) {
			t.Fatalf("flow of %d: got %q, %v, want %q", n, r.Text, err, flowText(ops))
		}
	}
}
