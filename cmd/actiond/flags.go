package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
)

// globals are the flags of every command. The commands run, dry-run and debug also accept them
// after the action's name.
type globals struct {
	JSON     bool
	Headed   bool
	Timeout  time.Duration
	Steps    bool
	Strict   bool
	Trace    string
	Session  string
	CDP      string
	NoDaemon bool
}

// addTo adds the global flags to a flag set. Their defaults are the current values in g.
func (g *globals) addTo(fs *pflag.FlagSet) {
	addBool(fs, &g.JSON, "json", "Print exactly one JSON value on standard output.")
	addBool(fs, &g.Headed, "headed", "Show the browser's window.")
	fs.Var((*durationValue)(&g.Timeout), "timeout", "Time limit of the whole run, such as 90s; a plain integer means milliseconds.")
	addBool(fs, &g.Steps, "steps", "Include every step in the result.")
	addBool(fs, &g.Strict, "strict", "Fail if any definition file is invalid.")
	addText(fs, &g.Trace, "trace", "FILE", "Write a trace of every step to this file, as JSON lines.")
	addText(fs, &g.Session, "session", "NAME", "Session to use; default: ACTION_SESSION, or the session named default.")
	addText(fs, &g.CDP, "cdp", "PORT|URL", "Use the running browser at this port or address.")
	addBool(fs, &g.NoDaemon, "no-daemon", "Run in this process, with a browser that ends with the process.")
}

// globalSet holds only the global flags, for lookups.
var globalSet = sync.OnceValue(func() *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.SortFlags = false
	new(globals).addTo(fs)
	return fs
})

// reservedFlags returns the names of the flags that every action accepts. A param with one of these
// names gets no flag.
var reservedFlags = sync.OnceValue(func() []string {
	names := []string{"help", "params"}
	globalSet().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	return names
})

// isSwitch reports whether a flag may be given without a value.
func isSwitch(flag *pflag.Flag) bool { return flag.NoOptDefVal != "" }

// flagOf returns the flag for an argument or a param.
func flagOf(name string) string { return strings.ReplaceAll(name, "_", "-") }

func addText(fs *pflag.FlagSet, p *string, name, placeholder, usage string) {
	fs.Var(&textValue{p, placeholder}, name, usage)
}

func addBool(fs *pflag.FlagSet, p *bool, name, usage string) *pflag.Flag {
	flag := fs.VarPF((*boolValue)(p), name, "", usage)
	flag.NoOptDefVal = "true"
	return flag
}

// A textValue is the value of a flag that accepts any text. The placeholder appears in the help.
type textValue struct {
	p           *string
	placeholder string
}

func (v *textValue) String() string { return *v.p }
func (v *textValue) Type() string   { return v.placeholder }
func (v *textValue) Set(text string) error {
	*v.p = text
	return nil
}

// A boolValue is the value of a switch.
type boolValue bool

func (v *boolValue) String() string { return strconv.FormatBool(bool(*v)) }
func (v *boolValue) Type() string   { return "bool" }
func (v *boolValue) Set(text string) (err error) {
	on, err := parseBool(text)
	*v = boolValue(on)
	return err
}

// An onValue is the value of a switch whose default is on.
type onValue bool

func (v *onValue) negatable() bool       { return true }
func (v *onValue) String() string        { return strconv.FormatBool(bool(*v)) }
func (v *onValue) Type() string          { return "bool" }
func (v *onValue) Set(text string) error { return (*boolValue)(v).Set(text) }

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		return true, nil
	case "false", "0", "no":
		return false, nil
	}
	return false, errors.New("expected true, 1, yes, false, 0 or no")
}

// A durationValue is a duration in the syntax of definitions: 5s, or a number of milliseconds.
type durationValue time.Duration

func (v *durationValue) String() string { return time.Duration(*v).String() }
func (v *durationValue) Type() string   { return "TIME" }
func (v *durationValue) Set(text string) error {
	if ms, err := strconv.ParseInt(text, 10, 32); err == nil && ms > 0 {
		*v = durationValue(time.Duration(ms) * time.Millisecond)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%sexpected a time such as 90s, or an integer of milliseconds", foundNumber(text))
	}
	*v = durationValue(d)
	return nil
}

// foundNumber returns the beginning of an error message that quotes text, if text looks like a
// number with a unit. It returns "" for any other text, which may be a misplaced secret.
func foundNumber(text string) string {
	digit := strings.TrimLeft(text, "+-.")
	if digit == "" || digit[0] < '0' || digit[0] > '9' || len(text) > 12 || !isPlainName(strings.NewReplacer(".", "", "+", "").Replace(text)) {
		return ""
	}
	return fmt.Sprintf("found %q, ", text)
}

// A countValue is a non-negative integer.
type countValue int

func (v *countValue) String() string { return strconv.Itoa(int(*v)) }
func (v *countValue) Type() string   { return "N" }
func (v *countValue) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return fmt.Errorf("%sexpected an integer of 0 or more", foundNumber(text))
	}
	*v = countValue(n)
	return nil
}

// asksForJSON reports whether the words before "--" contain --json.
func asksForJSON(args []string) (on bool) {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case name == "--no-json" && !joined:
			on = false
		case name == "--json" && joined:
			on, _ = parseBool(value)
		case name == "--json":
			on = i+1 == len(args) || args[i+1] != "false"
		}
	}
	return on
}
