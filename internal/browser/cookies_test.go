package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/driver"
)

// jar serves a page that shows the cookies of its request, and sets three.
func jar(t *testing.T) string {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/set" {
			w.Header().Add("Set-Cookie", "plain=1; Path=/")
			w.Header().Add("Set-Cookie", "hidden=2; Path=/deep; HttpOnly; SameSite=Strict; Max-Age=3600")
			w.Header().Add("Set-Cookie", "apart=3; Path=/; Secure; SameSite=None; Partitioned")
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><p id=got>%s</p>", r.Header.Get("Cookie"))
	}))
}

func cookieNames(t *testing.T, b *chrome.Browser, f driver.CookieFilter) string {
	t.Helper()
	all, err := b.Cookies(testContext(t), f)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

func TestCookies(t *testing.T) {
	base := jar(t)
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, base+"/set", driver.Load); err != nil {
		t.Fatal(err)
	}
	all, err := b.Cookies(ctx, driver.CookieFilter{})
	if err != nil || len(all) != 3 {
		t.Fatalf("cookies %+v, %v", all, err)
	}
	for _, c := range all {
		switch {
		case c.Domain != "127.0.0.1",
			c.Name == "plain" && (c.Value != "1" || c.HTTPOnly || c.Secure || !c.Expires.IsZero() || c.SameSite != ""),
			c.Name == "hidden" && (c.Value != "2" || !c.HTTPOnly || c.Path != "/deep" || c.SameSite != "Strict" || time.Until(c.Expires) > time.Hour || time.Until(c.Expires) < 50*time.Minute),
			c.Name == "apart" && (c.Partition != "http://127.0.0.1" || !c.Secure || c.SameSite != "None"):
			t.Errorf("the cookie %+v", c)
		}
	}
	for _, tt := range []struct {
		filter driver.CookieFilter
		want   string
	}{
		{driver.CookieFilter{URL: base}, "apart plain"},
		{driver.CookieFilter{URL: base + "/deep/x?y"}, "apart plain hidden"},
		{driver.CookieFilter{URL: base + "/deeper"}, "apart plain"},
		{driver.CookieFilter{URL: "https://other.test/"}, ""},
		{driver.CookieFilter{Domain: "127.0.0.1", Name: "hidden"}, "hidden"},
		{driver.CookieFilter{Domain: "0.1"}, "apart plain hidden"},
		{driver.CookieFilter{Domain: "7.0.0.1"}, ""},
	} {
		if got := cookieNames(t, b, tt.filter); got != tt.want {
			t.Errorf("%+v chooses %q, want %q", tt.filter, got, tt.want)
		}
	}
	if n, err := b.RemoveCookies(ctx, driver.CookieFilter{Name: "apart"}); n != 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	if n, err := b.RemoveCookies(ctx, driver.CookieFilter{Name: "apart"}); n != 0 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	w, err := b.OpenWindow(ctx, driver.Size{})
	if err != nil || cookieNames(t, b, driver.CookieFilter{}) != "" {
		t.Errorf("the window %s begins with cookies, %v", w, err)
	}
	if n, err := b.RemoveCookies(ctx, driver.CookieFilter{}); n != 0 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	if err := b.SwitchWindow(ctx, p.Probe().Window); err != nil {
		t.Fatal(err)
	}
	if n, err := b.RemoveCookies(ctx, driver.CookieFilter{}); n != 2 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
}

func TestSetCookie(t *testing.T) {
	base := jar(t)
	ctx, b, p := ownDialogs(t, nil, "")
	host, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(48 * time.Hour).Truncate(time.Second)
	param := func(name, value string, more func(*driver.CookieParam)) driver.CookieParam {
		c := driver.CookieParam{Cookie: driver.Cookie{Name: name, Value: value}, URL: base + "/"}
		if more != nil {
			more(&c)
		}
		return c
	}
	for _, tt := range []struct {
		name string
		c    driver.CookieParam
		want string // of the cookie, or of the refusal
	}{
		{"for an address", param("a", "1", nil), "127.0.0.1 / "},
		{"set again", param("a", "2", nil), "127.0.0.1 / "},
		{"all of it", param("b", "x y", func(c *driver.CookieParam) {
			c.Expires, c.HTTPOnly, c.Secure, c.SameSite, c.Path = later, true, true, "None", "/in"
		}), "127.0.0.1 /in None"},
		{"for a domain", param("c", "3", func(c *driver.CookieParam) { c.URL, c.Domain = "", "Shop.test" }), ".shop.test / "},
		{"for a domain of the address", param("d", "3", func(c *driver.CookieParam) { c.URL, c.Domain = "https://www.shop.test/", "shop.test" }), ".shop.test / "},
		{"of a host", param("__Host-e", "3", func(c *driver.CookieParam) { c.URL, c.Secure = "https://shop.test/", true }), "shop.test / "},
		{"expired", param("s", "3", func(c *driver.CookieParam) { c.Expires = time.Unix(3600, 0) }), "!it has expired: 1970-01-01T01:00:00Z"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := b.SetCookie(ctx, tt.c)
			if why, refused := strings.CutPrefix(tt.want, "!"); refused {
				wantCode(t, err, diag.StepFailed, why)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if seen := fmt.Sprint(got.Domain, " ", got.Path, " ", got.SameSite); seen != tt.want || got.Value != tt.c.Value || !got.Expires.Equal(tt.c.Expires) || got.HTTPOnly != tt.c.HTTPOnly {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
	_, err = b.SetCookie(ctx, driver.CookieParam{URL: "file:///x", Cookie: driver.Cookie{Name: "a", Value: "b"}})
	wantCode(t, err, diag.ParamInvalid, "not the address of a web page")
	if _, err := p.Open(ctx, base+"/in", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, p, "got.innerText"); got != "b=x y; a=2" {
		t.Errorf("the server %s was sent %q", host.Host, got)
	}
}
