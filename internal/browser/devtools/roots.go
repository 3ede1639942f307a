package devtools

// Closed shadow roots. Only a debugger can see them. This file passes them to the engine, which
// from then on reads them like open ones.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
)

// OpenRoots passes the closed shadow roots of the elements with these numbers in w to the engine,
// and reports whether there were any. It leaves out roots that cannot be passed.
func OpenRoots(ctx context.Context, p *chrome.Tab, w documents.World, numbers []int) bool {
	number, current := p.Frames.NumberOf(w)
	if !current {
		return false
	}
	group, session := "action-roots", p.Frames.SessionOf(w.ID)
	hosts := make([]*cdp.Call, len(numbers))
	for i, n := range numbers {
		hosts[i] = p.Frames.Start(ctx, eval.CallFunction{
			FunctionDeclaration: "n=>__action.numbered(n)", Arguments: eval.Args(n), UniqueContextID: w.ID, ObjectGroup: group,
		})
	}
	defer p.Link.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObjectGroup{ObjectGroup: group})
	found := false
	for _, root := range closedRoots(ctx, p, session, hosts) {
		var r proto.DOMResolveNodeResult
		resolve := proto.DOMResolveNode{BackendNodeID: root, ObjectGroup: group, ExecutionContextID: proto.RuntimeExecutionContextID(number)}
		if p.Link.StartIn(ctx, session, resolve).Wait(&r) != nil || r.Object == nil {
			continue
		}
		hand := proto.RuntimeCallFunctionOn{FunctionDeclaration: "function(){__action.handIn(this)}", ObjectID: r.Object.ObjectID}
		found = p.Link.StartIn(ctx, session, hand).Wait(nil) == nil || found
	}
	return found
}

// closedRoots returns the closed shadow roots of elements. The calls in hosts return these
// elements.
func closedRoots(ctx context.Context, p *chrome.Tab, session string, hosts []*cdp.Call) []proto.DOMBackendNodeID {
	var asked []*cdp.Call
	for _, k := range hosts {
		var r eval.Evaluated
		if k.Wait(&r) == nil && r.Result.ObjectID != "" {
			asked = append(asked, p.Link.StartIn(ctx, session, proto.DOMDescribeNode{ObjectID: proto.RuntimeRemoteObjectID(r.Result.ObjectID), Pierce: true}))
		}
	}
	var roots []proto.DOMBackendNodeID
	for _, k := range asked {
		var r proto.DOMDescribeNodeResult
		if k.Wait(&r) != nil || r.Node == nil {
			continue
		}
		for _, root := range r.Node.ShadowRoots {
			if root.ShadowRootType == proto.DOMShadowRootTypeClosed {
				roots = append(roots, root.BackendNodeID)
			}
		}
	}
	return roots
}
