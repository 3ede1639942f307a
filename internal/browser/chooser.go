package browser

// File dialogs that a page opens, which come to us in place of a window of the browser.

import (
	"cmp"
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
)

// chooserTime is how long a page may take after a press to open a file dialog.
const chooserTime = time.Second

// maxChooserPresses bounds how often a file dialog is opened whose input was collected before
// it could be held: the browser keeps the input of a dialog that it shows, and not of one that
// it leaves to us. To the page such a dialog was closed without a choice.
const maxChooserPresses = 3

// expectChooser makes file dialogs come to us, or returns them to the browser. Later calls
// find it done.
func (p *Page) expectChooser(ctx context.Context, sessions []string, on bool) {
	p.mu.Lock()
	p.chooser = nil
	p.mu.Unlock()
	for _, session := range sessions {
		p.startIn(ctx, session, proto.PageSetInterceptFileChooserDialog{Enabled: on})
	}
}

// chooserOpened waits for the file dialog that a press opens; nil if none comes.
func (p *Page) chooserOpened(ctx context.Context) (*chooser, error) {
	short, cancel := context.WithTimeout(ctx, chooserTime)
	defer cancel()
	var c *chooser
	err := p.until(short, "", func() bool { c = p.chooser; return c != nil })
	if err != nil && diag.CodeOf(err) == diag.Timeout && ctx.Err() == nil {
		return nil, nil
	}
	return c, err
}

// answer puts the files into the input of the page's file dialog.
func (u *upload) answer(ctx context.Context, c *chooser) (driver.Upload, error) {
	p := u.p
	w, number, err := p.worldOf(ctx, c.frame)
	if err != nil {
		return driver.Upload{}, err
	}
	var node proto.DOMResolveNodeResult
	resolve := proto.DOMResolveNode{BackendNodeID: c.node, ObjectGroup: filesGroup, ExecutionContextID: proto.RuntimeExecutionContextID(number)}
	if err := p.b.explain(ctx, p.startIn(ctx, c.session, resolve).Wait(&node)); err != nil || node.Object == nil {
		return driver.Upload{}, cmp.Or(err, u.lost())
	}
	in := new(takes)
	look := proto.RuntimeCallFunctionOn{FunctionDeclaration: "function(){return __action.takeFiles(this)}", ObjectID: node.Object.ObjectID, ReturnByValue: true}
	if err := p.answer(ctx, p.startIn(ctx, c.session, look), in); err != nil {
		if cdp.IsGone(err) {
			err = u.lost()
		}
		return driver.Upload{}, err
	}
	return u.put(ctx, w, c.session, in, proto.DOMSetFileInputFiles{BackendNodeID: c.node})
}

// worldOf returns the world of a frame as it is now, and its number, without the
// worlds around it.
func (p *Page) worldOf(ctx context.Context, frame proto.PageFrameID) (w world, number int, err error) {
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
