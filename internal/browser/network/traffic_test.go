package network

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/driver"
)

// send records a request of a page at https://a.test; at is the browser's clock.
func send(t *Traffic, id, address string, kind proto.NetworkResourceType, at float64, o Origin) *Request {
	v := &RequestWillBeSent{RequestID: proto.NetworkRequestID(id), LoaderID: "doc", FrameID: "main", Type: kind, Timestamp: at, Document: "https://a.test/"}
	v.Request.Method, v.Request.URL = "GET", address
	return t.NoteSent("s", v, o)
}

func answer(t *Traffic, id string, status int, kind proto.NetworkResourceType, mime, headers string) {
	v := &ResponseReceived{RequestID: proto.NetworkRequestID(id), Type: kind}
	v.Response.Status, v.Response.Type, v.Response.Headers = status, mime, json.RawMessage(headers)
	t.NoteAnswer(v)
}

func newTraffic() *Traffic {
	t := new(Traffic)
	t.Init()
	return t
}

const (
	fetch    = proto.NetworkResourceTypeFetch
	document = proto.NetworkResourceTypeDocument
	image    = proto.NetworkResourceTypeImage
)

// A response of unknown length that a page does not read counts as complete when nothing more of it
// has arrived for a while. For JSON that time is shorter, because servers send it in one go.
func TestUnreadAnswersByTheirType(t *testing.T) {
	for mime, patient := range map[string]bool{
		"application/json": false, "application/problem+json": false,
		"application/x-ndjson": true, "text/event-stream": true, "text/html": true, "": true,
	} {
		n := newTraffic()
		send(n, "1", "https://a.test/x", fetch, 1, Origin{})
		answer(n, "1", 200, fetch, mime, `{}`)
		if !n.WaitsForData() {
			t.Errorf("%s: the bytes of the answer are not waited for", mime)
		}
		n.NoteData("1", 20)
		if left := n.UnreadAgain(); left > silentAnswer != patient {
			t.Errorf("%s: more is waited for until %s later", mime, left)
		}
	}
}

// A short response of known length counts as complete as soon as it has begun, but not once a part
// of it has arrived.
func TestShortAnswerIsAnswered(t *testing.T) {
	n := newTraffic()
	send(n, "1", "https://a.test/x", fetch, 1, Origin{})
	if n.Busy() != 1 {
		t.Errorf("%d requests are open, want 1", n.Busy())
	}
	answer(n, "1", 200, fetch, "text/plain", `{"content-length": "10"}`)
	if n.Busy() != 0 {
		t.Error("the answer is waited for")
	}
	n.NoteData("1", 4)
	if n.Busy() != 1 {
		t.Error("the rest of the answer is not waited for")
	}
	n.NoteData("1", 6)
	if n.Busy() != 0 {
		t.Error("the whole answer is waited for")
	}
}

// The end of requests of a document, frame or session that no longer exists is not reported: they
// are forgotten with it. An open EventSource does not count as busy.
func TestRequestsGoWithTheirDocument(t *testing.T) {
	for name, leave := range map[string]func(*Traffic){
		"document": func(n *Traffic) { n.Commit("next") },
		"frame":    func(n *Traffic) { n.Leave("main", "next") },
		"session":  func(n *Traffic) { n.EndSession("s") },
	} {
		n := newTraffic()
		send(n, "1", "https://a.test/x", fetch, 1, Origin{})
		send(n, "2", "https://a.test/news", proto.NetworkResourceTypeEventSource, 1, Origin{})
		leave(n)
		if n.Busy() != 0 || n.Sent() != 2 || n.SentData() != 1 {
			t.Errorf("%s: %d open of %d sent, %d for data; want 0 of 2, 1", name, n.Busy(), n.Sent(), n.SentData())
		}
		if idle, again := n.Idle(); idle || again <= 0 || again > QuietTime {
			t.Errorf("%s: idle %v, again in %s: want not before %s", name, idle, again, QuietTime)
		}
	}
	n := newTraffic()
	send(n, "1", "https://a.test/x", fetch, 1, Origin{})
	n.Commit("doc")
	if n.Busy() != 1 {
		t.Error("a request of the new document is forgotten")
	}
}

func TestMarked(t *testing.T) {
	n := newTraffic()
	send(n, "1", "https://a.test/before", fetch, 1, Origin{})
	n.MarkHere()
	send(n, "2", "https://a.test/rows", fetch, 2, Origin{})
	send(n, "3", "https://a.test/pic", image, 2, Origin{})
	if began, open := n.Marked(); began != 1 || open != 1 {
		t.Errorf("%d began, %d open; want 1, 1", began, open)
	}
	answer(n, "1", 500, fetch, "", `{}`)
	answer(n, "2", 503, fetch, "", `{}`)
	n.NoteFailure(&proto.NetworkLoadingFailed{RequestID: "2", ErrorText: "net::ERR_FAILED"}, nil)
	if count, why := n.Failures(); count != 1 || why != "HTTP 503" {
		t.Errorf("%d failed (%s), want 1 (HTTP 503)", count, why)
	}
	if _, open := n.Marked(); open != 0 {
		t.Errorf("%d are open, want none", open)
	}
}

// Requests that recur all the time were not caused by an input: polls, and a request that is sent
// again when one of the same address has ended.
func TestOpenSince(t *testing.T) {
	n := newTraffic()
	send(n, "1", "https://a.test/poll?n=1", fetch, 1, Origin{})
	n.NoteEnd("1", 1.5, 0)
	send(n, "2", "https://a.test/poll?n=2", fetch, 2, Origin{})
	send(n, "3", "https://a.test/long", fetch, 2, Origin{})
	b := n.Background()
	if !b.Polls(KindOf("GET", "https://a.test/poll?n=9")) || b.Polls(KindOf("GET", "https://a.test/long")) {
		t.Errorf("the background is %+v", b)
	}
	n.NoteEnd("2", 3, 0)
	send(n, "4", "https://a.test/poll?n=3", fetch, 3, Origin{Caused: true})
	n.NoteEnd("3", 3, 0)
	send(n, "5", "https://a.test/long", fetch, 3, Origin{Caused: true})
	if open := n.OpenSince(b); open != nil {
		t.Errorf("%v are open since, want none", open)
	}
	send(n, "6", "https://a.test/save", fetch, 3, Origin{Caused: true})
	send(n, "7", "https://a.test/long", fetch, 3, Origin{Caused: true}) // "5" is open too: one more than before
	if open := n.OpenSince(b); !slices.Equal(open, []string{"https://a.test/save"}) {
		t.Errorf("%v are open since, want that of save", open)
	}
	if !n.Fetches(b) || !n.Fetches(nil) {
		t.Error("nothing may bring what is not shown yet")
	}
}

func TestLogOfRequests(t *testing.T) {
	n := newTraffic()
	o := Origin{Number: 1, Main: "main"}
	n.NoteRoute("page", "https://a.test/", "mock")
	v := &RequestWillBeSent{RequestID: "page", LoaderID: "page", FrameID: "main", Type: document, Timestamp: 10, Document: "https://a.test/"}
	v.Request.Method, v.Request.URL, v.Request.HasBody = "POST", "https://a.test/", true
	first := n.NoteSent("s", v, o)
	if n.Main() != first || n.Writes() != 1 || !n.Posted(nil) || n.Posted(first) {
		t.Errorf("the main request is %+v, %d writes", n.Main(), n.Writes())
	}
	// The request is redirected, answered and ended.
	v.Redirect = &struct {
		Status int `json:"status"`
	}{302}
	v.Request.Method, v.Request.URL, v.Timestamp, v.Request.HasBody, o.Number = "GET", "https://a.test/login", 10.25, false, 2
	n.NoteSent("s", v, o)
	answer(n, "page", 200, document, "text/html", `{}`)
	n.NoteEnd("page", 10.5, 0)
	if out := n.Outcome(first); !out.Redirected || out.Status != 200 || out.Method != "GET" || out.URL != "https://a.test/login" {
		t.Errorf("the outcome is %+v", out)
	}
	send(n, "2", "https://b.test/x", fetch, 11, Origin{Number: 3})
	n.NoteFailure(&proto.NetworkLoadingFailed{RequestID: "2", Timestamp: 11.5, ErrorText: "net::ERR_BLOCKED_BY_CLIENT.Inspector"}, func(address, failure string) string { return failure + " of " + address })
	n.NoteMade(4, "blob:https://a.test/1")
	want := []driver.Request{
		{Number: 1, Method: "POST", URL: "https://a.test/", Type: "document", Status: 302, SameOrigin: true, From: "mock", Duration: 250},
		{Number: 2, Method: "GET", URL: "https://a.test/login", Type: "document", Status: 200, SameOrigin: true, From: "network", Started: 250, Duration: 250},
		{Number: 3, Method: "GET", URL: "https://b.test/x", Type: "fetch", From: "network", Error: "ERR_BLOCKED_BY_CLIENT of https://b.test/x", Started: 1000, Duration: 500},
		{Number: 4, Method: "GET", URL: "blob:https://a.test/1", Type: "document", SameOrigin: true, From: "page", Started: 1000},
	}
	if got := n.Requests(); !slices.Equal(got, want) {
		t.Errorf("the requests are\n%+v, want\n%+v", got, want)
	}
	if n.Clear(); len(n.Requests()) != 0 {
		t.Error("the list is not empty")
	}
}

// The log is bounded, also for a page whose requests never end.
func TestLogIsBounded(t *testing.T) {
	n := newTraffic()
	for i := range 3 * keptRequests {
		send(n, fmt.Sprint(i), "https://a.test/"+string(make([]byte, 2*longestURL)), fetch, float64(i), Origin{Number: i})
		n.NoteRoute(proto.NetworkRequestID(fmt.Sprint("r", i)), "https://a.test/", "block")
	}
	if list := n.Requests(); len(list) != keptRequests || list[0].Number != 2*keptRequests || len(list[0].URL) > longestURL+len("…") {
		t.Errorf("%d requests are kept, from %d", len(list), list[0].Number)
	}
	if len(n.log.open) > 2*keptRequests || len(n.log.routed) > keptRequests {
		t.Errorf("%d open requests and %d routes are kept", len(n.log.open), len(n.log.routed))
	}
}

// A file belongs to the press if it may come from a request since the press.
func TestMark(t *testing.T) {
	const file, blob = "https://a.test/f.pdf", "blob:https://a.test/1"
	for name, tt := range map[string]struct {
		since   func(*Traffic)
		address string
		want    Fit
	}{
		"nothing was open":                      {func(*Traffic) {}, blob, Fits},
		"requested before":                      {func(*Traffic) {}, file, FitsNot},
		"another address":                       {func(*Traffic) {}, "https://a.test/g.pdf", Fits},
		"an earlier request ended":              {func(n *Traffic) { n.NoteEnd("1", 5, 0) }, blob, FitsMaybe},
		"one since has ended":                   {func(n *Traffic) { send(n, "2", file, fetch, 3, Origin{}); n.NoteEnd("1", 4, 0); n.NoteEnd("2", 5, 0) }, blob, Fits},
		"the earlier one ended, one since open": {func(n *Traffic) { send(n, "2", file, fetch, 3, Origin{}); n.NoteEnd("1", 5, 0) }, blob, FitsNot},
	} {
		n := newTraffic()
		send(n, "1", file, fetch, 1, Origin{})
		m := n.Mark()
		tt.since(n)
		if got := m.Fit(tt.address); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestOriginOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.test:8443/x?y": "https://a.test:8443", "http://a.test": "http://a.test",
		"blob:https://a.test/1": "", "about:blank": "", "data:,x": "", "": "", "://": "",
	} {
		if got := OriginOf(address); got != want {
			t.Errorf("OriginOf(%q) = %q, want %q", address, got, want)
		}
	}
}

// UnreadAgain is in the future only while an answer is waited for.
func TestUnreadAgain(t *testing.T) {
	n := newTraffic()
	if again := n.UnreadAgain(); again != 0 {
		t.Errorf("%s without requests, want 0", again)
	}
	send(n, "1", "https://a.test/x", fetch, 1, Origin{})
	answer(n, "1", 200, fetch, "text/html", `{}`)
	if again := n.UnreadAgain(); again <= 0 || again > silentAnswer {
		t.Errorf("%s, want up to %s", again, silentAnswer)
	}
	if open, again := n.Scripted(0); open != 1 || again <= 0 {
		t.Errorf("%d requests of scripts, again in %s", open, again)
	}
	if before := n.ScriptedSince(time.Now().Add(-time.Minute)); before != 0 {
		t.Errorf("%d requests before it, want 0", before)
	}
}
