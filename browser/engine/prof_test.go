package engine
import ("testing";"fmt";"sort")
func TestProf(t *testing.T) {
	p := open(t, bigPage(520))
	prof := func(name string, q object) {
		p.cdp("Profiler.enable", nil)
		p.cdp("Profiler.setSamplingInterval", object{"interval": 200})
		p.cdp("Profiler.start", nil)
		n := p.engineEval(fmt.Sprintf(`(async () => { const req=%s; const f=performance.now(); for (let i=0;i<40;i++){ await __action.act(req);} return (performance.now()-f)/40})()`, str(request("none", q, "need", []string{"visible"}))))
		var r struct{ Profile struct{ Nodes []struct{ ID int; HitCount int; CallFrame struct{ FunctionName string; LineNumber int } } } }
		decode(t, p.cdp("Profiler.stop", nil), &r)
		m := map[string]int{}
		tot := 0
		for _, n := range r.Profile.Nodes { m[fmt.Sprint(n.CallFrame.FunctionName, ":", n.CallFrame.LineNumber)] += n.HitCount; tot += n.HitCount }
		var ks []string
		for k := range m { ks = append(ks, k) }
		sort.Slice(ks, func(i, j int) bool { return m[ks[i]] > m[ks[j]] })
		fmt.Println("==", name, n)
		for _, k := range ks[:min(14, len(ks))] { fmt.Printf("%5.1f%% %s\n", float64(m[k])*100/float64(tot), k) }
	}
	prof("text", query(text("Row 500")))
	prof("filter", query(css("tr"), part{"kind": "has-text", "value": "Row 500"}, role("button")))
	prof("hastext", query(css("tr"), part{"kind": "has-text", "value": "Row 500"}))
}
