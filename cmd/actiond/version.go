package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

type versionOptions struct{ *factory }

func newVersionCmd(f *factory, runF func(context.Context, *versionOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &versionOptions{f}, runF, runVersion)
		},
	})
}

// runVersion prints the version and build of this program.
func runVersion(_ context.Context, o *versionOptions) error {
	v := map[string]string{"version": endpoint.Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	if o.json {
		o.writeJSON(v)
		return nil
	}
	fmt.Fprintf(o.stdout, "action %s (%s, %s)\n", v["version"], v["go"], v["platform"])
	return nil
}
