package browser

import (
	"context"
	"testing"

	"actionregistry/diag"
	"actionregistry/steps"
)

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
	check := func(ctx context.Context, p *Page) error { _, err := p.Check(ctx, css("#c"), true); return err }
	choose := func(ctx context.Context, p *Page) error {
		_, err := p.Select(ctx, css("#s"), []string{"b"}, "")
		return err
	}
	typed := func(ctx context.Context, p *Page) error {
		target := css("#f")
		_, err := p.Type(ctx, &target, "new", 0)
		return err
	}
	// by changes the page as its own script does, when no input is under way.
	by := func(script string) func(context.Context, *Page) error {
		return func(ctx context.Context, p *Page) error { _, err := p.Eval(ctx, script, nil); return err }
	}
	const slow = "f.oninput = () => setTimeout(() => { f.value = 'old' }, 100)"
	tests := []struct {
		name, script string
		steps        []func(context.Context, *Page) error
		set, holds   string // "": none
	}{
		{"nothing", "", []func(context.Context, *Page) error{fill("#f", "new"), check, choose}, "", ""},
		{"a field", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.value = 'old'")}, "new", "old"},
		{"a field that was typed into", "", []func(context.Context, *Page) error{typed, by("f.value = 'old'")}, "new", "old"},
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
		{"removed", "", []func(context.Context, *Page) error{fill("#f", "new"), by("f.remove()")}, "", ""},
		{"timers that went on before", "setInterval(() => {}, 10)", []func(context.Context, *Page) error{fill("#f", "new")}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, "<input id=f value=x><input id=g><input id=c type=checkbox><select id=s><option>a<option>b</select><button id=add>Add</button><script>"+tt.script+"</script>")
			evaluate(t, ctx, p, "f.value = ''")
			p.Keep()
			for _, step := range tt.steps {
				err := step(ctx, p)
				if tt.script == slow && diag.CodeOf(err) == diag.StepFailed {
					return // the page was so slow that the timer was over before the read-back
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			got, err := p.Reverted(ctx)
			if err != nil {
				t.Fatal(err)
			}
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
	p.Keep()
	if _, err := p.Fill(ctx, css("#f"), "s3cret"); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, "f.value = 'cretold'")
	got, err := p.Reverted(ctx)
	if err != nil || len(got) != 1 || !got[0].Secret || got[0].Set+got[0].Holds != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}
