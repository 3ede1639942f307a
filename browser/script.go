package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/go-rod/rod/lib/proto"
	lru "github.com/hashicorp/golang-lru/v2"

	"actionregistry/diag"
	"actionregistry/expr"
)

// scriptName is what a script of ours is called in its errors, so that its lines
// can be told from those of the page.
const scriptName = "action-script"

// A program is a script as a function: the names of its args are its
// parameters, so a value never becomes a part of the source.
type program struct {
	function string
	// checks are sources that parse only when the script is what function takes
	// it for: a script may not close the brackets around it and open others.
	checks []string
}

// linesBefore is how many lines stand in front of the script in a function.
const linesBefore = 1

// programs returns the readings of a script, the preferred one first: as an
// expression, as the body of an async function. A line break before what closes
// it ends a comment at its end.
func programs(script string, names []string) []program {
	params := "(" + strings.Join(names, ", ") + ")"
	expression := "async " + params + " => (\n" + script + "\n)"
	body := "async " + params + " => {\n" + script + "\n}"
	return []program{
		{expression, []string{"(" + expression + ")", "(async " + params + " => [\n" + script + "\n])"}},
		{body, []string{"(" + body + ")", "(class { async m" + params + " {\n" + script + "\n} })"}},
	}
}

// invocation makes the function to call of a program. What the browser evaluates
// for us is exempt from the page's policy, so the script itself runs in a task
// of its own: there the policy holds for what it evaluates in turn.
func (prog program) invocation() string {
	return "(f => (...a) => new Promise((done, fail) => setTimeout(() => f(...a).then(" + fitting + ").then(done, fail))))(" +
		prog.function + ")\n//# sourceURL=" + scriptName + "\n"
}

// fitting is a function that refuses a value too large to be sent, on one line: the lines
// behind it are counted. It calls no getters, and leaves what is nested deeply to the
// browser, which refuses that. A page that has replaced Object's functions can lift the
// bound; the bound of a message holds then.
var fitting = strings.Join(strings.Fields(fmt.Sprintf(`(v => {
	let left = %d, deep = false;
	const visit = (x, level) => {
		left -= typeof x === 'string' ? x.length : 6;
		if (left < 0 || deep || !x || typeof x !== 'object') return;
		if (level > 500) { deep = true; return; }
		if (ArrayBuffer.isView(x)) { left -= 2 * x.byteLength; return; }
		if (Array.isArray(x)) {
			left -= 2 * x.length;
			for (let i = 0; i < x.length && left >= 0 && !deep; i++) visit(x[i], level + 1);
			return;
		}
		for (const k of Object.keys(x)) {
			left -= k.length + 4;
			const d = left < 0 || deep ? null : Object.getOwnPropertyDescriptor(x, k);
			if (d && 'value' in d) visit(d.value, level + 1);
		}
	};
	try { visit(v, 0); } catch {}
	if (left < 0 && !deep) throw new RangeError(%q);
	return v;
})`, expr.MaxValueBytes, tooLarge)), " ")

// Eval implements [steps.Scripter].
func (p *Page) Eval(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := scriptArgs(args)
	if err != nil {
		return nil, err
	}
	prog, err := p.compile(ctx, script, names)
	if err != nil {
		return nil, err
	}
	r, err := p.runMain(ctx, prog, values)
	if errors.Is(err, errWorldGone) {
		return nil, diag.New(diag.StepFailed, "the page went to another document before the script ended").
			WithHint("let the script end before it navigates, or use open")
	}
	if err != nil {
		return nil, err
	}
	return r.value()
}

func scriptArgs(args map[string]any) ([]string, []argument, error) {
	names := make([]string, 0, len(args))
	for name := range args {
		if !isIdentifier(name) {
			return nil, nil, diag.New(diag.ParamInvalid, "the arg %q cannot be a variable of a script", name).
				WithHint("use letters, digits and _ in the names of args")
		}
		names = append(names, name)
	}
	sort.Strings(names)
	values := make([]argument, len(names))
	for i, name := range names {
		data, err := json.Marshal(args[name])
		if err != nil {
			return nil, nil, diag.New(diag.ParamInvalid, "the arg %q is no JSON value: %v", name, err).
				WithHint("give text, numbers, booleans, lists and maps")
		}
		values[i] = argument{json.RawMessage(data)}
	}
	return names, values, nil
}

func isIdentifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// Scripts whose reading is remembered: it depends on nothing but their text.
const (
	maxReadings   = 100
	maxRemembered = 16 << 10 // bytes of one
)

// compile finds the reading of a script that parses. Nothing is run.
func (p *Page) compile(ctx context.Context, script string, names []string) (program, error) {
	key := strings.Join(names, ",") + "\n" + script
	known := p.b.readings.cache()
	if prog, ok := known.Get(key); ok {
		return prog, nil
	}
	prog, err := p.reading(ctx, script, names)
	if err == nil && len(key) <= maxRemembered {
		known.Add(key, prog)
	}
	return prog, err
}

// readings are made when a script is first run.
type readings struct {
	once sync.Once
	lru  *lru.Cache[string, program]
}

func (r *readings) cache() *lru.Cache[string, program] {
	r.once.Do(func() { r.lru, _ = lru.New[string, program](maxReadings) }) // fails for sizes below 1 only
	return r.lru
}

func (p *Page) reading(ctx context.Context, script string, names []string) (program, error) {
	readings := programs(script, names)
	var calls [][]*call
	for _, prog := range readings {
		var checks []*call
		for _, source := range prog.checks {
			checks = append(checks, p.start(ctx, proto.RuntimeCompileScript{Expression: source, SourceURL: scriptName}))
		}
		calls = append(calls, checks)
	}
	var last *thrown
	for i, checks := range calls {
		last = nil
		for _, k := range checks {
			var r struct {
				ExceptionDetails *thrown `json:"exceptionDetails"`
			}
			if err := p.b.explain(ctx, k.wait(&r)); err != nil {
				p.suspect(err)
				return program{}, err
			}
			if last == nil {
				last = r.ExceptionDetails
			}
		}
		if last == nil {
			return readings[i], nil
		}
	}
	return program{}, scriptError(last)
}

// runMain calls prog in the page's own world. errWorldGone means that the
// document was replaced before it ended.
func (p *Page) runMain(ctx context.Context, prog program, values []argument) (*evaluated, error) {
	if p.b.opts.NoJavaScript {
		return nil, diag.New(diag.StepFailed, "no script runs in the pages of this session: it was opened without JavaScript").
			WithHint("use steps that read and act, or a session with JavaScript")
	}
	id, err := p.mainWorld(ctx)
	if err != nil {
		return nil, err
	}
	k := p.start(ctx, callFunction{
		FunctionDeclaration: prog.invocation(), Arguments: values,
		UniqueContextID: id, ReturnByValue: true, AwaitPromise: true, UserGesture: true,
	})
	var r evaluated
	if err := p.b.explain(ctx, k.wait(&r)); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && p.answers(ctx) {
			return nil, diag.New(diag.Timeout, "the script did not end in time").Because(err).
				WithHint("let it end (it may wait for a promise that never settles), or give the step more time")
		}
		p.suspect(err)
		return nil, err
	}
	if r.ExceptionDetails != nil {
		return nil, scriptError(r.ExceptionDetails)
	}
	return &r, nil
}

// answers reports whether the page answers at all, although the time of ctx is up.
func (p *Page) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportMargin)
	defer cancel()
	return p.start(ctx, proto.RuntimeEvaluate{Expression: "0"}).wait(nil) == nil
}

func (p *Page) mainWorld(ctx context.Context) (string, error) {
	var id string
	err := p.until(ctx, "the page has no document to run a script in", func() bool {
		id = p.main
		return id != ""
	})
	return id, err
}

// value returns the result as plain data. What JSON cannot say is told in the
// way JavaScript writes it; undefined is nil.
func (r *evaluated) value() (any, error) {
	if r.Result.UnserializableValue != "" {
		return r.Result.UnserializableValue, nil
	}
	return plain(r.Result.Value)
}

// scriptError tells what a script threw, and where in it.
func scriptError(t *thrown) error {
	if err := t.tooLarge(); err != nil {
		return err
	}
	e := diag.New(diag.StepFailed, "the script failed: %s", strings.TrimPrefix(t.message(), "Uncaught "))
	e.WithHint("correct the script")
	if line, column, ok := t.place(); ok {
		e.Msg += fmt.Sprintf(" (line %d, column %d of the script)", line, column)
		e.WithDetail("line", line).WithDetail("column", column)
	}
	return e
}

// framePlace finds the places of a stack that are in a script of ours.
var framePlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(scriptName + `:(\d+):(\d+)`) })

// place returns where in the script t was thrown, from 1: the innermost frame of
// the script in the stack of the exception, else, for what does not parse, where
// the parser stopped.
func (t *thrown) place() (line, column int, ok bool) {
	line, column = t.Line+1, t.Column+1
	if m := framePlace().FindStringSubmatch(t.Exception.Description); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits
		column, _ = strconv.Atoi(m[2])
	} else if !strings.HasPrefix(t.message(), "SyntaxError") {
		return 0, 0, false
	}
	line -= linesBefore
	return line, column, line >= 1
}

// WaitFunction implements [steps.Scripter].
func (p *Page) WaitFunction(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := scriptArgs(args)
	if err != nil {
		return nil, err
	}
	prog, err := p.compile(ctx, script, names)
	if err != nil {
		return nil, err
	}
	for {
		r, err := p.runMain(ctx, prog, values)
		if err == nil && r.truthy() {
			return r.value()
		}
		if err == nil || errors.Is(err, errWorldGone) {
			err = p.nextFrame(ctx)
		}
		if err != nil {
			return nil, notTrue(ctx, err, script)
		}
	}
}

// notTrue says what a wait for a function was for when its time is over.
func notTrue(ctx context.Context, err error, script string) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return diag.New(diag.Timeout, "the function did not become true: %.200s", firstLine(strings.TrimSpace(script))).
		Because(err).WithHint("check the function against the page, or give the step more time")
}

// truthy reports whether JavaScript takes the value for true.
func (r *evaluated) truthy() bool {
	switch r.Result.Type {
	case "undefined":
		return false
	case "object", "function", "symbol":
		return string(r.Result.Value) != "null"
	}
	switch r.Result.UnserializableValue {
	case "NaN", "-0", "0n":
		return false
	case "":
		switch string(r.Result.Value) {
		case "", "null", "false", "0", `""`:
			return false
		}
	}
	return true
}

// frame resolves at the next frame, or soon where none are drawn.
const frame = "()=>new Promise(r=>{requestAnimationFrame(()=>r());setTimeout(r,100)})"

// nextFrame waits for the next frame of the current document, or for the next
// document.
func (p *Page) nextFrame(ctx context.Context) error {
	w, err := p.currentWorld(ctx)
	if err != nil {
		return err
	}
	k := p.start(ctx, callFunction{FunctionDeclaration: frame, UniqueContextID: w.id, AwaitPromise: true})
	if err := p.answer(ctx, k, nil); err != nil {
		if errors.Is(err, errWorldGone) {
			return p.afterWorld(ctx, w)
		}
		return err
	}
	return nil
}
