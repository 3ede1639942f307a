package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// readInput reads params from a file or, if path is "-", from standard input. When ctx ends, it
// returns an error, although the read may continue until the process ends. A deadline of ctx is the
// user's time limit.
func readInput(ctx context.Context, path string) (string, error) {
	name := path
	if path == "-" {
		name = "standard input"
	}
	type text struct {
		data []byte
		err  error
	}
	read := make(chan text, 1)
	go func() {
		data, err := readAtMost(path, wire.MaxLineBytes+1)
		read <- text{data, err}
	}()
	var t text
	select {
	case t = <-read:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", diag.New(diag.Timeout, "%s has not ended within the time of --timeout", name).WithHint("nothing was done: close what writes the params, or allow more time")
		}
		return "", diag.New(diag.Cancelled, "interrupted while reading the params").WithHint("nothing was done: run the command again")
	}
	switch {
	case t.err != nil:
		return "", diag.New(diag.InvalidRequest, "%s could not be read: %v", name, t.err).
			WithHint("pass to --params a JSON object, @FILE, or - for the standard input").Because(t.err)
	case len(t.data) > wire.MaxLineBytes:
		return "", diag.New(diag.InvalidRequest, "found more than %[2]d bytes in %[1]s", name, wire.MaxLineBytes).
			WithHint("pass less data, or pass the name of a file that the action reads")
	case !utf8.Valid(t.data): // JSON cannot represent it
		return "", diag.New(diag.InvalidRequest, "found text that is not UTF-8 in %s", name).WithHint("save the text as UTF-8")
	}
	return string(t.data), nil
}

func readAtMost(path string, most int64) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, most))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// checkPlace returns an error if the current folder or a variable is not UTF-8: JSON would replace
// its bytes, and the daemon would use another folder or value.
func checkPlace(req *wire.CommandRequest) error {
	if !utf8.ValidString(req.Cwd) {
		return diag.New(diag.InvalidRequest, "the name of the current folder is not UTF-8").WithHint("change to a folder whose name is UTF-8")
	}
	vars := maps.Clone(req.Env)
	vars["ACTION_SESSION"] = req.Session
	if req.Path != nil {
		vars["ACTION_PATH"] = *req.Path
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if !utf8.ValidString(vars[name]) {
			return diag.New(diag.InvalidRequest, "the variable %s is not UTF-8", name).WithHint("set the variable to text in UTF-8, or unset it")
		}
	}
	return nil
}
