package browser

// What a page does with files that it was given and has taken out of its file input.

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
)

// takenTime is how long a page may take to show or send the files after it has emptied its file
// input.
const takenTime = 2 * time.Second

// reactionTime is how long a page may take after an answer of its server to complain about the
// files or to navigate.
const reactionTime = 300 * time.Millisecond

// checkTaken is like awaitTaken, but also fails if the page refuses the files in an alert or after
// an answer of its server. The last three arguments are counts from before the page got the files:
// of requests with a body, of all requests, and of alerts.
func (u *upload) checkTaken(ctx context.Context, w documents.World, el element, sent, asked, alerts int) error {
	p := u.p
	err := u.awaitTaken(ctx, w, el, sent, asked)
	if err == nil && p.Net.Sent() > asked {
		// The browser reports an answer before the page has it.
		p.controls.awaitAnswers(ctx, asked, time.Now().Add(takenTime))
		var r reaction
		look := p.Call(ctx, w, "filesShown", map[string]any{"wait": reactionTime.Milliseconds(), "names": u.names(), "known": 0})
		if p.Answer(ctx, look, &r) == nil && r.Complaint != "" {
			return u.refused(el, r.Complaint)
		}
	}
	if says := u.alerted(ctx, w, alerts); says != "" {
		return u.refused(el, says)
	}
	return err
}

// checkAnswers fails if the server has accepted none of the requests that may have carried a file.
// If there are no such requests, it returns nil. It waits for the answers, and for the page to
// repeat a request that the server could not handle. It ignores earlier requests; the argument
// "sent" is the number of those with a body. ledOn means that the page has navigated, which aborts
// its requests. kept means that the input still holds the files.
func (u *upload) checkAnswers(ctx context.Context, el element, sent int, ledOn, kept bool) error {
	p := u.p
	for until := time.Now().Add(takenTime); ; {
		p.controls.bodiesAnswered(ctx, sent, until)
		bodies := p.Sent.Count()
		says, again := p.Sent.Refused(ctx, sent, ledOn, kept)
		switch {
		case says == "":
			return nil
		case again && p.controls.sentMore(ctx, bodies, until):
			continue
		}
		return u.wrong(el, "was given the files, but the server did not accept them: "+says, "check with `requests` what the server answers, and give files that the server accepts")
	}
}

// checkNavigation fails if the page has navigated without sending the files. It ignores earlier
// requests; the argument "sent" is the number of those with a body. If the old document used a
// WebSocket, checkNavigation returns nil, because the files may have been sent over it.
func (u *upload) checkNavigation(ctx context.Context, w documents.World, el element, sent int, nav *driver.Navigation) error {
	if nav == nil || u.p.Net.UsesSockets(w.Doc.ID) {
		return nil
	}
	if list, unknown := u.p.Sent.Carriers(ctx, sent, false); len(list)+unknown > 0 {
		return nil
	}
	return u.wrong(el, fmt.Sprintf("was given the files, but the page went to %s without sending them", nav.URL),
		"check the page with `snapshot`: the page may require a sign-in, or something else first")
}

// sentMore waits for the page to send another request with a body, at most until the given time. It
// reports whether the page has sent one. The argument bodies is the number of such requests so far.
func (p *controls) sentMore(ctx context.Context, bodies int, until time.Time) bool {
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	return p.Link.Until(short, "", func() bool { return p.Sent.Count() > bodies }) == nil
}

// bodiesAnswered waits for the answers to requests with a body, at most until the given time. It
// ignores earlier requests of this kind; the argument bodies is their number.
func (p *controls) bodiesAnswered(ctx context.Context, bodies int, until time.Time) {
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	_ = p.Link.Until(short, "", func() bool { return p.Sent.Answered(bodies) }) // the rest may be answered later
}

// awaitTaken returns an error if the page has discarded files that it has taken out of the input.
// The page keeps a file if it holds the file in an input, shows its name or a picture of it, or
// sends it. If the page sends requests, awaitTaken checks again after their answers. A page that
// sends the files one by one has about sendTime for that. sent and asked are as for checkTaken.
func (u *upload) awaitTaken(ctx context.Context, w documents.World, el element, sent, asked int) error {
	p, names := u.p, u.names()
	lacking := names
	last := time.Now().Add(sendTime)
	for until := time.Now().Add(takenTime); ; {
		left := max(time.Until(until), time.Millisecond)
		look := p.Call(ctx, w, "filesShown", map[string]any{"wait": left.Milliseconds(), "names": names, "known": len(lacking)})
		for bodies := sent; p.controls.sentBefore(ctx, look, bodies); bodies = p.Sent.Count() {
			if len(p.Sent.Unsent(ctx, names, lacking, sent)) == 0 {
				return nil
			}
		}
		var r reaction
		err := p.Answer(ctx, look, &r)
		switch {
		case r.Complaint != "":
			return u.refused(el, r.Complaint)
		case cdp.IsGone(err): // the page has navigated: what it showed is not known
			r.Lacking = names
			if list, unknown := p.Sent.Carriers(ctx, sent, false); len(list)+unknown == 0 || len(p.Sent.Unsent(ctx, names, names, sent)) == 0 {
				return nil // checkNavigation decides whether it should have sent them
			}
		case err != nil:
			return err
		}
		shown := len(r.Lacking) == 0
		u.shown = len(r.Lacking) < len(names)
		if lacking = r.Lacking; len(p.Sent.Unsent(ctx, names, lacking, sent)) == 0 {
			if !shown || !p.controls.awaitAnswers(ctx, asked, until) {
				return nil
			}
			lacking = names
			continue
		}
		if err != nil || !time.Now().Before(until) {
			if err == nil && p.Sent.Count() > sent && p.controls.awaitAnswers(ctx, asked, last) {
				until = time.Now().Add(nextTime)
				continue
			}
			return u.discarded(el, p.Sent.Unsent(ctx, names, lacking, sent), r.Says)
		}
	}
}

// sendTime is how long a page may take to send several files one by one. nextTime is how long it
// may take after each answer to begin with the next file.
const (
	sendTime = 20 * time.Second
	nextTime = time.Second
)

// discarded returns the error for files that the page has discarded; see awaitTaken. The argument
// "says" is the text of the page about them, or "" if there is none.
func (u *upload) discarded(el element, lacking []string, says string) error {
	what, those := "was emptied or removed by the page, which", "the files"
	switch {
	case u.dropped:
		what = "took the drop, and the page"
	case u.apart:
		what = "was given them outside of the document, and the page"
	}
	if len(lacking) < len(u.files) || len(lacking) > 1 {
		those = strings.Join(lacking, ", ")
	}
	what += fmt.Sprintf(" neither shows %s nor sends them", those)
	if those != "the files" && len(lacking) == 1 {
		what = strings.TrimSuffix(what, "them") + "it"
	}
	if says != "" {
		what += fmt.Sprintf("; it says %q", says)
	}
	err := u.wrong(el, what, "check what the page says about the type, size or number of the files")
	return err.WithDetail("missing", lacking)
}

// names returns the names of the files, without their folders.
func (u *upload) names() []string {
	names := make([]string, len(u.files))
	for i, f := range u.files {
		names[i] = filepath.Base(f.Path)
	}
	return names
}

// refused returns the error for files that the page refuses. The argument "says" is the message of
// the page.
func (u *upload) refused(el element, says string) *diag.Error {
	verb := "says"
	if slices.Contains(u.names(), says) { // the page shows the name in red, or as an error
		verb = "marks as failed"
	}
	return u.wrong(el, fmt.Sprintf("was given the files, and the page %s %q", verb, says), "give files that the page accepts; check with `snapshot` what the page says about these")
}

// wrong returns STEP_FAILED. Its message is the label of el, followed by the argument "what".
func (u *upload) wrong(el element, what, hint string) *diag.Error {
	return diag.New(diag.StepFailed, "%s %s", el.label(u.s.t.Source), what).WithDetail("selector", u.s.t.Source).WithHint("%s", hint)
}

// alerted returns the message of an alert in which the page refuses the files. It returns "" if
// there is none. It ignores earlier alerts; the argument "first" is their number.
func (u *upload) alerted(ctx context.Context, w documents.World, first int) string {
	alerts := u.p.Alerts()
	for _, text := range alerts[min(first, len(alerts)):] {
		var refuses bool
		judge := u.p.Call(ctx, w, "refusesFiles", map[string]any{"text": text, "names": u.names()})
		if u.p.Answer(ctx, judge, &refuses) == nil && refuses { // a page that is gone has sent the files
			return text
		}
	}
	return ""
}
