package browser

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/go-rod/rod/lib/proto"
)

// What the browser hands over to us in place of doing it itself: the data of a drag, and the file
// dialogs that a page opens.

// A chooser is a file dialog that the page opens.
type chooser struct {
	session string
	frame   proto.PageFrameID
	node    proto.DOMBackendNodeID // of the input, 0 where there is none
}

// filesGroup holds the input that files are put into.
const filesGroup = "action-files"

// forgetDrag forgets the data of a drag that was handed over.
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

// expectChooser makes file dialogs come to us, or returns them to the browser. Later calls
// find it done.
func (p *Tab) expectChooser(ctx context.Context, sessions []string, on bool) {
	p.mu.Lock()
	p.chooser = nil
	p.mu.Unlock()
	for _, session := range sessions {
		p.startIn(ctx, session, proto.PageSetInterceptFileChooserDialog{Enabled: on})
	}
}

// chooserOpened waits for the file dialog that a press opens; nil if none comes.
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

// worldOf returns the world of a frame as it is now, and its number, without the
// worlds around it.
func (p *Tab) worldOf(ctx context.Context, frame proto.PageFrameID) (w world, number int, err error) {
	err = p.until(ctx, "the frame that asks for files has no document that can be read", func() bool {
		w = world{id: p.world, doc: driver.Document{ID: p.doc.id, URL: p.doc.url, Status: p.doc.status}}
		number = p.number
		if f := p.frames[frame]; f != nil {
			w.id, w.frame, number = f.world, frame, f.number
		}
		return w.id != ""
	})
	return w, number, err
}
