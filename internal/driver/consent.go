package driver

import "context"

// A Consent says what pages may do because a person has approved it. The zero value permits nothing.
type Consent struct {
	// Origins lists the origins, such as https://example.test, to which a page may go.
	Origins []string
	// Submit permits pages to send one form, Download to save files.
	Submit, Download bool
}

// Consenter limits what pages do by themselves, while a policy requires approvals for it.
type Consenter interface {
	// Permit sets what pages may do from now on. It replaces the earlier consent. Without a policy
	// that requires approvals it does nothing.
	Permit(ctx context.Context, c Consent) error
}
