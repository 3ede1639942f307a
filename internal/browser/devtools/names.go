// Package devtools passes to the page engine what only a debugger can see of a document: the roles
// and names of the browser's accessibility tree, and closed shadow roots.
//
// Roles and names are needed in a browser that we did not start. There the engine cannot query the
// browser's names from the page, so it computes names itself and requests those that are in doubt.
package devtools

import (
	"context"
	"strconv"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
)

// namesGroup is the object group of the elements that are being queried.
const namesGroup = "action-names"

// wantAX requests the node of one element in the accessibility tree. rod's type would omit
// FetchRelatives if it is false, and the browser's default is true.
type wantAX struct {
	ObjectID       proto.RuntimeRemoteObjectID `json:"objectId"`
	FetchRelatives bool                        `json:"fetchRelatives"`
}

func (wantAX) ProtoReq() string { return "Accessibility.getPartialAXTree" }

// gotAX is the answer to a wantAX.
type gotAX struct {
	Nodes []struct {
		Ignored bool    `json:"ignored"`
		Role    axValue `json:"role"`
		Name    axValue `json:"name"`
	} `json:"nodes"`
}

// An axValue is a role or a name. For a name, it lists the sources that the name could be taken
// from.
type axValue struct {
	Value   any        `json:"value"`
	Sources []axSource `json:"sources"`
}

// An axSource is a source that a name could be taken from.
type axSource struct {
	Type  string   `json:"type"`
	Value *axValue `json:"value"`
}

// text returns the value. If the value is empty because the name comes from a label without text,
// it returns the first text of the sources after that label.
func (v axValue) text() string {
	s, _ := v.Value.(string)
	blank := false
	for _, from := range v.Sources {
		if s != "" || from.Value == nil {
			continue
		}
		text, _ := from.Value.Value.(string)
		blank = blank || text == "" && from.Type == "relatedElement"
		if blank {
			s = text
		}
	}
	return s
}

// SendNames sends the roles and names of the elements with these numbers to the engine in w. It
// leaves out the role and name of an element that cannot be queried.
func SendNames(ctx context.Context, p *chrome.Tab, w documents.World, numbers []int) {
	session := p.Frames.SessionOf(w.ID)
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, documents.AnswerGrace)
	defer cancel()
	defer p.Link.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObjectGroup{ObjectGroup: namesGroup})
	asked := make([]*cdp.Call, len(numbers))
	for i, object := range numbered(ctx, p, w, numbers) {
		if object != "" {
			asked[i] = p.Link.StartIn(ctx, session, wantAX{ObjectID: object})
		}
	}
	answers := make([][3]any, len(numbers)) // number, role, name
	for i, k := range asked {
		answers[i][0] = numbers[i]
		var got gotAX
		if k == nil || k.Wait(&got) != nil || len(got.Nodes) == 0 {
			continue
		}
		n := &got.Nodes[0]
		answers[i][1], answers[i][2] = n.Role.text(), n.Name.text()
		if n.Ignored {
			answers[i][1], answers[i][2] = "none", ""
		}
	}
	p.Call(outer, w, "tell", answers) // the page handles this before later calls
}

// numbered returns the object ids of the elements with these numbers in w. The id of an element
// that is gone is "".
func numbered(ctx context.Context, p *chrome.Tab, w documents.World, numbers []int) []proto.RuntimeRemoteObjectID {
	objects := make([]proto.RuntimeRemoteObjectID, len(numbers))
	var list eval.Evaluated
	err := p.Frames.Start(ctx, eval.CallFunction{
		FunctionDeclaration: "list=>list.map(n=>__action.numbered(n))", Arguments: eval.Args(numbers),
		UniqueContextID: w.ID, ObjectGroup: namesGroup,
	}).Wait(&list)
	if err != nil || list.Result.ObjectID == "" {
		return objects
	}
	var got proto.RuntimeGetPropertiesResult
	of := proto.RuntimeGetProperties{ObjectID: proto.RuntimeRemoteObjectID(list.Result.ObjectID), OwnProperties: true}
	if p.Link.StartIn(ctx, p.Frames.SessionOf(w.ID), of).Wait(&got) != nil {
		return objects
	}
	for _, property := range got.Result {
		i, err := strconv.Atoi(property.Name)
		if err == nil && i < len(objects) && property.Value != nil {
			objects[i] = property.Value.ObjectID
		}
	}
	return objects
}
