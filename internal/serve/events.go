package serve

// Server-sent events.

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// beat is the time after which a stream without events sends a comment. The comment keeps the
// connection open.
const beat = 15 * time.Second

// eventType is the content type of a stream of events.
const eventType = "text/event-stream"

// A stream sends events to a client.
type stream struct {
	s *Server
	w http.ResponseWriter
}

func (s *Server) openStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", eventType)
	w.WriteHeader(http.StatusOK)
	return &stream{s: s, w: w}
}

// send sends one event. The number of the event is its id.
func (t *stream) send(number int, name, data string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %d\nevent: %s\n", number, name)
	for line := range strings.SplitSeq(data, "\n") {
		b.WriteString("data: " + line + "\n")
	}
	b.WriteString("\n")
	return t.raw(b.String())
}

func (t *stream) raw(text string) error {
	t.s.patience(t.w)
	if _, err := t.w.Write([]byte(text)); err != nil {
		return err
	}
	return http.NewResponseController(t.w).Flush()
}

// follow streams the events of a run until the run or the connection ends. It sends only events
// with a number above the argument "last". A client that does not read is disconnected.
func (s *Server) follow(w http.ResponseWriter, r *http.Request, run *run, last int) error {
	out := s.openStream(w)
	if err := out.raw(": run " + run.id + "\n\n"); err != nil {
		return nil
	}
	timer := time.NewTicker(beat)
	defer timer.Stop()
	for {
		events, over, more := s.runs.after(run, last)
		for _, e := range events {
			if err := out.send(e.number, e.name, string(e.data)); err != nil {
				return nil // the client is gone
			}
			last = e.number
		}
		if over {
			return nil
		}
		select {
		case <-more:
		case <-timer.C:
			if err := out.raw(": \n\n"); err != nil {
				return nil
			}
		case <-r.Context().Done():
			return nil
		case <-s.base.Done():
			return nil
		}
	}
}
