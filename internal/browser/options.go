package browser

// Options for starting a browser, and where it is searched.

import (
	"cmp"
	"os"
	"os/exec"
	"runtime"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// Options say how [Launch] starts a browser. The zero value starts a headless one with its
// own profile.
type Options struct {
	// Acting returns what acts on a tab that has come. Nil: nothing does.
	Acting func(*Tab) driver.Page

	// Path of the executable. "" searches for one: see [Find].
	Path string
	// Args are added to the command line, after our own.
	Args []string
	// Headed shows a window.
	Headed bool
	// Sandbox is that of Chromium. SandboxAuto disables it only for root, for whom Chromium
	// refuses to start with it.
	Sandbox Sandbox
	// TempDir is where the profile folder is made; "" is os.TempDir.
	TempDir string
	// Warn receives each message for the user once, such as that the sandbox is off. nil
	// drops it.
	Warn func(message string)
	// Trace receives the method of each protocol message that is sent. Sending waits for
	// it, so it must be quick. nil is off.
	Trace func(method string)

	// Refs records the refs of all pages, so that no number is used twice. nil is a new
	// book, which ends with the browser.
	Refs *snapshot.Book

	// UserAgent, Locale ("de-DE") and Proxy ("host:port" or a URL, with user:password@ if
	// it requires them) are Chromium's own if "".
	UserAgent string
	Locale    string
	Proxy     string
	// Guard makes the browser reach the network only through our proxy, which refuses every
	// host until [Browser.Restrict] is called. It covers every connection. It cannot be
	// combined with CDP.
	Guard bool
	// Viewport of each page in CSS pixels; the zero value is 1280x720, or what
	// the window has when Headed.
	Viewport Viewport
	// CPUSlowdown makes scripts of pages run so many times slower, to test behaviour on a
	// slow machine; 0 and 1 are the machine's own speed.
	CPUSlowdown int
	// IgnoreHTTPSErrors accepts certificates that are not valid.
	IgnoreHTTPSErrors bool

	// Profile is a folder whose cookies and storage are used and kept; "" is a new one that
	// is removed with the browser. One that is in use is BROWSER_UNAVAILABLE.
	Profile string
	// NoJavaScript disables the scripts of pages.
	NoJavaScript bool
	// CDP connects to a running browser: a port, an http: or a ws: address. Path, Args,
	// Headed and Sandbox are ignored then.
	CDP string

	// MaxTabs bounds the tabs of all windows together; 0: 64.
	MaxTabs int
}

func (o *Options) maxTabs() int { return cmp.Or(o.MaxTabs, 64) }

// A Viewport is the visible part of a page in CSS pixels.
type Viewport struct{ Width, Height int }

// Sandbox says whether Chromium runs in its sandbox.
type Sandbox uint8

const (
	SandboxAuto Sandbox = iota
	SandboxOn
	SandboxOff
)

func (o *Options) sandboxed() bool {
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

// EffectiveViewport is the size that pages have; the zero value is that of the
// window.
func (o *Options) EffectiveViewport() Viewport {
	if o.Viewport == (Viewport{}) && !o.Headed && o.CDP == "" {
		return Viewport{1280, 720}
	}
	return o.Viewport
}

// Find returns the executable that is used without a path. A headless shell is preferred if
// no window is required: it starts in a fifth of the time and memory. It returns
// BROWSER_UNAVAILABLE if there is none.
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
