// Command bench compares action with the alternatives of its users: the command line agent-browser,
// and Playwright scripts. All tools open the same pages, which bench serves on the loopback
// interface, with the same browser binary. They take turns (A B C A B C …), so that changes of the
// machine's speed affect all. The effect of every operation is checked outside the measured time.
//
// It prints tables of medians, 90th percentiles and ratios, and writes results.json, the plots, and
// the generated part of docs/performance.md. It is a separate module, so that action does not
// depend on the plot library, and uses only action's command line and socket. It downloads no
// browser. A missed target is shown, but is not a failure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == tapCommand {
		os.Exit(tapMain(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

// config holds the flags of the command line.
type config struct {
	root   string // root of the repository
	rounds int
	only   string // parts to measure, separated by commas; empty: all
	full   string // full Chromium
	shell  string // headless shell
}

func (c *config) wants(part string) bool {
	if c.only == "" {
		return true
	}
	for name := range strings.SplitSeq(c.only, ",") {
		if name == part {
			return true
		}
	}
	return false
}

func (c *config) path(elem ...string) string {
	return filepath.Join(append([]string{c.root}, elem...)...)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&c.root, "root", ".", "root of the repository")
	flags.IntVar(&c.rounds, "rounds", 15, "number of rounds for each fast operation; slow operations get fewer")
	flags.StringVar(&c.only, "only", "", "measure only these parts: full, shell, script, default, packs, steps, memory, growth, go, agents; only out/results.json is written then")
	flags.StringVar(&c.full, "full", firstOnPath("chromium", "google-chrome"), "full Chromium")
	flags.StringVar(&c.shell, "shell", firstOnPath("chrome-headless-shell", "chromium-headless-shell", "headless_shell"), "headless shell")
	render := flags.Bool("render", false, "measure nothing; rewrite text, plots and docs from results.json")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *render {
		r, err := readResults(c.path("bench", "results.json"))
		if err != nil {
			return err
		}
		return publish(&c, r, out)
	}
	if c.rounds < 2 {
		return fmt.Errorf("found %d rounds, expected at least 2, because the first round on a page differs from the others", c.rounds)
	}
	for name, path := range map[string]string{"-full": c.full, "-shell": c.shell} {
		if path == "" {
			return fmt.Errorf("found no browser for %s: install chromium and chromium-headless-shell, or pass its path", name)
		}
	}
	r, err := measure(ctx, &c, os.Stderr)
	if err != nil {
		return err
	}
	if c.only == partAgents {
		return r.Agents.only(&c, out)
	}
	if c.only != "" {
		printText(out, r)
		return r.write(c.path("bench", "out", "results.json"))
	}
	if err := r.write(c.path("bench", "results.json")); err != nil {
		return err
	}
	return publish(&c, r, out)
}

// publish writes the results in every form that derives from results.json.
func publish(c *config, r *Results, out io.Writer) error {
	printText(out, r)
	if err := drawAll(r, c.path("docs", "performance")); err != nil {
		return err
	}
	return rewriteDocs(c.path("docs", "performance.md"), r)
}

// measure takes all requested measurements.
func measure(ctx context.Context, c *config, progress io.Writer) (*Results, error) {
	b, err := newBed(ctx, c)
	if err != nil {
		return nil, err
	}
	defer b.close()
	r, err := newResults(ctx, c, b)
	if err != nil {
		return nil, err
	}
	parts := []struct {
		name, title string
		take        func(context.Context, *bed, *Results) error
	}{
		{"shell", "headless shell", takeShell},
		{"script", "calls without a pause", takeScript},
		{"full", "full Chromium", takeFull},
		{"default", "what each takes by default", takeDefaults},
		{"packs", "actions of libraries", takePacks},
		{"memory", "memory", takeMemory},
		{"steps", "where the time of a step goes", takeSteps},
		{"growth", "growth", takeGrowth},
		{"go", "benchmarks in the process", takeGoBenchmarks},
		{partAgents, "ten tasks over MCP", takeAgents},
	}
	for _, part := range parts {
		if !c.wants(part.name) {
			continue
		}
		fmt.Fprintln(progress, "bench:", part.title)
		if err := part.take(ctx, b, r); err != nil {
			return nil, fmt.Errorf("%s: %w", part.title, err)
		}
	}
	return r, nil
}

func firstOnPath(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
