package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// A text of the console is what a developer sees there.
func TestWritten(t *testing.T) {
	for args, want := range map[string]string{
		`[]`: "",
		`[{"type":"string","value":"a"},{"type":"number","value":1.5},{"type":"boolean","value":true},{"type":"undefined"},{"type":"object","subtype":"null","value":null}]`:                                 "a 1.5 true undefined null",
		`[{"type":"number","unserializableValue":"NaN"},{"type":"bigint","unserializableValue":"12n"},{"type":"symbol","description":"Symbol(a)"}]`:                                                          "NaN 12n Symbol(a)",
		`[{"type":"string","value":"%s has %d of 100%% %cgreen"},{"type":"string","value":"Ada"},{"type":"number","value":7},{"type":"string","value":"color: green"},{"type":"string","value":"and more"}]`: "Ada has 7 of 100% green and more",
		`[{"type":"string","value":"50% %s %"}]`: "50% %s %",
		`[{"type":"object","description":"Object","preview":{"overflow":true,"properties":[{"name":"a","type":"number","value":"1"},{"name":"b","type":"string","value":"x"}]}}]`:                       `{a: 1, b: "x", …}`,
		`[{"type":"object","subtype":"array","description":"Array(2)","preview":{"subtype":"array","properties":[{"name":"0","type":"number","value":"1"},{"name":"1","type":"string","value":"x"}]}}]`: `[1, "x"]`,
		`[{"type":"object","subtype":"error","description":"Error: no\n    at f (a.js:1:2)","preview":{"properties":[]}}]`:                                                                              "Error: no\n    at f (a.js:1:2)",
		`[{"type":"function","description":"() => 1"}]`: "() => 1",
	} {
		var list []object
		if err := json.Unmarshal([]byte(args), &list); err != nil {
			t.Fatal(err)
		}
		if got := written(list); got != want {
			t.Errorf("%s:\n got %q\nwant %q", args, got, want)
		}
	}
}

// A page that writes without end costs a bounded number of texts of a bounded length.
func TestBounds(t *testing.T) {
	var l Log
	long := strings.Repeat("ä", longestText+1)
	for i := range mostMessages + 50 {
		l.NoteCall(&cdp.Event{Params: fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":"%d %s"}],"timestamp":1}`, i, long)})
	}
	list, dropped := l.Messages()
	if len(list) != mostMessages || dropped != 50 {
		t.Fatalf("%d messages are kept and %d dropped, want %d and 50", len(list), dropped, mostMessages)
	}
	if first := list[0]; !strings.HasPrefix(first.Text, "50 ä") || len([]rune(first.Text)) != longestText+1 || !first.Cut {
		t.Errorf("the first message is %d bytes (cut: %v): %.20q", len(first.Text), first.Cut, first.Text)
	}
	if l.Clear(); len(l.list) != 0 || l.dropped != 0 {
		t.Error("cleared, it still has messages")
	}
	for _, params := range []string{`{"type":"clear"}`, `{"type":"endGroup"}`, `no JSON`} {
		if l.NoteCall(&cdp.Event{Params: []byte(params)}); len(l.list) != 0 {
			t.Errorf("%s is recorded as %v", params, l.list)
		}
	}
}

// TestSkip checks that messages of before a call of Skip are not recorded, even if they arrive later.
func TestSkip(t *testing.T) {
	var l Log
	note := func(text string, at time.Time) {
		e := Exception{Time: float64(at.UnixMilli())}
		e.Details.Text = text
		l.NoteException(&e)
		l.NoteCall(&cdp.Event{Params: fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":%q}],"timestamp":%d}`, text, at.UnixMilli())})
	}
	note("first", time.Now().Add(-time.Hour))
	l.Skip()
	note("private", time.Now().Add(-time.Second))
	note("later", time.Now().Add(time.Second))
	var got []string
	for _, m := range l.list {
		got = append(got, m.Text)
	}
	if want := []string{"first", "first", "later", "later"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
