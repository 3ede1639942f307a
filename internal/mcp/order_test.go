package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func toolCall(t *testing.T, id int, session, meta string) *jsonrpc.Request {
	t.Helper()
	m, err := jsonrpc.DecodeMessage(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"act","arguments":{"session":%q}%s}}`, id, session, meta))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*jsonrpc.Request)
}

func ticketOf(t *testing.T, r *jsonrpc.Request) int {
	t.Helper()
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var n int
	if err := json.Unmarshal(r.Params, &params); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(params.Meta[ticketKey], &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func begun(o *order, n int) bool {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o.mu.Lock()
	t := o.tickets[n]
	o.mu.Unlock()
	if t == nil {
		return true
	}
	select {
	case <-t.first:
		return o.wait(ctx, n) == nil || ctx.Err() != nil
	default:
		return false
	}
}

// Calls of one session begin in their order, those of others at once.
func TestCallsBeginInOrder(t *testing.T) {
	t.Parallel()
	o := new(order)
	var numbers []int
	for i, session := range []string{"", "", "b", ""} {
		r := toolCall(t, i, session, "")
		o.take(r)
		numbers = append(numbers, ticketOf(t, r))
	}
	want := func(when string, begins ...bool) {
		t.Helper()
		for i, n := range numbers {
			if got := begun(o, n); got != begins[i] {
				t.Errorf("%s: call %d begun %v, want %v", when, i, got, begins[i])
			}
		}
	}
	want("at first", true, false, true, false)
	o.end(numbers[1])
	want("once the second is cancelled", true, true, true, false)
	o.answered(&jsonrpc.Response{ID: mustID(t, 0.0)})
	want("once the first is answered", true, true, true, true)
	for _, n := range numbers {
		o.end(n)
	}
	if len(o.tickets)+len(o.byID)+len(o.sessions) > 0 {
		t.Errorf("left: %v, %v, %v", o.tickets, o.byID, o.sessions)
	}
}

func mustID(t *testing.T, v any) jsonrpc.ID {
	t.Helper()
	id, err := jsonrpc.MakeID(v)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A client cannot choose its ticket, and keeps its other _meta.
func TestTicketIsOurs(t *testing.T) {
	t.Parallel()
	o := new(order)
	first, second := toolCall(t, 1, "", ""), toolCall(t, 2, "", `,"_meta":{"action/ticket":1,"progressToken":"p"}`)
	o.take(first)
	o.take(second)
	if got := ticketOf(t, second); got != 2 {
		t.Errorf("got ticket %d, want 2", got)
	}
	var params struct {
		Meta struct {
			ProgressToken string `json:"progressToken"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(second.Params, &params); err != nil || params.Meta.ProgressToken != "p" {
		t.Errorf("the progress token is %q, %v", params.Meta.ProgressToken, err)
	}
}
