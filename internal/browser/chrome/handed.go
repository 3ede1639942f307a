package chrome

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// Events that the browser hands over to us instead of handling them itself: the data of a drag,
// and the file dialogs that a page opens.

// A Chooser is a file dialog that the page has opened.
type Chooser struct {
	Session string
	Frame   proto.PageFrameID
	Node    proto.DOMBackendNodeID // of the input; 0 if there is none
}

// FilesGroup is the object group of the input that receives files.
const FilesGroup = "action-files"

// ForgetDrag drops the data of a drag that was handed over.
func (p *Tab) ForgetDrag() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.carried = nil
}

// DragHandedOver waits until the browser has handed over the data of a drag.
func (p *Tab) DragHandedOver(ctx context.Context) error {
	return p.Until(ctx, "the browser did not hand over the drag", func() bool { return p.carried != nil })
}

// DragData returns the data of a drag that was handed over; nil for none.
func (p *Tab) DragData() *proto.InputDragData {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.carried
}

// chooserTime is how long a page may take after a press to open a file dialog.
const chooserTime = time.Second

// ExpectChooser makes the browser hand over file dialogs to us, or stops that. It does not wait:
// later calls are handled after it.
func (p *Tab) ExpectChooser(ctx context.Context, sessions []string, on bool) {
	p.mu.Lock()
	p.chooser = nil
	p.mu.Unlock()
	for _, session := range sessions {
		p.StartIn(ctx, session, proto.PageSetInterceptFileChooserDialog{Enabled: on})
	}
}

// ChooserOpened waits for the file dialog that a press opens; nil if none opens.
func (p *Tab) ChooserOpened(ctx context.Context) (*Chooser, error) {
	short, cancel := context.WithTimeout(ctx, chooserTime)
	defer cancel()
	var c *Chooser
	err := p.Until(short, "", func() bool { c = p.chooser; return c != nil })
	if err != nil && diag.CodeOf(err) == diag.Timeout && ctx.Err() == nil {
		return nil, nil
	}
	return c, err
}

// WorldOf returns the current world of a frame, without its outer worlds, and the number of its
// context.
func (p *Tab) WorldOf(ctx context.Context, frame proto.PageFrameID) (w World, number int, err error) {
	err = p.Until(ctx, "the frame that requests files has no document that can be read", func() bool {
		w = World{ID: p.world, Doc: driver.Document{ID: p.doc.id, URL: p.doc.url, Status: p.doc.status}}
		number = p.number
		if f := p.frames[frame]; f != nil {
			w.ID, w.frame, number = f.world, frame, f.number
		}
		return w.ID != ""
	})
	return w, number, err
}
