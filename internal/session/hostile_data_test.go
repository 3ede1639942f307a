package session_test

// The data of hostile_test.go: the hostile values, the selectors that contain them, the page that
// shows them, and the actions that use them.

import "strings"

// hostile lists the values. No two values are equal after fold.
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

// places are selectors with a placeholder. When a value has been inserted, each selects one element.
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
// A script builds the page, so that no value is parsed as HTML.
const sections = Object.fromEntries([...document.querySelectorAll("body > [id]")].map((e) => [e.id, e]));
function build(v, own) {
  const s = sections;
  add(s.attributes, "p", {"data-x": v, "data-part": "a " + v + " b", "data-row": "row-" + v, "data-marked": "[" + v + "]", id: v}, "·", own);
  add(s.attributes, "p", {id: "id-" + v, class: /[ \t\n\f\r]/.test(v) ? "" : v}, "·", own);
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
  element:class:
    params: {v: {type: string}}
    steps: [{action: find, args: {css: ".${v}"}, output: found}, {action: find, args: {css: "p.${v}[data-own=${v}]"}, output: none}]
    returns: {count: "${steps.found.count}", none: "${steps.none.count}"}

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
    steps: [{action: wait, args: {function: "values[own].own === v", args: {v: "${v}", own: "${own}"}}, timeout: 20s}]
  value:text:
    params: {v: {type: string}}
    steps: [{action: wait, args: {text: "[${v}]"}, timeout: 20s}]
  value:state:
    params: {v: {type: string}}
    steps:
      - {action: wait, args: {selector: "css:#rows > div >> has-text:[${v}]", text: "[${v}]"}, timeout: 20s}
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
      - {action: wait, args: {condition: "${v} == ${same}"}, timeout: 20s}
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
