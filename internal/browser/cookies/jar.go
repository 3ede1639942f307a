// Package cookies lists, sets and removes the cookies of one browser context, and converts them
// to and from the form of a saved state. It sends its calls to the browser, not to a page, so
// that neither the page nor a dialog that blocks it interferes.
//
// It stores nothing itself: the browser does. It knows nothing about windows, tabs or documents.
//
// Files, bottom to top: match, check, jar, state.
package cookies

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
)

// Protocol messages about cookies. The types of rod do not fit: in them, the key of a partition is a
// string, as in older browsers.
type (
	getCookies struct {
		Context proto.BrowserBrowserContextID `json:"browserContextId,omitempty"`
	}
	setCookies struct {
		Cookies []param                       `json:"cookies"`
		Context proto.BrowserBrowserContextID `json:"browserContextId,omitempty"`
	}
	deleteCookies struct {
		Name      string     `json:"name"`
		Domain    string     `json:"domain"`
		Path      string     `json:"path"`
		Partition *partition `json:"partitionKey,omitempty"`
	}
	partition struct {
		Site      string `json:"topLevelSite"`
		CrossSite bool   `json:"hasCrossSiteAncestor"`
	}
	kept struct {
		param
		Session bool `json:"session"`
	}
	param struct {
		Name      string     `json:"name"`
		Value     string     `json:"value"`
		URL       string     `json:"url,omitempty"`
		Domain    string     `json:"domain,omitempty"`
		Path      string     `json:"path,omitempty"`
		Expires   float64    `json:"expires,omitempty"` // Unix seconds
		HTTPOnly  bool       `json:"httpOnly"`
		Secure    bool       `json:"secure"`
		SameSite  string     `json:"sameSite,omitempty"`
		Partition *partition `json:"partitionKey,omitempty"`
	}
)

func (getCookies) ProtoReq() string    { return "Storage.getCookies" }
func (setCookies) ProtoReq() string    { return "Storage.setCookies" }
func (deleteCookies) ProtoReq() string { return "Network.deleteCookies" }

func (k *kept) plain() driver.Cookie {
	c := driver.Cookie{
		Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path,
		HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: k.SameSite,
	}
	if !k.Session && k.Expires > 0 {
		c.Expires = time.UnixMilli(int64(k.Expires * 1000))
	}
	if k.Partition != nil {
		c.Partition, c.CrossSite = k.Partition.Site, k.Partition.CrossSite
	}
	return c
}

func toParam(c driver.CookieParam) param {
	p := param{
		Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path,
		HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, Partition: partitionOf(c.Cookie),
	}
	if !c.Expires.IsZero() {
		p.Expires = float64(c.Expires.UnixMilli()) / 1000
	}
	return p
}

func partitionOf(c driver.Cookie) *partition {
	if c.Partition == "" {
		return nil
	}
	return &partition{c.Partition, c.CrossSite}
}

// A Jar holds the cookies of one browser context. It is safe for concurrent use.
type Jar struct {
	Conn    *cdp.Conn
	Context proto.BrowserBrowserContextID // "" means the browser's own
	// Session is the session of a page in the context. It is needed to remove single cookies.
	Session string
	// Explain converts the error of a call to a coded error. For nil, it returns nil.
	Explain func(context.Context, error) error
}

// Find returns the cookies that match f, sorted by domain, path and name. If f is invalid, the
// error is PARAM_INVALID.
func (j Jar) Find(ctx context.Context, f driver.CookieFilter) ([]driver.Cookie, error) {
	match, err := matcher(f)
	if err != nil {
		return nil, err
	}
	all, err := j.all(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(c driver.Cookie) bool { return !match(c) }), nil
}

// all returns all cookies, sorted by domain, path and name.
func (j Jar) all(ctx context.Context) ([]driver.Cookie, error) {
	var r struct {
		Cookies []kept `json:"cookies"`
	}
	if err := j.Explain(ctx, j.Conn.Do(ctx, "", getCookies{j.Context}, &r)); err != nil {
		return nil, err
	}
	all := make([]driver.Cookie, len(r.Cookies))
	for i := range r.Cookies {
		all[i] = r.Cookies[i].plain()
	}
	slices.SortStableFunc(all, func(x, y driver.Cookie) int {
		return cmp.Or(
			cmp.Compare(strings.TrimPrefix(x.Domain, "."), strings.TrimPrefix(y.Domain, ".")),
			cmp.Compare(x.Path, y.Path), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Partition, y.Partition))
	})
	return all, nil
}

// Set sets a cookie and returns it as the browser has stored it. If the browser refuses the cookie,
// the error is STEP_FAILED with the reason. If the URL of the cookie cannot have cookies, the error
// is PARAM_INVALID.
func (j Jar) Set(ctx context.Context, c driver.CookieParam) (driver.Cookie, error) {
	if err := refusal(c, time.Now()); err != nil {
		return driver.Cookie{}, err
	}
	if c.URL == "" {
		c.Path = cmp.Or(c.Path, "/")
	}
	if c.Domain = strings.TrimPrefix(c.Domain, "."); c.Domain != "" && !hasPrefixFold(c.Name, "__Host-") && net.ParseIP(c.Domain) == nil {
		c.Domain = "." + c.Domain // includes its subdomains
	}
	if err := j.send(ctx, c); err != nil {
		return driver.Cookie{}, err
	}
	return j.readBack(ctx, c)
}

func (j Jar) send(ctx context.Context, c driver.CookieParam) error {
	err := j.Conn.Do(ctx, "", setCookies{[]param{toParam(c)}, j.Context}, nil)
	var refused *rodcdp.Error
	if errors.As(err, &refused) {
		return notSet(c, "the browser rejected it: "+refused.Message)
	}
	return j.Explain(ctx, err)
}

// readBack returns the cookie c, which was just set, as the browser has stored it.
func (j Jar) readBack(ctx context.Context, c driver.CookieParam) (driver.Cookie, error) {
	all, err := j.all(ctx)
	if err != nil {
		return driver.Cookie{}, err
	}
	for _, k := range all {
		if k.Name == c.Name && k.Value == c.Value && isOf(k, c) && (c.Path == "" || k.Path == c.Path) && k.Partition == c.Partition {
			return k, nil
		}
	}
	return driver.Cookie{}, notSet(c, notKept)
}

// Remove removes the cookies that match f and returns how many there were. If a matching cookie
// still exists afterwards, the error is STEP_FAILED.
func (j Jar) Remove(ctx context.Context, f driver.CookieFilter) (int, error) {
	match, err := matcher(f)
	if err != nil {
		return 0, err
	}
	all, err := j.all(ctx)
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(c driver.Cookie) bool { return !match(c) })
	if f == (driver.CookieFilter{}) {
		if err := j.Clear(ctx); err != nil {
			return 0, err
		}
		return len(all), nil
	}
	var calls []*cdp.Call
	for _, c := range all {
		calls = append(calls, j.Conn.Start(ctx, j.Session, deleteCookies{c.Name, c.Domain, c.Path, partitionOf(c)}))
	}
	for _, k := range calls {
		if err := j.Explain(ctx, k.Wait(nil)); err != nil && !cdp.IsGone(err) {
			return 0, err
		}
	}
	left, err := j.all(ctx)
	if err != nil {
		return 0, err
	}
	if i := slices.IndexFunc(left, match); i >= 0 {
		return 0, diag.New(diag.StepFailed, "the cookie %q of %s was not removed", left[i].Name, left[i].Domain).
			WithHint("the page may have set the cookie again: check with `cookies list`")
	}
	return len(all), nil
}

// Clear removes all cookies.
func (j Jar) Clear(ctx context.Context) error {
	return j.Explain(ctx, j.Conn.Do(ctx, "", proto.StorageClearCookies{BrowserContextID: j.Context}, nil))
}
