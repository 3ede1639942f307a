package cookies

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// notKept is the reason in the error for a cookie that the browser has accepted but not stored.
const notKept = "the browser did not keep it"

func notSet(c driver.CookieParam, why string) *diag.Error {
	return diag.New(diag.StepFailed, "the cookie %q was not set: %s", diag.Clip(c.Name, 100), why).WithDetail("reason", why).
		WithHint("correct the cookie, then set it again")
}

// maxSize limits the bytes of a cookie's name and value together.
const maxSize = 4096

// refusal returns an error if a browser would refuse the cookie c. Chromium gives no reason for a
// refusal, and drops some cookies without an error.
func refusal(c driver.CookieParam, now time.Time) error {
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
		{isBadText(c.Name, "=;"), "its name contains a forbidden character: =, ; or a control character"},
		{isBadText(c.Value, ";"), "its value contains a forbidden character: ; or a control character"},
		{len(c.Name)+len(c.Value) > maxSize, fmt.Sprintf("its name and value have %d bytes, more than %d", len(c.Name)+len(c.Value), maxSize)},
		{c.Path != "" && !strings.HasPrefix(c.Path, "/"), fmt.Sprintf("its path is %q, which does not begin with /", c.Path)},
		{!c.Expires.IsZero() && !c.Expires.After(now), "it has expired: " + c.Expires.UTC().Format(time.RFC3339) + " has passed (to remove a cookie, use `cookies remove`)"},
		{c.SameSite == "None" && !c.Secure, "same_site none needs secure: true"},
		{c.Partition != "" && !c.Secure, "a partitioned cookie needs secure: true"},
		{c.Secure && u != nil && !isSecure(u), "a secure cookie cannot be set for " + c.URL + ", which is not https"},
		{hasPrefixFold(c.Name, "__Secure-") && !c.Secure, "a name that begins with __Secure- needs secure: true"},
		{hasPrefixFold(c.Name, "__Host-") && !c.Secure, "a name that begins with __Host- needs secure: true"},
		{hasPrefixFold(c.Name, "__Host-") && u != nil && c.Domain != "", "a name that begins with __Host- may have no domain: it belongs to its host only"},
		{hasPrefixFold(c.Name, "__Host-") && cmp.Or(c.Path, "/") != "/", "a name that begins with __Host- needs the path /"},
		{u != nil && c.Domain != "" && !hostMatches("."+strings.TrimPrefix(c.Domain, "."), u),
			fmt.Sprintf("the domain %s is not that of %s", c.Domain, c.URL)},
		{c.Domain != "" && !isHost(strings.TrimPrefix(c.Domain, ".")), fmt.Sprintf("%q is not a domain", c.Domain)},
	} {
		if rule.broken {
			return notSet(c, rule.why)
		}
	}
	return nil
}

func isBadText(s, not string) bool {
	return strings.ContainsAny(s, not) || strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) >= 0
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// isHost reports whether s can be the host of an address.
func isHost(s string) bool {
	u, err := url.Parse("http://" + s + "/")
	return err == nil && u.Port() == "" && (u.Hostname() == s || net.ParseIP(u.Hostname()) != nil) && !strings.ContainsAny(s, " /@\\")
}
