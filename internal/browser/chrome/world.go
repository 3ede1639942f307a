package chrome

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

// A World is the engine's context in one document.
type World struct {
	ID  string
	Doc driver.Document // of the page, without a title

	// The following are for a frame other than the main one. The element that shows it has the
	// number key in outer. See frames.go.
	frame proto.PageFrameID
	Outer *World
	Key   int
}

// CurrentWorld waits until the current document can be queried, and returns its world.
func (ws *Worlds) CurrentWorld(ctx context.Context) (World, error) {
	var w World
	if err := ws.beside(ctx); err != nil {
		return w, err
	}
	ws.step.beginStep(false) // what has ended before is not caused by this step
	err := ws.frames.Until(ctx, "the page has no document that can be read", func() bool {
		w = World{ID: ws.frames.world, Doc: driver.Document{ID: ws.frames.doc.id, URL: ws.frames.doc.url, Status: ws.frames.doc.status}}
		return w.ID != ""
	})
	return w, err
}

// Call starts a function of the engine in w.
func (ws *Worlds) Call(ctx context.Context, w World, method string, arg any) *cdp.Call {
	k := ws.frames.Start(ctx, engineCall(w.ID, method, arg))
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

// Answer waits for a call of the engine and decodes its result into out. It returns
// cdp.ErrGone if the document was replaced meanwhile.
func (ws *Worlds) Answer(ctx context.Context, k *cdp.Call, out any) error {
	if !k.Text {
		var r eval.Evaluated
		if err := ws.link.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.OrDecode(r.Result.Value, out)
	}
	var r eval.EvaluatedText
	err := ws.link.hear(ctx, k, &r)
	if noText := (*json.UnmarshalTypeError)(nil); errors.As(err, &noText) {
		var r eval.Evaluated // an exception's value is an object
		if err := ws.link.hear(ctx, k, &r); err != nil {
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
func (l *Link) hear(ctx context.Context, k *cdp.Call, r any) error {
	if err := k.Wait(r); err != nil {
		err = l.Explain(ctx, err)
		if !errors.Is(context.Cause(ctx), ErrSettled) {
			l.Suspect(err)
		}
		return err
	}
	l.setStuck(false)
	return nil
}

// ErrSettled is the cause of calls that were cancelled because another answer came first.
var ErrSettled = errors.New("another answer came first")

// Suspect records that a call was not answered while something waited for it.
func (l *Link) Suspect(err error) {
	if code := diag.CodeOf(err); code == diag.Timeout || code == diag.Cancelled {
		l.setStuck(true)
	}
}

// setStuck records whether the page fails to answer. Such a page occupies its process, so that
// the next document cannot start.
func (l *Link) setStuck(stuck bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stuck = stuck
}

func (l *Link) IsStuck() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stuck
}

// Ask calls a function of the engine in the current document, and repeats the call in the next
// one if that document is replaced meanwhile.
func (ws *Worlds) Ask(ctx context.Context, method string, arg, out any) (World, error) {
	for {
		w, err := ws.CurrentWorld(ctx)
		if err != nil {
			return w, err
		}
		err = ws.Answer(ctx, ws.Call(ctx, w, method, arg), out)
		if !errors.Is(err, cdp.ErrGone) {
			return w, err
		}
		if err := ws.frames.AfterWorld(ctx, w); err != nil {
			return w, err
		}
	}
}

// AfterWorld waits until w is no longer the current world: a call may learn of its end before the
// event arrives.
func (fs *Frames) AfterWorld(ctx context.Context, w World) error {
	return fs.Until(ctx, "the page has no document that can be read", func() bool { return !fs.currentLocked(w) })
}

// info is the engine's description of a document.
type info struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Ready string `json:"ready"`
}

// Document implements [driver.Navigator].
func (ws *Worlds) Document(ctx context.Context) (driver.Document, error) {
	var i info
	w, err := ws.Ask(ctx, "info", struct{}{}, &i)
	if err != nil {
		return driver.Document{}, err
	}
	w.Doc.URL, w.Doc.Title = i.URL, i.Title
	return w.Doc, nil
}

// Shown implements [driver.Navigator].
func (ws *Worlds) Shown(ctx context.Context) (driver.Document, error) {
	w, err := ws.CurrentWorld(ctx)
	return w.Doc, err
}

// DocumentOf describes the main-frame document of w for package snapshot.
func (fs *Frames) DocumentOf(w World) snapshot.Document {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return snapshot.Document{ID: w.Doc.ID, Tab: fs.link.tabID, URL: w.Doc.URL, PageRev: fs.rev}
}

// NumberOf returns the number of w's context and whether its document still exists.
func (fs *Frames) NumberOf(w World) (number int, current bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	number = fs.number
	if f := fs.frames[w.frame]; f != nil {
		number = f.number
	}
	return number, fs.currentLocked(w)
}

// MainWorld returns the unique id of the page's own context. It waits until there is one.
func (fs *Frames) MainWorld(ctx context.Context) (string, error) {
	var id string
	err := fs.Until(ctx, "the page has no document to run a script in", func() bool {
		id = fs.main
		return id != ""
	})
	return id, err
}

// CurrentDocument returns the page's current document.
func (fs *Frames) CurrentDocument() driver.Document {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return driver.Document{ID: fs.doc.id, URL: fs.doc.url, Status: fs.doc.status}
}

// isNavigating reports whether the page is loading another document.
func (fs *Frames) isNavigating() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.nav.pending()
}
