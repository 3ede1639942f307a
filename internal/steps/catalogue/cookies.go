package catalogue

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type listCookiesArgs struct {
	URL    string `arg:"url" pos:"1"`
	Domain string `arg:"domain"`
	Name   string `arg:"name"`
}

type setCookieArgs struct {
	Name     string `arg:"name,required" pos:"1" doc:"of the cookie"`
	Value    string `arg:"value,required" pos:"2" doc:"of the cookie"`
	URL      string `arg:"url" doc:"address to which the cookie is sent"`
	Domain   string `arg:"domain" doc:"the domain, including its subdomains"`
	Path     string `arg:"path" doc:"of the cookie; for set, / by default"`
	Expires  string `arg:"expires" doc:"a time as RFC 3339 or in Unix seconds, or a duration from now such as 24h; absent: deleted with the window"`
	HTTPOnly bool   `arg:"http_only" default:"false" doc:"hidden from scripts of pages"`
	Secure   bool   `arg:"secure" default:"false" doc:"sent over TLS only"`
	SameSite string `arg:"same_site" enum:"strict lax none" doc:"whether requests of other sites include it; none requires secure"`
}

type removeCookiesArgs struct {
	Name   string `arg:"name,required" pos:"1"`
	Domain string `arg:"domain"`
	Path   string `arg:"path"`
}

type cookiesResult struct {
	Cookies []cookieData `json:"cookies" doc:"of list: the cookies, each with name, value, domain, path, expires (RFC 3339, or null), http_only, secure, same_site, partition"`
}

type cookieResult struct {
	Cookie cookieData `json:"cookie" doc:"of set: the cookie as the browser stores it"`
}

type removedResult struct {
	Removed int `json:"removed" doc:"of remove and clear: how many there were"`
}

type cookieData struct {
	Name      string  `json:"name"`
	Value     string  `json:"value"`
	Domain    string  `json:"domain"`
	Path      string  `json:"path"`
	Expires   *string `json:"expires"`
	HTTPOnly  bool    `json:"http_only"`
	Secure    bool    `json:"secure"`
	SameSite  *string `json:"same_site"`
	Partition *string `json:"partition"`
}

var cookieSteps = []*steps.Entry{steps.DefineVerbs(steps.Entry{
	Name: "cookies", Group: steps.GroupBrowser, Effect: driver.NoEffect, Limit: steps.PageTime,
	Summary: "list, set and remove the cookies of the active window",
	Doc: "`set` reads the cookie back: one that the browser refuses is STEP_FAILED, with the reason. " +
		"A cookie is for a `url` (only its host, unless `domain` is given too), or for a `domain` and its subdomains. " +
		"`remove` and `clear` return how many cookies there were. Values of cookies are treated like passwords: " +
		"they appear only where a step returns them, not in logs.",
	Example: "cookies: {do: set, name: consent, value: \"yes\", url: \"${env.BASE_URL}\", expires: 24h}",
},
	steps.NewVerb(steps.Verb{Name: "list", Doc: "list the cookies, by domain, path and name"}, listCookies, steps.Checks(checkListCookies)),
	steps.NewVerb(steps.Verb{Name: "set", Doc: "set a cookie"}, setCookie, steps.Checks(checkSetCookie)),
	steps.NewVerb(steps.Verb{Name: "remove", Doc: "remove the cookies of a name"}, func(ctx context.Context, env *steps.Env, a *removeCookiesArgs) (removedResult, error) {
		n, err := env.Browser.RemoveCookies(ctx, driver.CookieFilter{Name: a.Name, Domain: a.Domain, Path: a.Path})
		return removedResult{n}, err
	}),
	steps.NewVerb(steps.Verb{Name: "clear", Doc: "remove all cookies"}, func(ctx context.Context, env *steps.Env, _ *noArgs) (removedResult, error) {
		n, err := env.Browser.RemoveCookies(ctx, driver.CookieFilter{})
		return removedResult{n}, err
	}),
)}

func checkListCookies(w *steps.Written[listCookiesArgs]) diag.List {
	if !w.Has(&w.Args.URL) || !w.Has(&w.Args.Domain) {
		return nil
	}
	return diag.List{diag.At(w.At(&w.Args.Domain).Pos, diag.DefinitionInvalid, "`cookies list` takes a url or a domain, not both").
		WithHint("remove `url` or `domain`")}
}

func listCookies(ctx context.Context, env *steps.Env, a *listCookiesArgs) (r cookiesResult, err error) {
	found, err := env.Browser.Cookies(ctx, driver.CookieFilter{URL: a.URL, Domain: a.Domain, Name: a.Name})
	for i := range found {
		r.Cookies = append(r.Cookies, cookieOf(&found[i]))
	}
	return r, err
}

func checkSetCookie(w *steps.Written[setCookieArgs]) diag.List {
	if w.Has(&w.Args.URL) || w.Has(&w.Args.Domain) {
		return nil
	}
	return diag.List{diag.At(w.Op.Args[steps.VerbArg].Pos, diag.ParamRequired, "`cookies set` needs a url or a domain").
		WithHint("add `url`, the address to which the cookie is sent")}
}

func setCookie(ctx context.Context, env *steps.Env, a *setCookieArgs) (cookieResult, error) {
	c := driver.CookieParam{URL: a.URL, Cookie: driver.Cookie{
		Name: a.Name, Value: a.Value, Domain: a.Domain, Path: a.Path,
		HTTPOnly: a.HTTPOnly, Secure: a.Secure, SameSite: sameSites[a.SameSite],
	}}
	var err error
	if c.Expires, err = parseExpires(a.Expires, time.Now()); err != nil {
		return cookieResult{}, err
	}
	set, err := env.Browser.SetCookie(ctx, c)
	return cookieResult{cookieOf(&set)}, err
}

var sameSites = map[string]string{"strict": "Strict", "lax": "Lax", "none": "None"}

// parseExpires parses the expiry time of a cookie: a time in RFC 3339, Unix seconds, or a duration
// from now. For "", it returns the zero time.
func parseExpires(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	if d, err := time.ParseDuration(text); err == nil && text != "0" {
		return now.Add(d), nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(seconds) && math.Abs(seconds) < 1e12 {
		return time.UnixMilli(int64(seconds * 1000)), nil
	}
	return time.Time{}, diag.New(diag.ParamInvalid, "expires is %q, expected a time as RFC 3339, Unix seconds or a duration", diag.Clip(text, 60)).
		WithHint("write for example 2030-01-31T12:00:00Z, 1896177600 or 24h")
}

func cookieOf(c *driver.Cookie) cookieData {
	d := cookieData{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure,
		SameSite: orNil(strings.ToLower(c.SameSite)), Partition: orNil(c.Partition),
	}
	if !c.Expires.IsZero() {
		d.Expires = orNil(c.Expires.UTC().Format(time.RFC3339))
	}
	return d
}
