package chrome

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// Accessibility trees that the browser keeps.

// KeepAX makes the browser keep the accessibility tree of w's document. It does not wait, because
// the page processes these calls before later ones.
func (ws *Worlds) KeepAX(ctx context.Context, w World) {
	ws.frames.mu.Lock()
	id, kept := ws.frames.axLocked(w)
	ask := !*kept && ws.frames.currentLocked(w)
	if ask {
		*kept = true
		ws.frames.keeps = ws.frames.keeps || ws.frames.contexts[w.ID] == "" // a frame with its own session does not count
	}
	ws.frames.mu.Unlock()
	if ask {
		ctx = context.WithoutCancel(ctx) // the next query needs it too
		session := ws.frames.SessionOf(w.ID)
		ws.link.StartIn(ctx, session, proto.AccessibilityEnable{})
		ws.link.StartIn(ctx, session, proto.AccessibilityGetRootAXNode{FrameID: id})
	}
}

// KeepsAX reports whether the browser keeps the accessibility tree of w's document.
func (fs *Frames) KeepsAX(w World) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	_, kept := fs.axLocked(w)
	return *kept && fs.currentLocked(w)
}

// axLocked returns the frame of w and a pointer to whether the tree of its document is kept.
func (t *tree) axLocked(w World) (proto.PageFrameID, *bool) {
	if f := t.frames[w.frame]; f != nil {
		return w.frame, &f.ax
	}
	return t.frame, &t.doc.ax
}
