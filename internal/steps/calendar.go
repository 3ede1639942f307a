package steps

import (
	"context"
	"maps"
	"regexp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

type calendarArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the calendar, something around it, or a field whose day is compared"`
	Day      string        `arg:"day,required" pos:"2" doc:"what is sought: YYYY-MM-DD, YYYY-MM or YYYY"`
	Besides  any           `arg:"besides" doc:"calendars that do not count: shown of an earlier reading"`
}

var calendarSteps = []*Entry{
	define(Entry{
		Name: "calendar", Group: GroupRead, Reads: true,
		Summary: "read which month a calendar shows, and what to press for a day",
		Doc: "Finds calendars by what a person sees: numbers from 1 to 28 or more in rows of seven, the names of twelve months, or years. Which month that is say the cells (a date, a timestamp or a full name on them) or the caption, in any language that the browser knows; where the two contradict each other, or the month has another number of days, reason is unread. " +
			"It does not wait for a calendar: without one, unit is empty. Nothing is pressed. While the month of the day is not shown, turn is the button that leads there, a year at once if there is one, and zoom that of the caption where the way is long, which in many calendars shows the months or years; cell is then that of the year or month. Press one, read again, and see that away has become smaller. final is true when cell is that of the day itself. " +
			"besides leaves out calendars that were there before, by shown of an earlier reading.",
		Example: "{calendar: {selector: css:body, day: \"${params.day}\"}, output: at}",
		Result: []Field{{"unit", "what the cells are: day, month or year; empty if there is no calendar"},
			{"shows", "the months or years that it shows, such as 2025-03"},
			{"state", "unit and shows as one text, to see whether a press has changed anything"},
			{"away", "how many months, or years, the sought one is away; 0 if it is shown"},
			{"cell", "ref of the cell to press; null if it is not shown"},
			{"final", "whether cell is that of what is sought, not of its year or month"},
			{"disabled", "whether the cell cannot be picked"},
			{"turn", "ref of the button that leads towards it; null if there is none or it is disabled"},
			{"zoom", "ref of the button that shows the caption, if the way is long; or null"},
			{"list", "ref of a <select> of years that has the sought one, if the way is long; or null"},
			{"done", "ref of a button such as OK or Apply; or null"},
			{"reason", "why it is of no use: unread, or what it takes instead, such as a month, as YYYY-MM; or empty"},
			{"shown", "numbers of the calendars there are, for besides"},
			{"says", "whether the selector's element shows that day, in whatever form, or a field in it holds it; false for the whole page"}},
	}, calendar),
}

var isDay = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d)?)?$`)

func calendar(ctx context.Context, env *Env, a *calendarArgs) (Result, error) {
	besides, err := numbersOf(a.Besides)
	if err != nil {
		return nil, err
	}
	if !isDay.MatchString(a.Day) {
		return nil, diag.New(diag.ParamInvalid, "%q is no day", a.Day).WithHint("give YYYY-MM-DD, YYYY-MM or YYYY")
	}
	r, err := env.Page.Read(ctx, a.Selector, driver.ReadOptions{What: "calendar", Name: a.Day, But: besides})
	if err != nil {
		return nil, err
	}
	out := Result{"cell": nil, "turn": nil, "zoom": nil, "list": nil, "done": nil}
	parts, ok := r.Value.(map[string]any)
	if !ok {
		return nil, diag.New(diag.Internal, "a calendar was read as %T", r.Value).WithHint("this is a fault of ours: please report it")
	}
	maps.Copy(out, parts)
	return out, nil
}

func numbersOf(v any) ([]int, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	out := make([]int, 0, len(list))
	for _, x := range list {
		switch n := x.(type) {
		case float64:
			out = append(out, int(n))
		case int:
			out = append(out, n)
		default:
			ok = false
		}
	}
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "besides is no list of numbers").WithHint("write besides: ${steps.NAME.shown}, of a step calendar")
	}
	return out, nil
}
