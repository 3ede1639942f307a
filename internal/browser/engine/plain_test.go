package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A scribbler generates random pages.
type scribbler struct {
	*rand.Rand
	ids int
}

func (s *scribbler) one(of ...string) string { return of[s.IntN(len(of))] }

func (s *scribbler) words() string {
	return s.one("Save", "  go  ", "a b", "新建", "日本 語", "x\n  y", "&nbsp;z", "1.", "", "…", "é", "&#8203;w", "a-b", "A&amp;B", "tab\tt", "&shy;soft", "👍🏽")
}

func (s *scribbler) attrs() string {
	if s.IntN(3) == 0 {
		return ""
	}
	css := s.one("display:block", "display:none", "visibility:hidden", "display:inline-block", "white-space:pre", "text-transform:uppercase",
		"float:left", "position:absolute", "font-size:0", "opacity:0", "content-visibility:hidden", "display:contents", "display:flex",
		"width:0;overflow:hidden", "text-indent:-999px", "display:inline-flex", "-webkit-line-clamp:1", "display:ruby-text")
	return " " + s.one(`style="`+css+`"`, "class=c", "class=up", "class=q", "title=T", `title=" "`, "aria-label=L", `aria-label=" "`, "aria-hidden=true",
		"hidden", "aria-expanded=true", "lang=fr", "dir=rtl", "aria-labelledby=z", "tabindex=0", "aria-describedby=z", "accesskey=s")
}

// tag returns one of tags, with the content.
func (s *scribbler) tag(content string, tags ...string) string {
	name := s.one(tags...)
	return fmt.Sprintf("<%s%s>%s</%s>", name, s.attrs(), content, name)
}

func (s *scribbler) inline(depth int) string {
	var b strings.Builder
	for range 1 + s.IntN(4) {
		switch k := s.IntN(10); {
		case k < 5 || depth > 3:
			b.WriteString(s.words() + s.one("", " "))
		case k < 9:
			b.WriteString(s.tag(s.inline(depth+1), "span", "b", "i", "em", "strong", "small", "u", "code", "font", "label", "q", "kbd", "sub"))
		default:
			b.WriteString(s.one("<br>", "<img alt=I>", "<img>", "<!-- c -->", "<input>", "<wbr>", "<div>d</div>", "<svg width=9 height=9><path d='M0 0h9v9z'/></svg>"))
		}
	}
	return b.String()
}

func (s *scribbler) control(id string) string {
	kind := s.one("email", "number", "range", "search", "password", "submit", "reset", "button", "tel", "url", "date", "file", "checkbox", "radio", "text")
	return fmt.Sprintf(s.one("<input id=%s%s>", "<input placeholder=P id=%s%s>", "<input type="+kind+s.one("", " value=V", ` value=""`)+" id=%s%s>",
		"<select id=%s%s><option>o<option selected>p</select>", "<textarea id=%s%s>v</textarea>", "<output id=%s%s>x</output>"), id, s.attrs())
}

func (s *scribbler) block() string {
	s.ids++
	id := fmt.Sprint("t", s.ids)
	switch s.IntN(16) {
	case 0, 1:
		return "<a href=#" + s.attrs() + ">" + s.inline(0) + "</a>"
	case 2, 3:
		return s.tag(s.inline(0), "button", "h2", "nav", "form", "p", "main", "article", "output", "a")
	case 4, 5:
		return s.tag(s.inline(1)+s.control(id)+s.inline(1), "label")
	case 6, 7:
		return "<label for=" + id + s.attrs() + ">" + s.inline(1) + "</label>" + s.control(id)
	case 8:
		return "<label for=" + id + ">A</label><label for=" + id + ">" + s.inline(2) + "</label>" + s.control(id)
	case 9, 10:
		return s.control(id)
	case 11:
		return s.tag(s.tag(s.inline(0), "li")+"<li>x", "ul", "ol", "menu")
	case 12:
		return s.tag(s.block(), "div", "section")
	case 13:
		return "<div role=" + s.one("menu", "list", "tree", "listbox", "none", "group", "radiogroup", "button") + ">" + s.block() + "</div>"
	case 14:
		return s.table()
	}
	return fmt.Sprintf(s.one("<fieldset disabled>%s</fieldset>", "<details open><summary>s</summary>%s</details>", "<div inert>%s</div>", "<a href=#>%s</a>"), s.block())
}

// table returns a table that a browser may or may not take for a layout table.
func (s *scribbler) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<table%s>%s", s.attrs(), s.one("", "", "<caption>c</caption>", "<col>"))
	if s.IntN(3) == 0 {
		b.WriteString(s.tag(s.tag(s.one("<th>A<th>B", "<td>A<td>B", "<th scope=col>A<td>B", "<th>A<td>B", "<th></th>")+s.tag("C", "th", "td"), "tr"), s.one("thead", "tfoot")))
	}
	for range 1 + s.IntN(2)*s.IntN(22) {
		b.WriteString(s.tag(s.tag(s.one("x", "", "<a href=#>y</a>"), "td", "th")+"<td>b</td>"+s.one("", "<th scope=row>r", "<th>h", "<th scope=rowgroup>"), "tr"))
	}
	fmt.Fprintf(&b, "<tr><td>%s<td>b</table>", s.block())
	return b.String()
}

// If the engine takes its own result for certain, the browser has the same result.
func TestPlainIsTheBrowsers(t *testing.T) {
	p := newTab(t, withInner(t, "roleOf,plainName,isPlain,toldRole,plainRole,fold,fresh,isExposed"))
	files := map[string]string{}
	const pages = 12
	for i := range pages {
		s := &scribbler{Rand: rand.New(rand.NewPCG(uint64(i), 7))}
		var b strings.Builder
		b.WriteString(`<style>.c::before{content:"*"}.up{text-transform:capitalize}.q::after{content:open-quote}</style><span id=z>Zed</span>`)
		for range 40 {
			b.WriteString(s.block() + "\n")
		}
		files[fmt.Sprintf("/%d", i)] = b.String()
	}
	p.serve(files)
	names, roles := 0.0, 0.0
	for i := range pages {
		p.navigate(fmt.Sprintf("/%d", i))
		got := p.engineObject(`(() => {
			__action.fresh();
			const unlike = [];
			let names = 0, roles = 0;
			for (const el of document.body.querySelectorAll('*')) {
				if (!__action.isExposed(el)) continue;
				const own = __action.roleOf(el), name = __action.plainName(el);
				if (__action.isPlain(el)) {
					roles++;
					const role = __action.toldRole(__action.plainRole(el.computedRole), own);
					if (role !== own) unlike.push([own, role, el.parentNode.outerHTML.slice(0, 500)]);
				}
				if (name === null || el.computedRole === 'none') continue;
				names++;
				const told = __action.fold(el.computedName);
				if (name !== told) unlike.push([name, told, (el.labels?.[0] ?? el).outerHTML.slice(0, 500)]);
			}
			return {unlike, names, roles};
		})()`)
		for _, u := range got["unlike"].([]any) {
			t.Errorf("page %d: own is %q, the browser's %q: %s", i, u.([]any)[0], u.([]any)[1], u.([]any)[2])
		}
		names, roles = names+got["names"].(float64), roles+got["roles"].(float64)
	}
	if names < 200 || roles < 500 {
		t.Errorf("only %v names and %v roles were certain", names, roles)
	}
}

// A query that needs the browser's result reports that, and succeeds once it has the result.
func TestUnkept(t *testing.T) {
	p := open(t, `<h1>Plain</h1><button>Save</button><x-y></x-y><button title=Tip></button>`)
	p.engineEval("delete globalThis.__action")
	p.engineEval(Source())
	save, tip := query(role("button", named("Save"))), query(role("heading"))
	if got := verdict(p.call("act", request("none", tip))); got != "ok" {
		t.Errorf("the heading: %s", got)
	}
	for _, what := range []struct {
		fn  string
		req object
	}{{"tree", object{}}, {"find", object{"query": save}}, {"act", request("none", save)}} {
		if r := p.call(what.fn, what.req); r["reason"] != "tree" {
			t.Errorf("%s: got %.200s, want the reason tree", what.fn, str(r))
		}
	}
	if r := p.call("tree", object{"kept": true}); r["ok"] != true || len(r["tree"].(object)["sealed"].([]any)) != 1 {
		t.Errorf("with the tree: %.300s", str(r))
	}
}
