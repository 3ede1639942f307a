package downloads

// Loads an address as a download, even if its server declares it a page. The response is
// intercepted in a separate session and declared a file to save.

import (
	"context"
	"net/http"
	"strings"
	"unicode"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// A Load loads an address as a download.
type Load struct {
	store   *Store
	session string
	frame   proto.PageFrameID
	status  int    // of an answer that is not a file
	failure string // net::ERR_… if there was no answer
}

// Load begins a load in the main frame of a tab, and replaces any other load. The caller navigates
// the frame, passes events to [Store.Paused], and finally calls [Load.End]. Errors are those of
// protocol calls, without a code.
func (s *Store) Load(ctx context.Context, frame proto.PageFrameID) (*Load, error) {
	var attached proto.TargetAttachToTargetResult
	if err := s.conn.Do(ctx, "", proto.TargetAttachToTarget{TargetID: proto.TargetTargetID(frame), Flatten: true}, &attached); err != nil {
		return nil, err
	}
	l := &Load{store: s, session: string(attached.SessionID), frame: frame}
	s.mu.Lock()
	s.load = l
	s.mu.Unlock()
	hold := proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{
		{URLPattern: "*", ResourceType: proto.NetworkResourceTypeDocument, RequestStage: proto.FetchRequestStageResponse},
	}}
	if err := s.conn.Do(ctx, l.session, hold, nil); err != nil {
		l.End()
		return nil, err
	}
	return l, nil
}

// End ends the load and its session.
func (l *Load) End() {
	s := l.store
	s.mu.Lock()
	s.load = nil
	s.mu.Unlock()
	s.conn.Start(context.Background(), "", proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(l.session)})
}

// Refused returns why the response is not a file: its HTTP status, or the failure of the request
// (net::ERR_…). Both results are zero if the response is a file, or if there is none yet.
func (l *Load) Refused() (status int, failure string) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	return l.status, l.failure
}

// Paused handles the event that the browser has paused a request of the load. It ignores other
// events. The function explain returns the text to report for a failure; explain must not use the
// store.
func (s *Store) Paused(e *cdp.Event, explain func(address, failure string) string) {
	var v proto.FetchRequestPaused
	if e.Method != "Fetch.requestPaused" || !cdp.Decode(e, &v) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.load != nil && s.load.session == e.Session {
		s.conn.Start(context.Background(), e.Session, s.load.answerLocked(&v, explain))
	}
}

// answerLocked returns the command that ends the pause of a request. A response that can be saved
// becomes a file. Other responses are cancelled, so that the page keeps its document.
func (l *Load) answerLocked(v *proto.FetchRequestPaused, explain func(address, failure string) string) proto.Request {
	stop := proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: proto.NetworkErrorReasonAborted}
	code := v.ResponseStatusCode
	switch {
	case v.FrameID != l.frame:
	case v.ResponseErrorReason != "":
		l.failure = explain(v.Request.URL, netError(v.ResponseErrorReason))
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

// netError returns Chromium's name of a failure, such as net::ERR_CONNECTION_REFUSED.
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

// asAttachment returns response headers with which the browser saves the body as a file. It keeps
// the file name in the given headers, if any.
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
