package ops

import (
	"net/http"

	"github.com/actionregistry/action/diag"
)

// StatusClientClosed is the HTTP status of a request that was cancelled.
const StatusClientClosed = 499

// statuses maps the codes of errors to HTTP statuses.
var statuses = map[diag.Code]int{
	diag.ActionNotFound:         http.StatusNotFound,
	diag.ParamRequired:          http.StatusBadRequest,
	diag.ParamInvalid:           http.StatusBadRequest,
	diag.ElementNotFound:        http.StatusUnprocessableEntity,
	diag.ElementAmbiguous:       http.StatusUnprocessableEntity,
	diag.ElementNotInteractable: http.StatusUnprocessableEntity,
	diag.StaleRef:               http.StatusConflict,
	diag.SessionHeld:            http.StatusConflict,
	diag.Timeout:                http.StatusGatewayTimeout,
	diag.StepFailed:             http.StatusUnprocessableEntity,
	diag.VerifyFailed:           http.StatusUnprocessableEntity,
	diag.VersionIncompatible:    http.StatusUnprocessableEntity,
	diag.MaxDepthExceeded:       http.StatusUnprocessableEntity,
	diag.LimitExceeded:          http.StatusTooManyRequests,
	diag.SecurityError:          http.StatusForbidden,
	diag.PolicyDenied:           http.StatusForbidden,
	diag.DefinitionInvalid:      http.StatusUnprocessableEntity,
	diag.NavigationFailed:       http.StatusUnprocessableEntity,
	diag.BrowserUnavailable:     http.StatusServiceUnavailable,
	diag.Cancelled:              StatusClientClosed,
	diag.InvalidRequest:         http.StatusBadRequest,
	diag.Internal:               http.StatusInternalServerError,
}

// StatusOf returns the HTTP status for the code of an error. For an unknown code, it returns 500.
func StatusOf(code diag.Code) int {
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// StatusFor returns the HTTP status for the code of an error of o.
func (o *Operation) StatusFor(code diag.Code) int {
	if status, ok := o.Status[code]; ok {
		return status
	}
	return StatusOf(code)
}
