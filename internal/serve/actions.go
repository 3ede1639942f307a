package serve

// The paths of actions and runs.

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/ops"
)

// actionOf returns the full name of the action in a path.
func actionOf(r *http.Request) string {
	return r.PathValue("ns") + ":" + r.PathValue("component") + ":" + r.PathValue("verb")
}

// runQuery lists the query parameters of requests that run an action. runPlain lists those that are
// booleans or numbers.
var (
	runQuery = []string{"session", "timeout", "steps", "strict", "from_text", "headed"}
	runPlain = []string{"timeout", "steps", "strict", "from_text", "headed"}
)

// runAction runs an action. The body of the request has its params.
func runAction(s *Server, w http.ResponseWriter, r *http.Request) error {
	return s.runNamed(w, r, ops.Lookup("action.run"))
}

func debugAction(s *Server, w http.ResponseWriter, r *http.Request) error {
	return s.runNamed(w, r, ops.Lookup("action.debug"))
}

func (s *Server) runNamed(w http.ResponseWriter, r *http.Request, o *ops.Operation) error {
	params, err := query(r, runQuery...)
	if err != nil {
		return err
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	request := fieldsOfQuery(params, runPlain...)
	request.set("action", actionOf(r))
	request["params"], err = json.Marshal(body)
	if err != nil {
		return err
	}
	return s.run(w, r, o, request, actionOf(r), nil)
}

// dryRunAction answers with the plan of a run.
func dryRunAction(s *Server, w http.ResponseWriter, r *http.Request) error {
	params, err := query(r, "strict", "from_text")
	if err != nil {
		return err
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	request := fieldsOfQuery(params, "strict", "from_text")
	request.set("action", actionOf(r))
	if request["params"], err = json.Marshal(body); err != nil {
		return err
	}
	return s.perform(w, r, ops.Lookup("action.dryRun"), request)
}

// listActions answers with a list of actions, or with the results of a search.
func listActions(s *Server, w http.ResponseWriter, r *http.Request) error {
	params, err := query(r, "q", "limit", "namespace", "namespaces", "strict")
	if err != nil {
		return err
	}
	request := fieldsOfQuery(params, "limit", "namespaces", "strict")
	words, search := params["q"]
	if !search {
		if _, limit := params["limit"]; limit {
			return diag.New(diag.InvalidRequest, "found the parameter \"limit\" without the parameter \"q\"").WithHint("add the parameter \"q\", with words to search for")
		}
		return s.perform(w, r, ops.Lookup("action.list"), request)
	}
	delete(request, "q")
	for name := range request {
		if name != "limit" {
			return diag.New(diag.InvalidRequest, "found both parameters %q and \"q\", expected one of them", name).WithHint("remove one of the two parameters")
		}
	}
	request.set("query", words)
	return s.perform(w, r, ops.Lookup("action.search"), request)
}

func describeAction(s *Server, w http.ResponseWriter, r *http.Request) error {
	params, err := query(r, "format")
	if err != nil {
		return err
	}
	request := fieldsOfQuery(params)
	request.set("action", actionOf(r))
	return s.perform(w, r, ops.Lookup("action.describe"), request)
}

func reload(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	return s.perform(w, r, ops.Lookup("action.reload"), fields{})
}

// located adds the location of the definitions to a request of the operation o.
func (s *Server) located(o *ops.Operation, request fields) error {
	where, err := json.Marshal(s.o.Location)
	if err != nil {
		return err
	}
	var known fields
	if err := json.Unmarshal(where, &known); err != nil {
		return err
	}
	for name, value := range known {
		if slices.ContainsFunc(o.Fields, func(f ops.Field) bool { return f.Name == name }) {
			request[name] = value
		}
	}
	return nil
}

// perform sends a request to the daemon, and answers with the data in the reply.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, o *ops.Operation, request fields) error {
	var data json.RawMessage
	if err := s.fetch(r, o, request, &data); err != nil {
		return failed(o, err)
	}
	s.write(w, http.StatusOK, data)
	return nil
}

// fetch sends a request to the daemon, and decodes the data in the reply.
func (s *Server) fetch(r *http.Request, o *ops.Operation, request fields, into any) error {
	if err := s.located(o, request); err != nil {
		return err
	}
	m, err := o.Decode(request)
	if err != nil {
		return err
	}
	return s.ask(r.Context(), m, into)
}

// run starts a run and answers the request. With the header "Prefer: respond-async", it answers
// immediately with the id of the run. With "Accept: text/event-stream", it streams the events.
// Otherwise it waits and answers with the result. If shape is not nil, it converts the result of a
// run that succeeded to the answer.
func (s *Server) run(w http.ResponseWriter, r *http.Request, o *ops.Operation, request fields, name string, shape func(json.RawMessage) (any, error)) error {
	streaming := headerHas(r, "Accept", eventType)
	later := headerHas(r, "Prefer", "respond-async")
	request["stream"] = json.RawMessage("true")
	if err := s.located(o, request); err != nil {
		return err
	}
	m, err := o.Decode(request)
	if err != nil {
		return err
	}
	base := s.base
	if !streaming && !later { // the run ends with its request
		base = r.Context()
	}
	run, err := s.launch(base, o, m, name)
	if err != nil {
		return err
	}
	switch {
	case later:
		w.Header().Set("Preference-Applied", "respond-async")
		w.Header().Set("Location", runPath(run.id))
		s.write(w, http.StatusAccepted, s.runs.stateOf(run))
		return nil
	case streaming:
		w.Header().Set("Location", runPath(run.id))
		return s.follow(w, r, run, 0)
	}
	<-run.over // closed soon after the request's context has ended, at the latest
	if run.why != nil {
		return &failure{status: run.why.status, err: run.why.err, more: run.why.more}
	}
	if shape == nil {
		s.write(w, http.StatusOK, run.result)
		return nil
	}
	answer, err := shape(run.result)
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, answer)
	return nil
}

// getRun answers with the state of a run. If the run has ended, the answer includes its result.
func getRun(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	run, err := s.runs.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, s.runs.stateOf(run))
	return nil
}

// cancelRun cancels a run and waits for its end. It does nothing to a run that has already ended.
func cancelRun(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	run, err := s.runs.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	run.cancel(errCancelled)
	select {
	case <-run.over:
	case <-r.Context().Done():
	}
	s.write(w, http.StatusOK, s.runs.stateOf(run))
	return nil
}

// runEvents streams the events of a run. If the request has the header Last-Event-ID, only later
// events are sent.
func runEvents(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	run, err := s.runs.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	last := 0
	if text := r.Header.Get("Last-Event-ID"); text != "" {
		if last, err = strconv.Atoi(text); err != nil || last < 0 {
			return diag.New(diag.InvalidRequest, "found an invalid Last-Event-ID, expected the number of an event").WithHint("send the id of the last event that you have received")
		}
	}
	return s.follow(w, r, run, last)
}
