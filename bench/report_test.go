package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplacePart(t *testing.T) {
	page := "before\n" + docsBegin + "\nold\n" + docsEnd + "\nafter\n"
	got, err := replacePart(page, "new\n")
	if want := "before\n" + docsBegin + "\n\nnew\n\n" + docsEnd + "\nafter\n"; got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, page := range []string{"", docsBegin, docsEnd, docsEnd + docsBegin} {
		if got, err := replacePart(page, "new"); err == nil {
			t.Errorf("replacePart(%q) = %q, want an error", page, got)
		}
	}
}

func TestCompare(t *testing.T) {
	cells := map[string]Cell{actionName: {Median: 3}, agentName: {Median: 6}, playwrightName: {Median: 4}, chromiumName: {Median: 1}}
	tests := []struct {
		name, only, peer string
		cells            map[string]Cell
		ratio, toLimit   float64
		limit            float64
	}{
		{"the better peer", "", playwrightName, cells, 0.75, 3, 0.25},
		{"one peer only", agentName, agentName, cells, 0.5, 3, 0.1667},
		{"without peers", "", "", map[string]Cell{actionName: {Median: 3}, limitName: {Median: 2}}, 0, 1.5, 0},
		{"the limit with checks", "", agentName, map[string]Cell{actionName: {Median: 6}, agentName: {Median: 8}, limitName: {Median: 2}, checkedLimitName: {Median: 4}}, 0.75, 1.5, 0.5},
		{"without a limit", "", agentName, map[string]Cell{actionName: {Median: 3}, agentName: {Median: 2}}, 1.5, 0, 0},
		{"without us", "", "", map[string]Cell{agentName: {Median: 3}, limitName: {Median: 2}}, 0, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			row := Row{Cells: test.cells, Peer: test.only}
			if row.compare(); row.Peer != test.peer || row.Ratio != test.ratio || row.ToLimit != test.toLimit || row.Limit != test.limit {
				t.Errorf("got %v to %q, %v to the limit, which is %v; want %v to %q, %v, %v", row.Ratio, row.Peer, row.ToLimit, row.Limit, test.ratio, test.peer, test.toLimit, test.limit)
			}
		})
	}
}

func TestTarget(t *testing.T) {
	tests := []struct {
		row  Row
		want string
	}{
		{Row{Ratio: 2}, ""},
		{Row{Ratio: 0.5, Target: 0.5}, "0.5"},
		{Row{Ratio: 0.6, Target: 0.5}, "0.5, missed"},
		{Row{Ratio: 0.6, Target: 0.5, Limit: 0.4, ToLimit: 1.5}, "0.5, missed"},
		{Row{Ratio: 0.6, Target: 0.5, Limit: 0.55, ToLimit: 1.1}, "0.5; the limit is 0.55"},
		{Row{Ratio: 0.9, Target: 0.5, Limit: 0.55, ToLimit: 1.6}, "0.5, missed; the limit is 0.55"},
	}
	for _, test := range tests {
		if got := test.row.target(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.row, got, test.want)
		}
	}
}

func TestNewCell(t *testing.T) {
	got := newCell([]float64{5, 1, 4, 2, 3})
	if want := (Cell{Count: 5, Median: 3, P90: 4.6, Min: 1, Max: 5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := newCell([]float64{2, 1}).Median; got != 1.5 {
		t.Errorf("median of two is %v, want 1.5", got)
	}
	if got := newCell(nil); got != (Cell{}) {
		t.Errorf("of nothing: got %+v", got)
	}
}

// TestLookAt holds what a round trip is: a command that is sent after an answer.
func TestLookAt(t *testing.T) {
	records := []TapRecord{
		{At: 1e6, Sent: true, ID: "1", Method: "a"},
		{At: 2e6, Sent: true, ID: "2", Method: "b"},
		{At: 5e6, ID: "1"},
		{At: 6e6, Method: "event"},
		{At: 7e6, Sent: true, ID: "3", Method: "c"},
		{At: 9e6, ID: "2"},
		{At: 10e6, ID: "3"},
	}
	got := lookAt(records, window{0, 12e6})
	if got.Commands != 3 || got.Trips != 2 || got.Events != 1 || got.Ours != 5 || got.Browser != 7 {
		t.Errorf("got %+v, want 3 commands, 2 round trips, 1 event, 5 ms ours, 7 ms the browser's", got)
	}
}

func TestParseBenchmarks(t *testing.T) {
	got := parseBenchmarks("expr", "goos: linux\nBenchmarkEval/ours-2 \t 100\t 40 ns/op\t 0 B/op\nBenchmarkEval/ours-2 \t 100\t 50.5 ns/op\nBenchmarkLoad \t 3\t 1500000 ns/op\nPASS\n")
	want := []GoBenchmark{{"expr", "Eval/ours", 45.25, 2}, {"expr", "Load", 1.5e6, 1}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestPublish draws and writes what results can hold, and the same from the file.
func TestPublish(t *testing.T) {
	dir := t.TempDir()
	r := &Results{Taken: "2026-01-01", Rounds: 2, Versions: map[string]string{"go": "1"},
		Tables: []*Table{{Setup: "shell", Group: "g", Unit: "ms", Columns: []string{actionName, agentName, chromiumName}, Rows: []*Row{
			{Case: "click", Target: 0.5, Cells: map[string]Cell{actionName: newCell([]float64{1, 2}), agentName: newCell([]float64{2, 3})}},
			{Case: "alone", Cells: map[string]Cell{chromiumName: newCell([]float64{1, 2})}},
		}}},
		Curves: []*Curve{{File: "c", Title: "Curve", X: "n", Y: "ms", Log: true, Lines: []*Line{{actionName, []Point{{1, 2}, {10, 3}}}, {agentName, []Point{{10, 300}}}}}},
	}
	r.Tables[0].Rows[0].compare()
	page := filepath.Join(dir, "performance.md")
	if err := os.WriteFile(page, []byte(docsBegin+docsEnd), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.write(filepath.Join(dir, "out", "results.json")); err != nil {
		t.Fatal(err)
	}
	again, err := readResults(filepath.Join(dir, "out", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, results := range []*Results{r, again} {
		if err := drawAll(results, filepath.Join(dir, "plots")); err != nil {
			t.Fatal(err)
		}
		if err := rewriteDocs(page, results); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"| case | action | agent-browser | Chromium alone | ratio | to | target |\n",
			"| click | 1.50 / 1.90 | 2.50 / 2.90 | – | 0.6 | agent-browser | 0.5, missed |\n",
			"| alone | – | – | 1.50 / 1.90 |  |  |  |\n",
			"![Curve: ms by n](performance/c.svg)", "| 10 | 3.00 | 300 |\n",
		} {
			if !strings.Contains(string(got), want) {
				t.Errorf("the page has no %q:\n%s", want, got)
			}
		}
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "plots", "c.svg")); err != nil || !strings.Contains(string(svg), "<svg") {
		t.Errorf("the plot is %.100q, %v", svg, err)
	}
}

// TestRequests holds how an operation of the command line is put to each socket.
func TestRequests(t *testing.T) {
	tests := []struct {
		op           Args
		ours, theirs string
	}{
		{Args{"open", "u"}, `open {"url":"u"}`, `{"action":"navigate","id":"1","url":"u"}`},
		{Args{"click", "#a"}, `click {"selector":"#a"}`, `{"action":"click","id":"1","selector":"#a"}`},
		{Args{"fill", "#a", "b"}, `fill {"selector":"#a","value":"b"}`, `{"action":"fill","id":"1","selector":"#a","value":"b"}`},
		{Args{"get", "url"}, `get {"what":"url"}`, `{"action":"url","id":"1"}`},
		{Args{"get", "text", "h1"}, `get {"selector":"h1","what":"text"}`, `{"action":"gettext","id":"1","selector":"h1"}`},
		{Args{"snapshot", "-i", "--max-nodes=5"}, `snapshot {"interactive":true,"max_nodes":5}`, `{"action":"snapshot","id":"1","interactive":true}`},
	}
	for _, test := range tests {
		step, args := stepOf(test.op)
		ours, _ := json.Marshal(args)
		if got := step + " " + string(ours); got != test.ours {
			t.Errorf("%s: ours got %s, want %s", test.op, got, test.ours)
		}
		if theirs, _ := json.Marshal(agentRequest(test.op)); string(theirs) != test.theirs {
			t.Errorf("%s: theirs got %s, want %s", test.op, theirs, test.theirs)
		}
	}
}
