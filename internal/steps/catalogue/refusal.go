package catalogue

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

// refusalIn returns the reason for which a server has refused a request, or "" if it has not. It
// reads the reason from the JSON body of the answer, because a server may report a failure with the
// status 200. It searches only the top object and common wrappers, such as "data".
func refusalIn(body []byte) string {
	var top map[string]any
	if len(body) == 0 || json.Unmarshal(body, &top) != nil {
		return ""
	}
	says := refusalOf(top, true)
	for _, name := range []string{"data", "result", "response", "payload", "d"} {
		inner, _ := top[name].(map[string]any)
		if says == "" && inner != nil {
			says = refusalOf(inner, false)
		}
		for _, v := range inner { // the result of one mutation of GraphQL
			if one, ok := v.(map[string]any); ok && says == "" && len(inner) == 1 {
				says = refusalOf(one, false)
			}
		}
	}
	return says
}

// refusalOf is refusalIn for one object. The argument top says whether it is the top object. In
// other objects, refusalOf ignores some names, such as "error", that may be ordinary data.
func refusalOf(o map[string]any, top bool) string {
	message := messageOf(o)
	says := func(what string) string {
		if message != "" && !strings.Contains(what, message) {
			what += ": " + message
		}
		return diag.Clip(what, 300)
	}
	names := withPlainNames(o)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch v := names[name]; name {
		case "ok", "success", "succeeded", "accepted", "issuccess":
			if v == false || v == "false" {
				return says(name + " is false")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch v := names[name]; name {
		case "errors", "usererrors", "fielderrors", "validationerrors":
			if holds(v) {
				return says(name + ": " + diag.JSONText(v))
			}
		case "error":
			if top && holds(v) {
				return says(name + ": " + diag.JSONText(v))
			}
		case "status", "statuscode", "result", "state":
			if n, ok := v.(float64); top && ok && name != "result" && name != "state" && n >= 400 && n < 600 {
				return says(fmt.Sprintf("%s is %v", name, n))
			}
			if word, _ := v.(string); top && failing[strings.ToLower(word)] {
				return says(name + " is " + word)
			}
		case "code":
			if n, ok := v.(float64); top && ok && n >= 400 && n < 600 {
				return says(fmt.Sprintf("code is %v", n))
			}
		}
	}
	return ""
}

// failing lists the values of a member such as "status" that report a failed request.
var failing = map[string]bool{
	"error": true, "fail": true, "failed": true, "failure": true, "rejected": true, "denied": true, "refused": true, "invalid": true, "ko": true, "nok": true,
}

// withPlainNames returns a copy of o whose names are in lower case and contain no "_" or "-".
func withPlainNames(o map[string]any) map[string]any {
	out := make(map[string]any, len(o))
	for name, v := range o {
		out[strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))] = v
	}
	return out
}

// messageOf returns the message in an answer that a person could read, or "" if it has none.
func messageOf(o map[string]any) string {
	names := withPlainNames(o)
	for _, name := range []string{"message", "msg", "detail", "reason", "error", "title"} {
		if text, _ := names[name].(string); text != "" {
			return text
		}
	}
	return ""
}

// holds reports whether the value of a member such as "error" is not empty, false or 0.
func holds(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v) != ""
	case bool:
		return v
	case float64:
		return v != 0
	case []any:
		return len(v) > 0
	case map[string]any:
		for _, inner := range v {
			if holds(inner) {
				return true
			}
		}
	}
	return false
}
