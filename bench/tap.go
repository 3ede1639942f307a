package main

// A tap on the pipe between action and its browser. It is started in place of the browser, starts
// the browser, and records each message with its time. This shows the round trips of a step and how
// long it waits for the browser, without support in action.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// tapCommand is the first argument with which bench runs as the tap.
const tapCommand = "tap"

// A TapRecord is one recorded message.
type TapRecord struct {
	At     int64  `json:"at"`           // Unix time in ns
	Sent   bool   `json:"sent"`         // to the browser
	ID     string `json:"id,omitempty"` // id of a command or its answer; absent for an event
	Method string `json:"method,omitempty"`
	Bytes  int    `json:"bytes"`
}

// writeTap writes a script that starts the tap around a browser. Its name contains "headless", by
// which tools recognise a headless shell.
func writeTap(dir, log, browser string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "headless-tap")
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' %s '%s' '%s' \"$@\"\n", self, tapCommand, log, browser)
	return path, os.WriteFile(path, []byte(script), 0o700)
}

// tapMain is the main function of the tap. args are the file to write, the browser and the
// browser's arguments. Descriptors 3 and 4 are the browser's end of the pipe.
func tapMain(args []string) int {
	if err := tap(args[0], args[1], args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "tap:", err)
		return 1
	}
	return 0
}

func tap(logPath, browser string, args []string) error {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	theirIn, toBrowser, err := os.Pipe()
	if err != nil {
		return err
	}
	fromBrowser, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(browser, args...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	theirIn.Close()
	theirOut.Close()

	w := &tapWriter{out: log}
	var wg sync.WaitGroup
	var sentErr, gotErr error
	sent := os.NewFile(3, "commands")
	got := os.NewFile(4, "answers")
	wg.Go(func() { sentErr = w.pass(sent, toBrowser, true); toBrowser.Close() })
	wg.Go(func() { gotErr = w.pass(fromBrowser, got, false); got.Close(); sent.Close() })
	err = cmd.Wait()
	wg.Wait()
	return errors.Join(err, sentErr, gotErr)
}

type tapWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// pass forwards messages, each before it is recorded.
func (w *tapWriter) pass(from io.Reader, to io.Writer, sent bool) error {
	in := bufio.NewReaderSize(from, 1<<16)
	for {
		message, err := in.ReadBytes(0)
		if err != nil {
			return nil // the other side has exited
		}
		at := time.Now().UnixNano()
		if _, err := to.Write(message); err != nil {
			return nil
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(message[:len(message)-1], &m); err != nil {
			return err
		}
		line, err := json.Marshal(TapRecord{at, sent, string(m.ID), m.Method, len(message)})
		if err != nil {
			return err
		}
		w.mu.Lock()
		_, err = w.out.Write(append(line, '\n'))
		w.mu.Unlock()
		if err != nil {
			return err
		}
	}
}
