//go:build linux

package main

// Approvals with the real program: a server that counts what reaches it, a browser, and people who
// answer on every channel.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// An office has a page with a form at /, a server of another origin, and a list of what has reached
// both.
type office struct {
	url, other string
	next       chan struct{} // each value answers one request of /go

	mu   sync.Mutex
	seen []string // method and path, of documents and forms
}

const officePage = `<!doctype html><title>approved</title><h1>You have approved this</h1>
<form method="post" action="/order"><input type=hidden name=to value=office><label>Customer <input name="customer"></label> <button id="send">Send order</button></form>
<p><a id="away" href="OTHER/away">Elsewhere</a> <a id="same" href="/same">Here</a></p>
<button id="plain">Plain</button><script>SCRIPT</script>`

// newOffice serves the page; the script of the query runs in it.
func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{next: make(chan struct{})}
	handler := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/favicon.ico" {
				return
			}
			o.mu.Lock()
			o.seen = append(o.seen, name+r.Method+" "+r.URL.Path)
			o.mu.Unlock()
			switch r.URL.Path {
			case "/go": // answered when the test says so
				select {
				case <-o.next:
				case <-r.Context().Done():
				}
				return
			case "/redirect":
				http.Redirect(w, r, o.other+"/redirected", http.StatusFound)
				return
			case "/file":
				w.Header().Set("Content-Disposition", "attachment; filename=report.txt")
				fmt.Fprint(w, "a report")
				return
			}
			w.Header().Set("Content-Type", "text/html")
			if r.Method == http.MethodPost {
				fmt.Fprint(w, "<h1>Ordered</h1>")
				return
			}
			page := strings.ReplaceAll(strings.ReplaceAll(officePage, "SCRIPT", r.URL.Query().Get("script")), "OTHER", o.other)
			fmt.Fprint(w, page)
		})
	}
	o.other = serve(t.Cleanup, handler("other "))
	o.url = serve(t.Cleanup, handler(""))
	return o
}

// count returns how many requests of this kind have arrived, such as "POST /order".
func (o *office) count(what string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for _, s := range o.seen {
		if strings.HasPrefix(s, what) {
			n++
		}
	}
	return n
}

// approving returns a user whose configuration requires approvals.
func approving(t *testing.T, policy string, environ ...string) *user {
	t.Helper()
	u := newUser(t, environ...)
	dir := filepath.Join(u.home, ".agent-browser")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("policy: {"+policy+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return u
}

const everyRisk = "approve: [submit, leave_origin, download, upload, dialog, eval]"

// pending waits until something waits for an approval, and returns it.
func (u *user) pending(t *testing.T) map[string]any {
	t.Helper()
	var found map[string]any
	eventually(t, "something waits for an approval", func() bool {
		list, _ := u.done(t, "approvals")["approvals"].([]any)
		if len(list) > 0 {
			found, _ = list[0].(map[string]any)
		}
		return len(list) > 0
	})
	return found
}

func TestApproveOrDeny(t *testing.T) {
	t.Parallel()
	o, u := newOffice(t), approving(t, everyRisk)
	u.done(t, "open", o.url)

	denied := u.start(t, "click", "css:#send", "--json")
	a := u.pending(t)
	for path, want := range map[string]string{".step": "click", ".target.name": "Send order", ".target.leads": o.url + "/order", ".page.url": o.url + "/", ".state": "pending", ".session": "default"} {
		if got := text(a, path); got != want {
			t.Errorf("the approval has %s %q, want %q", path, got, want)
		}
	}
	if got := fmt.Sprint(a["why"]); got != "[submit]" {
		t.Errorf("it is asked because of %s", got)
	}
	id := text(a, ".id")
	one := u.done(t, "approvals", id)
	if one["has_picture"] != true || len(text(one, ".picture")) < 1000 {
		t.Errorf("there is no picture: %v, %d bytes", one["has_picture"], len(text(one, ".picture")))
	}
	u.done(t, "deny", id, "--reason", "wrong customer")
	r := denied.wantError(t, exitFailed, "POLICY_DENIED")
	wantText(t, r, ".error.message", "denied", "wrong customer")
	if got := text(r, ".error.details.reason"); got != "denied" {
		t.Errorf("the reason is %q", got)
	}
	if n := o.count("POST"); n != 0 {
		t.Errorf("%d forms were sent after a no", n)
	}

	// An answer counts once, and not for the next question.
	u.refused(t, exitUsage, "INVALID_REQUEST", "approve", id)
	approved := u.start(t, "click", "css:#send", "--json")
	next := text(u.pending(t), ".id")
	u.refused(t, exitUsage, "INVALID_REQUEST", "approve", id)
	u.refused(t, exitUsage, "INVALID_REQUEST", "approve", strings.Repeat("a", 26))
	u.done(t, "approve", next)
	approved.wantCode(t, exitDone)
	if n := o.count("POST /order"); n != 1 {
		t.Errorf("%d forms were sent after a yes, want 1", n)
	}
	u.refused(t, exitUsage, "INVALID_REQUEST", "approve", next)
	ended := u.done(t, "approvals", next)
	if ended["state"] != "approved" || text(ended, ".by.channel") != "command" || text(ended, ".outcome.data.url") != o.url+"/order" {
		t.Errorf("the ended approval is %v", ended)
	}
}

// TestApprovalIsForWhatWasShown: what a page changes while a person thinks, or between the answer and
// the press, was not approved.
func TestApprovalIsForWhatWasShown(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	u := approving(t, everyRisk)
	for _, tt := range []struct{ name, script, reason string }{
		{"other words", `fetch('/go').then(() => { send.textContent = 'Delete account'; fetch('/went') })`, "changed"},
		{"another form", `fetch('/go').then(() => { send.form.action = '/delete'; fetch('/went') })`, "changed"},
		{"another customer in the words", `fetch('/go').then(() => { send.setAttribute('aria-label', 'Send order of Eve'); fetch('/went') })`, "changed"},
		{"words at the press", `addEventListener('mousemove', () => { send.textContent = 'Delete account' }, true)`, "changed"},
		{"a form at the press", `addEventListener('pointerdown', () => { send.form.action = '/delete' }, true)`, "changed"},
		{"another page", `fetch('/go').then(() => { location = '/other?script=fetch(%22/went%22)' })`, ""},
		{"the button is gone", `fetch('/go').then(() => { send.remove(); fetch('/went') })`, "changed"},
		{"another customer in a field", `fetch('/go').then(() => { send.form.elements.customer.value = 'Eve'; fetch('/went') })`, "changed"},
		{"another hidden field", `fetch('/go').then(() => { send.form.elements.to.value = 'eve'; fetch('/went') })`, "changed"},
		{"another value of the button", `send.name = 'do'; send.value = 'save'; fetch('/go').then(() => { send.value = 'delete'; fetch('/went') })`, "changed"},
		{"a field that was disabled", `send.form.elements.to.disabled = true; fetch('/go').then(() => { send.form.elements.to.disabled = false; fetch('/went') })`, "changed"},
		{"another file of the same name", `const i = document.createElement('input'), put = (text) => { const d = new DataTransfer(); d.items.add(new File([text], 'a.txt', {lastModified: 1})); i.files = d.files };
			i.type = 'file'; i.name = 'f'; send.form.append(i); put('one'); fetch('/go').then(() => { put('two'); fetch('/went') })`, "changed"},
		{"a form at its submit", `addEventListener('submit', (e) => { e.target.action = '/order?evil' })`, "unapproved"},
		{"another form instead", `addEventListener('click', (e) => { e.preventDefault(); const f = document.createElement('form'); f.method = 'post'; f.action = '/delete'; document.body.append(f); f.submit() })`, "unapproved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u.done(t, "open", o.url+"/?script="+strings.NewReplacer("\n", "%0A", "\t", "%20", "?", "%3F", "=>", "%3D%3E", " ", "%20", "#", "%23", "&", "%26", ";", "%3B", "+", "%2B").Replace(tt.script))
			before := o.count("POST")
			j := u.start(t, "click", "css:#send", "--json")
			id := text(u.pending(t), ".id")
			if went := o.count("GET /went"); strings.Contains(tt.script, "/went") {
				o.next <- struct{}{}
				eventually(t, "the change of the page", func() bool { return o.count("GET /went") > went })
			}
			u.done(t, "approve", id)
			r := j.wantError(t, exitFailed, "POLICY_DENIED")
			if tt.reason != "" && text(r, ".error.details.reason") != tt.reason {
				t.Errorf("the error is %v", r["error"])
			}
			if n := o.count("POST") - before; n != 0 {
				t.Errorf("%d forms were sent: %v", n, o.seen)
			}
		})
	}
}

// TestPageActsByItself: what a page does without an approval does not happen.
func TestPageActsByItself(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	u := approving(t, everyRisk)
	for _, tt := range []struct{ name, script string }{
		{"submit", `send.form.submit()`},
		{"requestSubmit", `send.form.requestSubmit()`},
		{"a form of its own", `const f = document.createElement('form'); f.method = 'post'; f.action = 'OTHER/form'; document.body.append(f); f.submit()`},
		{"a form by GET", `const f = document.createElement('form'); f.action = '/sent'; document.body.append(f); f.submit()`},
		{"a click by script", `send.click()`},
		{"location", `location = 'OTHER/location'`},
		{"location.replace", `location.replace('OTHER/replace')`},
		{"a link by script", `away.click()`},
		{"a redirect", `location = '/redirect'`},
		{"a new tab", `open('OTHER/tab')`},
		{"a new tab without an opener", `open('OTHER/tab', '_blank', 'noopener')`},
		{"a link without an opener", `away.target = '_blank'; away.rel = 'noopener'; away.click()`},
		{"a blank tab, then away", `const w = open('about:blank'); w.location = 'OTHER/blank'`},
		{"a data: frame's top", `away.target = '_top'; away.click()`},
		{"history", `history.pushState(0, '', '/x'); location.assign('OTHER/assign')`},
		{"a refresh", `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content="0;url=OTHER/refresh">')`},
		{"a form in a new tab", `send.form.target = '_blank'; send.form.submit()`},
		{"a form in a frame", `document.body.insertAdjacentHTML('beforeend', '<iframe name=f></iframe>'); send.form.target = 'f'; send.form.submit()`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u.done(t, "open", o.url)
			script := "plain.onclick = () => { " + strings.ReplaceAll(tt.script, "OTHER", o.other) + " }"
			u.install(t, script)
			posts, others, sent := o.count("POST"), o.count("other "), o.count("GET /sent")
			j := u.start(t, "click", "css:#plain", "--json")
			_ = j.end()
			if o.count("POST") != posts || o.count("other ") != others || o.count("GET /sent") != sent {
				t.Errorf("it happened: %v", o.seen)
			}
			if out := j.stdout.String(); !strings.Contains(out, "by itself") {
				t.Errorf("nothing is said about it: %s", out)
			}
			u.start(t, "tab", "list", "--json").end()
			if list := u.done(t, "approvals")["approvals"].([]any); len(list) > 0 {
				t.Errorf("it asks: %v", list)
			}
		})
	}
	t.Run("a download", func(t *testing.T) {
		u.done(t, "open", o.url)
		u.install(t, "plain.onclick = () => { location = '/file' }")
		j := u.start(t, "click", "css:#plain", "--json")
		_ = j.end()
		if out := j.stdout.String(); strings.Contains(out, "kept as") || !strings.Contains(out, "tried to save the file report.txt by itself") {
			t.Errorf("the download: %s", out)
		}
	})
	t.Run("a dialog", func(t *testing.T) {
		u.done(t, "open", o.url)
		u.install(t, "plain.onclick = () => { plain.textContent = String(confirm('approve?')) }")
		u.done(t, "click", "css:#plain")
		if got := text(u.done(t, "get", "text", "css:#plain"), ".data.text"); got != "false" {
			t.Errorf("confirm returned %q", got)
		}
	})
}

// install runs a script in the page, which a person approves.
func (u *user) install(t *testing.T, script string) {
	t.Helper()
	j := u.start(t, "eval", script, "--json")
	u.done(t, "approve", text(u.pending(t), ".id"))
	j.wantCode(t, exitDone)
}

// TestApprovalOutlivesClient: a run that waits goes on after its client has gone, and runs to its end
// after a yes.
func TestApprovalOutlivesClient(t *testing.T) {
	t.Parallel()
	o, u := newOffice(t), approving(t, everyRisk)
	u.done(t, "open", o.url)
	j := u.start(t, "click", "css:#send", "--json")
	id := text(u.pending(t), ".id")
	if err := syscall.Kill(-j.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = j.end()
	for range 3 { // the daemon has seen the end of the first connection before it has served these
		if got := text(u.pending(t), ".id"); got != id {
			t.Fatalf("%s waits, want %s", got, id)
		}
	}
	u.done(t, "approve", id)
	eventually(t, "the run ends", func() bool { return text(u.done(t, "approvals", id), ".outcome.action") == "click" })
	if n := o.count("POST /order"); n != 1 {
		t.Errorf("%d forms were sent, want 1", n)
	}
	if got := text(u.done(t, "get", "text", "css:h1"), ".data.text"); got != "Ordered" {
		t.Errorf("the page shows %q", got)
	}
}

func TestApprovalEndsWithRun(t *testing.T) {
	t.Parallel()
	o, u := newOffice(t), approving(t, everyRisk)
	u.done(t, "open", o.url)
	j := u.start(t, "click", "css:#send", "--json")
	id := text(u.pending(t), ".id")
	j.interrupt(t)
	if code := j.end(); code == exitDone {
		t.Error("an interrupted run succeeds")
	}
	eventually(t, "the approval ends", func() bool { return text(u.done(t, "approvals", id), ".state") == "cancelled" })
	u.refused(t, exitUsage, "INVALID_REQUEST", "approve", id)

	// A daemon that stops ends what waits, also for a client that has gone.
	left := u.start(t, "click", "css:#send", "--json")
	u.pending(t)
	_ = syscall.Kill(-left.Process.Pid, syscall.SIGKILL)
	_ = left.end()
	waits := u.start(t, "--session", "two", "eval", "1", "--json")
	eventually(t, "two wait", func() bool { return len(u.done(t, "approvals")["approvals"].([]any)) == 2 })
	began := time.Now()
	u.done(t, "daemon", "stop", "--force")
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("the daemon took %v to stop", took)
	}
	if code := waits.end(); code == exitDone {
		t.Error("a run that nobody has approved succeeds")
	}
	if n := o.count("POST"); n != 0 {
		t.Errorf("%d forms were sent", n)
	}
}

func TestApprovalExpires(t *testing.T) {
	t.Parallel()
	o, u := newOffice(t), approving(t, everyRisk+", approve_timeout: 10s")
	u.done(t, "open", o.url)
	j := u.start(t, "click", "css:#send", "--json", "--timeout", "5s")
	id := text(u.pending(t), ".id")
	r := j.wantError(t, exitFailed, "POLICY_DENIED")
	if got := text(r, ".error.details.reason"); got != "expired" {
		t.Errorf("the reason is %q: %v", got, r["error"])
	}
	u.refused(t, exitUsage, "INVALID_REQUEST", "approve", id)
	if n := o.count("POST"); n != 0 {
		t.Errorf("%d forms were sent", n)
	}
}

// TestApprovalWithoutDaemon: a command with its own browser is answered by another command.
func TestApprovalWithoutDaemon(t *testing.T) {
	t.Parallel()
	o, u := newOffice(t), approving(t, "approve: [open]")
	j := u.start(t, "open", o.url, "--no-daemon", "--json")
	u.done(t, "approve", text(u.pending(t), ".id"))
	j.wantCode(t, exitDone)
	if left, _ := filepath.Glob(filepath.Join(u.runtime, "action", "approvals-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestApprovalAtTerminal: the terminal that started the run answers; Enter alone is a no.
func TestApprovalAtTerminal(t *testing.T) {
	t.Parallel()
	u := approving(t, everyRisk)
	for _, mode := range []string{"", "--no-daemon"} {
		for typed, want := range map[string]int{"y\n": exitDone, "\n": exitFailed, "no\n": exitFailed} {
			screen, device := terminal(t)
			args := []string{"eval", "1"}
			if mode != "" {
				args = append(args, mode)
			}
			cmd := u.command(args...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = device, device, device
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			device.Close()
			var mu sync.Mutex
			var shown strings.Builder
			read := make(chan struct{})
			go func() {
				defer close(read)
				buf := make([]byte, 4096)
				for {
					n, err := screen.Read(buf)
					mu.Lock()
					shown.Write(buf[:n])
					mu.Unlock()
					if err != nil {
						return
					}
				}
			}()
			eventually(t, "the terminal asks", func() bool {
				mu.Lock()
				defer mu.Unlock()
				return strings.Contains(shown.String(), "[y/N]")
			})
			if _, err := screen.WriteString(typed); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			<-read
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("%s %q: exit code %d, want %d:\n%s", mode, typed, got, want, &shown)
			}
		}
	}
}

// TestOwnConnectionApprovesNothing: the connection that runs a call gets the question as an event, and
// may not answer it.
func TestOwnConnectionApprovesNothing(t *testing.T) {
	t.Parallel()
	o, u := newOffice(t), approving(t, everyRisk)
	u.done(t, "open", o.url)
	c, err := client.Dial(t.Context(), u.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	events, ended := make(chan wire.Event, 10), make(chan *wire.Reply, 1)
	where := wire.Location{Cwd: u.home, Env: map[string]string{"HOME": u.home}}
	go func() {
		r, _ := c.Stream(t.Context(), &wire.StepRequest{Step: "click", Args: map[string]any{"selector": "css:#send"}, Location: where}, func(e wire.Event) { events <- e })
		ended <- r
	}()
	e := <-events
	var a struct{ ID, Text string }
	if err := json.Unmarshal(e.Data, &a); err != nil || e.Event != wire.EventApproval || !strings.Contains(a.Text, "Send order") {
		t.Fatalf("the event is %s %s (%v)", e.Event, e.Data, err)
	}
	for _, channel := range []string{"", "socket", "command", "terminal", "mcp", "http", "console"} {
		if _, err := c.Call(t.Context(), &wire.ApprovalApproveRequest{Approval: a.ID, Channel: channel}); err == nil {
			t.Fatalf("the own connection approves as %q", channel)
		}
	}
	other, err := client.Dial(t.Context(), u.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, channel := range []string{"terminal", "mcp"} {
		if _, err := other.Call(t.Context(), &wire.ApprovalApproveRequest{Approval: a.ID, Channel: channel}); err == nil {
			t.Fatalf("another connection approves as %q", channel)
		}
	}
	if _, err := other.Call(t.Context(), &wire.ApprovalApproveRequest{Approval: a.ID}); err != nil {
		t.Errorf("another connection may not approve: %v", err)
	}
	if e := <-events; e.Event != wire.EventApprovalEnded {
		t.Errorf("the next event is %s", e.Event)
	}
	if r := <-ended; r == nil || !r.Success {
		t.Errorf("the run ends with %+v", r)
	}
	if n := o.count("POST"); n != 1 {
		t.Errorf("%d forms were sent", n)
	}
}

// TestApprovalsShowNoSecrets: neither the approval nor its event, its texts and the daemon's log show
// a secret param.
func TestApprovalsShowNoSecrets(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-v4lue"
	o := newOffice(t)
	u := approving(t, "approve: [submit, fill, open]")
	dir := filepath.Join(u.home, ".agent-browser", "actions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	def := "namespace: safe\nversion: 1.0.0\nactions:\n  order:send:\n    params: {token: {type: string, secret: true}}\n    approval: required\n    steps:\n" +
		"      - open: " + o.url + "/${token}?q=${token}\n      - fill: {selector: \"label:Customer\", value: \"${token}\"}\n      - click: css:#send\n"
	if err := os.WriteFile(filepath.Join(dir, "safe.yaml"), []byte(def), 0o600); err != nil {
		t.Fatal(err)
	}
	j := u.start(t, "run", "safe:order:send", "--token", secret)
	asked := 0
	for range 4 {
		a := u.pending(t)
		for _, args := range [][]string{{"approvals"}, {"approvals", text(a, ".id"), "--json"}, {"approvals", "--all", "--json"}} {
			k := u.start(t, args...)
			k.wantCode(t, exitDone)
			if strings.Contains(k.stdout.String(), secret) || strings.Contains(k.stderr.String(), secret) {
				t.Errorf("%v shows the secret: %s", args, &k.stdout)
			}
		}
		if a["has_picture"] == true {
			t.Error("there is a picture of a run with a secret")
		}
		u.done(t, "approve", text(a, ".id"))
		asked++
	}
	j.wantCode(t, exitDone)
	if strings.Contains(j.stdout.String()+j.stderr.String(), secret) {
		t.Errorf("the command shows the secret: %s%s", &j.stdout, &j.stderr)
	}
	if asked != 4 || o.count("POST") != 1 {
		t.Errorf("asked %d times, %d forms sent", asked, o.count("POST"))
	}
}
