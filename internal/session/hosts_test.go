package session_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// TestHostsAsAddresses checks that a rule for a host applies to every spelling of its address, in
// pages and in open, and that no other host is allowed.
func TestHostsAsAddresses(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if host, _, err := net.SplitHostPort(r.Host); err == nil && r.URL.Path == "/x" {
			asked = append(asked, host)
		}
	}))
	t.Cleanup(srv.Close)
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	spellings := []string{"127.0.0.1", "127.1", "0x7f.0.0.1", "2130706433", "①②⑦.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0", "0.0.0.0", "localhost", "LOCALHOST.", "a.localhost"}
	type row struct {
		rule    string
		allowed []string // spellings
		asks    []string // hosts in the requests that the server gets
	}
	local := []string{"127.0.0.1", "::ffff:7f00:1", "a.localhost", "localhost", "localhost."}
	slices.Sort(local)
	for _, tt := range testkit.Some(t, "rules", 5, []row{
		{"hosts: {deny: [127.0.0.1]}", nil, nil},
		{"hosts: {deny: [localhost]}", nil, nil},
		{"hosts: {deny: [\"::ffff:127.0.0.1\"]}", nil, nil},
		{"hosts: {allow: [127.0.0.1]}", spellings[:5], []string{"127.0.0.1"}},
		{"hosts: {allow: [localhost]}", []string{"localhost", "LOCALHOST."}, []string{"localhost", "localhost."}},
		{"network: {private: deny}", nil, nil},
		{"network: {private: deny, allow: [\"127.0.0.1:1\", 10.0.0.0/8, other.localhost]}", nil, nil},
		{"network: {deny: [127.0.0.0/8, \"[::1]:" + port + "\"]}", nil, nil},
		{"network: {private: deny, allow: [\"127.0.0.1:" + port + "\"]}", slices.DeleteFunc(slices.Clone(spellings), func(s string) bool { return strings.HasPrefix(s, "0") && s != "0x7f.0.0.1" }), local},
		{"network: {private: deny, allow: [localhost]}", []string{"localhost", "LOCALHOST."}, []string{"localhost", "localhost."}},
	}) {
		m := newManager(t, session.ManagerOptions{})
		testkit.Write(t, config(m.home), "policy: {"+tt.rule+"}\n")
		page := filepath.Join(t.TempDir(), "page.html")
		testkit.Write(t, page, "<!doctype html>")
		m.open(t, "a", "file://"+page)
		mu.Lock()
		asked = nil
		mu.Unlock()
		for _, host := range spellings {
			address := "http://" + host + ":" + port + "/x"
			m.eval(t, "a", "await fetch('"+address+"', {mode: 'no-cors'}).catch(() => 0); return 1")
		}
		mu.Lock()
		slices.Sort(asked)
		if got := slices.Compact(asked); !slices.Equal(got, tt.asks) {
			t.Errorf("%s: a page reaches %v, want %v", tt.rule, got, tt.asks)
		}
		mu.Unlock()
		for _, host := range spellings {
			r := m.step(t, "a", "open", map[string]any{"url": "http://" + host + ":" + port + "/"})
			switch {
			case !slices.Contains(tt.allowed, host):
				section, rest, _ := strings.Cut(tt.rule, ": {")
				key, _, _ := strings.Cut(rest, ":")
				wantError(t, r, diag.PolicyDenied, ": policy."+section+"."+key)
			case r.Error != nil:
				t.Errorf("%s: %s: %v", tt.rule, host, r.Error)
			}
		}
	}
}

// TestHostsComeLater checks that a rule also applies to a browser that was started without a rule, and
// that a change or the removal of a rule applies immediately. A browser that was started with another
// proxy cannot enforce a rule.
func TestHostsComeLater(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	t.Cleanup(srv.Close)
	other := strings.Replace(srv.URL, "127.0.0.1", "other.localhost", 1)
	m := newManager(t, session.ManagerOptions{})
	m.open(t, "a", srv.URL)
	m.open(t, "a", other)
	testkit.Write(t, config(m.home), "policy: {hosts: {deny: [other.localhost, denied.test]}}\n")
	wantError(t, m.step(t, "a", "open", map[string]any{"url": other}), diag.PolicyDenied, "other.localhost")
	m.open(t, "a", srv.URL)
	testkit.Write(t, config(m.home), "policy: {network: {private: deny, allow: [\"plain.localhost\"]}}\n")
	wantError(t, m.step(t, "a", "open", map[string]any{"url": other}), diag.PolicyDenied, "loopback")
	m.open(t, "a", strings.Replace(srv.URL, "127.0.0.1", "plain.localhost", 1))
	testkit.Write(t, config(m.home), "")
	m.open(t, "a", other)
	testkit.Write(t, config(m.home), "browser: {args: [\"--proxy-server=direct://\"]}\n")
	m.open(t, "b", srv.URL)
	testkit.Write(t, config(m.home), "policy: {hosts: {deny: [denied.test]}}\n")
	wantError(t, m.step(t, "b", "open", map[string]any{"url": srv.URL}), diag.InvalidRequest, "started with another proxy")
}
