package main

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
	"github.com/actionregistry/action/testdata/shop"
)

// A codeCase is a command line that causes one error code.
type codeCase struct {
	code diag.Code
	exit int
	args []string // {pages}, {shop} and {hang} are replaced by addresses
	env  []string
	// interrupt sends SIGINT once the browser has requested {hang}, a page that never answers.
	interrupt bool
	// never is the reason why no single command line causes the code. If it is set, the row does not
	// run.
	never string
}

// codeCases has a row for every code of package diag.
var codeCases = []codeCase{
	{code: diag.ActionNotFound, exit: 4, args: []string{"run", "codes:param:tkae"}},
	{code: diag.ParamRequired, exit: 2, args: []string{"run", "codes:param:take"}},
	{code: diag.ParamInvalid, exit: 2, args: []string{"run", "codes:param:take", "--name=x", "--n=many"}},
	{code: diag.ElementNotFound, exit: 1, args: []string{"run", "codes:element:missing", "--at={pages}"}},
	{code: diag.ElementAmbiguous, exit: 1, args: []string{"run", "codes:element:several", "--at={pages}"}},
	{code: diag.ElementNotInteractable, exit: 1, args: []string{"run", "codes:element:covered", "--at={pages}"}},
	{code: diag.StaleRef, never: "it needs a ref of an earlier snapshot"},
	{code: diag.Timeout, exit: 1, args: []string{"run", "codes:text:never", "--at={pages}"}},
	{code: diag.StepFailed, exit: 1, args: []string{"run", "codes:step:fail"}},
	{code: diag.VerifyFailed, exit: 1, args: []string{"run", "codes:check:fail"}},
	{code: diag.VersionIncompatible, exit: 1, args: []string{"run", "codes-old:page:press", "--at={shop}"}},
	{code: diag.MaxDepthExceeded, exit: 1, args: []string{"run", "codes:deep:a"}},
	{code: diag.LimitExceeded, exit: 1, args: []string{"run", "codes:two:steps"}, env: []string{"ACTION_LIMITS_MAX_STEPS=2"}},
	{code: diag.SecurityError, exit: 1, args: []string{"expr", "${params.__proto__} == 1"}},
	{code: diag.PolicyDenied, exit: 1, args: []string{"run", "codes:page:open", "--at={pages}/echo"}, env: []string{"ACTION_POLICY_DENY=open"}},
	{code: diag.DefinitionInvalid, exit: 3, args: []string{"run", "codes-wrong:page:press"}},
	{code: diag.NavigationFailed, exit: 1, args: []string{"run", "codes:page:open", "--at={pages}/broken"}},
	{code: diag.BrowserUnavailable, exit: 5, args: []string{"run", "codes:step:fail"}, env: []string{"ACTION_BROWSER_PATH=/nowhere/browser"}},
	{code: diag.SessionHeld, never: "it needs a person who uses the session"},
	{code: diag.Cancelled, exit: 130, args: []string{"run", "codes:page:open", "--at={hang}", "--timeout=10s"}, interrupt: true},
	{code: diag.InvalidRequest, exit: 2, args: []string{"run", "codes:param:take", "--nmae=x"}},
	{code: diag.Internal, never: "it reports a bug of the program"},
}

// TestEveryCode runs the command line of each code, with text and with JSON output. It checks the
// exit code, and that the error has a hint.
func TestEveryCode(t *testing.T) {
	program, err := exec.LookPath("action")
	if err != nil {
		t.Fatal(err)
	}
	shared := runtimeFolder(t, program) // shared by the rows that do not change their daemon
	for _, tt := range codeCases {
		if tt.never != "" {
			continue
		}
		t.Run(string(tt.code), func(t *testing.T) {
			t.Parallel()
			for _, form := range testkit.One(t, "forms of output", []string{"json", "text"}) {
				t.Run(form, func(t *testing.T) {
					t.Parallel()
					map[string]func(*testing.T, string){"json": tt.checkJSON, "text": tt.checkText}[form](t, shared)
				})
			}
		})
	}
}

// TestCodesAreAllThere checks that each code has exactly one row.
func TestCodesAreAllThere(t *testing.T) {
	var rows []diag.Code
	for _, tt := range codeCases {
		rows = append(rows, tt.code)
	}
	if want := diag.Codes(); !slices.Equal(rows, want) {
		t.Errorf("rows for %v\nwant %v", rows, want)
	}
}

func (c codeCase) checkJSON(t *testing.T, shared string) {
	stdout, stderr, exit := c.run(t, shared, "--json")
	if exit != c.exit {
		t.Errorf("exit code %d, want %d", exit, c.exit)
	}
	v, err := oneJSON(stdout)
	if err != nil {
		t.Fatal(err)
	}
	// expr --json prints only value or error.
	if success, ok := lookIn(v, ".success"); ok != (c.args[0] != "expr") || ok && success != false {
		t.Errorf("success is %v (there: %v), want false", success, ok)
	}
	if data, _ := lookIn(v, ".data"); data != nil {
		t.Errorf("a failure has data: %v", data)
	}
	e, _ := lookIn(v, ".error")
	fields, ok := e.(map[string]any)
	if !ok {
		t.Fatalf("error is %v, want an object", e)
	}
	if fields["code"] != string(c.code) {
		t.Errorf("code = %v, want %s", fields["code"], c.code)
	}
	for _, name := range []string{"message", "suggestion"} {
		if s, _ := fields[name].(string); strings.TrimSpace(s) == "" {
			t.Errorf("%s = %v, want a text", name, fields[name])
		}
	}
	if s, _ := fields["message"].(string); strings.HasSuffix(s, ".") {
		t.Errorf("message %q ends with a full stop", s)
	}
	known := []string{"code", "message", "action", "step", "step_action", "path", "position", "notes", "details", "suggestion"}
	for name := range fields {
		if !slices.Contains(known, name) {
			t.Errorf("the error has the field %s, want only %v", name, known)
		}
	}
	if strings.Contains(stderr, string(c.code)) {
		t.Errorf("the error is told on standard error too: %s", stderr)
	}
	if t.Failed() {
		t.Logf("stdout: %s\nstderr: %s", stdout, stderr)
	}
}

func (c codeCase) checkText(t *testing.T, shared string) {
	stdout, stderr, exit := c.run(t, shared)
	if exit != c.exit {
		t.Errorf("exit code %d, want %d", exit, c.exit)
	}
	if stdout != "" {
		t.Errorf("standard output has %q, want nothing", stdout)
	}
	if !strings.Contains(stderr, string(c.code)+": ") {
		t.Errorf("standard error does not tell %s", c.code)
	}
	if _, hint, _ := strings.Cut(stderr, "\n  hint: "); strings.TrimSpace(hint) == "" {
		t.Errorf("standard error has no hint")
	}
	if t.Failed() {
		t.Logf("stdout: %s\nstderr: %s", stdout, stderr)
	}
}

// run runs the command line of the case.
func (c codeCase) run(t *testing.T, shared string, more ...string) (stdout, stderr string, exit int) {
	t.Helper()
	arrived := make(chan struct{}, 1)
	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case arrived <- struct{}{}:
		default:
		}
		<-r.Context().Done()
	})
	addresses := strings.NewReplacer(
		"{pages}", serve(t.Cleanup, pages.Handler()),
		"{shop}", serve(t.Cleanup, shop.Handler(shop.Options{Delay: -1})),
		"{hang}", serve(t.Cleanup, hang))
	var args []string
	for _, arg := range append(slices.Clone(c.args), more...) {
		args = append(args, addresses.Replace(arg))
	}
	defs, err := filepath.Abs("testdata/defs")
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, args...)
	cmd.Env = append(append(cmd.Env, "ACTION_PATH="+defs), c.env...)
	if c.env == nil && !c.interrupt {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+shared)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if c.interrupt {
		select {
		case <-arrived:
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
		case err := <-ended:
			t.Fatalf("it ended before the page was asked for: %v\n%s%s", err, &out, &errs)
		}
	}
	err = <-ended
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}
