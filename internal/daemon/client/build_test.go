package client

import (
	"testing"

	"github.com/actionregistry/action/internal/daemon/wire"
)

func TestOlderThan(t *testing.T) {
	tests := []struct {
		name string
		a, b wire.Build
		want bool
	}{
		{"lower release", wire.Build{Version: "v1.2.3"}, wire.Build{Version: "1.10.0"}, true},
		{"higher release built earlier", wire.Build{Version: "v1.10.0", Built: 1}, wire.Build{Version: "v1.2.3", Built: 2}, false},
		{"the same release copied later", wire.Build{Version: "v1.2.3", Built: 1}, wire.Build{Version: "v1.2.3", Built: 2}, false},
		{"pre-release", wire.Build{Version: "v1.2.3-rc.1"}, wire.Build{Version: "v1.2.3"}, true},
		{"development builds", wire.Build{Version: "(devel)", Built: 1}, wire.Build{Version: "(devel)", Built: 2}, true},
		{"development builds, newer", wire.Build{Version: "(devel)", Built: 2}, wire.Build{Version: "(devel)", Built: 1}, false},
		{"dirty builds of one commit", wire.Build{Version: "v0.0.0-20260101000000-abcdef123456+dirty", Built: 1},
			wire.Build{Version: "v0.0.0-20260101000000-abcdef123456+dirty", Built: 2}, true},
		{"the same", wire.Build{Version: "x", Built: 2}, wire.Build{Version: "x", Built: 2}, false},
		{"unknown age", wire.Build{Version: "(devel)"}, wire.Build{Version: "(devel)", Built: 2}, false},
		{"caller unknown", wire.Build{Version: "(devel)", Built: 2}, wire.Build{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := olderThan(test.a, test.b); got != test.want {
				t.Errorf("olderThan(%v, %v) = %v, want %v", test.a, test.b, got, test.want)
			}
		})
	}
}
