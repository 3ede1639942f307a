package session_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/shop"
)

// TestUsersNeverMix signs in different users of one shop, in two windows of each of two sessions.
// They act at the same time, and must never see each other's data.
func TestUsersNeverMix(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	users := map[string]string{"ann": "a-pw", "bob": "b-pw", "cyd": "c-pw"}
	base := serve(t, shop.Handler(shop.Options{Delay: -1, Users: users}))
	m := newManager(t, session.ManagerOptions{})
	path, err := filepath.Abs("../../testdata/shop/actions")
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"BASE_URL": base, "SHOP_PASSWORD": "x", "HOME": t.TempDir()}
	run := func(name, action string, params map[string]any) error {
		c := in(name)
		c.Path, c.Env = &path, env
		if r := m.Run(t.Context(), c, action, params); !r.Success {
			return fmt.Errorf("%s in %s: %s", action, name, describe(r.Error))
		}
		return nil
	}
	step := func(name, step string, args map[string]any) (map[string]any, error) {
		r := m.Step(t.Context(), in(name), step, args)
		if !r.Success {
			return nil, fmt.Errorf("%s in %s: %s", step, name, describe(r.Error))
		}
		return r.Data.(map[string]any), nil
	}
	signIn := func(name, user, password string) error {
		return run(name, "shop:session:login", map[string]any{"user": user, "password": password})
	}
	// who runs an action in a window and returns the name of the user who is signed in there.
	who := func(name, window string) (string, error) {
		if _, err := step(name, "window", map[string]any{"do": "switch", "window": window}); err != nil {
			return "", err
		}
		if _, err := step(name, "open", map[string]any{"url": base + "/orders"}); err != nil {
			return "", err
		}
		got, err := step(name, "get", map[string]any{"what": "text", "selector": "css:form[action$='/logout'] > span"})
		if err != nil {
			return "", err
		}
		return got["text"].(string), nil
	}
	set := map[string]map[string]string{"one": {"w1": "ada", "w2": "ann"}, "two": {"w1": "bob", "w2": "cyd"}}
	users["ada"] = shop.DefaultPassword
	both(t, func(name string) error {
		for i, window := range []string{"w1", "w2"} {
			if i > 0 {
				if _, err := step(name, "window", map[string]any{"do": "new"}); err != nil {
					return err
				}
			}
			if err := signIn(name, set[name][window], users[set[name][window]]); err != nil {
				return err
			}
		}
		return nil
	})
	rounds := 10
	if !testkit.Full() {
		rounds = 4
		testkit.Leave(t, 6, 10, "rounds")
	}
	both(t, func(name string) error {
		for round := range rounds {
			window := []string{"w1", "w2"}[round%2]
			user, err := who(name, window)
			if err != nil {
				return err
			}
			if want := set[name][window]; user != want {
				return fmt.Errorf("round %d: %s of %s is %q, want %q", round, window, name, user, want)
			}
			order := map[string]any{"customer": fmt.Sprintf("%s %d", user, round), "product": "Drill press", "quantity": 1}
			if err := run(name, "shop:order:create", order); err != nil {
				return err
			}
		}
		return nil
	})
	// A sign-out in one window does not sign out the users of the other windows.
	if _, err := step("one", "click", map[string]any{"selector": "role:button[name='Sign out']"}); err != nil {
		t.Fatal(err)
	}
	for name, window := range map[string]string{"one": "w1", "two": "w2"} {
		if user, err := who(name, window); err != nil || user != set[name][window] {
			t.Errorf("%s of %s after another's sign-out: %q, %v", window, name, user, err)
		}
	}
}

// both calls the function do for two sessions at the same time.
func both(t *testing.T, do func(name string) error) {
	t.Helper()
	var wg sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		wg.Go(func() {
			if err := do(name); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}
