package browser

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/browser/timers"
	"github.com/actionregistry/action/internal/driver"
)

// The browser's record says which timers of the page are still pending, and when they are due.
func TestTimersOfAPage(t *testing.T) {
	b, _ := launch(t, startup.Options{}) // a browser makes one record at a time
	ctx, p := showIn(t, b, map[string]string{"/": `<input id=f value=x><script>setTimeout(() => {}, 90_000);
f.oninput = () => { setTimeout(() => {}, 0); setTimeout(() => {}, 60_000); setInterval(() => {}, 70_000); clearTimeout(setTimeout(() => {}, 80_000)) }</script>`})
	_, other := showIn(t, b, map[string]string{"/": `<input id=f>`})
	p.Keep(true)
	if _, err := p.Fill(ctx, css("#f"), "new"); err != nil {
		t.Fatal(err)
	}
	if !p.Timers.On() {
		t.Fatal("nothing is recorded")
	}
	other.Keep(true)
	if _, err := other.Fill(ctx, css("#f"), "new"); err != nil {
		t.Fatal(err)
	}
	if other.Timers.On() {
		t.Error("a second tab records, too")
	}
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var due *timers.Due
	for due == nil { // a busy machine may take longer for the record than Known waits
		var asked late
		if err := p.Answer(ctx, p.Call(ctx, w, "reverted", map[string]any{"run": p.keeper.run, "asks": true}), &asked); err != nil || asked.Timer == 0 {
			t.Fatalf("asks for the timers by %d, error %v", asked.Timer, err)
		}
		if due = p.Timers.Known(ctx, w.ID, asked.Timer, false); due != nil {
			break
		}
		p.Keep(true)
		if _, err := p.Fill(ctx, css("#f"), "new"); err != nil {
			t.Fatal(err)
		}
	}
	if len(due.Due) == 0 {
		t.Fatal("no timer is due")
	}
	if last := due.Due[len(due.Due)-1]; len(due.Due) > 2 || last < 30_000 || last > 60_000 || !due.Again { // the one without a delay may not have fired yet
		t.Errorf("due %v ms after the question, want one shortly before 60,000, and one that fires again and again", due)
	}
	if p.Timers.Known(ctx, w.ID, 1, false) != nil {
		t.Error("what is not recorded is known")
	}
	if err := p.Close(ctx); err != nil {
		t.Fatal(err)
	}
	other.Timers.Begin(ctx)
	if !other.Timers.On() {
		t.Error("the record of a tab that has gone keeps others from theirs")
	}
}

// A revert is also found if the page's timers are known: by late timers, by those that another
// timer sets, and by the last of many.
func TestRevertedByKnownTimers(t *testing.T) {
	b, _ := launch(t, startup.Options{})
	for name, script := range map[string]string{
		"late":       "setTimeout(() => { f.value = '' }, 400)",
		"in a chain": "setTimeout(() => setTimeout(() => setTimeout(() => { f.value = '' }, 100), 100), 100)",
		"of many":    "for (let i = 0; i < 50; i++) setTimeout(() => {}, 5 * i); setTimeout(() => { f.value = '' }, 260)",
		"of several": "clearTimeout(setTimeout(() => {}, 300)); setInterval(() => { f.value = '' }, 350)",
		"counted":    "let n = 0; const i = setInterval(() => { if (++n === 3) { clearInterval(i); f.value = '' } }, 90)",
		"drawn late": "setTimeout(() => requestAnimationFrame(() => { f.value = '' }), 200)",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, p := showIn(t, b, map[string]string{"/": fmt.Sprintf("<input id=f value=x><script>f.oninput = () => { %s }</script>", script)})
			defer func() {
				if err := p.Close(context.WithoutCancel(ctx)); err != nil {
					t.Error(err)
				}
			}()
			p.Keep(true)
			if _, err := p.Fill(ctx, css("#f"), "new"); err != nil {
				if diag.CodeOf(err) == diag.StepFailed {
					return // on a busy machine the read-back may have noticed the revert already
				}
				t.Fatal(err)
			}
			if !p.Timers.On() {
				t.Error("nothing is recorded")
			}
			if got := reverted(t, ctx, p); len(got) != 1 || got[0].Set != "new" {
				t.Errorf("reverted: %+v, want the field", got)
			}
		})
	}
}

// What a wait for the end of input has learned about the page's timers is used by the check at the
// end of the run, until the page sets another timer. The browser continues to record for that.
func TestTimersAfterAWait(t *testing.T) {
	b, _ := launch(t, startup.Options{})
	ctx, p := showIn(t, b, map[string]string{"/": `<input id=f value=x><script>f.oninput = () => { setTimeout(() => {}, 60_000); for (const ms of [1, 40]) setTimeout(() => {}, ms) }</script>`})
	for range 5 { // a busy machine may need too long for the record
		p.Keep(true)
		watching := driver.Watching{Settles: true}
		n := p.Watch(watching)
		if _, err := p.Fill(ctx, css("#f"), "new"); err != nil {
			t.Fatal(err)
		}
		filled := time.Now()
		if open, err := p.Settle(ctx, n, watching, 5*time.Second); err != nil || len(open) > 0 {
			t.Fatalf("settle: open %v, error %v", open, err)
		}
		w, err := p.CurrentWorld(ctx)
		if err != nil {
			t.Fatal(err)
		}
		look := func() (l late) {
			if err := p.Answer(ctx, p.Call(ctx, w, "reverted", map[string]any{"run": p.keeper.run, "asks": true, "timers": p.Timers.SoFar(w.ID)}), &l); err != nil {
				t.Fatal(err)
			}
			return l
		}
		known := p.Timers.SoFar(w.ID) != nil
		if known && !p.Timers.On() {
			t.Error("the record does not go on")
		}
		if got := look(); known && got.Timer != 0 {
			t.Error("the check at the end asks for the timers once more")
		}
		evaluate(t, ctx, p, "setTimeout(() => {}, 60_000)")
		got := look()
		if known && time.Since(filled) < 500*time.Millisecond {
			if got.Timer == 0 {
				t.Error("another timer of the page is not asked for")
			}
			return
		}
		p.Keep(false)
	}
	t.Skip("the machine is too busy")
}
