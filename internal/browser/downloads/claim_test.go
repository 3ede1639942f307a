package downloads

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/network"
)

// newTab returns the traffic of a tab with an open data request, whose response has not begun.
func newTab() *network.Traffic {
	t := new(network.Traffic)
	t.Init()
	v := &network.RequestWillBeSent{RequestID: "1", Type: proto.NetworkResourceTypeFetch, Timestamp: 1}
	v.Request.Method, v.Request.URL = "GET", "https://a.test/data"
	t.NoteSent("s", v, network.Origin{})
	return t
}

func answer(t *network.Traffic) {
	v := &network.ResponseReceived{RequestID: "1", Type: proto.NetworkResourceTypeFetch}
	v.Response.Status, v.Response.Headers = 200, json.RawMessage("{}")
	t.NoteAnswer(v)
	t.NoteEnd("1", 2, 0)
}

func TestClaim(t *testing.T) {
	const file, blob = "https://a.test/x", "blob:https://a.test/1"
	tab, other := newTab(), newTab()
	for _, tt := range []struct {
		name           string
		loads, presses bool
		from           *network.Traffic
		address        string
		taken          bool
	}{
		{"an address", true, false, tab, file, true},
		{"what the page makes while an address is loaded", true, false, tab, blob, false},
		{"an address is not pressed", true, true, tab, file, true},
		{"before the press", false, false, tab, file, false},
		{"after the press", false, true, tab, file, true},
		{"what the page makes of no earlier answer", false, true, tab, blob, true},
		{"in another tab", false, true, other, blob, true},
		{"in a tab that is none but for the download", false, true, nil, file, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			c := f.Claim(tt.loads)
			if tt.presses {
				f.NotePress(tab)
			}
			f.begin(1, tt.address, tt.from)
			f.begin(2, tt.address, tt.from) // is never taken
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // what has begun needs no time
			name, err := c.Begun(ctx)
			if taken := err == nil && name == "1.bin"; taken != tt.taken {
				t.Errorf("got %s, %v, want taken = %v", name, err, tt.taken)
			}
			if !tt.taken && !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the error of the context", err)
			}
			f.move(1, 1, completed)
			f.move(2, 1, completed)
			c.Drop()
			if tt.taken {
				f.wantTaken("complete")
			} else {
				f.wantTaken("complete, complete")
			}
		})
	}
}

// A file that may belong to an earlier press counts as the file of that press only if no other file
// arrives.
func TestClaimOfAnEarlierPress(t *testing.T) {
	t.Parallel()
	for _, more := range []bool{false, true} {
		f, tab := newFake(t), newTab()
		c := f.Claim(false)
		f.NotePress(tab)
		answer(tab)
		f.begin(1, "blob:https://a.test/1", tab)
		f.move(1, 1, completed)
		if more {
			f.begin(2, "https://a.test/x", tab)
		}
		name, err := c.Begun(t.Context())
		if more && (err != nil || name != "2.bin") {
			t.Errorf("got %s, %v, want 2.bin", name, err)
		}
		if !more {
			wantCode(t, err, diag.StepFailed, "the file 1.bin arrived, but perhaps because of an earlier press")
		}
		c.Drop()
		f.wantTaken("complete")
	}
}

func TestComplete(t *testing.T) {
	begun := func(t *testing.T) (*fake, *Claim) {
		f := newFake(t)
		c := f.Claim(true)
		f.begin(1, "https://a.test/x", nil)
		if _, err := c.Begun(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.move(1, 4, inProgress)
		f.wantSent("Browser.setDownloadBehavior allowAndName")
		return f, c
	}
	t.Run("complete", func(t *testing.T) {
		for _, keep := range []bool{false, true} {
			f, c := begun(t)
			f.write(1, "0123456789")
			f.move(1, 10, completed)
			got, err := c.Complete(t.Context(), keep)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(got.Path); err != nil || string(text) != "0123456789" || got.Size != 10 || got.Name != "1.bin" || got.URL != "https://a.test/x" {
				t.Errorf("got %+v with %q, %v", got, text, err)
			}
			if own := filepath.Base(got.Path) == got.Name; own != keep {
				t.Errorf("the file is %s, want under its own name = %v", got.Path, keep)
			}
			c.Drop()
			f.wantSent()
			f.wantTaken("")
		}
	})
	t.Run("too late", func(t *testing.T) {
		f, c := begun(t)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := c.Complete(ctx, false); !errors.Is(err, context.DeadlineExceeded) || c.Progress() != "4 of 10 bytes received" {
			t.Errorf("got %v, %s", err, c.Progress())
		}
		c.Drop()
		f.wantSent("Browser.cancelDownload guid-1")
		f.wantTaken("")
	})
	t.Run("broken off", func(t *testing.T) {
		f, c := begun(t)
		f.move(1, 4, cancelled)
		_, err := c.Complete(t.Context(), false)
		wantCode(t, err, diag.StepFailed, "the download of 1.bin failed: 4 of 10 bytes received")
	})
	t.Run("not there", func(t *testing.T) {
		f, c := begun(t)
		f.move(1, 10, completed)
		_, err := c.Complete(t.Context(), false)
		wantCode(t, err, diag.StepFailed, "1.bin is complete, but the file is missing")
	})
}
