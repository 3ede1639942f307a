package browser

import (
	"sync/atomic"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/startup"
)

// How a script is interpreted depends on its text only: the browser is queried once, even if the
// values of its args change.
func TestEvalIsCompiledOnce(t *testing.T) {
	var asked atomic.Int32
	ctx, b, _ := fresh(t, startup.Options{Trace: func(method string) {
		if method == (proto.RuntimeCompileScript{}).ProtoReq() {
			asked.Add(1)
		}
	}}, openers)
	p := b.Active()
	for n := range 3 {
		if got, err := p.Eval(ctx, "n + 1", map[string]any{"n": n}); err != nil || got != float64(n+1) {
			t.Fatalf("got %v, %v, want %d", got, err, n+1)
		}
	}
	first := asked.Load()
	if first == 0 || first > 4 {
		t.Errorf("the browser was asked %d times, want one look at both readings", first)
	}
	if _, err := p.Eval(ctx, "n + 1", map[string]any{"n": 1, "m": 2}); err != nil {
		t.Fatal(err)
	}
	if got := asked.Load(); got != 2*first {
		t.Errorf("with other args the browser was asked %d times, want %d", got, 2*first)
	}
	for range 2 {
		if _, err := p.Eval(ctx, "no such thing", nil); err == nil {
			t.Error("a script that does not parse ran")
		}
	}
}
