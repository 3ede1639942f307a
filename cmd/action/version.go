package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker for releases.
var version = ""

type versionCmd struct{}

// Run prints what this program is.
func (*versionCmd) Run(_ context.Context, a *app) error {
	v := map[string]string{"version": buildVersion(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	if a.json {
		a.writeJSON(v)
		return nil
	}
	fmt.Fprintf(a.stdout, "action %s (%s, %s)\n", v["version"], v["go"], v["platform"])
	return nil
}

func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
