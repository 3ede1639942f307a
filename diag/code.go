package diag

// A Code names one kind of failure. Callers may switch on a Code: its meaning never changes.
type Code string

const (
	ActionNotFound         Code = "ACTION_NOT_FOUND"
	ParamRequired          Code = "PARAM_REQUIRED"
	ParamInvalid           Code = "PARAM_INVALID"
	ElementNotFound        Code = "ELEMENT_NOT_FOUND"
	ElementAmbiguous       Code = "ELEMENT_AMBIGUOUS"
	ElementNotInteractable Code = "ELEMENT_NOT_INTERACTABLE"
	StaleRef               Code = "STALE_REF"
	Timeout                Code = "TIMEOUT"
	StepFailed             Code = "STEP_FAILED"
	VerifyFailed           Code = "VERIFY_FAILED"
	VersionIncompatible    Code = "VERSION_INCOMPATIBLE"
	MaxDepthExceeded       Code = "MAX_DEPTH_EXCEEDED"
	LimitExceeded          Code = "LIMIT_EXCEEDED"
	SecurityError          Code = "SECURITY_ERROR"
	PolicyDenied           Code = "POLICY_DENIED"
	DefinitionInvalid      Code = "DEFINITION_INVALID"
	NavigationFailed       Code = "NAVIGATION_FAILED"
	BrowserUnavailable     Code = "BROWSER_UNAVAILABLE"
	SessionHeld            Code = "SESSION_HELD"
	Cancelled              Code = "CANCELLED"
	InvalidRequest         Code = "INVALID_REQUEST"
	Internal               Code = "INTERNAL"
)

// Warning is the code of a finding that is surprising but allowed. No call fails with it.
const Warning Code = "warning"

// Codes returns every code, in the order of the reference page. The caller owns the slice.
func Codes() []Code {
	return []Code{
		ActionNotFound, ParamRequired, ParamInvalid, ElementNotFound, ElementAmbiguous,
		ElementNotInteractable, StaleRef, Timeout, StepFailed, VerifyFailed,
		VersionIncompatible, MaxDepthExceeded, LimitExceeded, SecurityError, PolicyDenied,
		DefinitionInvalid, NavigationFailed, BrowserUnavailable, SessionHeld, Cancelled,
		InvalidRequest, Internal,
	}
}

// Known reports whether c is one of [Codes].
func (c Code) Known() bool {
	for _, k := range Codes() {
		if c == k {
			return true
		}
	}
	return false
}
