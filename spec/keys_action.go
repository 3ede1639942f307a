package spec

// The keys of an action and of an entry of verify.

var (
	actionTable *table[Action]
	checkTable  *table[checkEntry]
)

const (
	paramsDoc  = "What the action takes."
	returnsDoc = "Data of the result, by name: texts with `${…}`, lists and maps of them."
	scopeDoc   = "Selector that is put before every selector inside; a selector that begins with `document:` leaves the scope."
)

var actionMapping = Mapping{Name: ActionMap, What: "the action", Doc: "A named flow."}

func actionKeys() []entry[Action] {
	return []entry[Action]{
		{Field: Field{Name: "description", Type: anyText, Doc: "What the action does."},
			decode: func(d *decoder, a *Action, k *Key) { a.Description = d.text(k.Value, k.Name).value() }},
		{Field: Field{Name: KeySince, Type: textOf(VersionForm), Doc: "Version of the definitions that first had the action."},
			decode: func(d *decoder, a *Action, k *Key) { a.Since = d.version(k.Value, k.Name).value() }},
		{Field: Field{Name: "deprecated", Type: boolValue, Doc: "Whether the action is deprecated: it still runs, with a warning."},
			decode: func(d *decoder, a *Action, k *Key) { a.Deprecated = d.boolean(k.Value, k.Name) }},
		{Field: Field{Name: "deprecated_message", Type: anyText, Doc: "What to use instead."},
			decode: func(d *decoder, a *Action, k *Key) { a.DeprecatedMessage = d.text(k.Value, k.Name).value() }},
		{Field: Field{Name: "internal", Type: boolValue, Doc: "Whether the action is only a part of other actions: it runs, but is not listed."},
			decode: func(d *decoder, a *Action, k *Key) { a.Internal = d.boolean(k.Value, k.Name) }},
		{Field: Field{Name: "alias_of", Type: textOf(TargetForm), Doc: "The action for which this is another name."},
			decode: func(d *decoder, a *Action, k *Key) { a.AliasOf = d.text(k.Value, k.Name) }},
		{Field: Field{Name: KeyParams, Type: Type{Kind: UsedType},
			Doc: paramsDoc, Note: "See [Params](#params)."},
			decode: func(d *decoder, a *Action, k *Key) { a.Params = d.params(k.Value) }},
		{Field: Field{Name: "scope", Type: anyText, Doc: scopeDoc, Note: "See [Scope](#scope)."},
			decode: func(d *decoder, a *Action, k *Key) { a.Scope = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "settle", Type: settleValue, Rank: 1,
			Doc:  "Whether each of its input steps waits until the page has finished reacting to it." + settleTime,
			Note: "See [What input causes](#what-input-causes)."},
			decode: func(d *decoder, a *Action, k *Key) { a.Settle = d.settle(k) }},
		{Field: Field{Name: "calm", Type: boolValue,
			Doc:  "Whether its steps stop waiting for their elements once the page is calm.",
			Note: "See [What does not come](#what-does-not-come)."},
			decode: func(d *decoder, a *Action, k *Key) { a.Calm = d.boolean(k.Value, k.Name) }},
		{Field: Field{Name: KeyApproval, Type: enum(approvalOfAction...),
			Doc:  "`required`: a person has to approve the action before its first step. `none` removes what a lower source has written.",
			Note: "See [Approval](#approval)."},
			decode: func(d *decoder, a *Action, k *Key) {
				a.Approval = d.oneOf(k.Value, k.Name, approvalOfAction) == ApprovalRequired
			}},
		{Field: Field{Name: KeySteps, Type: stepList, Rank: 1, Doc: "What the action does, in order."},
			decode: func(d *decoder, a *Action, k *Key) { a.Steps = d.steps(k.Value, k.Name) }},
		{Field: Field{Name: KeyVerify, Type: checkList, Rank: 1,
			Doc: "What must hold at the end.", Note: "See [Verify](#verify)."},
			decode: func(d *decoder, a *Action, k *Key) { a.Verify = d.verify(k) }},
		{Field: Field{Name: KeyReturns, Type: anyObject, Rank: 1, Doc: returnsDoc},
			decode: func(d *decoder, a *Action, k *Key) { a.Returns = d.returns(k) }},
	}
}

// A checkEntry is an entry of verify while it is decoded.
type checkEntry struct {
	*Check
	wait   []Key // the arguments of the wait, as written
	change *Key  // require_change, if it is written
}

var checkMapping = Mapping{Name: CheckMap, What: "an entry of verify"}

func checkKeys() []entry[checkEntry] {
	waits := func(name string) entry[checkEntry] {
		return entry[checkEntry]{Field: Field{Name: name, Type: argOfWait, Note: "As for [wait](steps.md#wait)."},
			decode: func(_ *decoder, c *checkEntry, k *Key) { c.wait = append(c.wait, *k) }}
	}
	return []entry[checkEntry]{
		{Field: Field{Name: KeyCondition, Type: condition, Doc: "A condition that must hold."},
			decode: func(d *decoder, c *checkEntry, k *Key) { c.Condition = d.condition(k.Value, k.Name) }},
		waits("selector"), waits("state"), waits("text"), waits("url"),
		{Field: Field{Name: "message", Type: anyText, Doc: "Error message if the check fails."},
			decode: func(d *decoder, c *checkEntry, k *Key) { c.Message = d.text(k.Value, k.Name) }},
		{Field: Field{Name: KeyRequireChange, Type: boolValue,
			Doc: "What happens if the check already held before the run. `true`: it fails. `false`: nothing. Default: a warning."},
			decode: func(d *decoder, c *checkEntry, k *Key) {
				c.RequireChange, c.change = d.boolean(k.Value, k.Name), k
				c.OnlyAfter = !c.RequireChange
			}},
	}
}

// CheckArgs returns the keys of an entry of `verify` that are arguments of the step `wait`.
func CheckArgs() []string {
	return checkTable.Names(func(f *Field) bool { return f.Type.Kind == WaitType })
}
