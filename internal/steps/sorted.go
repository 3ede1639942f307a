package steps

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// checkSorted compares the rows of a table with the order that its header is marked with. Only
// numbers and days are compared: texts have as many orders as there are languages, and words
// such as Low and High one of their own.
func checkSorted(env *Env, rows []tableRow, also map[string]any, want any) error {
	m, ok := want.(map[string]any)
	column, order := expr.Text(m["column"]), expr.Text(m["order"])
	if !ok || column == "" || order != "ascending" && order != "descending" {
		return diag.New(diag.ParamInvalid, "sorted is %s, expected a column and its order", expr.Text(want)).
			WithHint("write sorted: {column: Total, order: descending}")
	}
	if name, ok := also[column].(string); ok {
		column = name
	}
	texts := make([]string, 0, len(rows))
	for _, row := range rows {
		if text := folded(row.cells[column]); text != "" {
			texts = append(texts, text)
		}
	}
	switch holdsOrder(texts, order == "descending") {
	case reversed:
		return diag.New(diag.VerifyFailed, "the header says that %s is %s, and the rows are in the contrary order: %s", column, order, someOf(texts)).
			WithHint("look at the page: it may show the rows of an earlier press")
	case unordered:
		env.Warn("not_sorted", "the header says that "+column+" is "+order+", and the rows are not: "+someOf(texts))
	}
	return nil
}

type orderOf int

const (
	ordered orderOf = iota // or not to be compared
	unordered
	reversed
)

var (
	rowNumber = regexp.MustCompile(`^[^\pL\d.,+-]*([+-]?(?:\d{1,3}(?:[.,' ]\d{3})+|\d{1,15})(?:[.,]\d+)?)[^\pL\d]*$`)
	rowDay    = regexp.MustCompile(`^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$`)
	isPoint   = strings.NewReplacer(",", "", "'", "", " ", "")
	isComma   = strings.NewReplacer(".", "", "'", "", " ", "", ",", ".")
)

// holdsOrder judges the texts of a column. Numbers are read with a decimal point, with a decimal
// comma, and as the texts that they are: what is in order by one of them is.
func holdsOrder(texts []string, down bool) orderOf {
	if len(texts) < 2 {
		return ordered
	}
	byText := judge(texts, down)
	if byText == ordered || !slices.ContainsFunc(texts, func(s string) bool { return !rowDay.MatchString(s) }) {
		return byText
	}
	worst := reversed
	for _, point := range []*strings.Replacer{isPoint, isComma} {
		numbers := make([]float64, len(texts))
		for i, text := range texts {
			m := rowNumber.FindStringSubmatch(text)
			if m == nil {
				return ordered
			}
			// What is no number when it is read so, such as 1.2.3, is one when read otherwise.
			n, err := strconv.ParseFloat(point.Replace(m[1]), 64)
			if err != nil {
				return ordered
			}
			numbers[i] = n
		}
		worst = min(worst, judge(numbers, down))
	}
	return worst
}

// judge says of values that are in the contrary order that they are reversed where there are
// enough of them: the second of two may be their sum.
func judge[T cmp.Ordered](values []T, down bool) orderOf {
	up := slices.IsSorted(values)
	falls := slices.IsSortedFunc(values, func(a, b T) int { return cmp.Compare(b, a) })
	switch {
	case down && falls, !down && up:
		return ordered
	case (up || falls) && len(values) > 2:
		return reversed
	}
	return unordered
}

func someOf(texts []string) string {
	const most = 5
	if len(texts) > most {
		return strings.Join(texts[:most], ", ") + ", …"
	}
	return strings.Join(texts, ", ")
}
