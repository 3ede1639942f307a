package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/actionregistry/action/internal/hosts"
)

// ErrRefused is the error for a connection that the rule does not allow. If the address is not
// allowed, the error also wraps a [hosts.Refusal].
var ErrRefused = errors.New("the host is not allowed")

// A Rule says which connections are allowed. The zero value allows all.
type Rule struct {
	// Allows reports whether the name of a host is allowed. The name has the form of
	// [hosts.Canonical]. If Allows is nil, all names are allowed.
	Allows func(host string) bool
	// Network says which addresses are allowed. Nil allows all.
	Network *hosts.Network
}

// judge returns an error if the rule does not allow a connection. If a is invalid, judge checks
// only the name.
func (r *Rule) judge(host, port string, a netip.Addr) error {
	if r == nil || r.Allows != nil && !r.Allows(host) {
		return ErrRefused
	}
	refused := r.Network.Judge(host, port, a)
	if !a.IsValid() {
		refused = r.Network.JudgeName(host, port)
	}
	if refused != nil {
		return fmt.Errorf("%w: %w", ErrRefused, refused)
	}
	return nil
}

// fits is like judge, for an open connection. If another proxy has resolved the name, a is invalid.
// If the rule then restricts addresses, fits allows only trusted names.
func (r *Rule) fits(host, port string, a netip.Addr) error {
	if err := r.judge(host, port, a); err != nil {
		return err
	}
	if !a.IsValid() && r.Network.Restricts() && !r.Network.Named(host, port) {
		return ErrRefused
	}
	return nil
}

// A guard checks each address before a dialer connects to it. The dialer does not resolve the name
// again after the check.
type guard struct {
	judge   func(netip.Addr) error
	refused atomic.Pointer[error] // the first refusal
	tried   atomic.Bool           // whether an address was accepted
}

// control implements [net.Dialer.ControlContext].
func (g *guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err == nil {
		err = g.judge(a.Addr())
	}
	if err != nil {
		g.refused.CompareAndSwap(nil, &err)
		return err
	}
	g.tried.Store(true)
	return nil
}

// explain returns the error for a failed dial. If only some of the addresses were refused, the
// error says that the others did not answer.
func (g *guard) explain(err error) error {
	refused := g.refused.Load()
	switch {
	case err == nil || refused == nil:
		return err
	case !g.tried.Load():
		return *refused
	case errors.Is(err, ErrRefused):
		return errors.New("the allowed addresses of the host do not answer")
	}
	return err
}

// absolute returns the name to resolve for host. The argument "asked" is the host as the client
// wrote it. If it ends in a dot, so does the result, and the resolver adds no search domains.
func absolute(host, asked string) string {
	if strings.HasSuffix(asked, ".") && !strings.HasPrefix(host, "[") && net.ParseIP(host) == nil {
		return host + "."
	}
	return host
}
