package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/ops"
)

// wrongFor lists values that are invalid for every field of a kind.
var wrongFor = map[ops.Kind][]string{
	ops.Text:     {`1`, `true`, `[]`, `{}`, `"a\u0000b"`},
	ops.Absolute: {`1`, `false`, `[]`, `{}`, `"here"`, `""`, `"/a\u0000b"`},
	ops.Integer:  {`"1"`, `true`, `[]`, `{}`, `-1`, `1.0`, `1e1`, `-0.5`, `1e999`, `2147483648`},
	ops.Boolean:  {`0`, `"true"`, `[]`, `{}`},
	ops.Time:     {`true`, `[]`, `{}`, `1.5`, `-1`, `1e3`, `1e999`, `"5"`, `"-5s"`, `""`},
	ops.Texts:    {`1`, `"a"`, `true`, `{}`, `[1]`, `["a",null]`, `["a\u0000"]`, `[["a"]]`},
	ops.Env:      {`1`, `"A=b"`, `true`, `[]`, `{"A":1}`, `{"A":null}`, `{"":"x"}`, `{"A=B":"x"}`, `{"A":"x\u0000"}`, `{"A\u0000":"x"}`},
	ops.Map:      {`1`, `"{}"`, `true`, `[]`, `[[{}]]`},
	ops.Fields:   {`1`, `"{}"`, `true`, `[]`, `{"none":1}`},
	ops.ID:       {`true`, `[]`, `{}`},
}

// rightFor has a valid value for each kind of required field.
var rightFor = map[ops.Kind]string{
	ops.Text: `"x"`, ops.Integer: `1`, ops.Texts: `["x"]`, ops.ID: `"x"`,
}

// TestWrongTypes checks that every field of every type rejects every invalid value.
func TestWrongTypes(t *testing.T) {
	s := serve(t, daemon.Options{})
	p := s.dial(t)
	for _, typ := range ops.All() {
		for _, f := range typ.Fields {
			t.Run(typ.Name+" "+f.Name, func(t *testing.T) {
				p.wrongValues(t, f, func(value string) string {
					return object(append(required(typ.Fields, f.Name), `"id":1`, `"type":"`+typ.Name+`"`, `"`+f.Name+`":`+value)...)
				})
			})
			for _, option := range f.Fields {
				t.Run(typ.Name+" "+f.Name+" "+option.Name, func(t *testing.T) {
					p.wrongValues(t, option, func(value string) string {
						return object(`"id":1`, `"type":"`+typ.Name+`"`, `"`+f.Name+`":`+object(`"`+option.Name+`":`+value))
					})
				})
			}
		}
	}
	p.mustAnswer()
}

func (p *peer) wrongValues(t *testing.T, f ops.Field, line func(value string) string) {
	t.Helper()
	values := slices.Clone(wrongFor[f.Kind])
	if len(values) == 0 {
		t.Fatalf("no wrong values for the kind %q", f.Kind)
	}
	if f.Required {
		values = append(values, `null`)
	}
	if f.Required && f.Kind == ops.Text {
		values = append(values, `""`)
	}
	for _, value := range values {
		m := p.ask(line(value))
		if m.code() != "INVALID_REQUEST" || string(m.ID) != "1" || m.Error.Hint == "" {
			t.Errorf("%s\ngot  %s\nwant INVALID_REQUEST with a hint", line(value), text(m))
			continue
		}
		if !strings.Contains(m.Error.Msg, f.Name) {
			t.Errorf("%s: the message %q does not name the field", line(value), m.Error.Msg)
		}
	}
}

// required returns the required fields, with values, except the one with the name but.
func required(fields []ops.Field, but string) []string {
	var list []string
	for _, f := range fields {
		if f.Required && f.Name != but {
			list = append(list, fmt.Sprintf("%q:%s", f.Name, rightFor[f.Kind]))
		}
	}
	return list
}

func object(fields ...string) string { return "{" + strings.Join(fields, ",") + "}" }
