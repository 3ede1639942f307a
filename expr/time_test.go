package expr_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/actionregistry/action/expr"
)

func TestIsTime(t *testing.T) {
	for kind, texts := range map[string][2][]string{
		expr.Date:     {{"2024-02-29", "0001-01-01"}, {"2023-02-29", "2024-13-01", "2024-5-1", "24-05-01", "2024-05-31T10:00", "2024-05", "05/31/2024", "", "2024-05-31 ", "0000-01-01"}},
		expr.Time:     {{"14:30", "00:00:00", "23:59:59.5", "14:30Z", "14:30+01:00"}, {"24:00", "2:30", "14:60", "14", "2:30 PM", "2024-05-31"}},
		expr.DateTime: {{"2024-05-31T14:30", "2024-05-31 14:30:05", "2024-05-31T14:30:05.123Z", "2024-05-31T14:30+0100"}, {"2024-05-31", "14:30", "2024-05-31T", "2024-05-31T25:00", "2024-05-31X14:30"}},
		expr.Month:    {{"2024-05", "1999-12"}, {"2024-13", "2024-00", "2024-5", "2024", "2024-05-01"}},
		expr.Week:     {{"2024-W01", "2020-W53", "2024-W52"}, {"2024-W53", "2024-W00", "2024-W5", "2024W05", "2024-w05"}},
		expr.Quarter:  {{"2024-Q1", "2024-Q4"}, {"2024-Q5", "2024-Q0", "2024Q1", "Q1", "2024-q1"}},
		expr.Duration: {{"1h30m", "500ms", "0s", "PT1H30M", "P2D", "P1DT12H", "PT0.5S", "PT0,5S", "1.5h"}, {"-1s", "+1s", "P", "PT", "P1DT", "1", "soon", "PT-1H", "P1Y", "P999999999D"}},
	} {
		for i, want := range []bool{true, false} {
			for _, text := range texts[i] {
				if got := expr.IsTime(kind, text); got != want {
					t.Errorf("%q is a %s: %t, want %t", text, kind, got, want)
				}
			}
		}
		if ex := expr.TimeExample(kind); !expr.IsTime(kind, ex) {
			t.Errorf("the example %q is no %s", ex, kind)
		}
	}
	if expr.IsTime("string", "2024-05-31") || expr.TimeMembers("string") != nil {
		t.Error("a string counts as a text about time")
	}
}

func TestTimeMembers(t *testing.T) {
	s := &expr.Scope{Params: map[string]any{
		"date": "2024-12-30", "time": "00:05:09+01:00", "datetime": "2024-05-31 14:30", "month": "2024-05", "week": "2025-W01", "quarter": "2024-Q2",
		"duration": "PT90M5.5S", "text": "Ann", "list": []any{map[string]any{"on": "2024-01-07"}},
	}}
	for ref, want := range map[string]string{
		"date.year": "2024", "date.quarter": "4", "date.month": "12", "date.week": "1", "date.day": "30", "date.weekday": "1", "date.iso": "2024-12-30", "date.hour": "<nil>",
		"time.hour": "0", "time.hour12": "12", "time.half": "AM", "time.minute": "5", "time.second": "9", "time.iso": "00:05:09+01:00", "time.day": "<nil>",
		"datetime.hour12": "2", "datetime.half": "PM", "datetime.day": "31", "datetime.iso": "2024-05-31T14:30:00",
		"month.month": "5", "month.quarter": "2", "month.week": "<nil>", "month.iso": "2024-05", "week.week": "1", "week.year": "2025", "week.month": "<nil>", "week.iso": "2025-W01",
		"quarter.quarter": "2", "quarter.year": "2024", "quarter.iso": "2024-Q2",
		"duration.hour": "1", "duration.minute": "30", "duration.second": "5", "duration.iso": "PT1H30M5.5S", "duration.year": "<nil>",
		"text.year": "<nil>", "text.iso": "<nil>", "date.length": "<nil>", "date[0]": "<nil>", "date.year.year": "<nil>",
		"list[0].on.weekday": "7",
	} {
		tmpl, err := expr.ParseTemplate("${params."+ref+"}", expr.Options{})
		if err != nil {
			t.Fatal(ref, err)
		}
		got, err := tmpl.Eval(s)
		if fmt.Sprint(got) != want || err != nil {
			t.Errorf("%s is %v, %v, want %s", ref, got, err, want)
		}
	}
	for _, kind := range []string{expr.Date, expr.Time, expr.DateTime, expr.Month, expr.Week, expr.Quarter, expr.Duration} {
		for _, name := range []string{"year", "quarter", "month", "week", "day", "weekday", "hour", "hour12", "half", "minute", "second", "iso"} {
			tmpl, err := expr.ParseTemplate("${params."+kind+"."+name+"}", expr.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, _ := tmpl.Eval(s)
			if has := slices.Contains(expr.TimeMembers(kind), name); has != (got != nil) {
				t.Errorf("%s of a %s is %v, and TimeMembers says %t", name, kind, got, has)
			}
		}
	}
}

// A part of a secret date is as secret as the date.
func TestTimeMembersOfASecret(t *testing.T) {
	var from, to any
	s := &expr.Scope{Params: map[string]any{"born": "1975-03-14"}, Derived: func(a, b any) error { from, to = a, b; return nil }}
	tmpl, err := expr.ParseTemplate("${params.born.year}", expr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tmpl.Eval(s); err != nil || from != "1975-03-14" || to != 1975 {
		t.Errorf("derived %v from %v, %v", to, from, err)
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"1h30m": 90 * time.Minute, "PT1H30M": 90 * time.Minute, "P1DT1S": 24*time.Hour + time.Second, "PT0,25S": 250 * time.Millisecond, "0": 0} {
		if got, ok := expr.ParseDuration(text); !ok || got != want {
			t.Errorf("%s is %v, %t, want %v", text, got, ok, want)
		}
	}
}
