package browser

// The hidden tab in which storage is read and written: see storage.go.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/snapshot"
)

// hiddenTab opens a tab in w that does not belong to the session. It must be closed.
func (b *Browser) hiddenTab(ctx context.Context, w *window) (*Tab, error) {
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
	h := w.hidden
	w.hidden = nil
	b.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case h == nil:
		return nil, unavailable("the hidden tab was closed at once").WithHint("run the step again")
	}
	if err := h.ready(ctx); err != nil {
		_ = b.closeTab(ctx, h) // what failed first is told
		return nil, err
	}
	return h, nil
}

// hide takes a target that is the requested hidden tab, and reports whether it was. It runs
// in the goroutine that reads replies.
func (b *Browser) hide(v *proto.TargetAttachedToTarget) bool {
	b.mu.Lock()
	w := b.windowOfLocked(v.TargetInfo.BrowserContextID)
	if w == nil || !w.hides || b.tabOfLocked(v.TargetInfo.OpenerID) != nil {
		b.mu.Unlock()
		return false
	}
	h := &Tab{
		b: b, session: string(v.SessionID), frame: proto.PageFrameID(v.TargetInfo.TargetID), refs: new(snapshot.Book), window: w,
		frames: make(map[proto.PageFrameID]*subframe), contexts: make(map[string]string),
		left: make(chan struct{}), after: make(chan struct{}), hidden: true, closing: true,
	}
	h.net.Init()
	h.sent.Init(b.conn, &h.net)
	h.timers.Init(&b.timers, b.conn, h.session, h.frame, h.left)
	w.hides, w.hidden = false, h
	b.pages[h.session] = h
	b.mu.Unlock()
	ctx := context.Background()
	var setup []*cdp.Call
	for _, req := range []proto.Request{
		proto.PageEnable{},
		proto.PageSetLifecycleEventsEnabled{Enabled: true},
		proto.NetworkEnable{},
		proto.NetworkSetBypassServiceWorker{Bypass: true},
		proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*"}}},
		proto.RuntimeEnable{},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: engine.Source(), WorldName: worldName, RunImmediately: true},
	} {
		setup = append(setup, b.conn.Start(ctx, h.session, req))
	}
	if v.WaitingForDebugger {
		setup = append(setup, b.conn.Start(ctx, h.session, proto.RuntimeRunIfWaitingForDebugger{}))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.setup = setup
	h.notifyLocked()
	return true
}

// fulfil answers a request of a hidden tab: with an empty document, or with a failure.
func (p *Tab) fulfil(e *cdp.Event) {
	var v proto.FetchRequestPaused
	if !cdp.Decode(e, &v) {
		return
	}
	var answer proto.Request = proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: proto.NetworkErrorReasonBlockedByClient}
	if v.ResourceType == proto.NetworkResourceTypeDocument {
		answer = proto.FetchFulfillRequest{
			RequestID: v.RequestID, ResponseCode: 200, Body: []byte("<!doctype html>"),
			ResponseHeaders: []*proto.FetchHeaderEntry{{Name: "Content-Type", Value: "text/html"}, {Name: "Cache-Control", Value: "no-store"}},
		}
	}
	p.b.conn.Start(context.Background(), p.session, answer)
}
