package session_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	_ "image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
)

func addReadCases(stepCases map[string]stepCase) {
	stepCases["find"] = stepCase{
		Effects: []trial{
			{args: object{"role": "button", "name": "Go"}, want: object{"count": 1, "role": "button", "name": "Go", "text": "Go", "visible": true},
				check: func(t *testing.T, b *bench, got object) {
					r := b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "@" + got["ref"].(string), "what": "text"}})
					want(t, data(t, r), "text", "Go")
				}},
			{args: object{"css": "#gone"}, want: object{"count": 1, "visible": false}},
			{args: object{"text": "no such text"}, want: object{"count": 0, "ref": ""}},
		},
		Refusals: []trial{{args: object{"css": "#go["}, code: diag.ParamInvalid, says: "css"}},
		Stuck:    []trial{{args: object{"css": "#go"}, code: diag.Timeout, says: silent}},
	}
	stepCases["get"] = stepCase{
		Effects: []trial{
			{args: object{"what": "text", "selector": "css:#plain"}, want: object{"text": "Plain text"}, absent: []string{"truncated"}, look: told("plain.innerText", "Plain text")},
			{args: object{"what": "text", "selector": "css:#plain", "limit": 5}, want: object{"text": "Plain… (5 of 10 characters)", "truncated": true}},
			{args: object{"what": "attr", "selector": "css:#away", "name": "href"}, want: object{"attr": "/echo?from=link"}, absent: []string{"truncated"}},
			{args: object{"what": "status"}, want: object{"status": 200}, absent: []string{"truncated"}},
			{before: []does{{"eval", object{"script": "console.warn('low on %s', 'tea'); console.info({n: 1})"}}}, args: object{"what": "console", "limit": 1}, want: object{"truncated": true},
				check: func(t *testing.T, _ *bench, got object) {
					list, _ := got["console"].([]any)
					if len(list) != 1 || list[0].(object)["text"] != "{n: 1}" || list[0].(object)["level"] != "info" || list[0].(object)["source"] != "console" {
						t.Errorf("console = %v, want the last message", list)
					}
				}},
			{args: object{"what": "count", "selector": "css:.twin"}, want: object{"count": 2}, absent: []string{"truncated"}},
			{args: object{"what": "value", "selector": "css:#fixed"}, want: object{"value": "kept"}, absent: []string{"truncated"}, look: told("fixed.value", "kept")},
		},
		Refusals: []trial{
			{args: object{"what": "text", "selector": "css:.twin"}, code: diag.ElementAmbiguous, waits: true, says: "matches 2 elements"},
			{args: object{"what": "value"}, code: diag.ParamInvalid, says: "needs a selector"},
			{args: object{"what": "console", "selector": "css:#plain"}, code: diag.ParamInvalid, says: "takes no selector"},
		},
		Late: []trial{{args: object{"what": "text", "selector": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["is"] = stepCase{
		Effects: []trial{
			{args: object{"state": "checked", "selector": "label:Agreed"}, want: object{"checked": true}, look: told("agreed.checked", "true")},
			{args: object{"state": "enabled", "selector": "css:#off"}, want: object{"enabled": false}, look: told("off.disabled", "true")},
			{args: object{"state": "visible", "selector": "css:#none"}, want: object{"visible": false}},
		},
		Refusals: []trial{
			{args: object{"state": "checked", "selector": "css:#plain"}, code: diag.StepFailed, says: "is not a checkbox"},
			{args: object{"state": "enabled", "selector": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"},
		},
		Stuck: []trial{{args: object{"state": "visible", "selector": "css:#go"}, code: diag.Timeout, says: silent}},
	}
	stepCases["look"] = stepCase{
		Effects: []trial{
			{args: object{"is": object{"twins": "css:.twin", "hidden": "css:#gone", "none": "css:#none"}, "visible": object{"seen": "css:.twin", "unseen": "css:#gone"},
				"texts": object{"text": "css:#plain", "missing": "css:#none"}, "attrs": object{"link": object{"selector": "css:#away", "name": "href"}, "absent": object{"selector": "css:#away", "name": "download"}}},
				want: object{"twins": 2, "hidden": 1, "none": 0, "seen": 2, "unseen": 0, "text": "Plain text", "missing": nil, "link": "/echo?from=link", "absent": nil}},
			{yaml: `      - {look: {is: {two: "css:.twin", go: "role:button[name='Go']"}}, output: out}`, want: object{"two": 2, "go": 1}},
			{yaml: "      - look: {is: {inside: \"css:td\", first: \"nth:0\", outside: \"document: >> css:.twin\", none: \"css:.twin\"}}\n        scope: \"css:tbody tr\"\n        output: out",
				want: object{"inside": 4, "first": 1, "outside": 2, "none": 0}},
		},
		Refusals: []trial{
			{args: object{"is": object{"bad": "css:#go["}}, code: diag.ParamInvalid, says: "css"},
			{args: object{"is": object{"twice": "css:a"}, "texts": object{"twice": "css:b"}}, code: diag.ParamInvalid, says: "two questions"},
			{args: object{}, code: diag.ParamInvalid, says: "without questions"},
			{args: object{"attrs": object{"a": "css:a"}}, code: diag.ParamInvalid, says: "expected {selector, name}"},
		},
		Stuck: []trial{{args: object{"is": object{"go": "css:#go"}}, code: diag.Timeout, says: silent}},
	}
	stepCases["narrow"] = stepCase{
		Effects: []trial{
			{yaml: "      - foreach: [\"css:tbody\", \"css:tr >> nth:0\"]\n        steps:\n          - choose:\n            cases:\n" +
				"              - {when: \"${index} == 0\", steps: [{narrow: \"css:tbody\", output: n}]}\n            else: [{narrow: \"css:tr >> nth:1\", output: n}]\n" +
				"          - {look: {is: {cells: \"css:td\", all: \"document: >> css:td\"}}, output: seen}\n        output: levels\n" +
				"      - {assert: \"${steps.levels.items[0].seen.cells} == 4 && ${steps.levels.items[1].seen.cells} == 2 && ${steps.levels.items[1].seen.all} == 4\"}\n" +
				"      - {set: {values: {ref: \"${steps.levels.items[1].n.ref}\"}}, output: out}",
				check: func(t *testing.T, _ *bench, got object) {
					if ref, _ := got["ref"].(string); !strings.HasPrefix(ref, "e") && !strings.Contains(ref, ":e") {
						t.Errorf("the ref is %q", ref)
					}
				}},
		},
		Refusals: []trial{{args: object{"selector": "css:tbody"}, code: diag.InvalidRequest, says: "only be used inside an action"}},
		Late:     []trial{{yaml: "      - foreach: [1]\n        steps: [{narrow: \"css:#none\", timeout: 300ms}]\n        output: out", code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["extract"] = stepCase{
		Effects: []trial{
			{args: object{"rows": "css:tbody tr", "fields": object{"id": object{"what": "attr", "attr": "data-id"}, "name": "css:td >> nth:1"}},
				want: object{"rows": "[map[id:1 name:Ada] map[id:2 name:Grace]]", "count": 2},
				look: told("[...document.querySelectorAll('tbody tr')].map((r) => r.dataset.id + r.cells[1].innerText).join()", "1Ada,2Grace")},
		},
		Refusals: []trial{{args: object{"rows": "css:tr[", "fields": object{"id": "css:td"}}, code: diag.ParamInvalid, says: "css:tr["}},
		Stuck:    []trial{{args: object{"rows": "css:tbody tr", "fields": object{"id": "css:td"}}, code: diag.Timeout, says: silent}},
	}
	stepCases["snapshot"] = stepCase{
		Effects: []trial{
			{args: object{"scope": "css:table"}, want: object{"url": "BASE/steps.html", "title": "Steps", "truncated": false}, absent: []string{"tree"}, check: seesTable},
			{args: object{"format": "json"}, absent: []string{"text"}},
		},
		Refusals: []trial{{args: object{"scope": "css:.twin"}, code: diag.ElementAmbiguous, waits: true, says: "matches 2 elements"},
			{args: object{"delta": "snap_none"}, code: diag.StaleRef, says: "snap_none"}},
		Late: []trial{{args: object{"scope": "css:#none"}, code: diag.ElementNotFound, says: "css:#none"}},
	}
	stepCases["screenshot"] = stepCase{
		Effects: []trial{
			{args: object{"path": "shot.png"}, absent: []string{"base64"}, check: isPicture("png")},
			{args: object{"selector": "css:#go", "format": "jpeg"}, absent: []string{"base64"}, check: isTempPicture},
			{args: object{"selector": "css:#go", "format": "base64"}, absent: []string{"path"}, check: isBase64Picture},
		},
		Refusals: []trial{{args: object{"path": "none/shot.png"}, code: diag.StepFailed, says: "could not be written: none: no such file"},
			{args: object{"selector": "css:#go", "full_page": true}, code: diag.ParamInvalid, says: "expected one of them"},
			{args: object{"path": "shot.png", "format": "base64"}, code: diag.ParamInvalid, says: "expected one of them"}},
		Late: []trial{{args: object{"selector": "css:#gone"}, code: diag.ElementNotInteractable, says: `<p#gone "Never shown">: display: none`}},
	}
	stepCases["pdf"] = stepCase{
		Effects: []trial{{args: object{"path": "page.pdf"}, check: func(t *testing.T, b *bench, got object) {
			data, err := os.ReadFile(got["path"].(string))
			if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) || len(data) != got["bytes"] {
				t.Errorf("%d bytes, %v, want a PDF of %v bytes", len(data), err, got["bytes"])
			}
		}}},
		Refusals: []trial{{args: object{"path": "none/page.pdf"}, code: diag.StepFailed, says: "could not be written"}},
		Stuck:    []trial{{args: object{"path": "late.pdf"}, code: diag.Timeout, says: silent}},
	}
}

func isBase64Picture(t *testing.T, _ *bench, got object) {
	t.Helper()
	text, _ := got["base64"].(string)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("%.20q, %v: want a PNG in base64", text, err)
	}
}

func seesTable(t *testing.T, _ *bench, got object) {
	t.Helper()
	for _, cell := range []string{"Ada", "Grace"} {
		if !strings.Contains(got["text"].(string), cell) {
			t.Errorf("the snapshot has no %s:\n%v", cell, got["text"])
		}
	}
}

// isTempPicture checks a picture in the private temporary folder, and removes it.
func isTempPicture(t *testing.T, b *bench, got object) {
	isPicture("jpeg")(t, b, got)
	path := got["path"].(string)
	if err := errors.Join(os.Remove(path), os.Remove(filepath.Dir(path))); err != nil {
		t.Error(err)
	}
}

func isPicture(format string) func(*testing.T, *bench, object) {
	return func(t *testing.T, b *bench, got object) {
		t.Helper()
		f, err := os.Open(got["path"].(string))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, is, err := image.DecodeConfig(f)
		if err != nil || is != format || c.Width != got["width"] || c.Height != got["height"] {
			t.Errorf("%s is %s of %d by %d (%v), want %s of %v by %v", filepath.Base(f.Name()), is, c.Width, c.Height, err, format, got["width"], got["height"])
		}
	}
}
