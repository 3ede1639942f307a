package main

// The results, in the form of results.json.

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// Results holds all figures of one run of bench.
type Results struct {
	Taken    string            `json:"taken"` // day of the measurement
	Rounds   int               `json:"rounds"`
	Machine  Machine           `json:"machine"`
	Versions map[string]string `json:"versions"`
	Tables   []*Table          `json:"tables"`
	Curves   []*Curve          `json:"curves"`
	Steps    []StepCost        `json:"steps"`
	Go       []GoBenchmark     `json:"go"`
	Agents   *AgentTasks       `json:"agents,omitempty"` // with a day and versions of its own
}

// A Machine describes where the figures were measured.
type Machine struct {
	System    string `json:"system"`
	CPU       string `json:"cpu"`
	CPUs      int    `json:"cpus"`
	Processor string `json:"processor"`
}

// A Table is a list of cases with a column for each tool.
type Table struct {
	Setup   string   `json:"setup"` // which browser
	Group   string   `json:"group"`
	Unit    string   `json:"unit"`
	Columns []string `json:"columns"`
	Rows    []*Row   `json:"rows"`
}

// A Row is one case. Ratio compares action with the better peer, ToLimit action with the lane
// without a tool, and Limit that lane with the better peer. 0 means none.
type Row struct {
	Case    string          `json:"case"`
	Cells   map[string]Cell `json:"cells"`
	Ratio   float64         `json:"ratio,omitempty"`
	Peer    string          `json:"peer,omitempty"`
	ToLimit float64         `json:"to_limit,omitempty"`
	Limit   float64         `json:"limit,omitempty"`
	Target  float64         `json:"target,omitempty"` // maximum of the ratio
}

// A Curve shows cost by size, with a line for each tool.
type Curve struct {
	File  string  `json:"file"` // name of the plot, without its ending
	Title string  `json:"title"`
	X     string  `json:"x"`
	Y     string  `json:"y"`
	Log   bool    `json:"log"`
	Lines []*Line `json:"lines"`
}

// A Line holds the points of one tool.
type Line struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
}

// A Point is the median at one size.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func newResults(ctx context.Context, c *config, b *bed) (*Results, error) {
	r := &Results{
		Taken:   time.Now().UTC().Format(time.DateOnly),
		Rounds:  c.rounds,
		Machine: Machine{System: runtime.GOOS, CPU: runtime.GOARCH, CPUs: runtime.NumCPU(), Processor: processor()},
	}
	r.Versions = map[string]string{"go": runtime.Version()}
	for name, command := range map[string][]string{
		actionName: {b.binary, "version"}, agentName: {b.agent, "--version"}, "node": {b.node, "--version"},
		"full Chromium": {c.full, "--version"}, "headless shell": {c.shell, "--version"},
	} {
		reply, err := runCommand(ctx, environ("HOME="+b.dir), command[0], command[1:]...)
		if err != nil {
			return nil, err
		}
		line, _, _ := strings.Cut(reply.Text, "\n")
		r.Versions[name] = strings.TrimSpace(line)
	}
	var err error
	r.Versions[playwrightName], err = packageVersion(b.peers(), "playwright-core")
	return r, err
}

// packageVersion returns the version of an installed package, whose name has one or two elements.
func packageVersion(peers string, name ...string) (string, error) {
	var pack struct{ Version string }
	data, err := os.ReadFile(filepath.Join(peers, "node_modules", filepath.Join(name...), "package.json"))
	if err == nil {
		err = json.Unmarshal(data, &pack)
	}
	return pack.Version, err
}

// processor returns the name of the CPU; "" if the system does not report it.
func processor() string {
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(data); m != nil {
			return string(m[1])
		}
	}
	if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	return ""
}

func (r *Results) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

func readResults(path string) (*Results, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(err, errors.New("run `make bench-peers` first"))
	}
	if err != nil {
		return nil, err
	}
	r := &Results{}
	return r, json.Unmarshal(data, r)
}

// compare sets the ratio to the given peer, or to the better one if none is given.
func (row *Row) compare() {
	peers := []string{agentName, playwrightName}
	if row.Peer != "" {
		peers = []string{row.Peer}
	}
	row.Peer = ""
	ours, ok := row.Cells[actionName]
	if !ok {
		return
	}
	best := 0.0
	for _, name := range peers {
		if c := row.Cells[name]; c.Median > 0 && (row.Peer == "" || c.Median < best) {
			row.Peer, best = name, c.Median
		}
	}
	if row.Peer != "" {
		row.Ratio = rounded(ours.Median / best)
	}
	for _, name := range []string{chromiumName, limitName, checkedName, checkedLimitName} { // the last one with a figure applies
		c := row.Cells[name]
		if c.Median == 0 {
			continue
		}
		row.ToLimit = rounded(ours.Median / c.Median)
		if best > 0 {
			row.Limit = rounded(c.Median / best)
		}
	}
}
