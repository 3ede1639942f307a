package cookies

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// Export returns all cookies in the form of a saved state, sorted by domain, path and name.
func (j Jar) Export(ctx context.Context) ([]driver.StateCookie, error) {
	all, err := j.all(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]driver.StateCookie, len(all))
	for i, c := range all {
		list[i] = toState(c)
	}
	return list, nil
}

// Import sets the cookies of a saved state, and returns how many it has set. Expired cookies are
// not set; Import returns a list of them. It refuses the same cookies as [Jar.Set]. It checks all
// cookies before it sets the first one.
func (j Jar) Import(ctx context.Context, list []driver.StateCookie) (int, []driver.LeftOut, error) {
	var left []driver.LeftOut
	now := time.Now()
	var set []driver.CookieParam
	for _, s := range list {
		c := driver.CookieParam{Cookie: fromState(s)}
		if !c.Expires.IsZero() && !c.Expires.After(now) {
			left = append(left, driver.LeftOut{
				Place: fmt.Sprintf("the cookie %q of %s", diag.Visible(c.Name), diag.Visible(c.Domain)), Why: "it has expired",
			})
			continue
		}
		if err := refusal(c, now); err != nil {
			return 0, nil, err
		}
		set = append(set, c)
	}
	for _, c := range set {
		if err := j.send(ctx, c); err != nil {
			return 0, nil, err
		}
	}
	all, err := j.all(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, c := range set {
		isKept := func(k driver.Cookie) bool {
			return k.Name == c.Name && k.Value == c.Value && isOf(k, c) && k.Path == c.Path && k.Partition == c.Partition
		}
		if !slices.ContainsFunc(all, isKept) {
			return 0, nil, notSet(c, notKept)
		}
	}
	return len(set), left, nil
}

func toState(c driver.Cookie) driver.StateCookie {
	s := driver.StateCookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: -1,
		HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, Partition: c.Partition, CrossSite: c.CrossSite,
	}
	if !c.Expires.IsZero() {
		s.Expires = float64(c.Expires.UnixMilli()) / 1000
	}
	return s
}

func fromState(s driver.StateCookie) driver.Cookie {
	c := driver.Cookie{
		Name: s.Name, Value: s.Value, Domain: s.Domain, Path: s.Path,
		HTTPOnly: s.HTTPOnly, Secure: s.Secure, SameSite: s.SameSite, Partition: s.Partition, CrossSite: s.CrossSite,
	}
	if s.Expires >= 0 {
		c.Expires = time.UnixMilli(int64(s.Expires * 1000))
	}
	return c
}
