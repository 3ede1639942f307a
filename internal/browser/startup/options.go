// Package startup starts the process of a Chromium, or finds a running one. It knows the options,
// the command line, the search for the executable, the proxy that enforces a rule for hosts, and
// the address of a running browser. It does not connect to the browser: package chrome does that.
//
// Files, bottom to top: options, endpoint, proxy, flags, run.
package startup

import (
	"cmp"
	"os"
	"os/exec"
	"runtime"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/snapshot"
)

// Options configure a browser. The zero value starts a headless browser with its own profile.
type Options struct {
	// Path is the path of the executable. "" searches for one; see [Find].
	Path string
	// Args are added to the command line, after our flags.
	Args []string
	// Headed shows the browser's windows.
	Headed bool
	// Sandbox controls Chromium's sandbox. SandboxAuto disables the sandbox only for root, because
	// Chromium refuses to start as root with a sandbox.
	Sandbox Sandbox
	// TempDir is the folder in which the profile folder is created. "" means os.TempDir.
	TempDir string
	// Warn is called once for each warning to the user, for example that the sandbox is off. If it
	// is nil, the warnings are dropped.
	Warn func(message string)
	// Trace is called with the method of each protocol message that is sent. It delays the message,
	// so it must be quick. It may be nil.
	Trace func(method string)

	// Refs records the refs of all pages, so that no number is used twice. Nil means a new book.
	Refs *snapshot.Book

	// UserAgent, Locale (such as "de-DE") and Proxy replace Chromium's defaults. "" keeps the
	// default. Proxy is host:port or a URL, with user:password@ if the proxy requires credentials.
	UserAgent string
	Locale    string
	Proxy     string
	// Guard makes the browser use the network only through our proxy. The proxy refuses every host
	// until a rule is set. Guard cannot be combined with CDP, or with Args that bypass the proxy;
	// see BypassesGuard.
	Guard bool
	// Viewport is the size of each page in CSS pixels. The zero value means 1280x720, or the size
	// of the window if Headed is set.
	Viewport Viewport
	// CPUSlowdown slows down the scripts of pages by this factor. 0 and 1 mean full speed.
	CPUSlowdown int
	// PageTools lets pages offer tools to agents, through document.modelContext.
	PageTools bool
	// IgnoreHTTPSErrors accepts invalid certificates.
	IgnoreHTTPSErrors bool

	// Profile is a folder in which the browser keeps cookies and storage. "" means a new folder,
	// which is removed when the browser ends. If another browser uses the folder, the error is
	// BROWSER_UNAVAILABLE.
	Profile string
	// NoJavaScript disables the scripts of pages.
	NoJavaScript bool
	// CDP is the address of a running browser to use: a port, an http: or a ws: address. Path,
	// Args, Headed and Sandbox are then ignored.
	CDP string
	// Target selects the first tab to use in a running browser. It is the id of the tab's target,
	// or a text that occurs only in the address of that tab. "" means the tab in front.
	Target string

	// MaxTabs is the maximum number of tabs in all windows together. 0 means 64.
	MaxTabs int
}

// TabLimit returns the maximum number of tabs in all windows together.
func (o *Options) TabLimit() int { return cmp.Or(o.MaxTabs, 64) }

// A Viewport is the visible part of a page in CSS pixels.
type Viewport struct{ Width, Height int }

// Sandbox says whether Chromium runs in its sandbox.
type Sandbox uint8

const (
	SandboxAuto Sandbox = iota
	SandboxOn
	SandboxOff
)

// Sandboxed reports whether Chromium runs in its sandbox. It calls Warn if SandboxAuto disables the
// sandbox for root.
func (o *Options) Sandboxed() bool {
	switch o.Sandbox {
	case SandboxOn:
		return true
	case SandboxOff:
		return false
	}
	if os.Geteuid() != 0 {
		return true
	}
	if o.Warn != nil {
		o.Warn("running as root: the browser runs without its sandbox")
	}
	return false
}

// EffectiveViewport returns the size of pages. The zero value means the size of the window.
func (o *Options) EffectiveViewport() Viewport {
	if o.Viewport == (Viewport{}) && !o.Headed && o.CDP == "" {
		return Viewport{1280, 720}
	}
	return o.Viewport
}

// Find searches PATH for the browser to start. Unless headed is set, it prefers a headless shell,
// which starts faster. If it finds no browser, the error is BROWSER_UNAVAILABLE.
func Find(headed bool) (string, error) {
	for _, name := range candidates(headed) {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	install := "install one with: apt-get install chromium-headless-shell (or: apt-get install chromium)"
	if headed {
		install = "install one with: apt-get install chromium"
	}
	if runtime.GOOS == "darwin" {
		install = "install one with: brew install --cask chromium"
	}
	return "", diag.New(diag.BrowserUnavailable, "no Chromium was found in PATH").
		WithHint("%s; or set browser.path", install)
}

func candidates(headed bool) []string {
	var names []string
	if !headed {
		names = append(names, "chrome-headless-shell", "chromium-headless-shell", "headless_shell")
	}
	names = append(names, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	if runtime.GOOS == "darwin" {
		names = append(names,
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
	}
	return names
}
