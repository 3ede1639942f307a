package expr

// The filter date: the letters of its format.

import (
	"strings"

	"github.com/actionregistry/action/diag"
)

// dateLetters lists the fields of a date format, and which part of a stamp each field requires.
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

// eachField splits a format such as "YYYY-MM-DD [at] HH:mm" and calls f for each piece. For a field
// such as YYYY, f gets its index in dateLetters. For other text, f gets -1 and the text. Letters in
// brackets are text, and so is T. At letters that are not a field, eachField stops and returns
// them.
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
		return nil, diag.New(diag.ParamInvalid, "the filter `date` found %s, expected a date or a time in ISO 8601", shape(s)).
			WithHint("pass a valid date or time such as 2024-05-31, 2024-05-31T14:30, 2024-05-31T14:30:00Z or 14:30")
	}
	return t.format(args[0].(string))
}

// format formats t. If the format has a week but no month or day, YYYY is the year of the week: 30
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
		return nil, diag.New(diag.ParamInvalid, "the filter `date` found %s, expected %s for %s in the format", t.kind(), other, lacks).
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
