package session_test

// Tests of features that definitions for component libraries use: cells of a table by their header,
// maps in foreach, and params of type any.

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
)

const tablesPage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Tables</title></head><body>
<table id="plain"><thead><tr><th rowspan="2">Name</th><th colspan="2">Size</th><th rowspan="2">Name</th></tr><tr><th>cm</th><th>kg</th></tr></thead>
<tbody><tr style="visibility:collapse"><td>x</td></tr><tr><td rowspan="2">Ann</td><td>1</td><td>2</td><td>A</td></tr><tr><td>3</td><td>4</td><td>B  b</td></tr>
<tr><td colspan="4">That is all</td></tr></tbody></table>
<div id="split"><div><table><thead><tr><th>Order</th><th>Item</th></tr></thead></table></div><div><table><tbody><tr><td>1</td><td>Anvil</td></tr></tbody></table></div>
<div style="position:absolute;left:600px"><table><thead><tr><th>Actions</th></tr></thead><tbody><tr><td><button>Edit</button></td></tr></tbody></table></div></div>
<div id="copies" style="position:relative;width:300px"><div style="overflow:hidden"><table style="width:500px;table-layout:fixed"><thead><tr><th rowspan="2"></th><th colspan="2">Size</th><th rowspan="2">Land</th></tr>
<tr><th>cm</th><th>kg</th></tr></thead></table></div><div style="overflow:auto"><table style="width:500px;table-layout:fixed"><tbody><tr><td></td><td>1</td><td>2</td><td>Oslo</td></tr></tbody></table></div>
<div style="position:absolute;top:0;left:0;width:100px;overflow:hidden"><table style="width:500px;table-layout:fixed"><thead><tr><th rowspan="2">Name</th><th colspan="2"></th><th rowspan="2"></th></tr><tr><th>cm</th><th>kg</th></tr></thead></table>
<table style="width:500px;table-layout:fixed"><tbody><tr><td>Ann</td><td><i style="visibility:hidden">1</i></td><td><i style="visibility:hidden">2</i></td><td></td></tr></tbody></table></div></div>
<div id="aria" role="grid"><div role="row"><span role="columnheader">City</span> <span role="columnheader">Land</span></div>
<div role="row"><span role="gridcell">Oslo</span> <span role="gridcell">Norway</span></div></div>
<table id="none"><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td colspan="2">No data</td></tr></tbody></table>
<table id="edited"><thead><tr><th>Name</th><th>Price</th><th>Plan</th><th>Note</th><th>On</th><th>Key</th><th>Do</th></tr></thead>
<tbody><tr><td><input value="Ann  Lee"></td><td>EUR <b>net</b> <input value="12"> a <i>piece</i><span hidden>old</span></td>
<td><select><option>Alpha<option selected>Beta</select><input style="display:none" value="x"></td><td><div><textarea>one
two</textarea></div><div style="float:left">kept</div></td>
<td>yes<b>!</b><input type="checkbox" value="on"><input type="hidden" value="7"></td><td><input type="password" value="secret"></td><td><input type="submit" value="Edit"></td></tr></tbody></table>
<p id="text">no table</p>
</body></html>
`

func TestTableStep(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, tablesPage)
	}))
	b := newBench(t, nil, nil, shortWait)
	b.mustRun(t, "web:page:open", map[string]any{"url": base})
	read := func(args map[string]any) session.RunOptions {
		return session.RunOptions{Params: args, Cwd: b.cwd, Environ: b.environ}
	}
	for _, tt := range []struct {
		name, selector string
		row            any
		want           map[string]string
	}{
		{"spans and equal headers", "css:#plain", nil, map[string]string{
			"columns": "[Name cm kg Name (2)]", "count": "2", "at": "2", "rows.1": "map[Name:Ann Name (2):B b cm:3 kg:4]"}},
		{"a row by columns", "css:#plain", map[string]any{"Name": "Ann", "cm": "3"}, map[string]string{"count": "1", "at": "3"}},
		{"a row by text", "css:#plain", "B b", map[string]string{"count": "1", "row.cm": "3"}},
		{"no such row", "css:#plain", "Zoe", map[string]string{"count": "0", "at": "0", "row": "<nil>"}},
		{"in parts", "css:#split", nil, map[string]string{"columns": "[Order Item Actions]", "rows": "[map[Actions:Edit Item:Anvil Order:1]]"}},
		{"in copies that cut off", "css:#copies", nil, map[string]string{"columns": "[Name cm kg Land]", "rows": "[map[Land:Oslo Name:Ann cm:1 kg:2]]"}},
		{"by roles", "css:#aria", nil, map[string]string{"columns": "[City Land]", "rows": "[map[City:Oslo Land:Norway]]"}},
		{"with fields", "css:#edited", nil, map[string]string{
			"rows": "[map[Do:Edit Key: Name:Ann  Lee Note:one\ntwo kept On:yes! Plan:Beta Price:EUR net 12 a piece]]"}},
		{"a row by what a field holds", "css:#edited", map[string]any{"Plan": "Beta"}, map[string]string{"count": "1"}},
		{"empty", "css:#none", nil, map[string]string{"columns": "[A B]", "count": "0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := map[string]any{"selector": tt.selector}
			if tt.row != nil {
				args["row"] = tt.row
			}
			got := data(t, b.Step(t.Context(), "table", read(args)))
			for path, want := range tt.want {
				if have := lookup(got, path); have != want {
					t.Errorf("%s = %q, want %q", path, have, want)
				}
			}
		})
	}
	wantError(t, b.Step(t.Context(), "table", read(map[string]any{"selector": "css:#plain", "row": map[string]any{"Nme": "Ann"}})), diag.ParamInvalid, `no column "Nme"`)
	wantError(t, b.Step(t.Context(), "table", read(map[string]any{"selector": "css:#text"})), diag.StepFailed, "no table")
}

const languageActions = `
namespace: lang
version: 1.0.0
actions:
  map:each:
    params: {values: {type: object, required: true}}
    steps:
      - action: foreach
        args: {items: "${values}", as: pair}
        output: done
        steps: [{action: set, args: {values: {text: "${pair.key}=${pair.value}"}}, output: one}]
    returns: {items: "${steps.done.items}"}
  list:front:
    params: {list: {type: array, required: true}, any: {type: any, default: 7}}
    steps:
      - action: foreach
        args: {items: "${list}", max: -1}
        output: done
        steps: [{action: set, args: {values: {text: "${item}"}}, output: one}]
    returns: {count: "${steps.done.count}", last: "${list[-1]}", any: "${any}"}
`

func TestLanguageOfLists(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"lang.yaml": languageActions}, nil)
	got := b.mustRun(t, "lang:map:each", map[string]any{"values": map[string]any{"b": 2.0, "a": "x"}})
	want(t, got, "items", "[map[one:map[text:a=x]] map[one:map[text:b=2]]]")
	for _, tt := range []struct {
		list        []any
		count, last string
	}{{[]any{"p", "q", "r"}, "2", "r"}, {[]any{"p"}, "0", "p"}, {[]any{}, "0", "<nil>"}} {
		got := b.mustRun(t, "lang:list:front", map[string]any{"list": tt.list})
		want(t, got, "count", tt.count)
		want(t, got, "last", tt.last)
		want(t, got, "any", "7")
	}
	for _, v := range []any{"text", true, []any{"a"}, map[string]any{"k": "v"}} {
		want(t, b.mustRun(t, "lang:list:front", map[string]any{"list": []any{}, "any": v}), "any", fmt.Sprint(v))
	}
	r := b.runWith(t, "lang:list:front", session.RunOptions{Params: map[string]any{"list": "[]", "any": `{"k": [1]}`}, FromText: true})
	want(t, data(t, r), "any", "map[k:[1]]")
}
