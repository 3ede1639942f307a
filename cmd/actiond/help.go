package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/actionregistry/action/diag"
)

// helpWidth is the line length of the help.
const helpWidth = 80

// showHelp prints the help of a command. It replaces control characters in texts from definitions.
func (f *factory) showHelp(cmd *cobra.Command, _ []string) {
	text := diag.Clean(f.helpText(cmd))
	if f.json {
		f.writeJSON(map[string]string{"help": text})
		return
	}
	fmt.Fprint(f.stdout, text)
}

func (f *factory) helpText(cmd *cobra.Command) string {
	var b strings.Builder
	line := cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
	if !cmd.HasParent() || cmd.HasSubCommands() {
		line += " <command>"
	}
	fmt.Fprintf(&b, "Usage: %s [flags]\n", line)
	step, isStep := stepNamed(cmd.Name())
	isStep = isStep && cmd.Parent() == cmd.Root()
	about := cmd.Long
	if isStep {
		about = step.entry.Doc
	}
	for _, text := range []string{sentenceOf(cmd.Short), about} {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n", wrap(text, 0))
		}
	}
	var rows [][2]string
	for _, p := range f.positionals[cmd].all(nil) {
		name := p.String()
		if p.optional {
			name = "[" + name + "]"
		}
		rows = append(rows, [2]string{name, p.doc})
	}
	section(&b, "Arguments:", rows)
	if isStep {
		section(&b, "Verbs:", step.verbRows())
	}
	if !cmd.HasParent() && f.overview != nil {
		f.overview(&b)
	}
	rows = nil
	for _, c := range cmd.Commands() {
		if cmd.HasParent() && c.IsAvailableCommand() {
			rows = append(rows, [2]string{cmd.Name() + " " + c.Name(), sentenceOf(c.Short)})
		}
	}
	section(&b, "Commands:", rows)
	title := "Flags:"
	if cmd.Flags().Lookup("params") != nil {
		title = "Params:"
	}
	section(&b, title, ownFlagRows(cmd))
	if isStep {
		fmt.Fprintf(&b, "\nIn an action:\n  - %s\n", strings.ReplaceAll(step.entry.Example, "\n", "\n    "))
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.ReplaceAll(cmd.Example, "\n", "\n  "))
	}
	section(&b, "Global flags:", append(flagRows(globalSet()), [2]string{"-h, --help", "Print this help."}))
	if !cmd.HasParent() || cmd.HasSubCommands() {
		fmt.Fprintf(&b, "\nMore about a command: %s <command> --help\n", cmd.CommandPath())
	}
	return b.String()
}

// ownFlagRows returns the help lines of a command's own flags.
func ownFlagRows(cmd *cobra.Command) [][2]string {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags = false
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "help" && globalSet().Lookup(flag.Name) == nil {
			own.AddFlag(flag)
		}
	})
	return flagRows(own)
}

// flagRows returns the help lines of flags.
func flagRows(fs *pflag.FlagSet) (rows [][2]string) {
	fs.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		name := "--" + flag.Name
		switch negatable, ok := flag.Value.(interface{ negatable() bool }); {
		case ok && negatable.negatable():
			name = "--[no-]" + flag.Name
		case !isSwitch(flag):
			name += "=" + flag.Value.Type()
		}
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand + ", " + name
		}
		usage := flag.Usage
		if noted, ok := flag.Value.(interface{ note() string }); ok {
			usage = strings.TrimSpace(usage + noted.note())
		}
		rows = append(rows, [2]string{name, usage})
	})
	return rows
}

// section writes rows of two columns under a title.
func section(b *strings.Builder, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	const most = 26 // width of the first column; after a longer entry, the text begins on the next line
	column := 0
	for _, row := range rows {
		if n := len([]rune(row[0])); n <= most {
			column = max(column, n)
		}
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, row := range rows {
		text := wrap(row[1], column+6)
		if n := len([]rune(row[0])); n > column && text != "" {
			fmt.Fprintf(b, "  %s\n%s%s\n", row[0], strings.Repeat(" ", column+6), text)
		} else {
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %s%s    %s", row[0], strings.Repeat(" ", max(0, column-n)), text), " ") + "\n")
		}
	}
}

// wrap breaks a text into lines and indents all but the first. It keeps the text's own line
// breaks.
func wrap(text string, indent int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteString("\n" + strings.Repeat(" ", indent))
		}
		used := indent
		for k, word := range strings.Split(line, " ") {
			n := len([]rune(word))
			switch {
			case k == 0:
			case used+1+n > helpWidth:
				b.WriteString("\n" + strings.Repeat(" ", indent))
				used = indent
			default:
				b.WriteString(" ")
				used++
			}
			b.WriteString(word)
			used += n
		}
	}
	return b.String()
}

// sentenceOf turns a phrase into a sentence.
func sentenceOf(phrase string) string {
	if phrase == "" || strings.HasSuffix(phrase, ".") {
		return phrase
	}
	return strings.ToUpper(phrase[:1]) + phrase[1:] + "."
}

// verbRows returns the help lines that show how to call each verb of a step.
func (c stepCommand) verbRows() (rows [][2]string) {
	for i := range c.entry.Verbs {
		v := &c.entry.Verbs[i]
		rows = append(rows, [2]string{strings.Join(c.entry.Synopsis(v)[2:], " "), v.Doc})
	}
	return rows
}
