package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// nameless is a browser in which the page side cannot query names, like one that we did not start.
// Frames of other sites have their own processes.
var nameless struct {
	sync.Once
	*chrome.Browser
	err error
}

func namelessBrowser(t testing.TB) *chrome.Browser {
	t.Helper()
	nameless.Do(func() {
		o := startup.Options{Args: []string{"--disable-blink-features=ComputedAccessibilityInfo", "--site-per-process"}}
		nameless.Browser, nameless.err = Launch(context.Background(), o)
	})
	if nameless.err != nil {
		t.Fatal(nameless.err)
	}
	return nameless.Browser
}

func closeNameless(ctx context.Context) error {
	if nameless.Browser == nil {
		return nil
	}
	return nameless.Close(ctx)
}

// bothWays runs f in a browser where the page side can query names, and in one where it cannot.
func bothWays(t *testing.T, f func(t *testing.T, b *chrome.Browser)) {
	t.Parallel()
	for _, way := range []string{"asked in the page", "asked from outside"} {
		t.Run(way, func(t *testing.T) {
			b := shared
			if way != "asked in the page" {
				b = namelessBrowser(t)
			}
			f(t, b)
		})
	}
}

// showIn opens "/" of pages, with HERE and FAR as in frameSite.
func showIn(t testing.TB, b *chrome.Browser, pages map[string]string) (context.Context, *Page) {
	t.Helper()
	ctx := testContext(t)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	p.Frames.UseBook(new(snapshot.Book))
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	here, _ := frameSite(t, pages)
	if _, err := p.Open(ctx, here+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	return ctx, p
}

// unlike are elements whose names the engine computes differently from the browser.
var unlike = []struct{ name, html, role, want, own string }{
	{"quotes of CSS", `<style>#t::before{content:open-quote}#t::after{content:close-quote}</style><button id=t>Go</button>`, "button", "“Go”", "Go"},
	{"ruby", `<button id=t><ruby>漢<rt>kan</rt></ruby></button>`, "button", "漢", "漢kan"},
	{"caption of a figure", `<figure id=t><img alt=x><figcaption>A <b>plot</b></figcaption></figure>`, "figure", "", "A plot"},
	{"object", `<button id=t><object>o</object>x</button>`, "button", "x", "ox"},
	{"owned by what is hidden", `<h3 id=t><span hidden aria-owns=o>x</span><mark id=o>treasure</mark></h3>`, "heading", "", "treasure"},
	{"the same", `<style>#t::after{content:" !"}</style><button id=t>Save <b>all</b></button>`, "button", "Save all !", ""},
}

func TestNamesAreTheBrowsers(t *testing.T) {
	testkit.Long(t)
	bothWays(t, func(t *testing.T, b *chrome.Browser) {
		for _, tt := range unlike {
			t.Run(tt.name, func(t *testing.T) {
				ctx, p := showIn(t, b, map[string]string{"/": tt.html})
				s := take(t, ctx, p, snapshot.Options{})
				if want := strings.TrimSuffix(fmt.Sprintf("- %s %q", tt.role, tt.want), ` ""`); !strings.HasPrefix(body(s), want) {
					t.Errorf("snapshot: got %s, want %s", body(s), want)
				}
				for _, target := range []driver.Target{css("#t"), ref("e1"), query(rolePart(tt.role, tt.want))} {
					if f, err := p.Find(ctx, target); err != nil || f.Count != 1 || f.Role != tt.role || f.Name != tt.want || f.Ref != "e1" {
						t.Errorf("find %s: got %+v, %v", target.Source, f, err)
					}
				}
				if f, err := p.Find(ctx, query(rolePart(tt.role, tt.own))); tt.own != "" && (err != nil || f.Count != 0) {
					t.Errorf("find %q: got %+v, %v, want nothing", tt.own, f, err)
				}
			})
		}
	})
}

// Names in frames of the same process and of another one, through an alias, a filter and a field of
// rows.
func TestNamesInFrames(t *testing.T) {
	testkit.Long(t)
	const quoted = `<style>button::before{content:open-quote}button::after{content:close-quote}</style>
		<p><button onclick="this.textContent='Gone'">Go</button></p><p><button>Stay</button></p>`
	bothWays(t, func(t *testing.T, b *chrome.Browser) {
		pages := map[string]string{
			"/":      `<iframe src=HERE/inner id=near></iframe><iframe src=FAR/inner id=far></iframe>`,
			"/inner": quoted,
		}
		for _, frame := range []string{"#near", "#far"} {
			t.Run(frame, func(t *testing.T) {
				ctx, p := showIn(t, b, pages)
				within := func(parts ...selectors.QueryPart) driver.Target {
					inner := selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: frame}}}
					parts = append([]selectors.QueryPart{{Kind: selectors.Frame, Frame: &inner}}, parts...)
					return driver.Target{Source: frame, Timeout: 5 * time.Second, Bind: func(context.Context, driver.Document) (*selectors.Query, error) {
						return &selectors.Query{Parts: parts}, nil
					}}
				}
				goButton := rolePart("button", "“Go”")
				row := []selectors.QueryPart{{Kind: selectors.CSS, Value: "p"}, {Kind: "has", Has: &selectors.Query{Parts: []selectors.QueryPart{goButton}}}}
				if f, err := p.Find(ctx, within(row...)); err != nil || f.Count != 1 {
					t.Errorf("rows that have it: %+v, %v, want one", f, err)
				}
				rows, err := p.Extract(ctx, within(selectors.QueryPart{Kind: selectors.CSS, Value: "p"}), []driver.ExtractField{
					{Name: "go", Query: &selectors.Query{Parts: []selectors.QueryPart{goButton}}, Read: driver.ReadOptions{What: "text"}}}, driver.RowFilter{})
				if got := fmt.Sprint(rows); err != nil || got != "[map[go:Go] map[go:<nil>]]" {
					t.Errorf("rows: got %s, %v", got, err)
				}
				both, err := p.Look(ctx, []driver.Question{{Target: within(goButton), What: "text"}, {Target: within(rolePart("button", "Go")), What: "count"}, {Target: within(row...), What: "count"}})
				if got := fmt.Sprint(both...); err != nil || got != "Go0 1" && got != "Go 0 1" {
					t.Errorf("look: got %s, %v", got, err)
				}
				if n := strings.Count(take(t, ctx, p, snapshot.Options{}).Text(), `- button "“Go”" [ref=`); n != 2 {
					t.Errorf("the snapshot shows %d of 2 buttons by their names", n)
				}
				alias := selectors.QueryPart{Kind: "alias", Alias: "a", Alts: []selectors.QueryAlt{
					{Parts: []selectors.QueryPart{rolePart("button", "Go")}}, {Parts: []selectors.QueryPart{goButton}}}}
				if got, err := p.Press(ctx, within(alias), driver.PressOptions{}); err != nil || got.Name != "“Go”" {
					t.Errorf("press: %+v, %v", got, err)
				}
				if f, err := p.Find(ctx, within(rolePart("button", "“Gone”"))); err != nil || f.Count != 1 {
					t.Errorf("after the press: %+v, %v", f, err)
				}
			})
		}
	})
}

// A name changes during a wait, and after a ref was assigned.
func TestNamesThatChange(t *testing.T) {
	testkit.Long(t)
	const page = `<style>button::before{content:open-quote}button::after{content:close-quote}</style><button id=b>One</button><button>Two</button>`
	bothWays(t, func(t *testing.T, b *chrome.Browser) {
		ctx, p := showIn(t, b, map[string]string{"/": page})
		e1 := ref(refOf(t, take(t, ctx, p, snapshot.Options{}), "“One”"))
		if _, err := p.Press(ctx, e1, driver.PressOptions{}); err != nil {
			t.Error(err)
		}
		evaluate(t, ctx, p, `setTimeout(() => { b.textContent = 'Three' }, 50); 1`)
		if _, err := p.WaitElement(ctx, query(rolePart("button", "“Three”")), driver.ElementState{}); err != nil {
			t.Error(err)
		}
		_, err := p.Press(ctx, e1, driver.PressOptions{})
		wantCode(t, err, diag.StaleRef, `it was button "“One”" and is now button "“Three”"`)
		evaluate(t, ctx, p, `b.outerHTML = '<button id=b>One</button>'; 1`)
		if _, err := p.Press(ctx, e1, driver.PressOptions{}); err != nil {
			t.Error("rendered anew:", err)
		}
		evaluate(t, ctx, p, `b.outerHTML = '<button id=b>One</button><button>One</button>'; 1`)
		_, err = p.Press(ctx, e1, driver.PressOptions{})
		wantCode(t, err, diag.StaleRef, "no longer on the page")
	})
}

// The number of queries to the browser is limited, for any number of candidates and any wait.
func TestNamesAreAskedForSparingly(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	var asked atomic.Int64
	b, err := Launch(testContext(t), startup.Options{
		Args: []string{"--disable-blink-features=ComputedAccessibilityInfo"},
		Trace: func(method string) {
			if method == "Accessibility.getPartialAXTree" {
				asked.Add(1)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	ctx, p := showIn(t, b, map[string]string{"/": `<style>.q::before{content:open-quote}.q::after{content:close-quote}</style><table id=m></table><script>
		m.innerHTML = '<tr><td><button class=q>Go</button><button>Edit</button></td></tr>'.repeat(3) + '<tr><td><button>Edit</button></td></tr>'.repeat(400)</script>`})
	tests := []struct {
		name  string
		most  int64
		found int
		look  driver.Target
	}{
		{"one that fits of a few", 10, 1, query(rolePart("table", ""))},
		{"those that seem to fit, of many", mostRounds * 50, 403, query(rolePart("button", "Edit"))},
		{"those that do not seem to fit, of many", 50, 3, query(rolePart("button", "“Go”"))},
		{"in a filter of many rows", mostRounds * 50, 3, driver.Target{Source: "rows", Bind: func(context.Context, driver.Document) (*selectors.Query, error) {
			has := &selectors.Query{Parts: []selectors.QueryPart{rolePart("button", "“Go”")}}
			return &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: "tr"}, {Kind: "has", Has: has}}}, nil
		}}},
	}
	for _, tt := range tests {
		asked.Store(0)
		f, err := p.Find(ctx, tt.look)
		if n := asked.Load(); err != nil || f.Count != tt.found || n > tt.most {
			t.Errorf("%s: %d found, %v, asked for %d; want %d, at most %d", tt.name, f.Count, err, n, tt.found, tt.most)
		}
	}
	asked.Store(0)
	_, err = p.WaitElement(ctx, within(query(rolePart("button", "None")), time.Second), driver.ElementState{})
	if n := asked.Load(); n > 250 {
		t.Errorf("asked for %d in a second's wait", n)
	}
	wantCode(t, err, diag.ElementNotFound)
}
