package wire_test

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	tests := []struct {
		name, in string
		max      int
		want     []string
	}{
		{"lines", "a\nb\n", 10, []string{"a", "b"}},
		{"no break at the end", "a\nb", 10, []string{"a", "b"}},
		{"blank lines", "\n \r\n\t\na\n\n", 10, []string{"a"}},
		{"just as long", "abcde\nb\n", 5, []string{"abcde", "b"}},
		{"one longer", "abcdef\nb\n", 5, []string{"too long", "b"}},
		{"longer than the buffer", long + "\nb\n", 5, []string{"too long", "b"}},
		{"longer than the buffer and allowed", long + "\nb\n", 40_000, []string{long, "b"}},
		{"too long at the end", "a\n" + long, 5, []string{"a", "too long"}},
		{"short and too long at the end", "a\nabcdef", 5, []string{"a", "too long"}},
		{"nothing", "", 5, nil},
	}
	for _, test := range tests {
		for name, r := range map[string]io.Reader{"": strings.NewReader(test.in), " by bytes": iotest.OneByteReader(strings.NewReader(test.in))} {
			t.Run(test.name+name, func(t *testing.T) {
				var got []string
				lines := wire.NewLineReader(r, test.max)
				for {
					line, err := lines.Next()
					if errors.Is(err, io.EOF) {
						break
					}
					if errors.Is(err, wire.ErrLineTooLong) {
						line = []byte("too long")
					} else if err != nil {
						t.Fatal(err)
					}
					got = append(got, string(line))
				}
				if !reflect.DeepEqual(got, test.want) {
					t.Errorf("got %.100q, want %.100q", got, test.want)
				}
			})
		}
	}
}

// TestTypesFitRequest holds the table and the struct together: every field of
// the table is one of the struct, and all of the struct are used.
func TestTypesFitRequest(t *testing.T) {
	fields := map[string]bool{"id": true, "type": true}
	for _, typ := range wire.Types() {
		seen := make(map[string]bool)
		for _, f := range typ.Fields {
			if seen[f.Name] {
				t.Errorf("%s has %s twice", typ.Name, f.Name)
			}
			seen[f.Name], fields[f.Name] = true, true
		}
	}
	request := reflect.TypeFor[wire.Request]()
	for i := range request.NumField() {
		if !request.Field(i).IsExported() {
			continue
		}
		name, _, _ := strings.Cut(request.Field(i).Tag.Get("json"), ",")
		if !fields[name] {
			t.Errorf("no type has the field %s of Request", name)
		}
		delete(fields, name)
	}
	for name := range fields {
		t.Errorf("Request has no field %s", name)
	}
}

// TestComplete: what a request lacks that was not parsed is told as of one that was.
func TestComplete(t *testing.T) {
	full := map[string]any{"action": "a:b", "step": "get", "query": "q", "paths": []string{"p"}, "argv": []string{"a"}, "program": "p", "target": 1}
	for _, typ := range wire.Types() {
		given := map[string]any{"id": 1, "type": typ.Name}
		for { // gives one after the other what is missing
			line, err := json.Marshal(given)
			if err != nil {
				t.Fatal(err)
			}
			var req wire.Request
			if err := json.Unmarshal(line, &req); err != nil {
				t.Fatal(err)
			}
			_, want := wire.Parse(line)
			got := req.Complete()
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("Complete of %s: got %v, want %v", line, got, want)
			}
			if want == nil {
				break
			}
			_, missing, _ := strings.Cut(diag.As(want).Msg, " has no ")
			if _, twice := given[missing]; twice || full[missing] == nil {
				t.Fatalf("%s: %v; this test has no value for it", line, want)
			}
			given[missing] = full[missing]
		}
	}
	if err := (&wire.Request{Type: "no.such"}).Complete(); diag.As(err).Code != diag.InvalidRequest {
		t.Errorf("Complete of a type that is not there: got %v, want INVALID_REQUEST", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"type":"action.run","action":"a:b:c","params":{"x":[1,{"y":null}]},"stream":true,"timeout":"5s"}`,
		`{"id":"x","type":"step","step":"wait","args":{"time":8000},"env":{"A":"b"},"cwd":"/","path":""}`,
		`{"id":1e3,"type":"session.open","options":{"viewport":{"width":1,"height":2},"headed":false}}`,
		`{"id":1,"type":"action.validate","paths":["a","b"]}`, `{"id":1,"type":"cancel","target":"é"}`,
		`{"id":1,"id":2}`, `[`, "\xff", `null`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		req, err := wire.Parse(line)
		if err != nil {
			e := diag.As(err)
			if e == nil || e.Code != diag.InvalidRequest || e.Msg == "" || e.Hint == "" || req == nil || !json.Valid(req.ID) {
				t.Fatalf("Parse(%q) = %v, %#v, want INVALID_REQUEST with a hint, and an id", line, req, err)
			}
			return
		}
		// A good request says the same when it is written and read again.
		out, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.Parse(out)
		if err != nil {
			t.Fatalf("Parse(%q) is good, written as %q it is not: %v", line, out, err)
		}
		if wire.Key(again.ID) != wire.Key(req.ID) || again.Type != req.Type || !reflect.DeepEqual(again.Params, req.Params) || !reflect.DeepEqual(again.Env, req.Env) {
			t.Errorf("Parse(%q) = %+v, read again %+v", line, req, again)
		}
	})
}
