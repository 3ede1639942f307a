//go:build linux

package main

// A client that a generator makes of the OpenAPI description.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
)

// TestGeneratedClient generates a client from the description that a running server gives, compiles
// it, and calls the server with it (testdata/openapi). The generator is a tool of a module of its
// own, so that this module does not depend on it.
func TestGeneratedClient(t *testing.T) {
	t.Parallel()
	testkit.Long(t) // compiles the generator and the client
	u, site := shopUser(t, "SHOP_PASSWORD="+password)
	s := newServed(t, u, "--no-daemon", "--allow-private", "--access-log", "off")
	defer s.end(t)
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "client.yaml", "main.go"} {
		text, err := os.ReadFile(filepath.Join("../../testdata/openapi", name))
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, filepath.Join(dir, name), string(text))
	}
	testkit.Write(t, filepath.Join(dir, "openapi.json"), s.get(t, "/openapi.json"))
	if err := os.Mkdir(filepath.Join(dir, "api"), 0o700); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.WaitDelay = dir, patience
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "ACTION_URL="+s.url, "ACTION_TOKEN="+s.token, "SHOP_URL="+site)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	command("tool", "oapi-codegen", "-config", "client.yaml", "openapi.json")
	command("vet", ".")
	out := command("run", ".")
	if n := strings.Count(out, "ok "); n != 5 {
		t.Errorf("%d parts succeeded, want 5:\n%s", n, out)
	}
}
