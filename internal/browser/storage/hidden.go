package storage

import (
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
)

// Setup returns the calls that set up a new hidden tab. They must be made before the tab runs. The
// tab then pauses all its requests, which the caller answers with [Answer]. world is the name of
// our isolated world.
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

// Answer returns the call that answers a paused request of a hidden tab. A document request
// receives an empty document. All other requests fail. Answer returns nil if e cannot be decoded.
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
