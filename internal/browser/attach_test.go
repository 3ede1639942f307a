package browser

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// running starts a browser like a person does, with a debugging port. It returns the port and the
// path of the WebSocket.
func running(t *testing.T, program string, args ...string) (port, path string) {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{
		"--remote-debugging-port=0", "--user-data-dir=" + dir, "--no-first-run", "--disable-dev-shm-usage", "--disable-gpu",
	}, args...)
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	if !strings.Contains(program, "shell") {
		args = append(args, "--headless")
	}
	cmd := exec.Command(program, append(args, "about:blank")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		eventually(t, "the end of the browser", func() bool { return len(living(cmd.Process.Pid)) == 0 })
	})
	eventually(t, "the port", func() bool {
		data, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, path, _ = strings.Cut(strings.TrimSpace(string(data)), "\n")
		return err == nil && path != ""
	})
	return port, path
}

// attachTo connects to a running browser, as a session does.
func attachTo(t *testing.T, address string) (context.Context, *chrome.Browser) {
	t.Helper()
	return attachAs(t, startup.Options{CDP: address})
}

func attachAs(t *testing.T, o startup.Options) (context.Context, *chrome.Browser) {
	t.Helper()
	ctx := testContext(t)
	b, err := Launch(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	if err := b.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx, b
}

func TestAttach(t *testing.T) {
	for _, program := range testkit.Some(t, "builds", 2, []string{"chromium-headless-shell", "chromium"}) {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			port, path := running(t, program)
			base := site(t, openers)
			ctx, b := attachTo(t, port)
			wantTabs(t, ctx, b, "t1*")
			if _, err := b.Active().Open(ctx, base+"/", driver.Load); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Active().Eval(ctx, "document.cookie='who=user'", nil); err != nil {
				t.Fatal(err)
			}
			popup := pressIn(t, ctx, b, "#opener", driver.PressOptions{}).Tab
			if err := b.SwitchTab(ctx, popup); err != nil {
				t.Fatal(err)
			}
			if doc, err := b.Active().Document(ctx); err != nil || doc.Title != "second true" {
				t.Errorf("the pop-up shows %+v, %v", doc, err)
			}
			if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Active().Open(ctx, base+"/third", driver.Load); err != nil {
				t.Fatal(err)
			}
			if got, err := b.Active().Eval(ctx, "document.cookie", nil); err != nil || got != "" {
				t.Errorf("a window of our own has the cookie %v, %v", got, err)
			}
			wantCode(t, b.CloseWindow(ctx, "w1"), diag.InvalidRequest, "w1")
			if err := b.Close(ctx); err != nil {
				t.Fatal(err)
			}

			// The user's tabs and the pop-up stay; our own window is gone.
			ctx, b = attachTo(t, fmt.Sprintf("ws://127.0.0.1:%s%s", port, path))
			tabs, err := b.OwnTabs(ctx)
			if err != nil || len(tabs) != 2 {
				t.Errorf("the browser has the tabs %v, %v, want 2", tabs, err)
			}
			doc, err := b.Active().Document(ctx)
			if err != nil || !strings.HasPrefix(doc.URL, base) {
				t.Fatalf("the front tab shows %+v, %v", doc, err)
			}
			if got, err := b.Active().Eval(ctx, "document.cookie+innerWidth", nil); err != nil || !strings.HasPrefix(got.(string), "who=user") {
				t.Errorf("the front tab has %v, %v, want the user's cookie", got, err)
			}
			if s := b.State(); s.URL != doc.URL {
				t.Errorf("state = %+v, want the URL %s", s, doc.URL)
			}
			pressIn(t, ctx, b, "#close", driver.PressOptions{})
			if doc, err := b.Active().Document(ctx); err != nil || doc.URL != "about:blank" {
				t.Errorf("in place of the only tab, which has closed itself, there is %+v, %v; want a blank one", doc, err)
			}
		})
	}
}

// A session may begin with any tab of the browser: by its id, or by a part of its address that no
// other tab has. It leaves the tab open.
func TestAttachToTarget(t *testing.T) {
	t.Parallel()
	port, _ := running(t, "chromium-headless-shell")
	base := site(t, map[string]string{"/orders": "<title>Orders</title>", "/mail": "<title>Mail</title>"})
	ctx, b := attachTo(t, port)
	for _, path := range []string{"/orders?key=secret#top", "/mail"} {
		if _, err := b.OpenTab(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Active().Open(ctx, base+path, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	list, err := chrome.Targets(ctx, startup.Options{CDP: port})
	if err != nil || len(list) != 3 {
		t.Fatalf("the targets are %+v, %v, want 3", list, err)
	}
	ids := make(map[string]string)
	for _, one := range list {
		ids[one.URL] = one.ID
		if one.Type != "page" || one.URL == base+"/orders" && one.Title != "Orders" {
			t.Errorf("a target is %+v", one)
		}
	}
	if ids[base+"/orders"] == "" || ids[base+"/mail"] == "" || ids["about:blank"] == "" {
		t.Fatalf("the targets are %+v", list)
	}
	for target, title := range map[string]string{"/orders": "Orders", "key=secret": "Orders", ids[base+"/mail"]: "Mail"} {
		ctx, b := attachAs(t, startup.Options{CDP: port, Target: target})
		wantTabs(t, ctx, b, "t1*")
		if doc, err := b.Active().Document(ctx); err != nil || doc.Title != title {
			t.Errorf("%s is %+v, %v, want %s", target, doc, err, title)
		}
		if err := b.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for target, says := range map[string]string{
		"/nowhere": "found no tab with \"/nowhere\" as its id", base: "2 tabs of the browser have an address that contains",
	} {
		b, err := Launch(ctx, startup.Options{CDP: port, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		e := wantCode(t, b.Begin(ctx), diag.ParamInvalid, says)
		if err := b.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(e.Hint, ids[base+"/orders"]+" ("+base+"/orders)") || strings.Contains(e.Hint, "secret") {
			t.Errorf("%s: the hint is %q, want the tabs", target, e.Hint)
		}
	}
	if list, err := chrome.Targets(ctx, startup.Options{CDP: port}); err != nil || len(list) != 3 {
		t.Errorf("afterwards the targets are %+v, %v, want all 3", list, err)
	}
	_, err = chrome.Targets(ctx, startup.Options{CDP: "1"})
	wantCode(t, err, diag.BrowserUnavailable, "no browser is listening")
}

func TestAttachToBrowserThatEnds(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	port, _ := running(t, "chromium-headless-shell")
	ctx, b := attachTo(t, "http://127.0.0.1:"+port)
	other, err := Launch(ctx, startup.Options{CDP: port})
	if err != nil {
		t.Fatal(err)
	}
	other.Probe().Conn.Start(ctx, "", proto.BrowserClose{})
	<-b.Done()
	<-other.Done()
	_, err = b.Active().Document(ctx)
	e := wantCode(t, err, diag.BrowserUnavailable, "127.0.0.1:"+port, "lost")
	if !strings.Contains(e.Hint, "connects again") {
		t.Errorf("hint %q", e.Hint)
	}
	if err := b.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := other.Close(ctx); err != nil {
		t.Error(err)
	}
}

func TestAttachRefused(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := free.Addr().String()
	free.Close()
	answer := func(status int, body string) string {
		return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, strings.ReplaceAll(body, "HOST", r.Host))
		}))
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 1))
			c.Write([]byte("SSH-2.0-x\r\n"))
			c.Close()
		}
	}()
	t.Cleanup(func() { silent.Close() })
	tests := []struct {
		name, address string
		code          diag.Code
		text, hint    string
	}{
		{"nothing listens", closed, diag.BrowserUnavailable, "no browser is listening", "--remote-debugging-port=9222"},
		{"nothing listens at the WebSocket", "ws://" + closed + "/devtools/browser/x", diag.BrowserUnavailable, "no browser is listening", "--remote-debugging-port=9222"},
		{"a web server", answer(404, "not found"), diag.BrowserUnavailable, "not Chromium", "--remote-debugging-port=9222"},
		{"another JSON", answer(200, "{}"), diag.BrowserUnavailable, "not Chromium", "--remote-debugging-port=9222"},
		{"no JSON", answer(200, "hello"), diag.BrowserUnavailable, "not Chromium", "--remote-debugging-port=9222"},
		{"no HTTP", silent.Addr().String(), diag.BrowserUnavailable, "not Chromium", "--remote-debugging-port=9222"},
		{"no WebSocket", answer(200, `{"webSocketDebuggerUrl":"ws://HOST/devtools/browser/x"}`), diag.BrowserUnavailable, "not Chromium", "--remote-debugging-port=9222"},
		{"refuses", answer(403, "no"), diag.BrowserUnavailable, "refuses the connection", "--remote-allow-origins"},
		{"no address", "ftp://x", diag.ParamInvalid, "not the address", "9222"},
		{"no port", "99999999", diag.BrowserUnavailable, "", ""},
		{"a page", "ws://127.0.0.1:9222/devtools/page/x", diag.ParamInvalid, "of one page", "port"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Launch(testContext(t), startup.Options{CDP: tt.address})
			if b != nil {
				b.Close(context.Background())
			}
			e := wantCode(t, err, tt.code, tt.text)
			if !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("hint %q, want %q in it", e.Hint, tt.hint)
			}
		})
	}
	_, err = Launch(testContext(t), startup.Options{CDP: "9222", Profile: "x"})
	wantCode(t, err, diag.InvalidRequest, "profile")
}
