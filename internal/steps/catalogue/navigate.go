package catalogue

import (
	"context"
	"net/url"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type openArgs struct {
	URL string `arg:"url,required" pos:"1" doc:"where to go, with its scheme"`
	untilArg
}

type untilArg struct {
	WaitUntil driver.LoadState `arg:"wait_until" default:"load" doc:"load state to wait for"`
}

type noArgs struct{}

type navigationResult struct {
	URL    string `json:"url" doc:"address of the document"`
	Title  string `json:"title" doc:"its title"`
	Status int    `json:"status" doc:"HTTP status, 0 if there is none"`
}

var navigateSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "open", Group: steps.GroupNavigate, Limit: steps.PageTime, Opens: true,
		Summary: "go to an address",
		Doc:     "Takes http, https and about:blank, and file: from the command line; a definition, or a model, opens file: only if the policy allows it (policy.file_urls). An address that cannot be reached is NAVIGATION_FAILED. An HTTP error page counts as a page; its status is in the result.",
		Example: "open: \"${env.BASE_URL}/login\"",
	}, func(ctx context.Context, env *steps.Env, a *openArgs) (navigationResult, error) {
		if err := checkURL(env, a.URL); err != nil {
			return navigationResult{}, err
		}
		return navigation(env.Page.Open(ctx, a.URL, a.WaitUntil))
	}),
	steps.Define(steps.Entry{
		Name: "back", Group: steps.GroupNavigate, Limit: steps.PageTime,
		Summary: "go back one entry of the history",
		Doc:     postDoc,
		Example: "back:",
	}, func(ctx context.Context, env *steps.Env, _ *noArgs) (navigationResult, error) {
		return again(env)(env.Page.History(ctx, -1))
	}),
	steps.Define(steps.Entry{
		Name: "forward", Group: steps.GroupNavigate, Limit: steps.PageTime,
		Summary: "go forward one entry of the history",
		Doc:     postDoc,
		Example: "forward:",
	}, func(ctx context.Context, env *steps.Env, _ *noArgs) (navigationResult, error) {
		return again(env)(env.Page.History(ctx, 1))
	}),
	steps.Define(steps.Entry{
		Name: "reload", Command: "reload_page", Group: steps.GroupNavigate, Limit: steps.PageTime,
		Summary: "load the document again",
		Doc:     postDoc,
		Example: "reload:",
	}, func(ctx context.Context, env *steps.Env, a *untilArg) (navigationResult, error) {
		return again(env)(env.Page.Reload(ctx, a.WaitUntil))
	}),
}

const postDoc = "If the page was the answer to a form that was sent by POST, the browser sends the form again without asking, with the warning post_repeated. To see the page without that, open its address."

// again returns a function that makes the result of the steps back, forward and reload. The
// function warns if the browser has sent a form again.
func again(env *steps.Env) func(driver.Navigation, error) (navigationResult, error) {
	return func(n driver.Navigation, err error) (navigationResult, error) {
		if err == nil && n.Posted {
			env.Warn("post_repeated", "the page was the answer to a POST, which the browser has sent again: its effects may now have happened twice")
		}
		return navigation(n, err)
	}
}

func navigation(n driver.Navigation, err error) (navigationResult, error) {
	return navigationResult{URL: n.URL, Title: n.Title, Status: n.Status}, err
}

// CheckWebURL returns nil for about:blank and for absolute http and https addresses. For an address
// with another scheme, the error is a POLICY_DENIED. For an invalid address, it is a PARAM_INVALID.
func CheckWebURL(raw string) error {
	if raw == "about:blank" {
		return nil
	}
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return diag.New(diag.ParamInvalid, "the url is empty, expected an address like https://example.test/").
			WithHint("check the param or environment variable that the url comes from")
	case err != nil:
		return diag.New(diag.ParamInvalid, "%q is not a url", raw).
			WithHint("write an absolute address like https://example.test/path").Because(err)
	case u.Scheme == "http" || u.Scheme == "https":
		if u.Host == "" {
			return diag.New(diag.ParamInvalid, "the url %q has no host", raw).
				WithHint("write an absolute address like https://example.test/path")
		}
		return nil
	case u.Scheme == "":
		return diag.New(diag.ParamInvalid, "the url %q has no scheme", raw).
			WithHint("write http://%s or https://%s", raw, raw)
	}
	return diag.New(diag.PolicyDenied, "found a %s: address, expected http, https or about:blank", u.Scheme).
		WithHint("serve the page over http; to allow file: addresses, set policy.file_urls in your own config")
}

// checkURL returns an error if a step may not go to an address. Every step that takes an address
// calls it before it goes there.
func checkURL(env *steps.Env, address string) error {
	if env.Visits != nil {
		env.Visits(address)
	}
	if env.CheckURL == nil {
		return CheckWebURL(address)
	}
	return env.CheckURL(address)
}
