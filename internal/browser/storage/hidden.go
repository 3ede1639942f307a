package storage

import (
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
)

// Setup returns the calls for a new, paused hidden tab; the tab may run after them. world is the
// name of our isolated world. From then on the tab's requests are paused: see [Answer].
func Setup(world string) []proto.Request {
	return []proto.Request{
		proto.PageEnable{},
		proto.PageSetLifecycleEventsEnabled{Enabled: true},
		proto.NetworkEnable{},
		proto.NetworkSetBypassServiceWorker{Bypass: true},
		proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*"}}},
		proto.RuntimeEnable{},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: engine.Source(), WorldName: world, RunImmediately: true},
	}
}

// Answer returns the answer to a paused request of a hidden tab: an empty document for a
// document, a failure for anything else. It is nil if e cannot be decoded.
func Answer(e *cdp.Event) proto.Request {
	var v proto.FetchRequestPaused
	if !cdp.Decode(e, &v) {
		return nil
	}
	if v.ResourceType != proto.NetworkResourceTypeDocument {
		return proto.FetchFailRequest{RequestID: v.RequestID, ErrorReason: proto.NetworkErrorReasonBlockedByClient}
	}
	return proto.FetchFulfillRequest{
		RequestID: v.RequestID, ResponseCode: 200, Body: []byte("<!doctype html>"),
		ResponseHeaders: []*proto.FetchHeaderEntry{{Name: "Content-Type", Value: "text/html"}, {Name: "Cache-Control", Value: "no-store"}},
	}
}
