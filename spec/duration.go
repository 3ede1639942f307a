package spec

import (
	"time"

	"github.com/actionregistry/action/diag"
)

// maxDuration is the maximum duration in a definition file.
const maxDuration = 24 * time.Hour

// DurationOf reads a duration: an integer in milliseconds, or a string such as 500ms, 5s or 1m30s.
// A duration below 0 or above 24h is an error.
func DurationOf(n *Node) (time.Duration, *diag.Error) {
	var d time.Duration
	switch {
	case n == nil:
		return 0, diag.New(diag.DefinitionInvalid, "found nothing, expected a duration")
	case n.Kind == Int:
		if n.Int > int64(maxDuration/time.Millisecond) {
			return 0, longDuration(n)
		}
		d = time.Duration(max(n.Int, -1)) * time.Millisecond
	case n.Kind == String:
		var err error
		if d, err = time.ParseDuration(n.Str); err != nil || isDigit(n.Str[len(n.Str)-1]) {
			return 0, diag.At(n.Pos, diag.DefinitionInvalid, "found %q, expected a duration", n.Str).
				WithHint("write milliseconds as a number (500), or a number with a unit: 500ms, 5s, 1m")
		}
	default:
		return 0, diag.At(n.Pos, diag.DefinitionInvalid, "found %s, expected a duration", n.describe()).
			WithHint("write milliseconds as an integer (500), or a number with a unit: 500ms, 5s, 1m")
	}
	if d < 0 {
		return 0, diag.At(n.Pos, diag.DefinitionInvalid, "found a negative duration, expected 0 or more").
			WithHint("remove the minus")
	}
	if d > maxDuration {
		return 0, longDuration(n)
	}
	return d, nil
}

func longDuration(n *Node) *diag.Error {
	return diag.At(n.Pos, diag.DefinitionInvalid, "found a duration over 24h, expected at most 24h").
		WithHint("use a shorter duration; an integer is milliseconds")
}
