package catalogue

import (
	"strings"
	"testing"
)

func TestHoldsOrder(t *testing.T) {
	for _, tt := range []struct {
		texts string
		down  bool
		want  orderOf
	}{
		{"1|2|10", false, ordered},
		{"1|10|2", false, lettered},   // as texts
		{"200|30|4", false, reversed}, // as texts
		{"4|30|200", true, reversed},  // as texts
		{"001|01|1", false, ordered},  // codes
		{"(200)|(30)|(4)|5", false, ordered},
		{"−200|−30|−4", false, ordered},
		{"200-|30-|4-", false, ordered},
		{"1.500|200|30", false, lettered},
		{"10|2|1", false, reversed},
		{"10|2|1", true, ordered},
		{"0|37|74|11|48", false, unordered},
		{"5|3", false, unordered},
		{"3|3|3", true, ordered},
		{"€ 2.200,50|€ 1.900,00|€ 1.080,00", false, reversed},
		{"€ 80.00|€ 900.00|€ 1,200.50", false, ordered},
		{"1.5|1.25|1.125", true, ordered},
		{"-5|0|5 %", true, reversed},
		{"1,234,567|900,000|1,200", false, reversed}, // of one reading alone
		{"1.234.567|900.000|1.200", true, ordered},
		{"1,234,567|1.234.567|3", true, ordered}, // of none
		{"2026-03-01|2026-02-01|2026-01-01", false, reversed},
		{"2026-03-01|2026-01-01|2026-02-01", false, unordered},
		{"Low|High|Medium", false, ordered}, // an order of their own
		{"900 KB|1.2 MB|10 KB", false, ordered},
		{"01.02.2026|15.01.2026|03.03.2026", false, unordered},
		{"01.03.2026|02.02.2026|03.01.2026", false, reversed}, // as texts
		{"15.01.2026|01.02.2026|03.03.2026", false, ordered},
		{"1/15/2026|2/1/2026|12/3/2026", false, ordered},
		{"15/1/2026|1/2/2026|3/12/2026", false, ordered},
		{"2 Jan 2026|10 Feb 2026|1 Mar 2026", false, ordered},
		{"1 Mar 2026, 10:00|10 Feb 2026, 09:00|2 Jan 2026, 08:30", false, reversed},
		{"3-1|2-1|1-1", false, ordered},
		{"7", false, ordered},
		{"", false, ordered},
	} {
		if got := holdsOrder(strings.Split(tt.texts, "|"), tt.down); got != tt.want {
			t.Errorf("%s, down %v: %v, want %v", tt.texts, tt.down, got, tt.want)
		}
	}
}
