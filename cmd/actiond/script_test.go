package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/actionregistry/action/testdata/pages"
	"github.com/actionregistry/action/testdata/shop"
)

// TestScript runs testdata/script. Each script has its own folder $WORK, which is also its home,
// and its own servers: the demo shop at $SHOP, whose definitions are in $SHOP_ACTIONS, and small
// pages at $PAGES. In addition to the commands of testscript there are
//
//	exits CODE PROGRAM ARGS…   run a program that must end with that exit code
//	json PATH                  standard output is one JSON value that has this path
//	json PATH VALUE            … whose value equals this JSON value
//	json PATH ~ REGEXP         … whose value is a text that matches
//	mode FILE OCTAL            the file has these permissions
//
// A path is like .error.code or .steps.0.action. "! json" negates the condition, but standard
// output must still be one JSON value.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setupScript,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": scriptExits, "json": scriptJSON, "mode": scriptMode,
		},
	})
}

func setupScript(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("NO_COLOR", "1")
	env.Setenv("GORACE", noExitSleep)
	env.Setenv("SHOP", serve(env.Defer, shop.Handler(shop.Options{Delay: -1})))
	defs, err := filepath.Abs("../../testdata/shop/actions")
	if err != nil {
		return err
	}
	env.Setenv("SHOP_ACTIONS", defs)
	env.Setenv("PAGES", serve(env.Defer, pages.Handler()))
	program, err := exec.LookPath("action")
	if err != nil {
		return err
	}
	runtime, err := os.MkdirTemp("", "ac-")
	if err != nil {
		return err
	}
	env.Setenv("XDG_RUNTIME_DIR", runtime)
	env.Defer(func() {
		if err := endDaemon(program, runtime); err != nil {
			env.T().Fatal(err)
		}
	})
	return nil
}

// serve serves h on loopback until the end of the test and returns its address.
func serve(atEnd func(func()), h http.Handler) string {
	srv := httptest.NewServer(h)
	atEnd(func() {
		srv.CloseClientConnections() // a browser may have open connections
		srv.Close()
	})
	return srv.URL
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || len(args) > 3 || len(args) == 3 && args[1] != "~" {
		ts.Fatalf("usage: json PATH [VALUE | ~ REGEXP]")
	}
	root, err := oneJSON(ts.ReadFile("stdout"))
	ts.Check(err)
	got, found := lookIn(root, args[0])
	holds := found
	switch len(args) {
	case 2:
		want, err := oneJSON(args[1])
		ts.Check(err)
		holds = found && reflect.DeepEqual(got, want)
	case 3:
		text, ok := got.(string)
		re, err := regexp.Compile(args[2])
		ts.Check(err)
		holds = ok && re.MatchString(text)
	}
	if holds == neg {
		shown, _ := json.Marshal(got) // cannot fail: got was decoded from JSON
		ts.Fatalf("%s is %s (there: %v), want%s %s", args[0], shown, found,
			map[bool]string{true: " not", false: ""}[neg], strings.Join(args[1:], " "))
	}
}

// oneJSON decodes a text that must be exactly one JSON value.
func oneJSON(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	var v, more any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("no JSON value: %w in %q", err, text)
	}
	if err := dec.Decode(&more); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON value: %q", text)
	}
	return v, nil
}

// lookIn returns the value in v at a path like .steps.0.action; "." is v itself.
func lookIn(v any, path string) (any, bool) {
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[key]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func scriptMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode FILE OCTAL")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has mode %s, want %s", args[0], got, args[1])
	}
}
