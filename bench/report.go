package main

// The results as text for a terminal, and as the generated part of docs/performance.md.

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

// printText prints all results for a terminal.
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
	if r.Agents != nil {
		fmt.Fprintf(w, "\n%s\n", r.Agents.about())
		for _, row := range r.Agents.rows() {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	}
}

// about describes the machine and the programs that were measured.
func (r *Results) about() string {
	return fmt.Sprintf("%s, %d rounds; %s %s, %d CPUs, %s; %s", r.Taken, r.Rounds, r.Machine.System, r.Machine.CPU, r.Machine.CPUs,
		r.Machine.Processor, versionList(r.Versions))
}

// versionList returns the programs with their versions, by name.
func versionList(versions map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		list = append(list, name+" "+strings.TrimPrefix(versions[name], name+" "))
	}
	return strings.Join(list, ", ")
}

// unit returns the unit of the table's figures.
func (t *Table) unit() string {
	if t.Unit == "ms" {
		return "ms, median / 90th percentile"
	}
	return t.Unit
}

// rows returns the lines of a table, starting with the head. The columns for ratio and target are
// present only if a row has one.
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

// target returns the text that says whether a target is met. A target below the limit counts as met
// if the result is close to the limit.
func (r *Row) target() string {
	if r.Target == 0 {
		return ""
	}
	text := fmt.Sprintf("%g", r.Target)
	if r.missed() {
		text += ", missed"
	}
	if r.Ratio > r.Target && r.Limit > r.Target {
		text += fmt.Sprintf("; the limit is %.3g", r.Limit)
	}
	return text
}

// missed reports whether the ratio is above the target. If the limit is above the target too, a
// result close to the limit is not missed.
func (r *Row) missed() bool {
	outOfReach := r.Limit > r.Target && r.ToLimit <= closeTo
	return r.Target > 0 && r.Ratio > r.Target && !outOfReach
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

// figure formats a number with three significant digits, or all digits of a whole number.
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

// The lines around the generated part of docs/performance.md.
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
		return "", fmt.Errorf("found no lines %q and %q, expected both around the generated part", docsBegin, docsEnd)
	}
	return before + docsBegin + "\n\n" + part + "\n" + docsEnd + after, nil
}

// markdown returns the generated part of docs/performance.md: the description of the machine, and
// one table with all figures and links to the plots; then the same for the tasks over MCP. Only
// printText shows 90th percentiles and every size.
func (r *Results) markdown() string {
	var b strings.Builder
	for _, line := range wrap(r.about()+". Medians.", 110) {
		b.WriteString(line + "\n")
	}
	b.WriteByte('\n')
	writeTable(&b, r.pageRows())
	if r.Agents == nil {
		return b.String()
	}
	b.WriteByte('\n')
	for _, line := range wrap(r.Agents.about()+".", 110) {
		b.WriteString(line + "\n")
	}
	b.WriteByte('\n')
	writeTable(&b, r.Agents.rows())
	return b.String()
}

// wrap breaks text at spaces into lines of at most width bytes, if no word is longer.
func wrap(text string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

func writeTable(b *strings.Builder, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(b, "| --- |%s\n", strings.Repeat(" ---: |", len(row)-1))
		}
	}
}

// pageHead has the column names of the page's table. The floor is the time of a lane without a
// tool.
var pageHead = []string{"case", actionName, agentName, playwrightName, "floor", "ratio", "full Chromium", "own browser", "target", "round trips: browser + action, ms"}

// pageRow fills the columns of the page's table, the first ones in order.
func pageRow(cells ...string) []string {
	return append(cells, make([]string, len(pageHead)-len(cells))...)
}

// pageRows merges all results into the rows of the page's table, the head first. A group has one
// row for each case: the times with the first browser, the headless shell, and the ratios with all
// browsers.
func (r *Results) pageRows() [][]string {
	rows := [][]string{pageHead}
	done := make(map[string]bool)
	for _, t := range r.Tables {
		if done[t.Group] {
			continue
		}
		done[t.Group] = true
		rows = append(rows, pageRow(t.pageTitle()))
		if t.Group == groupPacks {
			rows = append(rows, r.packRows()...)
			continue
		}
		for _, row := range t.Rows {
			rows = append(rows, r.caseRow(t, row))
		}
		for _, name := range t.Columns {
			rows = append(rows, t.variantRows(name)...)
		}
	}
	for i, c := range r.Curves {
		if i == 0 {
			rows = append(rows, pageRow(fmt.Sprintf("**growth**, %s at the smallest and the largest size", c.Y)))
		}
		if len(c.Lines) > 0 && len(c.Lines[0].Points) > 0 {
			rows = append(rows, c.pageRow())
		}
	}
	return append(rows, r.goPageRows()...)
}

// goPageRows returns one row for each benchmark, with the figures of all its cases.
func (r *Results) goPageRows() [][]string {
	if len(r.Go) == 0 {
		return nil
	}
	rows := [][]string{pageRow("**Go benchmarks**, one operation")}
	cases := make(map[string][]string) // by benchmark
	for _, g := range r.goRows()[1:] {
		name, sub, _ := strings.Cut(g[0], "/")
		title := g[1] + ": " + name
		if len(cases[title]) == 0 {
			rows = append(rows, pageRow(title))
		}
		cases[title] = append(cases[title], strings.TrimSpace(sub+" "+g[2]))
	}
	for _, row := range rows[1:] {
		row[1] = strings.Join(cases[row[0]], "; ")
	}
	return rows
}

// pageTitle returns the row above a group's cases: the name of the group, and the unit unless the
// name contains it.
func (t *Table) pageTitle() string {
	if strings.HasPrefix(t.Group, t.Unit) {
		return "**" + t.Group + "**"
	}
	return "**" + t.Group + "**, " + t.Unit
}

// caseRow returns the row of a case of table t, with its ratios in the other setups.
func (r *Results) caseRow(t *Table, row *Row) []string {
	targets := []string{row.pageTarget()}
	ratios := map[string]string{}
	for _, other := range r.Tables {
		at := slices.IndexFunc(other.Rows, func(o *Row) bool { return o.Case == row.Case })
		if other == t || other.Group != t.Group || at < 0 {
			continue
		}
		o := other.Rows[at]
		ratios[other.Setup] = o.pageRatio()
		if other.Setup == "defaults" && o.Target > 0 && o.Target != row.Target {
			targets = append(targets, fmt.Sprintf("own %g", o.Target))
		}
	}
	trips := ""
	if at := slices.IndexFunc(r.Steps, func(s StepCost) bool { return s.Step == row.Case }); at >= 0 && t.Group == groupProcess {
		s := r.Steps[at]
		trips = fmt.Sprintf("%d: %s + %s", s.Trips, figure(s.Browser), figure(s.Ours))
	}
	return []string{row.Case, row.pageFigure(actionName), row.pageFigure(agentName), row.pageFigure(playwrightName),
		row.pageFigure(floors...), row.pageRatio(), ratios["full Chromium"], ratios["defaults"], strings.Join(targets, "; "), trips}
}

// variantRows returns the rows for other ways of running action, such as with --no-daemon, if
// column is one of those.
func (t *Table) variantRows(column string) [][]string {
	variant, ok := strings.CutPrefix(column, actionName+" ")
	if !ok {
		return nil
	}
	var rows [][]string
	for _, row := range t.Rows {
		rows = append(rows, pageRow(row.Case+", "+variant, row.pageFigure(column)))
	}
	return rows
}

// packRows returns two rows for each library: the total of the actions that have a script to
// compare with, and the slowest of those that the page refuses.
func (r *Results) packRows() [][]string {
	var rows [][]string
	for _, t := range r.Tables {
		if t.Group != groupPacks {
			continue
		}
		var ours, theirs, slowest, target float64
		compared, met, refused := 0, 0, 0
		for _, row := range t.Rows {
			median := row.Cells[actionName].Median
			if row.Peer == "" {
				refused++
				slowest = max(slowest, median)
				continue
			}
			compared++
			ours, theirs, target = ours+median, theirs+row.Cells[playwrightName].Median, row.Target
			if !row.missed() {
				met++
			}
		}
		sum := &Row{Ratio: ours / theirs, Peer: playwrightName, Target: target}
		if compared > 0 {
			rows = append(rows, pageRow(fmt.Sprintf("%s: %d actions, sum", t.Setup, compared), figure(ours), "", figure(theirs), "",
				sum.pageRatio(), "", "", fmt.Sprintf("%g; met by %d", target, met)))
		}
		if refused > 0 {
			rows = append(rows, pageRow(fmt.Sprintf("%s: slowest of %d refused actions", t.Setup, refused), figure(slowest)))
		}
	}
	return rows
}

// pageRow shows the figures of each line at the smallest and the largest size: in the columns
// of the tools, or all in that of action if the lines are no tools. The first line has points.
func (c *Curve) pageRow() []string {
	spans := make(map[string]string)
	for _, line := range c.Lines {
		if n := len(line.Points); n > 0 {
			spans[line.Name] = figure(line.Points[0].Y) + " → " + figure(line.Points[n-1].Y)
		}
	}
	points := c.Lines[0].Points
	title := fmt.Sprintf("[%s](performance/%s.svg), %g to %g %s", c.Title, c.File, points[0].X, points[len(points)-1].X, c.X)
	if _, ok := spans[actionName]; ok {
		return pageRow(title, spans[actionName], spans[agentName], spans[playwrightName], spans[chromiumName])
	}
	var all []string
	for _, line := range c.Lines {
		all = append(all, line.Name+": "+spans[line.Name])
	}
	return pageRow(title, strings.Join(all, "; "))
}

// floors lists the lanes without a tool. The first one with a figure is the floor.
var floors = []string{checkedLimitName, checkedName, limitName, chromiumName}

// pageFigure returns the median of the first of the lanes that has one.
func (r *Row) pageFigure(lanes ...string) string {
	for _, name := range lanes {
		if c := r.Cells[name]; c.Count > 0 {
			return figure(c.Median)
		}
	}
	return ""
}

// pageRatio returns the ratio, in bold if a target is missed, with the name of the other tool if
// that was faster.
func (r *Row) pageRatio() string {
	if r.Peer == "" {
		return ""
	}
	text := strconv.FormatFloat(r.Ratio, 'f', 2, 64)
	if r.Ratio < 0.1 {
		text = strconv.FormatFloat(r.Ratio, 'g', 2, 64)
	}
	if r.missed() {
		text = "**" + text + "**"
	}
	for _, name := range []string{agentName, playwrightName} {
		if c := r.Cells[name]; c.Count > 0 && c.Median < r.Cells[r.Peer].Median {
			text += " to " + r.Peer
		}
	}
	return text
}

// pageTarget returns the target, or the ratio of the floor if that is above the target.
func (r *Row) pageTarget() string {
	switch {
	case r.Target == 0:
		return ""
	case r.Limit > r.Target:
		return fmt.Sprintf("%g; floor %.2f", r.Target, r.Limit)
	}
	return fmt.Sprintf("%g", r.Target)
}
