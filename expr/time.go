package expr

// Dates, times and durations as values. They are always texts in ISO 8601. A reference may read
// their parts as members: ${params.day.year}.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kinds of texts about time. They are also the names of param types.
const (
	Date     = "date"     // 2024-05-31
	Time     = "time"     // 14:30, 14:30:05, with an optional zone
	DateTime = "datetime" // 2024-05-31T14:30
	Month    = "month"    // 2024-05
	Week     = "week"     // 2024-W22
	Quarter  = "quarter"  // 2024-Q2
	Duration = "duration" // 1h30m, PT1H30M
)

// TimeExample returns an example of a kind. It returns "" if kind is not a kind of time.
func TimeExample(kind string) string {
	return map[string]string{
		Date: "2024-05-31", Time: "14:30", DateTime: "2024-05-31T14:30", Month: "2024-05", Week: "2024-W22", Quarter: "2024-Q2", Duration: "1h30m",
	}[kind]
}

// IsTime reports whether text is a value of the given kind.
func IsTime(kind, text string) bool {
	if kind == Duration {
		_, ok := ParseDuration(text)
		return ok
	}
	t, ok := parseStamp(text)
	return ok && t.kindName() == kind
}

// iso formats t in ISO 8601.
func (t *stamp) iso() string {
	date := digits(t.year, 4) + "-" + digits(t.month, 2) + "-" + digits(t.day, 2)
	clock := digits(t.hour, 2) + ":" + digits(t.minute, 2) + ":" + digits(t.second, 2) + t.zone
	switch t.kindName() {
	case Time:
		return clock
	case DateTime:
		return date + "T" + clock
	case Date:
		return date
	case Month:
		return date[:7]
	case Week:
		return digits(t.year, 4) + "-W" + digits(t.week, 2)
	}
	return digits(t.year, 4) + "-Q" + digits(t.quarter, 1)
}

// timeMembers lists the members of texts about time, and the part that each requires.
var timeMembers = []struct {
	name  string
	needs parts
	value func(t *stamp) any
}{
	{"year", hasYear, func(t *stamp) any { return t.year }},
	{"quarter", hasQuarter, func(t *stamp) any { return t.quarter }},
	{"month", hasMonth, func(t *stamp) any { return t.month }},
	{"week", hasWeek, func(t *stamp) any { return t.week }},
	{"day", hasDay, func(t *stamp) any { return t.day }},
	{"weekday", hasDay, func(t *stamp) any { return t.weekday() }},
	{"hour", hasClock, func(t *stamp) any { return t.hour }},
	{"hour12", hasClock, func(t *stamp) any { return t.hour12() }},
	{"half", hasClock, func(t *stamp) any { return t.half() }},
	{"minute", hasClock, func(t *stamp) any { return t.minute }},
	{"second", hasClock, func(t *stamp) any { return t.second }},
	{"iso", wholeDate | hasClock, func(t *stamp) any { return t.iso() }},
}

// weekday returns 1 for Monday to 7 for Sunday.
func (t *stamp) weekday() int {
	day := time.Date(t.year, time.Month(t.month), t.day, 0, 0, 0, 0, time.UTC).Weekday()
	return (int(day)+6)%7 + 1
}

// ofKind maps a kind to the parts of its values.
var ofKind = map[string]parts{
	Date: wholeDate, Time: hasClock, DateTime: wholeDate | hasClock, Month: hasYear | hasQuarter | hasMonth, Week: hasYear | hasWeek, Quarter: hasYear | hasQuarter,
}

// TimeMembers returns the members of values of a kind, in the order of docs/expressions.md. It
// returns nil if kind is not a kind of time.
func TimeMembers(kind string) []string {
	if kind == Duration {
		return slices.Clone(durationMembers)
	}
	var names []string
	for _, m := range timeMembers {
		if ofKind[kind]&m.needs != 0 {
			names = append(names, m.name)
		}
	}
	return names
}

// timeMember returns a member of a text about time. It returns nil if text is not about time or
// has no such member.
func timeMember(text, name string) any {
	i := slices.IndexFunc(timeMembers, func(m struct {
		name  string
		needs parts
		value func(t *stamp) any
	}) bool {
		return m.name == name
	})
	if i < 0 || len(text) > maxTimeBytes {
		return nil
	}
	if t, ok := parseStamp(text); ok {
		if t.has&timeMembers[i].needs == 0 {
			return nil
		}
		return timeMembers[i].value(&t)
	}
	if d, ok := ParseDuration(text); ok {
		return durationMember(d, name)
	}
	return nil
}

// maxTimeBytes is the maximum length of a text about time.
const maxTimeBytes = 100

var durationMembers = []string{"hour", "minute", "second", "iso"}

func durationMember(d time.Duration, name string) any {
	hour, minute, second := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch name {
	case "hour":
		return hour
	case "minute":
		return minute
	case "second":
		return second
	case "iso":
		iso := "PT"
		for _, part := range []struct {
			n    int
			unit string
		}{{hour, "H"}, {minute, "M"}} {
			if part.n > 0 {
				iso += strconv.Itoa(part.n) + part.unit
			}
		}
		if rest := d % time.Minute; rest > 0 || iso == "PT" {
			iso += strconv.FormatFloat(rest.Seconds(), 'f', -1, 64) + "S"
		}
		return iso
	}
	return nil
}

var isoDuration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+(?:[.,][0-9]+)?)S)?)?$`)
})

// ParseDuration reads a duration in Go syntax (1h30m, 500ms) or in ISO 8601 (PT1H30M, P2D). A
// sign is not allowed.
func ParseDuration(s string) (time.Duration, bool) {
	if len(s) > maxTimeBytes {
		return 0, false
	}
	if d, err := time.ParseDuration(s); err == nil && s[0] != '+' {
		return d, d >= 0 && s[0] != '-'
	}
	m := isoDuration().FindStringSubmatch(s)
	if m == nil || s[len(s)-1] == 'P' || s[len(s)-1] == 'T' {
		return 0, false
	}
	text := ""
	for i, unit := range []string{"", "h", "m", "s"} {
		if n := m[i+1]; n != "" && i > 0 {
			text += n + unit
		}
	}
	d := time.Duration(0)
	if text != "" {
		var err error
		if d, err = time.ParseDuration(strings.ReplaceAll(text, ",", ".")); err != nil {
			return 0, false
		}
	}
	days := 0
	if m[1] != "" {
		var err error
		if days, err = strconv.Atoi(m[1]); err != nil || days > maxDays {
			return 0, false
		}
	}
	return d + time.Duration(days)*24*time.Hour, true
}

// maxDays is the maximum number of days that keeps a duration within an int64.
const maxDays = 100_000
