package main

// Measurements of how cost grows with the number of steps, nodes, actions and sessions.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func takeGrowth(ctx context.Context, b *bed, r *Results) (err error) {
	t, err := b.tools(b.shellSetup())
	if err != nil {
		return err
	}
	all, err := t.start(ctx, b.url("/form"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.stop()) }()
	rounds := max(2, b.rounds/5)
	for _, take := range []func() error{
		func() error { return growSteps(ctx, b, r, all, rounds) },
		func() error { return growNodes(ctx, b, r, all, rounds) },
		func() error { return growActions(ctx, b, r, all, rounds) },
		func() error { return growSessions(ctx, b, r, all, rounds) },
	} {
		if err := take(); err != nil {
			return err
		}
	}
	return nil
}

func growSteps(ctx context.Context, b *bed, r *Results, all *running, rounds int) error {
	var cases []*Case
	var sizes []int
	for _, n := range flowSizes {
		ops := flowOps(b.url("/form"), n)
		cases, sizes = append(cases, &Case{Name: fmt.Sprint(n), Ops: ops, Want: flowText(ops)}), append(sizes, n)
	}
	taken, err := takeTurns(ctx, rounds, append(all.processes(), all.alone), cases)
	if err != nil {
		return err
	}
	r.Curves = append(r.Curves, taken.curve(&Curve{File: "steps", Title: "A flow on the form", X: "steps", Y: "ms"}, sizes))
	return nil
}

func growNodes(ctx context.Context, b *bed, r *Results, all *running, rounds int) error {
	sizes := []int{100, 300, 1000, 3000, 10_000, 20_000}
	var reads, presses []*Case
	for _, n := range sizes {
		page := b.url(fmt.Sprint("/nodes?n=", n))
		reads = append(reads, &Case{Name: fmt.Sprint(n), Page: page, Op: Args{"snapshot", "-i"}, Want: "More of"})
		presses = append(presses, &Case{Name: fmt.Sprint(n), Page: page, Op: Args{"click", "#save"},
			Check: "(e => { const ok = e.value === '1'; e.value = ''; return ok })(document.querySelector('#save'))"})
	}
	taken, err := takeTurns(ctx, rounds, all.processes(), reads)
	if err != nil {
		return err
	}
	r.Curves = append(r.Curves, taken.curve(&Curve{File: "nodes-snapshot", Title: "A snapshot of a page", X: "elements", Y: "ms", Log: true}, sizes))
	if taken, err = takeTurns(ctx, rounds, append(all.processes(), all.alone), presses); err != nil {
		return err
	}
	r.Curves = append(r.Curves, taken.curve(&Curve{File: "nodes-click", Title: "A click on a page", X: "elements", Y: "ms", Log: true}, sizes))
	return nil
}

// curve returns a curve with a line for each lane, over cases in the order of sizes.
func (t *turns) curve(c *Curve, sizes []int) *Curve {
	for _, lane := range t.lanes {
		line := &Line{Name: lane.Name()}
		for i, size := range sizes {
			if s := t.samples[t.cases[i].Name][lane.Name()]; len(s) > 0 {
				line.Points = append(line.Points, Point{float64(size), newCell(s).Median})
			}
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

// growActions measures the cost of definitions that are loaded but not run. The other tools have no
// definitions.
func growActions(ctx context.Context, b *bed, r *Results, all *running, rounds int) error {
	curve := &Curve{File: "actions", Title: "Definitions in the registry", X: "actions", Y: "ms", Log: true}
	ways := []struct {
		name string
		do   func(t *actionTool) (Reply, error)
	}{
		{"list, new process", func(t *actionTool) (Reply, error) { return runCommand(ctx, t.environ, t.binary, "list", "ns1") }},
		{"run, command line", func(t *actionTool) (Reply, error) {
			return runCommand(ctx, t.environ, t.binary, "run", "ns1:page-1:read")
		}},
		{"run, socket", func(t *actionTool) (Reply, error) {
			return all.socket.ask(ctx, map[string]any{"id": 1, "type": "action.run", "action": "ns1:page-1:read", "path": t.definitions})
		}},
	}
	for _, way := range ways {
		curve.Lines = append(curve.Lines, &Line{Name: way.name})
	}
	for _, n := range []int{20, 100, 1000, 10_000} {
		dir := filepath.Join(all.dir, fmt.Sprintf("actions-%d", n))
		if err := writeActions(dir, n); err != nil {
			return err
		}
		t := *all.action
		t.definitions = dir
		t.environ = append(t.environ[:len(t.environ):len(t.environ)], "ACTION_PATH="+dir)
		samples := make([][]float64, len(ways))
		for round := -1; round < rounds; round++ {
			for i, way := range ways {
				reply, err := way.do(&t)
				if err != nil {
					return fmt.Errorf("%s of %d: %w", way.name, n, err)
				}
				if round >= 0 {
					samples[i] = append(samples[i], millis(reply.Elapsed))
				}
			}
		}
		for i, s := range samples {
			curve.Lines[i].Points = append(curve.Lines[i].Points, Point{float64(n), newCell(s).Median})
		}
	}
	r.Curves = append(r.Curves, curve)
	return nil
}

// writeActions writes n actions, ten in each file.
func writeActions(dir string, n int) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for f := range n / 10 {
		var b strings.Builder
		fmt.Fprintf(&b, "namespace: ns%d\nversion: 1.0.0\ndescription: Application %d\nselectors:\n  dialog: role:dialog\nactions:\n", f, f)
		for a := range 10 {
			fmt.Fprintf(&b, `  page-%d:read:
    description: Read the address, and the dialog %d where there is one
    params:
      dialog: {type: boolean, default: false, description: Read the dialog too}
    steps:
      - {action: get, args: {what: url}, output: page}
      - action: get
        args: {selector: "${selectors.dialog}", what: text}
        when: ${dialog} == true
        output: dialog
    returns: {url: "${steps.page.url}", text: "${steps.dialog.text}"}
`, a, a)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("ns%d.yaml", f)), []byte(b.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func growSessions(ctx context.Context, b *bed, r *Results, all *running, rounds int) (err error) {
	curve := &Curve{File: "sessions", Title: "A flow of 6 steps in each session, at the same time", X: "sessions", Y: "ms"}
	list := crowds(b, all, flowOps(b.url("/form"), 6))
	for _, c := range list {
		defer func() { err = errors.Join(err, c.stop()) }()
		curve.Lines = append(curve.Lines, &Line{Name: c.name})
	}
	for _, n := range []int{1, 2, 4, 8} {
		samples := make([][]float64, len(list))
		for round := -1; round < rounds; round++ {
			for i, c := range list {
				elapsed, err := c.flow(ctx, n)
				if err != nil {
					return fmt.Errorf("%d sessions, %s: %w", n, c.name, err)
				}
				if round >= 0 {
					samples[i] = append(samples[i], millis(elapsed))
				}
			}
		}
		for i, s := range samples {
			curve.Lines[i].Points = append(curve.Lines[i].Points, Point{float64(n), newCell(s).Median})
		}
	}
	r.Curves = append(r.Curves, curve)
	return nil
}
