// Package spec is the definition model: namespaces, actions, steps, params, selector aliases and
// version overrides as plain data with positions.
//
// It does not know YAML (package loader reads it), does not parse expressions or selectors (package
// steps compiles them), and runs nothing.
//
// Files, bottom to top: node, spec, view, name, duration, decoder, keys, decode_param, type,
// keys_param, decode_action, decode, decode_step, keys_action, keys_file, keys_step, tables.
package spec

import (
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/version"
)

// A Namespace is the merged result of every file that defines it.
type Namespace struct {
	Name        string
	Version     string // SemVer of the definitions, of the highest layer that has one
	Description string
	Pos         diag.Pos // of the `namespace` value in the highest layer's file
	Env         []EnvVar
	Compat      Compat
	Busy        *Text   // selector of indicators that a part of a page is loading; nil: none
	Settle      *Settle // for input steps, unless an action or a step has its own
	Layers      []Layer // lowest first; selectors and overrides are kept by layer
	Builtin     []Layer // Layers without packages; nil if packages change nothing
	Actions     map[string]*Action
	Order       []string // names of Actions in the order they were first written
	// ParamSets maps the name of each param set to the names of its params, in order. The params
	// are in the Params of each action that uses the set.
	ParamSets map[string][]string
}

// An EnvVar is an environment variable that the namespace may read.
type EnvVar struct {
	Name   string
	Secret bool // default true
	Pos    diag.Pos
	Source Source // source that declares it, which the policy checks
}

// Compat describes how to find the version of the page's library, and which versions the namespace
// supports. At most one of Script, Selector and Meta is set.
type Compat struct {
	Script   *Text // version_script
	Selector *Text // version_selector
	Meta     *Text // version_meta
	Markup   []Markup
	Min, Max *Text
}

// A Markup is one entry of version_markup. If its selector matches an element of a page, the page
// has this version of the library.
type Markup struct {
	Version  Text // "3.x"
	Selector Text
}

// A Settle says whether an input step waits for the end of its effects, and how long at most. A nil
// Settle means that the definition does not say.
type Settle struct {
	On   bool
	Most time.Duration // 0 means [DefaultSettle]
	Pos  diag.Pos
}

// DefaultSettle is the longest wait of `settle: true`.
const DefaultSettle = 5 * time.Second

// Time returns the longest wait. 0 means no wait.
func (s *Settle) Time() time.Duration {
	switch {
	case s == nil || !s.On:
		return 0
	case s.Most == 0:
		return DefaultSettle
	}
	return s.Most
}

// A Text is a string with the node it came from.
type Text struct {
	Value string
	Node  *Node
}

// Pos returns the position of the text.
func (t *Text) Pos() diag.Pos {
	if t == nil || t.Node == nil {
		return diag.Pos{}
	}
	return t.Node.Pos
}

// A Layer holds the selectors and version overrides that one source, or one entry of `extends`,
// adds to a namespace.
type Layer struct {
	Source    Source
	Files     []string
	Selectors map[string]*Alias
	Overrides []Override // in the order written; of several that match, the last one applies
}

// An Override applies to documents whose library version matches Pattern.
type Override struct {
	Pattern   *Text
	Match     *version.Pattern // nil if Pattern does not parse, which the validator reports
	Selectors map[string]*Alias
	Actions   map[string]*Variant
}

// An Alias is a selector with a name and fallbacks.
type Alias struct {
	Name     string
	Primary  Text
	Fallback []Text
	Pos      diag.Pos
	Source   Source
}

// Candidates returns the primary and the fallbacks, in order.
func (a *Alias) Candidates() []Text {
	return append([]Text{a.Primary}, a.Fallback...)
}

// A Variant holds the parts that an override replaces in an action. A part that it does not replace
// is nil.
type Variant struct {
	Steps   []*Step
	Verify  []*Check
	Returns *Node
	Pos     diag.Pos
	Source  Source
}

// An Action is a named flow.
type Action struct {
	Namespace         string
	Name              string // component:verb
	Pos               diag.Pos
	Description       string
	Since             string
	Deprecated        bool
	DeprecatedMessage string
	// Internal is set for an action that is only called by other actions. It is not listed.
	Internal bool
	AliasOf  *Text // full name or component:verb; nil for an action with steps
	Scope    *Text // selector that is put before those of its steps and checks
	Settle   *Settle
	Calm     bool // steps stop waiting once the page is calm
	Approval bool // a person has to approve the action before its first step
	Params   []*Param
	Steps    []*Step
	Verify   []*Check
	Returns  *Node  // map; nil when not written
	Source   Source // of the highest layer that wrote a part of it

	// StepSources lists the sources of the action's steps, and of the steps of its version
	// overrides. The policy checks them.
	StepSources []Source
	// Sources lists the sources that define a part of the action or of a version override for it.
	Sources []Source

	// Parts maps each key of the merged action, such as "steps" or "params.trigger", to its
	// position. Shadows lists the positions of the action in lower layers whose steps were
	// replaced.
	Parts   map[string]diag.Pos
	Shadows []diag.Pos
	// Replaced lists the parts of the action in lower sources that a higher source has replaced.
	// Steps are listed whichever source has replaced them. Other parts are listed only if a package
	// has replaced them.
	Replaced []Replacement
	// Overridden maps each variant from a source above the source of the steps to a Replacement.
	// The Replacement has the position of the steps.
	Overridden map[*Variant]Replacement
}

// A Replacement records that a definition replaces the definition of the same name in a source of
// lower priority.
type Replacement struct {
	What  string // "" for everything that the action does, otherwise a part: verify, params.url
	By    Source
	At    diag.Pos // position of the replaced part; if Added, of the action
	Added bool     // the lower source has no such part
}

// FullName returns namespace:component:verb.
func (a *Action) FullName() string { return a.Namespace + ":" + a.Name }

// FromPackage reports whether a package defines a part of the action.
func (a *Action) FromPackage() bool {
	return slices.ContainsFunc(slices.Concat(a.Sources, a.StepSources), func(s Source) bool { return s.Kind == Package })
}

// Param returns the declared param, or nil.
func (a *Action) Param(name string) *Param {
	for _, p := range a.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// A ParamType names the type of a param.
type ParamType string

const (
	TypeString   ParamType = "string"
	TypeNumber   ParamType = "number"
	TypeInteger  ParamType = "integer"
	TypeBoolean  ParamType = "boolean"
	TypeEnum     ParamType = "enum"
	TypeArray    ParamType = "array"
	TypeObject   ParamType = "object"
	TypeSelector ParamType = "selector"
	TypeAny      ParamType = "any" // unchanged; JSON from a command line

	// Texts in ISO 8601. Their parts, such as the year, are members in expressions: see package
	// expr.
	TypeDate     ParamType = expr.Date
	TypeTime     ParamType = expr.Time
	TypeDateTime ParamType = expr.DateTime
	TypeMonth    ParamType = expr.Month
	TypeWeek     ParamType = expr.Week
	TypeQuarter  ParamType = expr.Quarter
	TypeDuration ParamType = expr.Duration
	TypeURL      ParamType = "url" // absolute
)

// ParamTypes returns every type in the order of the reference page.
func ParamTypes() []ParamType {
	return []ParamType{TypeString, TypeNumber, TypeInteger, TypeBoolean, TypeEnum, TypeArray, TypeObject, TypeSelector, TypeDate, TypeTime, TypeDateTime, TypeMonth, TypeWeek, TypeQuarter, TypeDuration, TypeURL, TypeAny}
}

// A Param describes a param of an action. It also describes the items of an array or a property of
// an object.
type Param struct {
	Name        string
	Type        ParamType
	Pos         diag.Pos
	Description string
	Required    bool
	Secret      bool
	Default     *Node // nil: none
	Values      []any // values of an enum
	Items       *Param
	Properties  []*Param
	Pattern     *Text
	Min, Max    *float64
	MinLength   *int
	MaxLength   *int
}

// OnError determines what happens after a step has failed for good.
type OnError string

const (
	Abort    OnError = "abort" // default
	Continue OnError = "continue"
)

// A Step is one entry of an action, a block or a fallback list.
type Step struct {
	Pos         diag.Pos
	Path        string // e.g. "steps[1].fallback[0]"
	Action      Text
	Scope       *Text // selector that is put before its own and those of the steps inside it
	Args        *Node // a map; nil: none
	When        *Text
	Output      *Text
	Timeout     *time.Duration // of one attempt; nil: the default of the step
	IgnoresBusy bool           // the step, and those inside it, also read content that is loading
	Settle      *Settle        // for an input step, or those inside it
	Calm        *bool          // whether it stops waiting once the page is calm; nil: as in the enclosing block or action
	Expect      *Text          // the effect that an input step must have; see [Effects]
	Approval    bool           // a person has to approve the step before it runs
	Retry       Retry
	OnError     OnError // "" means abort
	Fallback    []*Step
	Steps       []*Step // of a block
	Cases       []*Case // of choose
	Else        []*Step // of choose: runs if no case holds; nil if not written
	Description string
}

// Effects returns the values of `expect`: the possible effects of an input step, and [NoEffect].
func Effects() []string {
	return []string{"navigation", "request", "dialog", "download", "popup", "dom", NoEffect}
}

// NoEffect is the value of `expect` for an input that must not have an effect.
const NoEffect = "none"

// A Case is one entry of `cases` in the step `choose`.
type Case struct {
	Pos         diag.Pos
	When        *Text
	Steps       []*Step
	Description string
}

// Nested calls f for each list of steps inside the step: Steps, the steps of each case, Else and
// Fallback.
func (s *Step) Nested(f func([]*Step)) {
	f(s.Steps)
	for _, c := range s.Cases {
		f(c.Steps)
	}
	f(s.Else)
	f(s.Fallback)
}

// Retry says how often a failed step is retried, and after which errors.
type Retry struct {
	Times int // extra attempts
	Delay time.Duration
	On    []diag.Code // nil: any code
}

// DefaultRetryDelay is the default pause before each extra attempt.
const DefaultRetryDelay = time.Second

// A Check is one entry of `verify`: a condition, or arguments of `wait`.
type Check struct {
	Pos           diag.Pos
	Condition     *Text // nil if Wait is set
	Wait          *Node // a map with selector, state, text, url: the args of `wait`
	Message       *Text
	RequireChange bool
	OnlyAfter     bool // require_change: false: the check may already hold before the steps
}

// A Source is the origin of definitions.
type Source struct {
	Kind SourceKind
	Name string // package name, folder, or the name of a source of the embedding program
}

// A SourceKind orders sources by priority, lowest first.
type SourceKind uint8

const (
	Builtin SourceKind = iota
	Package
	Global
	Project
	Env
	Checked // a file to check, above all others
)

func (k SourceKind) String() string {
	return [...]string{"builtin", "package", "global", "project", "env", "checked"}[k]
}

func (s Source) String() string {
	if s.Name == "" {
		return s.Kind.String()
	}
	return s.Kind.String() + " " + s.Name
}
