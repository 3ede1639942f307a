package serve_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestWebSocket speaks the socket's protocol.
func TestWebSocket(t *testing.T) {
	s := start(t, waiting)
	s.do("GET", "/api/v1/socket", "").mustFail(426, "INVALID_REQUEST")
	address := strings.Replace(s.url, "http", "ws", 1) + "/api/v1/socket"
	dial := func(token string, origin ...string) (*websocket.Conn, int) {
		ws, res, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}, "Origin": origin}})
		if err != nil && res == nil {
			t.Fatal(err)
		}
		return ws, res.StatusCode
	}
	runner, err := s.tokens.Add("runner", "run")
	if err != nil {
		t.Fatal(err)
	}
	if _, status := dial(runner); status != 403 {
		t.Errorf("a token of scope run gets %d", status)
	}
	if _, status := dial(s.token, "https://evil.example"); status != 403 {
		t.Errorf("a page of another origin gets %d", status)
	}
	ws, _ := dial(s.token)
	defer ws.CloseNow()
	say := func(text string) {
		if err := ws.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(part string) {
		t.Helper()
		_, got, err := ws.Read(t.Context())
		if err != nil || !strings.Contains(string(got), part) {
			t.Errorf("got %s, %v; want %s", got, err, part)
		}
	}
	say(`{"id":1,"type":"hello"}`)
	want(`"protocol":1`)
	say("{\n\"id\": 2,\r\n\"type\": \"nothing\"}")
	want(`"id":2,"success":false`)
	say(`no JSON`)
	want(`INVALID_REQUEST`)
	say(`{"id":3,"type":"action.run","action":"test:time:pass","params":{"ms":5},"stream":true}`)
	want(`"event":"step"`)
	want(`"event":"step"`)
	want(`"waited":5`)
	say(`{"id":4,"type":"action.run","action":"test:time:pass","params":{"ms":60000}}`)
	began := time.Now()
	if err := ws.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}
	// The run has been cancelled: the session takes the next call at once.
	s.do("POST", "/api/v1/actions/test/time/pass", `{}`).must(200)
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the run of a client that has gone went on for %s", took)
	}
}
