package engine

import "testing"

// The engine is created once, when it is first called.
func TestBoot(t *testing.T) {
	source := altered(t, "const make = (function (boot) {", "const make = (function (boot) { globalThis.times = (globalThis.times ?? 0) + 1;")
	p := open(t, `<h1>Plain</h1>`)
	p.engineEval("delete globalThis.__action")
	p.engineEval(source)
	p.engineEval(source) // does nothing, because the engine exists
	if got := p.engineEval("__action.document === document && globalThis.times"); got != nil {
		t.Errorf("made %v times before it was called", got)
	}
	for range 2 {
		p.call("info", nil)
	}
	if got := p.engineEval("times"); got != 1.0 {
		t.Errorf("made %v times, want once", got)
	}
}
