package ops_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// TestMessages writes a message of each type with every field set, and reads it again.
func TestMessages(t *testing.T) {
	for _, typ := range ops.All() {
		t.Run(typ.Name, func(t *testing.T) {
			message := typ.New()
			fill(t, reflect.ValueOf(message).Elem())
			line, err := json.Marshal(wire.Request{ID: json.RawMessage(`1`), Body: message})
			if err != nil {
				t.Fatal(err)
			}
			req, err := ops.Parse(line)
			if err != nil {
				t.Fatalf("Parse(%s): %v", line, err)
			}
			if string(req.ID) != "1" || !reflect.DeepEqual(req.Body, message) {
				t.Errorf("Parse(%s) = %s, %+v, want %+v", line, req.ID, req.Body, message)
			}
			seen := make(map[string]bool)
			for _, f := range typ.Fields {
				if f.Doc == "" || seen[f.Name] || f.Name == "id" || f.Name == "type" {
					t.Errorf("the field %s has no text in docs, or appears twice: %+v", f.Name, f)
				}
				seen[f.Name] = true
			}
		})
	}
}

// fill sets everything in a struct to a valid value that is not its zero value.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		switch f.Interface().(type) {
		case string:
			_, values, _ := strings.Cut(v.Type().Field(i).Tag.Get("wire"), "one-of=")
			first, _, _ := strings.Cut(values, "|")
			f.SetString(cmp.Or(first, "/x"))
		case int:
			f.SetInt(7)
		case bool:
			f.SetBool(true)
		case wire.Duration:
			f.SetInt(int64(5 * time.Second))
		case []string:
			f.Set(reflect.ValueOf([]string{"a"}))
		case map[string]string:
			f.Set(reflect.ValueOf(map[string]string{"A": "b"}))
		case map[string]any:
			f.Set(reflect.ValueOf(map[string]any{"a": "b"}))
		case json.RawMessage:
			f.Set(reflect.ValueOf(json.RawMessage(`"x"`)))
		default:
			if f.Kind() != reflect.Struct {
				t.Fatalf("this test has no value for a %s", f.Type())
			}
			fill(t, f)
		}
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
		req, err := ops.Parse(line)
		if err != nil {
			e := diag.As(err)
			if e == nil || e.Code != diag.InvalidRequest || e.Msg == "" || e.Hint == "" || req == nil || !json.Valid(req.ID) {
				t.Fatalf("Parse(%q) = %v, %#v, want INVALID_REQUEST with a hint, and an id", line, req, err)
			}
			return
		}
		// A valid request is the same after it is encoded and parsed again.
		out, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ops.Parse(out)
		if err != nil {
			t.Fatalf("Parse(%q) is good, written as %q it is not: %v", line, out, err)
		}
		if wire.Key(again.ID) != wire.Key(req.ID) || !reflect.DeepEqual(again.Body, req.Body) {
			t.Errorf("Parse(%q) = %+v, read again %+v", line, req.Body, again.Body)
		}
	})
}

// TestWholeNumbers checks that values of any type keep their digits, or are refused.
func TestWholeNumbers(t *testing.T) {
	req, err := ops.Parse([]byte(`{"id":1,"type":"action.run","action":"a:b:c","params":{"n":[12345678901234567],"x":1.5}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := req.Body.(interface{ Values() map[string]any }).Values(), (map[string]any{"n": []any{int64(12345678901234567)}, "x": 1.5}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, want %#v", got, want)
	}
	_, err = ops.Parse([]byte(`{"id":1,"type":"step","step":"fill","args":{"value":12345678901234567890}}`))
	if e := diag.As(err); e == nil || e.Code != diag.InvalidRequest || !strings.Contains(e.Msg, "lose digits") || strings.Contains(e.Msg, "123") {
		t.Errorf("got %v, want INVALID_REQUEST without the number", err)
	}
}
