package registry

// Descriptions as text for people.

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// Text returns the description as lines of text for people.
func (d *Description) Text() string {
	var out strings.Builder
	d.write(&out)
	return out.String()
}

func (d *Description) write(w io.Writer) {
	line := lines(w)
	line("%s  (%s %s)", d.Name, d.Source, d.Version)
	if d.Description != "" {
		line("  %s", d.Description)
	}
	if d.AliasOf != "" {
		line("  alias of %s", d.AliasOf)
	}
	if d.Deprecated {
		line("  deprecated: %s", d.DeprecatedMessage)
	}
	if d.MinVersion != "" || d.MaxVersion != "" {
		line("  for versions %s to %s of the page's library", cmp.Or(d.MinVersion, "–"), cmp.Or(d.MaxVersion, "–"))
	}
	if len(d.Env) > 0 {
		line("  reads %s", strings.Join(d.Env, ", "))
	}
	if len(d.Params) > 0 {
		fmt.Fprintln(w, spec.KeyParams)
		var rows [][]string
		for _, p := range d.Params {
			rows = append(rows, []string{"  --" + strings.ReplaceAll(p.Name, "_", "-"), p.Type, paramNote(p)})
		}
		diag.Table(w, rows)
	}
	if len(d.Steps) > 0 {
		fmt.Fprintln(w, spec.KeySteps)
		writeSteps(w, d.Steps, "  ")
	}
	for _, v := range d.Verify {
		line("verify  %s", v)
	}
	if d.Returns != nil {
		line("returns  %s", diag.JSONText(d.Returns))
	}
	for _, s := range d.Selectors {
		line("selector %s  %s  (%s)", s.Name, strings.Join(append([]string{s.Primary}, s.Fallback...), ", else "), s.Position)
	}
	for _, o := range d.VersionOverrides {
		line("version %s  other %s", o.Pattern, strings.Join(append(o.Selectors, o.Replaces...), ", "))
	}
	fmt.Fprintln(w, "parts")
	var rows [][]string
	for _, p := range d.Parts {
		rows = append(rows, []string{"  " + p.Name, p.Position.String()})
	}
	diag.Table(w, rows)
	for _, pos := range d.Shadows {
		line("replaces  %s", pos)
	}
}

func paramNote(p Param) string {
	note := p.Description
	if len(p.Values) > 0 {
		note += " " + diag.JSONText(p.Values)
	}
	if p.Required {
		note += " [required]"
	}
	if p.Default != nil {
		note += " [default " + diag.JSONText(p.Default) + "]"
	}
	if p.Secret {
		note += " [secret]"
	}
	return strings.TrimSpace(note)
}

func writeSteps(w io.Writer, list []Step, indent string) {
	for _, s := range list {
		text := indent + s.Action
		if s.Args != nil {
			text += " " + diag.JSONText(s.Args)
		}
		if s.Scope != "" {
			text += "  in " + s.Scope
		}
		if s.When != "" {
			text += "  when " + s.When
		}
		if s.Busy != "" {
			text += "  busy: " + s.Busy
		}
		if s.Settle != "" {
			text += "  settles within " + s.Settle
		}
		if s.Calm != nil {
			text += fmt.Sprintf("  calm: %t", *s.Calm)
		}
		if s.Expect != "" {
			text += "  expects " + s.Expect
		}
		if s.Approval != "" {
			text += "  approval: " + s.Approval
		}
		if s.Output != "" {
			text += "  → " + s.Output
		}
		fmt.Fprintln(w, diag.Clean(text))
		writeSteps(w, s.Steps, indent+"  ")
		for _, c := range s.Cases {
			head := indent + "  if " + c.When
			if c.When == "" {
				head = indent + "  otherwise"
			}
			fmt.Fprintln(w, diag.Clean(head))
			writeSteps(w, c.Steps, indent+"    ")
		}
		if len(s.Fallback) > 0 {
			fmt.Fprintln(w, indent+"  else")
			writeSteps(w, s.Fallback, indent+"    ")
		}
	}
}

// Text returns the description as lines of text for people.
func (d *NamespaceDescription) Text() string {
	var out strings.Builder
	line := lines(&out)
	line("%s  (%s)", d.Name, strings.TrimSpace(d.Source+" "+d.Version))
	if d.Description != "" {
		line("  %s", d.Description)
	}
	if len(d.Env) > 0 {
		line("  may read %s", strings.Join(d.Env, ", "))
	}
	if len(d.Sources) > 1 {
		line("  merged from %s", strings.Join(d.Sources, ", "))
	}
	line("%s", diag.Plural(d.Count, "action"))
	rows := make([][]string, len(d.Actions))
	for i, item := range d.Actions {
		rows[i] = []string{"  " + item.Name, item.About()}
	}
	diag.Table(&out, rows)
	return out.String()
}

// About returns the text that a list shows after the action's name.
func (it Item) About() string {
	text := it.Description
	if it.AliasOf != "" {
		text = "alias of " + it.AliasOf
	}
	if it.Deprecated {
		text = strings.TrimSpace("deprecated; " + text)
	}
	if len(it.Shadows) > 0 {
		text += fmt.Sprintf(" (replaces %s)", strings.Join(it.Shadows, ", "))
	}
	return text
}

// lines returns a function that writes a line to w. The line is safe to print on a terminal.
func lines(w io.Writer) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintln(w, diag.Clean(fmt.Sprintf(format, args...))) }
}
