package spec

// The keys of a step, of its cases and of its retry. The keys of a step are in the order in which
// `action fmt` writes them. The first two, action and args, are its long form.

import (
	"slices"
)

var (
	stepTable  *table[Step]
	retryTable *table[retryEntry]
	caseTable  *table[caseEntry]
)

// maxRetry is the maximum number of extra attempts of a step.
const maxRetry = 100

var (
	busyValues    = []string{"ignore"}
	onErrorValues = []string{string(Abort), string(Continue)}
	retryTimes    = whole(0, maxRetry)

	approvalOfStep   = []string{ApprovalRequired}
	approvalOfAction = []string{ApprovalRequired, "none"}
)

var stepMapping = Mapping{Name: StepMap, What: "a step"}

func stepKeys() []entry[Step] {
	return []entry[Step]{
		{Field: Field{Name: KeyAction, Type: stepName, Doc: "What to do.", Note: "The name of a step, in the long form."},
			decode: func(d *decoder, s *Step, k *Key) {
				if t := d.text(k.Value, k.Name); t != nil {
					s.Action = *t
				}
			}},
		{Field: Field{Name: KeyArgs, Type: anyObject, Doc: "Arguments of the step.",
			Note: "In the long form: `{action: click, args: {selector: \"text:Save\"}}`."},
			decode: func(d *decoder, s *Step, k *Key) {
				if d.isMap(k.Value, k.Name, "write for example: args: {selector: \"text:Save\"}") {
					s.Args = k.Value
				}
			}},
		{Field: Field{Name: "description", Type: anyText, Rank: 2,
			Doc: "Why the step exists.", Note: "For readers, and for progress."},
			decode: func(d *decoder, s *Step, k *Key) { s.Description = d.text(k.Value, k.Name).value() }},
		{Field: Field{Name: KeyWhen, Type: condition, Doc: "The step is skipped unless this condition holds."},
			decode: func(d *decoder, s *Step, k *Key) { s.When = d.condition(k.Value, k.Name) }},
		{Field: Field{Name: "scope", Type: anyText, Rank: 1, Doc: scopeDoc, Note: "See [Scope](#scope)."},
			decode: func(d *decoder, s *Step, k *Key) { s.Scope = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "output", Type: textOf(NameForm), Doc: "Keeps the result as `${steps.NAME}`.",
			Note: "The [catalogue](steps.md) lists its fields, `${steps.NAME.field}`; `validate` warns about others."},
			decode: func(d *decoder, s *Step, k *Key) { s.Output = d.output(k) }},
		{Field: Field{Name: "timeout", Type: duration(1), Doc: "Time limit of one attempt: milliseconds, or a text such as `500ms` or `5s`."},
			decode: func(d *decoder, s *Step, k *Key) { s.Timeout = d.timeout(k) }},
		{Field: Field{Name: "busy", Type: enum(busyValues...),
			Doc:  "`ignore`: a step that reads does not wait for content that is still loading.",
			Note: "See [What is loading](#what-is-loading)."},
			decode: func(d *decoder, s *Step, k *Key) { s.IgnoresBusy = d.oneOf(k.Value, k.Name, busyValues) != "" }},
		{Field: Field{Name: "settle", Type: settleValue,
			Doc:  "Whether the step waits until the page has finished reacting to the input." + settleTime,
			Note: "See [What input causes](#what-input-causes)."},
			decode: func(d *decoder, s *Step, k *Key) { s.Settle = d.settle(k) }},
		{Field: Field{Name: "calm", Type: boolValue,
			Doc:  "Whether the step stops waiting for its element once the page is calm.",
			Note: "See [What does not come](#what-does-not-come)."},
			decode: func(d *decoder, s *Step, k *Key) {
				calm := d.boolean(k.Value, k.Name)
				s.Calm = &calm
			}},
		{Field: Field{Name: "expect", Type: enum(Effects()...),
			Doc:  "The effect that the input must have: the step waits for it, and fails without it.",
			Note: "See [What input causes](#what-input-causes)."},
			decode: func(d *decoder, s *Step, k *Key) {
				if d.oneOf(k.Value, k.Name, Effects()) != "" {
					s.Expect = &Text{Value: k.Value.Str, Node: k.Value}
				}
			}},
		{Field: Field{Name: KeyApproval, Type: enum(approvalOfStep...),
			Doc:  "`required`: a person has to approve the step each time before it runs.",
			Note: "See [Approval](#approval)."},
			decode: func(d *decoder, s *Step, k *Key) { s.Approval = d.oneOf(k.Value, k.Name, approvalOfStep) != "" }},
		{Field: Field{Name: KeyRetry, Type: keysOf(RetryMap), Doc: "Further attempts after a failure."}}, // read together with retry_delay
		{Field: Field{Name: KeyRetryDelay, Type: duration(0), Needs: KeyRetry, Doc: "Pause before each further attempt. Default 1s."}},
		{Field: Field{Name: "on_error", Type: enum(onErrorValues...),
			Doc: "What happens after a failure. Default `abort`.", Note: "It applies after the fallback has failed too."},
			decode: func(d *decoder, s *Step, k *Key) { s.OnError = d.onError(k) }},
		{Field: Field{Name: KeySteps, Type: stepList, Rank: 1, Doc: "Steps of a block.", Note: "For `foreach` and `repeat`."},
			decode: func(d *decoder, s *Step, k *Key) { s.Steps = d.steps(k.Value, s.Path+"."+k.Name) }},
		{Field: Field{Name: KeyCases, Type: listOf(keysOf(CaseMap)), Rank: 1,
			Doc: "Cases of `choose`: the first whose condition holds runs.", Note: "See [Choices and loops](#choices-and-loops)."},
			decode: func(d *decoder, s *Step, k *Key) { s.Cases = d.cases(k.Value, s.Path+"."+k.Name) }},
		{Field: Field{Name: KeyElse, Type: stepList, Rank: 1,
			Doc: "Steps of `choose` if no case holds; `[]` does nothing."},
			decode: func(d *decoder, s *Step, k *Key) { s.Else = d.steps(k.Value, s.Path+"."+k.Name) }},
		{Field: Field{Name: KeyFallback, Type: stepList,
			Doc: "Steps that run if this one has failed.", Note: "`output` is then the result of the last one."},
			decode: func(d *decoder, s *Step, k *Key) { s.Fallback = d.steps(k.Value, s.Path+"."+k.Name) }},
	}
}

// keyInstead maps keys of other tools to the end of a hint that begins with "write".
var keyInstead = map[string]string{
	"if": "when: a condition", "unless": "when: with ! before the condition", "with": "args, or the short form: the step's name and its arguments",
	"params": "args; to run an action: {run: {action: …, params: {…}}}", "name": "description", "id": "output", "register": "output", "loop": "a foreach step",
	"continue_on_error": "on_error: continue", "ignore_errors": "on_error: continue", "retries": "retry", "then": "a choose step with cases",
}

// StepKeys returns the keys of a step in the order of the canonical form: action, args, and the
// keys of [BesideStep]. In the short form, the name of the step replaces action and args.
func StepKeys() []string { return slices.Clone(stepTable.names) }

// BesideStep returns the keys of a step that are not its arguments, such as when and timeout. In
// the short form, they are written beside the name of the step.
func BesideStep() []string { return slices.Clone(besideStep()) }

// A retryEntry is the map of retry while it is decoded.
type retryEntry struct {
	Retry
	delay *Node // the step's retry_delay, or delay of the map
}

var retryMapping = Mapping{Name: RetryMap, What: "retry", Inline: true, Short: &Type{Kind: WholeType, Most: maxRetry, Doc: timesDoc}}

const timesDoc = "Extra attempts."

func retryKeys() []entry[retryEntry] {
	return []entry[retryEntry]{
		{Field: Field{Name: KeyTimes, Type: retryTimes, Required: true, Doc: timesDoc},
			decode: func(d *decoder, r *retryEntry, k *Key) { r.Times, _ = d.integer(k.Value, k.Name, 0, maxRetry) }},
		{Field: Field{Name: "delay", Type: duration(0), Doc: "Pause before each further attempt. Default 1s."},
			decode: func(d *decoder, r *retryEntry, k *Key) {
				if r.delay != nil {
					d.errorf(r.delay.Pos, "found the delay twice, expected it once").WithNote(k.Pos, "first here").WithHint("keep `delay`, and remove `retry_delay`")
				}
				r.delay = k.Value
			}},
		{Field: Field{Name: "on", Type: listOf(enum(errorCodes()...)), Doc: "Codes of errors after which the step is retried. Default any."},
			decode: func(d *decoder, r *retryEntry, k *Key) { r.On = d.codes(k) }},
	}
}

// A caseEntry is a case of choose while it is decoded.
type caseEntry struct {
	*Case
	path string
}

var caseMapping = Mapping{Name: CaseMap, What: "a case"}

func caseKeys() []entry[caseEntry] {
	return []entry[caseEntry]{
		{Field: Field{Name: KeyWhen, Type: condition, Required: true, Doc: "The case runs if this condition holds and no earlier one does."},
			decode: func(d *decoder, c *caseEntry, k *Key) { c.When = d.condition(k.Value, k.Name) }},
		{Field: Field{Name: KeySteps, Type: stepList, Required: true, Doc: "What the case does."},
			decode: func(d *decoder, c *caseEntry, k *Key) { c.Steps = d.steps(k.Value, c.path+"."+k.Name) }},
		{Field: Field{Name: "description", Type: anyText, Doc: "What the case is."},
			decode: func(d *decoder, c *caseEntry, k *Key) { c.Description = d.text(k.Value, k.Name).value() }},
	}
}
