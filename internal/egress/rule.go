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
// refuses it, the error also contains a [hosts.Refusal].
var ErrRefused = errors.New("the host is not allowed")

// A Rule decides about connections. The zero value allows all.
type Rule struct {
	// Allows judges the name of a host, in the form of [hosts.Canonical]; nil allows all names.
	Allows func(host string) bool
	// Network judges each address that would be dialled; nil allows all addresses.
	Network *hosts.Network
}

// judge returns why a connection may not be made, or nil. An invalid address stands for a name that
// is not resolved.
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

// fits is judge for a connection that exists. Its address is invalid if another proxy has resolved
// the name, which only a trusted name may leave to it.
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
	tried   atomic.Bool           // an address was accepted
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

// explain returns the error of a dial. A refused address does not hide that others did not answer.
func (g *guard) explain(err error) error {
	refused := g.refused.Load()
	switch {
	case err == nil || refused == nil:
		return err
	case !g.tried.Load():
		return *refused
	case errors.Is(err, ErrRefused):
		return errors.New("no allowed address of the host answers")
	}
	return err
}

// absolute returns the name under which a resolver finds a host that the client named asked. A
// final dot makes it an absolute name.
func absolute(host, asked string) string {
	if strings.HasSuffix(asked, ".") && !strings.HasPrefix(host, "[") && net.ParseIP(host) == nil {
		return host + "."
	}
	return host
}
