package startup

// The proxies of a browser. Ours (package egress) enforces rules for hosts and addresses. It
// connects through the user's proxy, if there is one.

import (
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/egress"
)

// guardFlags returns the flags that make a browser use the network only through the proxy, even for
// loopback addresses.
func guardFlags(guard *egress.Proxy) []string {
	return []string{
		"--proxy-server=socks5://" + guard.Address(), "--proxy-bypass-list=<-loopback>",
		"--disable-quic", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	}
}

// directFlags are Chromium flags that would bypass our proxy or conflict with it.
var directFlags = []string{
	"no-proxy-server", "proxy-server", "proxy-pac-url", "proxy-auto-detect", "proxy-bypass-list", "host-resolver-rules",
}

// BypassesGuard reports whether Args set another proxy, or map hosts before our proxy sees them.
func (o *Options) BypassesGuard() bool { return o.directFlag() != "" }

// directFlag returns the first of directFlags in Args, or "".
func (o *Options) directFlag() string {
	for _, arg := range o.Args {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if slices.Contains(directFlags, name) {
			return name
		}
	}
	return ""
}

// startGuard starts our proxy if [Options.Guard] is set. Otherwise it returns nil.
func (o *Options) startGuard() (*egress.Proxy, error) {
	if !o.Guard {
		return nil, nil
	}
	if name := o.directFlag(); name != "" {
		return nil, cdp.Unavailable("browser.args has --%s, which conflicts with policy.hosts and policy.network: the browser would bypass the proxy that enforces both", name).
			WithHint("to use your own proxy, set browser.proxy; to map hosts, use --host-rules in browser.args")
	}
	guard, err := egress.Start(o.Proxy)
	if err != nil {
		if limit := diag.FileLimit(err); limit != nil {
			return nil, limit
		}
		return nil, cdp.Unavailable("the browser's proxy cannot be started: %v", err).Because(err).
			WithHint("check browser.proxy, or the variables http_proxy and https_proxy: write HOST:PORT, or a URL with http://, https:// or socks5://")
	}
	return guard, nil
}

// ProxyUser returns the credentials for [Options.Proxy]. It returns nil if there are none.
func (o *Options) ProxyUser() *url.Userinfo {
	_, user := splitProxy(o.Proxy)
	return user
}

// LoadFailure returns Chromium's name for the reason why address could not be loaded. failure is
// the name that Chromium has reported. If our proxy knows a more precise reason, LoadFailure
// returns that one. A nil guard means that there is no proxy of ours.
func LoadFailure(guard *egress.Proxy, address, failure string) string {
	prefix, name := "", failure
	if rest, ok := strings.CutPrefix(failure, "net::"); ok {
		prefix, name = "net::", rest
	}
	if guard == nil || !slices.Contains([]string{"ERR_SOCKS_CONNECTION_FAILED", "ERR_FAILED", "ERR_CONNECTION_FAILED", "ERR_CONNECTION_CLOSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"}, name) {
		return failure
	}
	var unknown *net.DNSError
	var slow net.Error
	switch err := Failure(guard, address); {
	case err == nil:
		return failure
	case errors.Is(err, egress.ErrRefused):
		return prefix + "ERR_BLOCKED_BY_CLIENT"
	case errors.Is(err, egress.ErrProxy):
		return prefix + "ERR_PROXY_CONNECTION_FAILED"
	case errors.Is(err, egress.ErrTunnel):
		return prefix + "ERR_TUNNEL_CONNECTION_FAILED"
	case errors.As(err, &unknown) && !unknown.IsTimeout:
		return prefix + "ERR_NAME_NOT_RESOLVED"
	case errors.Is(err, syscall.ECONNREFUSED):
		return prefix + "ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ECONNRESET):
		return prefix + "ERR_CONNECTION_RESET"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EADDRNOTAVAIL):
		return prefix + "ERR_ADDRESS_UNREACHABLE"
	case errors.As(err, &slow) && slow.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return prefix + "ERR_CONNECTION_TIMED_OUT"
	}
	return prefix + "ERR_CONNECTION_FAILED"
}

// Failure returns the error of our proxy's last connection to the host and the port of address. It
// returns nil if that connection has not failed. If a rule has refused the connection, the error is
// [egress.ErrRefused].
func Failure(guard *egress.Proxy, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80"}[u.Scheme]
	}
	if port == "" {
		port = "443"
	}
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return guard.Failure(host, port)
}

// splitProxy splits a proxy setting into the address in Chromium's form and the credentials.
// Without credentials, user is nil.
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
		return proxy, nil // Chromium refuses the proxy
	}
	if scheme == "" {
		return rest[i+1:], u.User
	}
	return scheme + "://" + rest[i+1:], u.User
}
