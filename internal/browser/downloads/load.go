package downloads

// Loading an address as a download, even if the server says that it is a page: the answer is
// intercepted, in a separate session, and marked as a file to save.

import (
	"context"
	"net/http"
	"strings"
	"unicode"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// A Load is an address that is being loaded as a download.
type Load struct {
	store   *Store
	session string
	frame   proto.PageFrameID
	status  int    // of an answer that is no file
	failure string // net::ERR_… where there was none
}

// Load begins a load in the main frame of a tab, in place of any other: the answers of its
// documents are paused from now on ([Store.Paused]), in a separate session. The caller then
// navigates the frame, and must call [Load.End]. Errors are those of calls, without a code.
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

// Refused returns why the answer so far is no file: its HTTP status, or the failure of the request
// (net::ERR_…). Both are zero if it is one, or if there is none yet.
func (l *Load) Refused() (status int, failure string) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	return l.status, l.failure
}

// Paused handles a request that is paused in the session of a load; it ignores other events.
// explain says what a failure is, by its address and its name; it must not use the store.
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

// answerLocked says how an intercepted request continues: as a file, or, if it is not one, not at
// all, so that the page stays.
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

// netError is Chromium's name of a failure: net::ERR_CONNECTION_REFUSED for ConnectionRefused.
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

// asAttachment adds headers that say that the body is a file to save, under a possible name.
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
