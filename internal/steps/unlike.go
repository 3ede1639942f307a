package steps

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/actionregistry/action/diag"
)

// unlike is rows without those that are as one of known, which is a list of rows: what has come
// since. Other digits are no difference, for a clock or a counter says nothing new.
func unlike(rows []map[string]any, known any) ([]map[string]any, error) {
	list, ok := known.([]any)
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "unlike is no list of rows").
			WithHint("give the rows of an earlier extract or look with the same fields, such as ${steps.before.rows}")
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

// rowKey is equal for rows that differ in digits only.
func rowKey(row any) (string, error) {
	text, err := json.Marshal(row)
	return digits.ReplaceAllString(string(text), "0"), err
}
