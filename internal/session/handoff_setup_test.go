package session_test

// Helpers of the tests of handoffs: a person, and a site with a login that a person goes through.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/session"
)

// typed is the text that persons type in tests. No output of the product may contain it.
const typed = "Tr0ub4dor-typed-by-a-person"

// newLogin serves a page with a login. The page writes the typed text into its address, its title,
// requests, the console, dialogs and the name of a download. A record of any of these would reveal
// the text.
func newLogin(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/favicon.ico", http.NotFound)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>login</title><form action="/in"><input id=pw name=pw type=password autofocus></form>
<button id=other>other</button><input id=kept value=""><script>
pw.oninput = () => {
	console.log("typed " + pw.value); history.replaceState(0, "", "/?now=" + pw.value); document.title = pw.value;
	fetch("/beacon?" + pw.value); fetch("/beacon", {method: "POST", body: pw.value}); kept.value = pw.value;
	setTimeout(() => { throw new Error("thrown " + pw.value) });
};
</script>`)
	})
	mux.HandleFunc("/in", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/step?again="+r.FormValue("pw"), http.StatusFound)
	})
	mux.HandleFunc("/step", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>step</title><script>onload = () => {
	const a = document.createElement("a"); a.download = %q; a.href = "data:text/plain,x"; a.click();
	if (confirm("is it %s?")) setTimeout(() => { location = "/home" }, 300);
}</script>`, r.FormValue("again")+".txt", r.FormValue("again"))
	})
	var beacons atomic.Int32
	mux.HandleFunc("/beacon", func(http.ResponseWriter, *http.Request) { beacons.Add(1) })
	mux.HandleFunc("/beacons", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, beacons.Load()) })
	mux.HandleFunc("/home", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>home</title><h1>Welcome</h1><button>Orders</button>`)
	})
	return serve(t, mux)
}

// The calls of the protocol that a person sends to the browser.
type (
	request    = interface{ ProtoReq() string }
	getTargets struct{}
	attach     struct {
		TargetID string `json:"targetId"`
		Flatten  bool   `json:"flatten"`
	}
	enablePage struct{}
	evaluate   struct {
		Expression string `json:"expression"`
	}
	insertText struct {
		Text string `json:"text"`
	}
	keyEvent struct {
		Type    string `json:"type"`
		Key     string `json:"key"`
		Code    string `json:"code"`
		Text    string `json:"text"`
		Virtual int    `json:"windowsVirtualKeyCode"`
	}
	answerDialog struct {
		Accept bool `json:"accept"`
	}
)

func (getTargets) ProtoReq() string   { return "Target.getTargets" }
func (attach) ProtoReq() string       { return "Target.attachToTarget" }
func (enablePage) ProtoReq() string   { return "Page.enable" }
func (evaluate) ProtoReq() string     { return "Runtime.evaluate" }
func (insertText) ProtoReq() string   { return "Input.insertText" }
func (keyEvent) ProtoReq() string     { return "Input.dispatchKeyEvent" }
func (answerDialog) ProtoReq() string { return "Page.handleJavaScriptDialog" }

// A person uses a browser over a connection of its own, which the session does not see.
type person struct {
	conn    *cdp.Conn
	session string
	dialogs chan string // messages of dialogs that have opened
}

// runningBrowser starts a browser as a person does, with a debugging port.
func runningBrowser(t *testing.T, program string, args ...string) (socket string, pid int) {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{"--remote-debugging-port=0", "--user-data-dir=" + dir, "--no-first-run", "--disable-dev-shm-usage", "--disable-gpu"}, args...)
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(program, append(args, "about:blank")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	eventually(t, "the port", func() bool {
		data, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, path, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
		socket = "ws://127.0.0.1:" + port + path
		return err == nil && path != ""
	})
	return socket, cmd.Process.Pid
}

// newPerson attaches to the tab whose address contains the text part.
func newPerson(t *testing.T, socket, part string) *person {
	t.Helper()
	p := &person{dialogs: make(chan string, 10)}
	var mu sync.Mutex
	address, err := url.Parse(socket)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := cdp.Dial(t.Context(), address, func(e *cdp.Event) {
		mu.Lock()
		defer mu.Unlock()
		var v struct {
			Message string `json:"message"`
		}
		if e.Method == "Page.javascriptDialogOpening" && cdp.Decode(e, &v) {
			p.dialogs <- v.Message
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.conn = conn
	t.Cleanup(conn.Close)
	var all struct {
		Infos []struct {
			ID   string `json:"targetId"`
			Type string `json:"type"`
			URL  string `json:"url"`
		} `json:"targetInfos"`
	}
	eventually(t, "the tab", func() bool {
		if err := conn.Do(t.Context(), "", getTargets{}, &all); err != nil {
			t.Fatal(err)
		}
		for _, v := range all.Infos {
			if v.Type == "page" && strings.Contains(v.URL, part) {
				var at struct {
					ID string `json:"sessionId"`
				}
				err := conn.Do(t.Context(), "", attach{v.ID, true}, &at)
				p.session = at.ID
				return err == nil
			}
		}
		return false
	})
	p.do(t, enablePage{})
	return p
}

func (p *person) do(t *testing.T, req request) {
	t.Helper()
	if err := p.conn.Do(t.Context(), p.session, req, nil); err != nil {
		t.Fatal(err)
	}
}

// login types the password, sends the form and accepts the dialog that the next page opens.
func (p *person) login(t *testing.T) {
	t.Helper()
	p.do(t, evaluate{"pw.focus()"})
	p.do(t, insertText{typed})
	for _, kind := range []string{"keyDown", "keyUp"} {
		p.conn.Start(context.Background(), p.session, keyEvent{kind, "Enter", "Enter", "\r", 13})
	}
	if message := get(t, "the dialog", p.dialogs); !strings.Contains(message, typed) {
		t.Errorf("dialog %q", message)
	}
	p.do(t, answerDialog{true})
}

// A spied manager keeps all its output.
type spied struct {
	*managed
	mu  sync.Mutex
	out strings.Builder
}

func (s *spied) note(what ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(&s.out, "%+v\n", what)
}

// Write receives the trace.
func (s *spied) Write(b []byte) (int, error) { s.note(string(b)); return len(b), nil }

// silent fails the test if any output contains the typed text.
func (s *spied) silent(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(s.out.String()) {
		if strings.Contains(line, typed) {
			t.Errorf("what the person typed is in: %.400s", line)
		}
	}
}

// held waits until a session is held, and returns its state.
func (m *managed) held(t *testing.T, name string) session.Info {
	t.Helper()
	eventually(t, "the hold", func() bool { return m.info(name).State == session.StateHeld })
	return m.info(name)
}

// handoff begins a handoff in a session, without waiting until it has ended.
func (m *managed) handoff(t *testing.T, name string, r session.HandoffRequest) *session.Info {
	t.Helper()
	info, _, err := m.Handoff(t.Context(), in(name), r)
	if err != nil {
		t.Fatal(err)
	}
	if info.State != session.StateHeld || info.Held == nil {
		t.Fatalf("Handoff returns %+v", info)
	}
	return info
}

func wantCode(t *testing.T, what string, err error, code diag.Code, parts ...string) *diag.Error {
	t.Helper()
	e := diag.As(err)
	if e == nil || e.Code != code {
		t.Fatalf("%s: %v, want %s", what, err, code)
	}
	for _, part := range parts {
		if !strings.Contains(e.Msg, part) {
			t.Errorf("%s: %q does not contain %q", what, e.Msg, part)
		}
	}
	return e
}

// beacons returns how many requests with the typed text the page of newLogin has sent.
func beacons(t *testing.T, base string) int {
	t.Helper()
	res, err := http.Get(base + "/beacons")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	n := 0
	if _, err := fmt.Fscan(res.Body, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
