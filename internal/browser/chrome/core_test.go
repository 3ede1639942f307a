package chrome

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

// launchTab starts a browser and returns its first tab, which nothing acts on.
func launchTab(t *testing.T) (context.Context, *Tab) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	b, err := Start(ctx, startup.Options{TempDir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	p, err := b.newWindow(ctx, driver.Size{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, p
}

// A call that is to end a script of one document may end a script of the next document, if it is
// not answered before. The next document is then opened once more.
func TestStruckDocumentIsOpenedAgain(t *testing.T) {
	ctx, p := launchTab(t)
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%d</title>", asked.Add(1))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	url := server.URL + "/"
	ended, open := cdp.Failed(nil), new(cdp.Call)
	for _, tt := range []struct {
		name   string
		ending *cdp.Call
		want   string
	}{{"nothing", nil, "1"}, {"ended before", ended, "2"}, {"ends later", open, "4"}, {"nothing any more", nil, "5"}} {
		p.Moves.NoteEnding(tt.ending)
		if nav, err := p.Open(ctx, url, driver.Load); err != nil || nav.Title != tt.want || nav.Status != 200 {
			t.Errorf("%s: opened %+v, %v, want the answer to request %s", tt.name, nav, err, tt.want)
		}
	}
}

// A document in which the engine was ended before it was installed is opened again too.
func TestDocumentWithoutEngineIsOpenedAgain(t *testing.T) {
	ctx, p := launchTab(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>again</title>")
	}))
	t.Cleanup(server.Close)
	url := server.URL + "/"
	const once = `if (!sessionStorage.once) { sessionStorage.once = 1; delete globalThis.__action; delete globalThis.__arrived }`
	if err := p.Link.Do(ctx, proto.PageAddScriptToEvaluateOnNewDocument{Source: once, WorldName: engine.World}, nil); err != nil {
		t.Fatal(err)
	}
	p.Moves.NoteEnding(new(cdp.Call)) // never ends
	if nav, err := p.Open(ctx, url, driver.Load); err != nil || nav.Title != "again" {
		t.Errorf("opened %+v, %v", nav, err)
	}
}

// TestRestrictOldBrowser: a call that the browser does not know is reported as such.
func TestRestrictOldBrowser(t *testing.T) {
	ctx, p := launchTab(t)
	if err := p.b.tellSessions(ctx, unknownCall{}); !errors.Is(err, errUnknown) {
		t.Errorf("got %v, want %v", err, errUnknown)
	}
}

type unknownCall struct{}

func (unknownCall) ProtoReq() string { return "Network.noSuchCall" }
