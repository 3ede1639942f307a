package cookies

// Which cookies are meant: those of a filter, and those that go to an address. Hosts are compared
// in the form in which browsers write them, whatever an address says.

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

// matcher makes a filter a function.
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

// isOf reports whether a cookie belongs to the domain, or else to the host of the URL, of
// c.
func isOf(k driver.Cookie, c driver.CookieParam) bool {
	if c.Domain != "" {
		return canonicalDomain(k.Domain) == canonicalDomain(c.Domain)
	}
	u, err := url.Parse(c.URL)
	return err == nil && canonicalDomain(k.Domain) == canonicalHost(u)
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

// isSecure reports whether Chromium sends secure cookies to u: over TLS, and to this machine.
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
