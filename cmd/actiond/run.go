package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/registry"
)

// runOptions are the options of run, debug and dry-run.
type runOptions struct {
	*factory
	Action string
	Words  []word // words after the name: the action's own flags and global flags
	Debug  bool
}

func newRunCmd(f *factory, runF func(context.Context, *runOptions) error) *cobra.Command {
	return f.takesAction(&cobra.Command{
		Use:     "run",
		Short:   "Run an action",
		Example: "action run web:page:read --url http://example.test\naction run shop:order:create --params @order.json --json",
	}, &runOptions{factory: f}, runF, runAction)
}

func newDebugCmd(f *factory, runF func(context.Context, *runOptions) error) *cobra.Command {
	return f.takesAction(&cobra.Command{
		Use:     "debug",
		Short:   "Run an action and show every step, and the context of a failure",
		Example: "action debug web:page:read --url http://example.test",
	}, &runOptions{factory: f, Debug: true}, runF, runAction)
}

// takesAction declares the positional argument of a command: the name of an action. The words after
// the name are parsed later, when the action's params are known.
func (f *factory) takesAction(cmd *cobra.Command, o *runOptions, runF, do func(context.Context, *runOptions) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Action, o.Words = args[0], f.inPlace[1:]
		return call(cmd, o, runF, do)
	}
	cmd.ValidArgsFunction = f.completeActions
	return f.takesPositionals(cmd, &positionals{rest: true, list: []positional{{
		name: "action", doc: "Full name, such as web:page:read. Params follow as flags; see: action run NAME --help.", never: true,
	}}})
}

// runAction runs an action in its session. If necessary, the browser starts while the definitions
// and the flags are read.
func runAction(ctx context.Context, o *runOptions) error {
	verb := "run"
	if o.Debug {
		verb = "debug"
	}
	o.readGlobals(o.Words)
	if wantsHelp(o.Words) {
		return helpOf(ctx, verb, o)
	}
	backend, err := o.runner()
	if err != nil {
		return err
	}
	bar := o.startProgress(o.Action)
	defer bar.end()
	trace := new(traceFile)
	defer trace.close(nil)
	var missing *missingInput
	result := backend.RunDescribed(o.asking(ctx), o.callFor(bar, o.Debug, nil), o.Action, func(d *registry.Description) (session.Completion, error) {
		params, why, err := o.complete(ctx, verb, d)
		if err != nil || why != nil {
			missing = why
			return session.Completion{Later: why != nil}, err
		}
		if err := trace.make(ctx, o.factory); err != nil {
			return session.Completion{}, err
		}
		return session.Completion{Call: o.callFor(bar, o.Debug, trace), Params: params}, nil
	})
	bar.end()
	trace.close(result)
	switch {
	case missing != nil:
		o.missing = missing
		return nil
	case result.Action == "" && result.Error != nil: // rejected before the run began
		return result.Error
	}
	return o.showResult(result)
}

// complete reads the params of an action. If the run needs input that only the client has, params
// is nil and missing describes the input.
func (o *runOptions) complete(ctx context.Context, verb string, d *registry.Description) (params map[string]any, missing *missingInput, err error) {
	if o.remote != nil && !o.remote.EnvWhole && len(d.EnvDeclared) > 0 {
		return nil, &missingInput{env: d.EnvDeclared}, nil
	}
	return newActionCmd(o.factory, verb, d).parse(ctx, o.Words)
}

// helpOf prints the help of an action.
func helpOf(ctx context.Context, verb string, o *runOptions) error {
	defs, err := o.load(ctx)
	if err != nil {
		return err
	}
	o.printer.Source = defs.Source
	d, err := defs.Describe(o.Action)
	if err != nil {
		return err
	}
	a := newActionCmd(o.factory, verb, d)
	if _, err := o.scan(a.cmd, o.Words); err != nil {
		return a.hint(err, o.Words)
	}
	return a.cmd.Help()
}

// wantsHelp reports whether the words after the action's name contain --help.
func wantsHelp(words []word) bool {
	flags := texts(words)
	if end := slices.Index(flags, "--"); end >= 0 {
		flags = flags[:end]
	}
	return slices.Contains(flags, "--help") || slices.Contains(flags, "-h")
}
