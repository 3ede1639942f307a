package executor

// The question to a person about a step or an action.

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// An Approver asks a person. Package session implements it.
type Approver interface {
	// Approve waits for the answer of a person. It returns nil only if the person has approved this
	// request. If the person refuses, or nobody answers in time, the error is POLICY_DENIED.
	Approve(ctx context.Context, r *ApprovalRequest) error
}

// An ApprovalRequest is what a person has to approve. Secrets in it are masked.
type ApprovalRequest struct {
	Action string          `json:"action"`           // full name, or the name of a manual step
	Step   string          `json:"step,omitempty"`   // name of the step; "" for a whole action
	Path   string          `json:"path,omitempty"`   // of the step in the action
	Why    []string        `json:"why"`              // the reasons: names of risks, "step", "definition"
	Params map[string]any  `json:"params,omitempty"` // arguments of the step, or params of the action
	Target *ApprovalTarget `json:"target,omitempty"`
	Page   ApprovalPage    `json:"page"`
	Hash   string          `json:"hash"` // keyed hash of everything that must still be the same after the answer

	// Picture is a JPEG of the viewport; nil if there is none.
	Picture []byte `json:"-"`
}

// An ApprovalTarget is the element that the step would press or change.
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

// approvalTimeout bounds the time for taking the picture. Finding out what the step would do gets
// at least this time.
const approvalTimeout = 5 * time.Second

// newRequest returns a request with the fields that are common to steps and actions. Secrets in it
// are masked.
func (r *run) newRequest(ctx context.Context, doc driver.Document, why []string, params map[string]any, hash string) *ApprovalRequest {
	p, left := r.pass(), 32<<10
	q := &ApprovalRequest{Why: why, Hash: hash, Params: p.Map(r.fitMap(params, &left))}
	q.Page = ApprovalPage{URL: cutAt(p.String(withoutQuery(doc.URL)), maxWarningBytes), Title: cutAt(p.String(doc.Title), maxNamedBytes*5)}
	// A run with secrets gets no picture: a field may show a secret, and a picture cannot be masked.
	if page := r.page(); page != nil && r.masker.Len() == 0 && doc.URL != "" && doc.URL != blank && r.o.Approver != nil {
		ctx, cancel := withDeadline(ctx, r.opts.Clock, approvalTimeout, nil)
		defer cancel()
		if shot, err := page.Screenshot(ctx, driver.ShotOptions{Format: "jpeg"}); err == nil && len(shot.Data) <= maxPictureBytes {
			q.Picture = shot.Data
		}
	}
	return q
}

// ask waits for the answer of a person. The wait does not count towards the time limits of the run.
func (r *run) ask(ctx context.Context, q *ApprovalRequest) error {
	if r.o.Approver == nil {
		return diag.New(diag.PolicyDenied, "%s requires an approval (%s), and this call has no way to ask a person", nameOf(q), strings.Join(q.Why, ", ")).
			WithDetail("reason", "no_approver").WithHint("run the command through the daemon, and answer with: action approve ID")
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

// changedSince returns the error for a page that changed before a person answered. err is the error
// of reading the page again, or nil.
func changedSince(err error) error {
	e := diag.New(diag.PolicyDenied, "the page has changed since the approval was requested, so the approval does not count; nothing was done").
		WithDetail("reason", "changed").WithHint("check the page, then run the action again: the new run asks for a new approval")
	if err != nil {
		found := asError(err)
		if found.Code == diag.Cancelled {
			return found
		}
		e.WithDetail("found", found.Msg).Because(err)
	}
	return e
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
