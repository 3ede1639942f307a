package pagetools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/cdp"
)

func note(r *Record, method string, params any) {
	data, _ := json.Marshal(params)
	r.Note(&cdp.Event{Session: "s", Method: method, Params: data})
}

type object = map[string]any

func offers(frame string, names ...string) object {
	var list []object
	for _, name := range names {
		list = append(list, object{"name": name, "description": strings.Repeat("d", 5000), "frameId": frame, "inputSchema": strings.Repeat("s", len(name)*40_000)})
	}
	return object{"tools": list}
}

func (r *Record) show(gone string) string {
	list, more := r.Tools(func(id proto.PageFrameID) bool { return string(id) != gone })
	var names []string
	for _, t := range list {
		names = append(names, fmt.Sprintf("%s.%s", t.Frame, t.Name))
	}
	return fmt.Sprintf("%s %d", strings.Join(names, ","), more)
}

func TestTools(t *testing.T) {
	var r Record
	want := func(want string) {
		t.Helper()
		if got := r.show("C"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	note(&r, "WebMCP.toolsAdded", offers("A", "a", "bb"))
	note(&r, "WebMCP.toolsAdded", offers("B", "a"))
	note(&r, "WebMCP.toolsAdded", offers("C", "c", strings.Repeat("n", maxName+1))) // a frame that is gone
	note(&r, "WebMCP.toolsAdded", offers("A", "a"))                                 // registered again
	want("A.bb,B.a,A.a 0")
	list, _ := r.Tools(func(proto.PageFrameID) bool { return true })
	if t0 := list[0]; t0.Schema != nil || len(t0.Description) > maxDescription+3 || t0.Session != "s" {
		t.Errorf("a tool with long texts: %d bytes, a schema of %d", len(t0.Description), len(t0.Schema))
	}
	note(&r, "WebMCP.toolsRemoved", offers("B", "a"))
	r.Note(&cdp.Event{Method: "WebMCP.toolsAdded", Params: []byte(`{"tools":3}`)})
	want("A.bb,A.a 0")
	note(&r, "Page.frameNavigated", object{"frame": object{"id": "A"}})
	want(" 0")
	for i := range maxTools + 5 {
		note(&r, "WebMCP.toolsAdded", offers("A", fmt.Sprintf("t%d", i)))
	}
	if list, more := r.Tools(func(id proto.PageFrameID) bool { return id == "A" }); len(list) != maxTools-1 || more != 6 {
		t.Errorf("%d tools and %d more", len(list), more) // the frame that is gone still has one
	}
}

func TestAnswers(t *testing.T) {
	var r Record
	answer := func(id, output string) {
		note(&r, "WebMCP.toolResponded", object{"invocationId": id, "output": output})
	}
	answer("early", "x") // no call has begun
	r.BeginCall()
	answer("1", "one")
	answer("2", strings.Repeat("x", expr.MaxValueBytes))
	if _, ok := r.Answer("early"); ok {
		t.Error("an answer before the call was recorded")
	}
	if a, ok := r.Answer("2"); !ok || !a.TooLarge || a.Output != nil {
		t.Errorf("a large answer: %d bytes, %v", len(a.Output), ok)
	}
	answer("3", "other")
	if len(r.answers) != 2 {
		t.Errorf("%d answers, although only that of one call counts", len(r.answers))
	}
	r.EndCall()
	if _, ok := r.Answer("1"); ok {
		t.Error("an answer is left after the call")
	}
}
