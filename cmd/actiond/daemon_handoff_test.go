//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/testdata/pages"
)

const handoffDefinition = `namespace: t
version: 1.0.0
description: For tests
actions:
  shop:enter:
    description: Enter with the help of a person
    params:
      url: {type: string, required: true}
    steps:
      - {open: "${params.url}"}
      - {handoff: {message: "log in, please"}}
      - {eval: "return 1"}
    returns: {url: "${page.url}"}
    verify:
      - {condition: "${page.url} contains '/echo'", message: The page is another one}
`

// TestHandoffClients ends the clients of handoffs in every way.
func TestHandoffClients(t *testing.T) {
	t.Parallel()
	page := serve(t.Cleanup, pages.Handler()) + "/echo"
	file := filepath.Join(t.TempDir(), "t.yaml")
	if err := os.WriteFile(file, []byte(handoffDefinition), 0o600); err != nil {
		t.Fatal(err)
	}
	u := newUser(t, "ACTION_PATH="+file)
	// A run waits, others are refused, and it goes on where it waited.
	run := u.start(t, "--json", "run", "t:shop:enter", "--url", page, "--session", "shop")
	u.wantState(t, "shop", "held")
	held := u.session(t, "shop")
	wantText(t, held, ".held.action", "t:shop:enter")
	wantText(t, held, ".held.message", "log in, please")
	wantText(t, held, ".held.by", fmt.Sprint("pid ", run.Process.Pid))
	r := u.refused(t, 1, "SESSION_HELD", "get", "url", "--session", "shop")
	wantText(t, r, ".error.message", "t:shop:enter", "log in, please")
	wantText(t, r, ".error.suggestion", "action session resume shop")
	u.refused(t, 1, "SESSION_HELD", "session", "open", "shop")
	u.refused(t, 1, "SESSION_HELD", "session", "handoff", "shop")
	u.done(t, "session", "resume", "shop")
	run.wantCode(t, 0)
	u.refused(t, exitUsage, "INVALID_REQUEST", "session", "resume", "shop")

	// Without --wait it outlives its client; with it, it ends with the client.
	u.done(t, "session", "handoff", "shop", "--message", "again")
	wantText(t, u.session(t, "shop"), ".held.message", "again")
	u.done(t, "session", "resume", "shop")
	u.wantState(t, "shop", "idle")
	wait := u.start(t, "session", "handoff", "shop", "--wait")
	u.wantState(t, "shop", "held")
	if err := syscall.Kill(wait.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	u.wantState(t, "shop", "idle")
	wait = u.start(t, "session", "handoff", "shop", "--wait")
	u.wantState(t, "shop", "held")
	u.done(t, "session", "resume", "shop")
	wait.wantCode(t, 0)
	if got := strings.TrimSpace(wait.stdout.String()); got != "resumed" {
		t.Errorf("--wait prints %q", got)
	}

	// The daemon ends a handoff when it stops.
	u.done(t, "session", "handoff", "shop")
	tree := u.tree(t, u.daemon(t))
	u.done(t, "daemon", "stop")
	allGone(t, tree)
}
