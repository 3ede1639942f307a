package expr

// The filter date: parsing of ISO 8601 texts, and the letters of its format.

import (
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

// A stamp is a parsed text about time: a date, a month, a week, a quarter, a time of day, or a
// date with a time. Zones are kept as written and never converted.
type stamp struct {
	year, month, day     int
	quarter, week        int
	hour, minute, second int
	zone                 string // as written after the time
	has                  parts
}

// parts is a set of the parts of a date or time that a text contains.
type parts uint8

const (
	hasYear parts = 1 << iota
	hasQuarter
	hasMonth
	hasWeek
	hasDay
	hasClock

	wholeDate = hasYear | hasQuarter | hasMonth | hasWeek | hasDay
)

// parseStamp reads YYYY-MM-DD, HH:MM[:SS[.fraction]] with an optional zone, or both joined by a T
// or a space. It also reads YYYY-MM, YYYY-Www and YYYY-Qq.
func parseStamp(s string) (stamp, bool) {
	var t stamp
	if len(s) < 7 || s[4] != '-' {
		t.has = hasClock
		return t, t.clock(s)
	}
	if !number2(s[0:2], 0, 99, new(int)) || !number2(s[2:4], 0, 99, new(int)) {
		return t, false
	}
	if t.year, _ = strconv.Atoi(s[:4]); t.year == 0 {
		return t, false
	}
	switch {
	case len(s) == 7 && s[5] == 'Q':
		t.quarter, t.has = int(s[6]-'0'), hasYear|hasQuarter
		return t, '1' <= s[6] && s[6] <= '4'
	case len(s) == 8 && s[5] == 'W':
		t.has = hasYear | hasWeek
		return t, number2(s[6:8], 1, weeksOf(t.year), &t.week)
	case !number2(s[5:7], 1, 12, &t.month):
		return t, false
	}
	t.quarter = (t.month + 2) / 3
	if len(s) == 7 {
		t.has = hasYear | hasQuarter | hasMonth
		return t, true
	}
	if len(s) < 10 || s[7] != '-' || !number2(s[8:10], 1, 31, &t.day) {
		return t, false
	}
	day := time.Date(t.year, time.Month(t.month), t.day, 0, 0, 0, 0, time.UTC)
	if day.Day() != t.day {
		return t, false // such as 30 February
	}
	_, t.week = day.ISOWeek()
	t.has = wholeDate
	if s = s[10:]; s == "" {
		return t, true
	}
	if s[0] != 'T' && s[0] != 't' && s[0] != ' ' {
		return t, false
	}
	t.has |= hasClock
	return t, t.clock(s[1:])
}

// weeksOf returns the number of ISO weeks in a year.
func weeksOf(year int) int {
	_, week := time.Date(year, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
	return week
}

// clock reads the time of day.
func (t *stamp) clock(s string) bool {
	if len(s) < 5 || s[2] != ':' || !number2(s[:2], 0, 23, &t.hour) || !number2(s[3:5], 0, 59, &t.minute) {
		return false
	}
	s = s[5:]
	if len(s) >= 3 && s[0] == ':' {
		if !number2(s[1:3], 0, 59, &t.second) {
			return false
		}
		if s = s[3:]; s != "" && (s[0] == '.' || s[0] == ',') {
			n := digitsAt(s, 1)
			if n == 0 {
				return false
			}
			s = s[1+n:]
		}
	}
	t.zone = s
	return isZone(s)
}

// isZone accepts nothing, Z, +HH, +HHMM and +HH:MM.
func isZone(s string) bool {
	if s == "" || s == "Z" || s == "z" {
		return true
	}
	if s[0] != '+' && s[0] != '-' {
		return false
	}
	switch s = s[1:]; len(s) {
	case 2:
		return number2(s, 0, 23, new(int))
	case 5:
		if s[2] != ':' {
			return false
		}
		s = s[:2] + s[3:]
	}
	return len(s) == 4 && number2(s[:2], 0, 23, new(int)) && number2(s[2:], 0, 59, new(int))
}

// number2 reads two digits in a range.
func number2(s string, least, most int, into *int) bool {
	if !isDigit(s[0]) || !isDigit(s[1]) {
		return false
	}
	*into = int(s[0]-'0')*10 + int(s[1]-'0')
	return least <= *into && *into <= most
}

// dateLetters lists the fields of a format and the part of a stamp that each requires.
var dateLetters = []struct {
	letters string
	needs   parts
	value   func(t *stamp) string
}{
	{"YYYY", hasYear, func(t *stamp) string { return digits(t.year, 4) }},
	{"YY", hasYear, func(t *stamp) string { return digits(t.year%100, 2) }},
	{"MM", hasMonth, func(t *stamp) string { return digits(t.month, 2) }},
	{"M", hasMonth, func(t *stamp) string { return digits(t.month, 1) }},
	{"DD", hasDay, func(t *stamp) string { return digits(t.day, 2) }},
	{"D", hasDay, func(t *stamp) string { return digits(t.day, 1) }},
	{"HH", hasClock, func(t *stamp) string { return digits(t.hour, 2) }},
	{"H", hasClock, func(t *stamp) string { return digits(t.hour, 1) }},
	{"hh", hasClock, func(t *stamp) string { return digits(t.hour12(), 2) }},
	{"h", hasClock, func(t *stamp) string { return digits(t.hour12(), 1) }},
	{"mm", hasClock, func(t *stamp) string { return digits(t.minute, 2) }},
	{"m", hasClock, func(t *stamp) string { return digits(t.minute, 1) }},
	{"ss", hasClock, func(t *stamp) string { return digits(t.second, 2) }},
	{"s", hasClock, func(t *stamp) string { return digits(t.second, 1) }},
	{"A", hasClock, func(t *stamp) string { return t.half() }},
	{"Q", hasQuarter, func(t *stamp) string { return digits(t.quarter, 1) }},
	{"WW", hasWeek, func(t *stamp) string { return digits(t.week, 2) }},
}

func digits(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}

func (t *stamp) hour12() int { return (t.hour+11)%12 + 1 }

func (t *stamp) half() string { return [...]string{"AM", "PM"}[t.hour/12] }

// weekYear returns the year that the week belongs to: 30 December 2024 is in week 1 of 2025.
func (t *stamp) weekYear() int {
	if t.has&hasDay == 0 {
		return t.year
	}
	year, _ := time.Date(t.year, time.Month(t.month), t.day, 0, 0, 0, 0, time.UTC).ISOWeek()
	return year
}

// eachField splits a format and calls f for each piece. A field is passed with its index in
// dateLetters, text between fields with -1. Letters are a field, alone or repeated; literal
// letters must be in brackets, except for the T of ISO 8601. At unknown letters eachField stops
// and returns them.
func eachField(format string, f func(field int, text string)) (bad string) {
	for format != "" {
		n := 1
		switch c := format[0]; {
		case c == '[' && strings.IndexByte(format, ']') > 0:
			n = strings.IndexByte(format, ']')
			f(-1, format[1:n])
			n++
		case isNameStart(c) && c != '_' && c != 'T':
			for n < len(format) && format[n] == c {
				n++
			}
			field := dateField(format[:n])
			if field < 0 {
				return format[:n]
			}
			f(field, "")
		default:
			f(-1, format[:n])
		}
		format = format[n:]
	}
	return ""
}

func dateField(letters string) int {
	for i := range dateLetters {
		if dateLetters[i].letters == letters {
			return i
		}
	}
	return -1
}

func checkDateFormat(_ int, arg any) (wrong, hint string) {
	format := arg.(string)
	fields := 0
	bad := eachField(format, func(field int, _ string) {
		if field >= 0 {
			fields++
		}
	})
	if bad == "" && fields > 0 {
		return "", ""
	}
	var all []string
	for i := range dateLetters {
		all = append(all, dateLetters[i].letters)
	}
	hint = "use " + strings.Join(all, " ") + ", and put other letters in brackets: [week] WW"
	if bad == "" {
		return "found the date format " + clip(literalText(format)) + " without a field, expected at least one", hint
	}
	switch bad {
	case "yyyy", "yy", "dd", "d", "YYY":
		hint = "write YYYY for the year, MM for the month, DD for the day; " + hint
	case "MMM", "MMMM", "DDD", "DDDD", "ddd", "dddd":
		hint = "names of months and days depend on the language, so only numbers are available; " + hint
	case "a":
		hint = "write A for AM or PM; " + hint
	}
	return "found " + clip(bad) + " in a date format, expected a known field", hint
}

func runDate(v any, args []any) (any, *diag.Error) {
	s, ok := v.(string)
	if !ok {
		return nil, misfit("date", v, "a text in ISO 8601, such as 2024-05-31")
	}
	t, ok := parseStamp(s)
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "the filter date found %s, expected a date or a time in ISO 8601", shape(s)).
			WithHint("pass a valid date or time such as 2024-05-31, 2024-05-31T14:30, 2024-05-31T14:30:00Z or 14:30")
	}
	return t.format(args[0].(string))
}

// format formats t. If the format has a week but no month or day, its year is the week's year: 30
// December 2024 is in week 1 of 2025.
func (t stamp) format(format string) (any, *diag.Error) {
	var used [256]bool
	var lacks, other string
	eachField(format, func(field int, _ string) {
		if field < 0 {
			return
		}
		l := &dateLetters[field]
		used[l.letters[0]] = true
		if t.has&l.needs == 0 && lacks == "" {
			lacks, other = l.letters, "a date"
			if l.needs == hasClock {
				other = "a time"
			}
		}
	})
	if lacks != "" {
		return nil, diag.New(diag.ParamInvalid, "the filter date found %s, expected %s for %s", t.kind(), other, lacks).
			WithHint("remove %s from the format, or pass a value such as 2024-05-31T14:30", lacks)
	}
	year := t.year
	if used['W'] && !used['M'] && !used['D'] && !used['Q'] {
		year = t.weekYear()
	}
	var b strings.Builder
	eachField(format, func(field int, text string) {
		switch {
		case field < 0:
			b.WriteString(text)
		case dateLetters[field].letters[0] == 'Y':
			b.WriteString(dateLetters[field].value(&stamp{year: year}))
		default:
			b.WriteString(dateLetters[field].value(&t))
		}
	})
	return b.String(), nil
}
