package main

import (
	"context"
	"fmt"

	"github.com/actionregistry/action/internal/session"
)

type validateCmd struct {
	Paths []string `arg:"" name:"path" help:"Definition files, or folders of them."`
}

// Run checks files above everything that is loaded in this folder.
func (c *validateCmd) Run(ctx context.Context, a *app) error {
	v, err := session.Validate(ctx, session.LoadOptions{Cwd: a.cwd, Environ: a.environ}, c.Paths)
	if err != nil {
		return err
	}
	if a.json {
		a.writeJSON(map[string]any{
			"success": len(v.Errors) == 0, "files": nonNil(v.Files), "actions": v.Actions,
			"errors": nonNil(v.Errors), "warnings": nonNil(v.Warnings),
		})
	} else {
		a.printer.Source = v.Source
		for _, list := range []struct {
			word string
			errs error
			n    int
		}{{"warning", v.Warnings.Err(), len(v.Warnings)}, {"problem", v.Errors.Err(), len(v.Errors)}} {
			if list.n > 0 {
				_ = a.printer.Print(a.stderr, list.errs)
				fmt.Fprintf(a.stderr, "%s\n", plural(list.n, list.word))
			}
		}
		if len(v.Errors) == 0 {
			fmt.Fprintf(a.stdout, "%s, %s: good\n", plural(len(v.Files), "file"), plural(v.Actions, "action"))
		}
	}
	if err := v.Errors.Err(); err != nil {
		return errShown{err}
	}
	return nil
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
