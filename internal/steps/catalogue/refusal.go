package catalogue

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

// refusalIn returns what a JSON answer says of a request that it refuses, or "". Only the top of
// the answer counts, and the objects in which many interfaces wrap it, because an answer may
// contain errors as data. A server that answers with a status below 400 may refuse all the same.
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

// refusalOf is refusalIn for one object. Names that are common in data count only at the top.
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

// failing are the words by which a status says that a request has failed.
var failing = map[string]bool{
	"error": true, "fail": true, "failed": true, "failure": true, "rejected": true, "denied": true, "refused": true, "invalid": true, "ko": true, "nok": true,
}

// withPlainNames returns o with its names in lower case, without the marks between their words.
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

// holds reports whether a value of an error says anything.
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
