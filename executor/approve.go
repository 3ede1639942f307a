package executor

// Approvals: which steps and actions a person has to approve, the question to the person, and the
// check that the step then does what the person has approved.
//
// The executor examines a step before the question and again after the answer. Both times it hashes
// the action, the step, its arguments, its target, the document and the origin of the page, and the
// two hashes must be equal. The page compares the target once more when the input is armed and
// before each event of the input ([driver.Target.Expect]). The browser refuses what a page does by
// itself, unless the approval permits it ([driver.Consenter]).

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// A sight describes what a step would do on the current page.
type sight struct {
	why    []string        // reasons for an approval
	target *driver.Preview // nil without an element
	leads  string          // address to which the step leads
	input  map[string]any  // arguments with their values, not masked
	page   driver.Document
	hash   string
}

// approvalKey is the secret key of the hashes. It prevents others from guessing values by their
// hashes.
var approvalKey = func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
}()

// An approval is the permission of a person to run a step.
type approval struct {
	hash    string
	mark    string // [driver.Target.Expect] of its element
	consent driver.Consent
}

// approveAttempt asks for an approval of an attempt that needs one, and permits the page to do what
// was approved. The argument "have" is the approval of an earlier attempt that has sent no input,
// or nil.
func (e *execution) approveAttempt(ctx context.Context, have *approval) (*approval, error) {
	e.mark = ""
	if e.op.Entry.Block { // each iteration asks for its own approval
		return nil, nil
	}
	a, err := e.approve(ctx, have)
	if err != nil {
		return nil, err
	}
	if a == nil {
		if e.consents && e.op.LooksAtPage() {
			e.revoke(ctx)
		}
		return nil, nil
	}
	e.mark = a.mark
	if e.browser == nil {
		return a, nil
	}
	e.consents = true
	return a, e.browser.Permit(ctx, a.consent)
}

// revoke withdraws the permissions that approvals have given to the page.
func (r *run) revoke(ctx context.Context) {
	if r.consents && r.browser != nil {
		r.consents = false
		_ = r.browser.Permit(context.WithoutCancel(ctx), driver.Consent{})
	}
}

// approve asks for an approval of the step and returns it. It returns nil if the step needs none.
// The argument "have" is the approval of an earlier attempt that has sent no input, or nil. If
// nothing has changed since, approve does not ask again.
func (e *execution) approve(ctx context.Context, have *approval) (*approval, error) {
	if !e.mayNeedApproval() {
		return nil, nil
	}
	before, err := e.look(ctx)
	if err != nil || len(before.why) == 0 {
		return nil, err
	}
	if have == nil || have.hash != before.hash {
		if err := e.refused(before.leads); err != nil { // nobody has to approve a step that the policy denies
			return nil, err
		}
		if err := e.ask(ctx, e.request(ctx, before)); err != nil {
			return nil, err
		}
	}
	after, err := e.look(ctx)
	if err != nil {
		return nil, changedSince(err)
	}
	if after.hash != before.hash {
		return nil, changedSince(nil)
	}
	return after.approval(), nil
}

// checkURL returns a function that checks an address to which the step navigates. It returns nil if
// there is no policy.
func (e *execution) checkURL() func(string) error {
	if e.opts.Policy == nil {
		return nil
	}
	manual := e.prog.Action == nil && !e.o.Unattended
	return func(url string) error { return e.opts.Policy.URL(url, manual) }
}

// refused returns an error if the policy denies an address to which a step leads. It checks only
// http and https addresses. Other addresses reach no server.
func (e *execution) refused(address string) error {
	check := e.checkURL()
	if check == nil || !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return nil
	}
	return check(address)
}

// approval returns the approval of the step that s describes. A person must have approved it.
func (s *sight) approval() *approval {
	a := &approval{hash: s.hash}
	whole := slices.Contains(s.why, whyStep) || slices.Contains(s.why, whyDefinition)
	a.consent.Submit = whole || s.has(steps.RiskSubmit) || s.has(steps.RiskEval)
	a.consent.Download = whole || s.has(steps.RiskDownload)
	if origin := OriginOf(s.leads); origin != "" {
		a.consent.Origins = []string{origin}
	}
	if s.target != nil {
		a.mark = s.target.Mark
		if s.target.Submits || s.target.Implicit {
			a.consent.Form = s.leads
		}
	}
	return a
}

func (s *sight) has(r steps.Risk) bool { return slices.Contains(s.why, string(r)) }

// requires reports whether the configuration requires an approval for a risk or a step.
func (x *Options) requires(word string) bool { return slices.Contains(x.Approve, word) }

// requiresStep reports whether the configuration requires an approval for the step with this name.
// It returns false for a name that is also the name of a risk.
func (x *Options) requiresStep(name string) bool {
	return !steps.IsRisk(name) && x.requires(name)
}

// mayNeedApproval reports whether the step needs an approval, always or only on some pages.
func (e *execution) mayNeedApproval() bool {
	if len(e.sureWhy()) > 0 {
		return true
	}
	return !e.verifying && len(possibleRisks(&e.opts, e.op)) > 0
}

// sureWhy returns the reasons for an approval of the step that do not depend on the page.
func (e *execution) sureWhy() []string {
	if e.verifying {
		return nil
	}
	why := sureWhy(&e.opts, e.op)
	if e.inherits && e.op.IsInput() && !slices.Contains(why, whyDefinition) {
		why = append(why, whyDefinition)
	}
	return why
}

// sureWhy returns the reasons for an approval of op that do not depend on the page.
func sureWhy(o *Options, op *steps.Op) []string {
	var why []string
	if op.Spec.Approval {
		why = append(why, whyDefinition)
	}
	if o.requiresStep(op.PolicyName()) || o.requiresStep(op.Spec.Action.Value) {
		why = append(why, whyStep)
	}
	if r := catalogue.RiskOf(op); r != "" && o.requires(string(r)) {
		why = append(why, string(r))
	}
	return why
}

// possibleRisks returns the risks that op may have, depending on the page. It leaves out risks for
// which o requires no approval.
func possibleRisks(o *Options, op *steps.Op) []string {
	var out []string
	add := func(is bool, r steps.Risk) {
		if is && o.requires(string(r)) {
			out = append(out, string(r))
		}
	}
	press := catalogue.PressOf(op)
	_, goes := catalogue.Address(op)
	add(goes || press == catalogue.ByPointer || press == catalogue.ByKey, steps.RiskLeaveOrigin)
	add(press != catalogue.NoPress, steps.RiskSubmit)
	add(press == catalogue.ByPointer, steps.RiskDownload)
	return out
}

// look finds out what the step would do on the current page.
func (e *execution) look(ctx context.Context) (*sight, error) {
	t := e.times()
	limit := max(t.whole, approvalTimeout)
	ctx, cancel := withDeadline(ctx, e.opts.Clock, limit, stepTimeUp(e.res.Action, limit))
	defer cancel()
	if e.prog.opsReadPage[e.op] {
		if err := e.readPage(ctx, e.scope); err != nil {
			return nil, err
		}
	}
	s := &sight{why: e.sureWhy(), input: e.input()}
	page := e.page()
	if page != nil {
		var err error
		if s.page, err = page.Document(ctx); err != nil {
			return nil, err
		}
	}
	if err := e.preview(ctx, s, page, t); err != nil {
		return nil, err
	}
	e.foresee(s)
	s.hash = e.hashOf(s)
	return s, nil
}

// preview adds to s the element that the step would act on, and the address to which the element
// leads.
func (e *execution) preview(ctx context.Context, s *sight, page driver.Page, t times) error {
	if page == nil || e.op.Entry.Block {
		return nil
	}
	e.preferred, e.aliases = nil, nil
	tg := &targets{execution: e, wait: t.element, busy: e.opts.DefaultTimeout}
	args, err := e.op.Bind(&e.scope.Scope, tg.make)
	if err != nil {
		return err
	}
	var seen driver.Preview
	x, y, at := catalogue.Spot(e.op, s.input)
	switch subject := args.Subject(); {
	case subject != nil:
		seen, err = page.Preview(ctx, subject, catalogue.RiskOf(e.op) == steps.RiskUpload)
	case at:
		seen, err = page.PreviewAt(ctx, driver.Point{X: x, Y: y})
	case catalogue.PressOf(e.op) == catalogue.ByKey:
		seen, err = page.Preview(ctx, nil, true)
		if diag.CodeOf(err) == diag.StepFailed { // nothing has the focus
			return nil
		}
	default:
		return nil
	}
	if err != nil {
		return err
	}
	s.target, s.leads = &seen, seen.Leads
	return nil
}

// foresee adds to s the risks that depend on the page.
func (e *execution) foresee(s *sight) {
	from := OriginOf(s.page.URL)
	add := func(is bool, r steps.Risk) {
		if is && e.opts.requires(string(r)) && !s.has(r) {
			s.why = append(s.why, string(r))
		}
	}
	if x, goes := catalogue.Address(e.op); goes {
		if x != nil {
			s.leads, _ = x.Show(&e.scope.Scope, func(*expr.Ref) bool { return true }).(string)
		}
		add(from != "" && OriginOf(s.leads) != from, steps.RiskLeaveOrigin)
	}
	press, seen := catalogue.PressOf(e.op), s.target
	sends := press == catalogue.ByPointer || press == catalogue.ByKey && catalogue.MaySend(e.op, s.input)
	add(press == catalogue.ByButton, steps.RiskSubmit)
	if seen == nil || !sends {
		return
	}
	if press == catalogue.ByKey && !seen.Submits && !seen.Implicit && seen.Leads == "" {
		return
	}
	leads := OriginOf(seen.Leads)
	if seen.Origin != "" && seen.Origin != "null" {
		from = seen.Origin
	}
	add(leads != "" && leads != from, steps.RiskLeaveOrigin)
	add(seen.Submits || press == catalogue.ByKey && seen.Implicit, steps.RiskSubmit)
	add(seen.Saves, steps.RiskDownload)
}

// hashOf returns a hash of what a person approves. If the hash has changed when the answer arrives,
// the answer does not count.
func (e *execution) hashOf(s *sight) string {
	locals := make(map[string]any, len(e.scope.Locals))
	for _, l := range e.scope.Locals {
		locals[l.Name] = l.Value
	}
	target := ""
	if s.target != nil {
		_, target, _ = strings.Cut(s.target.Mark, "\n") // without the number of the element
		target += "\n" + s.target.Role + "\n" + s.target.Name + "\n" + s.target.Leads + "\n" + s.target.Origin
	}
	document := s.page.ID
	if _, goes := catalogue.Address(e.op); goes { // the step leaves the document, so it need not be the same after the answer
		document = ""
	}
	return hashOf(e.name, e.op.Spec.Path, e.res.Action, s.input, locals, target, s.leads, OriginOf(s.page.URL), document, s.why)
}

// hashOf returns a keyed hash of values.
func hashOf(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil { // does not happen: values of steps are plain data
		data = []byte(diag.JSONText(values))
	}
	m := hmac.New(sha256.New, approvalKey)
	m.Write(data)
	return hex.EncodeToString(m.Sum(nil))
}

// request returns the request for an approval of the step that s describes.
func (e *execution) request(ctx context.Context, s *sight) *ApprovalRequest {
	q := e.newRequest(ctx, s.page, s.why, s.input, s.hash)
	q.Action, q.Step, q.Path = e.name, e.res.Action, e.op.Spec.Path
	if s.target != nil || s.leads != "" {
		q.Target = &ApprovalTarget{Leads: withoutQuery(s.leads)}
	}
	if seen := s.target; seen != nil {
		q.Target.Role, q.Target.Name, q.Target.Text, q.Target.Desc = seen.Role, seen.Name, seen.Text, seen.Desc
	}
	if p := e.pass(); q.Target != nil {
		for _, text := range []*string{&q.Target.Name, &q.Target.Text, &q.Target.Desc, &q.Target.Leads} {
			*text = cutAt(p.String(*text), maxNamedBytes*5)
		}
	}
	return q
}

// approveAction asks for an approval of the action before its first step, if the action requires
// one.
func (f *frame) approveAction(ctx context.Context) error {
	if f.action == nil || !f.action.Approval {
		return nil
	}
	look := func() (driver.Document, string, error) {
		var doc driver.Document
		if page := f.page(); page != nil {
			var err error
			if doc, err = page.Document(ctx); err != nil {
				return doc, "", err
			}
		}
		return doc, hashOf(f.name, f.scope.Params, OriginOf(doc.URL)), nil
	}
	doc, hash, err := look()
	if err != nil {
		return err
	}
	q := f.newRequest(ctx, doc, []string{whyDefinition}, f.scope.Params, hash)
	q.Action = f.name
	if err := f.ask(ctx, q); err != nil {
		return err
	}
	if _, now, err := look(); err != nil || now != hash {
		return changedSince(err)
	}
	return nil
}

// didNothing reports whether an attempt that failed with this code has sent no input.
func didNothing(code diag.Code) bool {
	switch code {
	case diag.ElementNotFound, diag.ElementAmbiguous, diag.ElementNotInteractable:
		return true
	}
	return false
}

// planned returns what a plan says about the approval of an op: "required: …", "possible: …" or "".
func (p *planner) planned(op *steps.Op) string {
	why := sureWhy(&p.opts, op)
	if p.inherits && op.IsInput() && len(why) == 0 {
		why = []string{whyDefinition}
	}
	if len(why) > 0 {
		return spec.ApprovalRequired + ": " + strings.Join(why, ", ")
	}
	if risks := possibleRisks(&p.opts, op); len(risks) > 0 {
		return "possible: " + strings.Join(risks, ", ")
	}
	return ""
}
