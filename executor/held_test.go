package executor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/driver"
)

// If a control no longer has the value that a run has set, the run fails. A manual step does not.
func TestRevertedControl(t *testing.T) {
	b := newBench(t, one(`{"action": "fill", "args": {"selector": "${selectors.ok}", "value": "new"}}`))
	b.page.present["css:#ok"] = "old"
	b.page.reverted = []driver.Reverted{{Desc: "<input#ok>", Set: "new", Holds: "old"}}
	res := b.run("t:a:b", nil)
	if res.Error == nil || res.Error.Code != diag.VerifyFailed || res.Error.Details["reason"] != "reverted" || res.Error.Details["holds"] != "old" {
		t.Errorf("got %+v, want VERIFY_FAILED with reverted", res.Error)
	}
	b.page.reverted = []driver.Reverted{{Desc: "<input#ok>", Secret: true}}
	if res := b.run("t:a:b", nil); res.Error == nil || strings.Contains(res.Error.Msg, `""`) || res.Error.Details["holds"] != nil {
		t.Errorf("got %+v, want VERIFY_FAILED without values", res.Error)
	}
	if res := b.Hand(context.Background(), b.page, "fill", map[string]any{"selector": "css:#ok", "value": "new"}, b.o); res.Error != nil {
		t.Errorf("manual step: %v", res.Error)
	}
}

// If the controls cannot be checked at the end, the run has a warning and is not verified, but does
// not fail.
func TestNotLookedAt(t *testing.T) {
	b := newBench(t, one(`{"action": "fill", "args": {"selector": "${selectors.ok}", "value": "new"}}`))
	b.page.present["css:#ok"] = "old"
	b.page.unlooked = diag.New(diag.StepFailed, "it has gone")
	res := b.run("t:a:b", nil)
	if res.Verified == nil || *res.Verified || len(res.Unverified) != 1 {
		t.Errorf("the run is verified, although its controls could not be read: %+v", res.Unverified)
	}
	if res.Error != nil || len(res.Warnings) != 1 || res.Warnings[0].Code != executor.WarnNotLooked {
		t.Errorf("got %v and the warnings %+v", res.Error, res.Warnings)
	}
}

// Controls are checked before input that goes to no element. Changes that such input may have
// caused are excused, and so are those of a step whose failure is tolerated.
func TestLooksAtControls(t *testing.T) {
	const fill = `{"action": "fill", "args": {"selector": "${selectors.ok}", "value": "new"}`
	tests := []struct {
		name, steps    string
		looks, excused int
	}{
		{"set", fill + `}`, 0, 0},
		{"read", `{"action": "get", "args": {"what": "title"}}`, 0, 0},
		{"click", click + `}`, 0, 1},
		{"bare key", `{"action": "press", "args": {"key": "Enter"}}`, 1, 1},
		{"key in a control", `{"action": "press", "args": {"selector": "css:#ok", "key": "Enter"}}`, 0, 1},
		{"script", `{"action": "eval", "args": {"script": "1"}}`, 1, 1},
		{"open", `{"action": "open", "args": {"url": "https://shop.test/"}}`, 1, 1},
		{"scroll", `{"action": "scroll", "args": {"direction": "down"}}`, 1, 1},
		{"requests", `{"action": "requests"}`, 0, 0},
		{"tolerated", fill + `, "on_error": "continue"}`, 0, 1},
		{"in a loop", `{"action": "foreach", "args": {"items": [1, 2]}, "steps": [` + fill + `}]}`, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, one(tt.steps))
			b.page.present["css:#ok"], b.page.present["css:#a"] = "OK", "A"
			if res := b.run("t:a:b", nil); res.Error != nil {
				t.Fatal(res.Error)
			}
			if b.page.looks != tt.looks || b.page.excused != tt.excused || b.page.keeps {
				t.Errorf("%d looks, %d excuses, kept on: %v; want %d, %d", b.page.looks, b.page.excused, b.page.keeps, tt.looks, tt.excused)
			}
		})
	}
	b := newBench(t, one(fill+`}`))
	b.Hand(context.Background(), b.page, "press", map[string]any{"key": "Enter"}, b.o)
	if b.page.looks+b.page.excused > 0 || b.page.keeps {
		t.Error("a manual step checks the controls")
	}
}

// If a control no longer has the value that an iteration has set, a foreach with keep runs the
// iteration again. If that fails too, the error names the key of the item.
func TestForeachKeeps(t *testing.T) {
	const each = `{"action": "foreach", "args": {"items": {"a": "1", "b": "2"}, "keep": true}, "steps": [
		{"action": "fill", "args": {"selector": "${selectors.ok}", "value": "${item.value}"}}]}`
	second := []driver.Reverted{{Desc: "<input#ok>", Set: "2", Holds: "", Part: 1}}
	for _, tt := range []struct {
		lost  [][]driver.Reverted
		fills int
		fails bool
	}{
		{nil, 2, false},
		{[][]driver.Reverted{second}, 3, false},
		{[][]driver.Reverted{second, second}, 3, true},
	} {
		b := newBench(t, one(each))
		b.page.present["css:#ok"] = "old"
		for _, list := range tt.lost {
			b.page.lost = append(b.page.lost, append([]driver.Reverted(nil), list...))
		}
		res := b.run("t:a:b", nil)
		fills := 0
		for _, name := range b.page.calls {
			if strings.HasPrefix(name, "fill ") {
				fills++
			}
		}
		if fills != tt.fills || (res.Error != nil) != tt.fails {
			t.Errorf("lost %v: %d fills and %v, want %d", tt.lost, fills, res.Error, tt.fills)
		}
		if tt.fails && (res.Error.Code != diag.VerifyFailed || !strings.Contains(res.Error.Msg, "b (<input#ok>)") || res.Error.Details["holds"] != "") {
			t.Errorf("got %v with %v, want VERIFY_FAILED for b", res.Error, res.Error.Details)
		}
	}
}
