package browser

// Names and roles in a browser where the page side cannot query them, because we have not
// started it. The engine then computes them itself, and reports the elements for which it
// requires the browser's answer; these are queried here, all concurrently.

import (
	"context"
	"strconv"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
)

const (
	// mostRounds is how often in a row the engine may request names. For what is still
	// unknown then, its own result counts.
	mostRounds = 5
	// newRow is how long a query has waited in the page when the ones before no longer
	// count.
	newRow = 500 * time.Millisecond
)

// namesGroup holds the elements being queried.
const namesGroup = "action-names"

// A wantAX requests the node of one element in the accessibility tree. rod's type omits a
// false, which means true.
type wantAX struct {
	ObjectID       proto.RuntimeRemoteObjectID `json:"objectId"`
	FetchRelatives bool                        `json:"fetchRelatives"`
}

func (wantAX) ProtoReq() string { return "Accessibility.getPartialAXTree" }

// A gotAX is the answer.
type gotAX struct {
	Nodes []struct {
		Ignored bool    `json:"ignored"`
		Role    axValue `json:"role"`
		Name    axValue `json:"name"`
	} `json:"nodes"`
}

type axValue struct {
	Value   any        `json:"value"`
	Sources []axSource `json:"sources"`
}

// An axSource is a source that a name could be taken from.
type axSource struct {
	Type  string   `json:"type"`
	Value *axValue `json:"value"`
}

// text is the value, or the first that its sources have where the name is taken from a
// label without text: the browser takes that itself where it is not asked for sources.
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

// sure repeats look while the engine requires names of w for it; a waiting query does so
// until the time is up. look passes to the engine by asks whether it may request names, and
// by kept whether the browser keeps the tree from which it takes names in the page: it does
// from the first doubtful one on.
func (p *finder) sure(ctx context.Context, w documents.World, end time.Time, look func(asks, kept bool) (*acted, error)) (*acted, error) {
	kept := p.Frames.KeepsAX(w)
	for round := 1; ; round++ {
		began := time.Now()
		r, err := look(round <= mostRounds, kept)
		if err != nil || r.Reason != "names" && r.Reason != "tree" {
			return r, err
		}
		p.KeepAX(ctx, w)
		kept = true
		if r.Reason == "tree" {
			continue
		}
		if time.Since(began) > newRow && time.Now().Before(end) {
			round = 0
		}
		p.tellNames(ctx, w, r.Unsure)
	}
}

// tellNames passes to the engine in w the browser's answer for the elements with these
// numbers. A failure is passed on as unknown: the next query meets the same failure, or
// does without.
func (p *finder) tellNames(ctx context.Context, w documents.World, numbers []int) {
	session := p.Frames.SessionOf(w.ID)
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, documents.AnswerGrace)
	defer cancel()
	defer p.Link.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObjectGroup{ObjectGroup: namesGroup})
	asked := make([]*cdp.Call, len(numbers))
	for i, object := range p.numbered(ctx, w, numbers) {
		if object != "" {
			asked[i] = p.Link.StartIn(ctx, session, wantAX{ObjectID: object})
		}
	}
	told := make([][3]any, len(numbers)) // number, role, name
	for i, k := range asked {
		told[i][0] = numbers[i]
		var got gotAX
		if k == nil || k.Wait(&got) != nil || len(got.Nodes) == 0 {
			continue
		}
		n := &got.Nodes[0]
		told[i][1], told[i][2] = n.Role.text(), n.Name.text()
		if n.Ignored {
			told[i][1], told[i][2] = "none", ""
		}
	}
	p.Call(outer, w, "tell", told) // it is done before what is sent after it
}

// numbered returns the objects of the elements of w with these numbers, "" for one that is
// gone.
func (p *finder) numbered(ctx context.Context, w documents.World, numbers []int) []proto.RuntimeRemoteObjectID {
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
