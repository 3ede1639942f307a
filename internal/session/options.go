package session

// The options with which browsers are started, and the rule for the hosts they may reach.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/loader"
)

// browserOptions returns the browser options that the configuration c sets.
func browserOptions(c *loader.Config) startup.Options {
	b := c.Browser
	o := startup.Options{
		Path: b.Path, Args: b.Args, Headed: b.Headed, UserAgent: b.UserAgent, Locale: b.Locale, Proxy: b.Proxy, CPUSlowdown: b.CPUSlowdown,
		Viewport: startup.Viewport{Width: b.Width, Height: b.Height}, IgnoreHTTPSErrors: b.IgnoreHTTPSErrors, PageTools: b.PageTools,
		Profile: b.Profile, CDP: b.CDP, MaxTabs: c.Limits.MaxTabs,
	}
	// Every browser that we start uses our proxy, so that a rule can come into force later. Without a
	// rule, arguments that set another proxy take precedence.
	o.Guard = o.CDP == "" && (restricts(&c.Policy) || !o.BypassesGuard())
	if b.Sandbox != nil {
		o.Sandbox = startup.SandboxOff
		if *b.Sandbox {
			o.Sandbox = startup.SandboxOn
		}
	}
	return o
}

// hostRule returns the rule for the hosts that pages may reach. It returns nil if all hosts are
// allowed.
func hostRule(p *loader.Policy) *rules.HostRule {
	if !restricts(p) {
		return nil
	}
	return &rules.HostRule{
		Check: func(address string) error { return p.URL(address, true) },
		Allow: p.HostsAllow, Deny: p.HostsDeny, Network: &p.Network,
	}
}

// restricts reports whether p has a rule for hosts or addresses.
func restricts(p *loader.Policy) bool {
	return len(p.HostsAllow) > 0 || len(p.HostsDeny) > 0 || p.Network.Restricts()
}

// SessionOptions are the options for a session's browser. Unset options are taken from the
// configuration.
type SessionOptions struct {
	Headed            *bool
	Viewport          *startup.Viewport
	UserAgent         string
	Locale            string
	IgnoreHTTPSErrors *bool
	JavaScript        *bool  // false disables the scripts of pages
	Profile           string // folder of a persistent profile
	Proxy             string
	CDP               string // address of a running browser to use
	Target            string // tab of that browser, see [startup.Options.Target]
	// IdleTimeout is the time without a call after which the session ends, from 10s to 24h. It may
	// be changed while the session is open. 0 keeps the time from an earlier call of Open. Without
	// such a call, the time of the manager applies.
	IdleTimeout time.Duration
}

// over returns o, with the options of base where o has none.
func (o SessionOptions) over(base SessionOptions) SessionOptions {
	return SessionOptions{
		Headed:            cmp.Or(o.Headed, base.Headed),
		Viewport:          cmp.Or(o.Viewport, base.Viewport),
		UserAgent:         cmp.Or(o.UserAgent, base.UserAgent),
		Locale:            cmp.Or(o.Locale, base.Locale),
		IgnoreHTTPSErrors: cmp.Or(o.IgnoreHTTPSErrors, base.IgnoreHTTPSErrors),
		JavaScript:        cmp.Or(o.JavaScript, base.JavaScript),
		Profile:           cmp.Or(o.Profile, base.Profile),
		Proxy:             cmp.Or(o.Proxy, base.Proxy),
		CDP:               cmp.Or(o.CDP, base.CDP),
		Target:            cmp.Or(o.Target, base.Target),
	}
}

// apply copies the options that are set in o to b.
func (o SessionOptions) apply(b *startup.Options) {
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
	if o.JavaScript != nil {
		b.NoJavaScript = !*o.JavaScript
	}
	b.Profile = cmp.Or(o.Profile, b.Profile)
	b.Proxy = cmp.Or(o.Proxy, b.Proxy)
	b.CDP = cmp.Or(o.CDP, b.CDP)
	b.Target = cmp.Or(o.Target, b.Target)
}

// refuseLocked returns an error if the session already has a browser with other options than o.
func (s *namedSession) refuseLocked(o SessionOptions) error {
	if s.started == nil {
		return nil
	}
	asked := *s.started
	o.apply(&asked)
	other := differences(asked, *s.started)
	if len(other) == 0 {
		return nil
	}
	return diag.New(diag.InvalidRequest, "the session %s is open with another %s", s.name, strings.Join(other, " and ")).
		WithHint("use another session, or first close this one: action session close %s", s.name)
}

// differences returns the names of the settings that differ between a and b.
func differences(a, b startup.Options) []string {
	var names []string
	for _, setting := range []struct {
		name string
		same bool
	}{
		{"path", a.Path == b.Path},
		{"args", slices.Equal(a.Args, b.Args)},
		{"headed", a.Headed == b.Headed},
		{"sandbox", a.Sandbox == b.Sandbox},
		{"viewport", a.EffectiveViewport() == b.EffectiveViewport()},
		{"proxy", a.Proxy == b.Proxy},
		{"user_agent", a.UserAgent == b.UserAgent},
		{"locale", a.Locale == b.Locale},
		{"cpu_slowdown", max(a.CPUSlowdown, 1) == max(b.CPUSlowdown, 1)},
		{"page_tools", a.PageTools == b.PageTools},
		{"ignore_https_errors", a.IgnoreHTTPSErrors == b.IgnoreHTTPSErrors},
		{"javascript", a.NoJavaScript == b.NoJavaScript},
		{"profile", a.Profile == b.Profile},
		{"cdp", a.CDP == b.CDP},
		{"cdp_target", a.Target == b.Target},
	} {
		if !setting.same {
			names = append(names, setting.name)
		}
	}
	return names
}

// WarnSettings is the code of the warning that a session's browser has other settings than the
// configuration.
const WarnSettings = "session_settings"

// settingsWarning returns a warning if the session's browser has other settings than the
// configuration, and nil otherwise. The caller is first in the session's queue and does not hold
// Manager.mu.
func (m *Manager) settingsWarning(s *namedSession, d *definitions.Set) []executor.Warning {
	wanted := browserOptions(d.Config)
	m.mu.Lock()
	started, asked := s.started, s.asked
	m.mu.Unlock()
	if started == nil {
		return nil
	}
	asked.apply(&wanted)
	other := differences(wanted, *started)
	if len(other) == 0 {
		return nil
	}
	return []executor.Warning{{Code: WarnSettings, Message: fmt.Sprintf(
		"the browser of the session %s was started with another browser.%s than configured; to apply the configuration: action session close %s",
		s.name, strings.Join(other, ", browser."), s.name)}}
}
