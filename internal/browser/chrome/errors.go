package chrome

import (
	"cmp"
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// explain converts the error of a call to a coded error, as [cdp.Explain] does.
func (h *host) explain(ctx context.Context, err error) error {
	return cdp.Explain(ctx, err, h.ended)
}

// ended returns the error for a browser that has ended.
func (h *host) ended(err error) *diag.Error {
	if h.endpoint != nil {
		return h.endpoint.Lost(err)
	}
	e := h.process.Failure().Because(err)
	e.Hint = cmp.Or(e.Hint, "open a page again; a new browser will start")
	return e
}
