// Command action runs web actions by name on a real Chromium.
//
// It is the client: it sends the words of its command line to the daemon of this user and
// prints the answer. It parses no flags of commands and reads no definitions. If no daemon
// is running it has the engine (cmd/actiond) start one; for a command line that requires
// its own process, it replaces itself with the engine.
//
// It starts with every command, so it imports only the standard library, what it shares
// with the daemon (daemon/wire, daemon/endpoint) and errors (diag). A test enforces that.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

func main() {
	runtime.GOMAXPROCS(1) // it only waits: passing work from thread to thread takes longer than the work
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	_ = stop // the process ends with run; putting the signals back first would only take time
	os.Exit(run(ctx, os.Args[1:]))
}

// run is the whole program except for the process itself: it returns the exit code.
func run(ctx context.Context, words []string) int {
	if asJSON, ok := asksForVersion(words); ok {
		return printVersion(os.Stdout, asJSON)
	}
	code, err := do(ctx, words)
	if err != nil {
		return fail(ctx, words, err)
	}
	return code
}

// checkText refuses words that are not UTF-8: JSON cannot carry them, and a replacement
// would be a different value.
func checkText(words []string) error {
	for i, word := range words {
		if !utf8.ValidString(word) {
			return diag.New(diag.InvalidRequest, "word %d of the command line is not UTF-8", i+1).WithHint("write it in UTF-8")
		}
	}
	return nil
}

// do has the daemon or the engine run a command line.
func do(ctx context.Context, words []string) (int, error) {
	if err := checkText(words); err != nil {
		return 0, err
	}
	engine, err := endpoint.FindEngine()
	if err != nil {
		return 0, err
	}
	where := wire.RouteOf(words)
	if where == wire.OwnProcess {
		return 0, become(engine, words)
	}
	req, err := newRequest(words, engine)
	if err != nil {
		return 0, err
	}
	// Two rounds for input that only this process has, and two for a daemon that is started
	// or replaced.
	for round, started := 0, false; ; round++ {
		out, err := request(ctx, req, words)
		switch {
		case isElsewhere(out, err) && where == wire.DaemonIfRunning:
			return 0, become(engine, words)
		case isElsewhere(out, err) && !started:
			if err := start(ctx, engine, words); err != nil {
				return 0, err
			}
			started, req.Engine = true, "" // it may be that of a newer build
		case err != nil:
			return 0, err
		case out.Missing != nil && round < 4:
			if err := supply(ctx, req, out.Missing); err != nil {
				return 0, err
			}
		case out.Missing != nil:
			return 0, wire.BadPeer(errAsksAgain)
		default:
			return out.Exit, nil
		}
	}
}

// isElsewhere reports whether the command was not run because there was no daemon of this
// build.
func isElsewhere(out *wire.Output, err error) bool {
	return wire.IsNoDaemon(err) || err == nil && out.Engine != nil
}

// newRequest is the request of a command line, with the settings of this process.
func newRequest(words []string, engine endpoint.Engine) (*wire.CommandRequest, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "the current folder is not known: %v", err).WithHint("go to one that is there").Because(err)
	}
	req := &wire.CommandRequest{Argv: words, Engine: engine.ID, Location: wire.Location{Cwd: cwd}, Watched: isTerminal(os.Stderr)}
	req.Color = req.Watched && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	req.Path, req.Session, req.Env = endpoint.Environ(os.Environ())
	return req, nil
}

// isTerminal reports whether f is a device other than the null device.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// asksForVersion reports whether a command line only prints the version, which this process
// can do alone.
func asksForVersion(words []string) (asJSON, ok bool) {
	rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "--json" })
	return len(rest) < len(words), slices.Equal(rest, []string{"version"}) || slices.Equal(rest, []string{"--version"})
}

func printVersion(w io.Writer, asJSON bool) int {
	v := map[string]string{"version": endpoint.Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	var err error
	if asJSON {
		err = json.NewEncoder(w).Encode(v)
	} else {
		_, err = fmt.Fprintf(w, "action %s (%s, %s)\n", v["version"], v["go"], v["platform"])
	}
	if err != nil {
		return diag.ExitFailed
	}
	return 0
}

// fail prints an error and returns the exit code.
func fail(ctx context.Context, words []string, err error) int {
	e := diag.As(err)
	if e == nil {
		e = diag.New(diag.Internal, "%v", err).WithHint("please report it")
	}
	if wire.HasSwitch(words, "json") {
		data, err := json.Marshal(map[string]any{"success": false, "error": e})
		if err == nil {
			_, err = os.Stdout.Write(append(diag.CleanJSON(data), '\n'))
		}
		_ = err // nobody is left to report it to
	} else {
		_ = diag.Printer{Color: isTerminal(os.Stderr) && os.Getenv("NO_COLOR") == ""}.Print(os.Stderr, e)
	}
	if e.Code == diag.Cancelled && ctx.Err() == nil { // not cancelled by the user of the command
		return diag.ExitFailed
	}
	return e.Code.Exit()
}
