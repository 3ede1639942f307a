package driver

import "context"

// A Consent says what pages may do because a person has approved it. The zero value permits nothing.
type Consent struct {
	// Origins lists the origins, such as https://example.test, to which a page may go.
	Origins []string
	// Submit permits pages to send one form. Download permits them to save files.
	Submit, Download bool
	// Form is the address to which pages may send the form that Submit permits. An empty Form means
	// any address. If the form is sent by GET, the query of the address is ignored.
	Form string
}

// Consenter permits pages to do what a person has approved. It is needed only if the policy
// requires approvals.
type Consenter interface {
	// Permit sets the consent, in place of the previous one. It does nothing if the policy does not
	// require approvals.
	Permit(ctx context.Context, c Consent) error
}
