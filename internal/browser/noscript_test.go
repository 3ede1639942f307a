package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// In a session without JavaScript, our scripts still read and act.
func TestNoJavaScript(t *testing.T) {
	for _, program := range testkit.Some(t, "builds", 2, []string{"chromium-headless-shell", "chromium"}) {
		t.Run(program, func(t *testing.T) {
			ctx, b, base := fresh(t, startup.Options{Path: program, NoJavaScript: true}, map[string]string{
				"/": `<!doctype html><title>t</title><p id=p>plain</p><script>document.getElementById('p').textContent='scripted'</script>
<noscript><b id=n>no script</b></noscript>
<form action=/next><label>Name <input name=q required></label><input type=checkbox id=c><select id=s><option>a<option>b</select><button>Send</button></form>
<a id=a href=/next target=_blank>x</a><details><summary>More</summary><i id=i>inside</i></details>`,
				"/next": "<!doctype html><title>next</title><p>next</p>",
			})
			p := b.Active()
			must := func(what string, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			r, err := p.Read(ctx, css("#p"), driver.ReadOptions{What: "text"})
			must("read", err)
			if r.Value != "plain" {
				t.Errorf("the page's script ran: %v", r.Value)
			}
			_, err = p.WaitElement(ctx, css("#n"), driver.ElementState{State: "visible"})
			must("wait for what noscript shows", err)
			_, err = p.Press(ctx, css("button"), driver.PressOptions{})
			wantCode(t, err, diag.StepFailed, "Name")
			filled, err := p.Fill(ctx, css("input[name=q]"), "Ann")
			must("fill", err)
			if filled.Value != "Ann" {
				t.Errorf("filled %q", filled.Value)
			}
			_, err = p.Check(ctx, css("#c"), true)
			must("check", err)
			_, err = p.Select(ctx, css("#s"), []string{"b"}, "")
			must("select", err)
			_, err = p.Press(ctx, css("summary"), driver.PressOptions{})
			must("press a summary", err)
			_, err = p.WaitElement(ctx, css("#i"), driver.ElementState{State: "visible"})
			must("wait for what it shows", err)
			_, err = p.WaitElement(ctx, within(css("#none"), 300*time.Millisecond), driver.ElementState{State: "visible"})
			wantCode(t, err, diag.ElementNotFound)
			must("wait until the page is stable", p.WaitStable(ctx))
			_, err = p.Eval(ctx, "document.title", nil)
			wantCode(t, err, diag.StepFailed, "JavaScript")
			tab := pressIn(t, ctx, b, "#a", driver.PressOptions{}).Tab
			must("switch", b.SwitchTab(ctx, tab))
			if doc, err := b.Active().Document(ctx); err != nil || doc.Title != "next" {
				t.Errorf("the pop-up shows %+v, %v", doc, err)
			}
			must("switch", b.SwitchTab(ctx, "t1"))
			pressed, err := p.Press(ctx, css("button"), driver.PressOptions{})
			must("submit", err)
			if pressed.Navigated == nil || !strings.HasPrefix(pressed.Navigated.URL, base+"/next?q=Ann") {
				t.Errorf("navigated to %+v", pressed.Navigated)
			}
		})
	}
}
