// Command action runs web actions by name in a real Chromium.
//
// It is the client: it sends the words of its command line to the user's daemon and prints the
// answer. It parses no flags of commands and reads no definitions. If no daemon is running, it
// makes the engine (cmd/actiond) start one. If a command needs its own process, the client replaces
// itself with the engine.
//
// The client must start quickly, so it imports only the standard library, the packages that it
// shares with the daemon (daemon/wire, daemon/endpoint), and diag. A test enforces that.
//
// Files, bottom to top: input, engine, approval, request, main.
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
	runtime.GOMAXPROCS(1) // this process only waits; handing work between threads takes longer than the work
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	_ = stop // the process exits after run, so restoring the signals would only take time
	os.Exit(run(ctx, os.Args[1:]))
}

// run runs the command line and returns the exit code.
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

// checkText returns an error if a word is not UTF-8, because JSON cannot represent it.
func checkText(words []string) error {
	for i, word := range words {
		if !utf8.ValidString(word) {
			return diag.New(diag.InvalidRequest, "word %d of the command line is not UTF-8", i+1).WithHint("write the word in UTF-8")
		}
	}
	return nil
}

// leastFiles is the number of files that a command opens at the same time: two of the Go runtime's
// poller, and those of a socket, or of a pipe and its copy.
const leastFiles = 6

// do makes the daemon or the engine run a command line.
func do(ctx context.Context, words []string) (int, error) {
	if limit := diag.CheckFiles(leastFiles); limit != nil {
		return 0, limit
	}
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
	limited := ctx // for reading the params
	if limit := endpoint.Limit(words); limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	// Allow two rounds for input that only this process has, and two for a daemon that is started
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
			started, req.Engine = true, "" // the daemon may come from a newer build
		case err != nil:
			return 0, err
		case out.Missing != nil && round < 4:
			if err := supply(limited, req, out.Missing); err != nil {
				return 0, err
			}
		case out.Missing != nil:
			return 0, wire.BadPeer(errAsksAgain)
		default:
			return out.Exit, nil
		}
	}
}

// isElsewhere reports whether no daemon of this build was running. The command has then not run.
func isElsewhere(out *wire.Output, err error) bool {
	return wire.IsNoDaemon(err) || err == nil && out.Engine != nil
}

// newRequest returns the request that runs a command line with the settings of this process.
func newRequest(words []string, engine endpoint.Engine) (*wire.CommandRequest, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "the current folder cannot be determined: %v", err).WithHint("change to an existing folder").Because(err)
	}
	req := &wire.CommandRequest{Argv: words, Engine: engine.ID, Location: wire.Location{Cwd: cwd}, Watched: isTerminal(os.Stderr)}
	req.Terminal = req.Watched && isTerminal(os.Stdin)
	req.Color = req.Watched && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	req.Path, req.Session, req.Env = endpoint.Environ(os.Environ())
	return req, checkPlace(req)
}

// isTerminal reports whether f is a character device other than the null device. It takes every
// such device for a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// asksForVersion reports as ok whether a command line only asks for the version, and as asJSON
// whether it contains --json.
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
		e = diag.New(diag.Internal, "%v", err).WithHint("report this as a bug")
	}
	if wire.HasSwitch(words, "json") {
		data, err := json.Marshal(map[string]any{"success": false, "error": e})
		if err == nil {
			_, err = os.Stdout.Write(append(diag.CleanJSON(data), '\n'))
		}
		_ = err // if standard output fails, the error cannot be reported
	} else {
		_ = diag.Printer{Color: isTerminal(os.Stderr) && os.Getenv("NO_COLOR") == ""}.Print(os.Stderr, e)
	}
	if e.Code == diag.Cancelled && ctx.Err() == nil { // not interrupted by the user
		return diag.ExitFailed
	}
	return e.Code.Exit()
}
