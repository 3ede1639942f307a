package serve_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/ops"
)

// attack sends requests from a page in every way that a page has, with the token, which it would not
// know. It returns those to which the page got an answer.
const attack = `
const [url, token] = [%q, %q];
const ways = {
  fetch: () => fetch(url + "/api/v1/actions", {headers: {Authorization: "Bearer " + token}}).then((r) => r.status),
  simple: () => fetch(url + "/api/v1/actions/test/time/pass", {method: "POST", body: "{}", mode: "no-cors"}).then((r) => r.type === "opaque" ? "nothing" : r.status),
  health: () => fetch(url + "/healthz").then((r) => r.status),
  socket: () => new Promise((ok, no) => {
    const s = new WebSocket(url.replace("http", "ws") + "/api/v1/socket", ["token." + token]);
    s.onopen = () => ok("open"); s.onerror = () => no(new Error("refused"));
  }),
  events: () => new Promise((ok, no) => { const s = new EventSource(url + "/api/v1/runs/x/events"); s.onopen = () => ok("open"); s.onerror = () => { s.close(); no(new Error("refused")); }; }),
};
const got = {};
for (const [name, go] of Object.entries(ways)) {
  try { const v = await go(); if (v !== "nothing" && v !== 403) got[name] = String(v); } catch { }
}
return JSON.stringify(got);`

// TestForeignPages attacks the server from pages in a real browser: one of another origin, and one
// under a name of its own that leads to the server, as after DNS rebinding.
func TestForeignPages(t *testing.T) {
	var log locked
	s := start(t, waiting, func(o *serveOptions) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	base := "/api/v1/browser/session/" + s.do("POST", "/api/v1/browser/session", "").must(201).data["id"].(string)
	victim, err := s.tokens.Add("victim", ops.Admin)
	if err != nil {
		t.Fatal(err)
	}
	rebound := strings.Replace(s.url, "127.0.0.1", "evil.localhost", 1)
	for _, test := range []struct{ name, page, target string }{
		{"another origin", page(t, form), s.url},
		{"another port of localhost", strings.Replace(page(t, form), "127.0.0.1", "localhost", 1), strings.Replace(s.url, "127.0.0.1", "localhost", 1)},
		{"DNS rebinding", rebound + "/", rebound},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, test.page)).must(200)
			script, err := json.Marshal(fmt.Sprintf(attack, test.target, victim))
			if err != nil {
				t.Fatal(err)
			}
			a := s.do("POST", base+"/action", fmt.Sprintf(`{"type":"eval","script":%s}`, script)).must(200)
			if got := a.at("result.value"); got != "{}" {
				t.Errorf("the page got %v", got)
			}
		})
	}
	if text := log.String(); strings.Contains(text, `"token":"victim"`) || !strings.Contains(text, `"status":403`) {
		t.Errorf("a request of a page reached an operation, or none arrived:\n%s", text)
	}
}
