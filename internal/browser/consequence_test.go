package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// nowherePages serves links that lead to no document, and some that do.
func nowherePages(t *testing.T) string {
	t.Helper()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close() // nothing is listening there now
	mux := http.NewServeMux()
	html := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>", strings.ReplaceAll(body, "GONE", gone.URL))
		})
	}
	const links = `<title>start</title>
		<a id=none href=/none>x</a> <a id=reset href=/reset>x</a> <a id=gone href="GONE/">x</a> <a id=framed href=/framed>x</a>
		<a id=next href=/next>x</a> <a id=file href=/file>x</a> <a id=mail href="mailto:a@b.test">x</a>
		<a id=prevented href=/none onclick="event.preventDefault()">x</a>
		<form action=/none method=post><input id=f name=f><button id=post>x</button></form>
		<button id=script onclick="location.assign('/none')">x</button>
		<button id=stop onclick="location.href='/hang';setTimeout(stop)">x</button>
		<button id=second onclick="location.href='/hang';setTimeout(()=>{location.href='/next'})">x</button>`
	html("/{$}", links)
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		far := "http://" + strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
		fmt.Fprint(w, "<!doctype html>", strings.NewReplacer("GONE", gone.URL, "FAR", far).Replace(r.FormValue("html")))
	})
	html("/around", "<title>around</title><iframe id=i src=/ width=600 height=300></iframe>")
	html("/next", "<title>next</title>")
	mux.HandleFunc("/none", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/reset", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusResetContent) })
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/framed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>framed</title>")
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		fmt.Fprint(w, "data")
	})
	return serve(t, mux)
}

// A navigation that a press starts ends with its document, or with NAVIGATION_FAILED.
func TestPressThatLeadsNowhere(t *testing.T) {
	tests := []struct{ id, failed, title string }{
		{"none", "204 No Content", ""},
		{"reset", "205 Reset Content", ""},
		{"post", "204 No Content", ""},
		{"script", "204 No Content", ""},
		{"gone", "ERR_CONNECTION_REFUSED", ""},
		{"stop", "the navigation was stopped", ""},
		{"second", "", "next"},
		{"next", "", "next"},
		{"framed", "", "framed"},
		{"file", "", "start"},
		{"mail", "", "start"},
		{"prevented", "", "start"},
	}
	url := nowherePages(t)
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			ctx, p := sharedPage(t)
			if _, err := p.Open(ctx, url, driver.Load); err != nil {
				t.Fatal(err)
			}
			_, err := p.Press(ctx, css("#"+tt.id), driver.PressOptions{})
			if tt.failed != "" {
				e := wantCode(t, err, diag.NavigationFailed, tt.failed)
				if e.Details["url"] == nil {
					t.Errorf("details %v, want the url", e.Details)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := p.WaitLoad(ctx, driver.Load); err != nil {
				t.Fatal(err)
			}
			if doc, err := p.Document(ctx); err != nil || doc.Title != tt.title {
				t.Errorf("the page is %+v, %v, want %s", doc, err, tt.title)
			}
		})
	}
}

// If a press opens a tab, the step ends with the document of that tab.
func TestPressThatOpensATab(t *testing.T) {
	tests := []struct{ name, html, failed string }{
		{"204", `<a id=b href=/none target=_blank>Go</a>`, "204 No Content"},
		{"refused", `<a id=b href="GONE/" target=_blank>Go</a>`, "ERR_CONNECTION_REFUSED"},
		{"script, 204", `<button id=b onclick="window.open('/none')">Go</button>`, "204 No Content"},
		{"form, refused", `<form action="GONE/" target=y><button id=b>Go</button></form>`, "ERR_CONNECTION_REFUSED"},
		{"page", `<a id=b href=/next target=_blank>Go</a>`, ""},
		{"error page", `<a id=b href=/missing target=_blank>Go</a>`, ""},
		{"file", `<a id=b href=/file target=_blank>Go</a>`, ""},
		{"blank", `<button id=b onclick="window.open('').document.write('hi')">Go</button>`, ""},
		{"blank, which its script leads on, 204", `<button id=b onclick="w=window.open('');w.location='/none'">Go</button>`, "204 No Content"},
		{"blank, which its script leads on, refused", `<button id=b onclick="w=window.open('about:blank');w.location='GONE/'">Go</button>`, "ERR_CONNECTION_REFUSED"},
		{"blank, which its script leads on", `<button id=b onclick="w=window.open('');w.location='/next'">Go</button>`, ""},
		{"blank, which its script leads on later", `<button id=b onclick="w=window.open('');setTimeout(()=>{w.location='/next'},50)">Go</button>`, ""},
		{"closed at once", `<button id=b onclick="window.open('/next').close()">Go</button>`, ""},
		{"stopped", `<button id=b onclick="w=window.open('/hang');setTimeout(()=>w.close())">Go</button>`, ""},
	}
	url := nowherePages(t)
	ctx, p := newPage(t)
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := p.Open(ctx, url+"/page?"+neturl.Values{"html": {tt.html}}.Encode(), driver.Load); err != nil {
				t.Fatal(err)
			}
			press, err := p.Press(ctx, css("#b"), driver.PressOptions{})
			if tt.failed != "" {
				if e := wantCode(t, err, diag.NavigationFailed, tt.failed); e.Details["tab"] == nil {
					t.Errorf("details %v, want the tab", e.Details)
				}
			} else if err != nil {
				t.Error(err)
			}
			if tt.name == "page" && press.Tab == "" {
				t.Error("no tab is reported")
			}
		})
	}
}

// If a press navigates an existing tab, the step waits for the document there.
func TestPressThatLeadsANamedTab(t *testing.T) {
	testkit.Long(t)
	tests := []struct{ name, first, html, failed string }{
		{"link, 204", "/next", `<a id=b href=/none target=y>Go</a>`, "204 No Content"},
		{"link, refused", "/next", `<a id=b href="GONE/" target=y>Go</a>`, "ERR_CONNECTION_REFUSED"},
		{"form, 204", "/next", `<form action=/none method=post target=y><button id=b>Go</button></form>`, "204 No Content"},
		{"script, 204", "/next", `<button id=b onclick="window.open('/none','y')">Go</button>`, "204 No Content"},
		{"script, refused", "/next", `<button id=b onclick="window.open('GONE/','y')">Go</button>`, "ERR_CONNECTION_REFUSED"},
		{"by its window, 204", "/next", `<button id=b onclick="w.location='/none'">Go</button>`, "204 No Content"},
		{"of another site, 204", "FAR/next", `<a id=b href=/none target=y>Go</a>`, "204 No Content"},
		{"of another site, refused", "FAR/next", `<button id=b onclick="window.open('GONE/','y')">Go</button>`, "ERR_CONNECTION_REFUSED"},
		{"page", "/next", `<a id=b href=/around target=y>Go</a>`, ""},
		{"of another site, page", "FAR/next", `<a id=b href=/next target=y>Go</a>`, ""},
		{"file", "/next", `<a id=b href=/file target=y>Go</a>`, ""},
		{"a part", "/next", `<a id=b href=/next#part target=y>Go</a>`, ""},
	}
	url := nowherePages(t)
	ctx, p := newPage(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			html := `<button id=a onclick="w=window.open('` + tt.first + `','y')">First</button>` + tt.html
			if _, err := p.Open(ctx, url+"/page?"+neturl.Values{"html": {html}}.Encode(), driver.Load); err != nil {
				t.Fatal(err)
			}
			first, err := p.Press(ctx, css("#a"), driver.PressOptions{})
			if err != nil || first.Tab == "" {
				t.Fatalf("the first press: %+v, %v, want a tab", first, err)
			}
			press, err := p.Press(ctx, css("#b"), driver.PressOptions{})
			switch {
			case tt.failed != "":
				if e := wantCode(t, err, diag.NavigationFailed, tt.failed); e.Details["tab"] != first.Tab {
					t.Errorf("details %v, want the tab %s", e.Details, first.Tab)
				}
			case err != nil:
				t.Error(err)
			case strings.HasSuffix(tt.name, "page") && press.Tab != first.Tab:
				t.Errorf("the tab is %q, want %q", press.Tab, first.Tab)
			}
		})
	}
}

// A navigation that ended before a step is not attributed to its input.
func TestPressAfterOneThatLedNowhere(t *testing.T) {
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, nowherePages(t), driver.Load); err != nil {
		t.Fatal(err)
	}
	_, err := p.Press(ctx, css("#none"), driver.PressOptions{})
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	if _, err := p.Press(ctx, css("#prevented"), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	target := css("#f")
	_, err = p.Key(ctx, &target, "Enter", 1)
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	if _, err := p.Fill(ctx, css("#f"), "x"); err != nil {
		t.Error(err)
	}
}

// A field that loses the focus may submit its form.
func TestFocusThatSendsAForm(t *testing.T) {
	ctx, p := sharedPage(t)
	url := nowherePages(t)
	for _, tt := range []struct{ path, failed, title string }{
		{"/none", "204 No Content", ""}, {"/next", "", "next"},
		{"/file", "", "start"},
	} {
		if _, err := p.Open(ctx, url, driver.Load); err != nil {
			t.Fatal(err)
		}
		evaluate(t, ctx, p, `document.body.innerHTML = '<form action=`+tt.path+`><input id=a onchange="this.form.submit()"></form><input id=b><input id=c>', 1`)
		a := css("#a")
		if _, err := p.Type(ctx, &a, "x", 0); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Focus(ctx, css("#b")); tt.failed != "" {
			wantCode(t, err, diag.NavigationFailed, tt.failed)
			if _, err = p.Focus(ctx, css("#c")); err != nil {
				t.Error(err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.path, err)
		} else if doc, err := p.Document(ctx); err != nil || doc.Title != tt.title {
			t.Errorf("%s: the page is %+v, %v, want %s", tt.path, doc, err, tt.title)
		}
	}
}

// If the press is in a frame, the navigation of that frame counts.
func TestPressInAFrameThatLeadsNowhere(t *testing.T) {
	testkit.Long(t)
	near := nowherePages(t)
	far := strings.Replace(near, "127.0.0.1", "localhost", 1)
	for _, tt := range []struct{ id, failed string }{
		{"none", "204 No Content"}, {"post", "204 No Content"}, {"gone", "ERR_CONNECTION_REFUSED"}, {"framed", "ERR_BLOCKED_BY_RESPONSE"},
		{"next", ""}, {"file", ""}, {"prevented", ""},
	} {
		for name, inner := range map[string]string{"near": near, "far": far} {
			t.Run(tt.id+" "+name, func(t *testing.T) {
				url := site(t, map[string]string{"/": "<!doctype html><title>around</title><iframe src='" + inner + "/' width=600 height=300></iframe>"})
				ctx, p := sharedPage(t)
				if _, err := p.Open(ctx, url, driver.Load); err != nil {
					t.Fatal(err)
				}
				sel, err := selectors.Parse("frame:css:iframe >> css:#"+tt.id, selectors.Options{})
				if err != nil {
					t.Fatal(err)
				}
				target := targetOf(sel)
				target.Timeout = testTime
				_, err = p.Press(ctx, target, driver.PressOptions{})
				if tt.failed != "" {
					wantCode(t, err, diag.NavigationFailed, tt.failed)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A press may navigate a frame other than its own, or one that the page's own world can enter.
// Frames that the page itself adds, or navigates while they are hidden, are not attributed to the
// press.
func TestPressThatLeadsAFrame(t *testing.T) {
	const hidden = `<iframe name=x style="display:none" srcdoc=hi></iframe>`
	const shown = `<iframe name=x srcdoc=hi></iframe>`
	tests := []struct{ name, html, failed string }{
		{"link to a frame, refused", shown + `<a id=b href="GONE/" target=x>Go</a>`, "ERR_CONNECTION_REFUSED"},
		{"link to a frame, 204", shown + `<a id=b href=/none target=x>Go</a>`, "204 No Content"},
		{"link to a frame, not to be framed", shown + `<a id=b href=/framed target=x>Go</a>`, "ERR_BLOCKED_BY_RESPONSE"},
		{"link to a frame of another origin, 205", `<iframe name=x src=FAR/next></iframe><a id=b href=FAR/reset target=x>Go</a>`, "205 Reset Content"},
		{"form to a frame, refused", shown + `<form method=post action="GONE/" target=x><button id=b>Go</button></form>`, "ERR_CONNECTION_REFUSED"},
		{"form to a frame that is not shown, refused", hidden + `<form method=post action="GONE/" target=x><button id=b>Go</button></form>`, "ERR_CONNECTION_REFUSED"},
		{"form to a frame that its handler adds, refused", `<form method=post action="GONE/" target=y><button id=b onclick="f=document.createElement('iframe');f.name='y';document.body.append(f)">Go</button></form>`,
			"ERR_CONNECTION_REFUSED"},
		{"script that leads a frame", shown + `<button id=b onclick="frames.x.location='/none'">Go</button>`, "204 No Content"},
		{"script that sets the src of a frame", `<iframe></iframe><button id=b onclick="document.querySelector('iframe').src='GONE/'">Go</button>`, "ERR_CONNECTION_REFUSED"},
		{"link in a frame of the page", `<iframe srcdoc="<a id=b href=GONE/>Go</a>"></iframe>`, "ERR_CONNECTION_REFUSED"},
		{"form in a frame of the page", `<iframe srcdoc="<form method=post action=GONE/><input name=card><button id=b>Pay</button></form>"></iframe>`, "ERR_CONNECTION_REFUSED"},
		{"link in a frame to another", shown + `<iframe srcdoc="<a id=b href=/none target=x>Go</a>"></iframe>`, "204 No Content"},
		{"link in a frame to the page", `<iframe srcdoc="<a id=b href=/none target=_top>Go</a>"></iframe>`, "204 No Content"},
		{"form in a sandbox", `<iframe sandbox srcdoc="<form action=/next><button id=b>Pay</button></form>"></iframe>`, "allow-forms"},
		{"new tab from a sandbox", `<iframe sandbox srcdoc="<a id=b href=/next target=_blank>Go</a>"></iframe>`, "allow-popups"},
		{"link in a sandbox to the page", `<iframe sandbox srcdoc="<a id=b href=/next target=_top>Go</a>"></iframe>`, "initiate navigation"},
		{"link to a file", `<a id=b href=file:///etc/hosts>Go</a>`, "local resource"},
		{"link to a page of the browser", `<a id=b href="chrome://settings">Go</a>`, "local resource"},
		{"link to no valid address", `<a id=b href="http://">Go</a>`, "invalid address"},
		{"link to a data address", `<a id=b href="data:text/html,hi">Go</a>`, "data URL"},
		{"form that the policy of the page stops", `<meta http-equiv=Content-Security-Policy content="form-action 'none'"><form action=/next><button id=b>Go</button></form>`, "stopped"},
		{"frame that the policy of the page stops", `<meta http-equiv=Content-Security-Policy content="frame-src 'self'">` + shown + `<a id=b href=FAR/next target=x>Go</a>`,
			"ERR_BLOCKED_BY_CSP"},
		{"script link that the policy of the page stops", `<meta http-equiv=Content-Security-Policy content="script-src 'self'"><a id=b href="javascript:void(0)">Go</a>`, "JavaScript URL"},

		{"link to a frame", shown + `<a id=b href=FAR/next target=x>Go</a>`, ""},
		{"link from a frame of another origin to this one", `<iframe name=x src=FAR/next></iframe><a id=b href=/next target=x>Go</a>`, ""},
		{"file to a frame", shown + `<a id=b href=/file target=x>Go</a>`, ""},
		{"error page in a frame", shown + `<a id=b href=/missing target=x>Go</a>`, ""},
		{"form to a frame that is not shown, 204", hidden + `<form method=post action=/none target=x><button id=b>Go</button></form>`, ""},
		{"form to a frame that is not shown, not to be framed", hidden + `<form method=post action=/framed target=x><button id=b>Go</button></form>`, ""},
		{"form to a frame too small to see, 204", `<iframe name=x width=0 height=0 style="border:0" srcdoc=hi></iframe><form method=post action=/none target=x><button id=b>Go</button></form>`, ""},
		{"script that leads a frame that is not shown", hidden + `<button id=b onclick="frames.x.location='/none'">Go</button>`, ""},
		{"script that leads a frame that is not shown, which hangs", hidden + `<button id=b onclick="frames.x.location='/hang'">Go</button>`, ""},
		{"frame that a script adds", `<button id=b onclick="f=document.createElement('iframe');f.src='GONE/';document.body.append(f)">Go</button>`, ""},
		{"frame that a script removes on its way", shown + `<button id=b onclick="frames.x.location='/hang';setTimeout(()=>document.querySelector('iframe').remove())">Go</button>`, ""},
		{"script link", `<a id=b href="javascript:void(0)">Go</a>`, ""},
		{"image of a file", `<button id=b onclick="new Image().src='file:///etc/hosts'">Go</button>`, ""},
		{"sandbox that allows", `<iframe sandbox=allow-forms srcdoc="<form action=/next><button id=b>Pay</button></form>"></iframe>`, ""},
	}
	url := nowherePages(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		for _, tt := range testkit.Kinds(t, "frames", 6, tests, func(i int) any { return tests[i].failed }) {
			t.Run(tt.name, func(t *testing.T) {
				if _, err := p.Open(ctx, url+"/page?"+neturl.Values{"html": {tt.html}}.Encode(), driver.Load); err != nil {
					t.Fatal(err)
				}
				selector := "css:#b"
				if strings.Contains(tt.html, "id=b") && strings.Contains(tt.html, `srcdoc="`) {
					selector = `frame:css:iframe[srcdoc*="id=b"] >> css:#b`
				}
				sel, err := selectors.Parse(selector, selectors.Options{})
				if err != nil {
					t.Fatal(err)
				}
				target := targetOf(sel)
				target.Timeout = testTime
				_, err = p.Press(ctx, target, driver.PressOptions{})
				if tt.failed != "" {
					wantCode(t, err, diag.NavigationFailed, tt.failed)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
	})
}

func TestPressOnAPageThatStays(t *testing.T) {
	testkit.Long(t)
	ctx, _, p := ownDialogs(t, chrome.DialogPolicy{"beforeunload": "dismiss"}, `<input id=f><a id=b href=/next>x</a><script>onbeforeunload=e=>e.preventDefault()</script>`)
	if _, err := p.Fill(ctx, css("#f"), "x"); err != nil {
		t.Fatal(err)
	}
	mustPress(t, ctx, p, "#f") // beforeunload asks only on a page that has received input
	_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	wantCode(t, err, diag.NavigationFailed, "beforeunload")
}
