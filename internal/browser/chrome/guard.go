package chrome

import (
	"context"

	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/driver"
)

// Guard sets what pages must not do without a consent from now on. If the guard is the same as
// before, it sends nothing.
func (g *gate) Guard(ctx context.Context, guard rules.Guard) error {
	if !g.consents.Set(guard) || !g.rules.HoldDocuments(guard.LeaveOrigin || guard.Submit) {
		return nil
	}
	return g.holdRequests(ctx)
}

// Permit implements [driver.Consenter].
func (g *gate) Permit(_ context.Context, c driver.Consent) error {
	g.consents.Permit(c)
	return nil
}

// TakeUnapproved returns the errors for what pages have tried by themselves since the last call,
// and that was refused.
func (g *gate) TakeUnapproved() []error { return g.consents.TakeUnapproved() }
