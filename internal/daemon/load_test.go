package daemon_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// loadClients and loadSessions are smaller with -short, because browsers are expensive.
var loadClients, loadSessions = 200, 24

// TestLoad runs 200 clients in 24 sessions, each with a real browser, and checks that every client
// gets the answers to its own requests. runTests checks that no goroutine and no folder remains.
func TestLoad(t *testing.T) {
	if !testkit.Full() {
		loadClients, loadSessions = 50, 6
		testkit.Leave(t, 18, 24, "sessions")
	}
	url, file := tokenPages(t), definition(t, tokenAction)
	backend := realBackend(t, func(o *session.ManagerOptions) { o.MaxSessions = loadSessions })
	s := serve(t, daemon.Options{Backend: backend, StopTime: patience}) // ending many browsers takes long
	var wg sync.WaitGroup
	for i := range loadClients {
		p := s.dial(t)
		wg.Go(func() {
			if err := p.load(i, url, file); err != nil {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	p := s.dial(t)
	list := p.ask(`{"id":1,"type":"session.list"}`)
	if n := strings.Count(text(list), `"state":"idle"`); n != loadSessions {
		t.Errorf("%d sessions are idle, want %d: %s", n, loadSessions, text(list))
	}
	if n := len(browsersIn(os.TempDir())); n < loadSessions {
		t.Errorf("%d processes of browsers, want at least %d", n, loadSessions)
	}
	if m := p.ask(`{"id":1,"type":"session.open","session":"one too many"}`); m.code() != "INVALID_REQUEST" {
		t.Errorf("a name with a space: %s", text(m))
	}
	if m := p.ask(`{"id":1,"type":"session.open","session":"more"}`); m.code() != "LIMIT_EXCEEDED" {
		t.Errorf("one session more: %s, want LIMIT_EXCEEDED", text(m))
	}
	p.eventually(`{"id":1,"type":"status"}`, fmt.Sprintf(`"connections":%d,"requests":0,"held_bytes":0`, loadClients+1))
	p.send(`{"id":1,"type":"shutdown"}` + "\n")
	if m := p.receive(); !m.Success {
		t.Error(text(m))
	}
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	if left := browsersIn(os.TempDir()); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

// load sends the requests of one client: three rounds, all requests of a round at once.
func (p *peer) load(client int, url, file string) error {
	session := fmt.Sprintf("s%d", client%loadSessions)
	token := fmt.Sprintf("c%d", client)
	call := func(id, typ, more string) string {
		return fmt.Sprintf(`{"id":"%s-%s","type":"%s"%s}`, token, id, typ, more)
	}
	in := `,"session":"` + session + `"`
	at := `,"path":"` + file + `"`
	rounds := [][]asked{
		{
			{call("run", "action.run", `,"action":"load:token:read","stream":true,"params":{"url":"`+url+token+`","token":"`+token+`"}`+in+at),
				`"data":{"field":"` + token + `","page":"` + token + `"}`},
			{call("open", "step", `,"step":"open","args":{"url":"`+url+token+`-2"}`+in), `"title":"` + token + `-2","url":"` + url + token + `-2"`},
			{call("eval", "step", `,"step":"eval","args":{"script":"return t + '!'","args":{"t":"`+token+`"}}`+in), `"` + token + `!"`},
			{call("status", "status", ``), fmt.Sprintf(`"pid":%d,`, os.Getpid())},
			{call("bad", "status", `,"`+token+`":1`), `unknown field \"` + token + `\"`},
		},
		{
			{call("hang", "step", `,"step":"wait","args":{"time":"10m"},"timeout":"11m","from_text":true`+in), `"code":"CANCELLED"`},
			{call("cancel", "cancel", `,"target":"`+token+`-hang"`), `"cancelled":true`},
			{call("list", "session.list", ``), `"name":"` + session + `"`},
		},
		{
			{call("describe", "action.describe", `,"action":"load:token:read"`+at), `"name":"load:token:read"`},
			{call("none", "action.describe", `,"action":"load:`+token+`:read"`+at), `load:` + token + `:read`},
			{call("dry", "action.dryRun", `,"action":"load:token:read","params":{"url":"http://x/","token":"`+token+`"}`+at), `"value":"` + token + `"`},
			{call("actions", "action.list", `,"namespace":"load"`+at), `"load:token:read"`},
			{call("search", "action.search", `,"query":"token"`+at), `"load:token:read"`},
			{call("closed", "session.close", `,"session":"`+token+`"`), `there is no session \"` + token + `\"`},
		},
	}
	for _, round := range rounds {
		if err := p.exchange(round); err != nil {
			return err
		}
	}
	return nil
}

// An asked is a line to send, and a text that its reply must contain.
type asked struct{ line, want string }

// exchange sends all lines at once and reads their replies, in any order. It fails if it receives
// another line.
func (p *peer) exchange(round []asked) error {
	want := make(map[string]string)
	all := ""
	for _, a := range round {
		var head struct{ ID string }
		if err := json.Unmarshal([]byte(a.line), &head); err != nil {
			return fmt.Errorf("%s: %w", a.line, err)
		}
		want[head.ID] = a.want
		all += a.line + "\n"
	}
	if _, err := p.Write([]byte(all)); err != nil {
		return err
	}
	for len(want) > 0 {
		line, err := p.in.ReadString('\n')
		if err != nil {
			return err
		}
		var head struct{ ID, Event string }
		if err := json.Unmarshal([]byte(line), &head); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		part, ok := want[head.ID]
		switch {
		case !ok:
			return fmt.Errorf("got %s, want one of %v", line, want)
		case head.Event == "step" && strings.HasSuffix(head.ID, "-run"):
			continue
		case !strings.Contains(line, part):
			return fmt.Errorf("got %s, want %s in it", line, part)
		}
		delete(want, head.ID)
	}
	return nil
}

// TestQueueIsBounded sends more calls for one session than may wait, on several connections.
func TestQueueIsBounded(t *testing.T) {
	s := serve(t, daemon.Options{Backend: realBackend(t, func(o *session.ManagerOptions) { o.QueueMax = 10 })})
	control := s.dial(t)
	if m := control.ask(`{"id":1,"type":"step","step":"open","args":{"url":"about:blank"}}`); !m.Success {
		t.Fatal(text(m))
	}
	var peers []*peer
	codes := make(map[string]int)
	for range 4 {
		p := s.dial(t)
		peers = append(peers, p)
		for i := range 5 {
			p.send(fmt.Sprintf(`{"id":%d,"type":"step","step":"wait","args":{"time":600000},"timeout":"11m"}`+"\n", i))
		}
		// The answer to this request shows that the daemon has read all calls.
		for m := p.ask(`{"id":"read","type":"hello"}`); string(m.ID) != `"read"`; m = p.receive() {
			codes[m.code()]++
		}
	}
	control.eventually(`{"id":1,"type":"status"}`, `"requests":11,`) // one call runs, ten wait
	if m := control.ask(`{"id":1,"type":"session.list"}`); !strings.Contains(text(m), `"queued":10`) {
		t.Errorf("got %s, want 10 queued", text(m))
	}
	if m := control.ask(`{"id":1,"type":"session.close"}`); !m.Success {
		t.Error(text(m))
	}
	for _, p := range peers {
		if err := p.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		for {
			line, err := p.in.ReadBytes('\n')
			if err != nil {
				break // the daemon closes the connection after the last answer
			}
			var m message
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatal(err)
			}
			codes[m.code()]++
		}
	}
	if codes["CANCELLED"] != 11 || codes["LIMIT_EXCEEDED"] != 9 {
		t.Errorf("codes = %v, want 11 CANCELLED and 9 LIMIT_EXCEEDED", codes)
	}
}
