package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/testdata/libraries"
)

// TestCommitSendsNoForm checks that Enter commits a typed value without sending the form.
func TestCommitSendsNoForm(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const takes = `onkeydown="if (event.key === 'Enter') held.push(this.value)"`
	const tags = `onkeydown="if (event.key === 'Enter') { held.push(this.value); const tag = document.createElement('span'); tag.className = 'tag'; tag.innerHTML = '<b>' + this.value + '</b><i class=remove>x</i>'; this.before(tag); this.value = '' }"`
	for _, tt := range []struct {
		field, button, action string
		value                 any
		held                  string
		code                  diag.Code
	}{
		{`<input id=a ` + takes + `>`, "<button>Save</button>", "date:pick", "2026-03-09", "2026-03-09", ""},
		{`<input id=a ` + takes + `>`, "", "date:pick", "2026-03-09", "2026-03-09", ""},
		{`<input id=a ` + takes + `>`, "<button disabled>Save</button>", "date:pick", "2026-03-09", "2026-03-09", ""},
		{`<input id=a ` + takes + `>`, "<button>Save</button>", "time:pick", "10:30", "10:30", ""},
		{`<div class=tagsinput role=group aria-labelledby=l><input ` + tags + `></div>`, "<button>Save</button>", "field:set", []any{"red", "blue"}, "red,blue", ""},
		{`<input id=a onkeydown="if (event.key === 'Enter') this.form.requestSubmit()">`, "<button>Save</button>", "date:pick", "2026-03-09", "", diag.StepFailed},
	} {
		html = `<script>held = []; sent = 0</script><form onsubmit="event.preventDefault(); sent++"><div><label id=l for=a>Due date</label>` + tt.field + `</div>` + tt.button + `</form>`
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:"+tt.action, object{"label": "Due date", "value": tt.value})
		if tt.code != "" {
			wantError(t, r, tt.code, "caused a script of the page to send the form")
			continue
		}
		if r.Error != nil {
			t.Errorf("%s %s: %s", tt.action, tt.field, describe(r.Error))
		}
		if got := b.holds(t, "sent + ' ' + held"); got != "0 "+tt.held {
			t.Errorf("%s %s: sent, held are %q, expected none and %q", tt.action, tt.field, got, tt.held)
		}
	}
	// Without commit, the step press still sends the form on Enter.
	html = `<script>sent = 0</script><form onsubmit="event.preventDefault(); sent++"><label>Name <input></label><button>Save</button></form>`
	b.mustRun(t, "web:page:open", object{"url": base})
	for _, commit := range []bool{true, false} {
		r := b.Step(t.Context(), "press", session.RunOptions{Params: object{"selector": "label:Name", "key": "Enter", "commit": commit}, Cwd: b.cwd})
		if r.Error != nil {
			t.Errorf("commit %v: %s", commit, describe(r.Error))
		}
	}
	if got := b.holds(t, "sent"); got != "1" {
		t.Errorf("the form was sent %s times, expected once", got)
	}
}

const partsInForms = `
const format = "DD.MM.YYYY";
const make = (form) => (v) => Array.isArray(v) ? v.map(make(form)).join("..") : v && v.format ? v.format(form) : String(v);
const day = make("YYYY-MM-DD"), hour = make("HH:mm");
const F = window.antd && antd.Form, item = (label, control) => h("div", { key: label }, h(F.Item, { label }, control));
const clock = window.antd && (antd.TimePicker.RangePicker || antd.TimePicker);
draw(() => [h("form", { key: 1, onSubmit: (e) => { e.preventDefault(); said("sent"); } },
  item("Period", h(antd.DatePicker.RangePicker, { format, onChange: (v) => said(day(v)) })),
  item("Day", h(antd.DatePicker, { onChange: (v) => said(day(v)) })),
  item("Open", h(clock, { format: "HH:mm", onChange: (v) => said(hour(v)) })), h("button", { key: 2 }, "Send"))],
  '<el-form label-width="100px" @submit' + (old ? '.native' : '') + '.prevent="() => said(\'sent\')"><el-form-item label="Period"><el-date-picker v-model="period" type="daterange" format="' + (old ? "dd.MM.yyyy" : format) + '" value-format="' + (old ? "yyyy-MM-dd" : "YYYY-MM-DD") +
  '" @change="(v) => said(v.join(\'..\'))"></el-date-picker></el-form-item><el-form-item label="Day"><el-date-picker v-model="day" type="date" value-format="' + (old ? "yyyy-MM-dd" : "YYYY-MM-DD") + '" @change="(v) => said(v)"></el-date-picker></el-form-item><button>Send</button></el-form>',
  { said, period: [], day: "" });
`

// TestDatesSendNoForm checks that setting dates and times of the libraries does not send their
// form.
func TestDatesSendNoForm(t *testing.T) {
	// A calendar that opens at the current month shows the first day of the range, but not the last
	// day.
	now := time.Now()
	next := time.Date(now.Year(), now.Month()+1, 3, 0, 0, 0, 0, time.UTC)
	from, to := next.Format(time.DateOnly), next.AddDate(1, 0, 4).Format(time.DateOnly)
	partsOf(t, partsInForms, func(t *testing.T, b *bench, page libraries.Page, url string) {
		rows := []struct {
			action string
			params object
			want   string
		}{
			{"date:range", object{"label": "Period", "from": from, "to": to}, from + ".." + to},
			{"date:pick", object{"label": "Day", "value": "2026-04-01"}, "2026-04-01"},
			{"date:range", object{"label": "Open", "from": "09:00", "to": "17:30"}, "09:00..17:30"},
		}
		if page.Library != "antd" || page.Name == "antd3" { // these pages have no time ranges
			rows = rows[:2]
		}
		for _, tt := range rows {
			b.open(t, url)
			if r := b.run(t, page.Library+":"+tt.action, tt.params); r.Error != nil {
				t.Errorf("%v: %s", tt.params, describe(r.Error))
			}
			got := b.happened(t)
			if strings.Contains(got, "sent") || !strings.HasSuffix(got, tt.want) {
				t.Errorf("%v: %q happened, expected %q and no form sent", tt.params, got, tt.want)
			}
		}
	})
}

// TestDaysThatOnlyEnterTakes tests fields with a calendar that accept a typed day only on Enter, or
// lose it when the focus leaves.
func TestDaysThatOnlyEnterTakes(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const script = `<script>held = ''; sent = 0;
const cells = Array.from({ length: 30 }, (_, i) => '<td>' + (i + 1)).reduce((s, td, i) => s + (i % 7 ? '' : '<tr>') + td, '');
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const draw = () => {
	const d = held ? new Date(held.includes('-') ? held + 'T00:00' : held) : new Date(2025, 5, 1);
	cal.innerHTML = '<div>' + months[d.getMonth()] + ' ' + d.getFullYear() + '</div><table>' + cells + '</table>';
	if (held) [...cal.querySelectorAll('td')][d.getDate() - 1].ariaSelected = true;
};
const open = () => setTimeout(() => { if (!cal.innerHTML) draw(); }, 60);
a.onfocus = a.onclick = open;
a.onkeydown = (e) => { if (e.key !== 'Enter') return; if (other) { a.value = '01/01/2020'; return; } held = a.value; if (cal.innerHTML) draw(); };
a.onblur = () => { cal.innerHTML = ''; if (other) held = a.value; if (loses && held !== a.value) a.value = held; };</script>`
	for _, tt := range []struct {
		placeholder, state, action, value, held string
		code                                    diag.Code
	}{
		{"mm/dd/yyyy", "loses = other = false", "date:pick", "2026-03-09", "03/09/2026", ""},
		{"mm/dd/yyyy", "loses = true, other = false", "field:set", "2026-03-09", "03/09/2026", ""},
		{"mm/dd/yyyy", "loses = false, other = true", "date:pick", "2026-03-09", "03/09/2026", ""},
		{"Choose", "loses = true, other = false", "field:set", "2026-03-09", "2026-03-09", ""},
		{"Choose", "loses = true, other = false", "field:set", "3/9/2026", "", diag.StepFailed},
	} {
		html = `<form onsubmit="event.preventDefault(); sent++"><div><label for=a>Due date</label><input id=a placeholder="` + tt.placeholder +
			`"></div><button>Save</button></form><div id=cal></div><script>` + tt.state + `</script>` + script
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:"+tt.action, object{"label": "Due date", "value": tt.value})
		if codeOf(r.Error) != tt.code {
			t.Errorf("%s %s %s: %v, expected code %q", tt.placeholder, tt.state, tt.action, r.Error, tt.code)
		}
		if got := b.holds(t, "sent + ' ' + held"); got != "0 "+tt.held {
			t.Errorf("%s %s %s: sent, held are %q, expected none and %q", tt.placeholder, tt.state, tt.action, got, tt.held)
		}
	}
}
