package main

// The measurement of cases: in each round, every lane executes every case.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Case is one measured operation or flow.
type Case struct {
	Name string
	// Op is the operation. Ours replaces it for action if the command line of action differs.
	Op, Ours Args
	Ops      []Args // a flow; replaces Op
	// Page is opened before the measured time; "" if the operation opens a page itself.
	Page string
	// Check is a script of the page that reports whether the operation has had its effect, and
	// reverts the effect. Want is part of the text that the operation returns.
	Check, Want string
	// Peer is the only tool to compare with, if the other one answers from its cache.
	Peer string
	// Every makes a slow case run only in every n-th round; 0 means 1.
	Every  int
	Target float64
}

// drawn waits until the page is drawn. Drawing that remains after a tool reports an open page, or
// after a check, must not count for the next operation.
const drawn = "new Promise((done) => setTimeout(done, 50, 1))"

// turns measures the cases with all lanes in turn.
type turns struct {
	lanes   []Lane
	cases   []*Case
	rounds  int
	shown   map[string]string // page by lane
	samples map[string]map[string][]float64
	texts   map[string]map[string]string // last text, by case and lane
}

func takeTurns(ctx context.Context, rounds int, lanes []Lane, cases []*Case) (*turns, error) {
	t := &turns{lanes: lanes, cases: cases, rounds: rounds,
		shown: make(map[string]string), samples: make(map[string]map[string][]float64), texts: make(map[string]map[string]string)}
	for _, c := range cases {
		t.samples[c.Name], t.texts[c.Name] = make(map[string][]float64), make(map[string]string)
	}
	// An additional first round fills caches and compiles scripts. It is not recorded.
	for round := -1; round < rounds; round++ {
		for _, c := range cases {
			if c.Every > 1 && round%c.Every != 0 {
				continue
			}
			for _, lane := range lanes {
				if err := t.take(ctx, lane, c, round); err != nil {
					return nil, fmt.Errorf("%s, %s: %w", c.Name, lane.Name(), err)
				}
			}
		}
	}
	return t, nil
}

func (t *turns) take(ctx context.Context, lane Lane, c *Case, round int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.Page != "" && t.shown[lane.Name()] != c.Page {
		if _, err := lane.Do(ctx, Args{"open", c.Page}); err != nil {
			return err
		}
		t.shown[lane.Name()] = c.Page
	}
	if c.Page != "" {
		if _, err := lane.Do(ctx, Args{"eval", drawn}); err != nil {
			return err
		}
	}
	r, err := c.do(ctx, lane)
	if errors.Is(err, errNotThere) {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Page == "" {
		t.shown[lane.Name()] = ""
	}
	if !strings.Contains(r.Text, c.Want) {
		return fmt.Errorf("found the text %.200q, expected it to contain %q", r.Text, c.Want)
	}
	if c.Check != "" {
		answer, err := lane.Do(ctx, Args{"eval", c.Check})
		if err != nil {
			return err
		}
		if answer.Text != "true" {
			return fmt.Errorf("had no effect: %s is %s", c.Check, answer.Text)
		}
	}
	t.texts[c.Name][lane.Name()] = r.Text
	if round >= 0 {
		t.samples[c.Name][lane.Name()] = append(t.samples[c.Name][lane.Name()], millis(r.Elapsed))
	}
	return nil
}

func (c *Case) do(ctx context.Context, lane Lane) (Reply, error) {
	switch {
	case c.Ops != nil:
		return lane.Flow(ctx, c.Ops)
	case c.Ours != nil && strings.HasPrefix(lane.Name(), actionName):
		return lane.Do(ctx, c.Ours)
	}
	return lane.Do(ctx, c.Op)
}

// table returns the statistics of the samples.
func (t *turns) table(setup, group string) *Table {
	table := &Table{Setup: setup, Group: group, Unit: "ms"}
	for _, lane := range t.lanes {
		table.Columns = append(table.Columns, lane.Name())
	}
	for _, c := range t.cases {
		row := &Row{Case: c.Name, Cells: make(map[string]Cell), Target: c.Target, Peer: c.Peer}
		for name, samples := range t.samples[c.Name] {
			row.Cells[name] = newCell(samples)
		}
		row.compare()
		table.Rows = append(table.Rows, row)
	}
	return table
}

// characters returns a table of the lengths of the texts of the cases with these names.
func (t *turns) characters(setup, group string, names ...string) *Table {
	table := &Table{Setup: setup, Group: group, Unit: "characters"}
	for _, lane := range t.lanes {
		table.Columns = append(table.Columns, lane.Name())
	}
	for _, name := range names {
		row := &Row{Case: name, Cells: make(map[string]Cell)}
		for lane, text := range t.texts[name] {
			n := float64(utf8.RuneCountInString(text))
			row.Cells[lane] = Cell{Count: 1, Median: n, P90: n, Min: n, Max: n}
		}
		row.compare()
		table.Rows = append(table.Rows, row)
	}
	return table
}
