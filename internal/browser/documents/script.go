package documents

// Scripts of callers, in the page's own world.

import (
	"context"
	"errors"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
)

// Scripts runs scripts. It implements [driver.Scripter], except for the method Version.
type Scripts struct {
	link     *Link
	frames   *Frames
	worlds   *Worlds
	readings *eval.Cache // of compiled scripts
	without  bool        // pages run no scripts
}

// Eval implements [driver.Scripter].
func (c *Scripts) Eval(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := eval.Named(args)
	if err != nil {
		return nil, err
	}
	prog, err := c.compile(ctx, script, names)
	if err != nil {
		return nil, err
	}
	r, err := c.runMain(ctx, prog, values, false)
	if errors.Is(err, cdp.ErrGone) {
		return nil, diag.New(diag.StepFailed, "the page went to another document before the script ended").
			WithHint("let the script end before it navigates, or use the step `open` to navigate")
	}
	if err != nil {
		return nil, err
	}
	return r.Value()
}

// compile determines whether a script is an expression or a function body. It does not run the
// script. The result is cached.
func (c *Scripts) compile(ctx context.Context, script string, names []string) (eval.Program, error) {
	key := strings.Join(names, ",") + "\n" + script
	if prog, ok := c.readings.Get(key); ok {
		return prog, nil
	}
	prog, err := c.reading(ctx, script, names)
	if err == nil {
		c.readings.Add(key, prog)
	}
	return prog, err
}

// reading does the work of compile, without the cache.
func (c *Scripts) reading(ctx context.Context, script string, names []string) (eval.Program, error) {
	readings := eval.Programs(script, names)
	var calls [][]*cdp.Call
	for _, prog := range readings {
		var checks []*cdp.Call
		for _, source := range prog.Checks {
			checks = append(checks, c.frames.Start(ctx, proto.RuntimeCompileScript{Expression: source, SourceURL: eval.Name}))
		}
		calls = append(calls, checks)
	}
	var last *eval.Thrown
	for i, checks := range calls {
		last = nil
		for _, k := range checks {
			var r struct {
				ExceptionDetails *eval.Thrown `json:"exceptionDetails"`
			}
			if err := c.link.Explain(ctx, k.Wait(&r)); err != nil {
				c.link.Suspect(err)
				return eval.Program{}, err
			}
			if last == nil {
				last = r.ExceptionDetails
			}
		}
		if last == nil {
			return readings[i], nil
		}
	}
	return eval.Program{}, eval.Error(last)
}

// runMain runs prog in the page's own world. If truth is set, only the truth of the result matters.
// The error is [cdp.ErrGone] if the document was replaced before the script ended.
func (c *Scripts) runMain(ctx context.Context, prog eval.Program, values []eval.Argument, truth bool) (*eval.Evaluated, error) {
	if c.without {
		return nil, diag.New(diag.StepFailed, "no script runs in the pages of this session: it was opened without JavaScript").
			WithHint("open a session with JavaScript, or use steps that run no script")
	}
	id, err := c.frames.MainWorld(ctx)
	if err != nil {
		return nil, err
	}
	k := c.frames.Start(ctx, eval.CallFunction{
		FunctionDeclaration: prog.Invocation(truth), Arguments: values,
		UniqueContextID: id, ReturnByValue: true, AwaitPromise: true, UserGesture: true,
	})
	var r eval.Evaluated
	if err := c.link.Explain(ctx, k.Wait(&r)); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && c.answers(ctx) {
			return nil, diag.New(diag.Timeout, "the script did not end in time").Because(err).
				WithHint("check whether the script waits for a promise that never settles, or give the step more time")
		}
		c.link.Suspect(err)
		return nil, err
	}
	if r.ExceptionDetails != nil {
		return nil, eval.Error(r.ExceptionDetails)
	}
	return &r, nil
}

// answers reports whether the page still answers after the deadline of ctx.
func (c *Scripts) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ReportMargin)
	defer cancel()
	return c.frames.Start(ctx, proto.RuntimeEvaluate{Expression: "0"}).Wait(nil) == nil
}

// WaitFunction implements [driver.Scripter].
func (c *Scripts) WaitFunction(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := eval.Named(args)
	if err != nil {
		return nil, err
	}
	prog, err := c.compile(ctx, script, names)
	if err != nil {
		return nil, err
	}
	for {
		r, err := c.runMain(ctx, prog, values, true)
		if err == nil && r.Truthy() {
			return r.Value()
		}
		if err == nil || errors.Is(err, cdp.ErrGone) {
			err = c.worlds.NextFrame(ctx)
		}
		if err != nil {
			return nil, notTrue(ctx, err, script)
		}
	}
}

// notTrue returns the error of a wait for a function: TIMEOUT if the deadline of ctx has passed,
// otherwise err.
func notTrue(ctx context.Context, err error, script string) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return diag.New(diag.Timeout, "the function did not return true: %.200s", cdp.FirstLine(strings.TrimSpace(script))).
		Because(err).WithHint("check the function against the page, or give the step more time")
}

// frame is a JavaScript function. Its promise resolves when the page draws its next frame, or after
// 100 ms.
const frame = "()=>new Promise(r=>{requestAnimationFrame(()=>r());setTimeout(r,100)})"

// NextFrame waits until the current document draws its next frame. If the document is replaced
// first, NextFrame waits for the next document instead.
func (ws *Worlds) NextFrame(ctx context.Context) error {
	w, err := ws.CurrentWorld(ctx)
	if err != nil {
		return err
	}
	k := ws.frames.Start(ctx, eval.CallFunction{FunctionDeclaration: frame, UniqueContextID: w.ID, AwaitPromise: true})
	if err := ws.Answer(ctx, k, nil); err != nil {
		if errors.Is(err, cdp.ErrGone) {
			return ws.frames.AfterWorld(ctx, w)
		}
		return err
	}
	return nil
}
