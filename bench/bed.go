package main

// The test bed: pages, folders and programs that all measurements use.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A bed holds the files and programs that all measurements share.
type bed struct {
	*config
	pages       *pageServer
	dir         string // folder for the files of all tools
	definitions string // definition file with the flows
	binary      string // path of action
	agent       string // path of agent-browser
	limit       string // path of the program limit
	node        string
	count       int // number of folders in dir
}

func newBed(ctx context.Context, c *config) (_ *bed, err error) {
	b := &bed{config: c}
	if b.binary, err = filepath.Abs(c.path("bin", "action")); err != nil {
		return nil, err
	}
	if _, err := os.Stat(b.binary); err != nil {
		return nil, fmt.Errorf("%w: run `make build`", err)
	}
	if b.agent, err = agentBinary(b.peers()); err != nil {
		return nil, err
	}
	if b.node, err = exec.LookPath("node"); err != nil {
		return nil, err
	}
	// The path is short, because the address of a unix socket has at most about 100 bytes.
	if b.dir, err = os.MkdirTemp("", "acb-"); err != nil {
		return nil, err
	}
	if b.limit, err = buildLimit(ctx, c.root, b.dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.dir))
	}
	b.definitions = filepath.Join(b.dir, "flows.yaml")
	if err := writeFlows(b.definitions); err != nil {
		return nil, err
	}
	b.pages, err = servePages()
	return b, err
}

func (b *bed) close() {
	b.pages.close()
	os.RemoveAll(b.dir)
}

// build builds a program of the repository's main module.
func (b *bed) build(ctx context.Context, binary, pkg string) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, pkg)
	build.Dir = b.root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func (b *bed) peers() string {
	path, err := filepath.Abs(b.path("bench", "peers"))
	if err != nil {
		return b.path("bench", "peers")
	}
	return path
}

func (b *bed) url(path string) string { return b.pages.base + path }

// folder creates a new folder in dir.
func (b *bed) folder() (string, error) {
	b.count++
	dir := filepath.Join(b.dir, fmt.Sprint(b.count))
	return dir, os.Mkdir(dir, 0o700)
}

// A setup determines which browser each tool starts. "" means the browser that the tool finds
// itself; only action and agent-browser find one.
type setup struct {
	name                                string
	action, agent, playwright, chromium string
}

func (b *bed) shellSetup() setup {
	return setup{"headless shell", b.shell, b.shell, b.shell, b.shell}
}

func (b *bed) fullSetup() setup { return setup{"full Chromium", b.full, b.full, b.full, b.full} }

// defaultSetup has the browser that each tool uses by default: action a headless shell,
// agent-browser a full Chrome, and Playwright the headless shell of its installer. No tool
// downloads a browser here, so Playwright gets the headless shell of this machine.
func (b *bed) defaultSetup() setup { return setup{"defaults", "", "", b.shell, b.shell} }

// tools holds the three tools of one setup.
type tools struct {
	action     *actionTool
	agent      *agentTool
	playwright *playwrightTool
	browser    string // browser for the lanes without a tool
	limit      string // path of the program limit
	dir        string
}

func (b *bed) tools(s setup) (*tools, error) {
	dir, err := b.folder()
	if err != nil {
		return nil, err
	}
	t := &tools{browser: s.chromium, limit: b.limit, dir: dir}
	if t.action, err = newAction(b.binary, dir, s.action, b.definitions); err != nil {
		return nil, err
	}
	if t.agent, err = newAgent(b.agent, dir, s.agent); err != nil {
		return nil, err
	}
	t.playwright, err = newPlaywright(b.node, b.peers(), dir, s.playwright)
	return t, err
}
