package session_test

// Tests of every step of the catalogue on a real page: its effects, the calls that it refuses, and
// its error for a condition that never holds.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

type object = map[string]any

// stepCases has a row for each entry of the catalogue, by its name. The trials of a row run in
// order, each on a new page.
var stepCases = map[string]stepCase{}

// addStepCases is called before the tests run. Each file with rows has a function here.
func addStepCases() {
	for _, add := range []func(map[string]stepCase){
		addFilesCases, addFlowCases, addFormsCases, addNetworkCases, addAskingCases, addPointerCases, addReadCases, addStateCases, addTabsCases,
	} {
		add(stepCases)
	}
}

const howToAddARow = `the step %[1]s has no row here. Add one where those of its group %[2]s are:
internal/session/catalogue_*_test.go, such as the row of %[3]s.

		stepCases[%[1]q] = stepCase{
			Effects:  []trial{{args: object{…}, look: look{"eval", object{"script": "log.join()"}, "…"}}},
			Refusals: []trial{{args: object{…}, code: diag.StepFailed, says: "…"}},
			Late:     []trial{{args: object{…}, code: diag.ElementNotFound, says: "what was seen"}},
		}

Each field of the entry's Result appears in an effect; each refusal has its code and what it
says. The trials run on testdata/pages/html/steps.html, or on the page that they name. A step that
waits for nothing has Stuck (a call while the page is in an endless loop) or Untimed (why it
cannot be late) instead of Late.`

// A stepCase holds the trials of one step.
type stepCase struct {
	Effects  []trial // together they return every field that the entry declares
	Refusals []trial
	// Exactly one of the following is set: calls that time out, calls on a page that does not
	// answer, or the reason why the step has neither.
	Late    []trial
	Stuck   []trial
	Untimed string
}

// A trial is one call of the step.
type trial struct {
	page   string // file of package pages; "" means steps.html, "-" a blank page
	before []does
	after  []does // undoes changes that would affect later trials
	args   object
	// yaml has the steps of an action to run instead, for parts that only a file can contain. The
	// output of the tested step is named out.
	yaml string

	want    object   // fields of the result; others are not compared
	absent  []string // declared fields that this result lacks
	look    look     // runs afterwards, also after a refusal
	check   func(t *testing.T, b *bench, got object)
	warning string // code of the only warning; "" means none

	code  diag.Code
	says  string // parts of the message, separated by |
	waits bool   // the step fails only at its timeout, because the page might still change
}

// does is a step that prepares a trial.
type does struct {
	step string
	args object
}

// A look is a manual step that reads the state of the page, with its expected values in the order
// of their names.
type look struct {
	step string
	args object
	want string
}

// silent is a part of the error for a page whose script runs in an endless loop.
const silent = "the page does not answer"

// lookTime is the timeout of trials that fail. On a machine that is too busy for it, a trial is
// repeated with up to maxLookTime.
const (
	lookTime    = 150 * time.Millisecond
	maxLookTime = 5 * time.Second
)

// A stepBench runs trials on pages.
type stepBench struct {
	*bench
	base string
}

func newStepBench(t *testing.T) *stepBench {
	files := object{}
	for name, c := range stepCases {
		for kind, list := range c.trials() {
			for i, tr := range list {
				if tr.yaml != "" {
					files[actionOf(name, kind, i)] = tr.yaml
				}
			}
		}
	}
	text := "namespace: try\nversion: 1.0.0\nactions:\n  other:run: {params: {n: {type: integer, max: 9}}, steps: [{action: set, args: {values: {n: \"${n}\"}}}], returns: {n: \"${n}\"}}\n" +
		"  other:wait: {steps: [{action: wait, args: {selector: css:#never}}]}\n"
	for name, yaml := range files {
		text += fmt.Sprintf("  %s:\n    steps:\n%s\n    returns: {out: \"${steps.out}\"}\n", strings.TrimPrefix(name, "try:"), yaml)
	}
	return &stepBench{newBench(t, map[string]string{"try.yaml": text}, nil, "ACTION_BROWSER_PAGE_TOOLS=true").withOwnBrowser(), serve(t, pages.Handler())}
}

func (c stepCase) trials() map[string][]trial {
	return map[string][]trial{"effect": c.Effects, "refusal": c.Refusals, "late": late(c.Late), "stuck": late(c.Stuck)}
}

func late(list []trial) []trial {
	list = slices.Clone(list)
	for i := range list {
		list[i].waits = true
	}
	return list
}

// neighbour returns the name of a step of e's group that has a row.
func neighbour(e *steps.Entry) string {
	for _, other := range catalogue.Entries() {
		if _, there := stepCases[other.Name]; there && other.Group == e.Group {
			return other.Name
		}
	}
	return "another"
}

func actionOf(step, kind string, i int) string {
	return fmt.Sprintf("try:%s:%s%d", strings.ReplaceAll(step, "_", "-"), kind, i)
}

func TestEveryStep(t *testing.T) {
	t.Parallel()
	b := newStepBench(t)
	left, all := 0, 0
	for n, e := range catalogue.Entries() {
		c, there := stepCases[e.Name]
		if !there {
			t.Errorf(howToAddARow, e.Name, e.Group, neighbour(e))
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			checkRow(t, e, c)
			for _, kind := range []string{"effect", "refusal", "late"} {
				for i, tr := range c.trials()[kind] {
					// With -short, most steps have only their first effect and refusal. A later trial may
					// need an earlier one.
					if all++; !testkit.Full() && n%8 != 0 && (i > 0 || kind == "late") {
						left++
						continue
					}
					t.Run(fmt.Sprint(kind, i), func(t *testing.T) {
						b.show(t, tr)
						b.try(t, e, actionOf(e.Name, kind, i), tr)
					})
				}
			}
		})
	}
	for name := range stepCases {
		if catalogue.Lookup(name) == nil {
			t.Errorf("there are trials of %s, which is no step", name)
		}
	}
	testkit.Leave(t, left, all, "trials of steps")
	b.tryStuck(t)
}

// checkRow checks that the row is complete: it has its three parts, and each declared field is in
// one of the effects.
func checkRow(t *testing.T, e *steps.Entry, c stepCase) {
	t.Helper()
	if len(c.Effects) == 0 || len(c.Refusals) == 0 {
		t.Errorf("%d effects and %d refusals, want at least one of each", len(c.Effects), len(c.Refusals))
	}
	ways := 0
	for _, is := range []bool{len(c.Late) > 0, len(c.Stuck) > 0, c.Untimed != ""} {
		if is {
			ways++
		}
	}
	if ways != 1 {
		t.Errorf("%d of Late, Stuck and Untimed, want one", ways)
	}
	for _, f := range e.Result {
		if !slices.ContainsFunc(c.Effects, func(tr trial) bool { return tr.code == "" && !slices.Contains(tr.absent, f.Name) }) {
			t.Errorf("no effect returns the field %s", f.Name)
		}
	}
	for _, tr := range slices.Concat(c.Refusals, c.Late, c.Stuck) {
		if tr.code == "" || tr.says == "" {
			t.Errorf("a trial with %v fails, and has no code or no words to look for", tr.args)
		}
	}
}

// show opens the page of a trial and runs the steps in its field before.
func (b *stepBench) show(t *testing.T, tr trial) {
	t.Helper()
	url := b.base + "/steps.html"
	switch tr.page {
	case "":
	case "-":
		url = "about:blank"
	default:
		url = b.base + "/" + tr.page
	}
	b.prepare(t, append([]does{{"open", object{"url": url}}}, tr.before...))
}

func (b *stepBench) prepare(t *testing.T, list []does) {
	t.Helper()
	for _, d := range list {
		if r := b.Step(t.Context(), d.step, session.RunOptions{Params: b.placed(d.args), Cwd: b.cwd}); r.Error != nil {
			t.Fatalf("%s %v: %s", d.step, d.args, describe(r.Error))
		}
	}
}

// placed replaces BASE in arguments by the address of the pages.
func (b *stepBench) placed(args object) object {
	out := object{}
	for name, v := range args {
		if text, ok := v.(string); ok {
			v = strings.ReplaceAll(text, "BASE", b.base)
		}
		out[name] = v
	}
	return out
}

// try runs a trial and compares its outcome.
func (b *stepBench) try(t *testing.T, e *steps.Entry, action string, tr trial) {
	t.Helper()
	r := b.call(t, e, action, tr, lookTime)
	for time := 4 * lookTime; tr.waits && !refusedAs(r, tr) && time < maxLookTime; time *= 4 {
		b.show(t, tr)
		r = b.call(t, e, action, tr, time)
	}
	if tr.code != "" {
		b.wantRefused(t, r, tr)
	} else {
		b.wantDone(t, e, r, tr)
	}
	b.wantLook(t, tr.look)
	b.prepare(t, tr.after)
}

func (b *stepBench) call(t *testing.T, e *steps.Entry, action string, tr trial, time time.Duration) *executor.Result {
	t.Helper()
	o := session.RunOptions{Cwd: b.cwd, Environ: b.environ}
	if tr.waits {
		o.Timeout = time
	}
	if tr.yaml != "" {
		return b.Run(t.Context(), action, o)
	}
	o.Params = b.placed(tr.args)
	return b.Step(t.Context(), e.Name, o)
}

func (b *stepBench) wantDone(t *testing.T, e *steps.Entry, r *executor.Result, tr trial) {
	t.Helper()
	got := data(t, r)
	if tr.yaml != "" {
		got, _ = got["out"].(object)
	}
	for _, f := range e.Result {
		name := f.Name
		if strings.HasSuffix(name, ", …") { // an argument names the field
			name, _ = tr.args[e.Hand[0]].(string)
		}
		if _, there := got[name]; name != "…" && there == slices.Contains(tr.absent, f.Name) {
			t.Errorf("the result is %v; the entry declares %s", got, name)
		}
	}
	for name := range got {
		if !declares(e, name) {
			t.Errorf("the result has %s, which the entry does not declare", name)
		}
	}
	for name, value := range tr.want {
		if fmt.Sprint(got[name]) != strings.ReplaceAll(fmt.Sprint(value), "BASE", b.base) {
			t.Errorf("%s: got %v, want %v", name, got[name], value)
		}
	}
	if tr.warning == "" {
		wantWarnings(t, r)
	} else {
		wantWarnings(t, r, tr.warning)
	}
	if tr.check != nil {
		tr.check(t, b.bench, got)
	}
}

func declares(e *steps.Entry, name string) bool {
	return slices.ContainsFunc(e.Result, func(f steps.Field) bool {
		return f.Name == name || f.Name == "…" || strings.HasSuffix(f.Name, ", …")
	})
}

func (b *stepBench) wantRefused(t *testing.T, r *executor.Result, tr trial) {
	t.Helper()
	for _, part := range strings.Split(tr.says, "|") {
		if !failsWith(r, tr.code, part) {
			wantError(t, r, tr.code, part)
		}
	}
	if r.Data != nil {
		t.Errorf("a failure has the data %v", r.Data)
	}
}

func refusedAs(r *executor.Result, tr trial) bool {
	return !slices.ContainsFunc(strings.Split(tr.says, "|"), func(part string) bool { return !failsWith(r, tr.code, part) })
}

// failsWith reports whether a run has failed with code, and with part in its message. If the
// timeout of a block comes first, the message of its step is in the details.
func failsWith(r *executor.Result, code diag.Code, part string) bool {
	if r.Error == nil || r.Error.Code != code || r.Error.Hint == "" {
		return false
	}
	said, _ := r.Error.Details["step_error"].(map[string]any)
	return strings.Contains(r.Error.Msg, part) || said != nil && strings.Contains(fmt.Sprint(said["message"]), part)
}

func (b *stepBench) wantLook(t *testing.T, l look) {
	t.Helper()
	if l.step == "" {
		return
	}
	r := b.Step(t.Context(), l.step, session.RunOptions{Params: b.placed(l.args), Cwd: b.cwd, Timeout: 5 * time.Second})
	got := data(t, r)
	var values []string
	for _, name := range slices.Sorted(maps.Keys(got)) {
		values = append(values, fmt.Sprint(got[name]))
	}
	if text, want := strings.Join(values, " "), strings.ReplaceAll(l.want, "BASE", b.base); text != want {
		t.Errorf("%s %v returns %q afterwards, want %q", l.step, l.args, text, want)
	}
}

// tryStuck runs the Stuck trials on a page that never answers.
func (b *stepBench) tryStuck(t *testing.T) {
	b.show(t, trial{before: []does{{"eval", object{"script": "setTimeout(() => { for (;;); })"}}}})
	for _, e := range catalogue.Entries() {
		for i, tr := range stepCases[e.Name].trials()["stuck"] {
			t.Run(fmt.Sprint(e.Name, "/stuck", i), func(t *testing.T) {
				b.wantRefused(t, b.call(t, e, actionOf(e.Name, "stuck", i), tr, lookTime), tr)
			})
		}
	}
}
