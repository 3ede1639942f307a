package engine

import (
	"regexp"
	"strings"
	"testing"
)

var withinLine = regexp.MustCompile(`within "(.*)"$`)

// An ambiguous result describes each match by a title that finds that match alone.
func TestToldApart(t *testing.T) {
	tests := []struct {
		name, page string
		want       []string // the ends of the lines
	}{
		{"cards", `<div class=card><h3>Ann</h3><p>Basic <button class=x>Edit</button></p></div><div class=card><h3>Bob</h3><p>Pro <button class=x>Edit</button></p></div>`,
			[]string{`within "Ann"`, `within "Bob"`}},
		{"rows", `<table><tr><td>Apple<td><button class=x>Edit</button><tr><td>Pear<td><button class=x>Edit</button></table>`,
			[]string{`within "Apple"`, `within "Pear"`}},
		{"dialogs", `<div role=dialog aria-label=Item><p>Name</p><button class=x>OK</button></div><div role=dialog aria-labelledby=t><b id=t>Sure?</b><button class=x>OK</button></div>`,
			[]string{`within "Item"`, `within "Sure?"`}},
		{"headings", `<h2>One</h2><button class=x>Go</button><h2>Two</h2><button class=x>Go</button>`,
			[]string{`within "One"`, `within "Two"`}},
		{"titles that are alike", `<section class=card><b>Same</b> <button class=x>Go</button></section><section class=card><b>Same</b> <button class=x>Go</button></section>`,
			[]string{"in <section.card>", "in <section.card>"}},
		{"a title that is elsewhere too", `<p class=n>Ann</p><button class=x>Top</button><div class=card><b>Ann</b> <button class=x>Go</button></div>`,
			[]string{"in <body>", `within "Ann"`}},
		{"no text but their own", `<div class=a><button class=x>Go</button></div><div class=b><button class=x>Go</button></div>`,
			[]string{"in <div.a>", "in <div.b>"}},
		{"a title in quotes", `<section><b>The "big" one</b> <button class=x>Go</button></section><section><b>Other</b> <button class=x>Go</button></section>`,
			[]string{`within "The \"big\" one"`, `within "Other"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, tt.page)
			res := p.call("act", request("press", query(css(".x"))))
			lines, _ := res["lines"].([]any)
			if res["reason"] != "ambiguous" || len(lines) != len(tt.want) {
				t.Fatalf("got %s", unescaped(res))
			}
			for i, want := range tt.want {
				line := lines[i].(string)
				if !strings.HasSuffix(line, "> "+want) {
					t.Errorf("line %d is %s, want it to end in %s", i, line, want)
				}
				if m := withinLine.FindStringSubmatch(line); m != nil {
					title := strings.ReplaceAll(m[1], `\"`, `"`)
					one := p.call("act", request("none", query(part{"kind": "within", "value": title}, css(".x"))))
					if one["ok"] != true {
						t.Errorf("within %s: %s", title, unescaped(one))
					}
				}
			}
		})
	}
}
