package cookies

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// The hosts of cookies are written as browsers write them, however an address writes them.
func TestHosts(t *testing.T) {
	for _, tt := range []struct {
		domain, url string
		sent        bool
	}{
		{"example.com", "http://EXAMPLE.com/", true},
		{"example.com", "http://www.example.com/", false},
		{".example.com", "http://www.example.com/", true},
		{".example.com", "http://notexample.com/", false},
		{"xn--bcher-kva.de", "http://bücher.de/", true},
		{".bücher.de", "http://www.xn--bcher-kva.de/", true},
		{"127.0.0.1", "http://127.1/", true},
		{"127.0.0.1", "http://2130706433/", true},
		{"127.0.0.1", "http://127.0.0.2/", false},
		{"[::1]", "http://[::1]/", true},
		{"[::1]", "http://[0:0::1]/", true},
		{"[::1]", "http://[::2]/", false},
	} {
		match, err := matcher(driver.CookieFilter{URL: tt.url})
		if err != nil {
			t.Fatal(err)
		}
		if got := match(driver.Cookie{Name: "a", Domain: tt.domain, Path: "/", Secure: strings.Contains(tt.url, "1]") || strings.Contains(tt.url, "127.1")}); got != tt.sent {
			t.Errorf("a cookie of %s goes to %s: %t, want %t", tt.domain, tt.url, got, tt.sent)
		}
		k := driver.Cookie{Domain: tt.domain}
		if got := isOf(k, driver.CookieParam{URL: tt.url}); got != tt.sent && tt.domain[0] != '.' {
			t.Errorf("isOf(%s, %s) = %t", tt.domain, tt.url, got)
		}
	}
	match, err := matcher(driver.CookieFilter{Domain: "BÜCHER.de"})
	if err != nil || !match(driver.Cookie{Domain: ".xn--bcher-kva.de"}) || match(driver.Cookie{Domain: ".example.com"}) {
		t.Errorf("the filter by domain: %v", err)
	}
}

func TestMatcher(t *testing.T) {
	a := driver.Cookie{Name: "a", Domain: "127.0.0.1", Path: "/deep", Secure: true}
	for _, tt := range []struct {
		name   string
		filter driver.CookieFilter
		want   bool
	}{
		{"all", driver.CookieFilter{}, true},
		{"its name", driver.CookieFilter{Name: "a"}, true},
		{"another name", driver.CookieFilter{Name: "A"}, false},
		{"its path", driver.CookieFilter{Path: "/deep"}, true},
		{"a path below its own", driver.CookieFilter{Path: "/deep/er"}, false},
		{"its domain", driver.CookieFilter{Domain: ".127.0.0.1"}, true},
		{"its domain in another form", driver.CookieFilter{Domain: "127.1"}, false},
		{"the end of its domain", driver.CookieFilter{Domain: "0.1"}, true},
		{"no part of its domain", driver.CookieFilter{Domain: "7.0.0.1"}, false},
		{"an address of its path", driver.CookieFilter{URL: "https://127.0.0.1/deep?x"}, true},
		{"an address below its path", driver.CookieFilter{URL: "https://127.0.0.1/deep/er"}, true},
		{"an address beside its path", driver.CookieFilter{URL: "https://127.0.0.1/deeper"}, false},
		{"an address above its path", driver.CookieFilter{URL: "https://127.0.0.1"}, false},
		{"a plain address of this machine", driver.CookieFilter{URL: "http://127.0.0.1/deep"}, true},
		{"its address and another name", driver.CookieFilter{URL: "https://127.0.0.1/deep", Name: "b"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			match, err := matcher(tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			if got := match(a); got != tt.want {
				t.Errorf("%+v matches: %t, want %t", tt.filter, got, tt.want)
			}
		})
	}
	for _, address := range []string{"x", "file:///x", "http://", "about:blank", ":"} {
		if _, err := matcher(driver.CookieFilter{URL: address}); diag.CodeOf(err) != diag.ParamInvalid {
			t.Errorf("for %q: %v", address, err)
		}
	}
}

// A cookie that a browser would refuse is refused without a call to the browser.
func TestRefusals(t *testing.T) {
	const base = "http://127.0.0.1:8080"
	for _, tt := range []struct {
		name, cookie, value string
		more                func(*driver.CookieParam)
		want                string // "" for a cookie that is not refused
	}{
		{"plain", "s", "x y\t", nil, ""},
		{"a name alone", "s", "", nil, ""},
		{"nothing", "", "", nil, "neither a name nor a value"},
		{"secure on this machine", "s", "3", func(c *driver.CookieParam) { c.Secure = true }, ""},
		{"__Host- on this machine", "__Host-e", "3", func(c *driver.CookieParam) { c.Secure = true }, ""},
		{"__Host- without secure", "__Host-e", "3", nil, "needs secure"},
		{"__host- without secure", "__host-e", "3", nil, "needs secure"},
		{"__Host- with a domain", "__Host-e", "3", func(c *driver.CookieParam) { c.Secure, c.Domain = true, "127.0.0.1" }, "may have no domain"},
		{"__Host- with a path", "__Host-e", "3", func(c *driver.CookieParam) { c.Secure, c.Path = true, "/x" }, "needs the path /"},
		{"__Secure- without secure", "__Secure-e", "3", nil, "needs secure"},
		{"secure over http", "s", "3", func(c *driver.CookieParam) { c.URL, c.Secure = "http://shop.test/", true }, "which is not https"},
		{"another domain", "s", "3", func(c *driver.CookieParam) { c.Domain = "other.test" }, "is not that of"},
		{"the domain above", "s", "3", func(c *driver.CookieParam) { c.URL, c.Domain = "http://www.shop.test/", "shop.test" }, ""},
		{"expired", "s", "3", func(c *driver.CookieParam) { c.Expires = time.Unix(3600, 0) }, "it has expired: 1970-01-01T01:00:00Z"},
		{"expires", "s", "3", func(c *driver.CookieParam) { c.Expires = time.Now().Add(time.Hour) }, ""},
		{"none without secure", "s", "3", func(c *driver.CookieParam) { c.SameSite = "None" }, "none needs secure"},
		{"a partition without secure", "s", "3", func(c *driver.CookieParam) { c.Partition = "https://shop.test" }, "partitioned cookie needs secure"},
		{"a bad name", "s;x", "3", nil, "its name contains"},
		{"a bad value", "s", "3\r\nSet-Cookie: x", nil, "its value contains"},
		{"long enough", "s", strings.Repeat("x", 4095), nil, ""},
		{"too long", "s", strings.Repeat("x", 5000), nil, "5001 bytes, more than 4096"},
		{"a path without a slash", "s", "3", func(c *driver.CookieParam) { c.Path = "x" }, "does not begin with /"},
		{"no domain", "s", "3", func(c *driver.CookieParam) { c.URL, c.Domain = "", "a b" }, "is not a domain"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := driver.CookieParam{Cookie: driver.Cookie{Name: tt.cookie, Value: tt.value}, URL: base + "/"}
			if tt.more != nil {
				tt.more(&c)
			}
			if tt.want == "" {
				if err := refusal(c, time.Now()); err != nil {
					t.Error(err)
				}
				return
			}
			_, err := Jar{}.Set(context.Background(), c)
			if diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	_, err := Jar{}.Set(context.Background(), driver.CookieParam{URL: "file:///x", Cookie: driver.Cookie{Name: "a", Value: "b"}})
	if diag.CodeOf(err) != diag.ParamInvalid || !strings.Contains(err.Error(), "not the address of a web page") {
		t.Errorf("got %v", err)
	}
}

// A cookie stays the same when it is exported and imported.
func TestStateForm(t *testing.T) {
	for _, c := range []driver.Cookie{
		{Name: "plain", Value: "1", Domain: "shop.test", Path: "/"},
		{
			Name: "all", Value: "x", Domain: ".shop.test", Path: "/in", Expires: time.UnixMilli(1_900_000_000_500), HTTPOnly: true, Secure: true,
			SameSite: "None", Partition: "https://site.test", CrossSite: true,
		},
	} {
		s := toState(c)
		if got := fromState(s); !reflect.DeepEqual(got, c) {
			t.Errorf("%+v became %+v by way of %+v", c, got, s)
		}
		if c.Expires.IsZero() != (s.Expires == -1) {
			t.Errorf("%s expires at %v in the state", c.Name, s.Expires)
		}
	}
}
