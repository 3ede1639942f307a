package downloads

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
)

const (
	inProgress = proto.BrowserDownloadProgressStateInProgress
	completed  = proto.BrowserDownloadProgressStateCompleted
	cancelled  = proto.BrowserDownloadProgressStateCanceled
)

// fake is a store with a browser that answers every call with the id of a session.
type fake struct {
	*Store
	t    *testing.T
	end  func() // of the browser
	mu   sync.Mutex
	sent []string // "Browser.cancelDownload guid-1": methods with the id of what they are about
}

// newFake returns a store with a folder and a fake browser.
func newFake(t *testing.T) *fake {
	t.Helper()
	theirIn, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, end: sync.OnceFunc(func() { theirOut.Close() })}
	served := make(chan struct{})
	go func() {
		defer close(served)
		r := bufio.NewReader(theirIn)
		for {
			text, err := r.ReadString(0)
			if err != nil {
				return
			}
			fmt.Fprintf(theirOut, `{"id":%d,"result":{"sessionId":"s1"}}`+"\x00", f.note(text))
		}
	}()
	conn := cdp.OverPipes(in, out, func(*cdp.Event) {}, nil)
	t.Cleanup(func() {
		f.end()
		conn.Close()
		<-served
		theirIn.Close()
		in.Close()
	})
	f.Store = New(conn, t.TempDir(), "")
	if err := f.Accept("").Wait(nil); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fake) note(text string) (id int) {
	var call struct {
		ID     int
		Method string
		Params struct {
			GUID, Behavior, TargetID, RequestID, SessionID, BrowserContextID, ErrorReason string

			ResponseHeaders []*proto.FetchHeaderEntry
		}
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(text, "\x00")), &call); err != nil {
		f.t.Errorf("%q: %v", text, err)
	}
	p := call.Params
	words := []string{call.Method, p.GUID, p.Behavior, p.TargetID, p.RequestID, p.SessionID, p.BrowserContextID, p.ErrorReason}
	for _, h := range p.ResponseHeaders {
		words = append(words, h.Name+": "+h.Value)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
	return call.ID
}

// wantSent waits until all calls are answered, and compares those since the last check.
func (f *fake) wantSent(want ...string) {
	f.t.Helper()
	if err := f.conn.Do(context.Background(), "", proto.BrowserGetVersion{}, nil); err != nil {
		f.t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	got := slices.DeleteFunc(f.sent, func(s string) bool { return s == "Browser.getVersion" })
	if f.sent = nil; !slices.Equal(got, want) {
		f.t.Errorf("the browser got\n%q, want\n%q", got, want)
	}
}

// guid returns the browser's name for a download, which is also the name of its file.
func guid(id int) string { return fmt.Sprint("guid-", id) }

func (f *fake) begin(id int, address string, from *network.Traffic) {
	f.Began(&proto.BrowserDownloadWillBegin{GUID: guid(id), URL: address, SuggestedFilename: fmt.Sprintf("../%d.bin", id)}, from, "")
}

func (f *fake) move(id int, bytes float64, state proto.BrowserDownloadProgressState) {
	f.Moved(&proto.BrowserDownloadProgress{GUID: guid(id), ReceivedBytes: bytes, TotalBytes: 10, State: state})
}

// write writes the file of a download as the browser does.
func (f *fake) write(id int, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.Folder(), guid(id)), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fake) wantTaken(want string) []Kept {
	f.t.Helper()
	list := f.Take(false)
	var got []string
	for _, k := range list {
		got = append(got, string(k.State))
	}
	if text := strings.Join(got, ", "); text != want {
		f.t.Errorf("Take gives %q, want %q", text, want)
	}
	return list
}

func wantCode(t *testing.T, err error, code diag.Code, says string) {
	t.Helper()
	if diag.CodeOf(err) != code || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want %s with %q", err, code, says)
	}
}

func TestAcceptAndRelease(t *testing.T) {
	f := newFake(t)
	f.wantSent("Browser.setDownloadBehavior allowAndName")
	if info, err := os.Stat(f.Folder()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v, want one of mode 0700", info, err)
	}
	if err := f.Accept("c").Wait(nil); err != nil { // the folder stays
		t.Error(err)
	}
	v := &proto.BrowserDownloadWillBegin{GUID: "a"}
	f.Began(v, nil, "c")
	v.GUID = "b"
	f.Began(v, nil, "d")
	f.Release("c")
	f.wantSent("Browser.setDownloadBehavior allowAndName c", "Browser.cancelDownload a c", "Browser.setDownloadBehavior default c")
	f.Moved(&proto.BrowserDownloadProgress{GUID: "b", State: completed})
	f.wantTaken("failed, complete")
}

func TestFolderOfItsOwn(t *testing.T) {
	temp := t.TempDir()
	f := newFake(t)
	s := New(f.conn, "", temp)
	if got := s.Folder(); got != "" {
		t.Errorf("the folder is %s before it is needed", got)
	}
	if err := s.Accept("").Wait(nil); err != nil {
		t.Fatal(err)
	}
	if in, err := filepath.Rel(temp, s.Folder()); err != nil || strings.HasPrefix(in, "..") {
		t.Errorf("the folder is %s, want one in %s", s.Folder(), temp)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	wantCode(t, New(f.conn, filepath.Join(temp, "none"), "").Accept("").Wait(nil), diag.StepFailed, "cannot create the folder for downloads")
}

// The limits on kept downloads, which a real page would take long to reach.
func TestBounds(t *testing.T) {
	f := newFake(t)
	begin := func(id int) { f.begin(id, "https://a.test/x", nil) }
	begin(0)
	begin(1)
	f.move(0, maxKeptBytes-1, completed)
	f.move(1, 1, inProgress)
	f.move(1, 2, inProgress)
	f.move(1, 2, cancelled)
	f.move(1, 2, completed) // which the browser may report too
	f.wantTaken("complete, refused")
	f.wantSent("Browser.setDownloadBehavior allowAndName", "Browser.cancelDownload guid-1")
	for id := 2; id <= maxKept+1; id++ {
		begin(id)
		f.move(id, 0, completed)
	}
	f.wantTaken(strings.Repeat("complete, ", maxKept-1) + "refused")
	begin(100)
	f.move(100, 0, cancelled)
	f.wantTaken("refused")
	// A download that a step requests has no limit.
	c := f.Claim(true)
	defer c.Drop()
	begin(101)
	f.move(101, maxKeptBytes, inProgress)
	f.wantSent("Browser.cancelDownload guid-21", "Browser.cancelDownload guid-100")
}

func TestTake(t *testing.T) {
	f := newFake(t)
	for id := 1; id <= 2; id++ { // of the same name in separate folders
		f.Began(&proto.BrowserDownloadWillBegin{GUID: guid(id), URL: "https://a.test/x", SuggestedFilename: "../x.txt"}, nil, "")
		f.write(id, fmt.Sprint(id))
		f.move(id, 1, completed)
	}
	for i, k := range f.wantTaken("complete, complete") {
		if text, err := os.ReadFile(k.Path); err != nil || string(text) != fmt.Sprint(i+1) || filepath.Base(k.Path) != "x.txt" || k.Name != "x.txt" || k.URL != "https://a.test/x" {
			t.Errorf("got %+v with %q, %v", k, text, err)
		}
		if info, err := os.Stat(k.Path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v, %v, want mode 0600", info, err)
		}
	}
	f.wantTaken("")
}

// A download in progress is reported when it has begun, and again when it has ended.
func TestTakeUnderWay(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.begin(1, "https://a.test/x", nil)
	f.wantTaken("under way")
	f.wantTaken("")
	f.move(1, 5, cancelled)
	f.wantTaken("failed")
}

// Take waits for a moment for a download that is expected.
func TestTakeExpected(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		expect, saved bool
		want          int
	}{
		{"nothing expected", false, false, 0},
		{"after Expect", true, false, 1},
		{"after the answer of a file", false, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			if tt.expect {
				f.Expect()
			}
			begun := make(chan struct{})
			go func() {
				defer close(begun)
				time.Sleep(100 * time.Millisecond)
				f.begin(1, "https://a.test/x", nil)
				f.move(1, 1, completed)
			}()
			if got := f.Take(tt.saved); len(got) != tt.want {
				t.Errorf("got %+v, want %d", got, tt.want)
			}
			<-begun
		})
	}
	f := newFake(t)
	f.Expect()
	f.wantTaken("") // none came
}

func TestWaitsEndWithTheBrowser(t *testing.T) {
	f := newFake(t)
	c := f.Claim(true)
	f.end()
	if _, err := c.Begun(t.Context()); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("got %v, want cdp.ErrClosed", err)
	}
	c.Drop()
	if _, err := f.Load(t.Context(), "f"); err == nil {
		t.Error("a load has begun")
	}
}
