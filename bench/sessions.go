package main

// Measurements of concurrent sessions, and of the memory of the process that keeps a browser.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// A crowd is a group of concurrent sessions of one tool.
type crowd struct {
	name string
	// flow runs the flow concurrently in the given number of sessions, until the last one has
	// ended.
	flow func(ctx context.Context, sessions int) (time.Duration, error)
	stop func() error
}

// crowds returns one crowd for each tool. Sessions are created on first use: browsers for action
// and agent-browser, and contexts of one browser for Playwright.
func crowds(b *bed, all *running, ops []Args) []*crowd {
	want := flowText(ops)
	ours := func(i int) Lane {
		t := *all.action
		t.session = fmt.Sprintf("s%d", i)
		return actionCLI{actionTool: &t}
	}
	var begun sync.Map
	theirs := func(i int) agentCLI {
		t := *all.agent
		t.session = fmt.Sprintf("s%d", i)
		return agentCLI{&t}
	}
	return []*crowd{
		{name: actionName, stop: func() error { return nil }, // the sessions end with the daemon
			flow: func(ctx context.Context, sessions int) (time.Duration, error) {
				return together(sessions, want, func(i int) (Reply, error) { return ours(i).Flow(ctx, ops) })
			}},
		{name: agentName,
			flow: func(ctx context.Context, sessions int) (time.Duration, error) {
				return together(sessions, want, func(i int) (Reply, error) {
					lane := theirs(i)
					if _, again := begun.LoadOrStore(i, true); !again {
						reply, err := lane.first(ctx, batch(ops)...)
						return lastOf(reply), err
					}
					return lane.Flow(ctx, ops)
				})
			},
			stop: func() error {
				var errs []error
				begun.Range(func(i, _ any) bool {
					errs = append(errs, theirs(i.(int)).stop(context.Background()))
					return true
				})
				return errors.Join(errs...)
			}},
		{name: playwrightName, stop: func() error { return nil }, // the contexts end with the process
			flow: func(_ context.Context, sessions int) (time.Duration, error) {
				began := time.Now() // includes the creation of sessions
				reply, err := all.script.sideBySide(sessions, ops)
				if err == nil && strings.Count(reply.Text, want) != sessions {
					err = fmt.Errorf("found the text %.200q, expected %q %d times", reply.Text, want, sessions)
				}
				return time.Since(began), err
			}},
	}
}

// together calls a function concurrently for each number from 0 to n-1.
func together(n int, want string, do func(i int) (Reply, error)) (time.Duration, error) {
	errs := make([]error, n)
	var wg sync.WaitGroup
	began := time.Now()
	for i := range n {
		wg.Go(func() {
			reply, err := do(i)
			if err == nil && !strings.Contains(reply.Text, want) {
				err = fmt.Errorf("found the text %.200q, expected it to contain %q", reply.Text, want)
			}
			errs[i] = err
		})
	}
	wg.Wait()
	return time.Since(began), errors.Join(errs...)
}

const sideBySide = 8

// takeSideBySide measures 8 concurrent sessions that each run a flow of 6 steps.
func takeSideBySide(ctx context.Context, b *bed, r *Results, all *running, setup string) (err error) {
	list := crowds(b, all, flowOps(b.url("/form"), 6))
	table := &Table{Setup: setup, Group: fmt.Sprintf("%d sessions side by side", sideBySide), Unit: "ms"}
	first := &Row{Case: "first flow of 6 in each, with its start", Cells: make(map[string]Cell)}
	again := &Row{Case: "a flow of 6 in each", Cells: make(map[string]Cell)}
	table.Rows = []*Row{first, again}
	samples := make(map[string][]float64)
	for round := range 1 + max(3, b.rounds/4) {
		for _, c := range list {
			if round == 0 {
				table.Columns = append(table.Columns, c.name)
				defer func() { err = errors.Join(err, c.stop()) }()
			}
			elapsed, err := c.flow(ctx, sideBySide)
			if err != nil {
				return fmt.Errorf("%d sessions, %s: %w", sideBySide, c.name, err)
			}
			if round == 0 {
				first.Cells[c.name] = newCell([]float64{millis(elapsed)})
			} else {
				samples[c.name] = append(samples[c.name], millis(elapsed))
			}
		}
	}
	for name, s := range samples {
		again.Cells[name] = newCell(s)
	}
	first.compare()
	again.compare()
	r.Tables = append(r.Tables, table)
	return nil
}

// takeMemory measures the memory of the process that controls the browser: a daemon, or the process
// of the script.
func takeMemory(ctx context.Context, b *bed, r *Results) (err error) {
	s := b.shellSetup()
	t, err := b.tools(s)
	if err != nil {
		return err
	}
	all, err := t.start(ctx, b.url("/form"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.stop()) }()
	pids := make(map[string]int)
	if pids[actionName], err = all.action.daemonPID(ctx); err != nil {
		return err
	}
	if pids[agentName], err = all.agent.daemonPID(); err != nil {
		return err
	}
	pids[playwrightName] = all.script.cmd.Process.Pid

	table := &Table{Setup: s.name, Group: "memory of the process that keeps the browser", Unit: "MB", Columns: []string{actionName, agentName, playwrightName}}
	look := func(name string) error {
		row := &Row{Case: name, Cells: make(map[string]Cell)}
		for tool, pid := range pids {
			mb, err := resident(pid)
			if err != nil {
				return err
			}
			row.Cells[tool] = newCell([]float64{mb})
		}
		row.compare()
		table.Rows = append(table.Rows, row)
		return nil
	}
	if err := look("at the start, with one page"); err != nil {
		return err
	}
	runs := min(1000, 100*b.rounds)
	ops := flowOps(b.url("/form"), 2)
	for range runs {
		for _, lane := range all.processes() {
			if _, err := lane.Flow(ctx, ops); err != nil {
				return fmt.Errorf("%s: %w", lane.Name(), err)
			}
		}
	}
	if err := look(fmt.Sprintf("after %d runs of 2 steps", runs)); err != nil {
		return err
	}
	for _, page := range []string{"/rows?n=1000", "/nodes?n=20000"} {
		for _, lane := range all.processes() {
			for _, op := range []Args{{"open", b.url(page)}, {"snapshot", "-i"}} {
				if _, err := lane.Do(ctx, op); err != nil {
					return fmt.Errorf("%s: %w", lane.Name(), err)
				}
			}
		}
	}
	if err := look("after snapshots of 1,000 rows and of 20,000 nodes"); err != nil {
		return err
	}
	r.Tables = append(r.Tables, table)
	return nil
}
