package browser

// A proxy that wants a user and a password. Chromium takes them by no flag: it asks
// us (Fetch.authRequired), which holds up every request for one message each way
// (see route.go), so that it is switched on only where they are given.

import (
	"context"
	"net/url"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// splitProxy returns a proxy's address as Chromium takes it, and who signs in there;
// nil for nobody.
func splitProxy(proxy string) (address string, user *url.Userinfo) {
	scheme, rest, found := strings.Cut(proxy, "://")
	if !found {
		scheme, rest = "", proxy
	}
	i := strings.LastIndex(rest, "@")
	if i < 0 {
		return proxy, nil
	}
	u, err := url.Parse("http://" + rest)
	if err != nil || u.User == nil {
		return proxy, nil // Chromium refuses it
	}
	if scheme == "" {
		return rest[i+1:], u.User
	}
	return scheme + "://" + rest[i+1:], u.User
}

// answerProxy answers a proxy that asks who we are; a site that asks is not answered.
// It runs where replies are read.
func (b *Browser) answerProxy(e *event) {
	var v proto.FetchAuthRequired
	if !decode(e, &v) || v.AuthChallenge == nil {
		return
	}
	answer := &proto.FetchAuthChallengeResponse{Response: proto.FetchAuthChallengeResponseResponseDefault}
	if _, user := splitProxy(b.opts.Proxy); user != nil && v.AuthChallenge.Source == proto.FetchAuthChallengeSourceProxy {
		password, _ := user.Password()
		answer = &proto.FetchAuthChallengeResponse{
			Response: proto.FetchAuthChallengeResponseResponseProvideCredentials, Username: user.Username(), Password: password,
		}
	}
	b.conn.start(context.Background(), e.Session, proto.FetchContinueWithAuth{RequestID: v.RequestID, AuthChallengeResponse: answer})
}
