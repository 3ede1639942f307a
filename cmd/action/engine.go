package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// become replaces this process with the engine. The streams, the folder and the environment stay
// the same. become returns only if it fails.
func become(engine endpoint.Engine, words []string) error {
	file, err := endpoint.Handover{Version: endpoint.Version(), Words: words}.Open()
	if err != nil {
		return notStarted(err)
	}
	fd, err := syscall.Dup(int(file.Fd())) // the duplicate stays open in the engine
	if err != nil {
		return notStarted(err)
	}
	return notStarted(syscall.Exec(engine.Path, []string{endpoint.EngineName}, append(os.Environ(), endpoint.Handed(fd))))
}

// start makes the engine start the daemon or replace an older one. It returns when a daemon is
// listening.
func start(ctx context.Context, engine endpoint.Engine, words []string) error {
	line := []string{"daemon", "start", "--json"}
	if limit := endpoint.Limit(words); limit > 0 {
		line = append(line, "--timeout", strconv.FormatInt(max(1, limit.Milliseconds()), 10))
	}
	file, err := endpoint.Handover{Version: endpoint.Version(), Words: line}.Open()
	if err != nil {
		return notStarted(err)
	}
	defer file.Close()
	cmd := exec.CommandContext(ctx, engine.Path)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = cancelTime
	cmd.ExtraFiles = []*os.File{file}
	cmd.Env = append(os.Environ(), endpoint.Handed(3))
	cmd.Stderr = os.Stderr
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	failed := cmd.Run()
	if failed == nil {
		return nil
	}
	var answer struct{ Error *diag.Error }
	if err := json.Unmarshal(stdout.Bytes(), &answer); err == nil && answer.Error != nil {
		return answer.Error
	}
	if ctx.Err() != nil {
		return diag.New(diag.Cancelled, "interrupted while starting the daemon").WithHint("run the command again").Because(failed)
	}
	return notStarted(failed)
}

func notStarted(err error) error {
	if limit := diag.FileLimit(err); limit != nil {
		return limit
	}
	return diag.New(diag.BrowserUnavailable, "the engine could not be started: %v", err).
		WithHint("check whether these commands work: action version; action daemon start").Because(err)
}

var errAsksAgain = errors.New("the daemon requested the same input again")

// supply adds to req the input that the daemon has reported as missing.
func supply(ctx context.Context, req *wire.CommandRequest, missing *wire.Missing) error {
	for _, name := range missing.Env {
		if value, ok := os.LookupEnv(name); ok {
			req.Env[name] = value
		}
	}
	req.EnvWhole = req.EnvWhole || len(missing.Env) > 0
	if err := checkPlace(req); err != nil {
		return err
	}
	if missing.Input == "" {
		return nil
	}
	text, err := readInput(ctx, missing.Input)
	if err != nil {
		return err
	}
	if req.Inputs == nil {
		req.Inputs = make(map[string]string)
	}
	req.Inputs[missing.Input] = text
	return nil
}

// cancelTime is how long an interrupted command may take to end.
const cancelTime = 3 * time.Second
