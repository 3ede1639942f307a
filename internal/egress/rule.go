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

// ErrRefused is the error for a connection that the rule does not allow. If the rule for addresses
// refuses the connection, the error also wraps a [hosts.Refusal].
var ErrRefused = errors.New("the host is not allowed")

// A Rule decides about connections. The zero value allows all.
type Rule struct {
	// Allows judges the name of a host, in the form of [hosts.Canonical]; nil allows all names.
	Allows func(host string) bool
	// Network judges each address that would be dialled; nil allows all addresses.
	Network *hosts.Network
}

// judge returns an error if the rule does not allow a connection. If the address a is invalid, the
// name has not been resolved, and only the name is judged.
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

// fits is like judge, for a connection that is already open. If another proxy has resolved the name,
// the address a is invalid. Then a rule for addresses allows the connection only if it trusts the
// name.
func (r *Rule) fits(host, port string, a netip.Addr) error {
	if err := r.judge(host, port, a); err != nil {
		return err
	}
	if !a.IsValid() && r.Network.Restricts() && !r.Network.Named(host, port) {
		return ErrRefused
	}
	return nil
}

// A guard judges the addresses that a dialer is about to connect to. The dialer resolves a name
// once, and connects only to addresses that the guard has accepted: a second answer of the resolver
// has no effect.
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

// explain returns the error for a failed dial. If the guard refused some addresses but accepted
// others, the error says that the accepted addresses did not answer.
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

// absolute returns the name that is to be resolved for host. The argument "asked" is the host as the
// client wrote it. If that ends in a dot, the result does too, which makes the name absolute for the
// resolver.
func absolute(host, asked string) string {
	if strings.HasSuffix(asked, ".") && !strings.HasPrefix(host, "[") && net.ParseIP(host) == nil {
		return host + "."
	}
	return host
}
