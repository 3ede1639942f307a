package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/npm"
)

// reactDatepicker is a page with a field of react-datepicker in the version VERSION, with the props
// PROPS. Some versions ignore some of the props. v is the value that the application holds: days, or
// the quarter of a day.
const reactDatepicker = `<link rel=stylesheet href=/npm/react-datepickerVERSION.css><script src=/npm/react-datepickerVERSION-bundle.js></script><div id=root></div><script>
const day = (x) => x && [x.getFullYear(), x.getMonth() + 1, x.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
const at = (x) => x && day(x) + (x.getHours() || x.getMinutes() ? ' ' + x.toTimeString().slice(0, 5) : '');
window.held = null;
Object.defineProperty(window, 'v', { get: () => { document.activeElement.blur(); return [window.held].flat().map((x) => at(x) || '').join(' to '); } });
const e = React.createElement;
function Page() {
  const [held, set] = React.useState(null), range = Array.isArray(held) ? { startDate: held[0], endDate: held[1] } : {};
  window.held = held;
  return e('main', null, e('p', null, e('label', null, 'Name ', e('input'))), e('p', null, e('label', { htmlFor: 'd' }, 'Due'), ' ',
    e(DatePicker.default ?? DatePicker, { id: 'd', selected: Array.isArray(held) ? null : held, onChange: set, ...range, ...PROPS })));
}
ReactDOM.createRoot(root).render(e(Page));
</script>`

// TestDatesInReactDatepicker sets fields of react-datepicker, whose calendars are list boxes up to
// version 6. The text of a field counts only if the application still holds that day after the field
// has lost the focus.
func TestDatesInReactDatepicker(t *testing.T) {
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
	const (
		months   = `{showMonthYearPicker: true, dateFormat: 'MM/yyyy'}`
		quarters = `{showQuarterYearPicker: true, dateFormat: 'yyyy, QQQ'}`
		weekdays = `{filterDate: (d) => d.getDay() % 6 !== 0}`
		times    = `{showTimeSelect: true, dateFormat: 'Pp'}`
	)
	type row struct{ name, props, value, holds, fails string }
	rows := []row{
		{"a day", `{}`, "2026-12-24", "2026-12-24", ""},
		{"a day of another year", `{dateFormat: 'dd/MM/yyyy'}`, "2022-03-04", "2022-03-04", ""},
		{"a field with the focus", `{autoFocus: true}`, "2026-12-24", "2026-12-24", ""},
		{"lists of months and years", `{showMonthDropdown: true, showYearDropdown: true, dropdownMode: 'select'}`, "2031-02-28", "2031-02-28", ""},
		{"a month", months, "2027-03", "2027-03-01", ""},
		{"a month in words", `{showMonthYearPicker: true, dateFormat: 'MMMM yyyy'}`, "2027-03", "2027-03-01", ""},
		{"a month of a field with the focus", `{autoFocus: true, showMonthYearPicker: true, dateFormat: 'MM/yyyy'}`, "2027-03", "2027-03-01", ""},
		{"a quarter", quarters, "2027-Q2", "2027-04-01", ""},
		{"a quarter that shows its first day", `{showQuarterYearPicker: true}`, "2025-Q4", "2025-10-01", ""},
		{"a year", `{showYearPicker: true, dateFormat: 'yyyy'}`, "2031", "2031-01-01", ""},
		{"a time", times, "2026-12-24 13:30", "2026-12-24 13:30", ""},
		{"a time of 24 hours", `{showTimeSelect: true, timeIntervals: 10, timeFormat: 'HH:mm', dateFormat: 'yyyy-MM-dd HH:mm'}`, "2026-12-24 09:40", "2026-12-24 09:40", ""},

		{"a day that is off", weekdays, "2026-12-20", "", "it is disabled"},
		{"a day of a month", months, "2026-12-24", "", "takes a month, as YYYY-MM"},
		{"a day of a quarter", quarters, "2026-12-24", "", "takes a quarter, as YYYY-Q1"},
		{"a time that it does not offer", times, "2026-12-24 13:40", "", "does not offer 13:40"},
	}
	actions := map[string]func(value string) object{
		"date:pick": func(value string) object { return object{"label": "Due", "value": value} },
		"field:set": func(value string) object { return object{"label": "Due", "value": value} },
		"form:fill": func(value string) object { return object{"values": object{"Name": "Eva", "Due": value}} },
	}
	type use struct {
		row
		action, version string
	}
	var uses []use
	for i, r := range rows {
		for j, version := range []string{"4", "6", "8"} {
			uses = append(uses, use{r, []string{"date:pick", "field:set", "form:fill"}[(i+j)%3], version})
		}
	}
	for _, tt := range testkit.Kinds(t, "days, months and quarters", 7, uses, func(i int) any { return uses[i].fails }) {
		html = strings.NewReplacer("VERSION", tt.version, "PROPS", tt.props).Replace(reactDatepicker)
		b.mustRun(t, "web:page:open", object{"url": base})
		b.datepicker(t, fmt.Sprintf("%s, %s in version %s", tt.name, tt.action, tt.version), tt.action, actions[tt.action](tt.value), tt.holds, tt.fails)
	}
}

// datepicker runs an action on reactDatepicker, and compares the value that the application then
// holds.
func (b *bench) datepicker(t *testing.T, name, action string, params object, holds, fails string) {
	t.Helper()
	r := b.run(t, "components:"+action, params)
	switch {
	case fails == "" && r.Error != nil:
		t.Errorf("%s: %s", name, describe(r.Error))
	case fails != "" && (r.Error == nil || !strings.Contains(describe(r.Error), fails)):
		t.Errorf("%s: got %s, expected a failure that says %q", name, describe(r.Error), fails)
	}
	if got := b.holds(t, "v"); got != holds {
		t.Errorf("%s: the page holds %q, expected %q", name, got, holds)
	}
}

// TestDatesTypedInReactDatepicker types days that react-datepicker removes again when the field loses
// the focus, and picks a range in one field.
func TestDatesTypedInReactDatepicker(t *testing.T) {
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
	const weekdays, takesNot = `{filterDate: (d) => d.getDay() % 6 !== 0}`, "does not accept"
	due := func(value string) object { return object{"label": "Due", "value": value} }
	type typed struct {
		name, props, action string
		params              object
		holds, fails        string
	}
	for _, row := range somePairs(t, "typed days and ranges", 4, []typed{
		{"a day", `{}`, "input:fill", due("12/24/2026"), "2026-12-24", ""},
		{"a day that is off", weekdays, "input:fill", due("12/20/2026"), "", takesNot},
		{"a quarter in its own words", `{showQuarterYearPicker: true, dateFormat: 'yyyy, QQQ'}`, "field:set", due("Q2 2027"), "", takesNot},
		{"a range", `{selectsRange: true}`, "date:range", object{"label": "Due", "from": "2026-12-03", "to": "2027-01-09"}, "2026-12-03 to 2027-01-09", ""},
		{"a range in two months", `{selectsRange: true, monthsShown: 2}`, "date:range", object{"label": "Due", "from": "2026-12-03", "to": "2027-01-09"}, "2026-12-03 to 2027-01-09", ""},
	}, []string{"4", "6", "8"}) {
		tt, version := row.a, row.b
		html = strings.NewReplacer("VERSION", version, "PROPS", tt.props).Replace(reactDatepicker)
		b.mustRun(t, "web:page:open", object{"url": base})
		b.datepicker(t, fmt.Sprintf("%s, version %s", tt.name, version), tt.action, tt.params, tt.holds, tt.fails)
	}
	html = strings.NewReplacer("VERSION", "8", "PROPS", `{showMonthYearPicker: true, dateFormat: 'MM/yyyy'}`).Replace(reactDatepicker)
	b.mustRun(t, "web:page:open", object{"url": base})
	b.datepicker(t, "a month that is typed", "input:fill", due("2027-03"), "", takesNot)
	for _, month := range []string{"2026-05", "2027-03"} {
		b.datepicker(t, "a month after another", "field:set", due(month), month+"-01", "")
	}
}

// TestDaysThatAFieldTakesBack types days in a field which opens no calendar then, as react-datepicker
// does on a busy machine, and which takes back what is not in its form once it loses the focus.
func TestDaysThatAFieldTakesBack(t *testing.T) {
	t.Parallel()
	html := `<label for=d>Due</label> <input id=d value="05/2026"> <input aria-label=Other><script>
window.held = d.value;
d.onblur = () => { if (/^\d\d\/\d{4}$/.test(d.value)) window.held = d.value; else d.value = window.held; };
</script>`
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, action := range []string{"field:set", "input:fill"} {
		for value, holds := range map[string]string{"2027-03": "05/2026", "2027-03-04": "05/2026", "07/2027": "07/2027"} {
			b.mustRun(t, "web:page:open", object{"url": base})
			r := b.run(t, "components:"+action, object{"label": "Due", "value": value})
			if refused := holds != value; refused != (r.Error != nil) {
				t.Errorf("%s %s: got %+v, expected a failure: %t", action, value, r.Error, refused)
			}
			if got := b.holds(t, "(document.activeElement.blur(), held)"); got != holds {
				t.Errorf("%s %s: the page holds %q, expected %q", action, value, got, holds)
			}
		}
	}
}

// TestDaysThatAPageChanges types days in fields whose page makes other days of them, or writes them in
// another form, when they lose the focus.
func TestDaysThatAPageChanges(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	days := []struct{ value, becomes, kind string }{
		{"2024-05-31", "2024-05-30", "date"},
		{"2024-05", "2024-06", "month"},
		{"2024-05-31", "2024-05-31", "date"},
		{"03/04/2024", "04/03/2024", ""},
		{"31.05.2024", "30.05.2024", ""},
		{"2024-05-31", "2024-05-30", ""},
		{"2024-05-31", "1999-01-01", ""},
		{"2024-05-31", "May 30, 2024", ""},
		{"2024-05-31", "05/31/2024", ""},
		{"2024-05-31", "May 31, 2024", ""},
		{"31.5.2024", "31.05.2024", ""},
	}
	for _, row := range somePairs(t, "days that a page changes", 4, days, []string{"field:set", "input:fill", "form:fill"}) {
		tt, action := row.a, row.b
		html = `<label>Due <input id=d type="` + tt.kind + `"></label> <label>Other <input></label><script>d.onblur = () => { if (d.value === '` + tt.value + `') d.value = '` + tt.becomes + `'; };</script>`
		holds := !slices.Contains([]string{"04/03/2024", "30.05.2024", "2024-05-30", "1999-01-01", "May 30, 2024", "2024-06"}, tt.becomes)
		b.mustRun(t, "web:page:open", object{"url": base})
		params := object{"label": "Due", "value": tt.value}
		if action == "form:fill" {
			params = object{"values": object{"Due": tt.value, "Other": "q"}}
		}
		if r := b.run(t, "components:"+action, params); holds != (r.Error == nil) {
			t.Errorf("%s %s, which becomes %s: got %+v, expected success: %t", action, tt.value, tt.becomes, r.Error, holds)
		}
	}
}
