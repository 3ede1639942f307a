package chrome

import (
	"cmp"
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// explain is [cdp.Explain] for this browser.
func (b *Browser) explain(ctx context.Context, err error) error {
	return cdp.Explain(ctx, err, b.ended)
}

// ended returns the error for a browser that has ended.
func (b *Browser) ended(err error) *diag.Error {
	if b.endpoint != nil {
		return b.endpoint.Lost(err)
	}
	e := b.process.Failure().Because(err)
	e.Hint = cmp.Or(e.Hint, "open a page again; a new browser will start")
	return e
}
