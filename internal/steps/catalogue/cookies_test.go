package catalogue

import (
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
)

func TestParseExpires(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	for text, want := range map[string]int64{"": -62135596800, "2001-01-01T00:00:00Z": 978307200, "978307200": 978307200, "24h": 1_086_400, "978307200.0": 978307200, "0": 0} {
		if got, err := parseExpires(text, now); err != nil || got.Unix() != want {
			t.Errorf("%q is %d, %v, want %d", text, got.Unix(), err, want)
		}
	}
	for _, text := range []string{"soon", "NaN", "1e99", "2001-01-01"} {
		if _, err := parseExpires(text, now); diag.CodeOf(err) != diag.ParamInvalid {
			t.Errorf("%q: got %v, want PARAM_INVALID", text, err)
		}
	}
}
