package executor_test

import (
	"context"
	"strings"
	"testing"

	"actionregistry/diag"
	"actionregistry/steps"
)

// A control that does not hold any more what the run has set fails the run, and no step by
// hand.
func TestRevertedControl(t *testing.T) {
	b := newBench(t, one(`{"action": "fill", "args": {"selector": "${selectors.ok}", "value": "new"}}`))
	b.page.present["css:#ok"] = "old"
	b.page.reverted = []steps.Reverted{{Desc: "<input#ok>", Set: "new", Holds: "old"}}
	res := b.run("t:a:b", nil)
	if res.Error == nil || res.Error.Code != diag.VerifyFailed || res.Error.Details["reason"] != "reverted" || res.Error.Details["holds"] != "old" {
		t.Errorf("got %+v, want VERIFY_FAILED with reverted", res.Error)
	}
	b.page.reverted = []steps.Reverted{{Desc: "<input#ok>", Secret: true}}
	if res := b.run("t:a:b", nil); res.Error == nil || strings.Contains(res.Error.Msg, `""`) || res.Error.Details["holds"] != nil {
		t.Errorf("got %+v, want VERIFY_FAILED without values", res.Error)
	}
	if res := b.Hand(context.Background(), b.page, "fill", map[string]any{"selector": "css:#ok", "value": "new"}, b.o); res.Error != nil {
		t.Errorf("by hand: %v", res.Error)
	}
}
