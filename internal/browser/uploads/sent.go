package uploads

// Finds out which files a page sends, by the names in the bodies of its requests. A page may send
// several files in one request, or one file in each request, or both.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// Limits for the bodies that the browser keeps while files are uploaded: the size of one body and
// of all bodies, in bytes, and their number. The contents of files on the disk do not count.
const (
	longestBody = 256 << 10
	allBodies   = 2 << 20
	mostBodies  = 200
)

// Sent records the requests with a body that one tab sends. Between [Sent.Keep] and [Sent.Forget],
// the browser also keeps the bodies. Init must be called first. Note and Count are safe for
// concurrent use, and may be called with any other lock held. Only one upload or run at a time may
// call the other methods.
type Sent struct {
	conn    *cdp.Conn
	traffic *network.Traffic

	mu       sync.Mutex
	count    int      // number of requests with a body so far
	sessions []string // sessions in which the browser keeps bodies
	bodies   []*Body
	least    int64 // minimum total size of texts that may contain part of the smallest file, in bytes
	whole    int64 // size of that file, in bytes
}

// A Body is the body of one request.
type Body struct {
	number    int // its number among all requests with a body, from 1
	request   *network.Request
	url, kind string
	ready     chan struct{} // closed when data is set
	data      *cdp.Call
	text      *string // nil: not read, or not kept by the browser
}

// Init prepares s for a tab. traffic is the traffic of the tab, and conn is the connection over
// which bodies are read.
func (s *Sent) Init(conn *cdp.Conn, traffic *network.Traffic) {
	s.conn, s.traffic = conn, traffic
}

// A text counts as the content of an uploaded file only if its length is at least shortText, and at
// least the size of the file divided by excerpt. For a picture or a video, shortText is enough.
const (
	excerpt   = 20
	shortText = 200
)

// leastText returns two sizes in bytes: that of the shortest text that may contain part of a file,
// and that of the smallest file.
func leastText(files []driver.UploadFile) (least, whole int64) {
	least, whole = math.MaxInt64, math.MaxInt64
	for _, f := range files {
		part := f.Size / excerpt
		switch {
		case f.Folder: // the sizes of its files are not known
			return 0, 0
		case IsDrawn(f.Path):
			part = shortText
		}
		least, whole = min(least, f.Size, max(part, shortText)), min(whole, f.Size)
	}
	return least, whole
}

// Keep makes the browser keep the bodies that these sessions send, until Forget is called. It is
// called before the page receives the files.
func (s *Sent) Keep(ctx context.Context, sessions []string, files []driver.UploadFile) {
	if len(files) == 0 {
		return
	}
	least, whole := leastText(files)
	s.mu.Lock()
	if len(s.sessions) == 0 || least < s.least {
		s.least, s.whole = least, whole
	}
	var fresh []string
	for _, session := range sessions {
		if !slices.Contains(s.sessions, session) {
			fresh, s.sessions = append(fresh, session), append(s.sessions, session)
		}
	}
	s.mu.Unlock()
	for _, session := range fresh {
		s.conn.Start(ctx, session, Keeps(longestBody, allBodies))
	}
}

// Forget ends [Sent.Keep] and drops the bodies that were kept.
func (s *Sent) Forget() {
	s.mu.Lock()
	sessions := s.sessions
	s.sessions, s.bodies, s.least, s.whole = nil, nil, 0, 0
	s.mu.Unlock()
	for _, session := range sessions {
		s.conn.Start(context.Background(), session, KeepsAnswers())
	}
}

// Keeps returns the call that makes the browser report requests and keep their bodies. The
// arguments are the maximum size, in bytes, of one body and of all bodies together.
func Keeps(one, all int) proto.NetworkEnable {
	return proto.NetworkEnable{MaxTotalBufferSize: &all, MaxResourceBufferSize: &one}
}

// KeepsAnswers is like [Keeps], with limits for the short answers to scripts.
func KeepsAnswers() proto.NetworkEnable { return Keeps(64<<10, 2<<20) }

// Count returns the number of requests with a body so far. Beacons do not count.
func (s *Sent) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Note records a request that a session has sent. If the body of the request must be read, Note
// returns the body, which the caller passes to Fetch. Otherwise it returns nil.
func (s *Sent) Note(v *network.RequestWillBeSent, request *network.Request) *Body {
	if !v.HasBody() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	if len(s.sessions) == 0 || len(s.bodies) >= mostBodies {
		return nil
	}
	body := &Body{number: s.count, request: request, url: v.Request.URL, ready: make(chan struct{})}
	var headers map[string]string
	_ = json.Unmarshal(v.Request.Headers, &headers) // if that fails, the type is unknown
	for name, value := range headers {
		if strings.EqualFold(name, "Content-Type") {
			body.kind = value
		}
	}
	s.bodies = append(s.bodies, body)
	return body
}

// Fetch starts to read a body. It must be called soon after Note, before the page is replaced, and
// without a lock held.
func (s *Sent) Fetch(session string, id proto.NetworkRequestID, body *Body) {
	body.data = s.conn.Start(context.Background(), session, proto.NetworkGetRequestPostData{RequestID: id})
	close(body.ready)
}

// Answered reports whether every recorded request has been answered or has failed. since is an
// earlier result of Count. Only later requests are considered.
func (s *Sent) Answered(since int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(s.bodies, func(b *Body) bool {
		r := s.traffic.Outcome(b.request)
		return b.number > since && r.Status == 0 && r.Failure == ""
	})
}

// Unsent returns the files in lacking that the page has not sent. names holds all files, and
// lacking those that the page neither shows nor holds. since is an earlier result of Count. Only
// later requests are considered.
//
// A file counts as sent if the body of a request names it. The other files may have been sent
// without their names. If the requests may carry that many unnamed files, Unsent returns nil.
func (s *Sent) Unsent(ctx context.Context, names, lacking []string, since int) []string {
	if len(lacking) == 0 {
		return lacking
	}
	bodies, others := s.Carriers(ctx, since, false)
	switch {
	case len(bodies)+others == 0:
		return lacking
	case len(names) < 2:
		return nil
	}
	named := []string{}
	for _, body := range bodies {
		found, more := body.files(ctx, names)
		named = append(named, found...)
		others += more
	}
	unnamed := less(names, named)
	if others >= len(unnamed) {
		return nil
	}
	// Of several files with the same name, the page may show the ones that it has sent. So a file
	// counts as unsent only if it is missing both on the page and in the requests.
	return less(lacking, less(lacking, unnamed))
}

// Carriers returns the requests that may have carried a file, and the number of requests with a
// body that were not recorded. since is an earlier result of Count. Only later requests are
// considered.
//
// Requests that carry only text count if their texts together are long enough for part of a file.
// If whole is set, the texts must be long enough for a complete file.
func (s *Sent) Carriers(ctx context.Context, since int, whole bool) (list []*Body, unknown int) {
	s.mu.Lock()
	bodies, least := slices.Clone(s.bodies), s.least
	if whole {
		least = s.whole
	}
	unknown = s.count - since
	s.mu.Unlock()
	var texts []*Body
	length := 0
	for _, body := range bodies {
		if body.number <= since {
			continue
		}
		unknown--
		if body.isText(ctx) {
			texts, length = append(texts, body), length+len(*body.text)
		} else {
			list = append(list, body)
		}
	}
	if int64(length) >= least {
		list = append(list, texts...)
	}
	return list, max(0, unknown)
}

// Refused describes why the server has refused all requests that may have carried a file. It
// returns "" if the server has accepted one, or if a response is missing. The result again reports
// whether a page may send the file again. since is an earlier result of Count. Only later requests
// are considered.
//
// If ledOn is set, the page has navigated, and aborted requests do not count. If kept is set, the
// input still has the files, and only requests that may carry a complete file count.
func (s *Sent) Refused(ctx context.Context, since int, ledOn, kept bool) (says string, again bool) {
	list, unknown := s.Carriers(ctx, since, kept)
	for _, body := range list {
		r := s.traffic.Outcome(body.request)
		switch {
		case unknown > 0:
			return "", false
		case r.Redirected && signsIn.MatchString(pathOf(r.URL)):
			says, again = fmt.Sprintf("%s %s led to the sign-in page %s", body.request.Method(), pathOf(body.request.URL()), pathOf(r.URL)), false
		case r.Status >= http.StatusBadRequest:
			says = fmt.Sprintf("%s %s was answered HTTP %d", r.Method, pathOf(r.URL), r.Status)
			again = r.Status >= http.StatusInternalServerError || slices.Contains(passing, r.Status)
		case r.Status == 0 && r.Failure != "" && !ledOn:
			says, again = fmt.Sprintf("%s %s failed (%s)", r.Method, pathOf(r.URL), r.Failure), true
		default:
			return "", false
		}
	}
	return says, again
}

// signsIn matches the addresses of sign-in pages.
var signsIn = regexp.MustCompile(`(?i)^[a-z]+://[^/]*(/.*)?[/_.-](log[-_]?[io]n|sign[-_]?in|auth|authenticate|sso)([/_.-].*)?$`)

// passing holds the statuses of client errors after which the same request may succeed.
var passing = []int{http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests}

// pathOf returns an address without its query.
func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// less returns names without those in the second list. Each entry of that list removes one entry.
func less(names, other []string) []string {
	rest := slices.Clone(other)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		i := slices.Index(rest, name)
		if i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
		return i >= 0
	})
}

var (
	filePart  = regexp.MustCompile(`(?i)\bfilename\*?="?[^"\s]`)
	kindOfAll = regexp.MustCompile(`(?i)^(multipart/|application/(json|x-www-form-urlencoded))`)

	kindOfTexts = regexp.MustCompile(`(?i)^(multipart/|text/|application/([a-z.-]+\+)?(json|x-www-form-urlencoded))`)
)

// isText reports whether the body of a request is text without a file. It returns false for a body
// that cannot be read.
func (body *Body) isText(ctx context.Context) bool {
	if !body.read(ctx) || *body.text == "" || filePart.MatchString(*body.text) {
		return false
	}
	return kindOfTexts.MatchString(body.kind)
}

// read reads the text of a request. It returns false if ctx ends first, or if the text is too long
// for the browser to keep.
func (body *Body) read(ctx context.Context) bool {
	if body.text != nil {
		return true
	}
	<-body.ready
	select {
	case <-body.data.Done():
	case <-ctx.Done():
		return false
	}
	var got struct{ PostData string }
	if body.data.Wait(&got) != nil && kindOfAll.MatchString(body.kind) {
		return false
	}
	body.text = &got.PostData
	return true
}

// files returns those of the names that the request contains. A name with several entries is
// returned several times. others is the number of files that the request may carry without a name.
// If the body is too long to be read, files returns all names and 0. If ctx ends first, it returns
// nil and 0.
func (body *Body) files(ctx context.Context, names []string) (found []string, others int) {
	switch {
	case body.read(ctx):
	case ctx.Err() != nil:
		return nil, 0
	default:
		return names, 0 // too long to be read: it may carry all of them
	}
	text, parts := body.url+"\n"+*body.text, 1
	if strings.HasPrefix(strings.ToLower(body.kind), "multipart/") {
		parts = len(filePart.FindAllString(*body.text, -1))
	}
	for _, name := range longestFirst(names) {
		in, entries := false, 0
		for _, form := range formsOf(name) {
			in = in || strings.Contains(text, form)
			entries = max(entries, strings.Count(text, `"`+form+`"`))
			text = strings.ReplaceAll(text, form, "\n")
		}
		if in {
			// In addition to the entry of a file, a request may name it in an address or a path.
			found = append(found, slices.Repeat([]string{name}, max(1, entries))...)
		}
	}
	return found, max(0, parts-len(found))
}

// longestFirst returns the distinct names, longest first. A name is then not found inside a longer
// name.
func longestFirst(names []string) []string {
	list := slices.SortedFunc(slices.Values(names), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(list)
}

// formsOf returns the forms in which a request may contain a name: unchanged, or encoded for a
// multipart header, an address, a form or JSON.
func formsOf(name string) []string {
	quoted, _ := json.Marshal(name) // a text never fails
	return []string{name, strings.ReplaceAll(name, `"`, "%22"), url.PathEscape(name), url.QueryEscape(name), strings.Trim(string(quoted), `"`)}
}
