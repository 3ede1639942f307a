package browser

// Closed shadow roots. The browser shows them to a debugger, which hands them to
// the engine: there they count as open ones.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// openRoots hands the closed roots of the elements with these numbers in, and
// reports whether there was one. w is of the main document. What fails is left
// closed: the page is read without it.
func (p *Page) openRoots(ctx context.Context, w world, numbers []int) bool {
	p.mu.Lock()
	number, current := p.number, p.world == w.id
	p.mu.Unlock()
	if !current {
		return false
	}
	group := "action-roots"
	hosts := make([]*call, len(numbers))
	for i, n := range numbers {
		hosts[i] = p.start(ctx, callFunction{
			FunctionDeclaration: "n=>__action.numbered(n)", Arguments: []argument{{n}}, UniqueContextID: w.id, ObjectGroup: group,
		})
	}
	defer p.start(context.WithoutCancel(ctx), proto.RuntimeReleaseObjectGroup{ObjectGroup: group})
	found := false
	for _, root := range p.closedRoots(ctx, hosts) {
		var r proto.DOMResolveNodeResult
		resolve := proto.DOMResolveNode{BackendNodeID: root, ObjectGroup: group, ExecutionContextID: proto.RuntimeExecutionContextID(number)}
		if p.start(ctx, resolve).wait(&r) != nil || r.Object == nil {
			continue
		}
		hand := proto.RuntimeCallFunctionOn{FunctionDeclaration: "function(){__action.handIn(this)}", ObjectID: r.Object.ObjectID}
		found = p.start(ctx, hand).wait(nil) == nil || found
	}
	return found
}

// closedRoots asks for the closed roots of hosts.
func (p *Page) closedRoots(ctx context.Context, hosts []*call) []proto.DOMBackendNodeID {
	var asked []*call
	for _, k := range hosts {
		var r evaluated
		if k.wait(&r) == nil && r.Result.ObjectID != "" {
			asked = append(asked, p.start(ctx, proto.DOMDescribeNode{ObjectID: proto.RuntimeRemoteObjectID(r.Result.ObjectID), Pierce: true}))
		}
	}
	var roots []proto.DOMBackendNodeID
	for _, k := range asked {
		var r proto.DOMDescribeNodeResult
		if k.wait(&r) != nil || r.Node == nil {
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
