package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// ticketKey is the key in _meta under which a call has the number of its ticket. A value from the
// client is overwritten.
const ticketKey = "action/ticket"

// methodCall is the method by which a client calls a tool.
const methodCall = "tools/call"

// An order makes sure that the calls of each session run in the order in which the client has sent
// them. The SDK would run them concurrently. The zero value is ready for use.
type order struct {
	mu       sync.Mutex
	last     int
	tickets  map[int]*ticket
	byID     map[string]int       // ticket of each pending request
	sessions map[string][]*ticket // tickets of each session, in order
}

// A ticket is the position of a call in the order of its session.
type ticket struct {
	id      string // of the request
	session string
	first   chan struct{} // closed when all calls before it have been answered
}

// take makes a ticket for a call that has arrived, and adds its number to the params of the call.
func (o *order) take(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || r.Method != methodCall || !r.IsCall() {
		return
	}
	var params map[string]json.RawMessage
	if json.Unmarshal(r.Params, &params) != nil || params == nil {
		return // the SDK rejects it
	}
	var args struct {
		Session string `json:"session"`
	}
	_ = json.Unmarshal(params["arguments"], &args) // the tool rejects arguments of another type
	var meta map[string]json.RawMessage
	if json.Unmarshal(params["_meta"], &meta) != nil || meta == nil {
		meta = make(map[string]json.RawMessage)
	}
	number := o.add(idText(r.ID), args.Session)
	meta[ticketKey] = json.RawMessage(strconv.Itoa(number))
	params["_meta"], _ = json.Marshal(meta) // cannot fail: its values were decoded from JSON
	r.Params, _ = json.Marshal(params)
}

func (o *order) add(id, session string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tickets == nil {
		o.tickets, o.byID, o.sessions = make(map[int]*ticket), make(map[string]int), make(map[string][]*ticket)
	}
	o.last++
	t := &ticket{id: id, session: session, first: make(chan struct{})}
	if len(o.sessions[session]) == 0 {
		close(t.first)
	}
	o.tickets[o.last], o.byID[id] = t, o.last
	o.sessions[session] = append(o.sessions[session], t)
	return o.last
}

// wait waits until all earlier calls of the same session have been answered. number is that of the
// call's ticket.
func (o *order) wait(ctx context.Context, number int) error {
	o.mu.Lock()
	t := o.tickets[number]
	o.mu.Unlock()
	if t == nil {
		return nil
	}
	select {
	case <-t.first:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// answered ends the ticket of a request when its reply is sent. It is for calls that the SDK
// answers without a handler.
func (o *order) answered(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return
	}
	o.mu.Lock()
	number := o.byID[idText(r.ID)]
	o.mu.Unlock()
	o.end(number)
}

// end ends a ticket, so that the next call of the session may begin. It may be called several
// times.
func (o *order) end(number int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.tickets[number]
	if t == nil {
		return
	}
	delete(o.byID, t.id)
	delete(o.tickets, number)
	line := o.sessions[t.session]
	i := slices.Index(line, t)
	line = slices.Delete(line, i, i+1)
	if len(line) == 0 {
		delete(o.sessions, t.session)
		return
	}
	o.sessions[t.session] = line
	if i == 0 {
		close(line[0].first)
	}
}

// idText returns the JSON text of a request's id.
func idText(id jsonrpc.ID) string {
	text, err := json.Marshal(id.Raw())
	if err != nil {
		return ""
	}
	return string(text)
}
