package main

import (
	"context"
	"io"
	"os"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// readInput reads a file of params that only this process can read; "-" is its standard
// input. A pipe or a terminal may never deliver anything: when ctx ends, readInput returns
// and the read goes on until the process ends.
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
		return "", diag.New(diag.Cancelled, "interrupted while the params were read").WithHint("nothing was done: run it again")
	}
	switch {
	case t.err != nil:
		return "", diag.New(diag.InvalidRequest, "%s could not be read: %v", name, t.err).WithHint("give --params a JSON object, @FILE or -").Because(t.err)
	case len(t.data) > wire.MaxLineBytes:
		return "", diag.New(diag.InvalidRequest, "%s holds more than %d bytes", name, wire.MaxLineBytes).
			WithHint("pass less, or name a file that the action reads")
	case !utf8.Valid(t.data): // JSON could not carry it
		return "", diag.New(diag.InvalidRequest, "%s is not UTF-8", name).WithHint("write it in UTF-8")
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
