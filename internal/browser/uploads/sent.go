package uploads

// Which files a page sends: several files may go in one request or in one each, and a page may
// send some of them alone. The names in a body say which.

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

// What the browser keeps of a body, and of all, while several files are uploaded. Files from
// the disk do not count: a body comes without them.
const (
	longestBody = 256 << 10
	allBodies   = 2 << 20
	mostBodies  = 200
)

// Sent records the requests with a body that one tab sends. From [Sent.Keep] to [Sent.Forget], the
// browser also keeps the bodies. Call Init before anything else. After that, Note and Count may be
// called by several goroutines, with any other lock held; the other methods are for one upload or
// run at a time.
type Sent struct {
	conn    *cdp.Conn
	traffic *network.Traffic

	mu       sync.Mutex
	count    int      // of the requests with a body so far
	sessions []string // in which the browser keeps bodies
	bodies   []*Body
	least    int64 // bytes of the texts that may hold the smallest of the files
	whole    int64 // bytes of that file
}

// A Body is the body of one request.
type Body struct {
	number    int // of the requests with a body, with it
	request   *network.Request
	url, kind string
	ready     chan struct{} // closed when data is set
	data      *cdp.Call
	text      *string // nil: not read, or not kept by the browser
}

// Init prepares s for a tab with that traffic, whose bodies are read over conn.
func (s *Sent) Init(conn *cdp.Conn, traffic *network.Traffic) {
	s.conn, s.traffic = conn, traffic
}

// A page may send what it has read out of a file, or a smaller picture: a text that is as long as
// the file divided by excerpt, and not shorter than shortText, may hold one.
const (
	excerpt   = 20
	shortText = 200
)

// leastText is the number of bytes of a text that may hold the smallest of the files, and of that file.
func leastText(files []driver.UploadFile) (least, whole int64) {
	least, whole = math.MaxInt64, math.MaxInt64
	for _, f := range files {
		part := f.Size / excerpt
		switch {
		case f.Folder: // whose sizes are not known
			return 0, 0
		case IsDrawn(f.Path):
			part = shortText
		}
		least, whole = min(least, f.Size, max(part, shortText)), min(whole, f.Size)
	}
	return least, whole
}

// Keep makes the browser keep the bodies that these sessions send from now on, until Forget is
// called. It is called before a page is given the files.
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
		s.conn.Start(context.Background(), session, Keeps(1, 1))
	}
}

// Keeps makes the browser report requests. It then keeps at most one bytes of each body, and at
// most all bytes of all bodies.
func Keeps(one, all int) proto.NetworkEnable {
	return proto.NetworkEnable{MaxTotalBufferSize: &all, MaxResourceBufferSize: &one}
}

// Count is the number of requests with a body sent so far, without beacons.
func (s *Sent) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Note records a request that a session has sent, and returns its body if it is to be read: then
// Fetch must be called once no lock is held. Nil means that it has none, or that nobody reads it.
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
	_ = json.Unmarshal(v.Request.Headers, &headers) // without them its kind is not known
	for name, value := range headers {
		if strings.EqualFold(name, "Content-Type") {
			body.kind = value
		}
	}
	s.bodies = append(s.bodies, body)
	return body
}

// Fetch begins to read a body at once, because the page may be gone a moment later.
func (s *Sent) Fetch(session string, id proto.NetworkRequestID, body *Body) {
	body.data = s.conn.Start(context.Background(), session, proto.NetworkGetRequestPostData{RequestID: id})
	close(body.ready)
}

// Answered reports whether the requests with a body after the first since ones are answered or
// have failed.
func (s *Sent) Answered(since int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(s.bodies, func(b *Body) bool {
		r := s.traffic.Outcome(b.request)
		return b.number > since && r.Status == 0 && r.Failure == ""
	})
}

// Unsent lists which of the files called names, of which the page neither shows nor holds those in
// lacking, it has not sent after the first since bodies either. A body that does not name its
// file may be of any: as many as there are files account for all.
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
	// What is shown of files of one name may be what is sent of them: both must be missing.
	return less(lacking, less(lacking, unnamed))
}

// Carriers lists the requests after the first since ones with a body that may have held a file, and
// counts those that are not known. Texts that are too short for one together report it only, or ask the
// server about its name; whole: a part of one does not count either.
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

// Refused describes why nobody has taken anything that may have held a file after the first
// since bodies; "" where somebody has, or an answer is still to come. again: pages send a file once more
// after that. ledOn: the page has led to another, so what was broken off does not count; kept: its
// input still holds the files, so what is refused may be about something else.
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
			says, again = fmt.Sprintf("%s %s was broken off (%s)", r.Method, pathOf(r.URL), r.Failure), true
		default:
			return "", false
		}
	}
	return says, again
}

// signsIn matches the addresses of pages that ask to sign in.
var signsIn = regexp.MustCompile(`(?i)^[a-z]+://[^/]*(/.*)?[/_.-](log[-_]?[io]n|sign[-_]?in|auth|authenticate|sso)([/_.-].*)?$`)

// passing are the answers of a client's fault that another request may not get.
var passing = []int{http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests}

// pathOf is an address without its query.
func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// less is a list of names without those in other, each of which stands for one.
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

// isText reports whether a request holds a text and no file beside it, and reads the text. One
// that the browser does not give may hold a file of the disk.
func (body *Body) isText(ctx context.Context) bool {
	if !body.read(ctx) || *body.text == "" || filePart.MatchString(*body.text) {
		return false
	}
	return kindOfTexts.MatchString(body.kind)
}

// read reads the text of a request, and reports whether it is known: not once ctx is over, nor
// where it is too long to be kept.
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

// files lists the files that a request names, as often as it does, and how many others it may
// hold: none once ctx is over.
func (body *Body) files(ctx context.Context, names []string) (found []string, others int) {
	switch {
	case body.read(ctx):
	case ctx.Err() != nil:
		return nil, 0
	default:
		return names, 0 // too long to be read: it may hold all of them
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
			// Beside the entry of a file, a request may name it in an address or a path.
			found = append(found, slices.Repeat([]string{name}, max(1, entries))...)
		}
	}
	return found, max(0, parts-len(found))
}

// longestFirst orders names, each once, so that one in another does not stand for it.
func longestFirst(names []string) []string {
	list := slices.SortedFunc(slices.Values(names), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(list)
}

// formsOf lists how a name is written in a request: as it is, in a multipart header, in an
// address, in a form and in JSON.
func formsOf(name string) []string {
	quoted, _ := json.Marshal(name) // a text
	return []string{name, strings.ReplaceAll(name, `"`, "%22"), url.PathEscape(name), url.QueryEscape(name), strings.Trim(string(quoted), `"`)}
}
