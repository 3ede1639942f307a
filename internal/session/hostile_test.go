package session_test

// Tests that values are always data. Each hostile value is inserted wherever a definition accepts a
// value. On a real page, a value in a selector must select its own element, among the elements of all
// other values and of near misses. Any other value must be returned unchanged.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// decoys returns near misses of v: values that a faulty escape could select instead.
func decoys(v string, taken map[string]bool) []string {
	_, last := utf8.DecodeLastRuneInString(v)
	var out []string
	for _, d := range []string{v + "x", v[:len(v)-last], strings.ReplaceAll(v, `\`, `\\`)} {
		if f := fold(d); f != "" && !taken[f] {
			taken[f] = true
			out = append(out, d)
		}
	}
	return out
}

// fold collapses the white space of s, roughly like the comparison of texts. No two values of the
// tables are equal after it.
func fold(s string) string { return strings.Join(strings.Fields(s), "") }

type hostileBench struct{ *bench }

func newHostileBench(t *testing.T) hostileBench {
	taken := make(map[string]bool)
	for _, h := range hostile {
		if taken[fold(h.value)] {
			t.Fatalf("the value %q is in the table twice", h.value)
		}
		taken[fold(h.value)] = true
	}
	type entry struct {
		Own    string   `json:"own"`
		Decoys []string `json:"decoys"`
	}
	var values []entry
	for _, h := range hostile {
		values = append(values, entry{h.value, append([]string{}, decoys(h.value, taken)...)})
	}
	script, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/values.js" {
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			fmt.Fprintf(w, "const values = %s;\n", script)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, hostilePage)
	}))
	return hostileBench{newBench(t, map[string]string{"hostile.yaml": hostileActions + placeActions()}, nil, "BASE="+base)}
}

// placeActions returns definitions with one action for each place.
func placeActions() string {
	var b strings.Builder
	for i, p := range places {
		selector, _ := json.Marshal(p.selector) // a JSON string is valid YAML
		fmt.Fprintf(&b, `
  place:n%d:
    params: {v: {type: string}}
    steps:
      - {action: get, args: {selector: %s, what: attr, name: data-own}, timeout: 20s, output: found}
      - {action: get, args: {selector: %s, what: count}, output: all}
    returns: {own: "${steps.found.attr}", count: "${steps.all.count}"}
`, i, selector, selector)
	}
	return b.String()
}

func TestHostileValues(t *testing.T) {
	t.Parallel()
	b := newHostileBench(t)
	b.mustRun(t, "hostile:page:open", nil)
	if !testkit.Full() {
		testkit.Leave(t, len(hostile)*15/16, len(hostile), "values in each place")
	}
	for i, p := range places {
		t.Run(p.name, func(t *testing.T) {
			wrong := 0
			for own, h := range hostile {
				if !tried(own, i) {
					continue
				}
				r := b.run(t, fmt.Sprintf("hostile:place:n%d", i), map[string]any{"v": h.value})
				if msg := isOwn(own, r); msg != "" {
					t.Errorf("%s %.80q: %.700s", h.name, h.value, msg)
					wrong++
				}
				if wrong == 3 { // each failure costs a whole timeout
					t.Fatal("the other values are left out")
				}
			}
		})
	}
	b.checkClasses(t)
	b.checkFields(t)
	b.checkPage(t)
	b.checkFlow(t)
	b.checkMessages(t)
}

// tried reports whether a value is tested in the nth place. With -short, each value is tested in an
// eighth of the places, and each place with an eighth of the values.
func tried(own, n int) bool { return testkit.Full() || (own+n)%16 == 0 }

// isOwn describes what is wrong with the result of an action of a place, or returns "".
func isOwn(own int, r *executor.Result) string {
	if r.Error != nil {
		return describe(r.Error)
	}
	got := r.Data.(map[string]any)
	if fmt.Sprint(got["own"]) == fmt.Sprint(own) && fmt.Sprint(got["count"]) == "1" {
		return ""
	}
	return fmt.Sprintf("found element %v, %v matches; want element %d, 1 match", got["own"], got["count"], own)
}

// each runs an action once for each value, which it passes as v.
func (b hostileBench) each(t *testing.T, action string, more map[string]any, check func(t *testing.T, own int, value string, got map[string]any)) {
	t.Helper()
	for own, h := range hostile {
		if !tried(own, len(action)) {
			continue
		}
		params := map[string]any{"v": h.value}
		for k, v := range more {
			params[k] = v
		}
		r := b.run(t, action, params)
		if r.Error != nil {
			t.Errorf("%s %.80q: %.700s", h.name, h.value, describe(r.Error))
			continue
		}
		check(t, own, h.value, r.Data.(map[string]any))
	}
}

func same(t *testing.T, what, value string, got any, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s of %.80q: got %.200q, want %.200q", what, value, got, want)
	}
}

// checkClasses tests values as classes. A class contains no white space, so a value with white
// space is the class of no element.
func (b hostileBench) checkClasses(t *testing.T) {
	t.Run("css class", func(t *testing.T) {
		b.each(t, "hostile:element:class", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			want := "1 0"
			if strings.ContainsAny(v, " \t\r\n\f") {
				want = "0 0"
			}
			same(t, "matches", v, fmt.Sprint(got["count"], " ", got["none"]), want)
		})
	})
}

// normal returns v with the line ends of a textarea: line feeds.
func normal(v string) string {
	return strings.ReplaceAll(strings.ReplaceAll(v, "\r\n", "\n"), "\r", "\n")
}

func (b hostileBench) checkFields(t *testing.T) {
	t.Run("fill", func(t *testing.T) {
		b.each(t, "hostile:field:fill", map[string]any{"into": "area"}, func(t *testing.T, _ int, v string, got map[string]any) {
			same(t, "filled", v, got["filled"], normal(v))
			same(t, "value read", v, got["read"], normal(v))
		})
	})
	t.Run("fill among text", func(t *testing.T) {
		b.each(t, "hostile:field:wrap", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			same(t, "filled", v, got["filled"], "a "+normal(v)+" b")
		})
	})
	t.Run("fill one line", func(t *testing.T) {
		b.each(t, "hostile:field:fill", map[string]any{"into": "line"}, func(t *testing.T, _ int, v string, got map[string]any) {
			if !strings.ContainsAny(v, "\r\n") { // such a control removes line breaks
				same(t, "filled", v, got["filled"], v)
			}
		})
	})
	t.Run("fill editable content", func(t *testing.T) {
		b.each(t, "hostile:field:rich", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			same(t, "content but for white space", v, fold(got["read"].(string)), fold(v))
		})
	})
	t.Run("type", func(t *testing.T) {
		b.each(t, "hostile:field:type", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			if !strings.ContainsAny(v, "\r\n\t") { // these keys have other effects
				same(t, "typed", v, got["read"], v)
			}
		})
	})
	t.Run("select", func(t *testing.T) {
		b.each(t, "hostile:field:select", nil, func(t *testing.T, own int, v string, got map[string]any) {
			same(t, "by value", v, got["value"], v)
			same(t, "by text", v, got["text"], fmt.Sprint(own))
		})
	})
}

func (b hostileBench) checkPage(t *testing.T) {
	t.Run("eval", func(t *testing.T) {
		b.each(t, "hostile:value:eval", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			js := got["js"].([]any)
			for i, want := range []string{v, "a " + v + " b", v, "string"} {
				same(t, "argument", v, js[i], want)
			}
		})
	})
	t.Run("wait for a function", func(t *testing.T) {
		for own, h := range hostile {
			if r := b.run(t, "hostile:value:function", map[string]any{"v": h.value, "own": own}); r.Error != nil {
				t.Errorf("%s %.80q: %.700s", h.name, h.value, describe(r.Error))
			}
		}
	})
	t.Run("wait for a text", func(t *testing.T) {
		b.each(t, "hostile:value:text", nil, func(*testing.T, int, string, map[string]any) {})
	})
	t.Run("state", func(t *testing.T) {
		b.each(t, "hostile:value:state", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			if got["found"] != true {
				t.Errorf("the element of %.80q is not visible", v)
			}
		})
	})
	t.Run("find", func(t *testing.T) {
		b.each(t, "hostile:value:find", nil, func(t *testing.T, _ int, v string, got map[string]any) {
			for kind, count := range got {
				if fmt.Sprint(count) != "1" {
					t.Errorf("find by %s %.80q: %v matches, want 1", kind, v, count)
				}
			}
		})
	})
	t.Run("extract", func(t *testing.T) {
		b.each(t, "hostile:value:extract", nil, func(t *testing.T, own int, v string, got map[string]any) {
			same(t, "row", v, fmt.Sprint(got["count"], " ", got["own"]), fmt.Sprint(1, " ", own))
		})
	})
}

func (b hostileBench) checkFlow(t *testing.T) {
	t.Run("conditions", func(t *testing.T) {
		for _, h := range hostile {
			r := b.run(t, "hostile:value:compare", map[string]any{
				"v": h.value, "same": h.value, "other": h.value + "x", "around": "a " + h.value + " b",
				"list": []any{h.value, "z"}, "map": map[string]any{h.value: 1},
			})
			if r.Error != nil {
				t.Errorf("%s %.80q: %.700s", h.name, h.value, describe(r.Error))
				continue
			}
			same(t, "message of the check", h.value, r.Verify[0].Message, "verify "+h.value)
		}
	})
	t.Run("run, set, foreach and returns", func(t *testing.T) {
		var all []any
		for _, h := range hostile {
			all = append(all, h.value)
		}
		for _, h := range hostile[:3] {
			b.checkPassed(t, h.value, all)
		}
		for _, h := range hostile[3:] {
			b.checkPassed(t, h.value, []any{h.value})
		}
	})
	t.Run("text of the command line", func(t *testing.T) {
		for _, h := range hostile {
			r := b.runWith(t, "hostile:value:echo", session.RunOptions{Params: map[string]any{"v": h.value}, FromText: true})
			same(t, "param", h.value, data(t, r)["v"], h.value)
		}
	})
}

func (b hostileBench) checkPassed(t *testing.T, v string, list []any) {
	t.Helper()
	got := b.mustRun(t, "hostile:value:pass", map[string]any{"v": v, "list": list})
	echo := got["echo"].(map[string]any)
	same(t, "returns of run", v, echo["v"], v)
	same(t, "returns among text", v, echo["text"], "a "+v+" b")
	deep := echo["deep"].(map[string]any)["list"].([]any)
	same(t, "nested returns", v, deep[0], v)
	same(t, "nested returns", v, deep[1].(map[string]any)["v"], v)
	kept := got["kept"].(map[string]any)
	same(t, "set", v, kept["v"], v)
	same(t, "set among text", v, kept["text"], "a "+v+" b")
	each := got["each"].([]any)
	if len(each) != len(list) {
		t.Fatalf("foreach: %d items, want %d", len(each), len(list))
	}
	for i, item := range each {
		want := list[i].(string)
		kept := item.(map[string]any)["kept"].(map[string]any)
		same(t, "item", want, kept["v"], want)
		same(t, "item through run", want, kept["same"], want)
	}
}

func (b hostileBench) checkMessages(t *testing.T) {
	for _, how := range []string{"fail", "assert", "verify"} {
		code := diag.StepFailed
		if how == "verify" {
			code = diag.VerifyFailed
		}
		t.Run("message of "+how, func(t *testing.T) {
			for _, h := range hostile {
				r := b.run(t, "hostile:value:refuse", map[string]any{"v": h.value, "how": how})
				if r.Error == nil || r.Error.Code != code || !strings.Contains(r.Error.Msg, "because «"+h.value+"»") {
					t.Errorf("%s: got %v, want %s with «%.80s»", h.name, r.Error, code, h.value)
				}
			}
		})
	}
}
