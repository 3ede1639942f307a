package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestEndsWithItsInput starts the shop as the demo does and closes its input.
func TestEndsWithItsInput(t *testing.T) {
	stdinR, stdinW := io.Pipe()
	stdoutR, stdoutW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(t.Context(), []string{"-until-eof"}, stdinR, stdoutW) }()

	line, err := bufio.NewReader(stdoutR).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("first line %q, want one that begins with %q", line, "listening on ")
	}
	res, err := http.Get(base + "/login")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("status %d, want %d", res.StatusCode, http.StatusOK)
	}
	stdinW.Close()
	if err := <-done; err != nil {
		t.Errorf("ended with %v, want nil", err)
	}
	if _, err := http.Get(base + "/login"); err == nil {
		t.Error("the shop still answers after its end")
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stdoutR, stdoutW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run(ctx, nil, strings.NewReader(""), stdoutW) }()
	if _, err := bufio.NewReader(stdoutR).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil && !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("ended with %v, want nil", err)
	}
}
