package main

// The results as text, and as a part of docs/performance.md.

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// printText prints everything for a terminal.
func printText(out io.Writer, r *Results) {
	w := tabwriter.NewWriter(out, 2, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintf(w, "%s\n", r.about())
	for _, t := range r.Tables {
		fmt.Fprintf(w, "\n%s, %s: %s\n", t.Setup, t.Group, t.unit())
		for _, row := range t.rows() {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	}
	if len(r.Steps) > 0 {
		fmt.Fprint(w, "\nwhere the time of a step goes\n")
		for _, row := range r.stepRows() {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	}
	for _, c := range r.Curves {
		fmt.Fprintf(w, "\n%s: median in %s\n", c.Title, c.Y)
		for _, row := range c.rows() {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	}
	if len(r.Go) > 0 {
		fmt.Fprint(w, "\nin the process\n")
		for _, row := range r.goRows() {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	}
}

// about says where the figures are from.
func (r *Results) about() string {
	var versions []string
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		versions = append(versions, name+" "+strings.TrimPrefix(r.Versions[name], name+" "))
	}
	return fmt.Sprintf("%s, %d rounds; %s %s, %d CPUs, %s; %s", r.Taken, r.Rounds, r.Machine.System, r.Machine.CPU, r.Machine.CPUs,
		r.Machine.Processor, strings.Join(versions, ", "))
}

// unit says what the figures of the table are.
func (t *Table) unit() string {
	if t.Unit == "ms" {
		return "ms, median / 90th percentile"
	}
	return t.Unit
}

// rows are the lines of a table, the head first. The columns about ratio and target
// stand only where a row has one.
func (t *Table) rows() [][]string {
	head := append([]string{"case"}, t.Columns...)
	ratios := slices.ContainsFunc(t.Rows, func(r *Row) bool { return r.Peer != "" })
	targets := slices.ContainsFunc(t.Rows, func(r *Row) bool { return r.Target > 0 })
	limits := slices.ContainsFunc(t.Rows, func(r *Row) bool { return r.ToLimit > 0 })
	if ratios {
		head = append(head, "ratio", "to")
	}
	if limits {
		head = append(head, "to the limit")
	}
	if targets {
		head = append(head, "target")
	}
	rows := [][]string{head}
	for _, r := range t.Rows {
		line := []string{r.Case}
		for _, name := range t.Columns {
			line = append(line, r.Cells[name].String())
		}
		if ratios && r.Peer != "" {
			line = append(line, strconv.FormatFloat(r.Ratio, 'g', 3, 64), r.Peer)
		} else if ratios {
			line = append(line, "", "")
		}
		if limits {
			line = append(line, limit(r.ToLimit))
		}
		if targets {
			line = append(line, r.target())
		}
		rows = append(rows, line)
	}
	return rows
}

func limit(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return strconv.FormatFloat(ratio, 'g', 3, 64)
}

// target says whether a target is met, or the limit is above it: then it is met where the
// limit is near.
func (r *Row) target() string {
	switch {
	case r.Target == 0:
		return ""
	case r.Ratio <= r.Target:
		return fmt.Sprintf("%g", r.Target)
	case r.Limit > r.Target && r.ToLimit <= closeTo:
		return fmt.Sprintf("%g; the limit is %.3g", r.Target, r.Limit)
	case r.Limit > r.Target:
		return fmt.Sprintf("%g, missed; the limit is %.3g", r.Target, r.Limit)
	}
	return fmt.Sprintf("%g, missed", r.Target)
}

func (c Cell) String() string {
	switch {
	case c.Count == 0:
		return "–"
	case c.Count == 1 || c.Median == c.Max && c.Median == c.Min:
		return figure(c.Median)
	}
	return figure(c.Median) + " / " + figure(c.P90)
}

// figure has three significant digits, or all of a whole number.
func figure(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func (r *Results) stepRows() [][]string {
	rows := [][]string{{"step, over the socket", "commands", "round trips", "events", "browser ms", "ours ms"}}
	for _, s := range r.Steps {
		rows = append(rows, []string{s.Step, strconv.Itoa(s.Commands), strconv.Itoa(s.Trips), strconv.Itoa(s.Events), figure(s.Browser), figure(s.Ours)})
	}
	return rows
}

func (c *Curve) rows() [][]string {
	head := []string{c.X}
	var rows [][]string
	for i, line := range c.Lines {
		head = append(head, line.Name)
		for _, p := range line.Points {
			at := slices.IndexFunc(rows, func(r []string) bool { return r[0] == fmt.Sprint(p.X) })
			if at < 0 {
				at = len(rows)
				rows = append(rows, append([]string{fmt.Sprint(p.X)}, slices.Repeat([]string{"–"}, len(c.Lines))...))
			}
			rows[at][i+1] = figure(p.Y)
		}
	}
	return append([][]string{head}, rows...)
}

func (r *Results) goRows() [][]string {
	rows := [][]string{{"benchmark", "package", "median"}}
	for _, g := range r.Go {
		value, unit := g.NsPerOp, "ns"
		switch {
		case value >= 1e6:
			value, unit = value/1e6, "ms"
		case value >= 1e3:
			value, unit = value/1e3, "µs"
		}
		rows = append(rows, []string{g.Name, g.Package, figure(value) + " " + unit})
	}
	return rows
}

// The generated part of docs/performance.md stands between these lines.
const (
	docsBegin = "<!-- written by make bench-peers: begin -->"
	docsEnd   = "<!-- written by make bench-peers: end -->"
)

// rewriteDocs replaces the generated part of the page.
func rewriteDocs(path string, r *Results) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, err := replacePart(string(page), r.markdown())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func replacePart(page, part string) (string, error) {
	before, rest, begun := strings.Cut(page, docsBegin)
	_, after, ended := strings.Cut(rest, docsEnd)
	if !begun || !ended {
		return "", fmt.Errorf("found no lines %q and %q, between which the figures stand", docsBegin, docsEnd)
	}
	return before + docsBegin + "\n\n" + part + "\n" + docsEnd + after, nil
}

func (r *Results) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n", r.about())
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n### %s: %s\n\n", strings.ToUpper(t.Setup[:1])+t.Setup[1:], t.Group)
		fmt.Fprintf(&b, "In %s.\n\n", t.unit())
		writeTable(&b, t.rows())
	}
	if len(r.Steps) > 0 {
		b.WriteString("\n### What a step asks of the browser\n\nOver the socket, headless shell, through a tap on the browser's pipe.\n\n")
		writeTable(&b, r.stepRows())
	}
	b.WriteString("\n### Growth\n\nMedians, headless shell.\n")
	for _, c := range r.Curves {
		fmt.Fprintf(&b, "\n![%s: %s by %s](performance/%s.svg)\n\n", c.Title, c.Y, c.X, c.File)
		writeTable(&b, c.rows())
	}
	if len(r.Go) > 0 {
		b.WriteString("\n### In the process\n\n")
		writeTable(&b, r.goRows())
	}
	return b.String()
}

func writeTable(b *strings.Builder, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(b, "| --- |%s\n", strings.Repeat(" ---: |", len(row)-1))
		}
	}
}
