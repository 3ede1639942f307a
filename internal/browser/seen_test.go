package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// A text is on the page if a person can see it, whichever step searches for it.
func TestSeenText(t *testing.T) {
	tests := []struct {
		name, html string
		want       bool
	}{
		{"plain", `<p>Saved</p>`, true},
		{"over several elements", `<p>Sa<b>ved</b></p>`, true},
		{"behind a hidden one", `<p hidden>Saved</p><p>Saved</p>`, true},
		{"behind a clipped one", `<div style="height:0;overflow:hidden"><p>Saved</p></div><p>Saved</p>`, true},
		{"transparent", `<p style="opacity:0">Saved</p>`, true},
		{"below the fold", `<div style="height:5000px"></div><p>Saved</p>`, true},
		{"in a box that scrolls", `<div style="height:50px;overflow:auto"><div style="height:500px"></div><p>Saved</p></div>`, true},
		{"below in a box that the page scrolls", `<div style="height:50px;overflow:hidden"><div style="height:500px"></div><p>Saved</p></div>`, true},
		{"beside in a box that the page scrolls", `<div style="width:90px;overflow:hidden;white-space:nowrap"><b style="display:inline-block;width:500px"></b><b>Saved</b></div>`, true},
		{"to the left in such a box", `<div style="position:relative;height:50px;overflow:hidden"><p style="position:absolute;left:-900px">Saved</p></div>`, false},
		{"cut away where nothing scrolls", `<div style="height:50px;overflow:clip"><div style="height:500px"></div><p>Saved</p></div>`, false},
		{"fixed in a box that clips", `<div style="height:0;overflow:hidden"><p style="position:fixed;top:9px">Saved</p></div>`, true},
		{"absolute in a static box that clips", `<div style="height:0;overflow:hidden"><p style="position:absolute;top:9px">Saved</p></div>`, true},
		{"absolute in a positioned box that clips", `<div style="position:relative;height:0;overflow:hidden"><p style="position:absolute;top:0">Saved</p></div>`, false},
		{"closed details", `<details><summary>More</summary><p>Saved</p></details>`, false},
		{"zero height", `<div style="height:0;overflow:hidden"><p>Saved</p></div>`, false},
		{"zero size", `<div style="width:0;height:0;overflow:hidden">Saved</div>`, false},
		{"scrolled in a box without height", `<div style="height:0;overflow:auto"><p>Saved</p></div>`, false},
		{"visibility", `<p style="visibility:hidden">Saved</p>`, false},
		{"display", `<p style="display:none">Saved</p>`, false},
		{"content-visibility", `<div style="content-visibility:hidden"><p>Saved</p></div>`, false},
		{"until found", `<p hidden=until-found>Saved</p>`, false},
		{"for screen readers", `<p style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap">Saved</p>`, false},
		{"the back of a card", `<div style="transform-style:preserve-3d"><p style="backface-visibility:hidden;transform:rotateY(180deg)">Saved</p></div>`, false},
		{"the back of a card, turned by rotate", `<p style="backface-visibility:hidden;rotate:x 180deg">Saved</p>`, false},
		{"the front of a card that is turned", `<div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden">Saved</p></div>`, false},
		{"the back of a card that is turned", `<div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden;transform:rotateY(180deg)">Saved</p></div>`, true},
		{"the front of a card", `<div style="transform-style:preserve-3d"><p style="backface-visibility:hidden">Saved</p></div>`, true},
		{"mirrored, with a back that is drawn", `<p style="transform:rotateY(180deg)">Saved</p>`, true},
		{"clip-path", `<p style="clip-path:inset(50%)">Saved</p>`, false},
		{"far to the left", `<p style="position:absolute;left:-9999px">Saved</p>`, false},
		{"indented away", `<p style="text-indent:-9999px">Saved</p>`, false},
		{"fixed below the viewport", `<p style="position:fixed;top:110vh">Saved</p>`, false},
		{"closed details, bare", `<details><summary>More</summary>Saved</details>`, false},
		{"closed details, in parts", `<details><summary>More</summary>Sa<b>ved</b></details>`, false},
		{"closed details, without a box", `<details><summary>More</summary><span style="display:contents">Saved</span></details>`, false},
		{"open details, bare", `<details open><summary>More</summary>Saved</details>`, true},
		{"closed details that show what they hold", `<style>details::details-content{content-visibility:visible;display:block}</style><details><summary>More</summary>Saved</details>`, true},
		{"summary of closed details", `<details><summary>Saved</summary>More</details>`, true},
		{"closed details, and shown", `<details><summary>More</summary>Saved</details><p>Saved</p>`, true},
		{"content-visibility, bare", `<div style="content-visibility:hidden;height:50px">Saved</div>`, false},
		{"content-visibility: auto, bare", `<div style="content-visibility:auto">Saved</div>`, true},
		{"until found, bare", `<div hidden=until-found style="height:50px">Saved</div>`, false},
		{"without a box in what is not drawn", `<div style="display:none"><span style="display:contents">Saved</span></div>`, false},
		{"without a box", `<div><span style="display:contents">Saved</span></div>`, true},
		{"closed popover", `<p popover>Saved</p>`, false},
		{"closed dialog", `<dialog>Saved</dialog>`, false},
		{"indented away with its parts", `<h1 style="text-indent:-9999px;overflow:hidden"><span>Saved</span></h1>`, false},
		{"hanging indent", `<p style="text-indent:-2em;padding-left:2em">Saved</p>`, true},
		{"contained in a box without height", `<div style="contain:paint;height:0"><p>Saved</p></div>`, false},
		{"contained strictly", `<div style="contain:strict"><p>Saved</p></div>`, false},
		{"contained, with its height", `<div style="contain:content"><p>Saved</p></div>`, true},
		{"contained layout alone", `<div style="contain:layout;height:0"><p>Saved</p></div>`, true},
		{"content-visibility: auto without height", `<div style="content-visibility:auto;height:0"><p>Saved</p></div>`, false},
		{"content-visibility: auto below the fold", `<div style="height:9000px"></div><div style="content-visibility:auto"><p>Saved</p></div>`, true},
		{"in a picture without size", `<svg width=0 height=0><text y=20>Saved</text></svg>`, false},
		{"outside of a picture", `<svg width=90 height=20><text y=200>Saved</text></svg>`, false},
		{"outside of a picture that shows it", `<svg width=90 height=20 style="overflow:visible"><text y=40>Saved</text></svg>`, true},
		{"clipped by an empty path", `<p style="clip-path:url(#none)">Saved</p><svg width=0 height=0><clipPath id=none></clipPath></svg>`, false},
		{"clipped to an empty outline", `<p style="clip-path:path(&quot;M0 0&quot;)">Saved</p>`, false},
		{"clipped to an outline that is a line", `<p style="clip-path:path(&quot;M 0 0 L 50 50 L 90 90 Z&quot;)">Saved</p>`, false},
		{"clipped to lines apart", `<p style="clip-path:path(evenodd, &quot;m 5 5 h 90 m 0 9 v 50&quot;)">Saved</p>`, false},
		{"clipped to a flat curve", `<p style="clip-path:path(&quot;M0 0C1 1 2 2 300 300&quot;)">Saved</p>`, false},
		{"clipped to an outline", `<p style="clip-path:path(&quot;M0 0H900V900Z&quot;)">Saved</p>`, true},
		{"clipped to an arc", `<p style="clip-path:path(&quot;M0 0A90 90 0 0 1 90 90Z&quot;)">Saved</p>`, true},
		{"clipped to a curve", `<p style="clip-path:path(&quot;M0 0C900 0 900 0 0 900&quot;)">Saved</p>`, true},
		{"clipped to a point", `<p style="clip-path:polygon(0 0)">Saved</p>`, false},
		{"clipped to a line", `<p style="clip-path:polygon(evenodd, 0 0, 50% 0, 100% 0)">Saved</p>`, false},
		{"clipped to a slanting line", `<p style="clip-path:polygon(0 0, 50% 50%, 100% 100%)">Saved</p>`, false},
		{"clipped to a triangle", `<p style="clip-path:polygon(0 0, 100% 0, 0 100%)">Saved</p>`, true},
		{"clipped to a triangle of two units", `<p style="clip-path:polygon(0 0, 100% 9px, 0 100%)">Saved</p>`, true},
		{"clipped to a circle of nothing", `<p style="clip-path:circle(0 at 9px 9px)">Saved</p>`, false},
		{"clipped to an ellipse without height", `<p style="clip-path:ellipse(90px 0)">Saved</p>`, false},
		{"clipped to a circle", `<p style="clip-path:circle(100% at 0 0)">Saved</p>`, true},
		{"clipped to an inset of its height", `<p style="clip-path:inset(900px 0)">Saved</p>`, false},
		{"clipped to an empty rectangle", `<p style="clip-path:rect(1px 1px 1px 1px)">Saved</p>`, false},
		{"clipped to a rectangle without width", `<p style="clip-path:xywh(5px 5px 0 10px)">Saved</p>`, false},
		{"clipped to a rectangle", `<p style="clip-path:rect(0 900px 900px 0)">Saved</p>`, true},
		{"clipped to a little inset", `<p style="clip-path:inset(1px 2px round 3px)">Saved</p>`, true},
		{"clipped by a path", `<p style="clip-path:url(#some)">Saved</p><svg width=0 height=0><clipPath id=some><rect width=900 height=900></rect></clipPath></svg>`, true},
		{"clipped by a path that is missing", `<p style="clip-path:url(#missing)">Saved</p>`, true},
		{"without a box, invisible", `<p style="display:contents;visibility:hidden">Saved</p>`, false},
		{"in a picture", `<svg><text y=20>Saved</text></svg>`, true},
		{"in a picture, in parts", `<svg><text y=20>Sa<tspan>ved</tspan></text></svg>`, true},
		{"defined for a picture", `<svg><defs><text y=20>Saved</text></defs></svg>`, false},
		{"defined for a picture, in parts", `<svg><defs><g><text y=20>Sa<tspan>ved</tspan></text></g></defs></svg>`, false},
		{"symbol", `<svg><symbol id=s><text y=20>Saved</text></symbol></svg>`, false},
		{"clip path of a picture", `<svg><clipPath id=c><text y=20>Saved</text></clipPath></svg>`, false},
		{"defined for a picture and in another", `<svg><defs><text y=20>Saved</text></defs><text y=20>Saved</text></svg>`, true},
		{"no font", `<p style="font-size:0">Saved</p>`, false},
		{"noscript", `<noscript>Saved</noscript>`, false},
		{"template", `<template>Saved</template>`, false},
		{"option", `<select><option>Other<option>Saved</select>`, false},
		{"script", `<script>var text = "Saved"</script>`, false},
	}
	for _, tt := range testkit.Kinds(t, "rows", 5, tests, func(i int) any { return tests[i].want }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			// The element of the text is drawn without it, or contains more.
			textAlone := tt.name == "no font" || strings.HasSuffix(tt.name, "bare") || strings.HasSuffix(tt.name, "what they hold")
			text := query(selectors.QueryPart{Kind: "text", Value: "Saved"})
			text.Timeout = 300 * time.Millisecond
			if is, err := p.Is(ctx, text, "visible"); err != nil || is != tt.want && !textAlone {
				t.Errorf("text:Saved is visible: %v, %v; want %v", is, err, tt.want)
			}
			r, err := p.ForText("Saved", 0).Wait(ctx)
			if (err == nil && r.OK) != tt.want {
				t.Errorf("waiting for the text: %v, %v; want %v", r.OK, err, tt.want)
			}
			if textAlone {
				return
			}
			state := "hidden"
			if tt.want {
				state = "visible"
			}
			text.Timeout = 0
			if _, err := p.WaitElement(ctx, text, driver.ElementState{State: state}); err != nil {
				t.Errorf("waiting until it is %s: %v", state, err)
			}
			if tt.want {
				text.Timeout = 300 * time.Millisecond
				_, err := p.WaitElement(ctx, text, driver.ElementState{State: "hidden"})
				wantCode(t, err, diag.ElementNotInteractable)
			}
		})
	}
}

// What is shown in place of a text that is indented away is seen.
func TestSeenInPlaceOfText(t *testing.T) {
	const away = `text-indent:-9999px;width:90px;height:30px;`
	ctx, p := show(t, `<a id=background style="display:block;`+away+`background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)">Home</a>
	<button id=button style="`+away+`">Home</button>
	<p id=colour style="`+away+`background:red">Home</p>
	<p id=border style="`+away+`border:1px solid">Home</p>
	<p id=image style="`+away+`">Home<img style="position:absolute;left:0" width=9 height=9 alt=""></p>
	<style>#before::before{content:"x";position:absolute;left:0;text-indent:0}</style><p id=before style="`+away+`">Home</p>
	<p id=empty style="`+away+`"></p>
	<p id=away style="`+away+`">Home</p>
	<svg><defs><text id=used y=20>Used</text></defs><use href="#used"></use></svg>`)
	for _, id := range []string{"background", "button", "colour", "border", "image", "before", "empty", "away"} {
		is, err := p.Is(ctx, css("#"+id), "visible")
		if err != nil || is != (id != "away") {
			t.Errorf("%s is visible: %v, %v", id, is, err)
		}
	}
	if r, err := p.ForText("Used", 0).Wait(ctx); err != nil || !r.OK {
		t.Errorf("a text that a picture uses: %v, %v", r.OK, err)
	}
}

// An element that is drawn without its texts has none in a snapshot either.
func TestSnapshotOfBareText(t *testing.T) {
	ctx, p := show(t, `<details><summary>More</summary>one</details><div style="content-visibility:hidden;height:50px">two</div><div hidden=until-found>three</div>
		<details><summary>Other</summary><span style="display:contents">four</span></details><details open><summary>Open</summary>five</details><div style="content-visibility:auto">six</div>`)
	text := take(t, ctx, p, snapshot.Options{}).Text()
	for _, word := range []string{"one", "two", "three", "four"} {
		if strings.Contains(text, word) {
			t.Errorf("the snapshot shows %q, which is not drawn:\n%s", word, text)
		}
	}
	for _, word := range []string{"five", "six", "More"} {
		if !strings.Contains(text, word) {
			t.Errorf("the snapshot does not show %q:\n%s", word, text)
		}
	}
}
