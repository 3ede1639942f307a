package steps

import "slices"

// A Risk is something that a step may do and for which a policy may require an approval.
type Risk string

// The risks, as policy.approve names them.
const (
	RiskLeaveOrigin Risk = "leave_origin" // the page is replaced by one of another origin
	RiskSubmit      Risk = "submit"       // a form is sent
	RiskDownload    Risk = "download"     // a file is saved
	RiskUpload      Risk = "upload"       // a file is sent
	RiskDialog      Risk = "dialog"       // a dialog of the page is accepted
	RiskEval        Risk = "eval"         // a script runs in the page's own world
)

// Risks returns all risks, in the order of the reference page. The caller owns the slice.
func Risks() []Risk {
	return []Risk{RiskLeaveOrigin, RiskSubmit, RiskDownload, RiskUpload, RiskDialog, RiskEval}
}

// IsRisk reports whether a word names a risk.
func IsRisk(word string) bool { return slices.Contains(Risks(), Risk(word)) }
