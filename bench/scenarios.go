package main

// The measurements with each browser.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Names of groups and cases that are used more than once.
const (
	groupCold    = "cold"
	groupCommand = "command line"
	groupProcess = "running process"
	groupChars   = "characters of a snapshot"

	snapshotForm  = "snapshot, form with 200 links"
	snapshotRows  = "snapshot, 1,000 rows"
	snapshotNodes = "snapshot, 20,000 nodes"
	snapshotWhole = "snapshot, 1,000 rows, nothing cut"
)

func takeShell(ctx context.Context, b *bed, r *Results) error {
	return takeSetup(ctx, b, r, b.shellSetup())
}

func takeFull(ctx context.Context, b *bed, r *Results) error {
	return takeSetup(ctx, b, r, b.fullSetup())
}

// takeSetup measures everything with one browser.
func takeSetup(ctx context.Context, b *bed, r *Results, s setup) (err error) {
	t, err := b.tools(s)
	if err != nil {
		return err
	}
	if err := takeCold(ctx, b, r, t, s.name, 0.9); err != nil {
		return err
	}
	all, err := t.start(ctx, b.url("/form"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.stop()) }()

	command := append(b.operations(t.dir), b.flows()...)
	taken, err := takeTurns(ctx, b.rounds, all.commands(), command)
	if err != nil {
		return err
	}
	r.Tables = append(r.Tables, taken.table(s.name, groupCommand))

	// The targets apply to the command line. Only the flow of 6 steps also has a target relative to
	// a running script.
	process := append(b.operations(t.dir), b.flows()...)
	for _, c := range process {
		c.Target = 0
	}
	process[len(process)-2].Target = 0.6
	taken, err = takeTurns(ctx, b.rounds, append(all.processes(), all.floors()...), process)
	if err != nil {
		return err
	}
	r.Tables = append(r.Tables, taken.table(s.name, groupProcess),
		taken.characters(s.name, groupChars, snapshotForm, snapshotRows, snapshotWhole, snapshotNodes))
	return takeSideBySide(ctx, b, r, all, s.name)
}

// takeDefaults measures a few cases with the browser that each tool starts by default.
func takeDefaults(ctx context.Context, b *bed, r *Results) (err error) {
	s := b.defaultSetup()
	t, err := b.tools(s)
	if err != nil {
		return err
	}
	if err := takeCold(ctx, b, r, t, s.name, 0.5); err != nil {
		return err
	}
	all, err := t.start(ctx, b.url("/form"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.stop()) }()
	var cases []*Case
	for _, c := range append(b.operations(t.dir), b.flows()...) {
		switch c.Name {
		case "open", "click", "fill", snapshotForm, "flow of 6 steps":
			cases = append(cases, c)
		}
	}
	taken, err := takeTurns(ctx, b.rounds, all.commands(), cases)
	if err != nil {
		return err
	}
	r.Tables = append(r.Tables, taken.table(s.name, groupCommand))
	return nil
}

// operations returns the cases with a single operation.
func (b *bed) operations(dir string) []*Case {
	form, rows, nodes := b.url("/form"), b.url("/rows?n=1000"), b.url("/nodes?n=20000")
	slow := max(1, b.rounds/5) // five times in all, with the default number of rounds
	field := func(value string) string {
		return fmt.Sprintf("(f => { const ok = f.value === %q; f.value = ''; return ok })(document.querySelector('#name'))", value)
	}
	return []*Case{
		{Name: "open", Op: Args{"open", form}, Check: "document.readyState === 'complete' && location.pathname === '/form'", Target: 0.8},
		{Name: "click", Page: form, Op: Args{"click", "#save"}, Check: "(() => { const ok = window.saves === 1; window.saves = 0; return ok })()", Target: 0.5},
		{Name: "fill", Page: form, Op: Args{"fill", "#name", "Ann"}, Check: field("Ann"), Target: 0.9},
		{Name: "type 7 keys", Page: form, Op: Args{"type", "#name", "Ann Lee"}, Check: field("Ann Lee")},
		{Name: "select", Page: form, Op: Args{"select", "#plan", "b"}, Check: "(f => { const ok = f.value === 'b'; f.value = 'a'; return ok })(document.querySelector('#plan'))"},
		{Name: "get text", Page: form, Op: Args{"get", "text", "h1"}, Want: "Form", Target: 0.9},
		{Name: "get url", Page: form, Op: Args{"get", "url"}, Want: form, Target: 0.9, Peer: agentName},
		{Name: "eval", Page: form, Op: Args{"eval", "6 * 7"}, Want: "42"},
		{Name: "screenshot", Page: form, Op: Args{"screenshot", filepath.Join(dir, "shot.png")}},
		{Name: snapshotForm, Page: form, Op: Args{"snapshot", "-i"}, Want: "Part 7", Target: 0.4},
		{Name: snapshotRows, Page: rows, Op: Args{"snapshot", "-i"}, Want: "Item 7", Every: slow, Target: 0.05},
		{Name: snapshotWhole, Page: rows, Op: Args{"snapshot", "-i"}, Ours: Args{"snapshot", "-i", "--max-nodes=10000", "--max-chars=1000000"},
			Want: "Delete item 999", Every: slow},
		{Name: snapshotNodes, Page: nodes, Op: Args{"snapshot", "-i"}, Want: "More of", Every: slow},
	}
}

func (b *bed) flows() []*Case {
	var cases []*Case
	for _, n := range []int{6, 30} {
		ops := flowOps(b.url("/form"), n)
		c := &Case{Name: fmt.Sprintf("flow of %d steps", n), Ops: ops, Want: flowText(ops)}
		if n == 6 {
			c.Target = 0.6
		} else {
			c.Every = 2
		}
		cases = append(cases, c)
	}
	return cases
}

// takeCold measures the first call of each tool, with none of its processes running: from the start
// of daemon, browser and page to the result. The shutdown is not measured.
func takeCold(ctx context.Context, b *bed, r *Results, t *tools, name string, target float64) error {
	url := b.url("/form")
	ops := flowOps(url, 6)
	want := flowText(ops)
	lanes := []struct {
		name string
		open func() (Reply, error)
		flow func() (Reply, error)
		stop func(context.Context) error
	}{
		{actionName,
			func() (Reply, error) { return actionCLI{actionTool: t.action}.Do(ctx, Args{"open", url}) },
			func() (Reply, error) { return actionCLI{actionTool: t.action}.Flow(ctx, ops) },
			t.action.stop},
		{agentName,
			func() (Reply, error) { return t.agent.first(ctx, "open", url) },
			func() (Reply, error) { reply, err := t.agent.first(ctx, batch(ops)...); return lastOf(reply), err },
			t.agent.stop},
		{playwrightName,
			func() (Reply, error) { return t.playwright.once(ctx, []Args{{"open", url}}) },
			func() (Reply, error) { return t.playwright.once(ctx, ops) },
			nil},
		{actionName + " --no-daemon",
			func() (Reply, error) {
				return actionCLI{actionTool: t.action, noDaemon: true}.Do(ctx, Args{"open", url})
			},
			func() (Reply, error) { return actionCLI{actionTool: t.action, noDaemon: true}.Flow(ctx, ops) },
			nil},
		{chromiumName, func() (Reply, error) { return coldChromium(ctx, t, url) }, nil, nil},
	}
	table := &Table{Setup: name, Group: groupCold, Unit: "ms"}
	open := &Row{Case: "open", Cells: make(map[string]Cell), Target: target}
	flow := &Row{Case: "flow of 6 steps", Cells: make(map[string]Cell), Target: target}
	table.Rows = []*Row{open, flow}
	samples := map[*Row]map[string][]float64{open: {}, flow: {}}
	for range max(3, b.rounds/2) {
		for _, row := range table.Rows {
			for _, lane := range lanes {
				do := lane.open
				if row == flow {
					do = lane.flow
				}
				if do == nil {
					continue
				}
				reply, err := do()
				if row == flow && err == nil && !strings.Contains(reply.Text, want) {
					err = fmt.Errorf("found the text %.200q, expected it to contain %q", reply.Text, want)
				}
				if lane.stop != nil {
					err = errors.Join(err, lane.stop(context.WithoutCancel(ctx)))
				}
				if err != nil {
					return fmt.Errorf("cold %s, %s: %w", row.Case, lane.name, err)
				}
				samples[row][lane.name] = append(samples[row][lane.name], millis(reply.Elapsed))
			}
		}
	}
	for _, lane := range lanes {
		table.Columns = append(table.Columns, lane.name)
	}
	for row, of := range samples {
		for lane, s := range of {
			row.Cells[lane] = newCell(s)
		}
		row.compare()
	}
	r.Tables = append(r.Tables, table)
	return nil
}

func coldChromium(ctx context.Context, t *tools, url string) (Reply, error) {
	began := time.Now()
	c, err := startChromium(ctx, t.browser, t.dir)
	if err != nil {
		return Reply{}, err
	}
	_, err = c.Do(ctx, Args{"open", url})
	elapsed := time.Since(began)
	return Reply{Elapsed: elapsed}, errors.Join(err, c.stop())
}
