//go:build linux

package main

// Definitions that multiply data. The daemon refuses them, uses little memory, and can be stopped
// at any time.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// costly defines t:bomb:go, whose values double 40 times, and t:mask:go, whose legal result takes
// minutes to mask.
func costly(t *testing.T, u *user) {
	t.Helper()
	var b strings.Builder
	b.WriteString("namespace: t\nversion: 1.0.0\nactions:\n  bomb:go:\n    steps:\n" +
		"      - {action: set, args: {values: {a: x}}, output: s0}\n")
	for i := range 40 {
		fmt.Fprintf(&b, "      - {action: set, args: {values: {a: [\"${steps.s%[1]d.a}\", \"${steps.s%[1]d.a}\"]}}, output: s%[2]d}\n", i, i+1)
	}
	b.WriteString(`    returns: {a: "${steps.s40.a}"}
  mask:go:
    params: {mib: {type: string}, keys: {type: array, secret: true}}
    steps: [{action: set, args: {values: {a: 1}}}]
    returns: {a: ["${mib}", "${mib}", "${mib}", "${mib}", "${mib}", "${mib}", "${mib}"]}
`)
	dir := filepath.Join(u.home, ".agent-browser", "actions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "t.yaml"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = fmt.Sprintf("%s%04d", strings.Repeat("a", 50), i)
	}
	params, err := json.Marshal(map[string]any{"mib": strings.Repeat("a", 1<<20-100), "keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(u.home, "params.json"), params, 0o600); err != nil {
		t.Fatal(err)
	}
}

// peakMiB returns the peak memory of a process in MiB.
func peakMiB(t *testing.T, p process) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kib, err := strconv.Atoi(strings.Fields(rest + " ?")[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}

func TestExpansionBomb(t *testing.T) {
	u := newUser(t)
	costly(t, u)
	daemon := u.daemonOf(t)
	for _, args := range [][]string{{"run"}, {"run", "--steps"}, {"debug"}} {
		r := u.refused(t, exitFailed, "LIMIT_EXCEEDED", append(args, "t:bomb:go")...)
		wantText(t, r, ".error.message", "at most 8388608 bytes")
		if step, _ := lookIn(r, ".error.step"); step == nil || text(r, ".error.action") != "t:bomb:go" {
			t.Errorf("%v names no step: %v", args, r["error"])
		}
	}
	if now := u.daemon(t); now != daemon {
		t.Errorf("the daemon is %v, before %v", now, daemon)
	}
	if got := peakMiB(t, daemon); got > 400 {
		t.Errorf("the daemon took %d MiB, want at most 400", got)
	}
}

// daemonOf starts the daemon and returns its process.
func (u *user) daemonOf(t *testing.T) process {
	t.Helper()
	u.done(t, "daemon", "start")
	return u.daemon(t)
}

func TestCostlyRunEnds(t *testing.T) {
	testkit.Long(t)
	run := []string{"run", "t:mask:go", "--json", "--params", "@params.json"}
	t.Run("by its time", func(t *testing.T) {
		u := newUser(t)
		costly(t, u)
		daemon := u.daemonOf(t)
		j := u.start(t, append(run, "--timeout", "3s")...)
		j.wantError(t, exitFailed, "TIMEOUT")
		if now := u.daemon(t); now != daemon {
			t.Errorf("the daemon is %v, before %v", now, daemon)
		}
		if got := peakMiB(t, daemon); got > 400 {
			t.Errorf("the daemon took %d MiB, want at most 400", got)
		}
	})
	t.Run("by the end of its client", func(t *testing.T) {
		u := newUser(t)
		costly(t, u)
		u.daemonOf(t)
		j := u.start(t, append(run, "--timeout", "10m")...)
		u.wantState(t, "default", "running")
		if err := j.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		j.end()
		u.wantState(t, "default", "idle")
	})
	t.Run("by the end of the daemon", func(t *testing.T) {
		u := newUser(t)
		costly(t, u)
		daemon := u.daemonOf(t)
		j := u.start(t, append(run, "--timeout", "10m")...)
		u.wantState(t, "default", "running")
		u.done(t, "daemon", "stop")
		if got := j.end(); got == exitDone {
			t.Errorf("exit code %d, want a failure", got)
		}
		eventually(t, "the daemon ends", func() bool { return !daemon.alive() })
	})
}
