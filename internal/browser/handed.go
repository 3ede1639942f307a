package browser

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/go-rod/rod/lib/proto"
)

// Events that the browser hands over to us instead of handling them itself: the data of a drag,
// and the file dialogs that a page opens.

// A chooser is a file dialog that the page has opened.
type chooser struct {
	session string
	frame   proto.PageFrameID
	node    proto.DOMBackendNodeID // of the input; 0 if there is none
}

// filesGroup is the object group of the input that receives files.
const filesGroup = "action-files"

// forgetDrag drops the data of a drag that was handed over.
func (p *Tab) forgetDrag() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.carried = nil
}

// dragHandedOver waits until the browser has handed over the data of a drag.
func (p *Tab) dragHandedOver(ctx context.Context) error {
	return p.until(ctx, "the browser did not hand over the drag", func() bool { return p.carried != nil })
}

// dragData returns the data of a drag that was handed over; nil for none.
func (p *Tab) dragData() *proto.InputDragData {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.carried
}

// chooserTime is how long a page may take after a press to open a file dialog.
const chooserTime = time.Second

// expectChooser makes the browser hand over file dialogs to us, or stops that. It does not wait:
// later calls are handled after it.
func (p *Tab) expectChooser(ctx context.Context, sessions []string, on bool) {
	p.mu.Lock()
	p.chooser = nil
	p.mu.Unlock()
	for _, session := range sessions {
		p.startIn(ctx, session, proto.PageSetInterceptFileChooserDialog{Enabled: on})
	}
}

// chooserOpened waits for the file dialog that a press opens; nil if none opens.
func (p *Tab) chooserOpened(ctx context.Context) (*chooser, error) {
	short, cancel := context.WithTimeout(ctx, chooserTime)
	defer cancel()
	var c *chooser
	err := p.until(short, "", func() bool { c = p.chooser; return c != nil })
	if err != nil && diag.CodeOf(err) == diag.Timeout && ctx.Err() == nil {
		return nil, nil
	}
	return c, err
}

// worldOf returns the current world of a frame, without its outer worlds, and the number of its
// context.
func (p *Tab) worldOf(ctx context.Context, frame proto.PageFrameID) (w world, number int, err error) {
	err = p.until(ctx, "the frame that requests files has no document that can be read", func() bool {
		w = world{id: p.world, doc: driver.Document{ID: p.doc.id, URL: p.doc.url, Status: p.doc.status}}
		number = p.number
		if f := p.frames[frame]; f != nil {
			w.id, w.frame, number = f.world, frame, f.number
		}
		return w.id != ""
	})
	return w, number, err
}
