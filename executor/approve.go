package executor

// Approvals: which steps and actions a person has to approve, the question, and the check that the
// answer is about what then happens.
//
// A step is looked at twice: before the question and after the answer. Both looks must have the same
// hash of the action, the step, its arguments, its target, and the document and the origin of the page. The page
// compares the target once more when the input is armed and before each of its events
// ([driver.Target.Expect]). What a page does by itself is refused by the browser, unless the approval
// permits it ([driver.Consenter]).

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// An Approver asks a person. Package session implements it.
type Approver interface {
	// Approve waits until a person has answered. It returns nil only for a yes to this very request.
	// A no, and the end of the time for an answer, are POLICY_DENIED.
	Approve(ctx context.Context, r *ApprovalRequest) error
}

// An ApprovalRequest is what a person has to approve. Everything in it is masked.
type ApprovalRequest struct {
	Action string          `json:"action"`           // full name, or the name of a manual step
	Step   string          `json:"step,omitempty"`   // name of the step; "" for a whole action
	Path   string          `json:"path,omitempty"`   // of the step in the action
	Why    []string        `json:"why"`              // risks, "step" for a listed step, "definition"
	Params map[string]any  `json:"params,omitempty"` // arguments of the step, or params of the action
	Target *ApprovalTarget `json:"target,omitempty"`
	Page   ApprovalPage    `json:"page"`
	Hash   string          `json:"hash"` // of everything that the answer is bound to, with a key of this process

	// Picture is a JPEG of the viewport; nil if there is none.
	Picture []byte `json:"-"`
}

// An ApprovalTarget is the element that would be pressed or changed, and where that leads.
type ApprovalTarget struct {
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"`
	Desc string `json:"desc,omitempty"`
	// Leads is the address to which the step leads, without its query.
	Leads string `json:"leads,omitempty"`
}

// An ApprovalPage is the page on which the step would act.
type ApprovalPage struct {
	URL   string `json:"url"` // without its query
	Title string `json:"title"`
}

// Reasons of an approval besides the risks.
const (
	whyStep       = "step"       // policy.approve lists the step
	whyDefinition = "definition" // the definition says approval: required
)

// maxPictureBytes bounds the picture of an approval.
const maxPictureBytes = 200 << 10

// approvalTimeout bounds one look at the page for an approval.
const approvalTimeout = 5 * time.Second

// A sight is one look at a step that may need an approval.
type sight struct {
	why    []string
	target *driver.Preview // nil without an element
	leads  string          // address to which the step leads
	input  map[string]any  // arguments with their values, not masked
	page   driver.Document
	hash   string
}

// approvalKey is the key of the hashes, so that they reveal no value.
var approvalKey = func() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
}()

// An approval is the answer to the question about a step.
type approval struct {
	hash    string
	mark    string // [driver.Target.Expect] of its element
	consent driver.Consent
}

// approveAttempt asks for the approval of an attempt, if it needs one, and permits the page what the
// approval covers. have is the approval of an earlier attempt that has sent no input.
func (e *execution) approveAttempt(ctx context.Context, have *approval) (*approval, error) {
	e.mark = ""
	if e.op.Entry.Block { // each iteration asks
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

// revoke ends what an approval permits the page.
func (r *run) revoke(ctx context.Context) {
	if r.consents && r.browser != nil {
		r.consents = false
		_ = r.browser.Permit(context.WithoutCancel(ctx), driver.Consent{})
	}
}

// approve returns the approval of the step; nil if it needs none. have is an approval that no input
// has used yet; it still counts if nothing has changed.
func (e *execution) approve(ctx context.Context, have *approval) (*approval, error) {
	if !e.mayNeedApproval() {
		return nil, nil
	}
	before, err := e.look(ctx)
	if err != nil || len(before.why) == 0 {
		return nil, err
	}
	if have == nil || have.hash != before.hash {
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

// approval returns the approval of what was seen.
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
	}
	return a
}

func (s *sight) has(r steps.Risk) bool { return slices.Contains(s.why, string(r)) }

// requires reports whether the configuration requires an approval for a risk or a step.
func (x *Options) requires(word string) bool { return slices.Contains(x.Approve, word) }

// requiresStep is requires for the name of a step. A name that is also a risk is the risk.
func (x *Options) requiresStep(name string) bool {
	return !steps.IsRisk(name) && x.requires(name)
}

// mayNeedApproval reports whether the step needs an approval, as far as it can be told without the
// page.
func (e *execution) mayNeedApproval() bool {
	if len(e.sureWhy()) > 0 {
		return true
	}
	return !e.verifying && len(possibleRisks(&e.opts, e.op)) > 0
}

// sureWhy returns why the step needs an approval whatever the page shows.
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

// sureWhy returns why an op needs an approval whatever the page shows. A block asks in each
// iteration.
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

// possibleRisks returns the risks that an op may have, depending on the page, and for which the
// configuration requires an approval.
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

// look looks at what the step would do now.
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

// preview looks at the element on which the step would act.
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

// foresee adds the risks that depend on the page.
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

// hashOf returns the hash of everything that an answer is bound to.
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
	if _, goes := catalogue.Address(e.op); goes { // it leaves the document, whichever it is
		document = ""
	}
	return hashOf(e.name, e.op.Spec.Path, e.res.Action, s.input, locals, target, s.leads, OriginOf(s.page.URL), document, s.why)
}

// hashOf returns a keyed hash of values.
func hashOf(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil { // values of steps are plain data
		data = []byte(diag.JSONText(values))
	}
	m := hmac.New(sha256.New, approvalKey)
	m.Write(data)
	return hex.EncodeToString(m.Sum(nil))
}

// request returns the question about what was seen.
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

// newRequest returns a question with what all questions have, masked.
func (r *run) newRequest(ctx context.Context, doc driver.Document, why []string, params map[string]any, hash string) *ApprovalRequest {
	p, left := r.pass(), 32<<10
	q := &ApprovalRequest{Why: why, Hash: hash, Params: p.Map(r.fitMap(params, &left))}
	q.Page = ApprovalPage{URL: cutAt(p.String(withoutQuery(doc.URL)), maxWarningBytes), Title: cutAt(p.String(doc.Title), maxNamedBytes*5)}
	// A field may show a secret, and a picture cannot be masked.
	if page := r.page(); page != nil && r.masker.Len() == 0 && doc.URL != "" && doc.URL != blank && r.o.Approver != nil {
		ctx, cancel := withDeadline(ctx, r.opts.Clock, approvalTimeout, nil)
		defer cancel()
		if shot, err := page.Screenshot(ctx, driver.ShotOptions{Format: "jpeg"}); err == nil && len(shot.Data) <= maxPictureBytes {
			q.Picture = shot.Data
		}
	}
	return q
}

// approveAction asks for the approval of an action that requires one, before its first step.
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

// ask waits for the answer of a person. The wait does not count towards the time limits of the run.
func (r *run) ask(ctx context.Context, q *ApprovalRequest) error {
	if r.o.Approver == nil {
		return diag.New(diag.PolicyDenied, "%s requires an approval (%s), and this call has no way to ask a person", nameOf(q), strings.Join(q.Why, ", ")).
			WithDetail("reason", "no_approver").WithHint("run it through the daemon, and answer with: action approve ID")
	}
	if err := ctx.Err(); err != nil {
		return ended(ctx, nil)
	}
	pause := deadlineOf(ctx).Pause()
	err := r.o.Approver.Approve(ctx, q)
	pause.Resume()
	if err != nil && ctx.Err() != nil && diag.CodeOf(err) != diag.PolicyDenied {
		return ended(ctx, asError(err))
	}
	return err
}

// nameOf names what has to be approved, for messages.
func nameOf(q *ApprovalRequest) string {
	if q.Step == "" || q.Step == q.Action {
		return q.Action
	}
	return q.Step + " of " + q.Action
}

// changedSince returns the error for a page that changed while a person was asked. err says what was
// found afterwards; it may be nil.
func changedSince(err error) error {
	e := diag.New(diag.PolicyDenied, "the page has changed since the approval was requested, so the approval does not count; nothing was done").
		WithDetail("reason", "changed").WithHint("check the page with snapshot, then run it again: it asks again")
	if err != nil {
		found := asError(err)
		if found.Code == diag.Cancelled {
			return found
		}
		e.WithDetail("found", found.Msg).Because(err)
	}
	return e
}

// didNothing reports whether an attempt that failed with this code has sent no input, so that its
// approval is not used up.
func didNothing(code diag.Code) bool {
	switch code {
	case diag.ElementNotFound, diag.ElementAmbiguous, diag.ElementNotInteractable:
		return true
	}
	return false
}

// OriginOf returns the origin of an http or https address, such as https://example.test, or "".
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && !(u.Scheme == "http" && port == "80") && !(u.Scheme == "https" && port == "443") {
		host += ":" + port
	}
	return u.Scheme + "://" + host
}

// withoutQuery returns an address without the parts that often contain secrets: the user, the query
// and the fragment.
func withoutQuery(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.RawQuery != "" {
		u.RawQuery = "…"
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	text := u.String()
	if u.Opaque != "" { // data:, javascript:
		return u.Scheme + ":…"
	}
	return text
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
