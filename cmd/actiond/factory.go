package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
)

// A factory holds what all commands use: streams, settings, global flags, and access to the
// definitions, the sessions and the daemon.
type factory struct {
	stdin          io.Reader // nil in the daemon
	stdout, stderr io.Writer
	environ        []string
	cwd            string
	now            func() time.Time
	color, watched bool                 // whether standard error may use colour; whether a user is watching it at a terminal
	remote         *wire.CommandRequest // the client's request when running in the daemon; otherwise nil
	backend        *session.Manager     // the daemon's manager; in a separate process it is created on first use
	booth          booth                // serves the approvals of that manager to other commands

	words       []string // the whole command line
	globals     globals
	json        bool          // set before parsing, so that usage errors are JSON too
	completing  bool          // a shell is completing this command line
	missing     *missingInput // input that the command needs from the client
	printer     diag.Printer
	inPlace     []word                          // the positional words of the command line
	positionals map[*cobra.Command]*positionals // positional arguments of commands
	// overview writes the list of all commands into the help of the root command.
	overview func(b *strings.Builder)
}

// errShown is an error that has already been printed. Err determines the exit code.
type errShown struct{ Err error }

func (e errShown) Error() string { return e.Err.Error() }
func (e errShown) Unwrap() error { return e.Err }

// missingInput describes input that a command in the daemon needs and that only the client has.
type missingInput struct {
	input string   // a file that only the client can read; "-" is its standard input
	env   []string // names of variables
}

// newFactory returns the factory of a command line that runs in this process.
func newFactory(args []string, stdin io.Reader, stdout, stderr io.Writer) *factory {
	f := &factory{stdin: stdin, stdout: stdout, stderr: stderr, environ: os.Environ(), now: time.Now, watched: isTerminal(stderr)}
	f.color = f.watched && !noColor(f.environ)
	f.setUp(args)
	return f
}

// setUp configures printing.
func (f *factory) setUp(args []string) {
	f.words, f.json = args, asksForJSON(args)
	f.watched = f.watched && !f.json
	f.printer = diag.Printer{Color: f.color, Shorten: f.shorten, Source: readSource}
}

// manager returns the manager that runs the command.
func (f *factory) manager() *session.Manager {
	if f.backend == nil {
		f.booth.warn = f.warn
		f.backend = session.NewManager(session.ManagerOptions{
			Cwd: f.cwd, Environ: f.environ, Warn: f.warn, Idle: -1, ApprovalsChanged: f.booth.changed,
		})
		f.booth.manager = f.backend
	}
	return f.backend
}

// close ends the browser of a command that ran in this process. It does so even if ctx has ended.
func (f *factory) close(ctx context.Context) error {
	if f.remote != nil || f.backend == nil {
		return nil
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := f.backend.Close(closing)
	f.booth.serving.Wait()
	if err == nil {
		return nil
	}
	_ = f.printer.Print(f.stderr, err) // not in the result, which has already been printed
	return errShown{err}
}

// end prints err unless it has already been printed, and returns the exit code.
func (f *factory) end(ctx context.Context, err error) int {
	var shown errShown
	if err != nil && !errors.As(err, &shown) {
		f.showError(err)
	}
	return exitCode(ctx, err)
}

// load reads the definitions that apply in the current folder.
func (f *factory) load(ctx context.Context) (*definitions.Set, error) {
	return f.manager().Definitions(ctx, f.call())
}

// runner returns the manager that runs actions and steps. It fails if the global flags conflict.
func (f *factory) runner() (*session.Manager, error) {
	switch {
	case f.globals.NoDaemon && f.globals.Session != "":
		return nil, diag.New(diag.InvalidRequest, "found both --session and --no-daemon, expected one of them").WithHint("remove --no-daemon: only the daemon has sessions")
	case f.globals.NoDaemon && f.remote != nil:
		return nil, diag.New(diag.InvalidRequest, "found --no-daemon in a request to the daemon").
			WithHint("run the command in a terminal: action --no-daemon COMMAND")
	}
	return f.manager(), nil
}

// call returns the part of a request that describes this command: the current folder, and the
// session of --session or ACTION_SESSION.
func (f *factory) call() session.Call {
	c := session.Call{Cwd: f.cwd, Strict: f.globals.Strict, Session: f.globals.Session}
	if f.remote != nil {
		c.Path, c.Env = f.remote.Path, f.remote.Env
	}
	if c.Session == "" && !f.globals.NoDaemon {
		c.Session = f.variable("ACTION_SESSION")
	}
	return c
}

// callFor is like call, and applies the other global flags too.
func (f *factory) callFor(bar *progress, debug bool, trace *traceFile) session.Call {
	c := f.call()
	c.FromText, c.Debug, c.Steps = true, debug, f.globals.Steps || debug
	c.Timeout, c.CDP = f.globals.Timeout, f.globals.CDP
	if f.globals.Headed {
		c.Headed = &f.globals.Headed
	}
	if bar != nil {
		c.OnStep = bar.step
	}
	if trace != nil && trace.file != nil {
		c.Trace = trace.file
	}
	return c
}

func (f *factory) variable(name string) string {
	value, _ := definitions.Variables(f.environ)(name)
	return value
}

// A traceFile is the file of --trace. Only this user can read it. The zero value writes no trace.
type traceFile struct{ file *os.File }

func (t *traceFile) make(ctx context.Context, f *factory) error {
	if f.globals.Trace == "" {
		return nil
	}
	var err error
	t.file, err = f.manager().CreateFile(ctx, f.call(), f.globals.Trace)
	if limit := diag.FileLimit(err); limit != nil {
		return limit
	}
	if err != nil && diag.As(err) == nil {
		err = diag.New(diag.InvalidRequest, "the trace cannot be written: %v", err).
			WithHint("use a file in an existing folder for --trace").Because(err)
	}
	return err
}

// close closes the file. If that fails, r gets a warning. r may be nil.
func (t *traceFile) close(r *executor.Result) {
	if t.file == nil {
		return
	}
	err := t.file.Close()
	t.file = nil
	if r != nil {
		r.TraceFailed(err)
	}
}

// noColor reports whether the environment disables colours.
func noColor(environ []string) bool {
	return slices.ContainsFunc(environ, func(kv string) bool {
		return strings.HasPrefix(kv, "NO_COLOR=") && kv != "NO_COLOR=" || kv == "TERM=dumb"
	})
}

func (f *factory) warn(message string) { _ = f.printer.Print(f.stderr, warning(message)) }

// warning is an error that prints without a code.
type warning string

func (w warning) Error() string { return "warning: " + string(w) }

// shorten returns a file name relative to the current folder, if that is shorter.
func (f *factory) shorten(file string) string {
	if !filepath.IsAbs(file) {
		return file // such as builtin/web.yaml
	}
	if rel, err := filepath.Rel(f.cwd, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// readSource returns the text of a file for excerpts. It returns nil for builtin files and for
// files that it cannot read.
func readSource(file string) []byte {
	const most = 1 << 20
	if !filepath.IsAbs(file) {
		return nil // a name such as builtin/web.yaml, and not a local file of that name
	}
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return data
}

// showError prints a failure that has no result.
func (f *factory) showError(err error) {
	if !f.json {
		_ = f.printer.Print(f.stderr, err)
		return
	}
	var list diag.List
	e := diag.As(err)
	if e == nil {
		e = diag.New(diag.Internal, "%v", err).WithHint("report this as a bug")
	}
	out := map[string]any{"success": false, "error": e}
	if errors.As(err, &list) && len(list) > 1 {
		out["errors"] = list.Sorted()
	}
	f.writeJSON(out)
}

// writeJSON prints v as one line of JSON that is safe to show on a terminal.
func (f *factory) writeJSON(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	if err == nil {
		_, err = f.stdout.Write(diag.CleanJSON(b.Bytes()))
	}
	if err != nil {
		fmt.Fprintln(f.stderr, "the result could not be written:", err)
	}
}
