package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/eval"
)

// Eval implements [driver.Scripter].
func (p *scripter) Eval(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := eval.Named(args)
	if err != nil {
		return nil, err
	}
	prog, err := p.compile(ctx, script, names)
	if err != nil {
		return nil, err
	}
	r, err := p.runMain(ctx, prog, values, false)
	if errors.Is(err, cdp.ErrGone) {
		return nil, diag.New(diag.StepFailed, "the page went to another document before the script ended").
			WithHint("let the script end before it navigates, or navigate with the step open")
	}
	if err != nil {
		return nil, err
	}
	return r.Value()
}

// compile finds the interpretation of a script that parses. Nothing is run.
func (p *scripter) compile(ctx context.Context, script string, names []string) (eval.Program, error) {
	key := strings.Join(names, ",") + "\n" + script
	if prog, ok := p.Readings().Get(key); ok {
		return prog, nil
	}
	prog, err := p.reading(ctx, script, names)
	if err == nil {
		p.Readings().Add(key, prog)
	}
	return prog, err
}

func (p *scripter) reading(ctx context.Context, script string, names []string) (eval.Program, error) {
	readings := eval.Programs(script, names)
	var calls [][]*cdp.Call
	for _, prog := range readings {
		var checks []*cdp.Call
		for _, source := range prog.Checks {
			checks = append(checks, p.Frames.Start(ctx, proto.RuntimeCompileScript{Expression: source, SourceURL: eval.Name}))
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
			if err := p.Link.Explain(ctx, k.Wait(&r)); err != nil {
				p.Link.Suspect(err)
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

// runMain calls prog in the page's own world. cdp.ErrGone means that the
// document was replaced before it ended.
func (p *scripter) runMain(ctx context.Context, prog eval.Program, values []eval.Argument, truth bool) (*eval.Evaluated, error) {
	if p.Options().NoJavaScript {
		return nil, diag.New(diag.StepFailed, "no script runs in the pages of this session: it was opened without JavaScript").
			WithHint("use steps that read and act, or a session with JavaScript")
	}
	id, err := p.Frames.MainWorld(ctx)
	if err != nil {
		return nil, err
	}
	k := p.Frames.Start(ctx, eval.CallFunction{
		FunctionDeclaration: prog.Invocation(truth), Arguments: values,
		UniqueContextID: id, ReturnByValue: true, AwaitPromise: true, UserGesture: true,
	})
	var r eval.Evaluated
	if err := p.Link.Explain(ctx, k.Wait(&r)); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && p.answers(ctx) {
			return nil, diag.New(diag.Timeout, "the script did not end in time").Because(err).
				WithHint("let it end (it may wait for a promise that never settles), or give the step more time")
		}
		p.Link.Suspect(err)
		return nil, err
	}
	if r.ExceptionDetails != nil {
		return nil, eval.Error(r.ExceptionDetails)
	}
	return &r, nil
}

// answers reports whether the page answers at all, although the time of ctx is up.
func (p *scripter) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), documents.ReportMargin)
	defer cancel()
	return p.Frames.Start(ctx, proto.RuntimeEvaluate{Expression: "0"}).Wait(nil) == nil
}

// WaitFunction implements [driver.Scripter].
func (p *scripter) WaitFunction(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := eval.Named(args)
	if err != nil {
		return nil, err
	}
	prog, err := p.compile(ctx, script, names)
	if err != nil {
		return nil, err
	}
	for {
		r, err := p.runMain(ctx, prog, values, true)
		if err == nil && r.Truthy() {
			return r.Value()
		}
		if err == nil || errors.Is(err, cdp.ErrGone) {
			err = p.finder.nextFrame(ctx)
		}
		if err != nil {
			return nil, notTrue(ctx, err, script)
		}
	}
}

// notTrue is the error of a wait for a function whose time is up.
func notTrue(ctx context.Context, err error, script string) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return diag.New(diag.Timeout, "the function did not return true: %.200s", cdp.FirstLine(strings.TrimSpace(script))).
		Because(err).WithHint("check the function against the page, or give the step more time")
}

// frame resolves at the next frame, or soon if none are drawn.
const frame = "()=>new Promise(r=>{requestAnimationFrame(()=>r());setTimeout(r,100)})"

// nextFrame waits for the next frame of the current document, or for the next
// document.
func (p *finder) nextFrame(ctx context.Context) error {
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		return err
	}
	k := p.Frames.Start(ctx, eval.CallFunction{FunctionDeclaration: frame, UniqueContextID: w.ID, AwaitPromise: true})
	if err := p.Answer(ctx, k, nil); err != nil {
		if errors.Is(err, cdp.ErrGone) {
			return p.Frames.AfterWorld(ctx, w)
		}
		return err
	}
	return nil
}
