package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"actionregistry/diag"
	"actionregistry/selectors"
	"actionregistry/steps"
)

// nowherePages have links that lead to no document, and some that do.
func nowherePages(t *testing.T) string {
	t.Helper()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close() // nothing listens there any more
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

// TestPressThatLeadsNowhere: a navigation that a press starts ends with its document, or
// NAVIGATION_FAILED.
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
			ctx, p := newPage(t)
			if _, err := p.Open(ctx, url, steps.Load); err != nil {
				t.Fatal(err)
			}
			_, err := p.Press(ctx, css("#"+tt.id), steps.PressOptions{})
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
			if err := p.WaitLoad(ctx, steps.Load); err != nil {
				t.Fatal(err)
			}
			if doc, err := p.Document(ctx); err != nil || doc.Title != tt.title {
				t.Errorf("the page is %+v, %v, want %s", doc, err, tt.title)
			}
		})
	}
}

// What ended before a step is not of its input.
func TestPressAfterOneThatLedNowhere(t *testing.T) {
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, nowherePages(t), steps.Load); err != nil {
		t.Fatal(err)
	}
	_, err := p.Press(ctx, css("#none"), steps.PressOptions{})
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	if _, err := p.Press(ctx, css("#prevented"), steps.PressOptions{}); err != nil {
		t.Error(err)
	}
	target := css("#f")
	_, err = p.Key(ctx, &target, "Enter", 1)
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	if _, err := p.Fill(ctx, css("#f"), "x"); err != nil {
		t.Error(err)
	}
}

// TestPressInAFrameThatLeadsNowhere: the navigation is that of the frame.
func TestPressInAFrameThatLeadsNowhere(t *testing.T) {
	near := nowherePages(t)
	far := strings.Replace(near, "127.0.0.1", "localhost", 1)
	for _, tt := range []struct{ id, failed string }{
		{"none", "204 No Content"}, {"post", "204 No Content"}, {"gone", "ERR_CONNECTION_REFUSED"}, {"framed", "ERR_BLOCKED_BY_RESPONSE"},
		{"next", ""}, {"file", ""}, {"prevented", ""},
	} {
		for name, inner := range map[string]string{"near": near, "far": far} {
			t.Run(tt.id+" "+name, func(t *testing.T) {
				url := site(t, map[string]string{"/": "<!doctype html><title>around</title><iframe src='" + inner + "/' width=600 height=300></iframe>"})
				ctx, p := newPage(t)
				if _, err := p.Open(ctx, url, steps.Load); err != nil {
					t.Fatal(err)
				}
				sel, err := selectors.Parse("frame:css:iframe >> css:#"+tt.id, selectors.Options{})
				if err != nil {
					t.Fatal(err)
				}
				target := targetOf(sel)
				target.Timeout = testTime
				_, err = p.Press(ctx, target, steps.PressOptions{})
				if tt.failed != "" {
					wantCode(t, err, diag.NavigationFailed, tt.failed)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestPressOnAPageThatStays(t *testing.T) {
	ctx, _, p := ownDialogs(t, DialogPolicy{"beforeunload": "dismiss"}, `<input id=f><a id=b href=/next>x</a><script>onbeforeunload=e=>e.preventDefault()</script>`)
	if _, err := p.Fill(ctx, css("#f"), "x"); err != nil {
		t.Fatal(err)
	}
	mustPress(t, ctx, p, "#f") // a page that nobody has touched may not ask
	_, err := p.Press(ctx, css("#b"), steps.PressOptions{})
	wantCode(t, err, diag.NavigationFailed, "beforeunload")
}
