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

// A Program is a script in the form of a function. The names of the script's args are its
// parameters, so that no value becomes part of the source.
type Program struct {
	function string
	// Checks are sources that parse only if the script is complete in itself. A script must not
	// close the function around it and open another.
	Checks []string
}

// linesBefore is the number of lines that precede the script in the function.
const linesBefore = 1

// Programs returns the two programs for a script, the preferred one first: as an expression, and as
// the body of an async function. The script is followed by a line break, in case it ends with a
// comment.
func Programs(script string, names []string) []Program {
	params := "(" + strings.Join(names, ", ") + ")"
	expression := "async " + params + " => (\n" + script + "\n)"
	body := "async " + params + " => {\n" + script + "\n}"
	return []Program{
		{expression, []string{"(" + expression + ")", "(async " + params + " => [\n" + script + "\n])"}},
		{body, []string{"(" + body + ")", "(class { async m" + params + " {\n" + script + "\n} })"}},
	}
}

// Invocation returns the function that runs a program. If truth is set, the function returns only
// whether the value of the script is truthy. The script runs in a separate task. A direct
// evaluation would be exempt from the page's content security policy, and so would everything that
// the script evaluates in turn.
func (prog Program) Invocation(truth bool) string {
	return "(f => (...a) => new Promise((done, fail) => setTimeout(() => f(...a).then(" + asData + "(" + strconv.FormatBool(truth) + ")).then(done, fail))))(" +
		prog.function + ")\n//# sourceURL=" + Name + "\n"
}

// asData is the source of a function that converts a value as JSON.stringify would. The source is
// one line, so that [linesBefore] holds for the script after it. The function refuses what JSON
// would silently lose, such as a Map, and what is too large to be sent. It replaces nodes of the
// page by their names, because scripts that are run for their effect often return a node. If only
// the truth of the value counts, a value without a JSON form becomes {}, and a true value stays
// true.
//
// It does not call the toJSON that some old libraries give to every list and object, because that
// converts them to text. A page that has replaced Object's functions can lift the size limit; the
// limit of a message then applies.
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

// Named splits args into their names, sorted, and their values in the same order. A name that is
// not an identifier is PARAM_INVALID.
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
