package browser

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A value that is too large is refused in the page, which keeps working.
func TestValuesThatAreTooLarge(t *testing.T) {
	testkit.Long(t)
	ctx, p := show(t, `<p id="p">small</p><script>addEventListener('load', () => { p.dataset.x = 'x'.repeat(40 << 20) })</script>`)
	scripts := []string{
		"'x'.repeat(50e6)",
		"Array(100).fill('x'.repeat(1e5))",
		"({a: {b: Array.from({length: 3e6}, (_, i) => i)}})",
		"new Uint8Array(50e6)",
		"const a = ['x'.repeat(1000)]; let v = a; for (let i = 0; i < 40; i++) v = [v, v]; return v",
	}
	for _, script := range scripts {
		_, err := p.Eval(ctx, script, nil)
		wantCode(t, err, diag.LimitExceeded, "too large")
	}
	_, err := p.WaitFunction(ctx, scripts[0], nil)
	wantCode(t, err, diag.LimitExceeded, "too large")
	_, err = p.Read(ctx, css("#p"), driver.ReadOptions{What: "attr", Name: "data-x"})
	wantCode(t, err, diag.LimitExceeded, "too large")
	if got, err := p.Eval(ctx, "'x'.repeat(7e6).length", nil); err != nil || got != 7e6 {
		t.Errorf("afterwards Eval = %v, %v, want 7e6", got, err)
	}
	got, err := p.Eval(ctx, "({get a() { window.calls = (window.calls ?? 0) + 1; return 1 }})", nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := p.Eval(ctx, "window.calls", nil); n != 1.0 {
		t.Errorf("a getter was called %v times for %v, want once", n, got)
	}
}
