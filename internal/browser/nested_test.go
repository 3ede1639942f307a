package browser

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// written returns the target of a selector as it is written, with a value for ${x}.
func written(t testing.TB, src, x string) driver.Target {
	t.Helper()
	sel, err := selectors.Parse(src, selectors.Options{Expr: expr.Options{Params: map[string]bool{"x": true}}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := sel.Bind(selectors.Binding{Scope: &expr.Scope{Params: map[string]any{"x": x}}})
	if err != nil {
		t.Fatal(err)
	}
	target := chain(q.Parts...)
	target.Source, target.Timeout = sel.String(), 1500*time.Millisecond
	return target
}

// Selectors in parentheses, in a document and in frames that the page's own world cannot enter.
func TestNestedSelectors(t *testing.T) {
	const form = `<style>.gone{display:none}</style>
<div class="x-dropdown gone"><a>One</a></div><div class="x-dropdown"><a id=two>Two</a></div>
<ul><li>Ann</li><li class=off>Bob</li><li>Cid</li></ul><h2>Orders</h2><p>text</p><table><tr><td>1</td><td>2</td></tr></table>
<div id=host><b>slotted</b></div>
<script>host.attachShadow({mode:'open'}).innerHTML='<section class=off><slot></slot></section><i>plain</i>'</script>`
	tests := []struct{ src, want string }{
		{"class:dropdown >> visible: >> css:a", "Two"},
		{"css:li >> not:(class:off) >> nth:1", "Cid"},
		{"css:li >> not:(has-text:Ann) >> not:(class:off)", "Cid"},
		{"css:b, i >> not:(css:.off)", "plain"},
		{"text:slotted >> closest:(class:off)", "slotted"},
		{"text:Two >> closest:(class:dropdown)", "Two"},
		{"role:heading[name='Orders'] >> next:(css:table) >> css:td >> nth:-1", "2"},
		{"text:1 >> next:(css:td)", "2"},
		{"any:(css:.absent | class:dropdown >> visible:) >> css:a", "Two"},
		{"any:(text:Bob | text:Bob >> closest:(css:li))", "Bob"},
		{"css:li, h2 >> not:(role:heading[name='Orders']) >> nth:0", "Ann"},
		{"any:(role:heading[name='Orders'] | role:heading[name='Others'])", "Orders"},
		{"within:Orders >> any:(css:td >> nth:1 | text:nothing)", "2"},
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{"/main": form + `<iframe id=far src="FAR/form"></iframe><iframe id=near src="HERE/form"></iframe>`, "/form": form})
		for _, lead := range []string{"", "frame:#near >> ", "frame:#far >> ", "frame:any:(css:#far | css:#absent) >> "} {
			for _, tt := range tests {
				if got := readText(t, ctx, p, written(t, lead+tt.src, "")); got != tt.want {
					t.Errorf("%s%s: got %q, want %q", lead, tt.src, got, tt.want)
				}
			}
		}
		for _, src := range []string{"css:ul >> not:(frame:#far >> css:b)", "any:(css:ul | frame:#far >> css:b)", "css:ul >> closest:(frame:#far >> css:b)"} {
			_, err := p.Press(ctx, written(t, src, ""), driver.PressOptions{})
			wantCode(t, err, diag.ParamInvalid, "another origin")
		}
		for _, src := range []string{"css:li >> not:(frame:#near >> css:li)", "any:(frame:#near >> css:li | css:nothing)"} {
			if n, err := p.Count(ctx, written(t, src, "")); err != nil || n != 3 {
				t.Errorf("%s: got %d, %v, want 3", src, n, err)
			}
		}
	})
}

// An element in a hidden frame is not visible.
func TestVisibleInFrames(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{"/form": `<p>text</p>`,
			"/main": `<iframe id=near src="HERE/form"></iframe><iframe id=far src="FAR/form"></iframe><iframe id=hidnear style="display:none" src="HERE/form"></iframe><iframe id=hidfar style="display:none" src="FAR/form"></iframe>`})
		for src, want := range map[string]int{
			"frame:#near >> css:p >> visible:":                           1,
			"frame:#far >> css:p >> visible:":                            1,
			"frame:#hidnear >> css:p":                                    1,
			"frame:#hidfar >> css:p":                                     1,
			"frame:#hidnear >> css:p >> visible:":                        0,
			"frame:#hidfar >> css:p >> visible:":                         0,
			"frame:#hidfar >> any:(css:i | css:p >> visible:)":           0,
			"css:iframe >> visible:":                                     2,
			"frame:any:(css:#hidfar | css:#absent) >> css:p >> visible:": 0,
		} {
			if n, err := p.Count(ctx, written(t, src, "")); err != nil || n != want {
				t.Errorf("%s: got %d, %v, want %d", src, n, err, want)
			}
		}
	})
}

// A value is literal text, even if it looks like a selector.
func TestNestedValues(t *testing.T) {
	ctx, p := show(t, "<body>")
	for _, value := range []string{"a)", "a | b", "a) | css:p", "a >> css:p", `"a" | 'b'`, "none", "visible:", "${x}", `a\) b`, "(a"} {
		script := `document.body.innerHTML = '<ul><li><b></b></li><li>other</li></ul><p></p>'; document.querySelector('b').textContent = v; document.querySelector('p').className = 'lib-' + v`
		if _, err := p.Eval(ctx, script, map[string]any{"v": value}); err != nil {
			t.Fatal(err)
		}
		for src, want := range map[string]int{
			"css:li >> not:(has-text:${x})":                                     1,
			"css:b >> not:(text:${x})":                                          0,
			"any:(text:${x} | css:.absent)":                                     1,
			"any:(css:.absent | text:other | text:${x})":                        2,
			"text:${x} >> closest:(css:li)":                                     1,
			"text:${x} >> closest:(css:li >> has:(text:${x})) >> next:(css:li)": 1,
			"css:ul >> has:(any:(text:${x} | text:none such))":                  1,
		} {
			if n, err := p.Count(ctx, written(t, src, value)); err != nil || n != want {
				t.Errorf("%s with %q: got %d, %v, want %d", src, value, n, err, want)
			}
		}
		if strings.ContainsAny(value, " ") {
			continue
		}
		if n, err := p.Count(ctx, written(t, "class:${x}", value)); err != nil || n != 1 {
			t.Errorf("class:%s: got %d, %v, want 1", value, n, err)
		}
	}
}

// The element of a wait may appear late, and disappear.
func TestNestedWaits(t *testing.T) {
	ctx, p := show(t, `<style>.gone{display:none}</style><div id=a class="x-menu gone"><button>Save</button></div><div id=b class="x-menu"><button>Save</button></div>`)
	evaluate(t, ctx, p, `setTimeout(() => { a.classList.remove('gone'); b.classList.add('gone') }, 300)`)
	for src, state := range map[string]string{
		"css:#a >> visible: >> text:Save":                    "visible",
		"class:menu >> not:(css:#a) >> visible:":             "hidden",
		"any:(css:#b >> visible: | css:.absent)":             "detached",
		"text:Save >> visible: >> closest:(class:menu.menu)": "visible",
	} {
		if _, err := p.WaitElement(ctx, written(t, src, ""), driver.ElementState{State: state}); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	if _, err := p.Press(ctx, written(t, "class:menu >> visible: >> role:button[name='Save']", ""), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	_, err := p.Press(ctx, within(written(t, "class:menu >> not:(class:menu)", ""), 300*time.Millisecond), driver.PressOptions{})
	wantCode(t, err, diag.ElementNotFound, "nothing matches class:menu")
}

// A selector that matches nothing does not query the page, which does not answer here.
func TestNone(t *testing.T) {
	ctx, p := show(t, `<p>text</p><iframe src="about:blank"></iframe>`)
	if n, err := p.Count(ctx, css("p")); err != nil || n != 1 { // the page is ready
		t.Fatal(n, err)
	}
	evaluate(t, ctx, p, `setTimeout(() => { const end = Date.now() + 4000; while (Date.now() < end); }, 20)`)
	time.Sleep(100 * time.Millisecond)
	start := time.Now()
	for _, src := range []string{"none", "css:p >> none >> text:x", "css:p >> has:(none)", "any:(none | css:p >> none)", "frame:none >> css:p", "css:p >> closest:(none)"} {
		target := written(t, src, "")
		if n, err := p.Count(ctx, target); err != nil || n != 0 {
			t.Errorf("count %s: got %d, %v", src, n, err)
		}
		if is, err := p.Is(ctx, target, "visible"); err != nil || is {
			t.Errorf("is visible %s: got %v, %v", src, is, err)
		}
		if f, err := p.Find(ctx, target); err != nil || f.Count != 0 || f.Visible || f.Ref != "" {
			t.Errorf("find %s: got %+v, %v", src, f, err)
		}
		if rows, err := p.Extract(ctx, target, []driver.ExtractField{{Name: "a"}}, driver.RowFilter{}); err != nil || len(rows) != 0 {
			t.Errorf("extract %s: got %v, %v", src, rows, err)
		}
		for _, state := range []string{"hidden", "detached"} {
			if _, err := p.WaitElement(ctx, target, driver.ElementState{State: state}); err != nil {
				t.Errorf("wait %s %s: %v", state, src, err)
			}
		}
		_, err := p.WaitElement(ctx, target, driver.ElementState{State: "visible"})
		wantCode(t, err, diag.ElementNotFound, `contains the selector "none"`)
		_, err = p.Is(ctx, target, "checked")
		wantCode(t, err, diag.ElementNotFound, `contains the selector "none"`)
		_, err = p.Press(ctx, target, driver.PressOptions{})
		wantCode(t, err, diag.ElementNotFound, `contains the selector "none"`)
		_, err = p.Read(ctx, target, driver.ReadOptions{What: "text"})
		wantCode(t, err, diag.ElementNotFound, `contains the selector "none"`)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("took %v beside a page that does not answer", took)
	}
}
