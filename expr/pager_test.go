package expr_test

import (
	"testing"

	"github.com/actionregistry/action/expr"
)

func TestPager(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1–5 of 23":                        `{"from":1,"page":1,"pages":5,"size":5,"to":5,"total":23}`,
		"11-15 of 23":                      `{"from":11,"page":3,"pages":5,"size":5,"to":15,"total":23}`,
		"21–23 of 23":                      `{"from":21,"to":23,"total":23}`, // the size may be 5, or 20
		"1–3 of 3":                         `{"from":1,"page":1,"pages":1,"size":3,"to":3,"total":3}`,
		"1–1 of 23":                        `{"from":1,"page":1,"pages":23,"size":1,"to":1,"total":23}`,
		"Showing 1 to 10 of 1,234 entries": `{"from":1,"page":1,"pages":124,"size":10,"to":10,"total":1234}`,
		"1.001–1.050 von 12.345":           `{"from":1001,"page":21,"pages":247,"size":50,"to":1050,"total":12345}`,
		"1–5 of more than 5":               `{"from":1,"page":1,"size":5,"to":5}`,
		"1–25 of 500+":                     `{"from":1,"page":1,"size":25,"to":25}`,
		"第 1-5 条，共 23 条":                   `{"from":1,"page":1,"pages":5,"size":5,"to":5,"total":23}`,
		"共 23 条，第 6-10 条":                  `{"from":6,"page":2,"pages":5,"size":5,"to":10,"total":23}`,
		"1 à 5 sur 23":                     `{"from":1,"page":1,"pages":5,"size":5,"to":5,"total":23}`,
		"3–7 of 23":                        `{"from":3,"to":7,"total":23}`,
		"0–0 of 0":                         `null`,
		"Page 2 of 9":                      `{"page":2,"pages":9}`,
		"(2 of 9)":                         `{"page":2,"pages":9}`,
		"2 / 9":                            `{"page":2,"pages":9}`,
		"第 2 页 / 共 9 页":                    `{"page":2,"pages":9}`,
		"9 of 2":                           `null`,
		"23 rows":                          `null`,
		"":                                 `null`,
	} {
		tmpl, err := expr.ParseTemplate("${text | pager | json}", expr.Options{Params: map[string]bool{"text": true}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tmpl.Eval(&expr.Scope{Params: map[string]any{"text": text}})
		if err != nil || got != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}
