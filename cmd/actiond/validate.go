package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/definitions"
)

type validateOptions struct {
	*factory
	Paths []string
}

func newValidateCmd(f *factory, runF func(context.Context, *validateOptions) error) *cobra.Command {
	o := &validateOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "validate",
		Short:   "Check definition files",
		Example: "action validate actions/shop.yaml\naction validate .agent-browser/actions --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Paths = args
			return call(cmd, o, runF, runValidate)
		},
	}
	return f.takes(cmd, positional{name: "path", doc: "Definition files, or folders that contain them.", many: true})
}

// runValidate checks files together with all definitions that are loaded in this folder.
func runValidate(ctx context.Context, o *validateOptions) error {
	v, err := definitions.Validate(ctx, definitions.Options{Cwd: o.cwd, Environ: o.environ}, o.Paths)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(map[string]any{
			"success": len(v.Errors) == 0, "files": nonNil(v.Files), "actions": v.Actions,
			"errors": nonNil(v.Errors), "warnings": nonNil(v.Warnings),
		})
	} else {
		o.printer.Source = v.Source
		for _, list := range []struct {
			word string
			errs error
			n    int
		}{{"warning", v.Warnings.Err(), len(v.Warnings)}, {"problem", v.Errors.Err(), len(v.Errors)}} {
			if list.n > 0 {
				_ = o.printer.Print(o.stderr, list.errs)
				fmt.Fprintf(o.stderr, "%s\n", diag.Plural(list.n, list.word))
			}
		}
		if len(v.Errors) == 0 {
			fmt.Fprintf(o.stdout, "%s, %s: valid\n", diag.Plural(len(v.Files), "file"), diag.Plural(v.Actions, "action"))
		}
	}
	if err := v.Errors.Err(); err != nil {
		return errShown{err}
	}
	return nil
}
