//go:build linux

// Package python_test runs the tests of the Python SDK: against a real daemon, a real browser and
// the demo shop, and those of the package as its users get it. It has no Go code of the SDK: what is
// generated is printed by package pysdk.
package python_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/testkit"
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
	return append(os.Environ(), "ACTION="+filepath.Join(dir, "action"), "SHOP="+filepath.Join(dir, "serve"))
}

// unittest runs modules or classes of tests.
func unittest(t *testing.T, environ []string, names ...string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), python(t), append([]string{"-m", "unittest", "-v"}, names...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(environ, "PYTHONDONTWRITEBYTECODE=1"), &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("%v\n%s", err, out.Bytes())
	}
}

// TestClients runs the tests of both clients over both transports, and the examples of the README.
func TestClients(t *testing.T) {
	t.Parallel()
	unittest(t, programs(t), "tests.test_clients", "tests.test_readme")
}

// TestWire runs the tests against servers that break the protocol, and checks the types and the
// syntax. They need no program of ours.
func TestWire(t *testing.T) {
	t.Parallel()
	unittest(t, append(os.Environ(), "TLS_PEM="+certificate(t)), "tests.test_wire", "tests.test_types")
}

// certificate writes a certificate for localhost with its key, and returns the file.
func certificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	file := filepath.Join(t.TempDir(), "tls.pem")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestWheel builds the wheel and installs it.
func TestWheel(t *testing.T) {
	testkit.Long(t)
	unittest(t, os.Environ(), "tests.test_wheel")
}
