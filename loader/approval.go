package loader

// The keys of the configuration about approvals, and `approval` in definitions that several sources
// write: a package cannot remove it.

import (
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// The values of policy.approve_by: the channels over which a person may answer an approval.
const (
	ByTerminal = "terminal" // the terminal that started the run
	ByCommand  = "command"  // action approve and action deny
	BySocket   = "socket"   // a program on the daemon's socket
	ByHTTP     = "http"     // a program on the HTTP API
	ByConsole  = "console"  // the console page
	ByMCP      = "mcp"      // elicitation by the client of action mcp
)

var (
	approveChannels = []string{ByTerminal, ByCommand, BySocket, ByHTTP, ByConsole, ByMCP}
	approveDefault  = []string{ByTerminal, ByCommand, BySocket, ByHTTP, ByConsole}
)

// The bounds and the default of policy.approve_timeout.
const (
	defaultApproveTimeout  = 5 * time.Minute
	shortestApproveTimeout = 10 * time.Second
	longestApproveTimeout  = 24 * time.Hour
)

// ApproveTime returns how long a run waits for an approval.
func (p *Policy) ApproveTime() time.Duration {
	if p.ApproveTimeout == 0 {
		return defaultApproveTimeout
	}
	return p.ApproveTimeout
}

// ApproveChannels returns the channels over which approvals may be answered. The caller owns the
// slice.
func (p *Policy) ApproveChannels() []string {
	if p.ApproveBy == nil {
		return slices.Clone(approveDefault)
	}
	return slices.Clone(p.ApproveBy)
}

// approve reads the risks and steps that a person must approve. The lists of all sources add up.
func (r *configReader) approve(n *spec.Node) {
	var words []string
	if r.list(n, &words); r.failed {
		return
	}
	known := append(risks(), stepNames()...)
	for i, word := range words {
		if contains(known, word) {
			continue
		}
		e := r.errorf(n.Items[i], "found %s, expected a risk or the name of a step", clip(word))
		if e.Hint = diag.DidYouMean(word, known); e.Hint == "" {
			e.WithHint("use a risk (%s), or a step that docs/steps.md lists", strings.Join(risks(), ", "))
		}
	}
	if !r.failed {
		r.config.Policy.Approve = append(r.config.Policy.Approve, words...)
	}
}

func risks() []string {
	var out []string
	for _, r := range steps.Risks() {
		out = append(out, string(r))
	}
	return out
}

func (r *configReader) approveTimeout(n *spec.Node) {
	var d time.Duration
	if r.duration(n, &d); r.failed {
		return
	}
	if d < shortestApproveTimeout || d > longestApproveTimeout {
		r.kind(n, "a duration from 10s to 24h")
		return
	}
	r.config.Policy.ApproveTimeout = d
}

// approveBy reads the channels that may answer an approval. The list of the user's own file
// replaces the default. The list of any other source can only remove channels.
func (r *configReader) approveBy(n *spec.Node) {
	var words []string
	if r.list(n, &words); r.failed {
		return
	}
	for i, word := range words {
		if contains(approveChannels, word) {
			continue
		}
		e := r.errorf(n.Items[i], "found %s, expected a channel for approvals", clip(word))
		if e.Hint = diag.DidYouMean(word, approveChannels); e.Hint == "" {
			e.WithHint("use one or more of %s", strings.Join(approveChannels, ", "))
		}
	}
	if r.failed {
		return
	}
	if r.from == fromUser {
		r.config.Policy.ApproveBy = append([]string{}, words...)
		return
	}
	before, kept := r.config.Policy.ApproveChannels(), []string{}
	for _, word := range words {
		if contains(before, word) {
			kept = append(kept, word)
			continue
		}
		if r.from == fromProject {
			r.loosens(n, "policy.approve_by: ["+word+"]")
			return
		}
	}
	r.config.Policy.ApproveBy = kept
}

// requiresApproval reports whether an action, as one file defines it, requires an approval for the
// whole action or for one of its steps.
func requiresApproval(action *spec.Node) bool {
	if n := action.Get(spec.KeyApproval); n != nil && n.Str == spec.ApprovalRequired {
		return true
	}
	return approvalWithin(action.Get(spec.KeySteps))
}

// approvalWithin reports whether a step in n, at any depth, requires an approval.
func approvalWithin(n *spec.Node) bool {
	if n == nil {
		return false
	}
	for _, item := range n.Items {
		if k := item.Get(spec.KeyApproval); k != nil && k.Str == spec.ApprovalRequired {
			return true
		}
		for _, key := range item.Keys {
			if approvalWithin(key.Value) {
				return true
			}
		}
	}
	for _, key := range n.Keys {
		if approvalWithin(key.Value) {
			return true
		}
	}
	return false
}

// keepApproval updates p.approved for an entry e that the caller is about to add. A package cannot
// remove an approval that a lower source requires. A file of the user or of the project can.
func (p *pile) keepApproval(e entry) {
	writes := e.key.Value.Get(spec.KeySteps) != nil || e.key.Value.Get(spec.KeyApproval) != nil
	switch {
	case !writes:
	case e.file.source.Kind > spec.Package:
		p.approved = false
	case e.file.source.Kind == spec.Package && p.file.source != e.file.source:
		p.approved = p.approved || requiresApproval(p.key.Value)
	}
}

// packageVariant reports whether a package removes an approval for some versions: it replaces steps
// that require an approval with steps that require none.
func packageVariant(ns *spec.Namespace, a *spec.Action) bool {
	for _, l := range ns.Layers {
		for _, o := range l.Overrides {
			v := o.Actions[a.Name]
			if v != nil && v.Steps != nil && v.Source.Kind == spec.Package && stepsRequireApproval(a.Steps) && !stepsRequireApproval(v.Steps) {
				return true
			}
		}
	}
	return false
}

func stepsRequireApproval(list []*spec.Step) bool {
	return slices.ContainsFunc(list, func(s *spec.Step) bool {
		found := s.Approval
		s.Nested(func(inner []*spec.Step) { found = found || stepsRequireApproval(inner) })
		return found
	})
}
