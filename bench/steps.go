package main

// The cost of a step: round trips, the time of the browser, and our time.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A StepCost is the cost of one step over the socket. Times are medians in ms.
type StepCost struct {
	Step     string `json:"step"`
	Commands int    `json:"commands"` // number of commands that the browser receives
	// Trips is the length of the longest chain of commands that were each sent after the reply to
	// the previous one.
	Trips  int `json:"trips"`
	Events int `json:"events"` // number of events that the browser sends
	// Browser is the time before messages from the browser, Ours the time before messages to it.
	Browser float64  `json:"browser"`
	Ours    float64  `json:"ours"`
	Methods []string `json:"methods"` // methods of the commands of one sample, in order
}

// takeSteps records each operation through a tap on the browser's pipe.
func takeSteps(ctx context.Context, b *bed, r *Results) (err error) {
	dir, err := b.folder()
	if err != nil {
		return err
	}
	log := filepath.Join(dir, "tap.jsonl")
	browser, err := writeTap(dir, log, b.shell)
	if err != nil {
		return err
	}
	t, err := newAction(b.binary, dir, browser, b.definitions)
	if err != nil {
		return err
	}
	if _, err := (actionCLI{actionTool: t}).Do(ctx, Args{"open", b.url("/form")}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.stop(context.Background())) }()
	lines, err := dialLines(ctx, t.socket)
	if err != nil {
		return err
	}
	defer lines.close()
	lane := &windowLane{Lane: &actionSocket{t, lines}}

	cases := append(b.operations(dir), b.flows()...)
	spans := make(map[string][]window)
	for range max(3, b.rounds/2) {
		for _, c := range cases {
			one := *c
			one.Every = 0
			if _, err := takeTurns(ctx, 1, []Lane{lane}, []*Case{&one}); err != nil {
				return err
			}
			spans[c.Name] = append(spans[c.Name], lane.measured)
		}
	}
	records, err := readTap(log)
	if err != nil {
		return err
	}
	for _, c := range cases {
		r.Steps = append(r.Steps, stepCost(c.Name, records, spans[c.Name]))
	}
	return nil
}

// A window is a time interval, in ns since the Unix epoch.
type window struct{ from, to int64 }

// windowLane records the start and end of the last operation that was not a check.
type windowLane struct {
	Lane
	measured window
}

func (l *windowLane) Do(ctx context.Context, op Args) (Reply, error) {
	from := time.Now().UnixNano()
	r, err := l.Lane.Do(ctx, op)
	if op[0] != "eval" || op[1] == "6 * 7" {
		l.measured = window{from, time.Now().UnixNano()}
	}
	return r, err
}

func (l *windowLane) Flow(ctx context.Context, ops []Args) (Reply, error) {
	from := time.Now().UnixNano()
	r, err := l.Lane.Flow(ctx, ops)
	l.measured = window{from, time.Now().UnixNano()}
	return r, err
}

func readTap(path string) ([]TapRecord, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var records []TapRecord
	for line := range bytes.Lines(data) {
		var one TapRecord
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, err
		}
		records = append(records, one)
	}
	// Two goroutines record the two directions, so the records are not in order.
	slices.SortStableFunc(records, func(a, b TapRecord) int { return int(a.At - b.At) })
	return records, nil
}

// stepCost returns the medians over the windows.
func stepCost(name string, records []TapRecord, windows []window) StepCost {
	var commands, trips, events, browser, ours []float64
	cost := StepCost{Step: name}
	for _, w := range windows {
		from, _ := slices.BinarySearchFunc(records, w.from, func(r TapRecord, at int64) int { return int(r.At - at) })
		to, _ := slices.BinarySearchFunc(records, w.to, func(r TapRecord, at int64) int { return int(r.At - at) })
		one := lookAt(records[from:to], w)
		commands, trips, events = append(commands, float64(one.Commands)), append(trips, float64(one.Trips)), append(events, float64(one.Events))
		browser, ours = append(browser, one.Browser), append(ours, one.Ours)
		cost.Methods = one.Methods
	}
	median := func(s []float64) float64 { return newCell(s).Median }
	cost.Commands, cost.Trips, cost.Events = int(median(commands)), int(median(trips)), int(median(events))
	cost.Browser, cost.Ours = median(browser), median(ours)
	return cost
}

// lookAt returns the cost of one window.
func lookAt(records []TapRecord, w window) StepCost {
	var cost StepCost
	depth := make(map[string]int) // by id of a command: the length of its chain
	reached := 0                  // longest chain that has been answered
	last := w.from
	for _, r := range records {
		gap := float64(r.At-last) / 1e6
		last = r.At
		if r.Sent {
			cost.Ours += gap
			cost.Commands++
			cost.Methods = append(cost.Methods, r.Method)
			depth[r.ID] = reached + 1
			cost.Trips = max(cost.Trips, depth[r.ID])
			continue
		}
		cost.Browser += gap
		if r.ID == "" {
			cost.Events++
		}
		reached = max(reached, depth[r.ID])
	}
	cost.Ours += float64(w.to-last) / 1e6
	return cost
}
