package browser

// Cookies of a window. They are read, set and removed in the browser, not in a page, so
// that what a page does, or a dialog that blocks it, does not interfere.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/hosts"
)

// These are the calls and the cookies of the protocol: rod's date from 2024, when the key
// of a partition was a text.
type (
	getCookies struct {
		Context proto.BrowserBrowserContextID `json:"browserContextId,omitempty"`
	}
	setCookies struct {
		Cookies []cookieParam                 `json:"cookies"`
		Context proto.BrowserBrowserContextID `json:"browserContextId,omitempty"`
	}
	deleteCookies struct {
		Name      string           `json:"name"`
		Domain    string           `json:"domain"`
		Path      string           `json:"path"`
		Partition *cookiePartition `json:"partitionKey,omitempty"`
	}
	cookiePartition struct {
		Site      string `json:"topLevelSite"`
		CrossSite bool   `json:"hasCrossSiteAncestor"`
	}
	keptCookie struct {
		cookieParam
		Session bool `json:"session"`
	}
	cookieParam struct {
		Name      string           `json:"name"`
		Value     string           `json:"value"`
		URL       string           `json:"url,omitempty"`
		Domain    string           `json:"domain,omitempty"`
		Path      string           `json:"path,omitempty"`
		Expires   float64          `json:"expires,omitempty"` // Unix seconds
		HTTPOnly  bool             `json:"httpOnly"`
		Secure    bool             `json:"secure"`
		SameSite  string           `json:"sameSite,omitempty"`
		Partition *cookiePartition `json:"partitionKey,omitempty"`
	}
)

func (getCookies) ProtoReq() string    { return "Storage.getCookies" }
func (setCookies) ProtoReq() string    { return "Storage.setCookies" }
func (deleteCookies) ProtoReq() string { return "Network.deleteCookies" }

func (k *keptCookie) plain() driver.Cookie {
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

func toParam(c driver.CookieParam) cookieParam {
	p := cookieParam{
		Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path,
		HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, Partition: partitionOf(c.Cookie),
	}
	if !c.Expires.IsZero() {
		p.Expires = float64(c.Expires.UnixMilli()) / 1000
	}
	return p
}

func partitionOf(c driver.Cookie) *cookiePartition {
	if c.Partition == "" {
		return nil
	}
	return &cookiePartition{c.Partition, c.CrossSite}
}

// activeWindow returns the window of the active tab, and that tab.
func (b *Browser) activeWindow() (*window, *Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.active.window, b.active
}

// Cookies implements [driver.CookieJar].
func (b *Browser) Cookies(ctx context.Context, f driver.CookieFilter) ([]driver.Cookie, error) {
	match, err := cookieMatch(f)
	if err != nil {
		return nil, err
	}
	w, _ := b.activeWindow()
	all, err := b.cookiesOf(ctx, w)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(c driver.Cookie) bool { return !match(c) }), nil
}

func (b *Browser) cookiesOf(ctx context.Context, w *window) ([]driver.Cookie, error) {
	var r struct {
		Cookies []keptCookie `json:"cookies"`
	}
	if err := b.do(ctx, getCookies{w.contextToAsk()}, &r); err != nil {
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

// cookieMatch makes a filter a function.
func cookieMatch(f driver.CookieFilter) (func(driver.Cookie) bool, error) {
	var u *url.URL
	if f.URL != "" {
		var err error
		if u, err = webURL(f.URL); err != nil {
			return nil, err
		}
	}
	// A part of an address, such as 0.1, is not a host: it is compared as written.
	domain := strings.ToLower(strings.TrimPrefix(f.Domain, "."))
	if host := canonicalDomain(domain); net.ParseIP(host) == nil || net.ParseIP(domain) != nil {
		domain = host
	}
	return func(c driver.Cookie) bool {
		of := canonicalDomain(c.Domain)
		switch {
		case f.Name != "" && c.Name != f.Name, f.Path != "" && c.Path != f.Path:
			return false
		case domain != "" && of != domain && !strings.HasSuffix(of, "."+domain):
			return false
		}
		return u == nil || sentTo(c, u)
	}, nil
}

// sentTo reports whether a cookie is sent with a request for u, according to RFC 6265.
func sentTo(c driver.Cookie, u *url.URL) bool {
	if !hostMatches(c.Domain, u) || c.Secure && !isSecure(u) {
		return false
	}
	path := cmp.Or(u.EscapedPath(), "/")
	return path == c.Path || strings.HasPrefix(path, c.Path) && (strings.HasSuffix(c.Path, "/") || path[len(c.Path)] == '/')
}

func hostMatches(domain string, u *url.URL) bool {
	host, below := canonicalHost(u), canonicalDomain(domain)
	return host == below || strings.HasPrefix(domain, ".") && strings.HasSuffix(host, "."+below)
}

// canonicalHost is the host of u as a browser writes it, and as cookies have it.
func canonicalHost(u *url.URL) string {
	if host, ok := hosts.OfURL(u); ok {
		return host
	}
	return strings.ToLower(u.Hostname())
}

// canonicalDomain is the domain of a cookie, without the dot in front, in the same form.
func canonicalDomain(domain string) string {
	domain = strings.TrimPrefix(domain, ".")
	if host, ok := hosts.Canonical(domain); ok {
		return host
	}
	return strings.ToLower(domain)
}

// isSecure reports whether Chromium sends cookies for TLS to u: also to this machine.
func isSecure(u *url.URL) bool {
	host := canonicalHost(u)
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return u.Scheme == "https" || host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && addr.IsLoopback()
}

// webURL parses an address that may have cookies.
func webURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, diag.New(diag.ParamInvalid, "%q is no address of a web page", diag.Clip(address, 200)).
			WithHint("give a URL such as https://example.com/")
	}
	return u, nil
}

// SetCookie implements [driver.CookieJar].
func (b *Browser) SetCookie(ctx context.Context, c driver.CookieParam) (driver.Cookie, error) {
	if err := refusedCookie(c, time.Now()); err != nil {
		return driver.Cookie{}, err
	}
	if c.URL == "" {
		c.Path = cmp.Or(c.Path, "/")
	}
	if c.Domain = strings.TrimPrefix(c.Domain, "."); c.Domain != "" && !hasPrefixFold(c.Name, "__Host-") && net.ParseIP(c.Domain) == nil {
		c.Domain = "." + c.Domain // and those below it
	}
	w, _ := b.activeWindow()
	err := b.setCookie(ctx, w, c)
	if err != nil {
		return driver.Cookie{}, err
	}
	return b.readBack(ctx, w, c)
}

func (b *Browser) setCookie(ctx context.Context, w *window, c driver.CookieParam) error {
	err := b.conn.Do(ctx, "", setCookies{[]cookieParam{toParam(c)}, w.contextToAsk()}, nil)
	var refused *rodcdp.Error
	if errors.As(err, &refused) {
		return cookieFailed(c, "the browser does not take it: "+refused.Message)
	}
	return b.explain(ctx, err)
}

// readBack returns a cookie as it was set.
func (b *Browser) readBack(ctx context.Context, w *window, c driver.CookieParam) (driver.Cookie, error) {
	all, err := b.cookiesOf(ctx, w)
	if err != nil {
		return driver.Cookie{}, err
	}
	for _, kept := range all {
		if kept.Name == c.Name && kept.Value == c.Value && isOf(kept, c) && (c.Path == "" || kept.Path == c.Path) && kept.Partition == c.Partition {
			return kept, nil
		}
	}
	return driver.Cookie{}, cookieFailed(c, "the browser did not keep it")
}

// isOf reports whether a cookie belongs to the domain, or else to the host of the URL, of
// c.
func isOf(kept driver.Cookie, c driver.CookieParam) bool {
	if c.Domain != "" {
		return canonicalDomain(kept.Domain) == canonicalDomain(c.Domain)
	}
	u, err := url.Parse(c.URL)
	return err == nil && canonicalDomain(kept.Domain) == canonicalHost(u)
}

func cookieFailed(c driver.CookieParam, why string) *diag.Error {
	return diag.New(diag.StepFailed, "the cookie %q was not set: %s", diag.Clip(c.Name, 100), why).WithDetail("reason", why).
		WithHint("correct what it says and set the cookie again")
}

// maxCookie is the maximum number of bytes of name and value together.
const maxCookie = 4096

// refusedCookie says why a browser refuses a cookie: Chromium itself only reports that it
// does, or drops it.
func refusedCookie(c driver.CookieParam, now time.Time) error {
	var u *url.URL
	if c.URL != "" {
		var err error
		if u, err = webURL(c.URL); err != nil {
			return err
		}
	}
	for _, rule := range []struct {
		broken bool
		why    string
	}{
		{c.Name == "" && c.Value == "", "it has neither a name nor a value"},
		{badCookieText(c.Name, "=;"), "its name holds what may not stand in it: =, ; or a control character"},
		{badCookieText(c.Value, ";"), "its value holds what may not stand in it: ; or a control character"},
		{len(c.Name)+len(c.Value) > maxCookie, fmt.Sprintf("its name and value have %d bytes, more than %d", len(c.Name)+len(c.Value), maxCookie)},
		{c.Path != "" && !strings.HasPrefix(c.Path, "/"), fmt.Sprintf("its path is %q, which does not begin with /", c.Path)},
		{!c.Expires.IsZero() && !c.Expires.After(now), "it has expired: " + c.Expires.UTC().Format(time.RFC3339) + " is over (cookies remove removes one)"},
		{c.SameSite == "None" && !c.Secure, "same_site none needs secure: true"},
		{c.Partition != "" && !c.Secure, "a partitioned cookie needs secure: true"},
		{c.Secure && u != nil && !isSecure(u), "a secure cookie cannot be set for " + c.URL + ", which is not https"},
		{hasPrefixFold(c.Name, "__Secure-") && !c.Secure, "a name that begins with __Secure- needs secure: true"},
		{hasPrefixFold(c.Name, "__Host-") && !c.Secure, "a name that begins with __Host- needs secure: true"},
		{hasPrefixFold(c.Name, "__Host-") && u != nil && c.Domain != "", "a name that begins with __Host- may have no domain: it is of its host alone"},
		{hasPrefixFold(c.Name, "__Host-") && cmp.Or(c.Path, "/") != "/", "a name that begins with __Host- needs the path /"},
		{u != nil && c.Domain != "" && !hostMatches("."+strings.TrimPrefix(c.Domain, "."), u),
			fmt.Sprintf("the domain %s is not that of %s", c.Domain, c.URL)},
		{c.Domain != "" && !isHost(strings.TrimPrefix(c.Domain, ".")), fmt.Sprintf("%q is no domain", c.Domain)},
	} {
		if rule.broken {
			return cookieFailed(c, rule.why)
		}
	}
	return nil
}

func badCookieText(s, not string) bool {
	return strings.ContainsAny(s, not) || strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) >= 0
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// isHost reports whether a text can be the host of an address.
func isHost(s string) bool {
	u, err := url.Parse("http://" + s + "/")
	return err == nil && u.Port() == "" && (u.Hostname() == s || net.ParseIP(u.Hostname()) != nil) && !strings.ContainsAny(s, " /@\\")
}

// RemoveCookies implements [driver.CookieJar].
func (b *Browser) RemoveCookies(ctx context.Context, f driver.CookieFilter) (int, error) {
	match, err := cookieMatch(f)
	if err != nil {
		return 0, err
	}
	w, p := b.activeWindow()
	all, err := b.cookiesOf(ctx, w)
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(c driver.Cookie) bool { return !match(c) })
	if f == (driver.CookieFilter{}) {
		if err := b.do(ctx, proto.StorageClearCookies{BrowserContextID: w.contextToAsk()}, nil); err != nil {
			return 0, err
		}
		return len(all), nil
	}
	var calls []*cdp.Call
	for _, c := range all {
		calls = append(calls, b.conn.Start(ctx, p.session, deleteCookies{c.Name, c.Domain, c.Path, partitionOf(c)}))
	}
	if err := p.finish(ctx, calls); err != nil {
		return 0, err
	}
	left, err := b.cookiesOf(ctx, w)
	if err != nil {
		return 0, err
	}
	if i := slices.IndexFunc(left, match); i >= 0 {
		return 0, diag.New(diag.StepFailed, "the cookie %q of %s was not removed", left[i].Name, left[i].Domain).
			WithHint("the page may have set it anew: look at it with cookies list")
	}
	return len(all), nil
}
