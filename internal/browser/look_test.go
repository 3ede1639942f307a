package browser

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// Look makes one call for any number of questions, and reports which candidates of aliases matched.
func TestLook(t *testing.T) {
	ctx, p := show(t, `<p class=a>One</p><p class=a hidden>Two</p><x-open></x-open><input type=password id=pw value=secret>
		<script>customElements.define('x-open', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<b data-x="">in</b>'; } })</script>`)
	var won []string
	alias := css("an alias")
	alias.Bind = query(selectors.QueryPart{Kind: selectors.AliasKind, Alias: "kind", Alts: []selectors.QueryAlt{
		{Parts: []selectors.QueryPart{cssPart(".none")}}, {Parts: []selectors.QueryPart{cssPart(".a")}}}}).Bind
	alias.Decided = func(_ driver.Document, w driver.Winner) { won = append(won, fmt.Sprint(w.Alias, w.Index)) }
	questions := []driver.Question{
		{Target: css(".a"), What: "count"}, {Target: css(".a"), What: "visible"}, {Target: css(".a"), What: "text"}, {Target: css("b"), What: "attr", Attr: "data-x"},
		{Target: css("b"), What: "attr", Attr: "nope"}, {Target: alias, What: "count"}, {Target: css(".none"), What: "visible"}, {Target: css(".none"), What: "text"},
		{Target: css(".a"), What: "rows", Fields: []driver.ExtractField{{Name: "t", Read: driver.ReadOptions{What: "text"}}}, Only: driver.RowFilter{Shown: true}},
		{Target: css("body"), What: "rows", Fields: []driver.ExtractField{{Name: "b", Query: &selectors.Query{Parts: []selectors.QueryPart{cssPart("b")}}}, {Name: "all", Query: &selectors.Query{Parts: []selectors.QueryPart{cssPart(".a")}}, All: true}}},
		{Target: css(".none"), What: "rows", Fields: []driver.ExtractField{{Name: "t"}}},
	}
	before := p.NextAct()
	got, err := p.Look(ctx, questions)
	if err != nil || fmt.Sprintf("%v", got) != "[2 1 One  <nil> 2 0 <nil> [map[t:One]] [map[all:[One Two] b:in]] []]" {
		t.Errorf("got %v, %v", got, err)
	}
	if n := p.NextAct() - before - 1; n != 1 { // the page's own count: its browser serves other tests too
		t.Errorf("the engine was asked %d times for one look", n)
	}
	if fmt.Sprint(won) != "[kind1]" {
		t.Errorf("the candidates that won are %v", won)
	}
	_, err = p.Look(ctx, []driver.Question{{Target: css(".a"), What: "count"}, {Target: css("p["), What: "count"}})
	if e := diag.As(err); e == nil || e.Code != diag.ParamInvalid || e.Details["selector"] != "css:p[" {
		t.Errorf("a bad selector: got %v, want it named", err)
	}
}

// Roles and names that only the browser knows are requested once for all questions.
func TestLookAsksTheBrowser(t *testing.T) {
	ctx, p := show(t, `<style>button::before{content:open-quote}button::after{content:close-quote}</style><h1>T</h1><table><tr><td>1<td>2</table><button>Go</button>`)
	button := rolePart("button", "“Go”")
	got, err := p.Look(ctx, []driver.Question{
		{Target: query(rolePart("heading", "")), What: "count"}, {Target: query(selectors.QueryPart{Kind: selectors.Role, Role: "table"}), What: "count"},
		{Target: query(button), What: "text"}, {Target: query(selectors.QueryPart{Kind: selectors.Role, Role: "grid"}), What: "count"},
	})
	if text := fmt.Sprint(got[1:]); err != nil || text != "[1 Go 0]" && text != "[0 Go 0]" {
		t.Errorf("got %v, %v", got, err)
	}
}
