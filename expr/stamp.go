package expr

// A date, a time of day or both, as read from a text.

import (
	"strconv"
	"strings"
	"time"
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

// isZone reports whether s is empty, or a zone in the form Z, +HH, +HHMM or +HH:MM.
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

// number2 parses the first two characters of s as a number and stores it in *into. It returns false
// if they are not digits, or if the number is not in the range from least to most.
func number2(s string, least, most int, into *int) bool {
	if !isDigit(s[0]) || !isDigit(s[1]) {
		return false
	}
	*into = int(s[0]-'0')*10 + int(s[1]-'0')
	return least <= *into && *into <= most
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

// kind describes t in a message.
func (t *stamp) kind() string {
	switch name := t.kindName(); name {
	case Time:
		return "a time without a date"
	case Date:
		return "a date without a time"
	case DateTime:
		return "a date with a time"
	default:
		return "a " + name
	}
}

func (t *stamp) kindName() string {
	switch {
	case t.has == hasClock:
		return Time
	case t.has&hasClock != 0:
		return DateTime
	case t.has&hasDay != 0:
		return Date
	case t.has&hasMonth != 0:
		return Month
	case t.has&hasWeek != 0:
		return Week
	}
	return Quarter
}
