package expr_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/actionregistry/action/expr"
)

func TestDecodeJSON(t *testing.T) {
	for _, tt := range []struct {
		data string
		want any
		err  string
	}{
		{`{"a": [9007199254740993, -12345678901234567]}`, map[string]any{"a": []any{int64(9007199254740993), int64(-12345678901234567)}}, ""},
		{`9223372036854775807`, int64(9223372036854775807), ""},
		{`9223372036854775808`, float64(1 << 63), ""}, // which a float64 holds exactly
		{`9223372036854775809`, nil, "would lose digits"},
		{`[{"n": 12345678901234567890}]`, nil, "would lose digits"},
		{`[1.5, 1e300, 0.1, 1.0, null, true, "12345678901234567890"]`, []any{1.5, 1e300, 0.1, 1.0, nil, true, "12345678901234567890"}, ""},
		{`1e999`, nil, "too large"},
		{`1 2`, nil, "more than one value"},
		{`{`, nil, "unexpected"},
	} {
		got, err := expr.DecodeJSON([]byte(tt.data))
		if !reflect.DeepEqual(got, tt.want) || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(strings.ToLower(err.Error()), tt.err) {
			t.Errorf("DecodeJSON(%s) = %#v, %v, want %#v, %q", tt.data, got, err, tt.want, tt.err)
		}
		if err != nil && strings.Contains(err.Error(), "123") {
			t.Errorf("DecodeJSON(%s): the error has the number: %v", tt.data, err)
		}
	}
	if got, err := expr.Number(json.Number("7")); got != int64(7) || err != nil {
		t.Errorf("Number(7) = %#v, %v", got, err)
	}
}
