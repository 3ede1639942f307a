package main

// Calls in immediate succession, as in a script. No call waits until the page has drawn the changes
// of the previous one.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// groupScript is the name of the group in the table of takeScript.
const groupScript = "calls without a pause"

// scriptSize is the number of operations in a script.
const scriptSize = 21

func takeScript(ctx context.Context, b *bed, r *Results) (err error) {
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
	table, err := runScripts(ctx, all.commands(), flowOps(b.url("/form"), scriptSize), b.rounds)
	if err != nil {
		return err
	}
	table.Setup = s.name
	r.Tables = append(r.Tables, table)
	return nil
}

// runScripts makes the lanes execute the operations one by one, in turn. A row has the times of all
// operations of one kind, and the last row those of all operations. The first round is not counted.
func runScripts(ctx context.Context, lanes []Lane, ops []Args, rounds int) (*Table, error) {
	table := &Table{Group: groupScript, Unit: "ms"}
	samples := make(map[string]map[string][]float64) // by operation and lane
	var kinds []string
	take := func(kind string, lane Lane, time float64) {
		if samples[kind] == nil {
			kinds = append(kinds, kind)
			samples[kind] = make(map[string][]float64)
		}
		samples[kind][lane.Name()] = append(samples[kind][lane.Name()], time)
	}
	for round := -1; round < rounds; round++ {
		for _, lane := range lanes {
			if round < 0 {
				table.Columns = append(table.Columns, lane.Name())
			}
			said, whole := "", 0.0
			for _, op := range ops {
				reply, err := lane.Do(ctx, op)
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", lane.Name(), strings.Join(op, " "), err)
				}
				if said = reply.Text; round >= 0 {
					take(strings.TrimPrefix(op[0], "un"), lane, millis(reply.Elapsed))
				}
				whole += millis(reply.Elapsed)
			}
			if round >= 0 {
				take(fmt.Sprintf("all %d calls", len(ops)), lane, whole)
			}
			if want := flowText(ops); said != want {
				return nil, fmt.Errorf("%s: the page says %q in the end, expected %q", lane.Name(), said, want)
			}
		}
	}
	for _, kind := range kinds {
		row := &Row{Case: kind, Cells: make(map[string]Cell)}
		if slices.Contains([]string{"fill", "select"}, kind) {
			row.Target = 1
		}
		for lane, times := range samples[kind] {
			row.Cells[lane] = newCell(times)
		}
		row.compare()
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}
