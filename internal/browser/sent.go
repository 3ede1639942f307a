package browser

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
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
)

// What the browser keeps of a body, and of all, while several files are uploaded. Files from
// the disk do not count: a body comes without them.
const (
	longestBody = 256 << 10
	allBodies   = 2 << 20
	mostBodies  = 200
)

// sends holds the requests with a body that a page has sent since files were given.
// Guarded by Page.mu; the bodies are used by one upload or run at a time.
type sends struct {
	sessions []string // in which the browser keeps bodies
	bodies   []*sentBody
	least    int64 // bytes of the texts that may hold the smallest of the files
	whole    int64 // bytes of that file
}

// A sentBody is one request with a body.
type sentBody struct {
	number    int // of the requests with a body, with it
	request   *network.Request
	url, kind string
	ready     chan struct{} // closed when data is set
	data      *cdp.Call
	text      *string // nil: not read, or not kept by the browser
}

// watchBodies makes it known which of the files are sent, until the run or the step is over.
func (u *upload) watchBodies(ctx context.Context, session string) {
	if len(u.files) > 0 {
		least, whole := u.least()
		u.p.readBodies(ctx, session, least, whole)
	}
}

// A page may send what it has read out of a file, or a smaller picture: a text that is as long as
// the file divided by excerpt, and not shorter than shortText, may hold one.
const (
	excerpt   = 20
	shortText = 200
)

// least is the number of bytes of a text that may hold the smallest of the files, and of that file.
func (u *upload) least() (least, whole int64) {
	least, whole = math.MaxInt64, math.MaxInt64
	for _, f := range u.files {
		part := f.Size / excerpt
		switch {
		case f.Folder: // whose sizes are not known
			return 0, 0
		case slices.ContainsFunc(typesOf(strings.ToLower(filepath.Ext(f.Path))), isDrawn):
			part = shortText
		}
		least, whole = min(least, f.Size, max(part, shortText)), min(whole, f.Size)
	}
	return least, whole
}

func (u *upload) unwatchBodies() {
	if u.p.kept.run == 0 {
		u.p.forgetBodies()
	}
}

// readBodies makes the browser keep the bodies that a page sends, in the session of a frame and
// in the page's own, for files of which the smallest has whole bytes, and may be in texts of least.
func (p *Page) readBodies(ctx context.Context, session string, least, whole int64) {
	p.mu.Lock()
	if s := &p.sends; len(s.sessions) == 0 || least < s.least {
		s.least, s.whole = least, whole
	}
	p.mu.Unlock()
	for _, s := range []string{p.session, session} {
		p.mu.Lock()
		known := slices.Contains(p.sends.sessions, s)
		if !known {
			p.sends.sessions = append(p.sends.sessions, s)
		}
		p.mu.Unlock()
		if !known {
			p.startIn(ctx, s, networkKeeps(longestBody, allBodies))
		}
	}
}

// forgetBodies ends [Page.readBodies].
func (p *Page) forgetBodies() {
	p.mu.Lock()
	sessions := p.sends.sessions
	p.sends = sends{}
	p.mu.Unlock()
	for _, s := range sessions {
		p.startIn(context.Background(), s, networkKeeps(1, 1))
	}
}

// networkKeeps makes the browser report requests, and keep so many bytes of a body and of all.
func networkKeeps(one, all int) proto.NetworkEnable {
	return proto.NetworkEnable{MaxTotalBufferSize: &all, MaxResourceBufferSize: &one}
}

// noteBodyLocked returns the body of a request that is to be read; nil if there is none, or
// nobody reads it.
func (p *Page) noteBodyLocked(v *network.RequestWillBeSent, request *network.Request) *sentBody {
	s := &p.sends
	if len(s.sessions) == 0 || !v.HasBody() || len(s.bodies) >= mostBodies {
		return nil
	}
	body := &sentBody{number: p.net.Bodies(), request: request, url: v.Request.URL, ready: make(chan struct{})}
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

// fetchBody begins to read a body: the page may be gone a moment later.
func (p *Page) fetchBody(session string, id proto.NetworkRequestID, body *sentBody) {
	body.data = p.b.conn.Start(context.Background(), session, proto.NetworkGetRequestPostData{RequestID: id})
	close(body.ready)
}

// unsentOf lists which of the files called names, of which the page neither shows nor holds
// those in lacking, it has not sent since the first bodies either. A body that does not name its
// file may be of any: as many as there are files account for all.
func (p *Page) unsentOf(ctx context.Context, names, lacking []string, since int) []string {
	if len(lacking) == 0 {
		return lacking
	}
	bodies, others := p.carriersOf(ctx, since, false)
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

// carriersOf lists the requests since the first bodies that may have held a file, and counts
// those that are not known. Texts that are too short for one together report it only, or ask the
// server about its name; whole: a part of one does not count either.
func (p *Page) carriersOf(ctx context.Context, since int, whole bool) (list []*sentBody, unknown int) {
	p.mu.Lock()
	bodies, least := slices.Clone(p.sends.bodies), p.sends.least
	if whole {
		least = p.sends.whole
	}
	unknown = p.net.Bodies() - since
	p.mu.Unlock()
	var texts []*sentBody
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

// refusedBy describes why nobody has taken anything that may have held a file since the first
// bodies; "" where somebody has, or an answer is still to come. again: pages send a file once more
// after that. ledOn: the page has led to another, so what was broken off does not count; kept: its
// input still holds the files, so what is refused may be about something else.
func (p *Page) refusedBy(ctx context.Context, since int, ledOn, kept bool) (says string, again bool) {
	list, unknown := p.carriersOf(ctx, since, kept)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, body := range list {
		r := p.net.Outcome(body.request)
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
func (body *sentBody) isText(ctx context.Context) bool {
	if !body.read(ctx) || *body.text == "" || filePart.MatchString(*body.text) {
		return false
	}
	return kindOfTexts.MatchString(body.kind)
}

// read reads the text of a request, and reports whether it is known: not once ctx is over, nor
// where it is too long to be kept.
func (body *sentBody) read(ctx context.Context) bool {
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
func (body *sentBody) files(ctx context.Context, names []string) (found []string, others int) {
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
