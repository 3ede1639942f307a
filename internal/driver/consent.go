package driver

import "context"

// A Consent says what pages may do because a person has approved it. The zero value permits nothing.
type Consent struct {
	// Origins lists the origins, such as https://example.test, to which a page may go.
	Origins []string
	// Submit permits pages to send one form. Download permits them to save files.
	Submit, Download bool
	// Form is the address to which pages may send the form that Submit permits. An empty Form means
	// any address. For a form that is sent by GET, the query of the address is ignored, because the
	// browser replaces it.
	Form string
}

// Consenter limits what pages do by themselves while a policy requires approvals.
type Consenter interface {
	// Permit sets what pages may do from now on. It replaces the earlier consent. Without a policy
	// that requires approvals it does nothing.
	Permit(ctx context.Context, c Consent) error
}
