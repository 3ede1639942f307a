package browser

import (
	"context"
	"testing"

	"actionregistry/diag"
	"actionregistry/steps"
)

const bareSlider = `<div id=sl role=slider tabindex=0 aria-label=Level aria-valuemin=0 aria-valuemax=9 aria-valuenow=0 style="width:90px;height:9px"></div>
<script>sl.onkeydown = (e) => {
	const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key] ?? 0;
	sl.setAttribute('aria-valuenow', Number(sl.getAttribute('aria-valuenow')) + by);
}</script>`

// A control that a run has set is looked at again at its end. What the page has changed
// by itself is a revert; what may come of a later input is not.
func TestReverted(t *testing.T) {
	fill := func(id, value string) func(context.Context, *Page) error {
		return func(ctx context.Context, p *Page) error { _, err := p.Fill(ctx, css(id), value); return err }
	}
	press := func(ctx context.Context, p *Page) error {
		_, err := p.Press(ctx, css("#add"), steps.PressOptions{})
		p.Excuse(ctx)
		return err
	}
	focus := func(ctx context.Context, p *Page) error { _, err := p.Focus(ctx, css("#g")); return err }
	check := func(ctx context.Context, p *Page) error { _, err := p.Check(ctx, css("#c"), true); return err }
	choose := func(ctx context.Context, p *Page) error {
		_, err := p.Select(ctx, css("#s"), []string{"b"}, "")
		return err
	}
	types := func(text string) func(context.Context, *Page) error {
		return func(ctx context.Context, p *Page) error {
			target := css("#f")
			_, err := p.Type(ctx, &target, text, 0)
			return err
		}
	}
	// by changes the page as its own script does, when no input is under way.
	by := func(script string) func(context.Context, *Page) error {
		return func(ctx context.Context, p *Page) error { _, err := p.Eval(ctx, script, nil); return err }
	}
	key := func(ctx context.Context, p *Page) error { // as the executor does it
		p.LookBack(ctx)
		_, err := p.Key(ctx, nil, "ArrowDown", 1)
		p.Excuse(ctx)
		return err
	}
	away := func(ctx context.Context, p *Page) error {
		p.LookBack(ctx)
		_, err := p.Open(ctx, "about:blank", steps.Load)
		p.Excuse(ctx)
		return err
	}
	slide := func(ctx context.Context, p *Page) error { _, err := p.Fill(ctx, css("#sl"), "3"); return err }
	normal := func(body string) string { return "f.onblur = () => { f.value = " + body + " }" }
	const slow = "f.oninput = () => setTimeout(() => { f.value = 'old' }, 100)"
	tests := []struct {
		name, script string
		steps        []func(context.Context, *Page) error
		set, holds   string // "": none
	}{
		{"nothing", "", []func(context.Context, *Page) error{fill("#f", "new"), check, choose}, "", ""},
		{"a field", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'")}, "new", "old"},
		{"a field that was typed into", "", []func(context.Context, *Page) error{types("new"), by("f.value = 'old'")}, "new", "old"},
		{"a box", "", []func(context.Context, *Page) error{check, by("c.checked = false")}, "checked", "unchecked"},
		{"a list", "", []func(context.Context, *Page) error{choose, by("s.value = 'a'")}, "b", "a"},
		{"in a timer", slow, []func(context.Context, *Page) error{fill("#f", "new")}, "new", "old"},
		{"a number without its sign", "", []func(context.Context, *Page) error{fill("#f", "-5"), by("f.value = '5'")}, "-5", "5"},
		{"a number in groups", "", []func(context.Context, *Page) error{fill("#f", "1234"), by("f.value = '1,234.00'")}, "", ""},
		{"before another field", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), fill("#g", "x")}, "new", "old"},
		{"before a press", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), press}, "new", "old"},
		{"behind another field", "", []func(context.Context, *Page) error{fill("#f", "new"), fill("#g", "x"), by("f.value = 'old'")}, "new", "old"},
		{"by another field", "g.oninput = () => { f.value = '' }", []func(context.Context, *Page) error{fill("#f", "new"), fill("#g", "x")}, "", ""},
		{"by a press", "add.onclick = () => { f.value = '' }", []func(context.Context, *Page) error{fill("#f", "new"), press}, "", ""},
		{"late by a press", "", []func(context.Context, *Page) error{fill("#f", "new"), press, by("f.value = ''")}, "", ""},
		{"set again", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), fill("#f", "newer")}, "", ""},
		{"as another node", "", []func(context.Context, *Page) error{fill("#f", "new"), by("const n = f.cloneNode(); n.value = 'old'; f.replaceWith(n)")}, "new", "old"},
		{"before a key", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), key}, "new", "old"},
		{"by a key", "onkeydown = () => { f.value = '' }", []func(context.Context, *Page) error{fill("#f", "new"), key}, "", ""},
		{"before another page", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), away}, "new", "old"},
		{"with another page", "", []func(context.Context, *Page) error{fill("#f", "new"), away}, "", ""},
		{"before a press that leads away", "add.onclick = () => { location = 'about:blank' }", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), press}, "new", "old"},
		{"set again before a press that leads away", "add.onclick = () => { location = 'about:blank' }",
			[]func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'"), fill("#g", "x"), fill("#f", "newer"), press}, "", ""},
		{"a press that removes it", "add.onclick = () => f.remove()", []func(context.Context, *Page) error{fill("#f", "new"), press}, "", ""},
		{"in a timer of another field", "g.oninput = () => setTimeout(() => {}, 0)", []func(context.Context, *Page) error{fill("#f", "new"), fill("#g", "x"), by("f.value = ''")}, "new", ""},
		{"in a timer after blur", "f.onchange = () => setTimeout(() => {}, 0)", []func(context.Context, *Page) error{fill("#f", "new"), fill("#g", "x"), by("f.value = ''")}, "new", ""},
		{"on the blur of a focus", "f.onblur = () => { f.value = '' }", []func(context.Context, *Page) error{fill("#f", "new"), focus}, "new", ""},
		{"behind a focus", "", []func(context.Context, *Page) error{fill("#f", "new"), focus, by("f.value = ''")}, "new", ""},
		{"trimmed on blur", normal("f.value.trim()"), []func(context.Context, *Page) error{fill("#f", " new "), fill("#g", "x")}, "", ""},
		{"in capitals on blur", normal("f.value.toUpperCase()"), []func(context.Context, *Page) error{fill("#f", "new"), fill("#g", "x")}, "", ""},
		{"a number on blur", normal("'1,234.50'"), []func(context.Context, *Page) error{fill("#f", "1234.5"), fill("#g", "x")}, "", ""},
		{"a telephone number on blur", normal("'(555) 123-4567'"), []func(context.Context, *Page) error{fill("#f", "5551234567"), fill("#g", "x")}, "", ""},
		{"trimmed by itself", "", []func(context.Context, *Page) error{fill("#f", " new "), by("f.value = 'NEW'")}, "", ""},
		{"a date in a timer after blur", "f.onblur = () => setTimeout(() => {}, 0)", []func(context.Context, *Page) error{fill("#f", "1/2/2024"), fill("#g", "x"), by("f.value = '2024-02-01'")}, "1/2/2024", "2024-02-01"},
		{"a search with suggestions", "f.oninput = () => setTimeout(() => { s.add(new Option(f.value)) }, 100)", []func(context.Context, *Page) error{fill("#f", "new")}, "", ""},
		{"as another node with its value", "", []func(context.Context, *Page) error{fill("#f", "new"), by("const n = f.cloneNode(); n.value = f.value; f.replaceWith(n)")}, "", ""},
		{"filled, and typed into with keys", "", []func(context.Context, *Page) error{fill("#f", "a"), types("b\tc")}, "", ""},
		{"before a text with keys", "", []func(context.Context, *Page) error{fill("#g", "x"), by("g.value = 'old'"), types("b\n")}, "x", "old"},
		{"late by a text with keys", "", []func(context.Context, *Page) error{fill("#g", "x"), types("b\n"), by("g.value = ''")}, "", ""},
		{"each in a loop", "", []func(context.Context, *Page) error{fill("#f", "a"), fill("#f", "b"), fill("#f", "c")}, "", ""},
		{"a slider without a text", "", []func(context.Context, *Page) error{slide, by("sl.setAttribute('aria-valuenow', '0')")}, "3", "0"},
		{"a slider that stays", "", []func(context.Context, *Page) error{slide}, "", ""},
		{"removed", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.remove()")}, "", ""},
		{"timers that went on before", "setInterval(() => {}, 10)", []func(context.Context, *Page) error{fill("#f", "new")}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, "<input id=f value=x><input id=g><input id=c type=checkbox><select id=s><option>a<option>b</select><button id=add>Add</button>"+bareSlider+"<script>"+tt.script+"</script>")
			evaluate(t, ctx, p, "f.value = ''")
			p.Keep(true)
			for _, step := range tt.steps {
				err := step(ctx, p)
				if tt.script == slow && diag.CodeOf(err) == diag.StepFailed {
					return // the page was so slow that the timer was over before the read-back
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			got := p.Reverted(ctx, true)
			switch {
			case tt.set == "" && len(got) > 0:
				t.Errorf("reverted: %+v, want none", got)
			case tt.set != "" && (len(got) != 1 || got[0].Set != tt.set || got[0].Holds != tt.holds):
				t.Errorf("reverted: %+v, want %q to %q", got, tt.set, tt.holds)
			}
		})
	}
}

func TestRevertedNeverShowsPasswords(t *testing.T) {
	ctx, p := show(t, `<input id=f type=password>`)
	p.Keep(true)
	if _, err := p.Fill(ctx, css("#f"), "s3cret"); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, "f.value = 'cretold'")
	got := p.Reverted(ctx, true)
	if len(got) != 1 || !got[0].Secret || got[0].Set+got[0].Holds != "" {
		t.Errorf("got %+v", got)
	}
}

// An input for files that the page empties afterwards has lost them, unless it shows them
// or has sent them.
func TestRevertedFiles(t *testing.T) {
	const empties = "f.value = ''"
	tests := []struct {
		name, script, by string
		want             int
	}{
		{"kept", "", "", 0},
		{"emptied", "", empties, 1},
		{"emptied and refused", "", empties + "; out.setAttribute('role', 'alert'); out.textContent = 'a.txt is too large'", 1},
		{"emptied and shown", "", empties + "; out.textContent = 'a.txt'", 0},
		{"emptied and pictured", "", empties + "; out.innerHTML = '<canvas width=20 height=20>'", 0},
		{"emptied and sent", "", "fetch('/', {method: 'POST', body: f.files[0]}).then(() => { " + empties + " })", 0},
		{"another input in its place", "", "f.outerHTML = '<input id=f type=file>'", 0},
		{"in a timer", "f.onchange = () => setTimeout(() => { f.value = '' }, 200)", "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, "<input id=f type=file><p id=out></p><script>"+tt.script+"</script>")
			p.Keep(true)
			if up, err := p.Upload(ctx, css("#f"), uploads(t, "a.txt")); err != nil || !up.Kept {
				if tt.script != "" {
					return // the page was so slow that the timer was over before the read-back
				}
				t.Fatalf("upload: %+v, %v", up, err)
			}
			if tt.by != "" {
				if _, err := p.Eval(ctx, tt.by, nil); err != nil {
					t.Fatal(err)
				}
			}
			if got := p.Reverted(ctx, true); len(got) != tt.want {
				t.Errorf("reverted: %+v, want %d", got, tt.want)
			}
		})
	}
}
