package engine

import (
	"fmt"
	"strings"
	"testing"
)

// Whatever way a page uses to change a value, the change is complete when the value is read back.
func TestReadBackComesAfterThePage(t *testing.T) {
	ways := []struct{ name, script string }{
		{"in the handler", `on(change)`},
		{"in a microtask", `on(() => Promise.resolve().then(change))`},
		{"in a message", `on(() => { const c = new MessageChannel(); c.port1.onmessage = change; c.port2.postMessage(0) })`},
		{"in a message of a message", `on(() => { const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => n++ ? change() : c.port2.postMessage(0); c.port2.postMessage(0) })`},
		{"in a message to the window", `onmessage = change; on(() => postMessage(0, '*'))`},
		{"in a task", `on(() => scheduler.postTask(change))`},
		{"in a timer", `on(() => setTimeout(change))`},
		{"in a frame", `on(() => requestAnimationFrame(change))`},
		{"in a frame after a message", `on(() => { const c = new MessageChannel(); c.port1.onmessage = () => requestAnimationFrame(change); c.port2.postMessage(0) })`},
		{"in each frame", `{ let set = false; on(() => { set = true }); const loop = () => { if (set) change(); requestAnimationFrame(loop) }; loop() }`},
		{"in a frame asked for at the focus", `text.oninput = date.onfocus = list.onfocus = () => requestAnimationFrame(change)`},
	}
	fields := []struct {
		id, op string
		kv     []any
		holds  string
	}{
		{"text", "fill", []any{"value", "new"}, "old"},
		{"date", "fill", []any{"value", "2024-02-29"}, "2001-01-01"},
		{"list", "select", []any{"values", []string{"b"}}, "a"},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			p := open(t, `<input id=text value=old><input type=date id=date value=2001-01-01><select id=list><option>a<option>b</select><script>
				const change = () => { text.value = 'old'; date.value = '2001-01-01'; list.value = 'a' };
				const on = (fn) => addEventListener('input', fn);
				`+way.script+`</script>`)
			for _, f := range fields {
				res := p.call("act", request(f.op, query(css("#"+f.id)), f.kv...))
				if verdict(res) != "ok" {
					t.Fatalf("%s: %s", f.id, verdict(res))
				}
				if res["mode"] == "insert" {
					p.insert("new")
				}
				back := p.call("held", object{"value": "new"})
				if atFocus := strings.HasSuffix(way.name, "at the focus"); atFocus && f.id != "text" {
					// The control gets the focus first, so the frame may come before the value does,
					// which then stays.
					if now := p.eval("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(" + f.id + ".value))))"); back["value"] != now {
						t.Errorf("%s holds %v, but is said to hold %v", f.id, now, back["value"])
					}
				} else if back["value"] != f.holds {
					t.Errorf("%s holds %v, want %q", f.id, back["value"], f.holds)
				}
			}
		})
	}
}

// A page that requests no frame and no timer is not waited for: the clock of its documents advances
// with each frame.
func TestNoFrameForNothing(t *testing.T) {
	p := open(t, `<input type=date id=date oninput="window.seen=this.value"><script>requestAnimationFrame(()=>0);setTimeout(()=>0)</script>`)
	fill := func(day int) bool {
		value := fmt.Sprintf("2024-01-%02d", day)
		res := p.engineObject(fmt.Sprintf(`(async () => {
			const before = document.timeline.currentTime;
			await __action.act(%s);
			const held = await __action.held({value: %q});
			return {value: held.value, frames: document.timeline.currentTime - before};
		})()`, str(request("fill", query(css("#date")), "value", value)), value))
		if res["value"] != value {
			t.Fatalf("held %s, want %s", str(res), value)
		}
		return res["frames"] == 0.0
	}
	for day := 1; day <= 28; day++ {
		if fill(day) {
			return // a frame may happen by chance, but not each time
		}
	}
	t.Error("each read-back waited for a frame")
}
