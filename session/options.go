package session

// With what a session's browser is started.

import (
	"cmp"
	"strings"

	"actionregistry/browser"
	"actionregistry/diag"
)

// SessionOptions are those with which a session's browser is started. The zero
// value leaves everything as configured.
type SessionOptions struct {
	Headed            *bool
	Viewport          *browser.Viewport
	UserAgent         string
	Locale            string
	IgnoreHTTPSErrors *bool
}

// over returns o, and the options of base where o leaves them open.
func (o SessionOptions) over(base SessionOptions) SessionOptions {
	return SessionOptions{
		Headed:            cmp.Or(o.Headed, base.Headed),
		Viewport:          cmp.Or(o.Viewport, base.Viewport),
		UserAgent:         cmp.Or(o.UserAgent, base.UserAgent),
		Locale:            cmp.Or(o.Locale, base.Locale),
		IgnoreHTTPSErrors: cmp.Or(o.IgnoreHTTPSErrors, base.IgnoreHTTPSErrors),
	}
}

// apply puts o over what is configured.
func (o SessionOptions) apply(b *browser.Options) {
	if o.Headed != nil {
		b.Headed = *o.Headed
	}
	if o.Viewport != nil {
		b.Viewport = *o.Viewport
	}
	if o.IgnoreHTTPSErrors != nil {
		b.IgnoreHTTPSErrors = *o.IgnoreHTTPSErrors
	}
	b.UserAgent = cmp.Or(o.UserAgent, b.UserAgent)
	b.Locale = cmp.Or(o.Locale, b.Locale)
}

// refuseLocked is the error of options that the session's browser, which runs or
// is being started, does not have. Without a browser everything can be had.
func (s *live) refuseLocked(o SessionOptions) error {
	if s.started == nil {
		return nil
	}
	has, asked := *s.started, *s.started
	o.apply(&asked)
	var other []string
	for _, option := range []struct {
		name string
		same bool
	}{
		{"headed", asked.Headed == has.Headed},
		{"viewport", asked.Viewport == has.Viewport},
		{"user_agent", asked.UserAgent == has.UserAgent},
		{"locale", asked.Locale == has.Locale},
		{"ignore_https_errors", asked.IgnoreHTTPSErrors == has.IgnoreHTTPSErrors},
	} {
		if !option.same {
			other = append(other, option.name)
		}
	}
	if len(other) == 0 {
		return nil
	}
	return diag.New(diag.InvalidRequest, "the session %s is open with another %s", s.name, strings.Join(other, " and ")).
		WithHint("close it first (action session close %s), or use another session", s.name)
}
