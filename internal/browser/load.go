package browser

// Loading an address as a download, even if the server says it is a page: the answer is
// intercepted, in a separate session, and marked as a file to save.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// A load is an address to be downloaded. downloads.mu guards status and failure.
type load struct {
	session string
	frame   proto.PageFrameID
	status  int    // of an answer that is no file
	failure string // net::ERR_… where there was none
}

// loadToDownload loads address in the page, which stays as it is.
func (p *Tab) loadToDownload(ctx context.Context, address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return diag.New(diag.ParamInvalid, "%q cannot be downloaded, expected an http or https address", address).
			WithHint("give an address like https://example.test/report.pdf")
	}
	if err := p.ready(ctx); err != nil {
		return err
	}
	var attached proto.TargetAttachToTargetResult
	if err := p.b.do(ctx, proto.TargetAttachToTarget{TargetID: proto.TargetTargetID(p.frame), Flatten: true}, &attached); err != nil {
		return err
	}
	l := &load{session: string(attached.SessionID), frame: p.frame}
	defer p.b.endLoad(l)
	p.b.beginLoad(l)
	hold := proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{
		{URLPattern: "*", ResourceType: proto.NetworkResourceTypeDocument, RequestStage: proto.FetchRequestStageResponse},
	}}
	if err := p.b.explain(ctx, p.b.conn.Do(ctx, l.session, hold, nil)); err != nil {
		return err
	}
	var r navigateResult
	if err := p.start(ctx, proto.PageNavigate{URL: address}).Wait(&r); err != nil {
		return p.openFailed(ctx, address, err)
	}
	p.b.downloads.mu.Lock()
	status, failure := l.status, l.failure
	p.b.downloads.mu.Unlock()
	switch {
	case failure != "":
		return p.b.navigationFailed(address, failure)
	case status == http.StatusNoContent, status == http.StatusResetContent:
		return noPage(address, fmt.Sprintf("the server answered %d %s", status, http.StatusText(status))).WithDetail("status", status)
	case status != 0:
		return diag.New(diag.StepFailed, "%s cannot be downloaded: the server answered %d", address, status).
			WithDetail("status", status).WithDetail("url", address).WithHint("check the address, and that this session may read it")
	case r.IsDownload:
		return nil
	case r.ErrorText == errAborted:
		return p.aborted(address)
	case r.ErrorText != "":
		if err := p.settle(ctx); err != nil { // the error page follows
			return err
		}
		return p.b.navigationFailed(address, r.ErrorText)
	}
	return diag.New(diag.StepFailed, "%s is a place in the page that is open, and no download", address).
		WithHint("give the address of a file")
}

func (b *Browser) beginLoad(l *load) {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	b.downloads.load = l
}

func (b *Browser) endLoad(l *load) {
	b.beginLoad(nil)
	b.conn.Start(context.Background(), "", proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(l.session)})
}

// handleLoad answers intercepted requests in the session of a load. It runs in the
// goroutine that reads replies.
func (b *Browser) handleLoad(e *cdp.Event) {
	var v proto.FetchRequestPaused
	if e.Method != "Fetch.requestPaused" || !cdp.Decode(e, &v) {
		return
	}
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	l := b.downloads.load
	if l == nil || l.session != e.Session {
		return
	}
	b.conn.Start(context.Background(), e.Session, l.answer(b, &v))
}

// answer says how an intercepted request continues: as a file, or, if it is not one, not at
// all, so that the page stays.
func (l *load) answer(b *Browser, v *proto.FetchRequestPaused) proto.Request {
	stop := proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: proto.NetworkErrorReasonAborted}
	code := v.ResponseStatusCode
	switch {
	case v.FrameID != l.frame:
	case v.ResponseErrorReason != "":
		l.failure = b.netFailure(v.Request.URL, netError(v.ResponseErrorReason))
		return stop
	case code == nil, *code >= 300 && *code < 400:
	case *code >= 400, *code == http.StatusNoContent, *code == http.StatusResetContent:
		l.status = *code
		return stop
	default:
		return proto.FetchContinueResponse{RequestID: v.RequestID, ResponseCode: code, ResponseHeaders: asAttachment(v.ResponseHeaders)}
	}
	return proto.FetchContinueResponse{RequestID: v.RequestID}
}

// netError is Chromium's name of a failure: net::ERR_CONNECTION_REFUSED for
// ConnectionRefused.
func netError(reason proto.NetworkErrorReason) string {
	name := "net::ERR"
	for _, r := range reason {
		if unicode.IsUpper(r) {
			name += "_"
		}
		name += string(unicode.ToUpper(r))
	}
	return name
}

// asAttachment adds headers that say that the body is a file to save, under a possible
// name.
func asAttachment(headers []*proto.FetchHeaderEntry) []*proto.FetchHeaderEntry {
	said := "attachment"
	var out []*proto.FetchHeaderEntry
	for _, h := range headers {
		if !strings.EqualFold(h.Name, "content-disposition") {
			out = append(out, h)
			continue
		}
		if _, params, ok := strings.Cut(h.Value, ";"); ok {
			said = "attachment;" + params
		}
	}
	return append(out, &proto.FetchHeaderEntry{Name: "Content-Disposition", Value: said})
}
