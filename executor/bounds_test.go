package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/testkit"
)

// doubling returns n steps. The value of each contains the value of the step before it twice.
func doubling(n int) string {
	steps := []string{`{"action": "set", "args": {"values": {"a": "x"}}, "output": "s0"}`}
	for i := range n {
		steps = append(steps, fmt.Sprintf(`{"action": "set", "args": {"values": {"a": ["${steps.s%d.a}", "${steps.s%d.a}"]}}, "output": "s%d"}`, i, i, i+1))
	}
	return strings.Join(steps, ", ")
}

// mebi declares a param for a text of 1 MiB.
const mebi = `"params": {"mib": {"type": "string"}}`

func TestValuesAreBounded(t *testing.T) {
	mib := map[string]any{"mib": strings.Repeat("x", 1<<20)}
	many := func(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+", ", n), ", ") }
	repeated := func(step string, n int) string {
		return fmt.Sprintf(`{"action": "repeat", "args": {"max": %d, "delay": 0}, "steps": [%s]}`, n, step)
	}
	tests := []struct {
		name string
		def  string
		path string // of the step in the error; "": not compared
		text string
	}{
		{"doubled", one(doubling(40)), "steps[", "at most 8388608 bytes"},
		{"one value named many times", one(`{"action": "set", "args": {"values": {"a": [`+many(`"${mib}"`, 9)+`]}}}`, mebi), "steps[0]", "at most 8388608 bytes"},
		{"texts made in one step", one(`{"action": "set", "args": {"values": {"a": [`+many(`"${mib}"`, 3000)+`]}}}`, mebi), "steps[0]", "too large"},
		{"in returns", one(`{"action": "set", "args": {"values": {"a": 1}}}`, mebi, `"returns": {"a": [`+many(`"${mib}"`, 9)+`]}`), "", "too large"},
		{"a text kept in each round", one(repeated(`{"action": "set", "args": {"values": {"a": "${mib}"}}, "output": "o"}`, 5000), mebi), "steps[0].steps[0]", "at most 67108864 bytes"},
		{"however errors are passed over", one(repeated(`{"action": "set", "args": {"values": {"a": "${mib}"}}, "output": "o", "on_error": "continue",
			"fallback": [{"action": "set", "args": {"values": {"a": "${mib}"}}, "output": "o"}]}`, 5000), mebi), "", "too large in total"},
		{"rounds within rounds", one(`{"action": "set", "args": {"values": {"a": ["${mib}", "${mib}"]}}, "output": "v"}, `+
			repeated(repeated(`{"action": "set", "args": {"values": {"a": "${steps.v.a}"}}, "output": "o"}`, 2), 200), mebi), "", "LIMIT"},
		{"through params", `{"namespace": "t", "actions": {
			"a:b": {"steps": [{"action": "run", "args": {"action": "t:a:c", "params": {"v": ["${mib}", "${mib}", "${mib}"]}}}], ` + mebi + `},
			"a:c": {"params": {"v": {"type": "array"}}, "steps": [{"action": "run", "args": {"action": "t:a:d", "params": {"v": ["${v}", "${v}", "${v}"]}}}]},
			"a:d": {"params": {"v": {"type": "array"}}, "steps": [{"action": "set", "args": {"values": {"a": "${v}"}}}]}}}`, "steps[0]", "too large"},
		{"nested in each round", one(`{"action": "set", "args": {"values": {"v": 1}}}, ` + repeated(`{"action": "set", "args": {"values": {"a": 1}}, "output": "o"}`, 2) +
			`, {"action": "set", "args": {"values": {"v": {"a": "${steps.v}"}}}}`), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.def)
			given := mib
			if !strings.Contains(tt.def, "mib") {
				given = nil
			}
			for _, debug := range []bool{false, true} {
				res := b.Run(context.Background(), b.page, "t:a:b", given, executor.RunOptions{Debug: debug, Steps: true})
				data, err := json.Marshal(res)
				if err != nil || len(data) > 8<<20 {
					t.Errorf("debug %t: the result has %d bytes, %v, want it to fit into a line", debug, len(data), err)
				}
				if tt.text == "" {
					if res.Error != nil {
						t.Errorf("error = %v, want none", res.Error)
					}
					continue
				}
				if res.Error == nil || res.Error.Code != diag.LimitExceeded || res.Error.Hint == "" || !strings.HasPrefix(res.Error.Path, tt.path) {
					t.Fatalf("error = %+v, want LIMIT_EXCEEDED at %s with a hint", res.Error, tt.path)
				}
				if tt.text != "LIMIT" && !strings.Contains(res.Error.Msg, tt.text) {
					t.Errorf("message = %q, want %q in it", res.Error.Msg, tt.text)
				}
			}
		})
	}
}

// The report of a run is bounded too. It keeps the error, and says how many warnings it leaves out.
func TestReportsAreBounded(t *testing.T) {
	rounds := 1000
	if !testkit.Full() {
		rounds = 250 // more than a result lists
		testkit.Leave(t, 750, 1000, "rounds")
	}
	b := newBench(t, one(fmt.Sprintf(`{"action": "repeat", "args": {"max": %d, "delay": 0}, "steps": [`, rounds)+`
		{"action": "fail", "args": {"message": "${index} ${mib}"}, "on_error": "continue"}]},
		{"action": "set", "args": {"values": {"a": "${mib}"}}, "output": "o"},
		{"action": "set", "args": {"values": {"a": "${mib}"}}, "output": "o2"},
		{"action": "set", "args": {"values": {"a": "${mib}"}}, "output": "o3"},
		{"action": "fail", "args": {"message": "at the end", "list": ["${mib}", "${mib}"]}}`, mebi))
	res := b.Run(context.Background(), b.page, "t:a:b", map[string]any{"mib": strings.Repeat("x", 1<<20-10)}, executor.RunOptions{Debug: true})
	if res.Error == nil || res.Error.Code != diag.StepFailed || !strings.HasPrefix(res.Error.Msg, "at the end") {
		t.Fatalf("error = %.200v, want the failure of the last step", res.Error)
	}
	data, err := json.Marshal(res)
	if err != nil || len(data) > 8<<20 {
		t.Errorf("the result has %d bytes, %v, want it to fit into a line", len(data), err)
	}
	if n := len(res.Warnings); n < 100 || n > 201 || res.Warnings[n-1].Code != executor.WarnMore {
		t.Errorf("%d warnings, the last %q, want about 200 and how many more", n, res.Warnings[n-1].Message)
	}
}

func TestDryRunIsBounded(t *testing.T) {
	def := `{"namespace": "t", "actions": {"a:a0": {"steps": [{"action": "set", "args": {"values": {"a": 1}}}]}`
	for i := range 9 {
		call := fmt.Sprintf(`{"action": "run", "args": {"action": "t:a:a%d"}}`, i)
		def += fmt.Sprintf(`, "a:a%d": {"steps": [%s]}`, i+1, strings.TrimSuffix(strings.Repeat(call+", ", 50), ", "))
	}
	b := newBench(t, def+"}}")
	plan := b.DryRun(context.Background(), "t:a:a9", nil, executor.RunOptions{})
	if plan.Error == nil || plan.Error.Code != diag.LimitExceeded {
		t.Errorf("error = %v, want LIMIT_EXCEEDED", plan.Error)
	}
	values := strings.TrimSuffix(strings.Repeat(`"${mib} ${mib}", `, 500), ", ")
	step := `{"action": "set", "args": {"values": {"a": [` + values + `]}}}`
	b = newBench(t, one(strings.TrimSuffix(strings.Repeat(step+", ", 20), ", "), mebi, `"verify": [{"condition": "1 == 1", "message": "`+strings.Repeat("${mib}", 500)+`"}]`))
	plan = b.DryRun(context.Background(), "t:a:b", map[string]any{"mib": strings.Repeat("x", 400<<10)}, executor.RunOptions{})
	if plan.Error == nil || plan.Error.Code != diag.LimitExceeded {
		t.Errorf("error = %v, want LIMIT_EXCEEDED", plan.Error)
	}
}

func TestTooManySecrets(t *testing.T) {
	b := newBench(t, one(`{"action": "set", "args": {"values": {"a": 1}}}`, `"params": {"keys": {"type": "array", "items": {"type": "string", "secret": true}}}`))
	keys := make([]any, 100_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("secret-%d", i)
	}
	res := b.run("t:a:b", map[string]any{"keys": keys})
	if res.Error == nil || res.Error.Code != diag.LimitExceeded || strings.Contains(res.Error.Msg, "secret-") {
		t.Errorf("error = %v, want LIMIT_EXCEEDED without a value", res.Error)
	}
}

// Masking 7 MiB with 1,000 secrets takes minutes. The end of the run stops it, and the result then
// contains no value that was not fully masked.
func TestMaskingEndsWithTheRun(t *testing.T) {
	params := `"params": {"mib": {"type": "string"}, "keys": {"type": "array", "items": {"type": "string", "secret": true}}}`
	b := newBench(t, one(`{"action": "set", "args": {"values": {"a": 1}}}`, params,
		`"returns": {"a": ["${mib}", "${mib}", "${mib}", "${mib}", "${mib}", "${mib}", "${mib}"]}`))
	keys := make([]any, 1000)
	for i := range keys {
		keys[i] = fmt.Sprintf("%s%04d", strings.Repeat("a", 50), i)
	}
	for _, debug := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		res := b.Run(ctx, b.page, "t:a:b", map[string]any{"mib": strings.Repeat("a", 1<<20-100), "keys": keys}, executor.RunOptions{Debug: debug})
		if res.Error == nil || res.Error.Code != diag.Timeout || res.Success || res.Data != nil {
			t.Errorf("debug %t: success %t, error %v, want TIMEOUT", debug, res.Success, res.Error)
		}
	}
}
