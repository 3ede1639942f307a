package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/actionregistry/action/diag"
)

// The words of a command line are sorted into flags with their values and positional words before
// pflag parses them, because pflag lacks two rules:
//
// A word such as -5 is a value, because no flag of ours is a digit.
//
// true or false after a switch, as in --headed true, is the switch's value. If it could also be a
// missing positional argument, as in `type --headed true`, the command line is ambiguous and is
// rejected.

// commandWord returns the index of the command: the first word that is neither a flag nor a
// flag's value. It returns -1 if there is none.
func commandWord(words []word) int {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		switch {
		case text == "--":
			return -1
		case !strings.HasPrefix(text, "-") || text == "-":
			return i
		case strings.Contains(text, "="):
			continue
		}
		flag := globalSet().Lookup(strings.TrimPrefix(text, "--"))
		// Before the command, true cannot be an argument, because no command has that name.
		if flag != nil && !isSwitch(flag) || i+1 < len(words) && isTruth(words[i+1].text) {
			i++
		}
	}
	return -1
}

// A scan divides the words of one command into flags and positional words.
type scan struct {
	f      *factory
	cmd    *cobra.Command
	flags  []string // flags with their values: --name=value
	args   []word   // positional words
	doubts []doubt
}

// A doubt is the word true or false after a switch. It may be the value of the switch or a
// positional argument.
type doubt struct {
	flag int // index of the flag in scan.flags, with the word as its value
	name string
	word word
}

// scan sorts words into flags and positional words. words is the command line without the names
// of the command.
func (f *factory) scan(cmd *cobra.Command, words []word) (*scan, error) {
	cmd.InitDefaultHelpFlag() // this also adds the parents' flags
	s := &scan{f: f, cmd: cmd}
	for i := 0; i < len(words); i++ {
		if words[i].text == "--" {
			s.args = append(s.args, words[i+1:]...)
			break
		}
		if !words[i].isFlag() {
			s.args = append(s.args, words[i])
			if p := f.positionals[cmd]; p != nil && p.rest { // the action parses the remaining words
				s.args = append(s.args, words[i+1:]...)
				break
			}
			continue
		}
		took, err := s.flag(words[i:])
		if err != nil {
			return nil, err
		}
		i += took
	}
	return s, s.settle()
}

// flag consumes the flag at the front of words. It returns 1 if the next word is the value of the
// flag, otherwise 0.
func (s *scan) flag(words []word) (took int, err error) {
	if !strings.HasPrefix(words[0].text, "--") {
		return s.short(words)
	}
	name, value, joined := strings.Cut(words[0].text[2:], "=")
	if flag := s.cmd.Flags().Lookup(name); flag != nil {
		return s.take(flag, value, joined, words[1:])
	}
	positive, negated := strings.CutPrefix(name, "no-")
	flag := s.cmd.Flags().Lookup(positive)
	if !negated || flag == nil || !isSwitch(flag) {
		return 0, s.f.unknownFlag(s.cmd, "--"+name, words[0])
	}
	if joined || len(words) > 1 && isTruth(words[1].text) {
		return 0, diag.New(diag.InvalidRequest, "found a value for --%s, expected none", name).
			WithHint("write --%s without a value, or write --%s=true or --%[2]s=false", name, positive)
	}
	s.flags = append(s.flags, "--"+positive+"=false")
	return 0, nil
}

// short consumes a word with one-letter flags after a single hyphen. Only the last flag may take a
// value.
func (s *scan) short(words []word) (took int, err error) {
	for letters := words[0].text[1:]; letters != ""; letters = letters[1:] {
		flag := s.cmd.Flags().ShorthandLookup(letters[:1])
		if flag == nil {
			first := []rune(letters)[0]
			return 0, s.f.unknownFlag(s.cmd, "-"+string(first), words[0])
		}
		value, joined := strings.CutPrefix(letters[1:], "=")
		if joined || letters[1:] == "" || !isSwitch(flag) {
			return s.take(flag, value, joined || value != "", words[1:])
		}
		s.flags = append(s.flags, "--"+flag.Name+"=true")
	}
	return 0, nil
}

// take records a flag and its value. If joined is true, the value comes from the same word as the
// flag. Otherwise take may use the first word of next as the value, and returns 1.
func (s *scan) take(flag *pflag.Flag, value string, joined bool, next []word) (took int, err error) {
	switch {
	case joined:
		took = 0
	case isSwitch(flag):
		value = flag.NoOptDefVal
		if len(next) > 0 && isTruth(next[0].text) {
			s.doubts = append(s.doubts, doubt{len(s.flags), flag.Name, next[0]})
			value, took = next[0].text, 1
		}
	case len(next) == 0:
		return 0, diag.New(diag.InvalidRequest, "found the flag --%s without a value", flag.Name).WithHint("%s", s.f.seeHelp(s.cmd))
	case next[0].isFlag(), next[0].isNegative() && globalSet().Lookup(flag.Name) != nil:
		return 0, diag.New(diag.InvalidRequest, "found a word that begins with \"-\" after the flag --%s, expected the value of the flag", flag.Name).
			WithHint("write the value after =, as in --%s=VALUE", flag.Name)
	default:
		value, took = next[0].text, 1
	}
	s.flags = append(s.flags, "--"+flag.Name+"="+value)
	return took, nil
}

// settle returns an error if the word true or false after a switch is ambiguous. The word may be
// the value of the switch or a missing positional argument.
func (s *scan) settle() error {
	if len(s.doubts) == 0 {
		return nil
	}
	place := s.f.positionals[s.cmd].missingFor(texts(s.args))
	if place == nil {
		return nil
	}
	d := s.doubts[0]
	return diag.New(diag.InvalidRequest, "--%s %s is ambiguous: %[2]s may be the value of the flag, or %s", d.name, d.word.text, place).
		WithHint("if %[2]s is the value, write --%[1]s=%[2]s; if %[2]s is %[3]s, write %[2]s before the flag", d.name, d.word.text, place)
}

// A positional is one positional argument.
type positional struct {
	name, doc string
	optional  bool
	many      bool // takes all remaining words; only for the last argument
	never     bool // cannot be true or false
}

func (p *positional) String() string {
	text := "<" + p.name + ">"
	if p.many {
		text += " ..."
	}
	return text
}

// positionals holds the positional arguments of a command.
type positionals struct {
	list []positional
	// after returns the arguments that follow those of list. They depend on the positional words,
	// args. Nil means that no arguments follow.
	after func(args []string) []positional
	// rest means that the first positional word names an action, which parses all words after it.
	rest bool
}

func (p *positionals) all(args []string) []positional {
	if p == nil {
		return nil
	}
	if p.after == nil {
		return p.list
	}
	return append(slices.Clone(p.list), p.after(args)...)
}

// missingFor returns the first positional argument that args does not fill and that can be true or
// false. It returns nil if there is none.
func (p *positionals) missingFor(args []string) *positional {
	list := p.all(args)
	for i := range list {
		if (i >= len(args) || list[i].many) && !list[i].never {
			return &list[i]
		}
	}
	return nil
}

// takes declares the positional arguments of a command.
func (f *factory) takes(cmd *cobra.Command, list ...positional) *cobra.Command {
	return f.takesPositionals(cmd, &positionals{list: list})
}

func (f *factory) takesPositionals(cmd *cobra.Command, p *positionals) *cobra.Command {
	if f.positionals == nil {
		f.positionals = make(map[*cobra.Command]*positionals)
	}
	f.positionals[cmd] = p
	for i := range p.list {
		text := p.list[i].String()
		if p.list[i].optional {
			text = "[" + text + "]"
		}
		cmd.Use += " " + text
	}
	if p.after != nil {
		cmd.Use += " [<arg> ...]"
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error { return f.checkPositionals(cmd, args) }
	return cmd
}

// checkPositionals reports missing or surplus positional arguments.
func (f *factory) checkPositionals(cmd *cobra.Command, args []string) error {
	p := f.positionals[cmd]
	if p.rest && len(args) > 0 {
		return nil
	}
	list := p.all(args)
	var missing []string
	for i := len(args); i < len(list) && !list[i].optional; i++ {
		if flag := cmd.Flags().Lookup(list[i].name); flag == nil || !flag.Changed {
			missing = append(missing, list[i].String())
		}
	}
	if len(missing) > 0 {
		return diag.New(diag.InvalidRequest, "found too few arguments, expected %q", strings.Join(missing, " ")).WithHint("%s", f.seeHelp(cmd))
	}
	if n := len(list); len(args) > n && (n == 0 || !list[n-1].many) {
		return f.unexpected(cmd, n)
	}
	return nil
}
