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

// TestLookAt checks the counting of round trips: commands that are sent after an answer.
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

// TestPublish writes all kinds of results in all forms, and checks that results read from
// results.json give the same files.
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
		var text strings.Builder
		printText(&text, results)
		for _, want := range []string{"1.50 / 1.90", "0.5, missed", "shell, g: ms, median / 90th percentile"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("the text for a terminal has no %q:\n%s", want, &text)
			}
		}
		got, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"| case | action | agent-browser | Playwright | floor | ratio | ",
			"| **g**, ms |  |  |  |  |  |  |  |  |  |\n",
			"| click | 1.50 | 2.50 |  |  | **0.60** |  |  | 0.5 |  |\n",
			"| alone |  |  |  | 1.50 |  |  |  |  |  |\n",
			"| [Curve](performance/c.svg), 1 to 10 n | 2.00 → 3.00 | 300 → 300 |  |  |  |  |  |  |  |\n",
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

// TestPageRows tests the parts that the page's table merges: setups, ways to run action, the round
// trips of steps, and the actions of libraries.
func TestPageRows(t *testing.T) {
	cells := func(ours, agent, playwright float64) map[string]Cell {
		m := map[string]Cell{actionName: newCell([]float64{ours})}
		if agent > 0 {
			m[agentName] = newCell([]float64{agent})
		}
		if playwright > 0 {
			m[playwrightName] = newCell([]float64{playwright})
		}
		return m
	}
	table := func(setup, group, unit string, rows ...*Row) *Table {
		for _, row := range rows {
			row.compare()
		}
		return &Table{Setup: setup, Group: group, Unit: unit, Columns: []string{actionName, agentName, playwrightName}, Rows: rows}
	}
	near, far := cells(9, 10, 0), cells(10, 10, 0) // cells whose floor is above the target
	for _, m := range []map[string]Cell{near, far} {
		m[limitName], m[checkedLimitName] = newCell([]float64{4}), newCell([]float64{8})
	}
	cold := table("headless shell", groupCold, "ms", &Row{Case: "open", Cells: cells(30, 40, 50), Target: 0.9})
	cold.Columns = append(cold.Columns, actionName+" --no-daemon")
	cold.Rows[0].Cells[actionName+" --no-daemon"] = newCell([]float64{35})
	r := &Results{
		Tables: []*Table{
			cold,
			table("headless shell", groupCommand, "ms", &Row{Case: "click", Cells: near, Target: 0.5}, &Row{Case: "fill", Cells: far, Target: 0.5}),
			table("headless shell", groupProcess, "ms", &Row{Case: "click", Cells: cells(5, 10, 20)}, &Row{Case: "get url", Cells: cells(5, 10, 1), Peer: agentName}),
			table("headless shell", groupChars, "characters", &Row{Case: "form", Cells: cells(5, 100, 200)}),
			table("full Chromium", groupCold, "ms", &Row{Case: "open", Cells: cells(95, 100, 200), Target: 0.9}),
			table("full Chromium", groupCommand, "ms", &Row{Case: "another", Cells: cells(1, 2, 0)}),
			table("defaults", groupCold, "ms", &Row{Case: "open", Cells: cells(40, 100, 200), Target: 0.5}),
			table("antd5", groupPacks, "ms", &Row{Case: "a", Cells: cells(50, 0, 100), Target: 0.8}, &Row{Case: "b", Cells: cells(150, 0, 100), Target: 0.8},
				&Row{Case: "no a", Cells: cells(700, 0, 0)}, &Row{Case: "no b", Cells: cells(300, 0, 0)}),
		},
		Curves: []*Curve{{File: "actions", Title: "Definitions", X: "actions", Y: "ms", Lines: []*Line{{"list", []Point{{20, 2}, {100, 3}}}, {"run", []Point{{20, 1}, {100, 1.5}}}}}},
		Steps:  []StepCost{{Step: "click", Trips: 2, Browser: 3, Ours: 1}},
		Go:     []GoBenchmark{{"expr", "Eval/ours", 1500, 5}, {"expr", "Eval/theirs", 2500, 5}, {"session", "Load", 3e6, 5}},
	}
	want := []string{
		strings.Join(pageHead, "|"),
		"**cold**, ms|||||||||",
		"open|30.0|40.0|50.0||0.75|**0.95**|0.40|0.9; own 0.5|",
		"open, --no-daemon|35.0||||||||",
		"**command line**, ms|||||||||",
		"click|9.00|10.0||8.00|0.90|||0.5; floor 0.80|",
		"fill|10.0|10.0||8.00|**1.00**|||0.5; floor 0.80|",
		"**running process**, ms|||||||||",
		"click|5.00|10.0|20.0||0.50||||2: 3.00 + 1.00",
		"get url|5.00|10.0|1.00||0.50 to agent-browser||||",
		"**characters of a snapshot**|||||||||",
		"form|5.00|100|200||0.05||||",
		"**actions of libraries**, ms|||||||||",
		"antd5: 2 actions, sum|200||200||**1.00**|||0.8; met by 1|",
		"antd5: slowest of 2 refused actions|700||||||||",
		"**growth**, ms at the smallest and the largest size|||||||||",
		"[Definitions](performance/actions.svg), 20 to 100 actions|list: 2.00 → 3.00; run: 1.00 → 1.50||||||||",
		"**Go benchmarks**, one operation|||||||||",
		"expr: Eval|ours 1.50 µs; theirs 2.50 µs||||||||",
		"session: Load|3.00 ms||||||||",
	}
	got := r.pageRows()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("row %d: got %q, want none", i, got[i])
		case i >= len(got):
			t.Errorf("row %d: got none, want %q", i, want[i])
		case strings.Join(got[i], "|") != want[i]:
			t.Errorf("row %d: got %q, want %q", i, strings.Join(got[i], "|"), want[i])
		}
	}
}

func TestWrap(t *testing.T) {
	got := strings.Join(wrap("one two  three seventeen-letters", 9), "/")
	if want := "one two/three/seventeen-letters"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRequests checks the requests that each socket lane sends for an operation.
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
