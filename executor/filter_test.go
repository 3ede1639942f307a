package executor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"

	"github.com/google/go-cmp/cmp"
)

const filterDef = `{"namespace": "t", "actions": {"a:b": {
	"params": {"name": {"type": "string"}, "day": {"type": "string"}},
	"steps": [
		{"action": "set", "args": {"values": {"day": "${day | default '2024-05-31' | date 'DD/MM/YYYY'}"}}},
		{"action": "set", "args": {"values": {"greeting": "hi"}}, "when": "${name | lower} == 'ann'"}],
	"returns": {"day": "${steps.day}", "greeting": "${steps.greeting | default 'none' | upper}", "name": "${name | default 'nobody'}"}}}}`

func TestFilters(t *testing.T) {
	for _, c := range []struct {
		name         string
		params, want map[string]any
	}{
		{"given", map[string]any{"name": "ANN", "day": "2024-01-02"}, map[string]any{"day": "02/01/2024", "greeting": "HI", "name": "ANN"}},
		{"missing", nil, map[string]any{"day": "31/05/2024", "greeting": "NONE", "name": "nobody"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := newBench(t, filterDef).run("t:a:b", c.params)
			if !res.Success {
				t.Fatal(res.Error)
			}
			if diff := cmp.Diff(any(c.want), any(res.Data)); diff != "" {
				t.Errorf("data (-want +got):\n%s", diff)
			}
		})
	}
	b := newBench(t, filterDef)
	wrong := map[string]any{"day": "31.05.2024"}
	if res := b.run("t:a:b", wrong); diag.CodeOf(errOf(res)) != diag.ParamInvalid || !strings.Contains(res.Error.Msg, "99.99.9999") {
		t.Errorf("a day in another form: got %v, want PARAM_INVALID with its form", res.Error)
	}
	if plan := b.DryRun(context.Background(), "t:a:b", wrong, b.o); plan.Error == nil || plan.Error.Code != diag.ParamInvalid {
		t.Errorf("plan of a day in another form: got %v, want PARAM_INVALID", plan.Error)
	}
}
