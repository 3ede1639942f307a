package main

import (
	"context"
	"errors"
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
	binary, err := buildLimit(t.Context(), "..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	limit, err := newLimit(c, limitName, c.do, binary, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer limit.stop()
	checked, err := newLimit(c, checkedLimitName, c.doChecked, binary, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer checked.stop()
	for _, lane := range []Lane{c, checkedChromium{c}, limit, checked} {
		for _, n := range flowSizes {
			ops := flowOps(pages.base+"/form", n)
			r, err := lane.Flow(t.Context(), ops)
			if err != nil || !strings.Contains(r.Text, flowText(ops)) {
				t.Fatalf("%s, flow of %d: got %q, %v, want %q", lane.Name(), n, r.Text, err, flowText(ops))
			}
		}
		if _, err := lane.Do(t.Context(), Args{"snapshot", "-i"}); !errors.Is(err, errNotThere) {
			t.Errorf("%s, a snapshot: got %v, want that there is none", lane.Name(), err)
		}
	}
}
