package session

// One call: the options that the caller passes, and how an action or a manual step is run with them.

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/files"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/registry"
)

// A Call describes a call to the manager: who calls, and which session is used. The zero value
// means the manager's own folder and the session [DefaultName].
type Call struct {
	Session string
	Cwd     string  // "": the manager's folder
	Path    *string // replaces ACTION_PATH of the environment; nil does not
	// Env is the environment of the call. It holds its ACTION_… settings and the variables that
	// definitions may read. Nil means the environment of the manager. If HOME is missing, the HOME
	// of the manager is used.
	Env map[string]string

	// Timeout limits the run or step, including the wait in the queue. 0 means the configured
	// timeout, which does not include the wait.
	Timeout  time.Duration
	Debug    bool
	Steps    bool
	FromText bool
	Strict   bool
	OnStep   func(executor.StepEvent)
	Trace    io.Writer
	Headed   *bool // applies to the browser, if the call starts one
	// Unattended means that a program, such as a model, made the call, and not a person. The call
	// then cannot choose a profile. A manual step can open only the addresses that definitions can
	// open.
	Unattended bool
	CDP        string // address of a running browser to use, if one is needed
	// Answer answers the approvals of the call. It is used only if [ManagerOptions.Embedded] is
	// set. If it is nil, whatever requires an approval is denied.
	Answer Answerer
}

// RunOptions are the options of one run.
type RunOptions struct {
	Params   map[string]any
	FromText bool          // params are text from the command line
	Steps    bool          // include the steps of a success too
	Debug    bool          // include inputs, decisions and the context of a failure
	Timeout  time.Duration // of the whole run; 0: the configured one
	Cwd      string        // base of relative paths
	Environ  []string      // variables that the definitions may read, as NAME=value
	Trace    io.Writer     // nil: no trace
	OnStep   func(executor.StepEvent)

	unattended bool     // see [Call.Unattended]
	answer     Answerer // see [Call.Answer]

	saved func() string // returns the folder in which the browser keeps downloads
}

// forExecutor converts o to the options of the executor. d holds the definitions of the run.
func (o RunOptions) forExecutor(d *definitions.Set) executor.RunOptions {
	rules := fileRules(d, o.Cwd)
	rules.Saved = o.saved
	ofPackages := rules
	ofPackages.Packaged = true
	return executor.RunOptions{
		FromText: o.FromText, Timeout: o.Timeout, Steps: o.Steps, Debug: o.Debug || d.Config.Actions.Debug,
		Unattended: o.unattended, Environ: definitions.Variables(o.Environ), Files: rules, PackageFiles: ofPackages,
	}
}

// fileRules returns the rules for file access. Relative paths are relative to cwd.
func fileRules(d *definitions.Set, cwd string) files.Rules {
	return files.Rules{Cwd: cwd, Allow: d.Config.Policy.Files, Sources: d.Config.DefinitionPaths(), Home: d.Config.Home()}
}

// DryRun returns the plan of an action of d. It uses no browser.
func DryRun(ctx context.Context, d *definitions.Set, action string, o RunOptions) *executor.Plan {
	if err := d.Runnable(action); err != nil {
		return noPlan(action, err)
	}
	plan := d.Executor().DryRun(ctx, action, o.Params, o.forExecutor(d))
	plan.Warnings = append(plan.Warnings, d.KeptWarnings(action)...)
	return plan
}

// noPlan returns the plan of a run that cannot begin. The plan holds only err.
func noPlan(action string, err error) *executor.Plan {
	return &executor.Plan{Action: action, Error: coded(err), Steps: []*executor.PlanStep{}}
}

// A call is one call of an action or a manual step in a session.
type call struct {
	defs      *definitions.Set
	name      string        // name of the action or of the step
	step      bool          // a manual step, whose arguments are the params
	session   string        // key of the remembered selectors
	prelaunch *prelaunch    // the prelaunched browser, until it is used
	secrets   *trace.Memory // secrets of the session's runs; nil until the call is first in the queue
	approvals *approvals.Table
	embedded  bool // see [ManagerOptions.Embedded]
	o         RunOptions

	// complete returns the rest of the call when the action is known. It is nil if o is already
	// complete.
	complete func(*registry.Description) (Completion, error)
	later    bool // complete has postponed the call

	// hold keeps other calls out of the session while a person uses it. It is nil if there cannot
	// be other calls. held is called when the person may begin, unless it is nil.
	hold func(context.Context, executor.Handoff) (resumed <-chan struct{}, end func())
	held func()
	// early holds the warnings about browser events before a handoff.
	early []executor.Warning
}

// opensPage reports whether the call is a manual step that opens an address. Such a step does not
// depend on the current page.
func (c *call) opensPage() bool {
	if !c.step {
		return false
	}
	e := catalogue.Lookup(c.name)
	return e != nil && e.Opens
}

// info describes the call for users.
func (c *call) info() RunInfo {
	if c.step {
		return RunInfo{Step: c.name}
	}
	return RunInfo{Action: c.name}
}

// check returns an error if the call is invalid. It uses no browser.
func (c *call) check(ctx context.Context) error {
	x, ro := c.defs.Executor(), c.o.forExecutor(c.defs)
	if c.step {
		return x.CheckHand(c.name, c.o.Params, ro)
	}
	if err := c.defs.Runnable(c.name); err != nil {
		return err
	}
	return x.Check(ctx, c.name, c.o.Params, ro)
}

// perform runs the call in b. No other call may use b at the same time.
func (c *call) perform(ctx context.Context, b *chrome.Browser) *executor.Result {
	c.o.saved = b.SavedFolder
	x, ro := c.defs.Executor(), c.o.forExecutor(c.defs)
	ro.Session, ro.OnStep, ro.Secrets = c.session, c.o.OnStep, c.secrets
	b.BeginCall(dialogsUnder(&c.defs.Config.Policy), c.step)
	rule := hostRule(&c.defs.Config.Policy)
	if rule != nil && b.Unguarded() {
		return c.failed(time.Now(), diag.New(diag.InvalidRequest, "the browser of the session %s uses a proxy from browser.args, so it cannot enforce policy.hosts and policy.network", c.session).
			WithHint("set browser.proxy instead of browser.args, and then run: action session close %s", c.session))
	}
	if err := b.Restrict(ctx, rule); err != nil {
		return c.failed(time.Now(), err)
	}
	ro.Handoff = func(ctx context.Context, h executor.Handoff) (string, error) { return c.handOver(ctx, b, h) }
	if err := b.Guard(ctx, guardOf(&c.defs.Config.Policy)); err != nil {
		return c.failed(time.Now(), err)
	}
	ask := &asker{table: c.approvals, policy: &c.defs.Config.Policy, session: c.session, embedded: c.embedded, answer: c.o.answer}
	ro.Approver = ask
	ro.After = func() []executor.Warning {
		said := dialogWarnings(b)
		if b.EndCall() {
			said = append(said, executor.Warning{Code: "dialog_unused", Message: "the answer that a dialog step set for the next dialog was not used: no dialog opened"})
		}
		return slices.Concat(c.early, said, otherWarnings(b))
	}
	if c.o.Trace != nil {
		ro.Recorder = trace.NewRecorder(c.o.Trace)
	}
	var result *executor.Result
	if c.step {
		answers := b.Answers()
		result = x.Hand(ctx, b, c.name, c.o.Params, ro)
		if result.Error == nil && b.Answers() == answers {
			// The browser was not involved: check that it is still running.
			if err := b.Ping(ctx); err != nil {
				result = c.failed(time.Now(), err)
			}
		}
	} else {
		result = x.Run(ctx, b, c.name, c.o.Params, ro)
		result.Warnings = append(result.Warnings, c.defs.KeptWarnings(c.name)...)
	}
	if ro.Recorder != nil {
		result.TraceFailed(ro.Recorder.Err())
	}
	ask.finish(result)
	return result
}

// pending returns the warnings about browser events that have not been reported.
func pending(b *chrome.Browser) []executor.Warning {
	return append(dialogWarnings(b), otherWarnings(b)...)
}

// otherWarnings is like pending, but without the warnings about dialogs.
func otherWarnings(b *chrome.Browser) []executor.Warning {
	return slices.Concat(tabWarnings(b.TakeNews()), downloadWarnings(b.TakeDownloads()), refusedWarnings(slices.Concat(b.TakeRefused(), b.TakeUnapproved())))
}

// handOver lets a person use the browser of a call until the handoff h ends. It implements
// [executor.RunOptions.Handoff].
func (c *call) handOver(ctx context.Context, b *chrome.Browser, h executor.Handoff) (ended string, err error) {
	c.early = append(c.early, pending(b)...) // events before the handoff are still reported
	resumed, end := (<-chan struct{})(nil), func() {}
	if c.hold != nil {
		resumed, end = c.hold(ctx, h)
	}
	b.HandOver(ctx)
	defer func() {
		_ = pending(b) // events that the person has caused are not reported
		b.TakeBack()
		end()
	}()
	h.Begun()
	return awaitPerson(ctx, b, h, resumed)
}

// refusedWarnings returns the warnings about page requests that the policy refused.
func refusedWarnings(refused []error) []executor.Warning {
	var out []executor.Warning
	for _, err := range refused {
		out = append(out, executor.Warning{Code: "blocked", Message: fmt.Sprintf("a request of the page was refused: %v", err)})
	}
	return out
}

// failed returns the result of a call that was never run.
func (c *call) failed(began time.Time, err error) *executor.Result {
	return &executor.Result{Action: c.name, Error: coded(err), DurationMS: time.Since(began).Milliseconds()}
}

// maxDialogWarnings is the number of dialogs that get a warning each. One more warning counts the
// others.
const maxDialogWarnings = 5

// dialogWarnings returns the warnings about dialogs that have not been reported.
func dialogWarnings(b *chrome.Browser) []executor.Warning {
	var out []executor.Warning
	warn := func(code, format string, args ...any) {
		out = append(out, executor.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	dialogs, more := b.TakeDialogs()
	for i, d := range dialogs {
		switch {
		case d.Answer == driver.DialogOpen:
			warn("dialog", "the page opened a dialog (%s %q), which is still open and blocks it; %s", d.Kind, d.Message, chrome.DialogHint)
		case i < maxDialogWarnings:
			warn("dialog", "the page opened a dialog (%s %q), which was %s", d.Kind, d.Message, d.Answer)
		default:
			more++
		}
	}
	if more > 0 {
		warn("dialog", "… and %d more dialogs, which were answered", more)
	}
	return out
}

// Codes of the warnings about tabs that pages opened or closed.
const (
	WarnTabOpened = "tab_opened"
	WarnTabClosed = "tab_closed"
)

func tabWarnings(news []chrome.News) []executor.Warning {
	var out []executor.Warning
	for _, n := range news {
		switch n.Kind {
		case chrome.TabOpened:
			out = append(out, executor.Warning{Code: WarnTabOpened, Message: fmt.Sprintf(
				"the page of %s opened the tab %s (%s); to use it: action tab switch %s", orSession(n.Opener), n.Tab, n.URL, n.Tab)})
		case chrome.TabRefused:
			out = append(out, executor.Warning{Code: WarnTabClosed, Message: fmt.Sprintf(
				"the page of %s opened more tabs than limits.max_tabs allows, so the last tab was closed", orSession(n.Opener))})
		case chrome.TabCrashed:
			out = append(out, executor.Warning{Code: WarnTabClosed, Message: fmt.Sprintf("the tab %s (%s) crashed and is gone", n.Tab, n.URL)})
		case chrome.TabClosed:
			text := fmt.Sprintf("the tab %s (%s) closed itself", n.Tab, n.URL)
			if n.Active != "" {
				text += ": the active tab is " + n.Active
			}
			out = append(out, executor.Warning{Code: WarnTabClosed, Message: text})
		}
	}
	return out
}

func orSession(tab string) string {
	if tab == "" {
		return "the session"
	}
	return tab
}

// WarnDownload is the code of the warning about a download that no step requested.
const WarnDownload = "download"

func downloadWarnings(list []downloads.Kept) []executor.Warning {
	var out []executor.Warning
	for _, d := range list {
		text := ""
		switch d.State {
		case downloads.Complete:
			text = fmt.Sprintf("the page downloaded %s, kept as %s until the browser ends", d.Name, d.Path)
		case downloads.UnderWay:
			text = fmt.Sprintf("the page began to download %s, which is not complete yet: a later result reports when the download ends", d.Name)
		case downloads.Failed:
			text = fmt.Sprintf("the page began to download %s, but the download failed", d.Name)
		case downloads.Refused:
			text = fmt.Sprintf("the page began to download %s, which was cancelled: a session keeps at most 20 files and 1 GiB that no step requested; use the step download", d.Name)
		}
		out = append(out, executor.Warning{Code: WarnDownload, Message: text})
	}
	return out
}

func coded(err error) *diag.Error {
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.Internal, "%v", err).WithHint("report this as a bug").Because(err)
}

// environ returns the environment of a call.
func (m *Manager) environ(c Call) []string {
	if c.Env == nil && c.Path == nil {
		return m.o.Environ
	}
	environ := slices.Clone(m.o.Environ)
	if c.Env != nil {
		environ = make([]string, 0, len(c.Env)+2)
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			environ = append(environ, name+"="+c.Env[name])
		}
		if _, ok := c.Env["HOME"]; !ok {
			home, _ := definitions.Variables(m.o.Environ)("HOME")
			environ = append(environ, "HOME="+home)
		}
	}
	if c.Path != nil {
		environ = slices.DeleteFunc(environ, func(kv string) bool { return strings.HasPrefix(kv, "ACTION_PATH=") })
		environ = append(environ, "ACTION_PATH="+*c.Path)
	}
	return environ
}

func (m *Manager) cwd(c Call) string { return cmp.Or(c.Cwd, m.o.Cwd) }

func (m *Manager) loadOptions(c Call) definitions.Options {
	return definitions.Options{Cwd: m.cwd(c), Environ: m.environ(c), Sources: m.o.Sources, Strict: c.Strict}
}

func (m *Manager) runOptions(c Call, params map[string]any) RunOptions {
	return RunOptions{
		Params: params, FromText: c.FromText, Steps: c.Steps, Debug: c.Debug, Timeout: c.Timeout,
		Cwd: m.cwd(c), Environ: m.environ(c), Trace: c.Trace, OnStep: c.OnStep, unattended: c.Unattended, answer: c.Answer,
	}
}
