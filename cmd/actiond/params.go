package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/spec"
)

// An actionCmd is the command of one action. It has a flag for each param of the action.
type actionCmd struct {
	f      *factory
	cmd    *cobra.Command
	action *registry.Description
	all    string       // value of --params
	values []paramValue // the params that are flags, by name
}

// newActionCmd returns the command `action VERB NAME` for an action, such as `action run NAME`.
func newActionCmd(f *factory, verb string, d *registry.Description) *actionCmd {
	a := &actionCmd{f: f, action: d, values: make([]paramValue, 0, len(d.Params))}
	a.cmd = &cobra.Command{Use: d.Name, Long: d.Description, RunE: func(*cobra.Command, []string) error { return nil }}
	f.takes(a.cmd)
	root, parent := newRootCmd(f), &cobra.Command{Use: verb}
	root.AddCommand(parent)
	parent.AddCommand(a.cmd)
	fs := a.cmd.Flags()
	fs.SortFlags = false
	addText(fs, &a.all, "params", "JSON|@FILE|-", "All params as one JSON object.")
	for i := range d.Params {
		p := &d.Params[i]
		flag := flagOf(p.Name)
		if slices.Contains(reservedFlags(), flag) || fs.Lookup(flag) != nil {
			continue // the param can be set only with --params; validate warns about this
		}
		a.values = append(a.values, paramValue{param: p})
		v := &a.values[len(a.values)-1]
		v.negation = v.isBool() && !a.hasParam("no-"+flag)
		added := fs.VarPF(v, flag, "", p.Description)
		if v.isBool() {
			added.NoOptDefVal = "true"
		}
	}
	return a
}

// hasParam reports whether a param has this flag.
func (a *actionCmd) hasParam(flag string) bool {
	return slices.ContainsFunc(a.action.Params, func(p registry.Param) bool { return flagOf(p.Name) == flag })
}

// parse parses the words after the action's name: the params of the action and any global flags. If
// the params need input that only the client has, params is nil and missing describes the input.
func (a *actionCmd) parse(ctx context.Context, words []word) (params map[string]any, missing *missingInput, err error) {
	s, err := a.f.scan(a.cmd, words)
	if err != nil {
		return nil, nil, a.hint(err, words)
	}
	if err := a.cmd.ParseFlags(s.flags); err != nil {
		return nil, nil, a.hint(a.f.badFlag(a.cmd, err), words)
	}
	if len(s.args) > 0 {
		return nil, nil, a.hint(unexpectedWord(s.args[0]).WithHint("%s", a.f.seeHelp(a.cmd)), words)
	}
	params, missing, err = a.f.paramsOption(ctx, a.all)
	if err != nil || missing != nil {
		return nil, missing, err
	}
	for i := range a.values {
		v := &a.values[i]
		if !v.set {
			continue
		}
		if _, twice := params[v.param.Name]; twice {
			return nil, nil, diag.New(diag.InvalidRequest, "found the param %s in --params and as a flag, expected it once", v.param.Name).
				WithHint("remove the flag, or remove the param from --params")
		}
		params[v.param.Name] = v.data()
	}
	return params, nil, nil
}

// hint adds a list of the action's flags to the hint of an error about flags or arguments.
func (a *actionCmd) hint(err error, words []word) error {
	e := diag.As(err)
	switch {
	case e == nil:
	case e.Hint == a.f.seeHelp(a.cmd):
		e.WithHint("%s", cmp.Or(a.flagMeant(words), a.flagsTaken()+e.Hint))
	case strings.HasPrefix(e.Msg, "unknown flag"):
		e.WithHint("%s", a.flagsTaken()+e.Hint)
	}
	return err
}

// flagMeant returns a hint if one of the words sets a param as NAME=VALUE. If none does, it returns
// "".
func (a *actionCmd) flagMeant(words []word) string {
	for _, w := range words {
		name, _, ok := strings.Cut(w.text, "=")
		if ok && slices.ContainsFunc(a.action.Params, func(p registry.Param) bool { return p.Name == name }) {
			return "write params as flags: --" + name + "=…"
		}
	}
	return ""
}

// flagsTaken returns the beginning of a hint that lists the params of the action as flags. It
// returns "" if there are no params, or more than 10.
func (a *actionCmd) flagsTaken() string {
	if len(a.values) == 0 || len(a.values) > 10 {
		return ""
	}
	flags := make([]string, len(a.values))
	for i := range a.values {
		flags[i] = "--" + flagOf(a.values[i].param.Name)
	}
	return "the action takes " + strings.Join(flags, ", ") + "; "
}

// A paramValue is the value of the flag for a param, as text. The text is converted to the type of
// the param later.
type paramValue struct {
	param    *registry.Param
	negation bool // --no-NAME is its negation
	set      bool
	on       bool   // value of a boolean
	text     string // value of other types
	list     []any  // values of an array, one for each use of the flag
}

func (v *paramValue) isBool() bool    { return spec.ParamType(v.param.Type) == spec.TypeBoolean }
func (v *paramValue) isList() bool    { return spec.ParamType(v.param.Type) == spec.TypeArray }
func (v *paramValue) negatable() bool { return v.negation }
func (v *paramValue) Type() string    { return strings.ToUpper(v.param.Type) }
func (v *paramValue) String() string  { return v.text }
func (v *paramValue) Set(text string) (err error) {
	v.set = true
	switch {
	case v.isBool():
		v.on, err = parseBool(text)
	case v.isList():
		v.list = append(v.list, text)
	default:
		v.text = text
	}
	return err
}

func (v *paramValue) data() any {
	switch {
	case v.isBool():
		return v.on
	case v.isList():
		return v.list
	}
	return v.text
}

// note describes the values that the param accepts.
func (v *paramValue) note() (note string) {
	p := v.param
	if len(p.Values) > 0 {
		var texts []string
		for _, value := range p.Values {
			texts = append(texts, fmt.Sprint(value))
		}
		note += " (" + strings.Join(texts, ", ") + ")"
	}
	if p.Required && p.Default == nil {
		note += " [required]"
	}
	if p.Default != nil {
		shown, _ := json.Marshal(p.Default) // does not fail: the value was decoded from JSON or YAML
		note += " [default " + string(shown) + "]"
	}
	return note
}

// readGlobals reads the global flags among the words after the action's name. It ignores errors: an
// unknown action must be reported first, and invalid flags are reported later.
func (f *factory) readGlobals(words []word) {
	g := f.globals
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	g.addTo(fs)
	if fs.Parse(globalWords(words)) == nil {
		f.globals, f.json = g, g.JSON
	}
}

// globalWords returns the global flags of a command line, each with its value.
func globalWords(words []word) (flags []string) {
	for i := 0; i < len(words) && words[i].text != "--"; i++ {
		name, value, joined := strings.Cut(words[i].text, "=")
		flag := globalSet().Lookup(strings.TrimPrefix(name, "--"))
		if positive, ok := strings.CutPrefix(name, "--no-"); ok && flag == nil {
			if flag := globalSet().Lookup(positive); flag != nil && isSwitch(flag) {
				flags = append(flags, "--"+positive+"=false")
			}
			continue
		}
		switch {
		case flag == nil || !strings.HasPrefix(name, "--"):
			continue
		case joined:
		case isSwitch(flag):
			value = flag.NoOptDefVal
			if i+1 < len(words) && isTruth(words[i+1].text) {
				i++
				value = words[i].text
			}
		case i+1 < len(words):
			i++
			value = words[i].text
		default:
			continue
		}
		flags = append(flags, name+"="+value)
	}
	return flags
}

// readAtMost reads at most the given number of bytes. When ctx ends, it returns an error, although
// the read may continue in the background.
func readAtMost(ctx context.Context, most int64, open func() (io.Reader, error)) ([]byte, error) {
	type text struct {
		data []byte
		err  error
	}
	read := make(chan text, 1)
	go func() {
		r, err := open()
		if err != nil {
			read <- text{nil, err}
			return
		}
		data, err := io.ReadAll(io.LimitReader(r, most))
		if c, ok := r.(*os.File); ok && c != os.Stdin {
			_ = c.Close() // opened only for reading
		}
		read <- text{data, err}
	}()
	select {
	case t := <-read:
		return t.data, t.err
	case <-ctx.Done():
		return nil, diag.New(diag.Cancelled, "interrupted while reading the params").WithHint("nothing was done: run the command again")
	}
}

// isPlainFile reports whether path is a regular file outside /dev and /proc. Any process can read
// such a file without blocking.
func isPlainFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/")
}

// paramsOption reads --params: JSON, @file, or - for standard input. If only the client can read
// the input, params is nil and missing describes the input.
func (f *factory) paramsOption(ctx context.Context, text string) (params map[string]any, missing *missingInput, err error) {
	if text == "" {
		return make(map[string]any), nil, nil
	}
	source, data := "--params", []byte(text)
	const most = 8 << 20
	switch {
	case text == "-" && f.remote != nil:
		source = "standard input"
		if data, missing = f.inputOf("-"); missing != nil {
			return nil, missing, nil
		}
	case text == "-":
		source = "standard input"
		data, err = readAtMost(ctx, most+1, func() (io.Reader, error) { return f.stdin, nil })
	case strings.HasPrefix(text, "@"):
		source = text[1:]
		if !filepath.IsAbs(source) {
			source = filepath.Join(f.cwd, source)
		}
		if f.remote != nil && !isPlainFile(source) {
			if data, missing = f.inputOf(source); missing != nil {
				return nil, missing, nil
			}
			break
		}
		data, err = readAtMost(ctx, most+1, func() (io.Reader, error) { return os.Open(source) })
	}
	if ctx.Err() != nil && diag.CodeOf(err) == diag.Cancelled {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, diag.New(diag.InvalidRequest, "%s could not be read: %v", source, err).
			WithHint("pass to --params a JSON object, @FILE, or - for the standard input").Because(err)
	}
	if len(data) > most {
		return nil, nil, diag.New(diag.InvalidRequest, "found more than %[2]d bytes in %[1]s", source, most).
			WithHint("pass less data, or pass the name of a file that the action reads")
	}
	params, err = jsonObject(source, data)
	if e := diag.As(err); e != nil {
		return nil, nil, e.WithHint("write an object with the params, as in '{\"text\": \"OK\"}'")
	}
	return params, nil, nil
}

// inputOf returns the input that the client has read for the daemon.
func (f *factory) inputOf(file string) ([]byte, *missingInput) {
	text, ok := f.remote.Inputs[file]
	if !ok {
		return nil, &missingInput{input: file}
	}
	return []byte(text), nil
}

// jsonObject decodes a JSON object strictly. source names the data in errors.
func jsonObject(source string, data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin files with it
	value, err := expr.DecodeJSON(data)
	object, ok := value.(map[string]any)
	if err == nil && !ok {
		err = fmt.Errorf("found %s", wire.KindOf(data))
	}
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "%s is not a JSON object: %v", source, err).Because(err)
	}
	if err := expr.CheckJSON(data); err != nil {
		return nil, diag.New(diag.InvalidRequest, "invalid JSON in %s: %v", source, err).Because(err)
	}
	if e := diag.As(wire.CheckValues(data)); e != nil {
		return nil, diag.New(diag.InvalidRequest, "%s is too large: %s", source, e.Msg).Because(e)
	}
	return object, nil
}
