package steps

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

// A CookieJar holds the cookies of the active window.
type CookieJar interface {
	// Cookies returns the cookies that match f, by domain, path and name.
	Cookies(ctx context.Context, f CookieFilter) ([]Cookie, error)
	// SetCookie sets one and returns it as the browser stores it. A cookie that the browser
	// refuses is STEP_FAILED with the reason.
	SetCookie(ctx context.Context, c CookieParam) (Cookie, error)
	// RemoveCookies removes the cookies that match f and returns how many there were.
	RemoveCookies(ctx context.Context, f CookieFilter) (int, error)
}

// A Cookie is a cookie stored in the browser.
type Cookie struct {
	Name, Value string
	// Domain begins with a dot if the cookie is also for its subdomains.
	Domain, Path string
	Expires      time.Time // zero: until the window is closed
	HTTPOnly     bool
	Secure       bool
	SameSite     string // Strict, Lax, None, "" when the server did not say
	// Partition is the site that the cookie is partitioned under, "" for none. CrossSite
	// belongs to it.
	Partition string
	CrossSite bool
}

// A CookieParam is a cookie to set: for a URL, or a domain and a path.
type CookieParam struct {
	Cookie
	URL string
}

// A CookieFilter selects cookies that meet all conditions that are set.
type CookieFilter struct {
	URL    string // it would be sent there
	Domain string // its domain is this one or a subdomain
	Name   string
	Path   string
}

var cookieSteps = []*Entry{{
	Name: "cookies", Group: GroupBrowser, Effect: NoEffect, Limit: PageTime,
	Summary: "list, set and remove the cookies of the active window",
	Doc: "A cookie is read back after it was set: one that the browser refuses is STEP_FAILED, with the reason. " +
		"It is for a `url` (its host alone, unless `domain` is given too), or for a `domain` and its subdomains. " +
		"`remove` and `clear` return how many cookies there were. Values of cookies are like passwords: " +
		"they appear only where a step returns them, not in logs.",
	Example: "cookies: {do: set, name: consent, value: \"yes\", url: \"${env.BASE_URL}\", expires: 24h}",
	Args: []Arg{
		{Name: "name", Type: ArgText, Doc: "of the cookie"},
		{Name: "value", Type: ArgText, Doc: "of the cookie"},
		{Name: "url", Type: ArgText, Doc: "address to which the cookie is sent"},
		{Name: "domain", Type: ArgText, Doc: "the domain, including its subdomains"},
		{Name: "path", Type: ArgText, Doc: "of the cookie; for set, / by default"},
		{Name: "expires", Type: ArgText, Doc: "a time as RFC 3339 or in Unix seconds, or a duration from now such as 24h; absent: deleted with the window"},
		{Name: "http_only", Type: ArgBoolean, Default: false, Doc: "hidden from scripts of pages"},
		{Name: "secure", Type: ArgBoolean, Default: false, Doc: "sent over TLS only"},
		{Name: "same_site", Type: ArgEnum, Values: []string{"strict", "lax", "none"}, Doc: "whether other sites' requests carry it; none needs secure"},
	},
	Verbs: []Verb{
		{Name: "list", Doc: "list the cookies, by domain, path and name", Args: []string{"url", "domain", "name"}, Hand: []string{"url"}},
		{Name: "set", Doc: "set a cookie", Args: []string{"name", "value", "url", "domain", "path", "expires", "http_only", "secure", "same_site"},
			Needs: []string{"name", "value"}, Hand: []string{"name", "value"}},
		{Name: "remove", Doc: "remove the cookies of a name", Args: []string{"name", "domain", "path"}, Needs: []string{"name"}, Hand: []string{"name"}},
		{Name: "clear", Doc: "remove all cookies"},
	},
	Result: []Field{
		{"cookies", "of list: the cookies, each with name, value, domain, path, expires (RFC 3339, or null), http_only, secure, same_site, partition"},
		{"cookie", "of set: the cookie as the browser has it"},
		{"removed", "of remove and clear: how many there were"},
	},
	Check: checkCookies, Run: runCookies,
}}

func checkCookies(op *Op) diag.List {
	do, _ := op.Args[VerbArg].literalText()
	has := func(name string) bool { return op.Args[name] != nil }
	switch {
	case do == "set" && !has("url") && !has("domain"):
		return diag.List{diag.At(op.Args[VerbArg].Pos, diag.ParamRequired, "cookies set needs a url or a domain").
			WithHint("add url: address to which the cookie is sent")}
	case do == "list" && has("url") && has("domain"):
		return diag.List{diag.At(op.Args["domain"].Pos, diag.DefinitionInvalid, "cookies list takes a url or a domain, not both").
			WithHint("drop one of them")}
	}
	return nil
}

func runCookies(ctx context.Context, env *Env, a *Args) (Result, error) {
	f := CookieFilter{URL: a.Text("url"), Domain: a.Text("domain"), Name: a.Text("name"), Path: a.Text("path")}
	switch a.Text(VerbArg) {
	case "list":
		found, err := env.Browser.Cookies(ctx, f)
		if err != nil {
			return nil, err
		}
		list := make([]any, len(found))
		for i, c := range found {
			list[i] = c.data()
		}
		return Result{"cookies": list}, nil
	case "set":
		c := CookieParam{URL: f.URL, Cookie: Cookie{
			Name: f.Name, Value: a.Text("value"), Domain: f.Domain, Path: f.Path,
			HTTPOnly: a.Bool("http_only"), Secure: a.Bool("secure"), SameSite: sameSites[a.Text("same_site")],
		}}
		var err error
		if c.Expires, err = parseExpires(a.Text("expires"), time.Now()); err != nil {
			return nil, err
		}
		set, err := env.Browser.SetCookie(ctx, c)
		if err != nil {
			return nil, err
		}
		return Result{"cookie": set.data()}, nil
	}
	n, err := env.Browser.RemoveCookies(ctx, f)
	if err != nil {
		return nil, err
	}
	return Result{"removed": n}, nil
}

var sameSites = map[string]string{"strict": "Strict", "lax": "Lax", "none": "None"}

// parseExpires parses a time, Unix seconds, or a duration from now. "" is the zero time.
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
	return time.Time{}, diag.New(diag.ParamInvalid, "expires is %q, expected a time as RFC 3339, Unix seconds or a duration", clipped(text)).
		WithHint("write for example 2030-01-31T12:00:00Z, 1896177600 or 24h")
}

func clipped(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

func (c *Cookie) data() map[string]any {
	var expires any
	if !c.Expires.IsZero() {
		expires = c.Expires.UTC().Format(time.RFC3339)
	}
	return map[string]any{
		"name": c.Name, "value": c.Value, "domain": c.Domain, "path": c.Path, "expires": expires,
		"http_only": c.HTTPOnly, "secure": c.Secure, "same_site": orNull(strings.ToLower(c.SameSite)), "partition": orNull(c.Partition),
	}
}
