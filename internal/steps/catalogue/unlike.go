package catalogue

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
)

// unlike returns the rows that are not in the list known. Rows that differ only in digits count as
// equal, so that a clock or a counter does not make a row new.
func unlike(rows []map[string]any, known any) ([]map[string]any, error) {
	list, ok := known.([]any)
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "the argument \"unlike\" is %s, expected a list of rows", steps.KindOf(known)).
			WithHint("pass the rows of an earlier `extract` or `look` with the same fields, such as ${steps.before.rows}")
	}
	seen := make(map[string]bool, len(list))
	for _, row := range list {
		key, err := rowKey(row)
		if err != nil {
			return nil, err
		}
		seen[key] = true
	}
	var failed error
	rows = slices.DeleteFunc(rows, func(row map[string]any) bool {
		key, err := rowKey(row)
		if err != nil {
			failed = err
		}
		return seen[key]
	})
	return rows, failed
}

var digits = regexp.MustCompile(`\pN+`)

// rowKey returns the same key for rows that differ only in digits.
func rowKey(row any) (string, error) {
	text, err := json.Marshal(row)
	return digits.ReplaceAllString(string(text), "0"), err
}
