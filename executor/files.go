package executor

// The files that a step may use.

import (
	"context"
	"io"
	"os"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
)

func (e *execution) files() steps.Files {
	if e.packaged && e.o.PackageFiles != nil {
		return e.o.PackageFiles
	}
	if e.o.Files != nil {
		return e.o.Files
	}
	return noFiles{}
}

// noFiles denies access to every file.
type noFiles struct{}

func (noFiles) ReadPath(path string) (string, error) { return refuse(path) }

func (noFiles) Open(path string) (*os.File, error) {
	_, err := refuse(path)
	return nil, err
}

func (noFiles) WritePath(path string) (string, error) { return refuse(path) }

func (noFiles) Write(_ context.Context, path string, _ io.Reader, _ bool) error {
	_, err := refuse(path)
	return err
}

func (noFiles) WriteTemp(_ context.Context, pattern string, _ io.Reader) (string, error) {
	return refuse(pattern)
}

func refuse(path string) (string, error) {
	return "", diag.New(diag.PolicyDenied, "found the file %q in a run that may not use files", path).
		WithHint("run the action where files are allowed, such as from the command line")
}
