package catalogue

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type tableArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the table, or the element around its parts"`
	Row      any           `arg:"row" pos:"2" doc:"text, or map of column to text; absent or empty: every row"`
	Before   *any          `arg:"before" doc:"rows that the table showed before a press, as returned by this step: waits for other rows"`
	Sorted   *any          `arg:"sorted" doc:"{column, order} that a header indicates, ascending or descending: three or more numbers or dates in the opposite order, or only in that of their characters (200, 30, 4), fail the step; those in no order cause the warning not_sorted. Codes with a leading zero may be in the order of their characters"`
}

type tableResult struct {
	Columns  []string         `json:"columns" doc:"the header"`
	Rows     []map[string]any `json:"rows" doc:"a list of objects by column"`
	Count    int              `json:"count" doc:"how many rows"`
	Row      map[string]any   `json:"row" doc:"the first of them, or null"`
	At       int              `json:"at" doc:"its position when read, 0 if there is none"`
	Complete bool             `json:"complete" doc:"false if the table has more rows, which it draws only when they are scrolled into view; a warning says so"`
	Renewed  *bool            `json:"renewed" doc:"with before: whether the rows have changed, or all requests of the page since then have been answered; otherwise null"`
}

var tableSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "table", Group: steps.GroupRead, Reads: true,
		Summary: "read a table as rows by its header",
		Doc: "Waits until the table exists and no longer shows that it is loading: by aria-busy, by one cell over all columns, or by a spinner, a skeleton or a progress bar in or over it. Without before, it does not wait for rows that come later without such a sign. With before, it waits until the table shows other rows and the requests that the page has sent since a table was last read have been answered. A page that has begun a timer since then has 1.2 seconds more to show the answer. If there were no requests and the rows stay the same for 1.5 seconds, or an answer is late, or one of several requests has failed, renewed is false, with a warning: other rows may still come. If all requests have failed and the rows are the same as before, the step fails.\n\nReads what is shown. Fixed columns and a header in separate tables belong to the table, hidden ones do not; " +
			"a field in a cell counts as the text that it shows. The columns of a table without a header are 1, 2, and so on; " +
			"a column with text and no title is named by its number among the shown columns. In a header of several rows, the lowest title counts; " +
			"filter fields and buttons are not titles. The name of a column is the visible part of its title; " +
			"the full title, with the words for screen readers, also matches. Cells with an aria-colindex are in that column.\n\n" +
			"row selects rows by a text that they contain, or by a map of column to the whole text of its cell. No match is not an error: count is 0. at is the position of the first row when the table was read, for css:tbody > tr:nth-child(${steps.NAME.at}). " +
			"By the next step, another row may be at that position: to act in a row, use row:, as in role:table >> row:${params.row} >> role:button[name='Edit'].",
		Example: "{table: {selector: \"role:table[name='Orders']\", row: {Customer: \"${params.customer}\"}}, output: found}",
	}, table),
}

func table(ctx context.Context, env *steps.Env, a *tableArgs) (out tableResult, err error) {
	r, renewed, err := readTable(ctx, env, a)
	if err != nil {
		return out, err
	}
	columns, also, undrawn, rows := tableOf(r.Value)
	if undrawn {
		env.Warn("rows_not_drawn", "the table has more rows than the %d that were read: it draws others only when they are scrolled into view", len(rows))
	}
	if a.Sorted != nil {
		if err := checkSorted(env, rows, also, *a.Sorted); err != nil {
			return out, err
		}
	}
	rows, err = chooseRows(env, rows, columns, also, a.Row)
	if err != nil {
		return out, err
	}
	out = tableResult{Columns: columns, Count: len(rows), Complete: !undrawn}
	for _, row := range rows {
		out.Rows = append(out.Rows, row.cells)
	}
	if len(rows) > 0 {
		out.Row, out.At = rows[0].cells, rows[0].at
	}
	if a.Before != nil {
		out.Renewed = &renewed
	}
	return out, nil
}

func readTable(ctx context.Context, env *steps.Env, a *tableArgs) (r driver.Reading, renewed bool, err error) {
	if a.Before == nil {
		r, err = env.Page.Read(ctx, a.Selector, driver.ReadOptions{What: "table"})
		return r, false, err
	}
	before, ok := (*a.Before).([]any)
	if !ok {
		return r, false, diag.New(diag.ParamInvalid, "`before` is %s, expected a list of rows", steps.KindOf(*a.Before)).
			WithHint("write before: ${steps.NAME.rows}, where NAME is the output of an earlier `table` step")
	}
	if r, renewed, err = env.Page.ReadRenewed(ctx, a.Selector, before); err == nil && !renewed {
		env.Warn("not_renewed", "the table shows the same rows as before, and no answer to a request of the page confirms them: if it draws others later, the rows read now are old")
	}
	return r, renewed, err
}

// tableOf decodes a table as the page sends it: {columns, also, undrawn, rows: [{at, cells}]}. The
// map "also" has the alternative names of columns as keys, and their usual names as values.
func tableOf(v any) (columns []string, also map[string]any, undrawn bool, rows []tableRow) {
	m, _ := v.(map[string]any)
	also, _ = m["also"].(map[string]any)
	undrawn, _ = m["undrawn"].(bool)
	names, _ := m["columns"].([]any)
	for _, n := range names {
		columns = append(columns, expr.Text(n))
	}
	list, _ := m["rows"].([]any)
	for _, x := range list {
		row, _ := x.(map[string]any)
		at, _ := row["at"].(float64)
		cells, _ := row["cells"].(map[string]any)
		rows = append(rows, tableRow{int(at), cells})
	}
	return columns, also, undrawn, rows
}

func chooseRows(env *steps.Env, rows []tableRow, columns []string, also map[string]any, want any) ([]tableRow, error) {
	var match func(map[string]any) bool
	switch want := want.(type) {
	case nil:
		return rows, nil
	case map[string]any:
		texts := map[string]any{}
		for _, name := range sortedKeys(want) {
			text := want[name]
			if first := name + " (1)"; also[first] == name {
				env.Warn("equal_columns", "several columns are named %q: used %q, which is the first; %q is the next", name, first, name+" (2)")
			}
			if column, ok := also[name].(string); ok {
				name = column
			}
			if !slices.Contains(columns, name) {
				return nil, diag.New(diag.ParamInvalid, "the table has no column %q; its columns are %s", name, strings.Join(columns, ", ")).
					WithHint("write the names of columns as the table's header shows them")
			}
			if before, ok := texts[name]; ok && folded(before) != folded(text) {
				return nil, diag.New(diag.ParamInvalid, "found the column %q twice, with different texts, expected it once", name).WithHint("write the column once")
			}
			texts[name] = text
		}
		match = func(cells map[string]any) bool {
			for name, text := range texts {
				if folded(cells[name]) != folded(text) {
					return false
				}
			}
			return true
		}
	case []any:
		return nil, diag.New(diag.ParamInvalid, "`row` is a list, expected a text or a map from columns to texts").
			WithHint("write row: Ada, or row: {Customer: Ada}")
	default:
		text := folded(want)
		match = func(cells map[string]any) bool {
			for _, v := range cells {
				if strings.Contains(folded(v), text) {
					return true
				}
			}
			return false
		}
	}
	return slices.DeleteFunc(rows, func(r tableRow) bool { return !match(r.cells) }), nil
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}
