package browser

// Evaluation in the isolated world, where package engine runs, and in the page's own world.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// A counter returns numbers that are never repeated. It is safe for concurrent use.
type counter struct{ n atomic.Int64 }

func (c *counter) next() int64 { return c.n.Add(1) }

// A world is the engine's context in one document.
type world struct {
	id  string
	doc driver.Document // of the page, without a title

	// The following are for a frame other than the main one. The element that shows it has the
	// number key in outer. See frames.go.
	frame proto.PageFrameID
	outer *world
	key   int
}

// currentWorld waits until the current document can be queried, and returns its world.
func (p *Tab) currentWorld(ctx context.Context) (world, error) {
	var w world
	if err := p.unblocked(ctx); err != nil {
		return w, err
	}
	p.forgetNowhere()
	err := p.until(ctx, "the page has no document that can be read", func() bool {
		w = world{id: p.world, doc: driver.Document{ID: p.doc.id, URL: p.doc.url, Status: p.doc.status}}
		return w.id != ""
	})
	return w, err
}

// call starts a function of the engine in w.
func (p *Tab) call(ctx context.Context, w world, method string, arg any) *cdp.Call {
	k := p.start(ctx, engineCall(w.id, method, arg))
	k.Text = true
	return k
}

// maxAnswerChars limits the answer to an engine call; the page refuses to send a longer one. The
// limits for the results of steps are lower.
const maxAnswerChars = 32 << 20

var engineFunction = fmt.Sprintf(
	"async(m,a)=>{const s=JSON.stringify(await __action[m](a));if(s&&s.length>%d)throw new RangeError(%q);return s}",
	maxAnswerChars, eval.TooLarge)

// engineCall returns a call whose result is text: objects take the browser twice as long.
func engineCall(world, method string, arg any) eval.CallFunction {
	return eval.CallFunction{
		FunctionDeclaration: engineFunction,
		Arguments:           eval.Args(method, arg),
		UniqueContextID:     world, ReturnByValue: true, AwaitPromise: true,
	}
}

// answer waits for a call of the engine and decodes its result into out. It returns
// cdp.ErrGone if the document was replaced meanwhile.
func (p *Tab) answer(ctx context.Context, k *cdp.Call, out any) error {
	if !k.Text {
		var r eval.Evaluated
		if err := p.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.OrDecode(r.Result.Value, out)
	}
	var r eval.EvaluatedText
	err := p.hear(ctx, k, &r)
	if noText := (*json.UnmarshalTypeError)(nil); errors.As(err, &noText) {
		var r eval.Evaluated // an exception's value is an object
		if err := p.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.OrDecode(r.Result.Value, out)
	}
	if err != nil {
		return err
	}
	return r.ExceptionDetails.OrDecode([]byte(r.Result.Value), out)
}

// hear waits for the reply to an engine call and decodes it into r.
func (p *Tab) hear(ctx context.Context, k *cdp.Call, r any) error {
	if err := k.Wait(r); err != nil {
		err = p.b.explain(ctx, err)
		if !errors.Is(context.Cause(ctx), errSettled) {
			p.suspect(err)
		}
		return err
	}
	p.setStuck(false)
	return nil
}

// errSettled is the cause of calls that were cancelled because another answer came first.
var errSettled = errors.New("another answer came first")

// suspect records that a call was not answered while something waited for it.
func (p *Tab) suspect(err error) {
	if code := diag.CodeOf(err); code == diag.Timeout || code == diag.Cancelled {
		p.setStuck(true)
	}
}

// setStuck records whether the page fails to answer. Such a page occupies its process, so that
// the next document cannot start.
func (p *Tab) setStuck(stuck bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck = stuck
}

func (p *Tab) isStuck() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stuck
}

// ask calls a function of the engine in the current document, and repeats the call in the next
// one if that document is replaced meanwhile.
func (p *Tab) ask(ctx context.Context, method string, arg, out any) (world, error) {
	for {
		w, err := p.currentWorld(ctx)
		if err != nil {
			return w, err
		}
		err = p.answer(ctx, p.call(ctx, w, method, arg), out)
		if !errors.Is(err, cdp.ErrGone) {
			return w, err
		}
		if err := p.afterWorld(ctx, w); err != nil {
			return w, err
		}
	}
}

// afterWorld waits until w is no longer the current world: a call may learn of its end before the
// event arrives.
func (p *Tab) afterWorld(ctx context.Context, w world) error {
	return p.until(ctx, "the page has no document that can be read", func() bool { return !p.currentLocked(w) })
}

// info is the engine's description of a document.
type info struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Ready string `json:"ready"`
}

// Document implements [driver.Navigator].
func (p *Tab) Document(ctx context.Context) (driver.Document, error) {
	var i info
	w, err := p.ask(ctx, "info", struct{}{}, &i)
	if err != nil {
		return driver.Document{}, err
	}
	w.doc.URL, w.doc.Title = i.URL, i.Title
	return w.doc, nil
}

// Shown implements [driver.Navigator].
func (p *Tab) Shown(ctx context.Context) (driver.Document, error) {
	w, err := p.currentWorld(ctx)
	return w.doc, err
}

// documentOf describes the main-frame document of w for package snapshot.
func (p *Tab) documentOf(w world) snapshot.Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	return snapshot.Document{ID: w.doc.ID, Tab: p.id, URL: w.doc.URL, PageRev: p.rev}
}

// numberOf returns the number of w's context and whether its document still exists.
func (p *Tab) numberOf(w world) (number int, current bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	number = p.number
	if f := p.frames[w.frame]; f != nil {
		number = f.number
	}
	return number, p.currentLocked(w)
}

// mainWorld returns the unique id of the page's own context. It waits until there is one.
func (p *Tab) mainWorld(ctx context.Context) (string, error) {
	var id string
	err := p.until(ctx, "the page has no document to run a script in", func() bool {
		id = p.main
		return id != ""
	})
	return id, err
}

// currentDocument returns the page's current document.
func (p *Tab) currentDocument() driver.Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	return driver.Document{ID: p.doc.id, URL: p.doc.url, Status: p.doc.status}
}
