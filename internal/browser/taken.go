package browser

// What a page does with files that it was given and that its input does not hold.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
)

// takenTime is how long a page that has emptied its input may take to show that it has the
// files.
const takenTime = 2 * time.Second

// reactionTime is how long a page that has an answer of its server may take to complain about the
// files, or to lead to another page.
const reactionTime = 300 * time.Millisecond

// takenOf is taken, and fails where the page refuses the files in an alert of the browser, or says so
// after an answer of the server: that may take as long as what the page shows.
func (u *upload) takenOf(ctx context.Context, w documents.World, el element, sent, asked, alerts int) error {
	p := u.p
	err := u.taken(ctx, w, el, sent, asked)
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

// answered fails where the server refuses, or nobody has taken, all that may have held a file since
// the first bodies. A page that leads on breaks off what it has begun. It gives a page the time to
// send once more what a server was not able to take.
func (u *upload) answered(ctx context.Context, el element, sent int, ledOn, kept bool) error {
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
		return u.wrong(el, "was given the files, and the server did not take them: "+says, "see with requests what it answers, and give files that it takes")
	}
}

// leftWith fails where the page has led to another document, and no request since the first bodies
// may have held a file: the files are then gone with the document that had them. What a page sends
// over a WebSocket is not known.
func (u *upload) leftWith(ctx context.Context, w documents.World, el element, sent int, nav *driver.Navigation) error {
	if nav == nil || u.p.Net.UsesSockets(w.Doc.ID) {
		return nil
	}
	if list, unknown := u.p.Sent.Carriers(ctx, sent, false); len(list)+unknown > 0 {
		return nil
	}
	return u.wrong(el, fmt.Sprintf("was given the files, and the page went to %s without sending them", nav.URL),
		"see the page with snapshot: it may ask to sign in, or for something else first")
}

// sentMore reports whether the page sends a request with a body, beyond the first ones, before until.
func (p *controls) sentMore(ctx context.Context, bodies int, until time.Time) bool {
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	return p.Link.Until(short, "", func() bool { return p.Sent.Count() > bodies }) == nil
}

// bodiesAnswered waits until the requests with a body since the first bodies are answered, or have failed.
func (p *controls) bodiesAnswered(ctx context.Context, bodies int, until time.Time) {
	short, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	_ = p.Link.Until(short, "", func() bool { return p.Sent.Answered(bodies) }) // the others may be answered later
}

// taken checks what a page does with files that it has taken out of the input: each must be in an
// input, or the page must show its name or a picture, or send it. Otherwise it has discarded
// them. A page that asks its server first may take them out of its list again: what it shows
// after the answers to its requests since asked counts. One that sends them one by one has the
// time that the answers take.
func (u *upload) taken(ctx context.Context, w documents.World, el element, sent, asked int) error {
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
		case cdp.IsGone(err): // it leads on: what it was showing is not known
			r.Lacking = names
			if list, unknown := p.Sent.Carriers(ctx, sent, false); len(list)+unknown == 0 || len(p.Sent.Unsent(ctx, names, names, sent)) == 0 {
				return nil // leftWith says whether it should have sent them
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

// A page that sends several files one by one has sendTime for all of them, and nextTime after an
// answer to begin with the next one.
const (
	sendTime = 20 * time.Second
	nextTime = time.Second
)

// discarded is the error that the page neither holds nor shows nor sends some of the files.
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
	err := u.wrong(el, what, "look at the page for what it says about them: their type, size or number")
	return err.WithDetail("missing", lacking)
}

// sentBefore reports whether the page sends a request with a body, beyond the first sent
// ones, before look is over and within takenTime.
func (p *controls) sentBefore(ctx context.Context, look *cdp.Call, sent int) bool {
	short, cancel := context.WithTimeout(ctx, takenTime)
	defer cancel()
	go func() { // a request comes as an event of the connection, the page's answer as a reply
		select {
		case <-look.Done():
			cancel()
		case <-short.Done():
		}
	}()
	return p.Link.Until(short, "", func() bool { return p.Sent.Count() > sent }) == nil
}
