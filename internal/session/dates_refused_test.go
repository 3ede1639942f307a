package session_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/testdata/pages"
)

// TestRefusedDayInADrawer checks that a refused day closes the calendar, but not the drawer around
// the field.
func TestRefusedDayInADrawer(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/antd-drawer.html?v="
	b := newBench(t, nil, nil)
	for _, version := range []string{"4", "5"} {
		t.Run(version, func(t *testing.T) {
			b.open(t, base+version)
			wantError(t, b.run(t, "antd:date:pick", object{"label": "Due", "value": "2025-12-31"}), diag.StepFailed, "2025-12-31 cannot be picked in Due")
			r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "window.state.open"}, Cwd: b.cwd})
			want(t, data(t, r), "value", "true")
			b.mustRun(t, "antd:input:fill", object{"label": "Amount", "value": "12"})
		})
	}
}

// TestDayOfALanguage tests calendars whose days have titles in the format of their language.
func TestDayOfALanguage(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, nil)
	b.open(t, serve(t, pages.Handler())+"/antd-drawer.html?v=6&l=de_DE")
	b.mustRun(t, "antd:date:pick", object{"label": "Due", "value": "2026-03-09"})
	r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "window.state.due"}, Cwd: b.cwd})
	want(t, data(t, r), "value", "2026-03-09")
}
