package main

// The actions for component libraries, compared with handwritten Playwright scripts that check
// their effect too. Both use the applications of testdata/libraries.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const groupPacks = "actions of libraries"

// A packCase is one action on a newly loaded page. The script of the same name is in
// peers/packs.mjs.
type packCase struct {
	name   string
	action string
	params string // JSON
	before string // an action with its params that prepares the page; not part of any measured time
	check  string // a script that checks the state s of the page
	code   string // the code with which the action must fail, with | between the codes of several libraries; such a case has no script
	not    string // the page that does not have the case
}

var packCases = []packCase{
	{name: "input:fill", action: "input:fill", params: `{"label":"Name","value":"Ada","within":"Customer"}`, check: `s.customer.name === "Ada"`},
	{name: "checkbox:set", action: "checkbox:set", params: `{"label":"Newsletter"}`, check: `s.customer.newsletter === true`},
	{name: "radio:choose", action: "radio:choose", params: `{"label":"Gender","option":"Other"}`, check: `s.customer.gender === "Other"`},
	{name: "switch:set", action: "switch:set", params: `{"label":"Active","checked":false}`, check: `s.customer.active === false`},
	{name: "select:choose", action: "select:choose", params: `{"label":"Segment","option":"School"}`, check: `s.customer.segment === "School"`},
	{name: "select:choose, several", action: "select:choose", params: `{"label":"Tags","options":["Loyal","VIP"]}`, check: `s.customer.tags.join() === "Loyal,VIP"`},
	{name: "select:choose, of 1,000", action: "select:choose", params: `{"label":"Item","option":"Item 777"}`, check: `s.customer.item === "Item 777"`},
	{name: "cascader:choose", action: "cascader:choose", params: `{"label":"Region","path":["Europe","Norway","Bergen"]}`, check: `s.customer.region.join() === "eu,no,brg"`},
	{name: "date:pick", action: "date:pick", params: `{"label":"Customer since","value":"2026-05-01"}`, check: `s.customer.since === "2026-05-01"`},
	{name: "time:pick", action: "time:pick", params: `{"label":"Call at","value":"13:45:10"}`, check: `s.customer.at === "13:45:10"`},
	{name: "form:fill, 8 fields", action: "form:fill", params: `{"within":"Customer","values":{"Name":"Ada","Age":"36","Segment":"Company","Tags":["Loyal","VIP"],"Customer since":"1999-12-31","Newsletter":true,"Gender":"Other","Active":false}}`,
		check: `s.customer.name === "Ada" && s.customer.age == 36 && s.customer.segment === "Company" && s.customer.tags.join() === "Loyal,VIP" && s.customer.since === "1999-12-31" && s.customer.newsletter && s.customer.gender === "Other" && !s.customer.active`},
	{name: "dialog:open", action: "dialog:open", params: `{"text":"New order","title":"New order"}`, check: `document.querySelector("[role=dialog]") !== null`},
	{name: "dialog:cancel", action: "dialog:cancel", params: `{"title":"New order"}`, before: `dialog:open {"text":"New order","title":"New order"}`, check: `s.log.join() === "order cancelled"`},
	{name: "menu:select", action: "menu:select", params: `{"path":["Settings","Users","Roles"]}`, check: `s.log.join() === "menu roles"`},
	{name: "tabs:switch", action: "tabs:switch", params: `{"text":"History"}`, check: `s.tab === "history"`},
	{name: "tree:select", action: "tree:select", params: `{"path":["Head office","Sales","North"],"within":"Places"}`, check: `s.tree.join() === "north"`},
	{name: "table:read", action: "table:read", params: `{"within":"Orders"}`, check: `true`},
	{name: "table:sort", action: "table:sort", params: `{"column":"Quantity","within":"Orders"}`, check: `s.table.sort === "quantity ascend"`},
	{name: "table:filter", action: "table:filter", params: `{"column":"Status","options":["Paid"],"within":"Orders"}`, check: `s.table.filters.join() === "Paid"`},
	{name: "table:row-action", action: "table:row-action", params: `{"row":{"Order":"1003"},"text":"Edit","within":"Orders"}`, check: `s.log.join() === "edit 1003"`},
	{name: "pagination:go", action: "pagination:go", params: `{"page":3,"within":"Orders"}`, check: `s.table.page === 3`},

	{name: "no such option", action: "select:choose", params: `{"label":"Segment","option":"Zoo"}`, code: "STEP_FAILED"},
	{name: "a list that is disabled", action: "select:choose", params: `{"label":"Terms","option":"Private"}`, code: "ELEMENT_NOT_INTERACTABLE"},
	{name: "no such page", action: "pagination:go", params: `{"page":9,"within":"Orders"}`, code: "STEP_FAILED"},
	{name: "no such filter", action: "table:filter", params: `{"column":"Status","options":["Nothing"],"within":"Orders"}`, code: "STEP_FAILED"},
	{name: "an item that is disabled", action: "menu:select", params: `{"path":["Off"],"within":"Menu"}`, code: "ELEMENT_NOT_INTERACTABLE|STEP_FAILED"},
	{name: "no such item", action: "menu:select", params: `{"path":["Nowhere"],"within":"Menu"}`, code: "STEP_FAILED"},
	{name: "no such tab", action: "tabs:switch", params: `{"text":"Nothing"}`, code: "ELEMENT_NOT_FOUND"},
	{name: "no such node", action: "tree:select", params: `{"path":["Head office","Nowhere"],"within":"Places"}`, code: "ELEMENT_NOT_FOUND"},
	{name: "no such option of a cascader", action: "cascader:choose", params: `{"label":"Region","path":["Europe","Nowhere"]}`, code: "STEP_FAILED"},
	{name: "no such option, searched", action: "select:choose", params: `{"label":"Tags","option":"Zoo"}`, code: "STEP_FAILED"},
	{name: "no such row", action: "table:row-action", params: `{"row":"Nobody","text":"Edit","within":"Orders"}`, code: "ELEMENT_NOT_FOUND"},
}

// packPages lists the pages, with the namespaces of their actions.
var packPages = []struct{ page, namespace string }{{"antd5", "antd"}, {"elementplus", "element"}}

// takePacks measures all cases with all libraries, each on a newly loaded page.
func takePacks(ctx context.Context, b *bed, r *Results) (err error) {
	base, stop, err := serveLibraries(ctx, b)
	if err != nil {
		return err
	}
	defer stop()
	t, err := b.tools(b.shellSetup())
	if err != nil {
		return err
	}
	if _, err := (actionCLI{actionTool: t.action}).Do(ctx, Args{"open", base + "/antd5"}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.action.stop(context.WithoutCancel(ctx))) }()
	lines, err := dialLines(ctx, t.action.socket)
	if err != nil {
		return err
	}
	defer lines.close()
	script, err := t.playwright.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, script.close()) }()
	p := &packTurns{ours: &actionSocket{t.action, lines}, script: script}
	for _, page := range packPages {
		table := &Table{Setup: page.page, Group: groupPacks, Unit: "ms", Columns: []string{actionName, playwrightName}}
		for _, c := range packCases {
			if c.not == page.page {
				continue
			}
			row, err := p.take(ctx, base+"/"+page.page, page.namespace, c, max(2, b.rounds/3))
			if err != nil {
				return fmt.Errorf("%s on %s: %w", c.name, page.page, err)
			}
			fmt.Fprintf(os.Stderr, "bench: %s: %s: %.0f ms, %.0f ms\n", page.page, c.name, row.Cells[actionName].Median, row.Cells[playwrightName].Median)
			table.Rows = append(table.Rows, row)
		}
		r.Tables = append(r.Tables, table)
	}
	return nil
}

// serveLibraries starts the server of the applications.
func serveLibraries(ctx context.Context, b *bed) (base string, stop func(), err error) {
	binary := filepath.Join(b.dir, "libraries")
	if err := b.build(ctx, binary, "./testdata/libraries/serve"); err != nil {
		return "", nil, err
	}
	modules, err := filepath.Abs(b.path("testdata", "npm", "node_modules"))
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(binary, modules)
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	stop = func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}
	base, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		stop()
		return "", nil, fmt.Errorf("found the output %q of the library server, expected its address: %w", line, err)
	}
	return base, stop, nil
}

// packTurns measures cases with both tools in turn.
type packTurns struct {
	ours   *actionSocket
	script *playwrightLane
}

func (p *packTurns) take(ctx context.Context, url, namespace string, c packCase, rounds int) (*Row, error) {
	row := &Row{Case: c.name, Cells: make(map[string]Cell)}
	samples := make(map[string][]float64)
	for round := -1; round < rounds; round++ { // the first round is not recorded
		mine, err := p.run(ctx, url, namespace, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", actionName, err)
		}
		var theirs time.Duration
		if c.code == "" {
			reply, err := p.script.Do(ctx, Args{"pack", url, c.name})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", playwrightName, err)
			}
			if reply.Text != "done" {
				return nil, fmt.Errorf("%s: the script said %q", playwrightName, reply.Text)
			}
			if err := check(ctx, p.script, c.check); err != nil {
				return nil, err
			}
			theirs = reply.Elapsed
		}
		if round < 0 {
			continue
		}
		samples[actionName] = append(samples[actionName], millis(mine))
		if theirs > 0 {
			samples[playwrightName] = append(samples[playwrightName], millis(theirs))
		}
	}
	for name, s := range samples {
		row.Cells[name] = newCell(s)
	}
	if c.code != "" {
		row.Target = 0
		return row, nil
	}
	row.Target = 0.8
	row.compare()
	return row, nil
}

// run runs the action on a newly loaded page and checks its effect.
func (p *packTurns) run(ctx context.Context, url, namespace string, c packCase) (time.Duration, error) {
	if _, err := p.ours.Do(ctx, Args{"open", url}); err != nil {
		return 0, err
	}
	if _, err := p.ours.Do(ctx, Args{"eval", drawn}); err != nil {
		return 0, err
	}
	if name, params, ok := strings.Cut(c.before, " "); ok {
		if _, _, err := p.ours.action(ctx, namespace+":"+name, params); err != nil {
			return 0, err
		}
	}
	elapsed, code, err := p.ours.action(ctx, namespace+":"+c.action, c.params)
	switch {
	case c.code == "" && err != nil:
		return 0, err
	case c.code != "" && !slices.Contains(strings.Split(c.code, "|"), code):
		return 0, fmt.Errorf("ended with %q, expected %s: %w", code, c.code, err)
	case c.code != "":
		return elapsed, nil
	}
	return elapsed, check(ctx, p.ours, c.check)
}

// check reports whether a case has had its effect on the page.
func check(ctx context.Context, lane Lane, script string) error {
	answer, err := lane.Do(ctx, Args{"eval", "(s => Boolean(" + script + "))(JSON.parse(document.getElementById('state').textContent))"})
	if err != nil {
		return err
	}
	if answer.Text != "true" {
		return fmt.Errorf("%s: had no effect: %s is %s", lane.Name(), script, answer.Text)
	}
	return nil
}

// action runs an action of the builtin definitions. code is the code of its error, "" for none.
func (l *actionSocket) action(ctx context.Context, name, params string) (elapsed time.Duration, code string, err error) {
	var answer struct {
		Success bool
		Error   struct{ Code, Message string }
	}
	request := map[string]any{"id": 1, "type": "action.run", "action": name, "params": json.RawMessage(params)}
	if elapsed, err = l.lines.ask(ctx, request, &answer); err == nil && !answer.Success {
		code, err = answer.Error.Code, errors.New(answer.Error.Message)
	}
	return elapsed, code, err
}
