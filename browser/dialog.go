package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// maxDialogs bounds what is kept of the dialogs of a page that opens many.
const maxDialogs = 100

// A Dialog is one that a page opened. It was answered at once: a page stands
// still until it is.
type Dialog struct {
	Kind    string // alert, confirm, prompt, beforeunload
	Message string
	Answer  string // accepted, dismissed
	URL     string
}

// TakeDialogs returns the dialogs that were answered since the last call, oldest
// first.
func (p *Page) TakeDialogs() []Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.dialogs
	p.dialogs = nil
	return d
}

// answerDialog accepts what has one answer only and dismisses what asks.
func (p *Page) answerDialog(v *proto.PageJavascriptDialogOpening) {
	accept := v.Type == proto.PageDialogTypeAlert || v.Type == proto.PageDialogTypeBeforeunload
	d := Dialog{Kind: string(v.Type), Message: v.Message, Answer: "dismissed", URL: v.URL}
	if accept {
		d.Answer = "accepted"
	}
	p.mu.Lock()
	if len(p.dialogs) < maxDialogs {
		p.dialogs = append(p.dialogs, d)
	}
	p.mu.Unlock()
	// The reply is not awaited here, where replies are read. The dialog may be
	// gone already, with its page: then there is nothing to answer.
	p.start(context.Background(), proto.PageHandleJavaScriptDialog{Accept: accept})
}
