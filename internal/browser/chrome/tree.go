package chrome

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// Accessibility trees that the browser keeps.

// KeepAX makes the browser keep the accessibility tree of w's document. It does not wait, because
// the page processes these calls before later ones.
func (p *Tab) KeepAX(ctx context.Context, w World) {
	p.mu.Lock()
	id, kept := p.axLocked(w)
	ask := !*kept && p.currentLocked(w)
	if ask {
		*kept = true
		p.keeps = p.keeps || p.contexts[w.ID] == "" // a frame with its own session does not count
	}
	p.mu.Unlock()
	if ask {
		ctx = context.WithoutCancel(ctx) // the next query needs it too
		session := p.SessionOf(w.ID)
		p.StartIn(ctx, session, proto.AccessibilityEnable{})
		p.StartIn(ctx, session, proto.AccessibilityGetRootAXNode{FrameID: id})
	}
}

// KeepsAX reports whether the browser keeps the accessibility tree of w's document.
func (p *Tab) KeepsAX(w World) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, kept := p.axLocked(w)
	return *kept && p.currentLocked(w)
}

// axLocked returns the frame of w and a pointer to whether the tree of its document is kept.
func (p *Tab) axLocked(w World) (proto.PageFrameID, *bool) {
	if f := p.frames[w.frame]; f != nil {
		return w.frame, &f.ax
	}
	return p.frame, &p.doc.ax
}
