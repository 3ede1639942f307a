package expr

// The filter pager: it reads the text of a pager, in several languages.

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

var (
	// A number may be grouped: 1,234 or 1.234 or 1 234.
	pagerNumber = regexp.MustCompile(`\d{1,3}(?:[.,'’\x{a0}\x{202f}]\d{3})+|\d+`)
	// The text between the numbers of the first and the last row shown.
	pagerTo = regexp.MustCompile(`(?i)^\s*(?:[-–—‑−~〜～]|to|through|thru|bis|à|al?|ao?|até|do|tot|till?|до|по|至|到|から)\s*$`)
	// The text between a number and the total.
	pagerOf = regexp.MustCompile(`(?i)/|共|全|(?:^|\P{L})(?:of|von|de|sur|di|из|van|av|af|od|z|ze)(?:\P{L}|$)`)
	// Words that make the total a lower bound.
	pagerMore = regexp.MustCompile(`(?i)more than|over|many|mehr als|über|plus de|más de|mais de|più di|более|超过|以上`)
)

// runPager returns the numbers in the text of a pager: from, to, total, size, page and pages. It
// leaves out the numbers that it cannot determine.
func runPager(v any, _ []any) (any, *diag.Error) {
	s, ok := textOf(v)
	if !ok {
		return nil, misfit("pager", v, "a text")
	}
	at := pagerNumber.FindAllStringIndex(s, 6)
	n := make([]int64, len(at))
	for i, span := range at {
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s[span[0]:span[1]])
		x, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || x > 1e12 {
			return nil, nil
		}
		n[i] = x
	}
	between := func(i int) string { return s[at[i][1]:at[i+1][0]] }
	for i := 0; i+1 < len(n); i++ {
		if pagerTo.MatchString(between(i)) && n[i] >= 1 && n[i] <= n[i+1] {
			total := int64(-1)
			switch {
			case i+2 < len(n) && !pagerMore.MatchString(between(i+1)) && !strings.HasPrefix(s[at[i+2][1]:], "+"):
				total = n[i+2]
			case i+2 >= len(n) && i > 0:
				total = n[i-1] // 共 23 条，第 1-5 条
			}
			return pagerRange(n[i], n[i+1], total), nil
		}
	}
	for i := 0; i+1 < len(n); i++ {
		if pagerOf.MatchString(between(i)) && n[i] >= 1 && n[i] <= n[i+1] {
			return map[string]any{"page": n[i], "pages": n[i+1]}, nil
		}
	}
	return nil, nil
}

// pagerRange returns the numbers that follow from the range of rows shown. A total of -1 means
// unknown.
func pagerRange(from, to, total int64) map[string]any {
	if total < to {
		total = -1
	}
	said := map[string]any{"from": from, "to": to}
	if total >= 0 {
		said["total"] = total
	}
	size := to - from + 1
	if to == total && from > 1 || (from-1)%size != 0 {
		return said
	}
	said["size"], said["page"] = size, (from-1)/size+1
	if total >= 0 {
		said["pages"] = (total + size - 1) / size
	}
	return said
}
