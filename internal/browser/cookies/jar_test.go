package cookies

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A store is a fake browser that keeps cookies, with the faults that its fields describe.
type store struct {
	list    []map[string]any
	refuses string // the message with which it refuses cookies
	drops   bool   // it accepts cookies, and keeps none
	holds   bool   // cookies that are removed are there again
	calls   []string
}

func (s *store) answer(session, method string, params json.RawMessage) (any, string) {
	s.calls = append(s.calls, strings.TrimSpace(session+" "+method))
	var p struct {
		Context string           `json:"browserContextId"`
		Cookies []map[string]any `json:"cookies"`
		Name    string           `json:"name"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err.Error()
	}
	if session == "" && p.Context != "w" {
		return nil, "a call for the context " + p.Context
	}
	switch method {
	case "Storage.getCookies":
		return map[string]any{"cookies": s.list}, ""
	case "Storage.setCookies":
		if s.refuses != "" || s.drops {
			return struct{}{}, s.refuses
		}
		s.list = append(s.list, p.Cookies...)
	case "Storage.clearCookies":
		s.list = nil
	case "Network.deleteCookies":
		if !s.holds {
			s.list = slices.DeleteFunc(s.list, func(c map[string]any) bool { return c["name"] == p.Name })
		}
	default:
		return nil, "unknown method " + method
	}
	return struct{}{}, ""
}

func jarOf(t *testing.T, s *store) Jar {
	in, out := testkit.Pipes(t, s.answer)
	conn := cdp.OverPipes(in, out, func(*cdp.Event) {}, nil)
	t.Cleanup(conn.Close)
	return Jar{Conn: conn, Context: "w", Session: "page", Explain: func(_ context.Context, err error) error { return err }}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func named(name string) driver.CookieParam {
	return driver.CookieParam{Cookie: driver.Cookie{Name: name, Value: "1", Domain: "shop.test"}}
}

func TestJar(t *testing.T) {
	ctx, s := context.Background(), new(store)
	j := jarOf(t, s)
	for _, name := range []string{"b", "a", "c"} {
		c, err := j.Set(ctx, named(name))
		if err != nil || c.Domain != ".shop.test" || c.Path != "/" {
			t.Fatalf("set %+v, %v", c, err)
		}
	}
	var names []string
	all, err := j.Find(ctx, driver.CookieFilter{Domain: "shop.test"})
	for _, c := range all {
		names = append(names, c.Name)
	}
	if err != nil || fmt.Sprint(names) != "[a b c]" {
		t.Errorf("found %v, %v", names, err)
	}
	s.calls = nil
	if n, err := j.Remove(ctx, driver.CookieFilter{Name: "a"}); n != 1 || err != nil || len(s.list) != 2 {
		t.Errorf("removed %d, %v, left %v", n, err, s.list)
	}
	if want := []string{"Storage.getCookies", "page Network.deleteCookies", "Storage.getCookies"}; !slices.Equal(s.calls, want) {
		t.Errorf("calls %q, want %q", s.calls, want)
	}
	if n, err := j.Remove(ctx, driver.CookieFilter{}); n != 2 || err != nil || len(s.list) != 0 {
		t.Errorf("removed %d, %v, left %v", n, err, s.list)
	}
}

// If the browser does not do what it has reported, that is an error.
func TestJarReadsBack(t *testing.T) {
	ctx, s := context.Background(), new(store)
	j := jarOf(t, s)
	s.refuses = "Invalid cookie fields"
	_, err := j.Set(ctx, named("a"))
	wantError(t, err, `the cookie "a" was not set: the browser rejected it: Invalid cookie fields`)
	s.refuses, s.drops = "", true
	_, err = j.Set(ctx, named("a"))
	wantError(t, err, "the browser did not keep it")
	_, _, err = j.Import(ctx, []driver.StateCookie{{Name: "a", Value: "1", Domain: "shop.test", Path: "/", Expires: -1}})
	wantError(t, err, "the browser did not keep it")
	s.drops, s.holds = false, true
	if _, err := j.Set(ctx, named("a")); err != nil {
		t.Fatal(err)
	}
	_, err = j.Remove(ctx, driver.CookieFilter{Name: "a"})
	wantError(t, err, `the cookie "a" of .shop.test was not removed`)
}

func TestImport(t *testing.T) {
	ctx, s := context.Background(), new(store)
	j := jarOf(t, s)
	list := []driver.StateCookie{
		{Name: "old\x1b", Value: "1", Domain: "shop.test", Path: "/", Expires: 10},
		{Name: "new", Value: "1", Domain: ".shop.test", Path: "/in", Expires: -1, HTTPOnly: true},
	}
	n, left, err := j.Import(ctx, list)
	if err != nil || n != 1 || len(left) != 1 || left[0].Place != `the cookie "old\\u001b" of shop.test` || left[0].Why != "it has expired" {
		t.Fatalf("imported %d, left out %+v, %v", n, left, err)
	}
	got, err := j.Export(ctx)
	if err != nil || len(got) != 1 || got[0] != list[1] {
		t.Errorf("exported %+v, %v", got, err)
	}
	// If one cookie is refused, none is set.
	s.list = nil
	bad := driver.StateCookie{Name: "__Host-x", Value: "1", Domain: "shop.test", Path: "/", Expires: -1}
	_, _, err = j.Import(ctx, append(list, bad))
	wantError(t, err, "needs secure")
	if len(s.list) > 0 {
		t.Errorf("set %v", s.list)
	}
}
