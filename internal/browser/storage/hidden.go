package storage

import (
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
)

// Setup are the calls for a new, paused hidden tab, after which it may run. world is the name of
// our isolated world. Its requests are paused from then on: see [Answer].
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

// Answer answers a paused request of a hidden tab: one for a document with an empty one, any other
// with a failure. It is nil for an event that is none of a paused request.
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
