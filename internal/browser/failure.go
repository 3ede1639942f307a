package browser

// Errors for an element that cannot be acted on.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
)

// failure returns the coded error for an answer in which the engine refuses a call. It escapes
// control characters in texts that come from the page.
func (s *seeker) failure(ctx context.Context, r *acted) error {
	err := s.failed(ctx, r)
	if e := diag.As(err); e != nil {
		e.Msg, e.Hint = diag.Visible(e.Msg), diag.Visible(e.Hint)
	}
	return err
}

// failed does what failure does, but does not escape control characters.
func (s *seeker) failed(ctx context.Context, r *acted) error {
	var e *diag.Error
	if r.nothing {
		return s.nothingHere()
	}
	switch r.Reason {
	case "none":
		e = s.notFound(r)
	case "ambiguous":
		what := "elements"
		if r.Frames {
			what = "frames"
		}
		e = diag.New(diag.ElementAmbiguous, "%s matches %d %s, expected one", s.t.Source, r.Count, what).
			WithDetail("count", r.Count).WithDetail("lines", r.Lines).
			WithHint("make the selector more precise, with `within:`, `has-text:`, `nth:` or a name; the matches are: %s", strings.Join(r.Lines, "; "))
	case "missing":
		e = diag.New(diag.ElementNotInteractable, "%s: %s", r.El.label(s.t.Source), r.lacks()).
			WithDetail("missing", r.Missing).WithDetail("element", r.El.Desc).WithHint("%s", missingHint(r))
	case "state":
		e = diag.New(diag.ElementNotInteractable, "%s: %s", r.El.label(s.t.Source), r.Detail).
			WithDetail("missing", r.Missing).WithHint("check what the page shows, or give the step more time")
	case "selector":
		return diag.New(diag.ParamInvalid, "the browser refuses the selector %s: %s", s.t.Source, r.Message).
			WithDetail("selector", s.t.Source).WithDetail("reason", "selector").WithHint("correct the selector")
	case "op":
		return s.refused(r)
	case "frame":
		return diag.New(diag.ParamInvalid, "%s: %s", s.t.Source, r.Message).
			WithDetail("selector", s.t.Source).WithDetail("reason", "frame").
			WithHint("write a selector of the iframe after `frame:`, then >> and a selector of the element in the iframe: frame:#x >> css:button")
	case "stale":
		return s.stale(ctx, r)
	case "elsewhere":
		return diag.New(diag.ElementNotFound, "the element @%s is not in the frame that the selector enters", r.Message).
			WithDetail("ref", r.Message).WithDetail("selector", s.t.Source).
			WithHint("use the ref alone, or begin with the frame that contains the element: frame:SELECTOR >> … >> @%s", r.Message)
	case "busy":
		return diag.New(diag.Timeout, "%s: the content to read is still loading: %s", s.t.Source, r.Detail).
			WithDetail("selector", s.t.Source).WithDetail("busy", r.Detail).WithDetail("url", r.doc.URL).
			WithHint("give the step more time, or add `busy: ignore` to the step if the page always shows this")
	case "cancelled":
		return cdp.Cancelled(context.Canceled)
	default:
		return diag.New(diag.Internal, "the page engine failed for an unknown reason: %q", r.Reason).
			WithHint("report this as a bug")
	}
	if s.cut {
		e.Code = diag.Timeout
	}
	e.WithDetail("selector", s.t.Source).WithDetail("url", r.doc.URL)
	return s.withTitle(ctx, e)
}

// withTitle adds the title of the page to the details of e and returns e. If the page does not
// report its title in time, it adds nothing.
func (s *seeker) withTitle(ctx context.Context, e *diag.Error) *diag.Error {
	ctx, cancel := context.WithTimeout(ctx, documents.ReportMargin)
	defer cancel()
	if doc, err := s.p.Document(ctx); err == nil {
		e.WithDetail("title", doc.Title)
	}
	return e
}

// nothingHere returns the error for a selector that can match nothing.
func (s *seeker) nothingHere() *diag.Error {
	alias, _ := s.query.Nothing()
	e := diag.New(diag.ElementNotFound, "%s matches nothing, because it contains the selector \"none\"", s.t.Source).
		WithDetail("selector", s.t.Source).WithDetail("reason", "none")
	if alias == "" {
		return e.WithHint("replace `none` with a selector of an element")
	}
	e.Msg = fmt.Sprintf("%s matches nothing: the alias %s is defined as \"none\" here", s.t.Source, alias)
	return e.WithDetail("alias", alias).
		WithHint("if the library has no such element, skip the step with `when`; otherwise define the alias %s under `selectors`", alias)
}

// notFound returns the error for an element that is not on the page. The error mentions what the
// page shows instead.
func (s *seeker) notFound(r *acted) *diag.Error {
	e := diag.New(diag.ElementNotFound, "nothing matches %s%s", s.t.Source, s.waited(r))
	e.Hint = "check the selector against the page, or first wait for the page to show the element"
	if failed := s.p.Outcome.ErrorPage(r.doc); failed != nil {
		e.Hint = fmt.Sprintf("the page is the browser's error page (%s): open an address that can be loaded", failed.Msg)
		return e.WithDetail("unreachable", failed.Details["url"])
	}
	switch {
	case r.doc.URL == "about:blank":
		e.Hint = "the page is blank: open an address first"
	case r.Empty:
		e.Hint = "the page shows nothing: give it more time, or check with `requests` what failed to load"
	}
	if len(r.Seen) > 0 {
		e.WithDetail("seen", []string(r.Seen))
		e.Hint = "the most similar elements are: " + strings.Join(r.Seen, "; ")
	}
	if len(r.Aside) > 0 {
		e.WithDetail("frames", r.Aside)
		e.Hint += "; frames that were not searched: " + strings.Join(r.Aside, ", ") + " (enter one with frame:SELECTOR >> …)"
	}
	return e
}

// waited returns the end of a message. It says how long the seeker has waited for the element.
func (s *seeker) waited(r *acted) string {
	if r.Calm {
		return ", and the page is calm"
	}
	return waited(s.limit)
}

// waited returns the time limit d as the last words of a message. If d is not positive, it returns
// "".
func waited(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf(" within %v", d.Round(time.Millisecond))
}

// refused returns the error for an element that is actionable but does not suit the step.
func (s *seeker) refused(r *acted) error {
	code := r.Code
	if !code.Known() {
		code = diag.StepFailed
	}
	e := diag.New(code, "%s", r.Message).WithHint("give a value that the field accepts, or use a step for this kind of element")
	if s.t.Bind != nil && !strings.HasPrefix(e.Msg, "<") { // the message does not name the element yet
		e.Msg = s.t.Source + ": " + e.Msg
	}
	if s.t.Bind == nil {
		e.Hint = "name the element, or focus one first"
	}
	for k, v := range r.Details {
		e.WithDetail(k, v)
	}
	if r.Next != "" {
		e.Hint = r.Next
	}
	return e.WithDetail("selector", s.t.Source)
}

// label returns a name of e for messages; see [driver.Element.Label].
func (e element) label(source string) string {
	return driver.Element{Role: e.Role, Name: e.Name, Desc: e.Desc}.Label(source)
}

// lacks says which actionability check has failed.
func (r *acted) lacks() string {
	if r.Detail == "" {
		return "not " + r.Missing
	}
	return r.Detail
}

// missingHint returns the hint for the actionability check that has failed.
func missingHint(r *acted) string {
	switch r.Missing {
	case "visible":
		if r.El.Role == "option" {
			return "open its list first, or use the step `select` on the list"
		}
		return "make the element visible first, or name another element"
	case "stable":
		return "the element keeps moving: wait until it has stopped"
	case "enabled":
		if strings.HasPrefix(r.Detail, "it is busy") {
			return "wait until the element is no longer busy, or check with `snapshot` and `requests` why it stays busy"
		}
		return "first do what enables the element"
	case "editable":
		return "the element is read-only: first do what makes it editable, or name another element"
	case "hit":
		if r.Detail == "pointer-events: none" {
			return "the element accepts no clicks now: first do what enables it, or name the element around it"
		}
		return "close what covers the element, or wait until the element is uncovered"
	}
	return "check what the page shows"
}

// invalidField returns the error for a press after which the browser or the page found a field
// invalid.
func invalidField(what string, i *invalid) *diag.Error {
	return diag.New(diag.StepFailed, "%s: the form was not sent: %s: %s", what, i.Field, i.Reason).
		WithDetail("field", i.Field).WithDetail("reason", i.Reason).
		WithHint("correct the value of %s, then press again", i.Field)
}

// lostClick returns the error for a press that was not followed by a click. The argument "why" is
// the last part of the message.
func lostClick(what, why string) *diag.Error {
	return diag.New(diag.StepFailed, "%s: the press was lost, and no click followed: %s", what, why).
		WithDetail("reason", why).
		WithHint("check what the page shows now; if leaving a field moves its other elements, leave the field with `press Tab` before this step")
}
