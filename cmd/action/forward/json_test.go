package forward

import (
	"encoding/json"
	"testing"
)

// FuzzString holds what is written and read against encoding/json.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "<é€😀>", "\xff\xed\xa0\x80", "\u2028\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		theirs, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		if err := json.Unmarshal(theirs, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(appendString(nil, s), &got); err != nil || got != want {
			t.Errorf("written %q, which is %q (%v), want %q", appendString(nil, s), got, err, want)
		}
		if r := (&reader{s: theirs}); r.text() != want || r.bad || r.next() != 0 {
			t.Errorf("%s is not read as %q", theirs, want)
		}
	})
}

// FuzzParse reads what encoding/json writes, and any line without a panic or a loop.
func FuzzParse(f *testing.F) {
	f.Add(1, "a\n<", "b", 3, "", "", []byte(`{"id":1`))
	f.Add(2, "\U0001F600", "", -1, "output", "", []byte(` { "data" : {"stdout":"\ud83d\ude00\ud83d\u0041","more":[1,[],{},{"a":null}]} } `))
	f.Add(0, "", "", 0, "", "INTERNAL", []byte(`{"error":{"code":"INTERNAL","details":{"a":[-1.5e3,true]}}}`))
	for _, line := range []string{`{"a":"\u12`, `{"a":[`, `{"a":]}`, `{"":"\x"}`, `{"data":3}`, `{"a":[1 2]}`, `{"a" "b"}`, ``, `{}`} {
		f.Add(0, "", "", 0, "", "", []byte(line))
	}
	f.Fuzz(func(t *testing.T, id int, stdout, stderr string, exit int, event, code string, line []byte) {
		parse(line)
		type data struct {
			Stdout string `json:"stdout"`
			Stderr string `json:"stderr"`
			Exit   int    `json:"exit"`
		}
		type fault struct {
			Message string `json:"message"`
			Code    string `json:"code"`
		}
		sent := map[string]any{"id": id, "success": code == "", "data": data{stdout, stderr, exit}, "more": []any{stdout, nil, 1.5}}
		if event != "" {
			sent["event"] = event
		}
		if code != "" {
			sent["error"] = fault{stdout, code}
		}
		written, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var want struct { // with U+FFFD for what is no UTF-8
			Data  data  `json:"data"`
			Error fault `json:"error"`
		}
		if err := json.Unmarshal(written, &want); err != nil {
			t.Fatal(err)
		}
		m, ok := parse(written)
		if !ok || m.id != id || m.event != (event != "") || m.code != want.Error.Code || (m.fault != nil) != (code != "") ||
			want.Data != (data{string(m.out.stdout), m.out.stderr, m.out.exit}) {
			t.Errorf("%s is read as %+v, %v", written, m, ok)
		}
	})
}
