package eval

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// Name is the source name of our scripts in stacks of errors. It distinguishes their lines from
// those of the page.
const Name = "action-script"

// A Program is a script in the form of a function. Its parameters are the names of the script's
// args.
type Program struct {
	function string
	// Checks are sources to compile before the program runs. One of them has a syntax error if the
	// script closes the function around it.
	Checks []string
}

// linesBefore is the number of lines that precede the script in the function.
const linesBefore = 1

// Programs returns two programs for a script. The first treats it as an expression, and the second
// as the body of an async function. The first that compiles must be used.
func Programs(script string, names []string) []Program {
	params := "(" + strings.Join(names, ", ") + ")"
	expression := "async " + params + " => (\n" + script + "\n)"
	body := "async " + params + " => {\n" + script + "\n}"
	return []Program{
		{expression, []string{"(" + expression + ")", "(async " + params + " => [\n" + script + "\n])"}},
		{body, []string{"(" + body + ")", "(class { async m" + params + " {\n" + script + "\n} })"}},
	}
}

// Invocation returns the function that runs a program. The function returns the value of the script
// as plain data; see asData. The script runs in a separate task, because a direct evaluation would
// be exempt from the page's content security policy.
func (prog Program) Invocation(truth bool) string {
	return "(f => (...a) => new Promise((done, fail) => setTimeout(() => f(...a).then(" + asData + "(" + strconv.FormatBool(truth) + ")).then(done, fail))))(" +
		prog.function + ")\n//# sourceURL=" + Name + "\n"
}

// asData is the source of a JavaScript function that takes the argument truth. It returns a
// function that converts a value like JSON.stringify. The conversion fails for a value that JSON
// cannot represent, such as a Map, and for a value that is too large to be sent. Nodes of the page
// become their names.
//
// If truth is set, only the truth of the result matters. A value that JSON cannot represent is then
// converted to {} or true.
//
// The source is one line, as linesBefore requires. The conversion does not call the toJSON that
// some old libraries give to all lists and objects.
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
		if (around.includes(x)) throw new TypeError('the value contains itself, at ' + at.join('.') + ': it has no JSON form');
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
})`, expr.MaxValueBytes, TooLarge)), " ")

// Named returns the names in args, sorted, and their values in the same order. The error is
// PARAM_INVALID if a name is not an identifier or a value has no JSON form.
func Named(args map[string]any) ([]string, []Argument, error) {
	names := make([]string, 0, len(args))
	for name := range args {
		if !isIdentifier(name) {
			return nil, nil, diag.New(diag.ParamInvalid, "the arg %q cannot be a variable of a script", name).
				WithHint("use letters, digits and _ in the names of args")
		}
		names = append(names, name)
	}
	sort.Strings(names)
	values := make([]Argument, len(names))
	for i, name := range names {
		data, err := json.Marshal(args[name])
		if err != nil {
			return nil, nil, diag.New(diag.ParamInvalid, "the arg %q is not a JSON value: %v", name, err).
				WithHint("use text, numbers, booleans, lists and maps")
		}
		values[i] = Argument{json.RawMessage(data)}
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

// Error returns the error for an exception of a script, with its position in the script.
func Error(t *Thrown) error {
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

// framePlace matches the positions in a stack that are in one of our scripts.
var framePlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(Name + `:(\d+):(\d+)`) })
