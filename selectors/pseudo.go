package selectors

// The pseudo-class names. They decide whether "x:y" without a kind is CSS.

import (
	"strings"
	"sync"
)

var pseudoClasses = sync.OnceValue(func() map[string]bool {
	return set(`
active active-view-transition active-view-transition-type any-link autofill blank buffering checked
current default defined dir disabled empty enabled first-child first-of-type focus focus-visible
focus-within fullscreen future has has-slotted heading host host-context hover in-range
indeterminate interest-source interest-target invalid is lang last-child last-of-type link local-link
matches modal muted not nth-child nth-col nth-last-child nth-last-col nth-last-of-type nth-of-type
only-child only-of-type open optional out-of-range past paused picture-in-picture placeholder-shown
playing popover-open read-only read-write required root scope seeking stalled state target
target-after target-before target-current target-within user-invalid user-valid valid visited
volume-locked where xr-overlay
after before first-letter first-line`) // the last four are pseudo-elements that may have a single colon
})

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

// notCSS maps pseudo-classes that only other tools have to hints for their errors.
var notCSS = map[string]string{
	"contains":  "write >> has-text:… after the selector, or text*:…",
	"has-text":  "write >> has-text:… after the selector",
	"text":      "write >> has-text:… after the selector, or text:…",
	"text-is":   "write text:…",
	"visible":   "write >> visible: after the selector; steps wait for a visible element anyway",
	"hidden":    "wait with state: hidden",
	"eq":        "write >> nth:… after the selector",
	"nth-match": "write >> nth:… after the selector",
	"first":     "write >> nth:0 after the selector",
	"last":      "write >> nth:-1 after the selector",
}

// isPseudo reports whether a colon begins a pseudo-class or pseudo-element of CSS. s is the text
// after the colon.
func isPseudo(s string) bool {
	m := pseudoName().FindStringSubmatch(s)
	if m == nil {
		return false
	}
	return strings.HasPrefix(s, ":") || strings.HasPrefix(m[1], "-") || pseudoClasses()[strings.ToLower(m[1])]
}
