package session_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/npm"
)

// limitedCalendars are calendars of libraries over an <input> that accepts typed days. They allow
// only days from 5 June to 20 July 2026. HELD stands for the day that the field holds at first.
var limitedCalendars = map[string]string{
	"flatpickr": `<link rel=stylesheet href=/npm/flatpickr.css><script src=/npm/flatpickr.js></script>|d.value='HELD';flatpickr(d,{allowInput:true,minDate:'2026-06-05',maxDate:'2026-07-20'})`,
	"Pikaday": `<link rel=stylesheet href=/npm/pikaday.css><script src=/npm/pikaday.js></script>|const iso=(x)=>[x.getFullYear(),x.getMonth()+1,x.getDate()].map((n)=>String(n).padStart(2,'0')).join('-');
d.value='HELD';new Pikaday({field:d,toString:iso,minDate:new Date(2026,5,5),maxDate:new Date(2026,6,20)})`,
	"Air Datepicker": `<link rel=stylesheet href=/npm/air-datepicker.css><script src=/npm/air-datepicker.js></script>|const names=(form,all)=>all.map((x)=>new Intl.DateTimeFormat('en',{...form,timeZone:'UTC'}).format(x));
const days=[...Array(7)].map((_,i)=>Date.UTC(2026,1,1+i)),months=[...Array(12)].map((_,i)=>Date.UTC(2026,i,9));
new AirDatepicker(d,{dateFormat:'yyyy-MM-dd',selectedDates:['HELD'].filter(Boolean),minDate:'2026-06-05',maxDate:'2026-07-20',locale:{days:names({weekday:'long'},days),daysShort:names({weekday:'short'},days),
daysMin:names({weekday:'short'},days),months:names({month:'long'},months),monthsShort:names({month:'short'},months),firstDay:0}})`,
	"vanillajs-datepicker": `<link rel=stylesheet href=/npm/vanillajs-datepicker.css><script src=/npm/vanillajs-datepicker.js></script>|d.value='HELD';new Datepicker(d,{format:'yyyy-mm-dd',minDate:'2026-06-05',maxDate:'2026-07-20'})`,
	"bootstrap-datepicker": `<link rel=stylesheet href=/npm/bootstrap-datepicker.css><script src=/npm/jquery3.js></script><script src=/npm/bootstrap-datepicker.js></script>|
d.value='HELD';$(d).datepicker({autoclose:AUTO,format:'yyyy-mm-dd',startDate:'2026-06-05',endDate:'2026-07-20'})`,
	"jQuery UI": `<link rel=stylesheet href=/npm/jquery-ui.css><script src=/npm/jquery3.js></script><script src=/npm/jquery-ui.js></script>|
d.value='HELD';$(d).datepicker({changeMonth:AUTO,dateFormat:'yy-mm-dd',minDate:new Date(2026,5,5),maxDate:new Date(2026,6,20)})`,
	"the browser": `|d.type='date';d.min='2026-06-05';d.max='2026-07-20';d.value='HELD'`,
}

func limitedCalendar(library, held, auto string) string {
	head, script, _ := strings.Cut(limitedCalendars[library], "|")
	return head + `<form><p><label for=n>Name</label> <input id=n></p><p style="margin-top:30px"><label for=d>Day</label> <input id=d></p></form><script>` +
		strings.NewReplacer("HELD", held, "AUTO", auto).Replace(script) + `</script>`
}

// TestCalendarsWithLimits checks that a day beyond the limits of a calendar is refused. Then the field
// keeps its day, or the error says which day it holds. A day within the limits is picked.
func TestCalendarsWithLimits(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", npm.Handler(modules))
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	days := []struct{ action, held, day, auto string }{
		{"date:pick", "2026-06-10", "2026-07-21", "true"},
		{"date:pick", "2026-06-10", "2027-07-24", "false"},
		{"date:pick", "2026-06-10", "2026-06-04", "true"},
		{"date:pick", "2026-06-10", "2025-06-24", "false"},
		{"form:fill", "2026-06-10", "2027-02-24", "false"},
		{"form:fill", "", "2027-02-24", "true"},
		{"date:pick", "", "2027-07-24", "false"},
		{"form:fill", "2026-06-10", "2026-07-20", "true"},
		{"date:pick", "", "2026-06-06", "false"},
	}
	for _, row := range somePairs(t, "days", 8, slices.Sorted(maps.Keys(limitedCalendars)), days) {
		library, tt := row.a, row.b
		html = limitedCalendar(library, tt.held, tt.auto)
		b.mustRun(t, "web:page:open", object{"url": base})
		params := object{"label": "Day", "value": tt.day}
		if tt.action == "form:fill" {
			params = object{"values": object{"Name": "Eva", "Day": tt.day}}
		}
		r := b.run(t, "components:"+tt.action, params)
		want, name := tt.held, library+", "+tt.action+" "+tt.day+" over '"+tt.held+"'"
		if within := tt.day >= "2026-06-05" && tt.day <= "2026-07-20"; within {
			want = tt.day
			if r.Error != nil {
				t.Errorf("%s: %s", name, describe(r.Error))
			}
		} else if r.Error == nil {
			t.Errorf("%s succeeded, expected %s", name, diag.StepFailed)
		} else if r.Error.Code != diag.StepFailed {
			t.Errorf("%s: got %s, expected %s", name, describe(r.Error), diag.StepFailed)
		}
		got := b.holds(t, "d.value")
		if said := r.Error != nil && strings.Contains(describe(r.Error), "now shows '"+got+"'"); got != want && !said {
			t.Errorf("%s: the field holds %q, expected %q", name, got, want)
		}
	}
}

// vueCalendar is @vuepic/vue-datepicker in June 2026. A panel with the years slides over its days.
const vueCalendar = `<link rel=stylesheet href=/npm/vue-datepicker.css><script src=/npm/vue.js></script><script src=/npm/vue-datepicker.js></script>
<form><p><label>Name <input></label></p><p style="margin-top:30px"><label for=d>Day</label> <span id=app></span></p></form><script>
window.v = ''; const iso = (x) => x && [x.getFullYear(), x.getMonth() + 1, x.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
Vue.createApp({ data: () => ({ day: null }), render() { return Vue.h(VueDatePicker.default ?? VueDatePicker, { inputAttrs: { id: 'd' }, uid: 'x', autoApply: AUTO, enableTimePicker: false, format: 'yyyy-MM-dd',
	startDate: '2026-06-15T00:00', modelValue: this.day, 'onUpdate:modelValue': (x) => { this.day = x; window.v = iso(x) } }) } }).mount('#app')</script>`

// TestCalendarsWithPanelsOfYears checks that a day decades away is picked by means of a panel of years
// that appears with an animation.
func TestCalendarsWithPanelsOfYears(t *testing.T) {
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
	for _, row := range somePairs(t, "days", 3, []string{"2026-08-03", "1999-12-31", "2031-02-03"}, []string{"true", "false"}) {
		day, auto := row.a, row.b
		html = strings.Replace(vueCalendar, "AUTO", auto, 1)
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:date:pick", object{"label": "Day", "value": day}); r.Error != nil {
			t.Errorf("%s, autoApply %s: %s", day, auto, describe(r.Error))
		}
		if got := b.holds(t, "v"); got != day {
			t.Errorf("%s, autoApply %s: the page holds %q", day, auto, got)
		}
	}
}
