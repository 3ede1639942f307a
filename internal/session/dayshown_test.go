package session_test

import (
	"net/http"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// TestRangeShowsItsDays checks that the field must show the picked range, in any format.
func TestRangeShowsItsDays(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	const page = `<!doctype html><title>Page</title><div class=el-form-item><label class=el-form-item__label>Stay</label><div class=el-range-editor><input readonly><input readonly></div></div>
<div class=el-picker-panel style="display: none"><div class="el-date-range-picker__content is-left"><div class=el-date-range-picker__header>
<button class=el-icon-d-arrow-left>a</button><button class=el-icon-arrow-left>b</button><button class=el-icon-arrow-right>c</button><button class=el-icon-d-arrow-right>d</button><div></div></div>
<table class=el-date-table><tr></tr></table></div></div><script>
const [from, to] = document.querySelectorAll('input'), panel = document.querySelector('.el-picker-panel'), as = decodeURIComponent(location.hash.slice(1)).split('|');
let month = 2026 * 12, picked = 0;
const draw = (by) => { month += by; panel.querySelector('.el-date-range-picker__header > div').textContent = Math.floor(month / 12) + ' ' + (month % 12 + 1) };
document.querySelectorAll('button').forEach((b, i) => { b.onclick = () => draw([-12, -1, 1, 12][i]) });
from.onclick = () => { panel.style.display = '' };
for (let d = 1; d <= 28; d++) { const td = panel.querySelector('tr').insertCell(); td.textContent = d; td.onclick = () => { (picked ? to : from).value = as[picked]; if (picked++) panel.style.display = 'none' } }
draw(0)</script>`
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	b := newBench(t, nil, nil, shortWait)
	for i, tt := range []struct {
		shows string
		ok    bool
	}{
		{"2026-01-05|2026-02-11", true},
		{"5/1/26|11/2/26", true},
		{"Jan 5, 2026|Feb 11, 2026", true},
		{"05012026|11022026", true},
		{"2026年1月5日|2026年2月11日", true},
		{"6/1/26|11/2/26", false},
		{"2026-01-05|2026-02-01", false},
		{"5/1/26|11/3/26", false},
		{"Feb 5, 2026|Feb 11, 2026", false},
		{"Jan 5, 2026|Feb 11, 2027", false},
	} {
		b.mustRun(t, "web:page:open", object{"url": base + "/?" + string(rune('a'+i)) + "#" + tt.shows})
		r := b.run(t, "element:date:range", object{"label": "Stay", "from": "2026-01-05", "to": "2026-02-11"})
		if (r.Error == nil) != tt.ok {
			t.Errorf("%s: %v, want ok: %v", tt.shows, r.Error, tt.ok)
		}
	}
}
