// Package network records what one tab requests: which requests are open, what came of them, and
// the last ones for people. It is fed with the browser's Network events; it sends nothing and
// waits for nothing.
package network

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// QuietTime is how long no request may be pending for the network to be idle.
const QuietTime = 500 * time.Millisecond

// Traffic is what one tab requests. Call Init before anything else; after that it may be used by
// several goroutines. It has a lock of its own and calls nobody, so it may be used with any other
// lock held.
type Traffic struct {
	mu sync.Mutex

	sent  int // requests so far
	mark  int // how many there were when a table was read
	began int // since then, of those by which a page may come by data
	datas int // such requests so far

	failed  int    // of these, how many have failed
	failure string // of the last one of them: HTTP 500, ERR_CONNECTION_REFUSED

	open  map[proto.NetworkRequestID]pending
	quiet time.Time // since when none is open

	log log
}

// A pending is a request that is open.
type pending struct {
	loader  string // the document that sent it
	frame   proto.PageFrameID
	session string // that reported it
	number  int    // how many requests there were, with it
	began   time.Time
	data    bool // a page may come by data by it
	script  bool // a script of the page requests it
	failed  bool // it is counted as such
	// unread is from when on an answer waits for the page to read it, if nothing of it has
	// come by then; zero for others. The browser reports the end of a request only when the
	// page has read its answer, which it may never do, though the browser has taken it over.
	unread time.Time
	length int // of the answer in bytes, -1 where it does not say so
	got    int // of these
	json   bool
}

// isUnread reports whether the answer of a request waits for the page to read it.
func (r pending) isUnread() bool { return !r.unread.IsZero() && !time.Now().Before(r.unread) }

// mostUnread bounds an answer that counts as completely sent when it has begun.
const mostUnread = 64 << 10

// A server may be silent for silentAnswer when another answer has begun, and for silentRest when
// more of it has come: a page that reads it may show it bit by bit. Data in JSON is of no use before
// its end, so servers send it in one go: silentAnswer is enough for that.
const (
	silentAnswer = time.Second
	silentRest   = 3 * time.Second
)

// isShort reports whether an answer is taken for sent whole.
func (r pending) isShort() bool { return r.length >= 0 && r.length <= mostUnread }

// Init begins, with a network that is idle since now.
func (t *Traffic) Init() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = make(map[proto.NetworkRequestID]pending)
	t.quiet = time.Now()
}

// Commit forgets the requests of documents before that of loader: their end is not reported.
func (t *Traffic) Commit(loader string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, r := range t.open {
		if r.loader != loader {
			delete(t.open, id)
		}
	}
	t.quiet = time.Now()
}

// Leave forgets the requests of a frame that has gone, or shows the document of loader now.
func (t *Traffic) Leave(frame proto.PageFrameID, loader string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, r := range t.open {
		if r.frame == frame && r.loader != loader {
			t.finish(id)
		}
	}
}

// EndSession forgets the requests that a session has reported.
func (t *Traffic) EndSession(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, r := range t.open {
		if r.session == session {
			t.finish(id)
		}
	}
}

func (t *Traffic) finish(id proto.NetworkRequestID) {
	if _, ok := t.open[id]; ok {
		delete(t.open, id)
		t.quiet = time.Now()
	}
}

// Idle reports whether the network has been idle for QuietTime, and otherwise when to check
// again (0: not before a request ends).
func (t *Traffic) Idle() (bool, time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := QuietTime - time.Since(t.quiet)
	for _, r := range t.open {
		if r.unread.IsZero() {
			return false, 0
		}
		left = max(left, QuietTime-time.Since(r.unread))
	}
	return left <= 0, left
}

// Busy is the number of unanswered requests.
func (t *Traffic) Busy() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	count := 0
	for _, r := range t.open {
		if !r.isUnread() {
			count++
		}
	}
	return count
}

// openAfter is the number of open requests that count, after so many requests.
func (t *Traffic) openAfter(after int, counts func(pending) bool) int {
	count := 0
	for _, r := range t.open {
		if r.number > after && counts(r) {
			count++
		}
	}
	return count
}

// Scripted is the number of unanswered requests of scripts, after so many requests, or none
// after -1; and when to check again (0: not before a request ends).
func (t *Traffic) Scripted(after int) (open int, again time.Duration) {
	if after < 0 {
		return 0, 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	open = t.openAfter(after, func(r pending) bool {
		if !r.script || r.isUnread() {
			return false
		}
		again = max(again, time.Until(r.unread))
		return true
	})
	return open, again
}

// ScriptedSince is the number of requests before the first of those that scripts have begun
// since, and that are unanswered.
func (t *Traffic) ScriptedSince(since time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.sent
	for _, r := range t.open {
		if r.script && !r.isUnread() && r.began.After(since) {
			before = min(before, r.number-1)
		}
	}
	return before
}

// MarkHere begins what Marked and Failures count.
func (t *Traffic) MarkHere() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mark, t.began, t.failed = t.sent, 0, 0
}

// Marked is the number of data requests begun since MarkHere, and of the unanswered ones among
// them. An answer that waits for the page to read it counts as answered when it has waited
// for QuietTime.
func (t *Traffic) Marked() (began, open int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.began, t.openAfter(t.mark, func(r pending) bool {
		return r.data && (!r.isUnread() || time.Since(r.unread) < QuietTime)
	})
}

// Failures is the number of data requests begun since MarkHere that have failed, and how the
// last one has: HTTP 500, ERR_CONNECTION_REFUSED.
func (t *Traffic) Failures() (int, string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed, t.failure
}

// fail records that a request has failed, if Failures counts it.
func (t *Traffic) fail(id proto.NetworkRequestID, why string) {
	r, ok := t.open[id]
	if !ok || r.failed || !r.data || r.number <= t.mark {
		return
	}
	r.failed = true
	t.open[id] = r
	t.failed, t.failure = t.failed+1, why
}

// Sent is the number of requests so far.
func (t *Traffic) Sent() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent
}

// SentData is the number of requests so far by which a page may come by data.
func (t *Traffic) SentData() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.datas
}

// WaitsForData reports whether the next bytes of an answer would change what is recorded: the
// browser reports them often.
func (t *Traffic) WaitsForData() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.open {
		if !r.unread.IsZero() || r.got > 0 {
			return true
		}
	}
	return false
}

// NoteSent records a request that a session has reported, and the redirect that it follows.
func (t *Traffic) NoteSent(session string, v *RequestWillBeSent, o Origin) *Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.log.sent(v, o)
	t.sent++
	data := bringsData(v.Type)
	if data {
		t.began++
		t.datas++
	}
	if !isEndless(v.Type) {
		t.open[v.RequestID] = pending{
			data: data, number: t.sent, began: time.Now(), script: isScripted(v.Type), loader: v.LoaderID, frame: v.FrameID, session: session,
		}
	}
	return one
}

// NoteAnswer records that the answer of a request has begun. A short one of a fetch with a
// Content-Length has arrived whole. Nothing shows the end of another one that the page does not
// read.
func (t *Traffic) NoteAnswer(v *ResponseReceived) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.answered(v)
	if r, ok := t.open[v.RequestID]; ok && v.Type == proto.NetworkResourceTypeFetch {
		r.unread, r.length, r.json = time.Now(), lengthOf(v.Response.Headers), isJSON(v.Response.Type)
		if !r.isShort() {
			r.unread = r.unread.Add(silentAnswer)
		}
		t.open[v.RequestID] = r
	}
	if v.Response.Status >= 400 {
		t.fail(v.RequestID, fmt.Sprint("HTTP ", v.Response.Status))
	}
}

// NoteData records that some bytes of an answer have come, be it that the page reads it or that
// the browser takes them over. A short one that is not complete is still under way.
func (t *Traffic) NoteData(id proto.NetworkRequestID, bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.open[id]
	if !ok || r.unread.IsZero() && r.got == 0 {
		return
	}
	r.got += bytes
	switch {
	case r.length >= 0 && r.got >= r.length:
		r.unread = time.Now()
	case r.isShort():
		r.unread = time.Time{}
	case r.json:
		r.unread = time.Now().Add(silentAnswer)
	default:
		r.unread = time.Now().Add(silentRest)
	}
	t.open[id] = r
}

// NoteEnd records the end of a request at a time of the browser's clock.
func (t *Traffic) NoteEnd(id proto.NetworkRequestID, at float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finish(id)
	t.log.ended(id, at, "", nil)
}

// NoteFailure records that a request has ended without an answer. explain says what a failure is
// for people; it may be nil.
func (t *Traffic) NoteFailure(v *proto.NetworkLoadingFailed, explain func(address, failure string) string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	why := strings.TrimPrefix(v.ErrorText, "net::")
	if !v.Canceled && v.BlockedReason == "" {
		t.fail(v.RequestID, why)
	}
	t.finish(v.RequestID)
	t.log.ended(v.RequestID, float64(v.Timestamp), strings.TrimSuffix(why, ".Inspector"), explain)
}

// isEndless reports whether requests of a type stay open by design.
func isEndless(t proto.NetworkResourceType) bool {
	switch t {
	case proto.NetworkResourceTypeEventSource, proto.NetworkResourceTypeWebSocket,
		proto.NetworkResourceTypeMedia, proto.NetworkResourceTypePing:
		return true
	}
	return false
}

// isScripted reports whether scripts of a page make requests of a type.
func isScripted(t proto.NetworkResourceType) bool {
	return t == proto.NetworkResourceTypeXHR || t == proto.NetworkResourceTypeFetch || t == proto.NetworkResourceTypeScript
}

// bringsData reports whether a page may get from such a request what it then renders as
// text.
func bringsData(t proto.NetworkResourceType) bool {
	return t == proto.NetworkResourceTypeDocument || isScripted(t)
}

// isJSON reports whether a media type is one of a single text in JSON, not of one line after the other.
func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

// lengthOf is the Content-Length of headers, -1 without.
func lengthOf(data json.RawMessage) int {
	var headers map[string]string
	if json.Unmarshal(data, &headers) != nil {
		return -1
	}
	for name, value := range headers {
		if strings.EqualFold(name, "Content-Length") {
			if length, err := strconv.Atoi(value); err == nil && length >= 0 {
				return length
			}
		}
	}
	return -1
}
