package session_test

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/npm"
)

// Calendars of two libraries that show June 2025. The tests compare the values of their fields.
const (
	flatpickrPage = `<link rel=stylesheet href=/npm/flatpickr.css><script src=/npm/flatpickr.js></script><script src=/npm/flatpickr-de.js></script><script src=/npm/flatpickr-zh.js></script>
<form><p><label>Name <input></label></p><p><label for=d>Due date</label> <input id=d></p></form>
<script>flatpickr.localize(flatpickr.l10ns.default); flatpickr(d, Object.assign({ onReady: (_, __, f) => f.jumpToDate('2025-06-15') }, OPTIONS))</script>`
	pikadayPage = `<link rel=stylesheet href=/npm/pikaday.css><script src=/npm/pikaday.js></script>
<form><p><label>Name <input></label></p><p><label for=d>Due date</label> <input id=d readonly></p></form>
<script>const iso = (x) => [x.getFullYear(), x.getMonth() + 1, x.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
new Pikaday(Object.assign({ field: d, toString: iso, yearRange: [1980, 2040] }, OPTIONS)).gotoDate(new Date(2025, 5, 15))</script>`
)

// drawnPage is a calendar of elements without roles. The days of other months have the same names as
// the arrows, and a press on such a day picks it. PARTS is the HTML around the caption.
const drawnPage = `<style>.cal{width:210px;position:absolute;background:#fff;border:1px solid}.days{display:flex;flex-wrap:wrap}.days>*{width:30px;height:24px}.head{display:flex;justify-content:space-between}
.head i{cursor:pointer;width:20px;height:20px;display:block}</style>
<p><label>Name <input></label></p><p><label for=d>Due date</label> <input id=d readonly></p>
<div class=cal id=cal hidden><div class=head>PARTS</div><div class=days id=days></div></div><script>
const names = [...Array(12)].map((_, m) => new Intl.DateTimeFormat('LANG', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2025, m, 15)));
let at = new Date(Date.UTC(2025, 5, 1));
const year = document.querySelector('.year'), month = document.querySelector('.month'), head = document.querySelector('.head');
if (year) for (let y = 1980; y < 2041; y++) year.add(new Option(y, y));
if (month) names.forEach((name, m) => month.add(new Option(name, m)));
function turn(to) { at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + to, 1)); draw(); }
function draw() {
  const y = at.getUTCFullYear(), m = at.getUTCMonth(), first = at.getUTCDay();
  if (window.cap) cap.textContent = names[m] + ' ' + y;
  if (year) year.value = y;
  if (month) month.value = m;
  days.innerHTML = '';
  for (let i = 0; i < 42; i++) {
    const day = new Date(Date.UTC(y, m, 1 - first + i)), cell = document.createElement('span'), other = day.getUTCMonth() !== m;
    cell.className = 'day' + (other ? i < 15 ? ' prev-month' : ' next-month' : '');
    cell.textContent = day.getUTCDate();
    cell.onclick = () => { d.value = day.toISOString().slice(0, 10); cal.hidden = !window.stays; };
    days.append(cell);
  }
}
d.onclick = () => { cal.hidden = false; };
head.onclick = (e) => { if (e.target.dataset.by) turn(Number(e.target.dataset.by)); };
head.onchange = () => { at = new Date(Date.UTC(year ? year.value : at.getUTCFullYear(), month ? month.value : at.getUTCMonth(), 1)); draw(); };
draw();
SCRIPT</script>`

// overYears is a script that shows the years on top of the days.
const overYears = `function years() {
  const box = document.createElement('div');
  box.style = 'position:absolute;top:22px;left:0;width:210px;background:#fff;display:flex;flex-wrap:wrap';
  for (let y = 1988; y < 2030; y++) {
    const b = box.appendChild(document.createElement('b'));
    b.style.width = '50px'; b.textContent = y;
    b.onclick = () => { box.remove(); days.inert = head.inert = false; at = new Date(Date.UTC(y, 5, 1)); draw(); };
  }
  cal.append(box); days.inert = head.inert = true;
}`

// drawn returns drawnPage with the HTML around the caption, a language and an additional script.
func drawn(parts, lang, script string) string {
	return strings.NewReplacer("PARTS", parts, "LANG", lang, "SCRIPT", script).Replace(drawnPage)
}

func flatpickrWith(options string) string {
	return strings.Replace(flatpickrPage, "OPTIONS", options, 1)
}
func pikadayWith(options string) string { return strings.Replace(pikadayPage, "OPTIONS", options, 1) }

const (
	arrowsByClass    = `<i class=arrow-prev data-by=-1></i><b id=cap></b><i class=arrow-next data-by=1></i>`
	arrowsByGlyph    = `<span data-by=-1>‹</span><b id=cap></b><span data-by=1>›</span>`
	arrowsByPosition = `<i data-by=-1></i><b id=cap></b><i data-by=1></i>`
	captionLists     = `<select class=month></select><select class=year></select>`
)

// calendarsOfLibraries are pages with a field, the value to set, and the value of the field
// afterwards.
var calendarsOfLibraries = []struct {
	name, html, action, value, to, want string
	code                                diag.Code
	says                                string
}{
	{name: "flatpickr, this month", html: flatpickrWith(`{}`), value: "2025-06-10", want: "2025-06-10"},
	{name: "flatpickr, next month", html: flatpickrWith(`{}`), value: "2025-07-24", want: "2025-07-24"},
	{name: "flatpickr, a day of the last row", html: flatpickrWith(`{}`), value: "2025-07-05", want: "2025-07-05"},
	{name: "flatpickr, month before", html: flatpickrWith(`{locale: {firstDayOfWeek: 1}}`), value: "2025-05-09", want: "2025-05-09"},
	{name: "flatpickr, static months", html: flatpickrWith(`{monthSelectorType: 'static'}`), value: "2025-08-01", want: "2025-08-01"},
	{name: "flatpickr, decades", html: flatpickrWith(`{}`), value: "1987-03-14", want: "1987-03-14"},
	{name: "flatpickr in its form", html: flatpickrWith(`{static: true}`), value: "2027-01-31", want: "2027-01-31"},
	{name: "flatpickr, two months", html: flatpickrWith(`{showMonths: 2}`), value: "2026-02-28", want: "2026-02-28"},
	{name: "flatpickr that stays", html: flatpickrWith(`{closeOnSelect: false}`), value: "2025-07-24", want: "2025-07-24"},
	{name: "flatpickr in German", html: flatpickrWith(`{locale: 'de'}`), value: "2025-03-31", want: "2025-03-31"},
	{name: "flatpickr in Chinese", html: flatpickrWith(`{locale: 'zh'}`), value: "2025-12-31", want: "2025-12-31"},
	{name: "flatpickr, range", html: flatpickrWith(`{mode: 'range'}`), action: "date:range", value: "2025-07-24", to: "2025-08-03", want: "2025-07-24 to 2025-08-03"},
	{name: "flatpickr, form", html: flatpickrWith(`{}`), action: "form:fill", value: "2025-07-24", want: "2025-07-24"},
	{name: "Pikaday, this month", html: pikadayWith(`{}`), value: "2025-06-10", want: "2025-06-10"},
	{name: "Pikaday, next month", html: pikadayWith(`{}`), value: "2025-07-24", want: "2025-07-24"},
	{name: "Pikaday, month before", html: pikadayWith(`{firstDay: 1, numberOfMonths: 2}`), value: "2025-04-09", want: "2025-04-09"},
	{name: "Pikaday, decades", html: pikadayWith(`{}`), value: "1987-03-14", want: "1987-03-14"},
	{name: "Pikaday, form", html: pikadayWith(`{}`), action: "form:fill", value: "2025-07-24", want: "2025-07-24"},
	{name: "arrows by class", html: drawn(arrowsByClass, "en", ""), value: "2025-08-20", want: "2025-08-20"},
	{name: "arrows by class, back", html: drawn(arrowsByClass, "de", ""), value: "2025-03-20", want: "2025-03-20"},
	{name: "arrows by glyph", html: drawn(arrowsByGlyph, "en", ""), value: "2025-07-20", want: "2025-07-20"},
	{name: "arrows by position", html: drawn(arrowsByPosition, "zh", "window.stays = 1"), value: "2025-05-20", want: "2025-05-20"},
	{name: "arrows below a button of the page", html: `<button>Back</button> <button onclick="d.value='NEXT'">Next</button>` + drawn(arrowsByGlyph, "en", ""), value: "2025-09-20", want: "2025-09-20"},
	{name: "a day that the field holds", html: pikadayWith(`{defaultDate: new Date(2025, 5, 10), setDefaultDate: true}`), value: "2025-06-10", want: "2025-06-10"},
	{name: "years over days that are inert", html: drawn(`<button type=button onclick="years()" id=cap></button>`, "en", overYears), value: "1990-06-20", want: "1990-06-20"},
	{name: "flatpickr that is part of the page", html: flatpickrWith(`{inline: true}`), value: "2025-07-24", want: "2025-07-24"},
	{name: "lists alone", html: drawn(captionLists, "en", ""), value: "2025-08-20", want: "2025-08-20"},
	{name: "lists alone, over a year", html: drawn(captionLists, "de", ""), value: "2026-01-20", want: "2026-01-20"},
	{name: "lists alone, decades", html: drawn(captionLists, "zh", ""), value: "1990-12-31", want: "1990-12-31"},

	{name: "flatpickr, minimum", html: flatpickrWith(`{minDate: '2025-06-10'}`), value: "2025-06-09", code: diag.StepFailed, says: "disabled"},
	{name: "flatpickr, month before the minimum", html: flatpickrWith(`{minDate: '2025-06-10'}`), value: "2025-05-20", code: diag.StepFailed, says: "goes no further"},
	{name: "flatpickr, disabled", html: flatpickrWith(`{disable: ['2025-07-24']}`), value: "2025-07-24", code: diag.StepFailed, says: "disabled"},
	{name: "Pikaday, maximum", html: pikadayWith(`{maxDate: new Date(2025, 5, 20)}`), value: "2025-06-21", code: diag.StepFailed, says: "disabled"},
	{name: "Pikaday, month after the maximum", html: pikadayWith(`{maxDate: new Date(2025, 5, 20)}`), value: "2025-07-21", code: diag.StepFailed, says: "goes no further"},
	{name: "Pikaday, disabled", html: pikadayWith(`{disableDayFn: (x) => x.getDate() === 24}`), value: "2025-07-24", code: diag.StepFailed, says: "disabled"},
	{name: "no arrow", html: drawn(`<b id=cap></b>`, "en", ""), value: "2025-07-02", code: diag.StepFailed, says: "goes no further"},
	{name: "an arrow that picks", html: drawn(arrowsByClass, "en", "turn = () => { d.value = '2025-06-30'; cal.hidden = true }"), value: "2025-07-20", want: "2025-06-30", code: diag.StepFailed, says: "the field now shows '2025-06-30'"},
	{name: "another day is picked", html: drawn(arrowsByClass, "en", "days.addEventListener('click', () => { d.value = '2025-06-30' })"), value: "2025-06-20", want: "2025-06-30", code: diag.StepFailed, says: "the field now shows '2025-06-30'"},
}

// TestCalendarsOfLibraries tests fields whose calendars show days of other months, have arrows
// without roles, or react when the mouse button goes down.
func TestCalendarsOfLibraries(t *testing.T) {
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
	tests := calendarsOfLibraries
	outcome := func(i int) any { return tests[i].says + tests[i].action }
	for _, tt := range testkit.Kinds(t, "calendars", 8, tests, outcome) {
		html = tt.html
		b.mustRun(t, "web:page:open", object{"url": base})
		action, params := "components:date:pick", object{"label": "Due date", "value": tt.value}
		switch tt.action {
		case "date:range":
			action, params = "components:date:range", object{"label": "Due date", "from": tt.value, "to": tt.to}
		case "form:fill":
			action, params = "components:form:fill", object{"values": object{"Name": "Eva", "Due date": tt.value}}
		}
		r := b.run(t, action, params)
		switch {
		case tt.code == "" && r.Error != nil:
			t.Errorf("%s: %s", tt.name, describe(r.Error))
		case tt.code != "" && r.Error == nil:
			t.Errorf("%s succeeded, expected %s: %s", tt.name, tt.code, tt.says)
		case tt.code != "" && (r.Error.Code != tt.code || !strings.Contains(describe(r.Error), tt.says)):
			t.Errorf("%s: got %s, expected %s: %s", tt.name, describe(r.Error), tt.code, tt.says)
		}
		if got := b.holds(t, "d.value"); got != tt.want {
			t.Errorf("%s: the field holds %q, expected %q", tt.name, got, tt.want)
		}
	}
}
