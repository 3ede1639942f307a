package serve

import (
	"net/http"

	"github.com/actionregistry/action/internal/ops"
)

// onSession returns the handler of an operation on one session. The id of the session is in the
// path, and the other fields of the request are in the body.
func onSession(name string) func(s *Server, w http.ResponseWriter, r *http.Request) error {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		if _, err := query(r); err != nil {
			return err
		}
		if _, err := s.session(r.Context(), r.PathValue("id")); err != nil {
			return err
		}
		body, err := s.readBody(w, r)
		if err != nil {
			return err
		}
		body.set("session", r.PathValue("id"))
		return s.perform(w, r, ops.Lookup(name), body)
	}
}
