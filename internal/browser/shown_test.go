package browser

import (
	"testing"

	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

// The address that is known without a query of the page is the one that the page itself reports.
func TestShown(t *testing.T) {
	tests := []struct{ name, script string }{
		{"nothing", "0"},
		{"fragment", "location.hash = 'part é'"},
		{"pushState", "history.pushState(null, '', '/other?x=1#y')"},
		{"replaceState", "history.replaceState(null, '', '?z=%20 2')"},
		{"written anew", "document.open(); document.write('<title>anew</title>'); document.close()"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, "<title>old</title>")
			if _, err := p.Eval(ctx, tt.script, nil); err != nil {
				t.Fatal(err)
			}
			wantShown(t, p)
		})
	}
	t.Run("written by its opener", func(t *testing.T) {
		ctx, b, base := fresh(t, startup.Options{}, map[string]string{
			"/": `<button id=open onclick="window.made = window.open('')">x</button>
				<button id=write onclick="const d = made.document; d.open(); d.write('<title>made</title>'); d.close()">x</button>`,
		})
		opener := b.Active()
		tab := pressIn(t, ctx, b, "#open", driver.PressOptions{}).Tab
		if _, err := opener.Press(ctx, css("#write"), driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := b.SwitchTab(ctx, tab); err != nil {
			t.Fatal(err)
		}
		p := b.Active().(*Page)
		wantShown(t, p)
		if d, err := p.Shown(ctx); err != nil || d.URL != base+"/" {
			t.Errorf("the page shows %q (%v), want that of its opener", d.URL, err)
		}
	})
}

// wantShown compares what is known without a query of the page with what the page itself reports.
func wantShown(t *testing.T, p *Page) {
	t.Helper()
	got, err := p.Shown(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want.Title = ""; got != want {
		t.Errorf("shown is %+v, the page tells %+v", got, want)
	}
}
