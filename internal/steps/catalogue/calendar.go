package catalogue

import (
	"context"
	"maps"
	"regexp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type calendarArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the calendar, an element around it, or a field whose day to compare"`
	Day      string        `arg:"day,required" pos:"2" doc:"the day, month, quarter or year to find: YYYY-MM-DD, YYYY-MM, YYYY-Q1 or YYYY"`
	Besides  any           `arg:"besides" doc:"calendars to ignore: the field shown of an earlier reading"`
}

var calendarSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "calendar", Group: steps.GroupRead, Reads: true,
		Summary: "read which month a calendar shows, and what to press to reach a day",
		Doc: "Finds calendars by what a person sees: numbers from 1 to 28 or more in rows of seven, the names of twelve months, four quarters that can be pressed, or years. The cells (a date, a timestamp or a full name on them) or the caption show which month it is, in any language that the browser knows. If the two contradict each other, or the month has another number of days, reason is unread.\n\n" +
			"It does not wait for a calendar: without one, unit is empty. It presses nothing. While the month of the day is not shown, turn is the button that leads there, by whole years if there is such a button. If the target is far away, zoom is the button with the caption, which in many calendars shows the months or years; cell is then the cell of the year or month. Press one, read again, and check that away has become smaller. final is true if cell is the day itself.\n\n" +
			"besides excludes calendars that were there before: pass the field shown of an earlier reading.",
		Example: "{calendar: {selector: css:body, day: \"${params.day}\"}, output: at}",
		Result: []steps.Field{{Name: "unit", Doc: "what the cells are: day, month, quarter or year; empty if there is no calendar"},
			{Name: "shows", Doc: "the months or years that it shows, such as 2025-03"},
			{Name: "state", Doc: "unit and shows as one text, to detect whether a press has changed anything"},
			{Name: "away", Doc: "distance to the target in months or years; 0 if it is shown"},
			{Name: "cell", Doc: "ref of the cell to press; null if it is not shown"},
			{Name: "final", Doc: "whether cell is the target itself, not its year or month"},
			{Name: "disabled", Doc: "whether the cell cannot be picked"},
			{Name: "chosen", Doc: "whether the target is marked as the one that is chosen; false also where the calendar marks none"},
			{Name: "turn", Doc: "ref of the button that leads towards the target; null if there is none or it is disabled"},
			{Name: "zoom", Doc: "ref of the button with the caption, if the target is far away; otherwise null"},
			{Name: "list", Doc: "ref of a <select> of years or months that leads to the target, if it is far away or no button leads there; otherwise null"},
			{Name: "option", Doc: "label of the option to choose in list; otherwise empty"},
			{Name: "box", Doc: "ref of a number field in which to write the target year, if it is far away and there is no list; otherwise null"},
			{Name: "done", Doc: "ref of a button such as OK or Apply; null if there is none"},
			{Name: "reason", Doc: "why the calendar cannot be used: unread, or what it takes instead, such as YYYY-MM for a month; otherwise empty"},
			{Name: "shown", Doc: "numbers of the calendars that exist, for besides"},
			{Name: "says", Doc: "whether the selector's element shows that day in any form, or a field in it contains it; false for the whole page"}},
	}, calendar),
}

var isDay = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d)?|-Q[1-4])?$`)

func calendar(ctx context.Context, env *steps.Env, a *calendarArgs) (steps.Result, error) {
	besides, err := numbersOf(a.Besides)
	if err != nil {
		return nil, err
	}
	if !isDay.MatchString(a.Day) {
		return nil, diag.New(diag.ParamInvalid, "found the day %q, expected YYYY-MM-DD, YYYY-MM, YYYY-Q1 or YYYY", a.Day).WithHint("write a day, a month, a quarter or a year")
	}
	r, err := env.Page.Read(ctx, a.Selector, driver.ReadOptions{What: "calendar", Name: a.Day, But: besides})
	if err != nil {
		return nil, err
	}
	out := steps.Result{"cell": nil, "turn": nil, "zoom": nil, "list": nil, "box": nil, "done": nil}
	parts, ok := r.Value.(map[string]any)
	if !ok {
		return nil, diag.New(diag.Internal, "found a calendar of type %T, expected an object", r.Value).WithHint("report this as a bug")
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
		n, isNumber := steps.Float(x)
		ok = ok && isNumber
		out = append(out, int(n))
	}
	if !ok {
		return nil, diag.New(diag.ParamInvalid, "the argument \"besides\" is %s, expected a list of numbers", steps.KindOf(v)).
			WithHint("write besides: ${steps.NAME.shown}, where NAME is the output of a calendar step")
	}
	return out, nil
}
