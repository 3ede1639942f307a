package chrome

// The hidden tab in which storage is read and set: see package storage.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// hiddenTab is a tab that does not belong to the session, for package storage.
type hiddenTab struct{ storageTab }

func (h hiddenTab) Open(ctx context.Context, address string) error {
	_, err := h.p.Open(ctx, address, driver.Load)
	return err
}

// Do, unlike that of other tabs, also sends calls that a dialog in another tab would block.
func (h hiddenTab) Do(ctx context.Context, req proto.Request, out any) error {
	return h.p.b.explain(ctx, h.p.b.conn.Do(ctx, h.p.Link.Session, req, out))
}

func (h hiddenTab) Close(ctx context.Context) { _ = h.p.b.closeTab(ctx, h.p) }

// hiddenTab opens a tab in w that does not belong to the session. The caller must close it.
func (b *Browser) hiddenTab(ctx context.Context, w *window) (hiddenTab, error) {
	b.mu.Lock()
	w.hides = true
	w.asked++
	b.mu.Unlock()
	var target proto.TargetCreateTargetResult
	create := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: w.contextToAsk(), Background: true}
	err := b.do(ctx, create, &target)
	if err == nil && b.endpoint != nil {
		err = b.do(ctx, proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}, nil)
	}
	b.mu.Lock()
	w.hides = false
	w.asked--
	p := w.hidden
	w.hidden = nil
	b.mu.Unlock()
	switch {
	case err != nil:
		return hiddenTab{}, err
	case p == nil:
		return hiddenTab{}, cdp.Unavailable("the hidden tab closed immediately").WithHint("run the step again")
	}
	h := hiddenTab{storageTab{p}}
	if err := p.ready(ctx); err != nil {
		h.Close(ctx)
		return hiddenTab{}, err
	}
	return h, nil
}

// hide takes a target that is the requested hidden tab, and reports whether it is. It runs in the
// goroutine that reads replies.
func (b *Browser) hide(v *proto.TargetAttachedToTarget) bool {
	b.mu.Lock()
	w := b.windowOfLocked(v.TargetInfo.BrowserContextID)
	if w == nil || !w.hides || b.tabOfLocked(v.TargetInfo.OpenerID) != nil {
		b.mu.Unlock()
		return false
	}
	h := b.makeTab(v, "", new(snapshot.Book))
	h.window, h.hidden, h.closing = w, true, true
	w.hides, w.hidden = false, h
	b.pages[h.Link.Session] = h
	b.mu.Unlock()
	ctx := context.Background()
	var setup []*cdp.Call
	for _, req := range storage.Setup(engine.World) {
		setup = append(setup, b.conn.Start(ctx, h.Link.Session, req))
	}
	if v.WaitingForDebugger {
		setup = append(setup, b.conn.Start(ctx, h.Link.Session, proto.RuntimeRunIfWaitingForDebugger{}))
	}
	h.Link.SetUp(setup)
	return true
}
