package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestMaskingEnds checks that masking that would take minutes stops soon after the run has ended.
// Unfinished texts are replaced; short texts are still masked.
func TestMaskingEnds(t *testing.T) {
	var m Masker
	for i := range 1000 {
		m.Add(fmt.Sprintf("aaaaaaaaaaaaaaaaaaaa%d", i))
	}
	done := make(chan struct{})
	close(done)
	p := m.Until(done)
	e := p.Error(diag.New(diag.Timeout, "the time of aaaaaaaaaaaaaaaaaaaa7 was up"))
	if want := "the time of *** was up"; e.Msg != want || p.Stopped() {
		t.Errorf("after the end: %q, stopped %v, want %q", e.Msg, p.Stopped(), want)
	}
	for name, text := range map[string]string{
		"plain": strings.Repeat("a", 8<<20), "escapes": strings.Repeat(`\%&`, 8<<20/3), "nothing": strings.Repeat("x", 8<<20),
	} {
		p := m.Until(done)
		got, _ := p.Value(map[string]any{"v": text}).(map[string]any)
		if !p.Stopped() || got["v"] != Mask {
			t.Errorf("%s: stopped %v, want true and %q", name, p.Stopped(), Mask)
		}
	}
	open := m.Until(make(chan struct{}))
	if got := open.String("x aaaaaaaaaaaaaaaaaaaa12 y"); got != "x *** y" || open.Stopped() {
		t.Errorf("String = %q, stopped %v", got, open.Stopped())
	}
}
