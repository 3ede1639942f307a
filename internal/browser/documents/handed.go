package documents

// The data of drags, and the file dialogs that pages open. The browser hands them over to us
// instead of handling them itself.

import (
	"context"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// Handed holds the dragged data and the file dialogs that the browser has handed over to us.
type Handed struct {
	link *Link

	mu      sync.Mutex
	carried *proto.InputDragData // the drag that the browser has handed to us
	chooser *Chooser             // the file chooser that the page has opened during an upload
}

// A Chooser is a file dialog that the page has opened.
type Chooser struct {
	Session string
	Frame   proto.PageFrameID
	Node    proto.DOMBackendNodeID // of the input; 0 if there is none
}

// FilesGroup is the name of the group of DevTools objects that contains the input element of a file
// dialog.
const FilesGroup = "action-files"

// ForgetDrag drops the data of a drag that was handed over.
func (h *Handed) ForgetDrag() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.carried = nil
}

// DragHandedOver waits until the browser has handed over the data of a drag.
func (h *Handed) DragHandedOver(ctx context.Context) error {
	return h.link.Until(ctx, "the browser did not hand over the drag", func() bool { return h.DragData() != nil })
}

// DragData returns the data of a drag that was handed over, or nil if there is none.
func (h *Handed) DragData() *proto.InputDragData {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.carried
}

// chooserTime is how long a page may take after a press to open a file dialog.
const chooserTime = time.Second

// ExpectChooser sets whether the browser hands over the file dialogs of the given sessions to us.
// It does not wait for the browser's reply. The setting applies to all later calls.
func (h *Handed) ExpectChooser(ctx context.Context, sessions []string, on bool) {
	h.mu.Lock()
	h.chooser = nil
	h.mu.Unlock()
	for _, session := range sessions {
		h.link.StartIn(ctx, session, proto.PageSetInterceptFileChooserDialog{Enabled: on})
	}
}

// ChooserOpened waits for the file dialog that a press opens. It returns nil if none opens.
func (h *Handed) ChooserOpened(ctx context.Context) (*Chooser, error) {
	short, cancel := context.WithTimeout(ctx, chooserTime)
	defer cancel()
	var c *Chooser
	err := h.link.Until(short, "", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		c = h.chooser
		return c != nil
	})
	if err != nil && diag.CodeOf(err) == diag.Timeout && ctx.Err() == nil {
		return nil, nil
	}
	return c, err
}

// HandOver handles the events that hand over the data of a drag or a file dialog.
func (h *Handed) HandOver(e *cdp.Event) {
	var drag proto.InputDragIntercepted
	var v proto.PageFileChooserOpened
	h.mu.Lock()
	defer h.mu.Unlock()
	switch e.Method {
	case "Input.dragIntercepted":
		if cdp.Decode(e, &drag) {
			h.carried = drag.Data
		}
	case "Page.fileChooserOpened":
		if !cdp.Decode(e, &v) {
			return
		}
		h.chooser = &Chooser{Session: e.Session, Frame: v.FrameID, Node: v.BackendNodeID}
		if v.BackendNodeID != 0 { // prevents the collection of an input that the page does not reference
			h.link.Conn.Start(context.Background(), e.Session, proto.DOMResolveNode{BackendNodeID: v.BackendNodeID, ObjectGroup: FilesGroup})
		}
	}
	h.link.Notify()
}
