package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/spec"
)

// call is what run, dry-run and debug take: an action and the flags of its own
// params.
type call struct {
	Action string `arg:"" help:"Full name, such as web:page:read. Its params follow as flags: see --help behind the name."`
}

// splitCall cuts the command line behind the action's name of run, dry-run and
// debug: what follows is parsed by the action's own params, together with the
// flags before the name, which are global ones.
func splitCall(args []string) (head, rest []string) {
	words := 0
	var flags []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if strings.HasPrefix(arg, "-") && arg != "-" {
			flags = append(flags, arg)
			if i+1 < len(args) && slices.Contains(globalsWithValue(), strings.TrimPrefix(arg, "--")) {
				i++
				flags = append(flags, args[i])
			}
			continue
		}
		if words++; words == 1 && !slices.Contains([]string{"run", "dry-run", "debug"}, arg) {
			break
		}
		if words == 2 {
			return args[:i+1], append(flags, args[i+1:]...)
		}
	}
	return args, nil
}

// flagMeant is a hint for a param that is written as NAME=VALUE, as other tools take it.
func flagMeant(act *registry.Description, rest []string) string {
	for _, arg := range rest {
		name, _, ok := strings.Cut(arg, "=")
		if ok && slices.ContainsFunc(act.Params, func(p registry.Param) bool { return p.Name == name }) {
			return "params are flags: --" + name + "=…"
		}
	}
	return ""
}

// flagsTaken begins a hint with the params of an action, where they are no more than a
// line takes: who has guessed one reads the right one there.
func flagsTaken(fields []*registry.Param) string {
	if len(fields) == 0 || len(fields) > 10 {
		return ""
	}
	flags := make([]string, len(fields))
	for i, p := range fields {
		flags[i] = "--" + strings.ReplaceAll(p.Name, "_", "-")
	}
	return "it takes " + strings.Join(flags, ", ") + "; "
}

// parseParams reads the flags behind the action's name: its params, and the
// global flags, which may stand there too. done is set when help was printed.
//
// The grammar is made for the action, so that help, negation, repetition and
// "did you mean" are those of every other flag.
func (a *app) parseParams(ctx context.Context, name string, act *registry.Description, rest []string) (params map[string]any, done bool, missing *missingInput, err error) {
	grammar, fields := paramGrammar(act, a.globals)
	k, err := newKong("action "+name, grammar.Interface(),
		kong.Description(plain(act.Description)), kong.ConfigureHelp(kong.HelpOptions{Compact: true, Tree: true}),
		kong.ExplicitGroups([]kong.Group{{Key: "params", Title: "Params of the action:"}, {Key: "global", Title: "Global flags:"}}))
	if err != nil {
		return nil, false, nil, err
	}
	selected, err := a.parse(k, markNumbers(rest))
	if err != nil {
		if e := diag.As(err); e != nil && e.Hint == seeHelp {
			e.WithHint("%s", cmp.Or(flagMeant(act, rest), flagsTaken(fields)+"see: action "+name+" --help"))
		} else if e != nil && strings.HasPrefix(e.Msg, "unknown flag") {
			e.WithHint("%s", flagsTaken(fields)+e.Hint)
		}
		return nil, false, nil, err
	}
	if selected == nil {
		return nil, true, nil, nil
	}
	v := grammar.Elem()
	a.globals = v.FieldByName("Globals").Interface().(globals)
	params, missing, err = a.paramsOption(ctx, v.FieldByName("Params").String())
	if err != nil || missing != nil {
		return nil, false, missing, err
	}
	for i, p := range fields {
		f := v.FieldByName(fieldName(i))
		if f.IsZero() || f.Kind() == reflect.Pointer && f.IsNil() {
			continue
		}
		if _, twice := params[p.Name]; twice {
			return nil, false, nil, diag.New(diag.InvalidRequest, "the param %s stands in --params and as a flag", p.Name).
				WithHint("give it once")
		}
		params[p.Name] = flagValue(f)
	}
	return params, false, nil, nil
}

func fieldName(i int) string { return fmt.Sprintf("P%d", i) }

// paramGrammar makes the struct that kong parses into. Every flag is a pointer
// or a list, so that an empty value and none at all can be told apart. fields
// are the params that became flags.
func paramGrammar(act *registry.Description, g globals) (reflect.Value, []*registry.Param) {
	shape := []reflect.StructField{
		{Name: "Params", Type: reflect.TypeOf(""), Tag: `name:"params" group:"params" placeholder:"JSON|@FILE|-" help:"All params as one JSON object."`},
	}
	taken := globalFlagNames()
	var fields []*registry.Param
	for i := range act.Params {
		p := &act.Params[i]
		flag := strings.ReplaceAll(p.Name, "_", "-")
		if slices.Contains(taken, flag) {
			continue // given by --params; validate warns
		}
		taken = append(taken, flag)
		negatable := spec.ParamType(p.Type) == spec.TypeBoolean && !declares(act, "no-"+flag) && !slices.Contains(taken, "no-"+flag)
		if negatable {
			taken = append(taken, "no-"+flag)
		}
		shape = append(shape, reflect.StructField{
			Name: fieldName(len(fields)), Type: flagType(p), Tag: flagTag(p, flag, negatable),
		})
		fields = append(fields, p)
	}
	shape = append(shape, reflect.StructField{Name: "Globals", Type: reflect.TypeOf(g), Tag: `embed:"" group:"global"`})
	v := reflect.New(reflect.StructOf(shape))
	v.Elem().FieldByName("Globals").Set(reflect.ValueOf(g))
	return v, fields
}

// declares reports whether a param of act has that flag.
func declares(act *registry.Description, flag string) bool {
	return slices.ContainsFunc(act.Params, func(p registry.Param) bool { return strings.ReplaceAll(p.Name, "_", "-") == flag })
}

func flagType(p *registry.Param) reflect.Type {
	switch spec.ParamType(p.Type) {
	case spec.TypeBoolean:
		return reflect.TypeFor[*bool]()
	case spec.TypeArray:
		return reflect.TypeFor[[]string]()
	}
	return reflect.TypeFor[*string]()
}

func flagTag(p *registry.Param, flag string, negatable bool) reflect.StructTag {
	tag := fmt.Sprintf(`name:%q group:"params" help:%q`, flag, flagHelp(p))
	switch spec.ParamType(p.Type) {
	case spec.TypeBoolean:
		if negatable {
			tag += ` negatable:""`
		}
		return reflect.StructTag(tag)
	case spec.TypeArray:
		tag += ` sep:"none"`
	}
	return reflect.StructTag(tag + fmt.Sprintf(` placeholder:%q`, strings.ToUpper(string(p.Type))))
}

// flagHelp is one line about a param.
func flagHelp(p *registry.Param) string {
	help := p.Description
	if len(p.Values) > 0 {
		var texts []string
		for _, v := range p.Values {
			texts = append(texts, fmt.Sprint(v))
		}
		help += " (" + strings.Join(texts, ", ") + ")"
	}
	if p.Required && p.Default == nil {
		help += " [required]"
	}
	if p.Default != nil {
		shown, _ := json.Marshal(p.Default) // it has come from JSON or YAML
		help += " [default " + string(shown) + "]"
	}
	return plain(strings.TrimSpace(help))
}

// plain makes text of a definition safe for kong, which would put values into
// it.
func plain(text string) string { return strings.ReplaceAll(diag.Clean(text), "$", "$$") }

func flagValue(f reflect.Value) any {
	if f.Kind() == reflect.Pointer {
		return unmarked(f.Elem().Interface())
	}
	list := make([]any, f.Len())
	for i := range list {
		list[i] = unmarked(f.Index(i).Interface())
	}
	return list
}

// readGlobals reads the global flags behind the action's name. The params of the action
// are flags too and cannot be read yet; a value never looks like a flag, which the parser
// refuses, so that the global ones can be found without knowing those. What is wrong with
// them is reported with the flags of the action: an unknown action comes first.
func (a *app) readGlobals() {
	words := globalWords(a.rest)
	if len(words) == 0 {
		return
	}
	g := struct{ globals }{a.globals}
	k, err := newKong("action", &g)
	if err == nil {
		_, err = a.parse(k, words)
	}
	if err == nil {
		a.globals = g.globals
	}
}

// globalWords are the words of a command line that are global flags and their values.
func globalWords(words []string) []string {
	var out []string
	names, valued := globalFlagNames(), globalsWithValue()
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		name, _, joined := strings.Cut(words[i], "=")
		flag, ok := strings.CutPrefix(name, "--")
		if !ok || flag == "help" || flag == "params" || !slices.Contains(names, flag) {
			continue
		}
		out = append(out, words[i])
		if !joined && slices.Contains(valued, flag) && i+1 < len(words) {
			i++
			out = append(out, words[i])
		}
	}
	return out
}

// globalsWithValue are the global flags that take the word behind them.
func globalsWithValue() []string {
	var names []string
	t := reflect.TypeFor[globals]()
	for i := range t.NumField() {
		if f := t.Field(i); f.Type.Kind() != reflect.Bool {
			names = append(names, flagNameOf(f))
		}
	}
	return names
}

func flagNameOf(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	return strings.ToLower(f.Name)
}

// globalFlagNames are the flags that a param cannot have.
func globalFlagNames() []string {
	names := []string{"help", "params"}
	t := reflect.TypeFor[globals]()
	for i := range t.NumField() {
		names = append(names, flagNameOf(t.Field(i)))
	}
	return names
}

// readAtMost reads so many bytes of what open opens. A pipe or a terminal may never say
// anything: when ctx ends, the reading goes on until the process ends.
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
			_ = c.Close() // it was only read
		}
		read <- text{data, err}
	}()
	select {
	case t := <-read:
		return t.data, t.err
	case <-ctx.Done():
		return nil, diag.New(diag.Cancelled, "interrupted while the params were read").WithHint("nothing was done: run it again")
	}
}

// isPlainFile reports whether path names a file that can be read at once, by every
// process alike: no pipe, and none of the descriptors of this process.
func isPlainFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/")
}

// paramsOption reads --params: JSON, @file, or - for standard input. In the daemon, what
// its client alone can read is needed.
func (a *app) paramsOption(ctx context.Context, text string) (params map[string]any, missing *missingInput, err error) {
	if text == "" {
		return make(map[string]any), nil, nil
	}
	source, data := "--params", []byte(text)
	const most = 8 << 20
	switch {
	case text == "-" && a.remote != nil:
		source = "standard input"
		if data, missing = a.inputOf("-"); missing != nil {
			return nil, missing, nil
		}
	case text == "-":
		source = "standard input"
		data, err = readAtMost(ctx, most+1, func() (io.Reader, error) { return a.stdin, nil })
	case strings.HasPrefix(text, "@"):
		source = text[1:]
		if !filepath.IsAbs(source) {
			source = filepath.Join(a.cwd, source)
		}
		if a.remote != nil && !isPlainFile(source) {
			if data, missing = a.inputOf(source); missing != nil {
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
			WithHint("give --params a JSON object, @FILE or -").Because(err)
	}
	if len(data) > most {
		return nil, nil, diag.New(diag.InvalidRequest, "%s holds more than %d bytes", source, most).
			WithHint("pass less, or name a file that the action reads")
	}
	params, err = jsonObject(source, data)
	if e := diag.As(err); e != nil {
		return nil, nil, e.WithHint("write an object with the params, such as '{\"text\": \"OK\"}'")
	}
	return params, nil, nil
}

// inputOf is what the client has read for the daemon.
func (a *app) inputOf(file string) ([]byte, *missingInput) {
	text, ok := a.remote.Inputs[file]
	if !ok {
		return nil, &missingInput{input: file}
	}
	return []byte(text), nil
}

// jsonObject decodes a JSON object strictly. source names it in the error.
func jsonObject(source string, data []byte) (map[string]any, error) {
	object := make(map[string]any)
	err := json.Unmarshal(data, &object)
	if err == nil && object == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "%s is no JSON object: %v", source, err).Because(err)
	}
	if err := expr.CheckJSON(data); err != nil {
		return nil, diag.New(diag.InvalidRequest, "%s is not sound JSON: %v", source, err).Because(err)
	}
	if e := diag.As(wire.CheckValues(data)); e != nil {
		return nil, diag.New(diag.InvalidRequest, "%s is too large: %s", source, e.Msg).Because(e)
	}
	return object, nil
}
