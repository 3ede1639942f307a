package chrome

// The credentials of a user's proxy. Without a rule for hosts, the browser connects to that proxy
// directly. Chromium accepts no credentials in a flag and requests them from us
// (Fetch.authRequired). That pauses every request and costs one message in each direction (see
// route.go), so it is only enabled if credentials are given.

import (
	"context"
	"errors"
	"net/url"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/hosts"
)

// proxyUser returns the credentials for a proxy that the browser itself connects to, or nil if
// there are none.
func (h *host) proxyUser() *url.Userinfo {
	if h.egress != nil {
		return nil
	}
	return h.opts.ProxyUser()
}

// netFailure describes why a page did not load; see [startup.LoadFailure].
func (h *host) netFailure(address, failure string) string {
	return startup.LoadFailure(h.egress, address, failure)
}

// refusal returns an error if the rule for network addresses has refused the last connection for an
// address. Otherwise it returns nil.
func (h *host) refusal(address string) *diag.Error {
	var refused *hosts.Refusal
	if h.egress == nil || !errors.As(startup.Failure(h.egress, address), &refused) {
		return nil
	}
	return refused.Coded()
}

// refusal is like [host.refusal], but also checks the address to which the tab was redirected.
func (p *Tab) refusal(address string) *diag.Error {
	if refused := p.host.refusal(address); refused != nil {
		return refused
	}
	led, _ := p.led.Load().(string)
	return p.host.refusal(led)
}

// answerProxy sends the credentials to a proxy that requires authentication. It leaves the
// authentication of sites to the browser. It runs in the goroutine that reads replies.
func (g *gate) answerProxy(e *cdp.Event) {
	var v proto.FetchAuthRequired
	if !cdp.Decode(e, &v) || v.AuthChallenge == nil {
		return
	}
	answer := &proto.FetchAuthChallengeResponse{Response: proto.FetchAuthChallengeResponseResponseDefault}
	if user := g.host.proxyUser(); user != nil && v.AuthChallenge.Source == proto.FetchAuthChallengeSourceProxy {
		password, _ := user.Password()
		answer = &proto.FetchAuthChallengeResponse{
			Response: proto.FetchAuthChallengeResponseResponseProvideCredentials, Username: user.Username(), Password: password,
		}
	}
	g.host.conn.Start(context.Background(), e.Session, proto.FetchContinueWithAuth{RequestID: v.RequestID, AuthChallengeResponse: answer})
}
