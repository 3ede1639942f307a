package endpoint_test

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

func TestLimit(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"get url":                         0,
		"get url --timeout 2s":            2 * time.Second,
		"get url --timeout 250":           250 * time.Millisecond,
		"--timeout=1m30s get url":         90 * time.Second,
		"get --timeout 1s --timeout=2s":   2 * time.Second,
		"run a:b:c -- --timeout 1s":       0,
		"run a:b:c --timeout":             0,
		"get url --timeout soon":          0,
		"get url --timeout -5s":           0,
		"get url --timeout NaN":           0,
		"get url --timeouts 5s":           0,
		"get url --timeout 9999999999999": 0, // more than the maximum of time.Duration
	} {
		if got := endpoint.Limit(strings.Fields(line)); got != want {
			t.Errorf("Limit(%q) = %s, want %s", line, got, want)
		}
	}
}

// TestPatience checks that a command with a time limit gives up on a silent daemon soon after the
// limit, but never on one that answers, and that a command without a limit waits for the default
// times.
func TestPatience(t *testing.T) {
	began := time.Now()
	for _, test := range []struct {
		name          string
		limit, at     time.Duration
		greet, answer time.Duration
	}{
		{"no limit", 0, 0, 5 * time.Second, 15 * time.Second},
		{"no limit, later", 0, time.Hour, 5 * time.Second, 15 * time.Second},
		{"short", 2 * time.Second, 0, 2 * time.Second, 4 * time.Second},
		{"short, when it is up", 2 * time.Second, 2 * time.Second, time.Second, endpoint.Grace},
		{"short, long after", 2 * time.Second, time.Minute, time.Second, endpoint.Grace},
		{"tiny", 1, 0, 1, endpoint.Grace + 1},
		{"long", time.Hour, 0, 5 * time.Second, 15 * time.Second},
		{"long, near its end", time.Hour, time.Hour - time.Second, time.Second, 3 * time.Second},
		{"the longest", 1<<63 - 1, 0, 5 * time.Second, 15 * time.Second},
	} {
		p := endpoint.Patience{Began: began, Limit: test.limit}
		now := began.Add(test.at)
		if greet, answer := p.Greet(now), p.Answer(now); greet != test.greet || answer != test.answer {
			t.Errorf("%s: greeted after %s and given up after %s, want %s and %s", test.name, greet, answer, test.greet, test.answer)
		}
	}
}
