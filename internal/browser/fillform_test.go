package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

const wholeForm = `<form>
	<label>Name <input id=name></label> <label for=mail>Mail</label><input id=mail type=email>
	<label>Notes <textarea id=notes></textarea></label> <label>Born <input id=born type=date></label>
	<label>Volume <input id=volume type=range min=0 max=10></label> <label>Secret <input id=pw type=password></label>
	<label>Country <select id=country><option value=no>Norway<option value=se>Sweden</select></label>
	<label>Langs <select id=langs multiple><option>en<option>de<option>no</select></label>
	<label><input id=news type=checkbox checked> Newsletter</label>
	<div id=dark role=switch aria-checked=false aria-label="Dark mode" tabindex=0 onclick="this.ariaChecked=this.ariaChecked!=='true'">o</div>
	<fieldset><legend>Size</legend><label><input type=radio name=size value=s> Small</label><label><input type=radio name=size value=l> Large</label></fieldset>
	<fieldset><legend>Toppings</legend><label><input type=checkbox name=top value=ham> Ham</label><label><input type=checkbox name=top value=egg> Egg</label></fieldset>
	<div role=radiogroup aria-label=Plan><div role=radio aria-checked=false aria-label=Free tabindex=0 onclick="this.ariaChecked='true'">F</div><div role=radio aria-checked=false aria-label=Paid tabindex=0 onclick="this.ariaChecked='true'">P</div></div>
	<label>Locked <input id=locked readonly value=x></label> <label>Twice <input></label><label>Twice <input></label>
	<label>Act <button type=button>b</button></label></form>`

func TestFillForm(t *testing.T) {
	ctx, p := show(t, wholeForm)
	got, _, err := runStep(t, ctx, p, "fill_form", map[string]any{"fields": map[string]any{
		"Name": `Ada "L" >> x`, "Mail": "a@b.test", "Notes": "a\nb", "Born": "1815-12-10", "Volume": 7, "Secret": "s3cret",
		"Country": "Sweden", "Langs": []any{"en", "no"}, "Newsletter": false, "Dark mode": true,
		"Size": "Large", "Toppings": []any{"Ham", "Egg"}, "Plan": "Paid",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"Name": `Ada "L" >> x`, "Mail": "a@b.test", "Notes": "a\nb", "Born": "1815-12-10", "Volume": "7", "Secret": "***",
		"Country": []any{"se"}, "Langs": []any{"en", "no"}, "Newsletter": false, "Dark mode": true,
		"Size": []any{"Large"}, "Toppings": []any{"Ham", "Egg"}, "Plan": []any{"Paid"},
	}
	if g, w := fmt.Sprint(got["fields"]), fmt.Sprint(want); g != w {
		t.Errorf("fields\n%s\nwant\n%s", g, w)
	}
	const page = `JSON.stringify([name.value,...['name','mail','notes','born','volume','pw','country'].map(i=>document.getElementById(i).value),
		[...langs.selectedOptions].map(o=>o.value).join(),news.checked,dark.ariaChecked,document.querySelector('[name=size]:checked').value,
		document.querySelectorAll('[name=top]:checked').length,document.querySelector('[aria-label=Paid]').ariaChecked].slice(1))`
	const holds = `["Ada \"L\" >> x","a@b.test","a\nb","1815-12-10","7","s3cret","se","en,no",false,"true","l",2,"true"]`
	if v := evaluate(t, ctx, p, page); v != holds {
		t.Errorf("the page holds %v\nwant %v", v, holds)
	}
}

func TestFillFormRefuses(t *testing.T) {
	tests := []struct {
		name   string
		fields map[string]any
		code   diag.Code
		texts  []string
	}{
		{"no such field", map[string]any{"Name": "Ada", "Zip": "1"}, diag.ElementNotFound, []string{`the field "Zip"`, "done before: Name"}},
		{"readonly", map[string]any{"Locked": "y"}, diag.ElementNotInteractable, []string{`the field "Locked"`, "readonly"}},
		{"no option", map[string]any{"Country": "Chile"}, diag.StepFailed, []string{`no option matched "Chile"`}},
		{"no member of the group", map[string]any{"Size": "Huge"}, diag.ElementNotFound, []string{"Huge"}},
		{"text for a checkbox", map[string]any{"Newsletter": "maybe"}, diag.ParamInvalid, []string{"true or false"}},
		{"list for a text", map[string]any{"Name": []any{"a", "b"}}, diag.ParamInvalid, []string{"one text"}},
		{"map for an option", map[string]any{"Country": map[string]any{}}, diag.ParamInvalid, []string{"the text of an option"}},
		{"two with one label", map[string]any{"Twice": "x"}, diag.ElementAmbiguous, []string{"2 elements"}},
		{"no field", map[string]any{"Act": "x"}, diag.StepFailed, []string{"use click"}},
		{"not a date", map[string]any{"Born": "soon"}, diag.StepFailed, []string{"YYYY-MM-DD"}},
		{"nothing", map[string]any{}, diag.ParamInvalid, []string{"empty"}},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, wholeForm)
			_, _, err := runStep(t, ctx, p, "fill_form", map[string]any{"fields": tt.fields})
			e := wantCode(t, err, tt.code, tt.texts...)
			if tt.name == "no such field" && fmt.Sprint(e.Details["done"]) != "[Name]" {
				t.Errorf("details %v, want what was done", e.Details)
			}
		})
	}
}

// Controlled inputs of real libraries keep the value that a step sets.
func TestControlledInputs(t *testing.T) {
	type m = map[string]any
	tests := []struct {
		page   string
		fields m
		want   m // of the library's own state
	}{
		{"react.html", m{"Name": "Ada", "Digits": "12345", "Notes": "new\nlines", "Agree": true, "Colour": "blue", "Date": "2026-02-28", "Level": "70"},
			m{"name": "Ada", "digits": "12345", "notes": "new\nlines", "agree": true, "colour": "blue", "date": "2026-02-28", "level": "70"}},
		{"vue.html", m{"Name": "Ada", "Lazy": "late", "Trimmed": "x", "Number": 42, "Digits": "12345", "Notes": "new\nlines", "Agree": true, "Colour": "blue",
			"Several": []any{"one", "three"}, "Date": "2026-02-28", "Level": "70"},
			m{"name": "Ada", "trimmed": "x", "number": 42.0, "digits": "12345", "notes": "new\nlines", "agree": true, "colour": "blue", "several": []any{"one", "three"}, "date": "2026-02-28", "level": "70"}},
	}
	base := serve(t, pages.Handler())
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.page, func(t *testing.T) {
			ctx, p := newPage(t)
			if _, err := p.Open(ctx, base+"/"+tt.page, driver.Load); err != nil {
				t.Fatal(err)
			}
			if _, _, err := runStep(t, ctx, p, "fill_form", m{"fields": tt.fields}); err != nil {
				t.Fatal(err)
			}
			var state m
			text, _ := evaluate(t, ctx, p, "document.getElementById('state').textContent").(string)
			if err := json.Unmarshal([]byte(text), &state); err != nil {
				t.Fatalf("state %q: %v", text, err)
			}
			for name, want := range tt.want {
				if fmt.Sprint(state[name]) != fmt.Sprint(want) {
					t.Errorf("%s is %v, want %v", name, state[name], want)
				}
			}
		})
	}
	refusals := []struct {
		field string
		value any
		text  string
	}{
		{"Digits", "abc", `holds ""`},
		{"Locked", "open", `holds "locked"`},
		{"Refuses", true, "unchecked after the press"},
	}
	for _, tt := range refusals {
		t.Run("react refuses "+tt.field, func(t *testing.T) {
			ctx, p := newPage(t)
			if _, err := p.Open(ctx, base+"/react.html", driver.Load); err != nil {
				t.Fatal(err)
			}
			_, _, err := runStep(t, ctx, p, "fill_form", m{"fields": m{tt.field: tt.value}})
			wantCode(t, err, diag.StepFailed, tt.text)
		})
	}
}

func TestGetLimit(t *testing.T) {
	ctx, p := show(t, `<p id=p title="`+strings.Repeat("t", 50)+`">`+strings.Repeat("é", 3000)+`</p><input id=pw type=password value=s3cret>`)
	get := func(args map[string]any) steps.Result {
		t.Helper()
		r, _, err := runStep(t, ctx, p, "get", args)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := get(map[string]any{"selector": "css:#p", "what": "text"}); len(r["text"].(string)) != 6000 || r["truncated"] != nil {
		t.Errorf("%d bytes, truncated %v, want all", len(r["text"].(string)), r["truncated"])
	}
	r := get(map[string]any{"selector": "css:#p", "what": "text", "limit": 10})
	if want := strings.Repeat("é", 10) + "… (10 of 3000 characters)"; r["text"] != want || r["truncated"] != true {
		t.Errorf("got %q, truncated %v, want %q", r["text"], r["truncated"], want)
	}
	r = get(map[string]any{"selector": "css:#p", "what": "attrs", "limit": 3})
	if got := fmt.Sprint(r["attrs"]); got != "map[id:p title:ttt… (3 of 50 characters)]" {
		t.Errorf("attributes %s", got)
	}
	evaluate(t, ctx, p, `document.getElementById("p").textContent = "a😀b\ud800c👩‍👩‍👧"`)
	for limit, want := range map[int]string{1: "a… (1 of 10 characters)", 2: "a😀… (2 of 10 characters)", 4: "a😀b\ufffd… (4 of 10 characters)", 9: "a😀b\ufffdc👩\u200d👩\u200d… (9 of 10 characters)", 10: "a😀b\ufffdc👩‍👩‍👧"} {
		if r := get(map[string]any{"selector": "css:#p", "what": "html", "limit": limit}); r["html"] != want {
			t.Errorf("limit %d: got %q, want %q", limit, r["html"], want)
		}
	}
	if r := get(map[string]any{"selector": "css:#p", "what": "outer_html", "limit": 9}); r["outer_html"] != `<p id="p"… (9 of 83 characters)` {
		t.Errorf("outer HTML %q", r["outer_html"])
	}
	if r := get(map[string]any{"selector": "css:#pw", "what": "attrs"}); strings.Contains(fmt.Sprint(r), "s3cret") {
		t.Errorf("%v tells a password", r)
	}
}

// A page that has broken the functions that scripts use does not break steps.
func TestStepsOnHostilePage(t *testing.T) {
	type m = map[string]any
	base := serve(t, pages.Handler())
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, base+"/hostile.html", driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		args m
		want string // a part of the result
	}{
		{"fill_form", m{"fields": m{"Name": "Ada", "Agree": true, "Colour": "Green"}}, "Colour:[g] Name:Ada"},
		{"type", m{"selector": "label:Name", "text": " L"}, "text:Ada L"},
		{"hover", m{"selector": "css:#press"}, "name:Press"},
		{"click_and_hold", m{"selector": "css:#press", "duration": 1}, "name:Press"},
		{"wait", m{"text": "pressed"}, ""},
		{"scroll", m{"direction": "down"}, "element:the page"},
		{"scroll_to", m{"y": 0}, "element:the page"},
		{"drag", m{"from": "css:h1", "to": "css:#press"}, "kind:pointer"},
		{"mouse_move", m{"x": 5, "y": 5}, "held:[]"},
		{"key_down", m{"key": "Shift"}, "held:[Shift]"},
		{"key_up", m{"key": "Shift"}, "held:[]"},
		{"scroll_until", m{"stop_text": "Hostile"}, "text_found"},
		{"get", m{"selector": "css:#name", "what": "attrs"}, "id:name"},
	} {
		got, _, err := runStep(t, ctx, p, step.name, step.args)
		if err != nil || !strings.Contains(fmt.Sprint(got), step.want) {
			t.Errorf("%s: got %v, %v, want %s", step.name, got, err, step.want)
		}
	}
}
