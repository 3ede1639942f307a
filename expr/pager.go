package expr

// What a pager says about its pages, in the words of several languages.

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

var (
	// A number may be grouped: 1,234 or 1.234 or 1 234.
	pagerNumber = regexp.MustCompile(`\d{1,3}(?:[.,'’\x{a0}\x{202f}]\d{3})+|\d+`)
	// What stands between the first and the last row that are shown.
	pagerTo = regexp.MustCompile(`(?i)^\s*(?:[-–—‑−~〜～]|to|through|thru|bis|à|al?|ao?|até|do|tot|till?|до|по|至|到|から)\s*$`)
	// What stands between a number and the number of all.
	pagerOf = regexp.MustCompile(`(?i)/|共|全|(?:^|\P{L})(?:of|von|de|sur|di|из|van|av|af|od|z|ze)(?:\P{L}|$)`)
	// A total that is only a lower bound.
	pagerMore = regexp.MustCompile(`(?i)more than|over|many|mehr als|über|plus de|más de|mais de|più di|более|超过|以上`)
)

// runPager returns what a pager says: from, to, total, size, page and pages, as far as the
// text shows them. The size of a page cannot be read off the last one, which may be short.
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

// pagerRange returns what is known where the rows from to to are shown; total is -1 where
// it is not known.
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
