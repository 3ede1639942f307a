package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

type versionCmd struct{}

// Run prints what this program is.
func (*versionCmd) Run(_ context.Context, a *app) error {
	v := map[string]string{"version": endpoint.Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	if a.json {
		a.writeJSON(v)
		return nil
	}
	fmt.Fprintf(a.stdout, "action %s (%s, %s)\n", v["version"], v["go"], v["platform"])
	return nil
}
