package engine

import (
	"strings"
	"testing"
)

const formPage = `
<form id=f><input id=value name=value><input id=text value=old><input id=pw type=password><textarea id=ta>a
b</textarea><input id=max maxlength=3><input id=num type=number><input id=mail type=email>
<input id=date type=date><input id=time type=time><input id=dt type=datetime-local><input id=month type=month>
<input id=week type=week><input id=color type=color><input id=range type=range min=0 max=10 step=5>
<input id=chk type=checkbox><input id=rad type=radio checked><input id=file type=file><input id=hid type=hidden>
<label id=lab for=text>Text</label><input id=mask></form>
<div id=ce contenteditable>old <b>bold</b></div><h1 id=h1>Title</h1><div id=div>plain</div><button id=btn>Go</button><a id=link href=#>L</a>
<select id=sel><option value=r>Red</option><option value=b label="Deep blue">Blue</option><option value=g disabled>Green</option></select>
<select id=multi multiple><option>one<option>two<option>three</select><select id=empty></select>
<div id=fake role=combobox tabindex=0>Fake</div><input id=upper>
<script>
window.seen = [];
for (const e of ['input','change']) document.addEventListener(e, ev => seen.push(ev.target.id + ' ' + e));
mask.addEventListener('input', () => { const d = mask.value.replace(/\D/g,''); if (d.length === 10) mask.value = '(' + d.slice(0,3) + ') ' + d.slice(3,6) + '-' + d.slice(6) });
upper.addEventListener('input', () => requestAnimationFrame(() => { upper.value = upper.value.toUpperCase() }));
</script>`

func TestFill(t *testing.T) {
	p := open(t, formPage)
	tests := []struct {
		name, id, value string
		want            string // mode, or the beginning of the refusal
		holds           string
		outcome         string // same, alike or other
	}{
		{"replaces", "#text", "new", "insert", "new", "same"},
		{"clears", "#text", "", "insert", "", "same"},
		{"field named value", "#value", "v", "insert", "v", "same"},
		{"password", "#pw", "s3cret", "insert", "s3cret", "same"},
		{"textarea", "#ta", "x\ny", "insert", "x\ny", "same"},
		{"contenteditable replaces", "#ce", "fresh", "insert", "fresh", "same"},
		{"maxlength fits", "#max", "abc", "insert", "abc", "same"},
		{"maxlength cut", "#max", "abcd", `op: <input#max> takes at most 3 characters, the value has 4`, "abc", ""},
		{"number", "#num", "1.50", "insert", "1.50", "same"},
		{"number with letters", "#num", "abc", `op: <input#num> takes a number`, "", ""},
		{"email", "#mail", "a@b.test", "insert", "a@b.test", "same"},
		{"date", "#date", "2024-02-29", "done", "2024-02-29", "same"},
		{"date that is none", "#date", "tomorrow", `op: <input#date> takes YYYY-MM-DD`, "2024-02-29", ""},
		{"date that does not exist", "#date", "2023-02-29", `op: <input#date> takes YYYY-MM-DD`, "2024-02-29", ""},
		{"date cleared", "#date", "", "done", "", "same"},
		{"time", "#time", "10:30", "done", "10:30", "same"},
		{"time with seconds of zero", "#time", "10:30:00", "done", "10:30:00", "same"},
		{"datetime", "#dt", "2024-01-02T03:04", "done", "2024-01-02T03:04", "same"},
		{"month", "#month", "2024-05", "done", "2024-05", "same"},
		{"week", "#week", "2024-W07", "done", "2024-W07", "same"},
		{"time that is none", "#time", "25:00", `op: <input#time> takes HH:MM`, "10:30:00", ""},
		{"datetime that is none", "#dt", "2024-01-02", `op: <input#dt> takes YYYY-MM-DDTHH:MM`, "2024-01-02T03:04", ""},
		{"month that is none", "#month", "2024-13", `op: <input#month> takes YYYY-MM`, "2024-05", ""},
		{"week that is none", "#week", "2024-W60", `op: <input#week> takes YYYY-Www`, "2024-W07", ""},
		{"color", "#color", "#FF0080", "done", "#ff0080", "same"},
		{"color name", "#color", "red", `op: <input#color> takes #rrggbb`, "", ""},
		{"range", "#range", "5", "done", "5", "same"},
		{"range beyond", "#range", "50", `op: <input#range> takes a number from 0 to 10 in steps of 5`, "", ""},
		{"label's control", "#lab", "by label", "insert", "by label", "same"},
		{"mask", "#mask", "5551234567", "insert", "(555) 123-4567", "alike"},
		{"rewritten in a frame", "#upper", "abc", "insert", "ABC", "alike"},
		{"checkbox", "#chk", "x", `op: <input#chk> is a checkbox input; use check`, "", ""},
		{"file", "#file", "x", `op: <input#file> is a file input; use upload`, "", ""},
		{"heading", "#h1", "x", `op: <h1#h1 "Title"> is not a field`, "", ""},
		{"button", "#btn", "x", `op: <button#btn "Go"> takes no text; use click`, "", ""},
		{"select", "#sel", "x", `op: <select#sel> is a list of options; use select`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			res := p.call("act", request("fill", query(css(tt.id)), "value", tt.value))
			got := verdict(res)
			if got == "ok" {
				got = res["mode"].(string)
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Fatalf("fill: %s, want %s", got, tt.want)
			}
			if tt.outcome == "" {
				return
			}
			if got == "insert" {
				p.insert(tt.value)
			}
			back := p.call("held", object{"value": tt.value})
			outcome := "other"
			if back["same"] == true {
				outcome = "same"
			} else if back["alike"] == true {
				outcome = "alike"
			}
			if back["value"] != tt.holds || outcome != tt.outcome {
				t.Errorf("held %s, want %q %s", str(back), tt.holds, tt.outcome)
			}
			if (back["secret"] == true) != (tt.id == "#pw") {
				t.Errorf("secret is %v", back["secret"])
			}
		})
	}
	if got := str(p.eval(`seen.filter(s => s.startsWith('date'))`)); got != `["date input","date change","date input","date change"]` {
		t.Errorf("events of the date: %s", got)
	}
}

// insert inserts text where the focus is, as package browser does.
func (p *tab) insert(value string) {
	p.t.Helper()
	if value == "" {
		for _, kind := range []string{"rawKeyDown", "keyUp"} {
			p.cdp("Input.dispatchKeyEvent", object{"type": kind, "key": "Delete", "code": "Delete", "windowsVirtualKeyCode": 46})
		}
		return
	}
	p.cdp("Input.insertText", object{"text": value})
}

func TestSelectOption(t *testing.T) {
	p := open(t, formPage)
	tests := []struct {
		name, id string
		values   []string
		want     string
	}{
		{"by value", "#sel", []string{"r"}, `["r"]`},
		{"by label", "#sel", []string{"Deep blue"}, `["b"]`},
		{"by text", "#sel", []string{"Red"}, `["r"]`},
		{"text behind a label", "#sel", []string{"Blue"}, `["b"]`},
		{"several", "#multi", []string{"one", "three"}, `["one","three"]`},
		{"exactly those", "#multi", []string{"two"}, `["two"]`},
		{"several of one", "#sel", []string{"r", "b"}, `op: <select#sel> takes one option, not 2`},
		{"disabled", "#sel", []string{"Green"}, `op: option "Green" is disabled`},
		{"unknown", "#sel", []string{"Pink"}, `op: no option matched "Pink"`},
		{"not a select", "#fake", []string{"x"}, `op: <div#fake "Fake"> is not a <select>; use click`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			res := p.call("act", request("select", query(css(tt.id)), "values", tt.values))
			got := verdict(res)
			if got == "ok" {
				got = str(res["values"])
				if back := p.call("held", object{}); str(back["values"]) != got {
					t.Errorf("held %s, want %s", str(back["values"]), got)
				}
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("select: %s, want %s", got, tt.want)
			}
		})
	}
	res := p.call("act", request("select", query(css("#sel")), "values", []string{"Pink"}))
	if got, want := str(res["details"]), `{"count":3,"options":["Red","Deep blue","Green"]}`; got != want {
		t.Errorf("details %s, want %s", got, want)
	}
}

func TestSelectWaitsForOptions(t *testing.T) {
	p := open(t, formPage)
	c := p.start("act", request("select", query(css("#empty")), "values", []string{"late"}, "timeout", 20000))
	p.eval(`empty.innerHTML = '<option>late</option>'`)
	if res := p.finish(c); str(res["values"]) != `["late"]` {
		t.Errorf("select: %s", str(res))
	}
}

func TestTypeAndFocus(t *testing.T) {
	p := open(t, formPage)
	if got := verdict(p.call("act", request("type", nil))); got != "op: nothing on the page has the focus" {
		t.Errorf("type without focus: %s", got)
	}
	p.eval(`btn.focus()`)
	if got := verdict(p.call("act", request("type", nil))); !strings.HasPrefix(got, `op: <button#btn "Go"> takes no text`) {
		t.Errorf("type on a focused button: %s", got)
	}
	for id, want := range map[string]string{"#text": "old+", "#ta": "a\nb+", "#ce": "old bold+", "#num": "7"} {
		if got := verdict(p.call("act", request("type", query(css(id))))); got != "ok" {
			t.Errorf("type %s: %s", id, got)
		}
		add := "+"
		if id == "#num" {
			add = "7"
		}
		p.insert(add)
		if back := p.call("held", object{"value": want}); back["value"] != want {
			t.Errorf("%s holds %q, want %q", id, back["value"], want)
		}
	}
	p.eval(`text.focus(); text.setSelectionRange(0, 0)`)
	p.call("act", request("type", nil))
	p.insert("<")
	if back := p.call("held", object{}); back["value"] != "<old+" {
		t.Errorf("typing at the caret gave %q", back["value"])
	}
	for id, want := range map[string]string{"#btn": "ok", "#lab": "ok", "#div": `op: <div#div "plain"> does not take the focus`} {
		if got := verdict(p.call("act", request("focus", query(css(id)), "need", []string{"attached"}))); got != want {
			t.Errorf("focus %s: %s, want %s", id, got, want)
		}
	}
}

func TestCheckRefusals(t *testing.T) {
	p := open(t, formPage)
	tests := []struct {
		id   string
		on   bool
		want string
	}{
		{"#div", true, `op: <div#div "plain"> is not a checkbox, radio button or switch; use click`},
		{"#rad", false, `op: <input#rad> is a radio button, which cannot be unchecked`},
		{"#rad", true, "ok"},
		{"#chk", true, "ok"},
	}
	for _, tt := range tests {
		got := verdict(p.call("act", request("check", query(css(tt.id)), "on", tt.on)))
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("check %s %v: %s, want %s", tt.id, tt.on, got, tt.want)
		}
	}
}

func TestRead(t *testing.T) {
	p := open(t, `<style>#up{text-transform:uppercase}#s{display:none}</style>
	<p id=p>One  <b>two</b>&nbsp;three<span id=s>x</span><br>four</p><p id=up>loud</p><input id=i value=typed><input id=pw type=password value=hush>
	<select id=sel><option>A<option selected value=b>Bee</select><div id=box style="position:absolute;left:10px;top:20px;width:30px;height:40px;color:red"></div>
	<div id=host></div><div id=sl role=slider aria-valuenow=4 tabindex=0></div><ul><li id=li>x</ul>
	<script>host.attachShadow({mode:'open'}).innerHTML='<p>in shadow</p>'</script>`)
	tests := []struct {
		id, what, attr, want string
	}{
		{"#p", "text", "", `"One two three\nfour"`},
		{"#up", "text", "", `"LOUD"`},
		{"#i", "text", "", `"typed"`},
		{"#pw", "text", "", `""`},
		{"#sel", "text", "", `"Bee"`},
		{"#host", "text", "", `"in shadow"`},
		{"#p", "html", "", `"One  \u003cb\u003etwo\u003c/b\u003e\u0026nbsp;three\u003cspan id=\"s\"\u003ex\u003c/span\u003e\u003cbr\u003efour"`},
		{"#i", "value", "", `"typed"`},
		{"#sel", "value", "", `"b"`},
		{"#sl", "value", "", `"4"`},
		{"#i", "attr", "id", `"i"`},
		{"#i", "attr", "nope", `null`},
		{"#box", "box", "", `{"height":40,"width":30,"x":10,"y":20}`},
	}
	for _, tt := range tests {
		res := p.call("act", request("read", query(css(tt.id)), "what", tt.what, "attr", tt.attr))
		if got := str(res["value"]); res["ok"] != true || got != tt.want {
			t.Errorf("%s of %s: %s, want %s (%s)", tt.what, tt.id, got, tt.want, verdict(res))
		}
	}
	res := p.call("act", request("read", query(css("#box")), "what", "styles"))
	if styles, ok := res["value"].(object); !ok || styles["color"] != "rgb(255, 0, 0)" {
		t.Errorf("styles: %s", str(res))
	}
	res = p.call("act", request("read", query(css("#p")), "what", "text", "limit", 5))
	if res["value"] != "One t… (5 of 18 characters)" || res["cut"] != true {
		t.Errorf("cut in the page: %s", str(res))
	}
	if got := verdict(p.call("act", request("read", query(css("#li")), "what", "value"))); !strings.HasPrefix(got, "op: <li#li") {
		t.Errorf("value of a list item: %s", got)
	}
	if res := p.call("act", request("read", query(css("#pw")), "what", "value")); res["secret"] != true {
		t.Errorf("reading a password: %s, want secret", str(res))
	}
}
