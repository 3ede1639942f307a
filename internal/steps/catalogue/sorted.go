package catalogue

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
)

// checkSorted checks whether the rows of a table are in the order that its header shows. It checks
// only columns of numbers and of dates. If the rows are in the opposite order, or in that of their
// characters, it returns an error; if they are in no order, it adds a warning.
func checkSorted(env *steps.Env, rows []tableRow, also map[string]any, want any) error {
	m, ok := want.(map[string]any)
	column, order := expr.Text(m["column"]), expr.Text(m["order"])
	if !ok || column == "" || order != "ascending" && order != "descending" {
		return diag.New(diag.ParamInvalid, "`sorted` is %s, expected a column and its order", expr.Text(want)).
			WithHint("write `sorted: {column: Total, order: descending}`")
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
		return diag.New(diag.VerifyFailed, "the header shows that %s is sorted in %s order, but the rows are in the opposite order: %s", column, order, someOf(texts)).
			WithHint("check the page: the table may still show the rows from before the last click")
	case lettered:
		return diag.New(diag.VerifyFailed, "the header shows that %s is sorted in %s order, but the rows are in the order of their characters: %s", column, order, someOf(texts)).
			WithHint("the page sorts the numbers or dates of this column as texts: read the rows with `table`, and compare them yourself")
	case unordered:
		env.Warn("not_sorted", "the header shows that "+column+" is sorted in "+order+" order, but the rows are not: "+someOf(texts))
	}
	return nil
}

type orderOf int

const (
	ordered orderOf = iota // in order, or not comparable
	unordered
	lettered // in order as texts only
	reversed
)

var (
	rowNumber = regexp.MustCompile(`^[^\pL\d.,+-]*([+-]?(?:\d{1,3}(?:[.,' ]\d{3})+|\d{1,15})(?:[.,]\d+)?)[^\pL\d]*$`)
	rowCode   = regexp.MustCompile(`^0\d`) // a code, which is ordered by its characters
	rowMinus  = regexp.MustCompile(`^[−–]`)
	rowDay    = regexp.MustCompile(`^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$`)
	isPoint   = strings.NewReplacer(",", "", "'", "", " ", "")
	isComma   = strings.NewReplacer(".", "", "'", "", " ", "", ",", ".")
)

// holdsOrder determines the order of the texts of a column. A text such as 1.234 or 3/4/2025 can be
// read in two ways: holdsOrder tries both and returns the better result. Numbers with leading zeros
// may also be in the order of their characters.
func holdsOrder(texts []string, down bool) orderOf {
	if len(texts) < 2 {
		return ordered
	}
	byText := judge(texts, down)
	if all(texts, rowDay.MatchString) {
		return byText
	}
	readings := daysOf(texts)
	if len(readings) == 0 {
		readings = amountsOf(texts)
		if len(readings) == 0 || byText == ordered && slices.ContainsFunc(texts, rowCode.MatchString) {
			return ordered
		}
	}
	worst := reversed
	for _, values := range readings {
		worst = min(worst, judge(values, down))
	}
	if worst == unordered && byText == ordered && len(texts) > 2 {
		return lettered
	}
	return worst
}

func all(texts []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !holds(s) })
}

// amountsOf parses texts as numbers, once with a decimal point and once with a decimal comma. It
// returns the numbers of each attempt in which all texts were valid.
func amountsOf(texts []string) (readings [][]float64) {
reading:
	for _, point := range []*strings.Replacer{isPoint, isComma} {
		numbers := make([]float64, len(texts))
		for i, text := range texts {
			text = rowMinus.ReplaceAllString(strings.TrimSpace(text), "-")
			m := rowNumber.FindStringSubmatch(text)
			if m == nil {
				return nil
			}
			n, err := strconv.ParseFloat(point.Replace(m[1]), 64)
			if err != nil {
				continue reading
			}
			if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") || strings.HasSuffix(text, "-") { // as in accounting
				n = -n
			}
			numbers[i] = n
		}
		readings = append(readings, numbers)
	}
	return readings
}

var dayLayouts = []string{"2.1.2006", "2/1/2006", "1/2/2006", "2006/1/2", "2-1-2006", "1-2-2006", "2 Jan 2006", "Jan 2, 2006", "2 January 2006", "January 2, 2006"}

// daysOf parses texts as dates. For each format that fits all texts, it returns their Unix times.
func daysOf(texts []string) (readings [][]float64) {
	for _, layout := range dayLayouts {
		for _, clock := range []string{"", " 15:04", " 15:04:05", ", 15:04", ", 15:04:05"} {
			days := make([]float64, 0, len(texts))
			for _, text := range texts {
				day, err := time.Parse(layout+clock, text)
				if err != nil {
					break
				}
				days = append(days, float64(day.Unix()))
			}
			if len(days) == len(texts) {
				readings = append(readings, days)
			}
		}
	}
	return readings
}

// judge determines the order of values. The expected order is descending if down is set, and
// ascending otherwise. Two values in the opposite order are unordered, not reversed: the second may
// be a total.
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

// A tableRow is a row with its position among its siblings, from 1.
type tableRow struct {
	at    int
	cells map[string]any
}

// folded returns the text of v for comparison: white space is collapsed, and the ends are trimmed.
func folded(v any) string { return strings.Join(strings.Fields(expr.Text(v)), " ") }
