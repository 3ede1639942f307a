//go:build linux

// Package python_test runs the tests of the Python SDK: against a real daemon, a real browser and
// the demo shop, and those of the package as its users get it. It has no Go code of the SDK: what is
// generated is printed by package pysdk.
package python_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// python is Debian's own interpreter if it is there, since its packages have the tools that build the
// wheel, and otherwise the one on the path. Without one the tests fail.
func python(t *testing.T) string {
	t.Helper()
	const debian = "/usr/bin/python3"
	if _, err := os.Stat(debian); err == nil {
		return debian
	}
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("found no python3; install it with: scripts/apt-install.sh python3 python3-build python3-setuptools python3-wheel python3-venv mypy")
	}
	return path
}

// programs builds what the tests talk to, and returns the environment that names it.
func programs(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir+"/", "./cmd/action", "./cmd/actiond", "./testdata/shop/serve")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return append(os.Environ(), "ACTION="+filepath.Join(dir, "action"), "SHOP="+filepath.Join(dir, "serve"), "PYTHONDONTWRITEBYTECODE=1")
}

// unittest runs a module of tests.
func unittest(t *testing.T, environ []string, module string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), python(t), "-m", "unittest", "-v", "tests."+module)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ, &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("%v\n%s", err, out.Bytes())
	}
}

// TestWire runs the tests against servers that break the protocol. They need no program of ours.
func TestWire(t *testing.T) {
	t.Parallel()
	unittest(t, append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1"), "test_wire")
}

// TestClients runs the tests of both clients over both transports.
func TestClients(t *testing.T) {
	unittest(t, programs(t), "test_clients")
}

// TestPackage runs the examples of the README, checks the types, and builds and installs the wheel.
func TestPackage(t *testing.T) {
	unittest(t, programs(t), "test_package")
}
