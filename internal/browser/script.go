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

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// scriptName is the name of our scripts in their errors, to distinguish their lines from
// those of the page.
const scriptName = "action-script"

// A program is a script as a function: the names of its args are its
// parameters, so a value never becomes a part of the source.
type program struct {
	function string
	// checks are sources that parse only if the script is a complete unit: a script may not
	// close the brackets around it and open others.
	checks []string
}

// linesBefore is the number of lines before the script in a function.
const linesBefore = 1

// programs returns the interpretations of a script, the preferred one first: as an
// expression, as the body of an async function. A line break before the closing bracket
// ends a comment at the script's end.
func programs(script string, names []string) []program {
	params := "(" + strings.Join(names, ", ") + ")"
	expression := "async " + params + " => (\n" + script + "\n)"
	body := "async " + params + " => {\n" + script + "\n}"
	return []program{
		{expression, []string{"(" + expression + ")", "(async " + params + " => [\n" + script + "\n])"}},
		{body, []string{"(" + body + ")", "(class { async m" + params + " {\n" + script + "\n} })"}},
	}
}

// invocation makes the function that runs a program. What the browser evaluates for us is
// exempt from the page's policy, so the script itself runs in a separate task: there the
// policy applies to what it evaluates in turn. truth: only whether the value is true
// matters.
func (prog program) invocation(truth bool) string {
	return "(f => (...a) => new Promise((done, fail) => setTimeout(() => f(...a).then(" + asData + "(" + strconv.FormatBool(truth) + ")).then(done, fail))))(" +
		prog.function + ")\n//# sourceURL=" + scriptName + "\n"
}

// asData is a function that makes of a value what JSON.stringify would, on one line: the
// lines behind it are counted. It refuses what JSON would lose without a word, such as a
// Map, and what is too large to be sent. Nodes of the page, which many a script that is run
// for its effect returns, are told by their names. Where only the truth of the value
// counts, what has no JSON form is {}, and what is true stays so.
//
// Some old libraries give every list and object a toJSON of their own, which makes text of
// them: that one is not asked. A page that has replaced Object's functions can lift the
// bound; the bound of a message holds then.
var asData = strings.Join(strings.Fields(fmt.Sprintf(`(truth => v => {
	let left = %d;
	const at = [], around = [], deepest = 500;
	const none = {};
	const refuse = (what) => {
		if (truth) return none;
		const hint = 'return plain data, such as its text, or a list made of it';
		throw new TypeError((at.length ? at.join('.') + ' of the value' : 'the value') + ' has no JSON form: it is ' + what + '; ' + hint);
	};
	const spend = (n) => {
		left -= n;
		if (left < 0) throw new RangeError(%q);
	};
	const isNode = (x) => { try { return 'nodeType' in x && typeof x.nodeType === 'number' && typeof x.nodeName === 'string'; } catch { return false; } };
	const visit = (x) => {
		spend(typeof x === 'string' ? x.length : 6);
		if (x !== null && typeof x === 'object' && typeof x.toJSON === 'function' && !Array.isArray(x) && x.toJSON !== Object.prototype.toJSON) {
			x = x.toJSON(at.length ? '' + at[at.length - 1] : '');
			if (typeof x === 'string') spend(x.length);
		}
		if (typeof x === 'function' || typeof x === 'symbol') return undefined;
		if (x === null || typeof x !== 'object') return typeof x === 'bigint' && at.length ? refuse('a bigint') : x;
		const tag = Object.prototype.toString.call(x).slice(8, -1);
		if (tag === 'String' || tag === 'Number' || tag === 'Boolean') {
			const plain = x.valueOf();
			if (plain !== x) return plain;
		}
		if (isNode(x)) return '<' + x.nodeName.toLowerCase() + (typeof x.id === 'string' && x.id ? '#' + x.id : '') + '>';
		if (['Map', 'Set', 'WeakMap', 'WeakSet', 'RegExp', 'Error', 'DOMException', 'Promise', 'ArrayBuffer'].includes(tag)) return refuse('of the kind ' + tag);
		if (truth && (around.includes(x) || around.length > deepest)) return none;
		if (around.includes(x)) throw new TypeError('the value holds itself, at ' + at.join('.') + ': it has no JSON form');
		if (around.length > deepest) throw new RangeError('the value is nested more than ' + deepest + ' levels deep');
		around.push(x);
		let out;
		if (Array.isArray(x)) {
			spend(2 * x.length);
			out = [];
			for (let i = 0; i < x.length; i++) {
				at.push(i);
				const item = visit(x[i]);
				out[i] = item === undefined || (typeof item === 'number' && !Number.isFinite(item)) ? null : item;
				at.pop();
			}
		} else {
			if (ArrayBuffer.isView(x)) spend(2 * x.byteLength);
			const keys = Object.keys(x);
			if (!keys.length && tag !== 'Object' && tag !== 'DOMStringMap' && typeof x.length !== 'number') {
				around.pop();
				return refuse('of the kind ' + tag);
			}
			out = Object.create(null);
			for (const k of keys) {
				spend(k.length + 4);
				at.push(k);
				const item = visit(x[k]);
				if (item !== undefined) out[k] = typeof item === 'number' && !Number.isFinite(item) ? null : item;
				at.pop();
			}
		}
		around.pop();
		return out;
	};
	const data = visit(v);
	return truth && v && !data ? true : data;
})`, expr.MaxValueBytes, tooLarge)), " ")

// Eval implements [driver.Scripter].
func (p *Page) Eval(ctx context.Context, script string, args map[string]any) (any, error) {
	names, values, err := scriptArgs(args)
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

// Scripts with a remembered interpretation: it depends only on their text.
const (
	maxReadings   = 100
	maxRemembered = 16 << 10 // bytes of one
)

// compile finds the interpretation of a script that parses. Nothing is run.
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
	var calls [][]*cdp.Call
	for _, prog := range readings {
		var checks []*cdp.Call
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
			if err := p.b.explain(ctx, k.Wait(&r)); err != nil {
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

// runMain calls prog in the page's own world. cdp.ErrGone means that the
// document was replaced before it ended.
func (p *Page) runMain(ctx context.Context, prog program, values []argument, truth bool) (*evaluated, error) {
	if p.b.opts.NoJavaScript {
		return nil, diag.New(diag.StepFailed, "no script runs in the pages of this session: it was opened without JavaScript").
			WithHint("use steps that read and act, or a session with JavaScript")
	}
	id, err := p.mainWorld(ctx)
	if err != nil {
		return nil, err
	}
	k := p.start(ctx, callFunction{
		FunctionDeclaration: prog.invocation(truth), Arguments: values,
		UniqueContextID: id, ReturnByValue: true, AwaitPromise: true, UserGesture: true,
	})
	var r evaluated
	if err := p.b.explain(ctx, k.Wait(&r)); err != nil {
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
	return p.start(ctx, proto.RuntimeEvaluate{Expression: "0"}).Wait(nil) == nil
}

func (p *Page) mainWorld(ctx context.Context) (string, error) {
	var id string
	err := p.until(ctx, "the page has no document to run a script in", func() bool {
		id = p.main
		return id != ""
	})
	return id, err
}

// value returns the result as plain data. Values that JSON cannot represent are written as
// in JavaScript; undefined is nil.
func (r *evaluated) value() (any, error) {
	if r.Result.UnserializableValue != "" {
		return r.Result.UnserializableValue, nil
	}
	return plain(r.Result.Value)
}

// scriptError reports what a script threw, and where in it.
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

// place returns where in the script t was thrown, from 1: the innermost frame of the script
// in the stack of the exception, otherwise, for a syntax error, where the parser stopped.
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

// WaitFunction implements [driver.Scripter].
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
		r, err := p.runMain(ctx, prog, values, true)
		if err == nil && r.truthy() {
			return r.value()
		}
		if err == nil || errors.Is(err, cdp.ErrGone) {
			err = p.nextFrame(ctx)
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
	return diag.New(diag.Timeout, "the function did not become true: %.200s", cdp.FirstLine(strings.TrimSpace(script))).
		Because(err).WithHint("check the function against the page, or give the step more time")
}

// truthy reports whether the value is truthy in JavaScript.
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

// frame resolves at the next frame, or soon if none are drawn.
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
		if errors.Is(err, cdp.ErrGone) {
			return p.afterWorld(ctx, w)
		}
		return err
	}
	return nil
}
