package main

// The errors of a command line that does not fit its command. Each refers to the help.

import (
	"errors"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/actionregistry/action/diag"
)

const seeHelp = "see: action --help"

// seeHelp returns a hint that refers to the help of a command.
func (f *factory) seeHelp(cmd *cobra.Command) string { return "see: " + cmd.CommandPath() + " --help" }

func childNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// badFlag returns the error for a flag with an invalid value.
func (f *factory) badFlag(cmd *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) { // scan rejects everything else
		return diag.New(diag.InvalidRequest, "the flags could not be read").WithHint("%s", f.seeHelp(cmd)).Because(err)
	}
	return diag.New(diag.InvalidRequest, "--%s: %v", bad.GetFlag().Name, bad.Unwrap()).WithHint("%s", f.seeHelp(cmd)).Because(bad.Unwrap())
}

// unknownFlag reports a flag that a command does not have, and suggests the nearest flag. It shows
// the flag only if it looks like a name. Other text may be a secret.
func (f *factory) unknownFlag(cmd *cobra.Command, name string, at word) error {
	if flag := flagBefore(cmd, name); flag != "" && foreignHint(foreignFlags, cmd.Name(), name) == "" {
		return diag.New(diag.InvalidRequest, "unknown flag --%s…: word %d of the command line", flag, at.at).WithHint("write --%s=… for a value; %s", flag, f.seeHelp(cmd))
	}
	e := diag.New(diag.InvalidRequest, "unknown flag %s", shortened(name)).WithHint("%s", f.seeHelp(cmd))
	if !isPlainName(name) {
		e = diag.New(diag.InvalidRequest, "unknown flag: word %d of the command line", at.at).WithHint("%s", f.seeHelp(cmd))
	}
	if hint := foreignHint(foreignFlags, cmd.Name(), name); hint != "" {
		return e.WithHint("%s", hint)
	}
	if !strings.HasPrefix(name, "--") {
		if _, step := stepNamed(cmd.Name()); step {
			e.WithHint("to pass a value that begins with -, write -- before the value, as in: %s … -- -x; see: %[1]s --help", cmd.CommandPath())
		}
		return e
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	if meant := diag.Nearest(strings.TrimPrefix(name, "--"), names); meant != "" {
		e.WithHint("did you mean --%s?", meant)
	}
	return e
}

// flagBefore returns the longest flag of a command to which something has been added without an
// equals sign, or "". That may be its value: --passwordhunter2. Another word after a hyphen, or one or
// two letters, is part of a name, unless the flag takes a secret.
func flagBefore(cmd *cobra.Command, name string) (found string) {
	name, ok := strings.CutPrefix(name, "--")
	if !ok {
		return ""
	}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		rest, ok := strings.CutPrefix(name, flag.Name)
		if !ok || flag.Hidden || flag.Value.Type() == "bool" || len(flag.Name) <= len(found) {
			return
		}
		if secretFlag.MatchString(flag.Name) && len(rest) > 1 || len(rest) > 2 && !strings.ContainsAny(rest[:1], "-_") {
			found = flag.Name
		}
	})
	return found
}

// secretFlag matches the names of flags whose values are secrets.
var secretFlag = regexp.MustCompile(`(?i)pass(word|wd|phrase|code)|secret|token|otp|pin$|key$`)

func (f *factory) unknownSubcommand(cmd *cobra.Command, w word) error {
	names := childNames(cmd)
	if meant := diag.Nearest(w.text, names); meant != "" {
		return diag.New(diag.InvalidRequest, "unknown command %s %s", cmd.Name(), shortened(w.text)).WithHint("did you mean %s?", meant)
	}
	return diag.New(diag.InvalidRequest, "unknown command: word %d of the command line, expected one of %s", w.at, strings.Join(names, ", ")).
		WithHint("%s", f.seeHelp(cmd))
}

// unexpected reports a surplus positional argument.
func (f *factory) unexpected(cmd *cobra.Command, i int) error {
	e := unexpectedWord(f.inPlace[i]).WithHint("%s", f.seeHelp(cmd))
	if hint := foreignHint(foreignArguments, append([]string{cmd.Name()}, texts(f.inPlace)...)...); hint != "" {
		e.WithHint("%s", hint)
	}
	return e
}

// unexpectedWord reports a surplus word. The word may be a misplaced secret, so the error contains
// only its position, or the name before "=".
func unexpectedWord(w word) *diag.Error {
	if name, _, ok := strings.Cut(w.text, "="); ok && isPlainName(name) {
		return diag.New(diag.InvalidRequest, "unexpected argument %s=…", shortened(name))
	}
	return diag.New(diag.InvalidRequest, "unexpected argument: word %d of the command line", w.at)
}
