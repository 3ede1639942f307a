package chrome

// The targets of a running browser: the tabs that a session can drive, and the tab that a user
// means.

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/startup"
)

// A Target is a tab of a running browser that a session can begin with.
type Target struct {
	ID    string
	Type  string // page
	Title string
	URL   string // without parts that may be secret: user, query and fragment
}

// Targets lists the tabs of the running browser at [startup.Options.CDP] that a session can drive.
// These are the tabs of the browser's own context. It changes nothing in the browser.
func Targets(ctx context.Context, o startup.Options) (list []Target, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	e, err := o.FindRunning(ctx)
	if err != nil {
		return nil, err
	}
	h := &host{opts: o, endpoint: e}
	if h.conn, err = cdp.Dial(ctx, e.Socket, func(*cdp.Event) {}, o.Trace); err != nil {
		return nil, e.Refused(err)
	}
	defer h.conn.Close()
	infos, err := h.ownTabs(ctx)
	if err != nil {
		return nil, e.Silent(err)
	}
	list = make([]Target, len(infos))
	for i, t := range infos {
		list[i] = targetOf(t)
	}
	return list, nil
}

func targetOf(t *proto.TargetTargetInfo) Target {
	address := t.URL
	title := titleOf(t.Title, address)
	if u, err := url.Parse(address); err == nil {
		if u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""; u.Opaque != "" && u.Scheme != "about" {
			address = u.Scheme + ":…"
		} else {
			address = u.String()
		}
	}
	return Target{ID: string(t.TargetID), Type: string(t.Type), Title: title, URL: address}
}

// ownTabs describes the tabs of the browser's own context.
func (h *host) ownTabs(ctx context.Context) (tabs []*proto.TargetTargetInfo, err error) {
	var targets proto.TargetGetTargetsResult
	if err := h.do(ctx, proto.TargetGetTargets{}, &targets); err != nil {
		return nil, err
	}
	var others proto.TargetGetBrowserContextsResult
	if err := h.do(ctx, proto.TargetGetBrowserContexts{}, &others); err != nil {
		return nil, err
	}
	for _, t := range targets.TargetInfos {
		inside := strings.HasPrefix(t.URL, "devtools:") || strings.HasPrefix(t.URL, "chrome-extension:")
		if t.Type == proto.TargetTargetInfoTypePage && !inside && !slices.Contains(others.BrowserContextIDs, t.BrowserContextID) {
			tabs = append(tabs, t)
		}
	}
	return tabs, nil
}

// target returns the tab whose id is the argument text. If there is none, it returns the only tab
// whose address contains that text.
func (o *windows) target(ctx context.Context, text string) (proto.TargetTargetID, error) {
	tabs, err := o.host.ownTabs(ctx)
	if err != nil {
		return "", err
	}
	var found []*proto.TargetTargetInfo
	for _, t := range tabs {
		if string(t.TargetID) == text {
			return t.TargetID, nil
		}
		if strings.Contains(t.URL, text) {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return found[0].TargetID, nil
	case 0:
		return "", diag.New(diag.ParamInvalid, "found no tab with %q as its id or in its address", text).WithHint("the open tabs are: %s", listed(tabs))
	}
	return "", diag.New(diag.ParamInvalid, "%d tabs of the browser have an address that contains %q", len(found), text).
		WithHint("write the id of one of these tabs: %s", listed(found))
}

const mostListed = 20 // targets in one error

// listed describes tabs in one line.
func listed(tabs []*proto.TargetTargetInfo) string {
	if len(tabs) == 0 {
		return "none"
	}
	var parts []string
	for _, t := range tabs[:min(len(tabs), mostListed)] {
		one := targetOf(t)
		parts = append(parts, fmt.Sprintf("%s (%s)", one.ID, one.URL))
	}
	if more := len(tabs) - mostListed; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}
