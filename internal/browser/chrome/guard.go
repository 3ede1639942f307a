package chrome

import (
	"context"

	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/driver"
)

// Guard sets what pages must not do without a consent. It replaces what an earlier call has set.
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

// TakeUnapproved returns the errors for navigations, forms and downloads of pages that nobody had
// approved. It returns only those that were refused since the last call.
func (g *gate) TakeUnapproved() []error { return g.consents.TakeUnapproved() }
