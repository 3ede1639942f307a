// Package network records the requests of one tab: which are open, their outcomes, and a list of
// the last ones. It receives the browser's Network events. It sends nothing and waits for nothing.
//
// Files, bottom to top: log, traffic, kinds, mark.
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

// QuietTime is how long the network must have had no pending requests to count as idle.
const QuietTime = 500 * time.Millisecond

// Traffic records the requests of one tab. Init must be called first. After that, Traffic is safe
// for concurrent use. Its methods may be called with any other lock held.
type Traffic struct {
	mu sync.Mutex

	sent  int // requests so far
	mark  int // value of sent at the last MarkHere
	began int // requests since then that may bring data
	datas int // requests so far that may bring data

	failed  int    // how many of the requests counted in began have failed
	failure string // why the last of them failed, such as HTTP 500 or ERR_CONNECTION_REFUSED

	open  map[proto.NetworkRequestID]pending
	quiet time.Time // when the last request ended, or a new document began

	log log
}

// pending is an open request.
type pending struct {
	loader  string // the document that sent it
	frame   proto.PageFrameID
	session string // the session that reported it
	number  int    // its number among all requests of the tab, from 1
	began   time.Time
	data    bool // it may bring data
	script  bool // a script of the page requested it
	failed  bool // it is counted in Traffic.failed
	// unread is the time from which the response counts as complete but unread by the page. It is
	// zero if there is no such time. Further data changes it.
	unread time.Time
	length int // of the answer in bytes; -1 if unknown
	got    int // bytes received so far
	json   bool
}

// isUnread reports whether the response counts as complete but unread by the page.
func (r pending) isUnread() bool { return !r.unread.IsZero() && !time.Now().Before(r.unread) }

// mostUnread is the maximum size, in bytes, of a response that counts as complete when it begins.
const mostUnread = 64 << 10

// A response counts as complete but unread if no data arrives for silentAnswer after its start, or
// for silentRest after later data. For JSON, silentAnswer applies in both cases.
const (
	silentAnswer = time.Second
	silentRest   = 3 * time.Second
)

// isShort reports whether an answer counts as complete when it begins.
func (r pending) isShort() bool { return r.length >= 0 && r.length <= mostUnread }

// Init prepares t. The network counts as idle from now on.
func (t *Traffic) Init() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = make(map[proto.NetworkRequestID]pending)
	t.quiet = time.Now()
}

// Commit forgets the requests of all documents except the one with this loader id.
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

// Leave forgets the requests of a frame, except those of the document with this loader id. For a
// frame that was removed, the id is "".
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

// Idle reports whether the network has been idle for QuietTime. If not, it also returns how long to
// wait before the next check. 0 means until a request ends.
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

// Busy returns the number of unanswered requests.
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

// openAfter returns the number of open requests for which counts returns true. It considers only
// requests with a number above the given one.
func (t *Traffic) openAfter(after int, counts func(pending) bool) int {
	count := 0
	for _, r := range t.open {
		if r.number > after && counts(r) {
			count++
		}
	}
	return count
}

// Scripted returns the number of unanswered requests by scripts. It considers only requests with a
// number above the given one. For a negative number, it considers none. again is how long to wait
// before the next check; 0 means until a request ends.
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

// ScriptedSince returns a number to pass to Scripted. Scripted then counts only requests that began
// after the given time.
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

// MarkHere resets the counts of Marked and Failures.
func (t *Traffic) MarkHere() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mark, t.began, t.failed = t.sent, 0, 0
}

// Marked returns the number of data requests begun since MarkHere, and how many of them are
// unanswered. A response that the page has not read counts as an answer after QuietTime.
func (t *Traffic) Marked() (began, open int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.began, t.openAfter(t.mark, func(r pending) bool {
		return r.data && (!r.isUnread() || time.Since(r.unread) < QuietTime)
	})
}

// Failures returns the number of data requests begun since MarkHere that have failed, and why the
// last one did, such as HTTP 500 or ERR_CONNECTION_REFUSED.
func (t *Traffic) Failures() (int, string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed, t.failure
}

// fail records the failure of a request, if Failures counts it.
func (t *Traffic) fail(id proto.NetworkRequestID, why string) {
	r, ok := t.open[id]
	if !ok || r.failed || !r.data || r.number <= t.mark {
		return
	}
	r.failed = true
	t.open[id] = r
	t.failed, t.failure = t.failed+1, why
}

// Sent returns the number of requests so far.
func (t *Traffic) Sent() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent
}

// SentData returns the number of requests so far that may bring data for the page.
func (t *Traffic) SentData() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.datas
}

// WaitsForData reports whether NoteData would change the record. If not, callers need not decode
// the events about data, which are frequent.
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

// NoteSent records a request that a session has reported. If the request is a redirect, it also
// records the answer to the request before it.
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

// NoteAnswer records the start of a response. A short response to a fetch with a Content-Length
// counts as complete now, even if the page has not read it. Any other response to a fetch counts as
// complete after some time without data.
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

// NoteData records that the browser has received bytes of a response. A short response that is
// still incomplete then counts as pending again.
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

// NoteEnd records the end of a request. The time is in seconds of the browser's clock, and length
// is the number of bytes received.
func (t *Traffic) NoteEnd(id proto.NetworkRequestID, at, length float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finish(id)
	if r := t.log.open[id]; r != nil {
		r.received = length
	}
	t.log.ended(id, at, "", nil)
}

// NoteFailure records that a request has ended without an answer. explain returns the text to
// report for the failure. A nil explain leaves the failure unchanged.
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

// isScripted reports whether scripts make requests of a type.
func isScripted(t proto.NetworkResourceType) bool {
	return t == proto.NetworkResourceTypeXHR || t == proto.NetworkResourceTypeFetch || t == proto.NetworkResourceTypeScript
}

// bringsData reports whether requests of a type may bring data that the page then shows as text.
func bringsData(t proto.NetworkResourceType) bool {
	return t == proto.NetworkResourceTypeDocument || isScripted(t)
}

// lengthOf returns the Content-Length in headers, or -1.
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
