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

// TestOutput checks that a command succeeds only if the daemon's answer says so.
func TestOutput(t *testing.T) {
	tests := []struct {
		line string
		exit int // -1: the answer cannot be read
		code diag.Code
	}{
		{`{"id":1,"success":true,"data":{"stdout":"Prices","exit":0}}`, 0, ""},
		{`{"id":1,"success":true,"data":{"exit":3,"later":true}}`, 3, ""},
		{`{"id":1,"success":false,"error":{"code":"CANCELLED","message":"cancelled"}}`, -1, diag.Cancelled},
		{`{"id":1}`, -1, diag.Internal},
		{`{"id":1,"success":false}`, -1, diag.Internal},
		{`{"id":1,"success":false,"data":{"exit":0}}`, -1, diag.Internal},
		{`{"id":1,"data":{"exit":0}}`, -1, diag.Internal},
		{`{"id":1,"success":true}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":null}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":{}}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":[]}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":{"exit":null}}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":{"exit":"0"}}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":{"exit":256}}`, -1, diag.Internal},
		{`{"id":1,"success":true,"data":{"exit":-1}}`, -1, diag.Internal},
	}
	for _, test := range tests {
		t.Run(test.line, func(t *testing.T) {
			r := new(wire.Reply)
			if err := json.Unmarshal([]byte(test.line), r); err != nil {
				t.Fatal(err)
			}
			out, err := r.Output()
			switch {
			case test.exit < 0:
				if e := diag.As(err); e == nil || e.Code != test.code {
					t.Errorf("got %v, %v; want %s", out, err, test.code)
				}
			case err != nil || out.Exit != test.exit:
				t.Errorf("got %v, %v; want exit code %d", out, err, test.exit)
			}
		})
	}
}
