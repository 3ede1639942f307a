package cdp

import (
	"encoding/json"
	"errors"
	"strings"

	rodcdp "github.com/go-rod/rod/lib/cdp"
)

var (
	// ErrClosed ends every call when the browser has ended.
	ErrClosed = errors.New("the connection to the browser is closed")
	// ErrGone means that the document of an evaluation was replaced.
	ErrGone = errors.New("the document is gone")
)

// IsWorldGone recognises Chromium's errors for an evaluation, planned or running, whose
// document has been replaced.
func IsWorldGone(e *rodcdp.Error) bool {
	for _, text := range []string{
		"Cannot find context with specified id",
		"uniqueContextId not found",
		"Execution context was destroyed",
		"Inspected target navigated or closed",
		"Promise was collected",
		"Session with given id not found", // of a frame
	} {
		if strings.Contains(e.Message, text) {
			return true
		}
	}
	return false
}

// IsGone reports whether the document of an evaluation was replaced.
func IsGone(err error) bool { return errors.Is(err, ErrGone) }

// IsSwapping reports whether a command was refused because the page is between two
// documents.
func IsSwapping(err error) bool {
	var refused *rodcdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "Not attached to an active page")
}

// IsCollected reports whether a node was named that the browser has freed.
func IsCollected(err error) bool {
	var refused *rodcdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "No node with given id found")
}

// HasLocale reports whether a locale was refused because the page has one already: a locale
// belongs to a process, and a pop-up may share its opener's.
func HasLocale(err error) bool {
	var refused *rodcdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "Another locale override is already in effect")
}

// FirstLine returns s up to its first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Decode decodes the params of e. An event that cannot be decoded is dropped: rod's types
// date from 2024, and an unreadable event must not stop a run.
func Decode(e *Event, into any) bool {
	return json.Unmarshal(e.Params, into) == nil
}
