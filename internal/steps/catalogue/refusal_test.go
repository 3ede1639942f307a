package catalogue

import (
	"strings"
	"testing"
)

func TestRefusalIn(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`{"ok":false}`, "ok is false"},
		{`{"success": false, "message": "Your plan allows 3 users."}`, "success is false: Your plan allows 3 users."},
		{`{"isSuccess":"false"}`, "issuccess is false"},
		{`{"error":"quota"}`, `error: "quota"`},
		{`{"error":{"code":-32000,"message":"no"}}`, `"message":"no"`},
		{`{"errors":[{"message":"Name is taken"}],"data":null}`, "Name is taken"},
		{`{"data":{"createUser":{"user":null,"userErrors":[{"message":"taken"}]}}}`, "taken"},
		{`{"data":{"success":false}}`, "success is false"},
		{`{"d":{"ok":false}}`, "ok is false"},
		{`{"status":422,"title":"Not allowed"}`, "status is 422: Not allowed"},
		{`{"status":"error","msg":"库存不足"}`, "status is error: 库存不足"},
		{`{"code":500,"msg":"x"}`, "code is 500: x"},
		{`{"field_errors":{"name":["too short"]}}`, "too short"},

		{``, ""},
		{`[]`, ""},
		{`{"ok":true}`, ""},
		{`{"code":0,"msg":"ok"}`, ""},
		{`{"code":200,"error":null,"errors":[]}`, ""},
		{`{"error":false,"errors":{},"error_count":0}`, ""},
		{`{"error":"","errors":{"name":[]}}`, ""},
		{`{"status":"pending","result":"created"}`, ""},
		{`{"data":{"error":"of an earlier import","status":"failed"}}`, ""},
		{`{"data":{"a":{"errors":["x"]},"b":{}}}`, ""},
		{`{"items":[{"ok":false}]}`, ""},
		{`{"id":7,"status":201}`, ""},
		{`{"ok":fal`, ""},
	} {
		if got := refusalIn([]byte(tt.body)); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.body, got, tt.want)
		}
	}
}
