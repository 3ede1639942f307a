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
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/mattn/go-isatty"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/steps"
)

// globals are the flags of every command. For run, dry-run and debug they stand
// before or after the action's name.
type globals struct {
	JSON     bool         `name:"json" help:"Print exactly one JSON value on standard output."`
	Headed   bool         `help:"Show the browser's window."`
	Timeout  durationFlag `help:"Time of the whole run, such as 90s (an integer is milliseconds)." placeholder:"TIME"`
	Steps    bool         `help:"Tell every step in the result."`
	Strict   bool         `help:"Fail when any definition file is bad."`
	Trace    string       `help:"Write what every step did as JSON lines." placeholder:"FILE"`
	Session  string       `help:"Session of the daemon to use; without it ACTION_SESSION, or default." placeholder:"NAME"`
	CDP      string       `name:"cdp" help:"Use the browser that runs at this port or address." placeholder:"PORT|URL"`
	NoDaemon bool         `name:"no-daemon" help:"Run in this process, with a browser of its own that ends with it."`
}

// grammar is the command line. One field a command; each has its own file. The
// daemon can run those with the tag inside.
type grammar struct {
	globals
	List       listCmd       `cmd:"" inside:"" help:"List the actions that can be run."`
	Describe   describeCmd   `cmd:"" inside:"" help:"Show an action: params, steps, where each part comes from."`
	Search     searchCmd     `cmd:"" inside:"" help:"Find actions by words."`
	Run        runCmd        `cmd:"" inside:"" help:"Run an action."`
	DryRun     dryRunCmd     `cmd:"" name:"dry-run" help:"Show what a run would do, without a browser."`
	Debug      debugCmd      `cmd:"" inside:"" help:"Run an action and tell every step; dump the context when it fails."`
	Validate   validateCmd   `cmd:"" help:"Check definition files."`
	Schema     schemaCmd     `cmd:"" help:"Print the JSON Schema of definition files."`
	Reload     reloadCmd     `cmd:"" help:"Read definitions again, and tell what is wrong with them."`
	Session    sessionCmd    `cmd:"" help:"Open, list and close sessions."`
	Daemon     daemonCmd     `cmd:"" help:"Start, stop and look at the daemon."`
	Expr       exprCmd       `cmd:"" help:"Try a condition, or a text with references."`
	Completion completionCmd `cmd:"" help:"Print the completion script of a shell."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Complete   completeCmd   `cmd:"" name:"__complete" hidden:""`
}

// An app is one command line, in a process of its own or in the daemon.
type app struct {
	stdin          io.Reader // nil in the daemon
	stdout, stderr io.Writer
	environ        []string
	cwd            string
	now            func() time.Time
	color, watched bool                 // of standard error: colours may be used; somebody waits at a terminal
	remote         *wire.CommandRequest // of the client, in the daemon; else nil
	backend        *session.Manager     // the daemon's; in a process of its own it is made when it is needed
	parsers        *parsers             // of the daemon, or nil

	args    []string // the whole command line
	globals globals
	rest    []string      // words behind the action's name, and flags before it
	json    bool          // known before parsing, so that usage errors are JSON too
	missing *missingInput // of a command that was not done
	printer diag.Printer
}

// errShown ends a command whose failure has been printed; Err decides the exit
// code.
type errShown struct{ Err error }

func (e errShown) Error() string { return e.Err.Error() }
func (e errShown) Unwrap() error { return e.Err }

// missingInput is what a command in the daemon lacks, and its client has.
type missingInput struct {
	input string   // a file that only the client can read; "-" is its standard input
	env   []string // names of variables
}

// run does a command line in a process of its own, and returns the exit code.
func run(ctx context.Context, given endpoint.Handover, stdin io.Reader, stdout, stderr io.Writer) int {
	cwd, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, environ: os.Environ(), cwd: cwd, now: time.Now, watched: isTerminal(stderr)}
	a.color = a.watched && !noColor(a.environ)
	a.setUp(given.Words)
	if err := a.checkVersion(given.Version); err != nil {
		return a.end(ctx, err)
	}
	err = a.dispatch(ctx, given.Words)
	return a.end(ctx, errors.Join(err, a.close(ctx)))
}

// setUp prepares for printing.
func (a *app) setUp(args []string) {
	a.args, a.json = args, asksForJSON(args)
	a.watched = a.watched && !a.json
	a.printer = diag.Printer{Color: a.color, Shorten: a.shorten, Source: readSource}
}

// checkVersion refuses a client of another release: its command line may mean something
// else.
func (a *app) checkVersion(client string) error {
	if mine := endpoint.Version(); client != mine {
		return diag.New(diag.InvalidRequest, "action %s has started actiond %s, expected the same version", client, mine).
			WithHint("install both programs of one release; in a checkout: make build")
	}
	return nil
}

// manager does what the command asks for.
func (a *app) manager() *session.Manager {
	if a.backend == nil {
		a.backend = session.NewManager(session.ManagerOptions{Cwd: a.cwd, Environ: a.environ, Warn: a.warn, Idle: -1})
	}
	return a.backend
}

// close ends the browser of a process of its own. The run is over: the interrupt that has
// ended it must not cut short its end.
func (a *app) close(ctx context.Context) error {
	if a.remote != nil || a.backend == nil {
		return nil
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := a.backend.Close(closing)
	if err == nil {
		return nil
	}
	_ = a.printer.Print(a.stderr, err) // the result has been printed: this is not part of it
	return errShown{err}
}

// end prints an error that has not been printed, and returns the exit code.
func (a *app) end(ctx context.Context, err error) int {
	var shown errShown
	if err != nil && !errors.As(err, &shown) {
		a.showError(err)
	}
	return exitCode(ctx, err)
}

// asksForJSON looks for the flag where it can stand: not behind "--".
func asksForJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json":
			return true
		}
		if value, ok := strings.CutPrefix(arg, "--json="); ok {
			on, err := strconv.ParseBool(value)
			return err == nil && on
		}
	}
	return false
}

func (a *app) dispatch(ctx context.Context, args []string) error {
	args, a.rest = splitCall(args)
	p, err := a.parsers.take(args)
	if err != nil {
		return err
	}
	selected, err := a.parseWords(p, args)
	if err != nil || selected == nil {
		return err
	}
	err = a.runSelected(ctx, p, selected)
	a.parsers.put(p)
	return err
}

// parseWords parses a command line, and says of one that is wrong what is right.
func (a *app) parseWords(p *parser, args []string) (*kong.Context, error) {
	words := args
	if len(p.entries) == 1 { // a step
		words = markNumbers(args)
	}
	selected, err := a.parse(p.Kong, words)
	if e := diag.As(err); e != nil && len(p.entries) == 1 && shortFlag.MatchString(e.Msg) {
		e.WithHint("a value that begins with - stands behind --, as in: action %s … -- -x; see: action %[1]s --help", p.entries[0].Commands()[0])
	} else if e != nil && e.Hint == seeHelp {
		switch inFile := steps.Lookup(wire.FirstWord(args)); {
		case len(p.entries) == 1:
			e.WithHint("see: action %s --help", p.entries[0].Commands()[0])
		case inFile != nil:
			e.WithHint("%s is a step for actions: %s", inFile.Name, inFile.Instead)
		}
	}
	return selected, err
}

// runSelected runs the command that was parsed.
func (a *app) runSelected(ctx context.Context, p *parser, selected *kong.Context) error {
	a.globals = *p.flags
	if c := p.hand[selected.Selected().Name]; c != nil && selected.Selected().Parent == selected.Model.Node {
		return a.runStep(ctx, c)
	}
	if a.remote != nil && !selected.Selected().Tag.Has("inside") {
		return diag.New(diag.InvalidRequest, "the daemon does not run %s", selected.Selected().Name).WithHint("run it with: action %s", selected.Selected().Name)
	}
	// By its interface: kong finds what commands take by type.
	selected.BindTo(ctx, (*context.Context)(nil))
	return selected.Run(a)
}

// grammarFor returns the grammar that parses args, where its global flags will be,
// and the steps that are commands in it. Making all commands takes longer than
// doing a step: it is done for help, and for what is no command.
func grammarFor(args []string) (target any, flags *globals, entries []*steps.Entry) {
	if e := handStep(args); e != nil {
		flags = new(globals)
		return flags, flags, []*steps.Entry{e}
	}
	if command, ok := ownCommand(wire.FirstWord(args)); ok {
		one := reflect.New(reflect.StructOf([]reflect.StructField{
			{Name: "Globals", Type: reflect.TypeFor[globals](), Tag: `embed:""`}, command,
		}))
		return one.Interface(), one.Elem().Field(0).Addr().Interface().(*globals), nil
	}
	all := new(grammar)
	return all, &all.globals, handSteps()
}

// ownCommand returns the field of the grammar that is the command with that name.
func ownCommand(name string) (field reflect.StructField, ok bool) {
	t := reflect.TypeFor[grammar]()
	for i := range t.NumField() {
		f := t.Field(i)
		if _, command := f.Tag.Lookup("cmd"); command && flagNameOf(f) == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// helpShown is how kong's exit after --help comes back as a return.
type helpShown struct{}

// parse parses args into what k was made for. A nil context without an error means
// that help was printed.
func (a *app) parse(k *kong.Kong, args []string) (selected *kong.Context, err error) {
	var help strings.Builder
	out := a.stdout
	if a.json {
		out = &help
	}
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case helpShown:
			selected, err = nil, nil
			if a.json {
				a.writeJSON(map[string]string{"help": help.String()})
			}
		default:
			panic(r)
		}
	}()
	k.Stdout, k.Stderr = out, a.stderr
	selected, err = k.Parse(args)
	if err != nil {
		return nil, a.usageError(err)
	}
	return selected, nil
}

const seeHelp = "see: action --help"

// shortFlag is how a message begins about a word with one hyphen in front.
var shortFlag = regexp.MustCompile(`^unknown flag -[^-]`)

// noValue matches what kong says of a flag without a value, with the kind of the value in it.
var noValue = regexp.MustCompile(`^(--[\w-]+): expected \w+ value\b`)

// usageError reports what the parser found wrong. A word that it does not know may be a
// secret in the wrong place: it is named by its place, a flag by its name.
func (a *app) usageError(err error) error {
	msg := strings.ReplaceAll(err.Error(), valueMark, "")
	hint := seeHelp
	if strings.HasPrefix(msg, "expected one of") && strings.HasSuffix(msg, "...") {
		msg = "no command was given" // kong's list is cut off
	}
	if i := strings.Index(msg, ", did you mean"); i >= 0 {
		msg, hint = msg[:i], strings.TrimPrefix(msg[i:], ", ")
	}
	if word, ok := strings.CutPrefix(msg, "unexpected argument "); ok && hint == seeHelp {
		msg = "unexpected argument" + a.whichWord(word)
	}
	found := ""
	if i := strings.Index(msg, "; perhaps try "); i >= 0 {
		msg, hint, found = msg[:i], "write the value behind =, as in --flag=VALUE", ", found a word that begins with -"
	}
	if i := strings.Index(msg, " but got "); i >= 0 {
		msg = msg[:i]
	}
	if m := noValue.FindStringSubmatch(msg); m != nil {
		msg = m[1] + ": expected a value" + found
	}
	if strings.HasPrefix(msg, "unexpected flag argument") {
		msg = "a flag that takes no value was given one"
	}
	msg = shortened(msg)
	return diag.New(diag.InvalidRequest, "%s", msg).WithHint("%s", hint).Because(err)
}

// whichWord names a word of the command line without its value.
func (a *app) whichWord(word string) string {
	if name, _, ok := strings.Cut(word, "="); ok && isPlainName(name) {
		return " " + shortened(name) + "=…"
	}
	if i := slices.Index(a.args, word); i >= 0 {
		return fmt.Sprintf(": word %d of the command line", i+1)
	}
	return ""
}

func isPlainName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	})
}

// shortened cuts words of more than 40 characters.
func shortened(msg string) string {
	words := strings.Split(msg, " ")
	for i, word := range words {
		if chars := []rune(word); len(chars) > 42 {
			words[i] = string(chars[:42]) + "…"
		}
	}
	return strings.Join(words, " ")
}

// load reads the definitions that hold in the current folder.
func (a *app) load(ctx context.Context) (*session.Definitions, error) {
	return a.manager().Definitions(ctx, a.call())
}

// runner returns what runs actions and steps, if the global flags go together.
func (a *app) runner() (*session.Manager, error) {
	switch {
	case a.globals.NoDaemon && a.globals.Session != "":
		return nil, diag.New(diag.InvalidRequest, "--session is for the daemon, which --no-daemon leaves out").WithHint("give one of the two")
	case a.globals.NoDaemon && a.remote != nil:
		return nil, diag.New(diag.InvalidRequest, "--no-daemon was sent to the daemon").WithHint("run it with: action --no-daemon")
	}
	return a.manager(), nil
}

// noColor reports whether the environment asks for none.
func noColor(environ []string) bool {
	return slices.ContainsFunc(environ, func(kv string) bool {
		return strings.HasPrefix(kv, "NO_COLOR=") && kv != "NO_COLOR=" || kv == "TERM=dumb"
	})
}

func (a *app) warn(message string) { _ = a.printer.Print(a.stderr, warning(message)) }

// warning prints like an error without a code.
type warning string

func (w warning) Error() string { return "warning: " + string(w) }

// shorten makes the name of a file relative to the current folder, where that is
// shorter.
func (a *app) shorten(file string) string {
	if !filepath.IsAbs(file) {
		return file // such as builtin/web.yaml
	}
	if rel, err := filepath.Rel(a.cwd, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// readSource gives the printer the text of a file; builtin files are not on
// disk and have no excerpt.
func readSource(file string) []byte {
	const most = 1 << 20
	if !filepath.IsAbs(file) {
		return nil // such as builtin/web.yaml: a file of that name here is another one
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

// showError prints a failure that has no result of its own.
func (a *app) showError(err error) {
	if !a.json {
		_ = a.printer.Print(a.stderr, err)
		return
	}
	var list diag.List
	e := diag.As(err)
	if e == nil {
		e = diag.New(diag.Internal, "%v", err).WithHint("please report it")
	}
	out := map[string]any{"success": false, "error": e}
	if errors.As(err, &list) && len(list) > 1 {
		out["errors"] = list.Sorted()
	}
	a.writeJSON(out)
}

// writeJSON prints v as one line of JSON, which is safe to print on a terminal.
func (a *app) writeJSON(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	if err == nil {
		_, err = a.stdout.Write(diag.CleanJSON(b.Bytes()))
	}
	if err != nil {
		fmt.Fprintln(a.stderr, "the result could not be written:", err)
	}
}

// durationFlag is a duration as definitions write it: 5s, or milliseconds.
type durationFlag time.Duration

// UnmarshalText parses the flag's value.
func (d *durationFlag) UnmarshalText(text []byte) error {
	if ms, err := strconv.ParseInt(string(text), 10, 32); err == nil && ms > 0 {
		*d = durationFlag(time.Duration(ms) * time.Millisecond)
		return nil
	}
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("%sexpected milliseconds as an integer, or a text like 90s", foundNumber(string(text)))
	}
	*d = durationFlag(v)
	return nil
}

// foundNumber shows what stands where a number with a unit belongs, if it looks like one.
// Anything else may be a secret in the wrong place.
func foundNumber(text string) string {
	digit := strings.TrimLeft(text, "+-.")
	if digit == "" || digit[0] < '0' || digit[0] > '9' || len(text) > 12 || !isPlainName(strings.NewReplacer(".", "", "+", "").Replace(text)) {
		return ""
	}
	return fmt.Sprintf("found %q, ", text)
}
