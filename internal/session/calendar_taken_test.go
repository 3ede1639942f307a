package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/testdata/npm"
)

// takenCalendars are calendars of libraries over an <input>. head is the HTML that loads the library.
// draw is a script that draws a calendar over the element d with OPTIONS. holds is an expression for
// the day that the calendar holds: a Date, or nothing.
var takenCalendars = map[string]struct{ head, draw, holds string }{
	"Air Datepicker": {`<link rel=stylesheet href=/npm/air-datepicker.css><script src=/npm/air-datepicker.js></script>`,
		`const names=(form,all)=>all.map((x)=>new Intl.DateTimeFormat('en',{...form,timeZone:'UTC'}).format(x));
const days=[...Array(7)].map((_,i)=>Date.UTC(2026,1,1+i)),months=[...Array(12)].map((_,i)=>Date.UTC(2026,i,9));
window.w=new AirDatepicker(d,{locale:{days:names({weekday:'long'},days),daysShort:names({weekday:'short'},days),daysMin:names({weekday:'short'},days),
months:names({month:'long'},months),monthsShort:names({month:'short'},months),dateFormat:'MM/dd/yyyy',firstDay:0},...OPTIONS})`, `w.selectedDates[0]`},
	"jQuery UI": {`<link rel=stylesheet href=/npm/jquery-ui.css><script src=/npm/jquery3.js></script><script src=/npm/jquery-ui.js></script>`,
		`$(d).datepicker(OPTIONS)`, `d.value&&$(d).datepicker('getDate')`},
	"bootstrap-datepicker": {`<link rel=stylesheet href=/npm/bootstrap-datepicker.css><script src=/npm/jquery3.js></script><script src=/npm/bootstrap-datepicker.js></script>`,
		`$(d).datepicker(OPTIONS)`, `$(d).datepicker('getDate')`},
	"Pikaday": {`<link rel=stylesheet href=/npm/pikaday.css><script src=/npm/pikaday.js></script>`,
		`window.w=new Pikaday({field:d,...OPTIONS})`, `w.getDate()`},
	"flatpickr": {`<link rel=stylesheet href=/npm/flatpickr.css><script src=/npm/flatpickr.js></script>`,
		`window.w=flatpickr(d,OPTIONS)`, `w.selectedDates[0]`},
}

// takenCalendar is a page with a calendar over the field Due, which attrs may make read-only.
func takenCalendar(library, options, attrs string) string {
	c := takenCalendars[library]
	return c.head + `<form><p><label for=n>Name</label> <input id=n></p><p><label for=d>Due</label> <input id=d autocomplete=off ` + attrs + `></p></form><script>` +
		strings.Replace(c.draw, "OPTIONS", options, 1) + `;Object.defineProperty(window,'v',{get:()=>{const x=` + c.holds +
		`;return x?[x.getFullYear(),x.getMonth()+1,x.getDate()].map((n)=>String(n).padStart(2,'0')).join('-'):''}})</script>`
}

// TestCalendarsHoldTheDay checks that the day that a calendar holds decides, not the text in its
// field. A typed day counts only if the calendar has accepted it.
func TestCalendarsHoldTheDay(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", npm.Handler(modules))
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	now := time.Now()
	this, later := time.Date(now.Year(), now.Month(), 10, 0, 0, 0, 0, time.UTC), time.Date(now.Year(), now.Month()+1, 24, 0, 0, 0, 0, time.UTC)
	calendars := []struct{ library, options, attrs string }{
		{"Air Datepicker", `{}`, ``},
		{"Air Datepicker", `{inline:true}`, ``},
		{"jQuery UI", `{showOn:'button',buttonText:'Open'}`, ``},
		{"jQuery UI", `{showOn:'button',buttonImage:'x.png',buttonImageOnly:true}`, `readonly`},
		{"jQuery UI", `{showWeek:true}`, `readonly`},
		{"bootstrap-datepicker", `{}`, ``},
		{"bootstrap-datepicker", `{}`, `readonly`},
		{"bootstrap-datepicker", `{calendarWeeks:true}`, ``},
		{"bootstrap-datepicker", `{calendarWeeks:true}`, `readonly`},
		{"bootstrap-datepicker", `{startView:2}`, `readonly`},
		{"Pikaday", `{showWeekNumber:true}`, ``},
		{"Pikaday", `{showWeekNumber:true,firstDay:1}`, `readonly`},
		{"flatpickr", `{weekNumbers:true,inline:true}`, ``},
	}
	type use struct{ action, day string }
	var uses []use
	for _, day := range []string{this.Format(time.DateOnly), later.Format(time.DateOnly)} {
		uses = append(uses, use{"date:pick", day}, use{"form:fill", day})
	}
	for _, row := range somePairs(t, "days in calendars", 7, calendars, uses) {
		tt, action, day := row.a, row.b.action, row.b.day
		params := map[string]object{
			"date:pick": {"label": "Due", "value": day},
			"form:fill": {"values": object{"Name": "Eva", "Due": day}},
		}[action]
		html = takenCalendar(tt.library, tt.options, tt.attrs)
		b.mustRun(t, "web:page:open", object{"url": base})
		name := tt.library + " " + tt.options + " " + tt.attrs + ", " + action + " " + day
		if r := b.run(t, "components:"+action, params); r.Error != nil {
			t.Errorf("%s: %s", name, describe(r.Error))
		}
		if got := b.holds(t, "v"); got != day {
			t.Errorf("%s: the calendar holds %q", name, got)
		}
	}
}
