package serve

import (
	"encoding/json"
	"net/http"

	"github.com/actionregistry/action/internal/ops"
)

// seeApprovals returns the handler of an operation that reads approvals. flag is the only query
// parameter that the handler accepts.
func seeApprovals(name, flag string) func(s *Server, w http.ResponseWriter, r *http.Request) error {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		params, err := query(r, flag)
		if err != nil {
			return err
		}
		request := fieldsOfQuery(params, flag)
		if id := r.PathValue("approval"); id != "" {
			request.set("approval", id)
		}
		return s.perform(w, r, ops.Lookup(name), request)
	}
}

// answerApproval returns the handler of an operation that answers an approval. The handler opens a
// new connection: the daemon accepts no answer from the connection of the run.
func answerApproval(name string) func(s *Server, w http.ResponseWriter, r *http.Request) error {
	o := ops.Lookup(name)
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		if _, err := query(r); err != nil {
			return err
		}
		request, err := s.readBody(w, r)
		if err != nil {
			return err
		}
		request.set("approval", r.PathValue("approval"))
		request.set("channel", "http")
		m, err := o.Decode(request)
		if err != nil {
			return err
		}
		conn, err := s.o.Connect(r.Context())
		if err != nil {
			return err
		}
		defer conn.Close()
		var answered json.RawMessage
		if err := ops.Ask(r.Context(), conn, m, &answered); err != nil {
			return failed(o, err)
		}
		s.write(w, http.StatusOK, answered)
		return nil
	}
}
