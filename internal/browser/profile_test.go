package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A profile folder keeps the browser's storage, and only one browser can use it at a time.
func TestProfileIsKept(t *testing.T) {
	testkit.Long(t)
	for _, program := range []string{"chromium-headless-shell", "chromium"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			dir, base, ctx := filepath.Join(t.TempDir(), "new", "folder"), site(t, openers), testContext(t)
			begin := func() (*chrome.Browser, error) {
				b, err := Launch(ctx, startup.Options{Path: program, Profile: dir})
				if err != nil {
					return nil, err
				}
				t.Cleanup(func() { b.Close(context.Background()) })
				if err := b.Begin(ctx); err != nil {
					return nil, err
				}
				_, err = b.Active().Open(ctx, base+"/", driver.Load)
				return b, err
			}
			b, err := begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Active().Eval(ctx, "document.cookie='who=ann;max-age=9999';localStorage.x='1'", nil); err != nil {
				t.Fatal(err)
			}
			if _, err := b.OpenTab(ctx); err != nil {
				t.Fatal(err)
			}
			_, err = begin()
			wantCode(t, err, diag.BrowserUnavailable, "in use by another browser", dir)
			if err := b.Close(ctx); err != nil {
				t.Fatal(err)
			}
			if b, err = begin(); err != nil {
				t.Fatal(err)
			}
			if got, err := b.Active().Eval(ctx, "document.cookie+' '+localStorage.x", nil); err != nil || got != "who=ann 1" {
				t.Errorf("the profile has %v, %v, want the cookie and the storage", got, err)
			}
			wantTabs(t, ctx, b, "t1*")
		})
	}
}

// A browser that a person has started with the folder is noticed immediately.
func TestProfileInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(dir, "SingletonLock")
	if err := os.Symlink(host+"-1", lock); err != nil {
		t.Fatal(err)
	}
	_, err = Launch(testContext(t), startup.Options{Profile: dir})
	wantCode(t, err, diag.BrowserUnavailable, "in use by another browser")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Launch(testContext(t), startup.Options{Profile: filepath.Join(dir, "file")})
	wantCode(t, err, diag.BrowserUnavailable, "cannot be used")
}
