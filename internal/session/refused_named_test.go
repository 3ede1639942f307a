package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/libraries"
)

// partsRefused shows one control that the server, the page or the library refuses, by the query "part".
const partsRefused = `
const ask = (url, how) => fetch(url, how).then((r) => { if (!r.ok) message("error", "Nothing was stored", 3); return r.ok; });
const post = () => ask("/up/500", { method: "POST" });
const regions = [{ label: "Asia", value: "as", children: [{ label: "China", value: "cn", children: [{ label: "Zhejiang", value: "zj" }] }] }];
const cities = (q) => ["New York", "Newcastle", "Bonn"].filter((c) => q && c.includes(q));
const part = query.get("part");
const item = (label, control) => h(antd.Form, null, h(antd.Form.Item, { label, htmlFor: "c" }, control));
const City = () => {
  const [found, set] = React.useState([]);
  const search = (q) => part === "search" ? q && fetch("/up/500?q=" + q).then((r) => r.json()).then(set, () => set([])) : set(cities(q));
  return h(antd.Select, { id: "c", showSearch: true, filterOption: false, onSearch: search, style: { width: 200 } },
    found.map((c) => h(antd.Select.Option, { key: c, value: c }, c)));
};
draw((h, antd) => [{
  dialog: () => h(antd.Modal, { open: true, visible: true, title: "New user", okText: "Save", cancelText: "Cancel", onOk: () => { post(); } }, "Ann"),
  quiet: () => h(antd.Modal, { open: true, visible: true, title: "New user", okText: "Save", cancelText: "Cancel", onOk: () => { fetch("/up/500", { method: "POST" }); } }, "Ann"),
  again: () => { const May = () => { const [on, set] = React.useState(true);
    return h(antd.Modal, { open: on, visible: on, title: "New user", okText: "Save", cancelText: "Cancel", onOk: () => { fetch("/up/500", { method: "POST" }).then(() => fetch("/up/ok", { method: "POST" })).then(() => setTimeout(set, 900, false)); } }, "Ann"); };
    return h(May); },
  sort: () => h(antd.Table, { pagination: false, rowKey: "n", dataSource: [{ n: 1, a: 5 }, { n: 2, a: 3 }], onChange: () => { ask("/up/500?sort=a"); },
    columns: [{ title: "Number", dataIndex: "n" }, { title: "Amount", dataIndex: "a", sorter: true, sortOrder: false }] }),
  row: () => h(antd.Table, { pagination: false, rowKey: "n", dataSource: [{ n: "A-1" }],
    columns: [{ title: "Number", dataIndex: "n" }, { title: "Actions", render: () => h("span", null, h("a", null, "Edit"), " ", h(antd.Button, { "aria-label": "Delete" }, "×")) }] }),
  search: () => item("City", h(City)),
  offers: () => item("City", h(City)),
  region: () => item("Region", h(antd.Cascader, { id: "c", options: regions, style: { width: 200 } })),
  tree: () => item("Department", h(antd.TreeSelect, { id: "c", treeDefaultExpandAll: true, style: { width: 200 },
    treeData: [{ title: "Development", label: "Development", value: "d", selectable: false, children: [{ title: "Web", label: "Web", value: "w" }] }] })),
  stars: () => item("Score", h(antd.Rate, { id: "c" })),
  day: () => item("Deadline", h(antd.DatePicker, { id: "c", minDate: dayjs("2026-01-10"), maxDate: dayjs("2026-12-20") })),
}[part]()], {
  dialog: old ? '<el-dialog title="New user" :visible="true">Ann<span slot="footer"><el-button>Cancel</el-button><el-button type="primary" @click="post">Save</el-button></span></el-dialog>'
    : '<el-dialog title="New user" :model-value="true">Ann<template #footer><el-button>Cancel</el-button><el-button type="primary" @click="post">Save</el-button></template></el-dialog>',
  row: '<el-table :data="[{ n: \'A-1\' }]"><el-table-column prop="n" label="Number"></el-table-column><el-table-column label="Actions"><template #default><el-button>Edit</el-button><el-button aria-label="Delete">×</el-button></template></el-table-column></el-table>',
  toggle: '<el-form><el-form-item label="Maintenance"><el-switch :model-value="false" :before-change="post"></el-switch></el-form-item></el-form>',
  region: '<el-form><el-form-item label="Region"><el-cascader :options="regions"></el-cascader></el-form-item></el-form>',
}[part], { post, regions });
`

// TestRefusalsThatAreNamed checks that an action that is refused says by what: the request and the
// message, or what there is instead.
func TestRefusalsThatAreNamed(t *testing.T) {
	t.Parallel()
	partsOf(t, partsRefused, func(t *testing.T, b *bench, page libraries.Page, url string) {
		city, user := object{"label": "City", "option": "New"}, object{"title": "New user"}
		for _, tt := range shareOf(t, "refusals", page, []struct {
			part, action string
			params       object
			code         diag.Code // "" is a success
			says         string
			on           string // pages that have it
		}{
			{"dialog", "dialog:confirm", user, diag.StepFailed, `the server refused POST %s/up/500: HTTP 500 ; the page says "Nothing was stored"`, "antd4 antd5 antd6 element2 elementplus"},
			{"quiet", "dialog:confirm", user, diag.StepFailed, "still open, and the server refused POST %s/up/500: HTTP 500", "antd4 antd5 antd6"},
			{"again", "dialog:confirm", user, "", "", "antd5 antd6"},
			{"toggle", "switch:set", object{"label": "Maintenance"}, diag.StepFailed, `HTTP 500 , and the page says "Nothing was stored"`, "elementplus"},
			{"sort", "table:sort", object{"column": "Amount"}, diag.StepFailed, "is not sorted ascending: the server refused GET %s/up/500?sort=a: HTTP 405", "antd5 antd6"},
			{"search", "select:choose", city, diag.StepFailed, "the server refused GET %s/up/500?q=New: HTTP 405", "antd5 antd6"},
			{"offers", "select:choose", city, diag.StepFailed, `the search for it offers "New York", "Newcastle"`, "antd5 antd6"},
			{"row", "table:row-action", object{"row": "A-1", "text": "Refund"}, diag.ElementNotFound, `there are "Edit", `, "antd4 antd5 antd6 element2 elementplus"},
			{"region", "cascader:choose", object{"label": "Region", "path": []any{"Asia", "China"}}, diag.StepFailed, `there are "Zhejiang"`, "antd4 antd5 antd6 element2 elementplus"},
			{"tree", "tree:select", object{"label": "Department", "path": []any{"Development"}}, diag.ElementNotInteractable, "Development cannot be chosen in Department", "antd5 antd6"},
			{"stars", "field:set", object{"label": "Score", "value": 7}, diag.ParamInvalid, "Score has 5 stars, not 7", "antd4 antd5 antd6"},
			{"day", "date:pick", object{"label": "Deadline", "value": "2027-01-05"}, diag.StepFailed, "2027-01-05 cannot be picked in Deadline", "antd5 antd6"},
		}) {
			if !slices.Contains(strings.Fields(tt.on), page.Name) {
				continue
			}
			b.open(t, url+"?part="+tt.part)
			r := b.run(t, page.Library+":"+tt.action, tt.params)
			switch {
			case tt.code != "":
				wantError(t, r, tt.code, strings.ReplaceAll(tt.says, "%s", strings.TrimSuffix(url, "/"+page.Name)))
			case r.Error != nil:
				t.Errorf("%s: %s", tt.part, describe(r.Error))
			}
		}
	})
}
