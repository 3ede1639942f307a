package chrome

// The hidden tab in which storage is read and set: see package storage.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
)

// hiddenTab is a tab that does not belong to the session. Package storage uses it.
type hiddenTab struct{ storageTab }

func (h hiddenTab) Open(ctx context.Context, address string) error {
	_, err := h.p.Open(ctx, address, driver.Load)
	return err
}

// Do sends a call even while a dialog is open in another tab, unlike the method Do of [storageTab].
func (h hiddenTab) Do(ctx context.Context, req proto.Request, out any) error {
	return h.p.host.explain(ctx, h.p.host.conn.Do(ctx, h.p.Link.Session, req, out))
}

func (h hiddenTab) Close(ctx context.Context) { _ = h.p.b.tabs.closeTab(ctx, h.p) }

// hiddenTab opens a tab in w that does not belong to the session. The caller must close it.
func (ts *tabs) hiddenTab(ctx context.Context, w *window) (hiddenTab, error) {
	ts.roster.mu.Lock()
	w.hides = true
	w.asked++
	ts.roster.mu.Unlock()
	var target proto.TargetCreateTargetResult
	create := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: w.contextToAsk(), Background: true}
	err := ts.host.do(ctx, create, &target)
	if err == nil && ts.host.endpoint != nil {
		err = ts.host.do(ctx, proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}, nil)
	}
	ts.roster.mu.Lock()
	w.hides = false
	w.asked--
	p := w.hidden
	w.hidden = nil
	ts.roster.mu.Unlock()
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
