package catalogue

// The step extract, which reads rows of a list or a table as data.

import (
	"context"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type hue string

// Hues lists the text colours that the steps `extract` and `look` distinguish.
var Hues = []string{"red", "orange", "yellow", "green", "blue", "purple", "grey"}

func (hue) Values() []string { return Hues }

type extractArgs struct {
	Rows   driver.Target `arg:"rows,required" doc:"matches each row"`
	Fields steps.Fields  `arg:"fields,required" doc:"name of each field and where to read it"`
	Shown  bool          `arg:"shown" default:"false" doc:"true: only visible rows, and visible matches in them; their texts include the values of input fields"`
	Hue    hue           `arg:"hue" doc:"only rows with their own words in that hue; black and white are grey"`
	Over   bool          `arg:"over" default:"false" doc:"true: only rows that lie over the page (position fixed or absolute) and are smaller than half of the window"`
	Unlike any           `arg:"unlike" doc:"rows that were read before in the same way: only rows that differ from each of them, not only in digits"`
}

type rowsResult struct {
	Rows  []map[string]any `json:"rows" doc:"a list of objects"`
	Count int              `json:"count" doc:"number of rows"`
}

func rowsOf(rows []map[string]any) rowsResult { return rowsResult{rows, len(rows)} }

func extract(ctx context.Context, env *steps.Env, a *extractArgs) (rowsResult, error) {
	rows, err := readRows(ctx, env, a.Rows, a.Fields, driver.RowFilter{Shown: a.Shown, Hue: string(a.Hue), Over: a.Over})
	if err == nil && a.Unlike != nil {
		rows, err = unlike(rows, a.Unlike)
	}
	return rowsOf(rows), err
}

// readRows reads the rows that are on the page now.
func readRows(ctx context.Context, env *steps.Env, rows driver.Target, bound steps.Fields, only driver.RowFilter) ([]map[string]any, error) {
	fields, err := extractFields(ctx, env, bound)
	if err != nil {
		return nil, err
	}
	return env.Page.Extract(ctx, rows, fields, only)
}

// extractFields converts the fields of an argument to the form in which the page reads them.
func extractFields(ctx context.Context, env *steps.Env, bound []steps.BoundField) ([]driver.ExtractField, error) {
	doc, err := env.Page.Shown(ctx)
	if err != nil {
		return nil, err
	}
	var fields []driver.ExtractField
	for _, f := range bound {
		field := driver.ExtractField{Name: f.Name, Read: driver.ReadOptions{What: f.What, Name: f.Attr}, All: f.All}
		if f.Target != nil {
			if field.Query, err = f.Target.Bind(ctx, doc); err != nil {
				return nil, err
			}
		}
		fields = append(fields, field)
	}
	return fields, nil
}
