package cookies

// Matching of cookies: by a filter, and by the address that they are sent to. Hosts are compared
// in the form in which browsers write them, however an address writes them.

import (
	"cmp"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/hosts"
)

// matcher returns a function that reports whether a cookie matches the filter f.
func matcher(f driver.CookieFilter) (func(driver.Cookie) bool, error) {
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

// sentTo reports whether the browser sends a cookie with a request to u, according to RFC 6265.
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

// isOf reports whether the stored cookie k has the domain of c. If c has no domain, the host of c's
// URL is used instead.
func isOf(k driver.Cookie, c driver.CookieParam) bool {
	if c.Domain != "" {
		return canonicalDomain(k.Domain) == canonicalDomain(c.Domain)
	}
	u, err := url.Parse(c.URL)
	return err == nil && canonicalDomain(k.Domain) == canonicalHost(u)
}

// canonicalHost returns the host of u in the form that browsers and cookies use.
func canonicalHost(u *url.URL) string {
	if host, ok := hosts.OfURL(u); ok {
		return host
	}
	return strings.ToLower(u.Hostname())
}

// canonicalDomain returns the domain of a cookie without a leading dot, in the same form as
// canonicalHost.
func canonicalDomain(domain string) string {
	domain = strings.TrimPrefix(domain, ".")
	if host, ok := hosts.Canonical(domain); ok {
		return host
	}
	return strings.ToLower(domain)
}

// isSecure reports whether Chromium sends secure cookies to u. It does if u uses TLS or if the host
// is this machine.
func isSecure(u *url.URL) bool {
	host := canonicalHost(u)
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return u.Scheme == "https" || host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && addr.IsLoopback()
}

// webURL parses the address of a web page. For other addresses, which cannot have cookies, the
// error is PARAM_INVALID.
func webURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, diag.New(diag.ParamInvalid, "%q is not the address of a web page", diag.Clip(address, 200)).
			WithHint("give a URL such as https://example.com/")
	}
	return u, nil
}
