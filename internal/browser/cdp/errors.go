package cdp

import (
	"encoding/json"
	"errors"
	"strings"

	rodcdp "github.com/go-rod/rod/lib/cdp"
)

var (
	// ErrClosed is the error of every call once the browser has ended.
	ErrClosed = errors.New("the connection to the browser is closed")
	// ErrGone means that the document of an evaluation was replaced.
	ErrGone = errors.New("the document is gone")
)

// IsWorldGone reports whether e is one of the errors with which Chromium reports that the document
// of an evaluation was replaced, before or while it ran.
func IsWorldGone(e *rodcdp.Error) bool {
	for _, text := range []string{
		"Cannot find context with specified id",
		"uniqueContextId not found",
		"Execution context was destroyed",
		"Inspected target navigated or closed",
		"Promise was collected",
		"Session with given id not found", // the session of a frame
	} {
		if strings.Contains(e.Message, text) {
			return true
		}
	}
	return false
}

// IsGone reports whether the document of an evaluation was replaced.
func IsGone(err error) bool { return errors.Is(err, ErrGone) }

// IsSwapping reports whether a command was refused because the page is between two documents.
func IsSwapping(err error) bool {
	var refused *rodcdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "Not attached to an active page")
}

// IsCollected reports whether a command was refused because its node has been freed.
func IsCollected(err error) bool {
	var refused *rodcdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "No node with given id found")
}

// HasLocale reports whether a call that sets the locale was refused because the page already has
// one. That happens to a pop-up that shares the process of its opener.
func HasLocale(err error) bool {
	var refused *rodcdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "Another locale override is already in effect")
}

// FirstLine returns s up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Decode decodes the params of e and reports whether that succeeded. Callers ignore events that
// cannot be decoded, because rod's types are older than the browser.
func Decode(e *Event, into any) bool {
	return json.Unmarshal(e.Params, into) == nil
}
