package engine
import ("testing";"fmt")
func TestProf(t *testing.T) {
	p := open(t, bigPage(520))
	run := func(name, js string) {
		ms := p.engineEval(`(async () => { const times=[]; let sink=0;
		for (let i=0;i<15;i++){ document.body.style.paddingTop=i%2+'px'; document.body.getBoundingClientRect(); const f=performance.now(); `+js+`; times.push(performance.now()-f);} return times.sort((a,b)=>a-b)[7]})()`)
		fmt.Println(name, ms)
	}

	run("style both", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.display.length+c.visibility.length }`)
	run("style visibility", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.visibility.length }`)
	run("style display", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.display.length }`)
	run("style gpv", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.getPropertyValue('visibility').length }`)
	run("style map", `for (const e of document.querySelectorAll('*')) { const c=e.computedStyleMap(); sink+=c.get('visibility').value.length }`)
	run("style two loops", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.display.length };for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.visibility.length }`)
	run("position", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c.position.length }`)
	run("gcs only", `for (const e of document.querySelectorAll('*')) { const c=getComputedStyle(e); sink+=c?1:0 }`)
}
