package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/ops"
)

// problemType is the content type of an error, as RFC 9457 defines it.
const problemType = "application/problem+json"

// A failure is an error with the HTTP status of its answer.
type failure struct {
	status int
	err    *diag.Error
	more   map[string]any // more fields of the answer
	header http.Header
}

func (f *failure) Error() string { return f.err.Error() }

// fail returns an error with a status that is not the usual one for its code.
func fail(status int, code diag.Code, format string, args ...any) *failure {
	return &failure{status: status, err: diag.New(code, format, args...)}
}

func (f *failure) hint(format string, args ...any) *failure {
	f.err = f.err.WithHint(format, args...)
	return f
}

// failed converts err to a failure. The status depends on the code of err, and on the operation o.
// o may be nil.
func failed(o *ops.Operation, err error) *failure {
	if f := (*failure)(nil); errors.As(err, &f) { // it may be joined with another error
		return f
	}
	e := diag.As(err)
	if e == nil {
		e = diag.New(diag.Internal, "the server failed while it handled this request").WithHint("report this as a bug, with the log of: action serve")
	}
	f := &failure{status: ops.StatusOf(e.Code), err: e}
	if o != nil {
		f.status = o.StatusFor(e.Code)
	}
	return f
}

// staleFields maps details of STALE_REF to the fields that repeat them in the answer.
var staleFields = map[string]string{"ref": "ref_id", "snapshot_page_rev": "snapshot_page_rev", "current_page_rev": "current_page_rev", "url": "url"}

// problem returns the fields of the answer for an error.
func (f *failure) problem() map[string]any {
	out := maps.Clone(f.more)
	if out == nil {
		out = make(map[string]any)
	}
	out["type"], out["title"], out["status"] = "about:blank", title(f.status), f.status
	out["code"], out["detail"] = f.err.Code, f.err.Msg
	if f.err.Hint != "" {
		out["suggestion"] = f.err.Hint
	}
	if len(f.err.Details) > 0 {
		out["details"] = f.err.Details
	}
	if f.err.Code == diag.StaleRef {
		for from, to := range staleFields {
			out[to] = f.err.Details[from]
		}
	}
	return out
}

func title(status int) string {
	if status == ops.StatusClientClosed {
		return "Cancelled"
	}
	return http.StatusText(status)
}

// retryAfter is the value of the header Retry-After, in seconds. It is sent when a queue was full.
const retryAfter = 1

func (s *Server) writeFailure(w http.ResponseWriter, f *failure) {
	maps.Copy(w.Header(), f.header)
	if f.status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	s.writeAs(w, f.status, problemType, f.problem())
}

// write answers with JSON.
func (s *Server) write(w http.ResponseWriter, status int, v any) {
	s.writeAs(w, status, "application/json", v)
}

func (s *Server) writeAs(w http.ResponseWriter, status int, contentType string, v any) {
	text, ok := v.(json.RawMessage)
	if !ok {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			s.o.Log.Error("an answer could not be encoded", "error", err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		text = b.Bytes()
	}
	if !bytes.HasSuffix(text, []byte("\n")) { // for terminals
		text = append(slices.Clip(text), '\n')
	}
	s.writeText(w, status, contentType, text)
}

// writeText answers with a body that is already encoded.
func (s *Server) writeText(w http.ResponseWriter, status int, contentType string, text []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	s.patience(w)
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that has disconnected needs no answer
}

// patience limits the time that the client has to read an answer.
func (s *Server) patience(w http.ResponseWriter) {
	// Only the connection of a test fails here, because it has no deadlines.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.o.WriteTime))
}
