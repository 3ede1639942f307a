//go:build linux

package browser

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/hosts"
)

// Addresses of a network namespace: one that is public, and those that are not.
const publicHost = "8.8.4.4"

var privateHosts = []string{"127.0.0.1", "10.1.2.3", "172.20.1.1", "192.168.7.7", "169.254.169.254", "100.100.100.200", "[fd00:ec2::254]"}

// inNamespace is the variable that is set in the network namespace.
const inNamespace = "ACTION_TEST_NAMESPACE"

// TestNamespace opens pages of a public address that lead to private ones, such as that of cloud
// metadata. It runs itself again in a network of its own, which has these addresses.
func TestNamespace(t *testing.T) {
	t.Parallel()
	if os.Getenv(inNamespace) != "" {
		tryInNamespace(t)
		return
	}
	script := "ip link set lo up"
	for _, host := range append([]string{publicHost}, privateHosts[1:]...) {
		bits := "/32"
		if host[0] == '[' {
			host, bits = host[1:len(host)-1], "/128"
		}
		script += " && ip addr add " + host + bits + " dev lo"
	}
	flags := "-n"
	if os.Geteuid() != 0 {
		flags = "-rn"
	}
	if out, err := exec.Command("unshare", flags, "sh", "-c", script).CombinedOutput(); err != nil {
		t.Skipf("this machine has no network namespaces for tests: %v: %s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), "unshare", flags, "sh", "-c", script+` && exec "$0" -test.run='^TestNamespace$' -test.v`, os.Args[0])
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// tryInNamespace leads a page of the public address to private ones in several ways. Under the policy
// no private address is reached; without it, each of them is.
func tryInNamespace(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	var mu sync.Mutex
	reached := make(map[string]int) // by host
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Context().Value(http.LocalAddrContextKey).(net.Addr).(*net.TCPAddr).IP.String()
		mu.Lock()
		reached[host]++
		mu.Unlock()
		if to := r.URL.Query().Get("to"); r.URL.Path == "/redirect" {
			http.Redirect(w, r, "http://"+to+"/redirected", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>t</title><h1>", host, "</h1>")
	})}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })

	b, _ := launch(t, startup.Options{Guard: true})
	home := "http://" + net.JoinHostPort(publicHost, port) + "/"
	for _, rule := range []*rules.HostRule{
		{Network: &hosts.Network{DenyPrivate: true}, Check: func(string) error { return nil }},
		nil, // the canary
	} {
		ctx := testContext(t)
		if err := b.Restrict(ctx, rule); err != nil {
			t.Fatal(err)
		}
		p, err := openPage(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range privateHosts {
			mu.Lock()
			clear(reached)
			mu.Unlock()
			at := host + ":" + port
			if _, err := p.Open(ctx, home, driver.Load); err != nil {
				t.Fatalf("the public address: %v", err)
			}
			for _, script := range []string{
				"await fetch('http://HOST/f', {mode: 'no-cors'}).catch(() => 0)",
				"await fetch('/redirect?to=HOST', {mode: 'no-cors'}).catch(() => 0)",
				"await new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = 'http://HOST/i.png' })",
				"await new Promise((done) => { const s = new WebSocket('ws://HOST/'); s.onclose = done })",
				"navigator.sendBeacon('http://HOST/b', 'x')",
				"const f = document.createElement('iframe'); f.src = 'http://HOST/frame'; document.body.append(f); await new Promise((done) => f.onload = done)",
			} {
				if _, err := p.Eval(ctx, strings.ReplaceAll(script, "HOST", at)+"\n;return 1", nil); err != nil {
					t.Errorf("%s: %v", script, err)
				}
			}
			for _, address := range []string{"http://" + at + "/", home + "redirect?to=" + at} {
				_, err := p.Open(ctx, address, driver.Load)
				if rule != nil {
					wantDenied(t, err, host)
				} else if err != nil {
					t.Errorf("without a rule, %s: %v", address, err)
				}
			}
			mu.Lock()
			n := 0
			for at, times := range reached {
				if at != publicHost {
					n += times
				}
			}
			mu.Unlock()
			if rule != nil && n > 0 {
				t.Errorf("%s was reached %d times", host, n)
			}
			if rule == nil && n < 5 {
				t.Errorf("without a rule, %s was reached only %d times", host, n)
			}
		}
	}
}
