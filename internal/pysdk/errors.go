package pysdk

// The classes of errors, from the table of codes.

import (
	"fmt"
	"strings"

	"github.com/actionregistry/action/diag"
)

// errorNames holds the class names of some codes. The usual name, such as TimeoutError, already
// belongs to a Python exception.
var errorNames = map[diag.Code]string{diag.Timeout: "RunTimeoutError", diag.Cancelled: "RunCancelledError"}

// errorBases holds the base classes of error classes, besides ActionError.
var errorBases = map[diag.Code]string{diag.Timeout: "TimeoutError"}

// meanings holds the docstrings of the error classes.
var meanings = map[diag.Code]string{
	diag.ActionNotFound:         "No such action or step. The suggestion has the nearest names.",
	diag.ParamRequired:          "A param or an argument without a default was not given.",
	diag.ParamInvalid:           "A value does not fit its param or argument, or there is no such param.",
	diag.ElementNotFound:        "Nothing matched within the time. `details` may list what the page has instead.",
	diag.ElementAmbiguous:       "Several visible elements matched, but the step needs one. `details` lists them.",
	diag.ElementNotInteractable: "The element matched but was not visible, stable, enabled, editable or hit.",
	diag.StaleRef:               "A ref of an earlier snapshot no longer names the same element.",
	diag.Timeout:                "A deadline has passed: of a wait, a navigation, a script, the run or the call.",
	diag.StepFailed:             "A step ran without its effect, or a `fail` or `assert` ended the action.",
	diag.VerifyFailed:           "The steps ran, but a check of `verify` does not hold.",
	diag.VersionIncompatible:    "The page's library has a version for which the action is not made.",
	diag.MaxDepthExceeded:       "Actions run one another too deep.",
	diag.LimitExceeded:          "A limit was reached. The same call may succeed later.",
	diag.SecurityError:          "A path, a file, a socket or a token is refused.",
	diag.PolicyDenied:           "The policy does not allow it, or a person has not approved it.",
	diag.DefinitionInvalid:      "A definition file is wrong. `position` says where.",
	diag.NavigationFailed:       "A document could not be loaded.",
	diag.BrowserUnavailable: "No browser was found, it did not start, or it has ended; or the server cannot be reached. " +
		"`details` has `outcome` `unknown` if the call may have been carried out.",
	diag.SessionHeld:    "A person uses the browser of the session.",
	diag.Cancelled:      "The call was cancelled.",
	diag.InvalidRequest: "The request is wrong.",
	diag.Internal:       "A bug of the server or of this package, or an answer that could not be read.",
}

// errorClass returns the class name for a code.
func errorClass(code diag.Code) string {
	if name := errorNames[code]; name != "" {
		return name
	}
	var words []string
	for part := range strings.SplitSeq(string(code), "_") {
		words = append(words, part[:1]+strings.ToLower(part[1:]))
	}
	return strings.TrimSuffix(strings.Join(words, ""), "Error") + "Error"
}

func errorClasses() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, "The errors of this package: one class for each code, all derived from ActionError.")
	b.WriteString("from typing import Dict, Type\n\nfrom ._base import ActionError, ErrorInfo, StaleRefFields\n")
	for _, code := range diag.Codes() {
		base := "ActionError"
		if code == diag.StaleRef {
			base = "StaleRefFields"
		}
		if more := errorBases[code]; more != "" {
			base += ", " + more
		}
		if meanings[code] == "" {
			panic("pysdk: the code " + string(code) + " has no meaning")
		}
		fmt.Fprintf(&b, "\n\nclass %s(%s):\n", errorClass(code), base)
		b.WriteString(doc{paragraphs: []string{meanings[code]}}.print("    "))
		fmt.Fprintf(&b, "\n    code = %s\n", quoted(string(code)))
	}
	b.WriteString("\n\nBY_CODE: Dict[str, Type[ActionError]] = {\n")
	for _, code := range diag.Codes() {
		fmt.Fprintf(&b, "    %s: %s,\n", quoted(string(code)), errorClass(code))
	}
	b.WriteString("}\n\n__all__ = [\n    \"ActionError\",\n    \"BY_CODE\",\n    \"ErrorInfo\",\n")
	for _, code := range diag.Codes() {
		fmt.Fprintf(&b, "    %s,\n", quoted(errorClass(code)))
	}
	b.WriteString("]\n")
	return b.String()
}
