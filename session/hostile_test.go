package session_test

// A value is data wherever it goes. Each value of a table that is made to break
// something is put into every place of a definition that takes one, on a real
// page, where it must mean its own element among all the others and their
// near misses, or come back as it was.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/session"
)

// hostile are the values. No two are equal when white space is folded.
var hostile = []struct{ name, value string }{
	{"single quote", `it's`},
	{"only a single quote", `'`},
	{"double quotes", `say "so"`},
	{"both quotes", `'a' "b"`},
	{"begins with a double quote", `"begin`},
	{"JSON string", `"whole"`},
	{"backslash", `a\b`},
	{"backslash at the end", `end\`},
	{"escaped quote", `\' \"`},
	{"only a backslash", `\`},
	{"brackets", `[x]`},
	{"closing brackets", `]})`},
	{"opening brackets", `([{`},
	{"end of a comment", `] */ /*`},
	{"parentheses", `f(x)`},
	{"chain", `a >> b`},
	{"begins with a chain", ` >> nth:0`},
	{"reference", `${params.v}`},
	{"escaped reference", `$${params.v}`},
	{"open reference", `$${`},
	{"secret reference", `${env.HOME}`},
	{"dollar", `$& $1 $$`},
	{"line feed", "two\nlines"},
	{"carriage return", "cr\r\nlf"},
	{"tab", "a\ttab"},
	{"form feed", "form\ffeed"},
	{"other white space", "nb\u00a0sp\u2003em"},
	{"line separator", "line\u2028separator\u2029"},
	{"end of a script", `</script><img src=x onerror=alert(1)>`},
	{"script", `'; alert(1)//`},
	{"template string", "`${alert(1)}`"},
	{"condition", `' || true || '`},
	{"ref", `@e1`},
	{"css", `css:x`},
	{"nth", `nth:0`},
	{"universal", `*`},
	{"css list", `a, b > c ~ d`},
	{"css end", `x'] , [data-own`},
	{"css escape", `\31 0`},
	{"css digits", `12px`},
	{"css dashes", `--`},
	{"css dash", `-`},
	{"xpath", `' or '1'='1`},
	{"pattern", `a.*(b|c)+?$`},
	{"pattern ends", `/x/i`},
	{"pattern quotes", `\Q.*\E`},
	{"has", `has:(text:x)`},
	{"role", `button[name='x']`},
	{"Chinese", `新建订单`},
	{"Chinese with a space", `取 消`},
	{"Japanese and Latin", `東京 Tower`},
	{"emoji", "👩‍👩‍👧‍👦 family"},
	{"emoji flag", "🇳🇴"},
	{"right to left", "\u200fשלום\u200f abc"},
	{"bidi override", "a\u202eb\u202cc"},
	{"combining", "cafe\u0301"},
	{"composed", "caf\u00e9"},
	{"long", strings.Repeat(`0123456789 '"]`, 150) + "end"},
	{"padded", "  padded  "},
	{"escape of JSON", `\u0000`},
	{"control", "a\u0001b\u007f"},
	{"percent", `100% %s %d %20`},
	{"entity", `&amp; &lt;b&gt;`},
	{"yaml", `- {a: !b &c *d}`},
	{"prototype", `__proto__`},
	{"number", `0012`},
	{"exponent", `1e3`},
	{"true", `true`},
	{"null", `null`},
}

// places name, by a selector with a hole, one element for each value.
var places = []struct{ name, selector string }{
	{"css single quoted", `css:[data-x='${v}']`},
	{"css double quoted", `css:[data-x="${v}"]`},
	{"css among text", `css:#attributes > [data-part="a ${v} b"]`},
	{"css unquoted", `css:[data-x=${v}]`},
	{"css unquoted prefix", `css:[data-row=row-${v}]`},
	{"css identifier prefix", `css:#id-${v}`},
	{"css identifier", `css:#${v}`},
	{"css in has", `css:#parents > div:has(> [data-inner='${v}'])`},
	{"css in not", `css:#attributes > [data-x='${v}']:not([data-x='${v}x'])`},
	{"bare css", `#attributes > [data-x='${v}']`},
	{"xpath single quoted", `xpath://p[@data-x='${v}']`},
	{"xpath double quoted", `//p[@data-x="${v}"]`},
	{"xpath contains", `//p[contains(@data-marked, '[${v}]')]`},
	{"role name", `css:#buttons >> role:button[name='${v}']`},
	{"role name double quoted", `css:#buttons >> role:button[name="${v}"]`},
	{"role name contains", `css:#named >> role:button[name*='[${v}]']`},
	{"role name pattern", `css:#named >> role:button[name~=/^\[${v}\]$/]`},
	{"text", `css:#texts >> text:${v}`},
	{"text contains", `css:#rows >> text*:[${v}]`},
	{"text pattern", `css:#rows >> text~:^\[${v}\]$`},
	{"text quoted", `css:#rows >> text:"[${v}]"`},
	{"label", `css:#labels >> label:${v}`},
	{"label contains", `css:#labelled >> label*:[${v}]`},
	{"placeholder", `placeholder:${v}`},
	{"placeholder pattern", `placeholder~:^p\[${v}\]$`},
	{"alt", `alt:${v}`},
	{"title", `title:${v}`},
	{"testid", `testid:${v}`},
	{"has-text", `css:#rows > div >> has-text:[${v}] >> css:span`},
	{"has-text pattern", `css:#rows > div >> has-text~:\[${v}\] >> css:span`},
	{"has", `css:#rows > div >> has:(text:[${v}]) >> css:span`},
	{"has in quotes", `css:#rows > div >> has:(text:"[${v}]") >> css:span`},
	{"alias", `${selectors.own}`},
	{"alias in a chain", `css:#rows >> ${selectors.words}`},
	{"fallback of an alias", `${selectors.late}`},
}

const hostilePage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Hostile</title>
<script src="/values.js"></script></head><body>
<div id="attributes"></div><div id="parents"></div><div id="buttons"></div><div id="named"></div><div id="texts"></div>
<div id="labels"></div><div id="labelled"></div><div id="others"></div><div id="rows"></div>
<textarea id="area"></textarea><input id="line"><div id="rich" contenteditable>old</div>
<select id="byvalue"></select><select id="bytext"></select>
<script>
function add(where, tag, attributes, text, own) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  if (own !== undefined) e.setAttribute("data-own", own);
  if (text !== undefined) e.textContent = text;
  where.append(e);
  return e;
}
const at = (id) => document.getElementById(id);
const box = "display: inline-block; width: 9px; height: 9px";
// Built by scripts: nothing of a value is read as HTML.
const sections = Object.fromEntries([...document.querySelectorAll("body > [id]")].map((e) => [e.id, e]));
function build(v, own) {
  const s = sections;
  add(s.attributes, "p", {"data-x": v, "data-part": "a " + v + " b", "data-row": "row-" + v, "data-marked": "[" + v + "]", id: v}, "·", own);
  add(s.attributes, "p", {id: "id-" + v}, "·", own);
  add(add(s.parents, "div", {}, undefined, own), "i", {"data-inner": v}, "·");
  add(s.buttons, "button", {type: "button"}, v, own);
  add(s.named, "button", {type: "button", "aria-label": "[" + v + "]"}, "·", own);
  add(s.texts, "p", {}, v, own);
  add(add(s.labels, "label", {}, v), "input", {}, undefined, own);
  add(s.labelled, "input", {"aria-label": "[" + v + "]"}, undefined, own);
  add(s.others, "input", {placeholder: v}, undefined, own);
  add(s.others, "input", {placeholder: "p[" + v + "]"}, undefined, own);
  add(s.others, "img", {alt: v, style: box}, undefined, own);
  add(s.others, "i", {title: v, style: box}, undefined, own);
  add(s.others, "i", {"data-testid": v, style: box}, undefined, own);
  add(add(s.rows, "div", {}, undefined, own), "span", {}, "[" + v + "]", own);
}
values.forEach((value, i) => {
  build(value.own, i);
  value.decoys.forEach((v, n) => build(v, "decoy " + n + " of " + i));
  add(sections.byvalue, "option", {value: value.own}, "option " + i);
  add(sections.bytext, "option", {value: i}, value.own);
});
</script></body></html>
`

const hostileActions = `
namespace: hostile
version: 1.0.0
env: [{name: BASE, secret: false}]
selectors:
  own: "css:[data-x='${params.v}']"
  words: "text*:[${params.v}]"
  late: {primary: "css:#attributes > [data-none='${params.v}']", fallback: ["xpath://p[@data-x='${params.v}']"]}
actions:
  page:open:
    params: {path: {type: string, default: /}}
    steps: [{action: open, args: {url: "${env.BASE}${path}"}}]

  field:fill:
    params: {v: {type: string}, into: {type: string}}
    steps:
      - {action: fill, args: {selector: "css:#${into}", value: "${v}"}, output: filled}
      - {action: get, args: {selector: "css:#${into}", what: value}, output: read}
    returns: {filled: "${steps.filled.value}", read: "${steps.read.value}"}
  field:wrap:
    params: {v: {type: string}}
    steps: [{action: fill, args: {selector: "css:#area", value: "a ${v} b"}, output: filled}]
    returns: {filled: "${steps.filled.value}"}
  field:type:
    params: {v: {type: string}}
    steps:
      - {action: clear, args: {selector: "css:#line"}}
      - {action: type, args: {selector: "css:#line", text: "${v}"}}
      - {action: get, args: {selector: "css:#line", what: value}, output: read}
    returns: {read: "${steps.read.value}"}
  field:rich:
    params: {v: {type: string}}
    steps:
      - {action: fill, args: {selector: "css:#rich", value: "${v}"}}
      - {action: eval, args: {script: "document.querySelector('#rich').textContent"}, output: read}
    returns: {read: "${steps.read.value}"}
  field:select:
    params: {v: {type: string}}
    steps:
      - {action: select, args: {selector: "css:#byvalue", values: "${v}"}, output: value}
      - {action: select, args: {selector: "css:#bytext", values: ["${v}"]}, output: text}
    returns: {value: "${steps.value.values[0]}", text: "${steps.text.values[0]}"}

  value:eval:
    params: {v: {type: string}}
    steps:
      - action: eval
        args: {script: "[v, text, deep.list[0], typeof v]", args: {v: "${v}", text: "a ${v} b", deep: {list: ["${v}"]}}}
        output: js
    returns: {js: "${steps.js.value}"}
  value:function:
    params: {v: {type: string}, own: {type: integer}}
    steps: [{action: wait, args: {function: "values[own].own === v", args: {v: "${v}", own: "${own}"}}, timeout: 2s}]
  value:text:
    params: {v: {type: string}}
    steps: [{action: wait, args: {text: "[${v}]"}, timeout: 2s}]
  value:state:
    params: {v: {type: string}}
    steps:
      - {action: wait, args: {selector: "css:#rows > div >> has-text:[${v}]", text: "[${v}]"}, timeout: 2s}
      - {action: is, args: {selector: "css:#attributes > [data-x='${v}']", state: visible}, output: found}
    returns: {found: "${steps.found.visible}"}
  value:find:
    params: {v: {type: string}}
    steps:
      - {action: find, args: {role: button, name: "[${v}]"}, output: role}
      - {action: find, args: {text: "[${v}]"}, output: text}
      - {action: find, args: {label: "${v}"}, output: label}
      - {action: find, args: {placeholder: "${v}"}, output: placeholder}
      - {action: find, args: {alt: "${v}"}, output: alt}
      - {action: find, args: {title: "${v}"}, output: title}
      - {action: find, args: {testid: "${v}"}, output: testid}
      - {action: find, args: {css: "[data-inner='${v}']"}, output: css}
      - {action: find, args: {xpath: "//i[@data-inner='${v}']"}, output: xpath}
    returns:
      role: ${steps.role.count}
      text: ${steps.text.count}
      label: ${steps.label.count}
      placeholder: ${steps.placeholder.count}
      alt: ${steps.alt.count}
      title: ${steps.title.count}
      testid: ${steps.testid.count}
      css: ${steps.css.count}
      xpath: ${steps.xpath.count}
  value:extract:
    params: {v: {type: string}}
    steps:
      - action: extract
        args: {rows: "css:#rows > div >> has-text:[${v}]", fields: {text: "css:span >> has-text:[${v}]", own: {selector: "text*:[${v}]", what: attr, attr: data-own}}}
        output: table
    returns: {count: "${steps.table.count}", own: "${steps.table.rows[0].own}"}

  value:compare:
    params: {v: {type: string}, same: {type: string}, other: {type: string}, around: {type: string}, list: {type: array}, map: {type: object}}
    steps:
      - {action: fail, when: "!(${v} == ${same})", args: {message: "equal"}}
      - {action: fail, when: "${v} != ${same}", args: {message: "not equal"}}
      - {action: fail, when: "${v} == ${other}", args: {message: "another"}}
      - {action: fail, when: "!(${around} contains ${v})", args: {message: "contains"}}
      - {action: fail, when: "!(${around} startsWith 'a ' && ${around} endsWith ' b')", args: {message: "around"}}
      - {action: fail, when: "!(${list} contains ${v})", args: {message: "array contains"}}
      - {action: fail, when: "!(${v} in ${list}) || ${other} in ${list}", args: {message: "in an array"}}
      - {action: fail, when: "!(${v} in ${map}) || ${other} in ${map}", args: {message: "in a map"}}
      - {action: assert, args: {condition: "${params[\"v\"]} == ${list[0]}", message: "item"}}
      - {action: wait, args: {condition: "${v} == ${same}"}, timeout: 1s}
    verify:
      - {condition: "${v} == ${same} && !(${v} == ${other})", message: "verify ${v}"}
  value:refuse:
    params: {v: {type: string}, how: {type: string}}
    steps:
      - {action: fail, when: "${how} == 'fail'", args: {message: "because «${v}»"}}
      - {action: assert, when: "${how} == 'assert'", args: {condition: "${v} == null", message: "because «${v}»"}}
    verify:
      - {condition: "${v} == null", message: "because «${v}»"}

  value:echo:
    params: {v: {type: string}}
    returns: {v: "${v}", text: "a ${v} b", deep: {list: ["${v}", {v: "${params.v}"}]}}
    steps: [{action: set, args: {values: {unused: 1}}}]
  value:pass:
    params: {v: {type: string}, list: {type: array}}
    steps:
      - {action: run, args: {action: "value:echo", params: {v: "${v}"}}, output: echo}
      - {action: set, args: {values: {v: "${v}", text: "a ${v} b"}}, output: kept}
      - action: foreach
        args: {items: "${list}", as: one}
        output: each
        steps:
          - {action: run, args: {action: "value:echo", params: {v: "${one}"}}, output: echo}
          - {action: set, args: {values: {v: "${one}", same: "${steps.echo.v}"}}, output: kept}
    returns: {echo: "${steps.echo}", kept: "${steps.kept}", each: "${steps.each.items}"}
`

// decoys are near misses of v: values that a faulty escape could reach instead.
func decoys(v string, taken map[string]bool) []string {
	_, last := utf8.DecodeLastRuneInString(v)
	var out []string
	for _, d := range []string{v + "x", "x" + v, v[:len(v)-last], strings.ToUpper(v), strings.ReplaceAll(v, `\`, `\\`)} {
		if f := fold(d); f != "" && !taken[f] {
			taken[f] = true
			out = append(out, d)
		}
	}
	return out
}

// fold is how texts are compared, roughly: the tables hold no two values that
// are equal even when all white space is ignored.
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

// placeActions is one action for each place.
func placeActions() string {
	var b strings.Builder
	for i, p := range places {
		selector, _ := json.Marshal(p.selector) // a JSON string is one of YAML
		fmt.Fprintf(&b, `
  place:n%d:
    params: {v: {type: string}}
    steps:
      - {action: get, args: {selector: %s, what: attr, name: data-own}, timeout: 600ms, output: found}
      - {action: get, args: {selector: %s, what: count}, output: all}
    returns: {own: "${steps.found.attr}", count: "${steps.all.count}"}
`, i, selector, selector)
	}
	return b.String()
}

func TestHostileValues(t *testing.T) {
	b := newHostileBench(t)
	b.mustRun(t, "hostile:page:open", nil)
	for i, p := range places {
		t.Run(p.name, func(t *testing.T) {
			for own, h := range hostile {
				r := b.run(t, fmt.Sprintf("hostile:place:n%d", i), map[string]any{"v": h.value})
				checkOwn(t, h.name, h.value, own, r)
			}
		})
	}
	b.checkFields(t)
	b.checkPage(t)
	b.checkFlow(t)
	b.checkMessages(t)
}

func checkOwn(t *testing.T, name, value string, own int, r *executor.Result) {
	t.Helper()
	if r.Error != nil {
		t.Errorf("%s %.80q: %.700s", name, value, describe(r.Error))
		return
	}
	m := r.Data.(map[string]any)
	if got, want := fmt.Sprint(m["own"]), fmt.Sprint(own); got != want || fmt.Sprint(m["count"]) != "1" {
		t.Errorf("%s %.80q: element %q, %v matches; want element %q, 1 match", name, value, got, m["count"], want)
	}
}

// each runs an action with each value as v.
func (b hostileBench) each(t *testing.T, action string, more map[string]any, check func(t *testing.T, own int, value string, got map[string]any)) {
	t.Helper()
	for own, h := range hostile {
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

// normal is the value of a textarea: its line ends are line feeds.
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
			if !strings.ContainsAny(v, "\r\n") { // which such a control strips
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
			if !strings.ContainsAny(v, "\r\n\t") { // keys with a meaning of their own
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
	for how, code := range map[string]diag.Code{"fail": diag.StepFailed, "assert": diag.StepFailed, "verify": diag.VerifyFailed} {
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
