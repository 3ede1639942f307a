package browser

// Evaluation in the isolated world, where package engine runs, and in the page's own.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
)

// A counter returns numbers that are never repeated. It is safe for concurrent use.
type counter struct{ n atomic.Int64 }

func (c *counter) next() int64 { return c.n.Add(1) }

// callFunction is Runtime.callFunctionOn with what is used of it. The unique id
// of a context, unlike its number, is never that of another document.
type callFunction struct {
	FunctionDeclaration string     `json:"functionDeclaration"`
	Arguments           []argument `json:"arguments,omitempty"`
	UniqueContextID     string     `json:"uniqueContextId"`
	ReturnByValue       bool       `json:"returnByValue"`
	AwaitPromise        bool       `json:"awaitPromise"`
	UserGesture         bool       `json:"userGesture,omitempty"`
	ObjectGroup         string     `json:"objectGroup,omitempty"`
}

func (callFunction) ProtoReq() string { return "Runtime.callFunctionOn" }

type argument struct {
	Value any `json:"value"`
}

// evaluated is the answer to it.
type evaluated struct {
	Result struct {
		ObjectID            string          `json:"objectId"`
		Type                string          `json:"type"`
		Value               json.RawMessage `json:"value"`
		UnserializableValue string          `json:"unserializableValue"`
		Description         string          `json:"description"`
	} `json:"result"`
	ExceptionDetails *thrown `json:"exceptionDetails"`
}

// evaluatedText is evaluated for values that are known to be text.
type evaluatedText struct {
	Result struct {
		Value string `json:"value"`
	} `json:"result"`
	ExceptionDetails *thrown `json:"exceptionDetails"`
}

// thrown is an exception of a script. Line and Column count from 0.
type thrown struct {
	Text      string `json:"text"`
	Line      int    `json:"lineNumber"`
	Column    int    `json:"columnNumber"`
	Exception struct {
		Description string          `json:"description"`
		Value       json.RawMessage `json:"value"`
	} `json:"exception"`
}

// A world is the engine's context in one document.
type world struct {
	id  string
	doc driver.Document // of the page, without a title

	// For a frame other than the main one: the element that shows it has the number key in
	// outer. See frames.go.
	frame proto.PageFrameID
	outer *world
	key   int
}

// world waits until the current document can be queried.
func (p *Page) currentWorld(ctx context.Context) (world, error) {
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
func (p *Page) call(ctx context.Context, w world, method string, arg any) *cdp.Call {
	k := p.start(ctx, engineCall(w.id, method, arg))
	k.Text = true
	return k
}

// maxAnswerChars bounds the answer of a call of the engine; the page refuses to send a
// longer one. What a step returns is bounded more tightly.
const maxAnswerChars = 32 << 20

// tooLarge is the message of the page's refusal.
const tooLarge = "action:value-too-large"

var engineFunction = fmt.Sprintf(
	"async(m,a)=>{const s=JSON.stringify(await __action[m](a));if(s&&s.length>%d)throw new RangeError(%q);return s}",
	maxAnswerChars, tooLarge)

// engineCall has its result as text: objects take the browser twice as long.
func engineCall(world, method string, arg any) callFunction {
	return callFunction{
		FunctionDeclaration: engineFunction,
		Arguments:           []argument{{method}, {arg}},
		UniqueContextID:     world, ReturnByValue: true, AwaitPromise: true,
	}
}

// answer waits for a call of the engine and decodes its result into out. It returns
// cdp.ErrGone if the document was replaced meanwhile.
func (p *Page) answer(ctx context.Context, k *cdp.Call, out any) error {
	if !k.Text {
		var r evaluated
		if err := p.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.orDecode(r.Result.Value, out)
	}
	var r evaluatedText
	err := p.hear(ctx, k, &r)
	if noText := (*json.UnmarshalTypeError)(nil); errors.As(err, &noText) {
		var r evaluated // the value of an exception is an object
		if err := p.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.orDecode(r.Result.Value, out)
	}
	if err != nil {
		return err
	}
	return r.ExceptionDetails.orDecode([]byte(r.Result.Value), out)
}

// hear waits for the reply to a call of the engine and decodes it into r.
func (p *Page) hear(ctx context.Context, k *cdp.Call, r any) error {
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

// orDecode decodes the result of a function, unless it has thrown t.
func (t *thrown) orDecode(value []byte, out any) error {
	if err := t.tooLarge(); err != nil {
		return err
	}
	if t != nil {
		return diag.New(diag.Internal, "reading the page failed: %s", t.message()).
			WithHint("this is a fault of ours: please report it with the page")
	}
	if out == nil || len(value) == 0 {
		return nil
	}
	return decodeValue(value, out)
}

// errSettled is the cause of cancelled calls whose answer nobody needs any more: another
// one came first.
var errSettled = errors.New("another answer came first")

// suspect records that a call was not answered while somebody waited for it.
func (p *Page) suspect(err error) {
	if code := diag.CodeOf(err); code == diag.Timeout || code == diag.Cancelled {
		p.setStuck(true)
	}
}

// setStuck records whether the page answers: one that does not keeps its process, and with
// it the next document, from starting.
func (p *Page) setStuck(stuck bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck = stuck
}

func (p *Page) isStuck() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stuck
}

// tooLarge is the error of a value that the page has refused to send, or nil.
func (t *thrown) tooLarge() error {
	if t == nil || !strings.Contains(t.message(), tooLarge) {
		return nil
	}
	return diag.New(diag.LimitExceeded, "the page's value is too large: more than %d bytes", expr.MaxValueBytes).
		WithHint("read less at a time: narrow the selector, set a limit, or return only what is needed")
}

func (t *thrown) message() string {
	switch {
	case t.Exception.Description != "":
		return cdp.FirstLine(t.Exception.Description)
	case len(t.Exception.Value) > 0:
		return string(t.Exception.Value)
	}
	return t.Text
}

// look calls a function of the engine in the current document, and in the next one if that
// is replaced meanwhile.
func (p *Page) look(ctx context.Context, method string, arg, out any) (world, error) {
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

// afterWorld waits until w is no longer the current world, or has just been replaced: a
// call may learn of its end before the event arrives.
func (p *Page) afterWorld(ctx context.Context, w world) error {
	return p.until(ctx, "the page has no document that can be read", func() bool { return !p.currentLocked(w) })
}

// info is the engine's description of a document.
type info struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Ready string `json:"ready"`
}

// Document implements [driver.Navigator].
func (p *Page) Document(ctx context.Context) (driver.Document, error) {
	var i info
	w, err := p.look(ctx, "info", struct{}{}, &i)
	if err != nil {
		return driver.Document{}, err
	}
	w.doc.URL, w.doc.Title = i.URL, i.Title
	return w.doc, nil
}

// Shown implements [driver.Navigator].
func (p *Page) Shown(ctx context.Context) (driver.Document, error) {
	w, err := p.currentWorld(ctx)
	return w.doc, err
}
