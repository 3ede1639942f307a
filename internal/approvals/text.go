package approvals

import (
	"fmt"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

// Text returns the approval as lines for people. It ends with a line break. Control characters are
// replaced.
func (a *Approval) Text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-9s %s\n", name, diag.Clean(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(&b, "%s  %s  %s\n", a.ID, a.State, diag.Clean(a.Name()))
	if len(a.Why) > 0 {
		line("why", "%s", strings.Join(a.Why, ", "))
	}
	if t := a.Target; t != nil {
		if what := strings.TrimSpace(t.Desc); what != "" {
			line("element", "%s", what)
		}
		if t.Leads != "" {
			line("leads to", "%s", t.Leads)
		}
	}
	if len(a.Params) > 0 {
		line("with", "%s", diag.Clip(diag.JSONText(a.Params), 2000))
	}
	if a.Page.URL != "" {
		line("page", "%s %q", a.Page.URL, a.Page.Title)
	}
	if a.Session != "" {
		line("session", "%s", a.Session)
	}
	switch {
	case a.State == Pending:
		line("expires", "%s", a.Expires.Local().Format(time.DateTime))
	case a.By != nil:
		line("by", "%s at %s", a.By.Channel, a.By.At.Local().Format(time.DateTime))
		if a.By.Reason != "" {
			line("reason", "%s", a.By.Reason)
		}
	}
	if r := a.Outcome; r != nil {
		if r.Error != nil {
			line("outcome", "%s: %s", r.Error.Code, r.Error.Msg)
		} else {
			line("outcome", "ok %s", diag.Clip(diag.JSONText(r.Data), 2000))
		}
	}
	return b.String()
}

// Name names what has to be approved: the step and its action, or the action.
func (a *Approval) Name() string {
	if a.Step == "" || a.Step == a.Action {
		return a.Action
	}
	if a.Path == "" {
		return a.Step
	}
	return fmt.Sprintf("%s (%s of %s)", a.Step, a.Path, a.Action)
}
