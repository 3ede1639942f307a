package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// TestCalendarsThatArePressed tests fields that accept no typed text and open a calendar.
func TestCalendarsThatArePressed(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newBench(t, nil, nil, shortWait)
	tests := []struct {
		page, action, value, to, want string
		code                          diag.Code
		says                          string
	}{
		{page: "", value: "2025-09-09", want: "2025-09-09"},
		{page: "kind=input&dialog", value: "2025-02-28", want: "2025-02-28"},
		{page: "dialog&grid&weeks&fmt=iso", value: "2025-12-31", want: "2025-12-31"},
		{page: "lang=de&nav=plain&fmt=dots&kind=input", value: "2025-03-09", want: "2025-03-09"},
		{page: "lang=fr&nav=signs&cap=apart", value: "2025-08-01", want: "2025-08-01"},
		{page: "lang=es&nav=years&fmt=slashes", value: "1999-05-04", want: "1999-05-04"},
		{page: "lang=zh&nav=signs&blank", value: "2025-05-31", want: "2025-05-31"},
		{page: "lang=ja&cap=ym&fmt=slashes&nav=plain", value: "2025-10-31", want: "2025-10-31"},
		{page: "lang=pl&cap=short", value: "2025-07-07", want: "2025-07-07"},
		{page: "cap=zoom&slow", value: "2019-11-30", want: "2019-11-30"},
		{page: "cap=list", value: "1990-02-03", want: "1990-02-03"},
		{page: "cap=none&labels", value: "2025-08-15", want: "2025-08-15"},
		{page: "cap=none&labels&lang=ja", value: "2025-08-15", want: "2025-08-15"},
		{page: "cap=none&iso&slow", value: "2025-08-15", want: "2025-08-15"},
		{page: "inline&dialog", value: "2025-07-15", want: "2025-07-15"},
		{page: "ok", value: "2025-07-15", want: "2025-07-15"},
		{page: "months&fmt=month", value: "2027-02", want: "2027-02-01"},
		{page: "range", action: "date:range", value: "2025-06-28", to: "2025-08-05", want: "2025-06-28..2025-08-05"},
		{page: "range&panels&fmt=dots", action: "date:range", value: "2025-03-28", to: "2025-04-05", want: "2025-03-28..2025-04-05"},
		{page: "fmt=dots&kind=input", action: "field:set", value: "2025-07-15", want: "2025-07-15"},
		{page: "", action: "field:set", value: "2025-07-15", want: "2025-07-15"},

		{page: "min=2025-06-10", value: "2025-06-09", code: diag.StepFailed, says: "disabled"},
		{page: "max=2025-08-10", value: "2025-08-11", code: diag.StepFailed, says: "disabled"},
		{page: "nav=none", value: "2025-07-15", code: diag.StepFailed, says: "goes no further"},
		{page: "cap=none", value: "2025-06-15", code: diag.StepFailed, says: "does not say which month"},
		{page: "cap=wrong&labels", value: "2025-06-15", code: diag.StepFailed, says: "contradicts"},
		{page: "cap=wrong", value: "2025-06-15", code: diag.StepFailed, says: "does not say which month"},
		{page: "stuck=0", value: "2025-07-15", code: diag.StepFailed, says: "does not turn"},
		{page: "stuck=1", value: "2025-09-15", code: diag.StepFailed, says: "does not turn"},
		{page: "wrongway", value: "2025-09-15", code: diag.StepFailed, says: "does not turn"},
		{page: "never", value: "2025-06-15", code: diag.StepFailed, says: "opens no calendar"},
		{page: "never&inline", value: "2025-06-15", code: diag.StepFailed, says: "opens no calendar"},
		{page: "deaf", value: "2025-06-15", code: diag.StepFailed, says: "does not show"},
		{page: "reverts", value: "2025-06-15", code: diag.StepFailed, says: "does not show"},
		{page: "months&fmt=month", value: "2025-06-15", code: diag.StepFailed, says: "a month, as YYYY-MM"},
		{page: "", value: "2025-06", code: diag.StepFailed, says: "a day, as YYYY-MM-DD"},
		{page: "", value: "2025-06-15 10:00", code: diag.StepFailed, says: "only a day"},
	}
	outcome := func(i int) any { return tests[i].says + tests[i].action }
	for _, tt := range testkit.Kinds(t, "calendars", 16, tests, outcome) {
		b.mustRun(t, "web:page:open", object{"url": base + "/calendar.html?" + tt.page})
		action, params := "components:date:pick", object{"label": "Due date", "value": tt.value}
		switch tt.action {
		case "date:range":
			action, params = "components:date:range", object{"label": "Due date", "from": tt.value, "to": tt.to}
		case "field:set":
			action = "components:field:set"
		}
		r := b.run(t, action, params)
		if tt.code != "" {
			wantError(t, r, tt.code, tt.says)
		} else if r.Error != nil {
			t.Errorf("%s %s: %s", tt.page, tt.value, describe(r.Error))
		}
		if got := b.holds(t, "held"); got != tt.want {
			t.Errorf("%s %s: the page holds %q, expected %q", tt.page, tt.value, got, tt.want)
		}
		if got := b.holds(t, "log.join()"); strings.Contains(got, "inline") {
			t.Errorf("%s: the other calendar was pressed", tt.page)
		}
	}
}

// TestFieldsOfParts tests date fields whose parts are typed one by one.
func TestFieldsOfParts(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	part := func(name string, max, length int) string {
		return fmt.Sprintf(`<span role=spinbutton tabindex=0 contenteditable data-length=%d aria-label="%s, Due date" aria-valuemin=1 aria-valuemax=%d>--</span>`, length, name, max)
	}
	day := part("month", 12, 2) + "/" + part("day", 31, 2) + "/" + part("year", 9999, 4)
	const script = `<script>window.held = () => [...document.querySelectorAll('[role=spinbutton]')].map((n) => n.getAttribute('aria-valuenow') ?? '').join('-');
const all = [...document.querySelectorAll('[role=spinbutton]')];
all.forEach((n, i) => { let typed = ''; n.onfocus = () => { typed = ''; }; n.onbeforeinput = (e) => { e.preventDefault(); if (!/\d/.test(e.data)) return; typed += e.data;
  const no = n.ariaLabel.startsWith(window.deaf); if (!no) { n.setAttribute('aria-valuenow', Number(typed)); n.textContent = typed; } if (typed.length === Number(n.dataset.length)) all[i + 1]?.focus(); }; });</script>`
	field := func(parts string) string {
		return `<div><span id=l>Due date</span><div role=group aria-labelledby=l>` + parts + `</div></div><label>Name <input></label>` + script
	}
	for _, tt := range []struct {
		html, action string
		params       object
		want         string
		code         diag.Code
	}{
		{field(day), "date:pick", object{"value": "2025-03-09"}, "3-9-2025", ""},
		{field(day), "field:set", object{"value": "1987-12-31"}, "12-31-1987", ""},
		{field(day + "–" + day), "date:range", object{"from": "2025-03-28", "to": "2025-04-05"}, "3-28-2025-4-5-2025", ""},
		{field(part("hour", 23, 2) + part("minute", 59, 2)), "time:pick", object{"value": "14:35"}, "14-35", ""},
		{field(day), "date:pick", object{"value": "2025-03-09 14:35"}, "--", diag.StepFailed},
		{field(day), "date:pick", object{"value": "2025-03"}, "--", diag.StepFailed},
		{field(day) + "<script>deaf = 'day'</script>", "date:pick", object{"value": "2025-03-09"}, "3--2025", diag.StepFailed},
	} {
		html = tt.html
		b.mustRun(t, "web:page:open", object{"url": base})
		tt.params["label"] = "Due date"
		r := b.run(t, "components:"+tt.action, tt.params)
		if tt.code != "" {
			wantError(t, r, tt.code, "")
		} else if r.Error != nil {
			t.Errorf("%s %v: %s", tt.action, tt.params, describe(r.Error))
		}
		if got := b.holds(t, "held()"); got != tt.want {
			t.Errorf("%s %v: the page holds %q, expected %q", tt.action, tt.params, got, tt.want)
		}
	}
}

// TestDaysThatAreTakenBack tests fields with a calendar that accept a typed day at first, and reject it
// later, with a message or by changing the value.
func TestDaysThatAreTakenBack(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range []struct {
		field, action, value string
		code                 diag.Code
	}{
		{`inputmode=none role=combobox aria-haspopup=dialog onblur="this.value=''"`, "field:set", "soon", diag.StepFailed},
		{`inputmode=none role=combobox aria-haspopup=dialog onblur="this.value=''"`, "field:set", "10:30", diag.VerifyFailed},
		{`placeholder=MM/DD/YYYY oninput="this.ariaInvalid=this.value.includes('2019')"`, "date:pick", "2019-03-09", diag.StepFailed},
		{`placeholder=MM/DD/YYYY oninput="this.ariaInvalid=this.value.includes('2019')"`, "date:pick", "2020-03-09", ""},
	} {
		html = `<div><label for=a>Due date</label><input id=a ` + tt.field + `></div><div><label>Name <input></label></div>`
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:"+tt.action, object{"label": "Due date", "value": tt.value})
		if tt.code != "" {
			wantError(t, r, tt.code, "")
		} else if r.Error != nil {
			t.Errorf("%s: %s", tt.field, describe(r.Error))
		}
	}
}
