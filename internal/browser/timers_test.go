package browser

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// The browser's record says which timers of the page are still to fire, and when.
func TestTimersOfAPage(t *testing.T) {
	b, _ := launch(t, Options{}) // a browser makes one record at a time
	ctx, p := showIn(t, b, map[string]string{"/": `<input id=f value=x><script>setTimeout(() => {}, 90_000);
f.oninput = () => { setTimeout(() => {}, 0); setTimeout(() => {}, 60_000); setInterval(() => {}, 70_000); clearTimeout(setTimeout(() => {}, 80_000)) }</script>`})
	_, other := showIn(t, b, map[string]string{"/": `<input id=f>`})
	p.Keep(true)
	if _, err := p.Fill(ctx, css("#f"), "new"); err != nil {
		t.Fatal(err)
	}
	if !p.recordsTimers() {
		t.Fatal("nothing is recorded")
	}
	other.Keep(true)
	if _, err := other.Fill(ctx, css("#f"), "new"); err != nil {
		t.Fatal(err)
	}
	if other.recordsTimers() {
		t.Error("a second tab records, too")
	}
	w, err := p.currentWorld(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var asked late
	if err := p.answer(ctx, p.call(ctx, w, "reverted", map[string]any{"run": p.kept.run, "asks": true}), &asked); err != nil || asked.Timer == 0 {
		t.Fatalf("asks for the timers by %d, error %v", asked.Timer, err)
	}
	select { // a busy machine may take longer than timersDue waits
	case <-p.endRecord(ctx):
	case <-ctx.Done():
		t.Fatal("the record is not complete")
	}
	due, known := p.timers.open.read(p.timers.parts, p.frame, asked.Timer)
	if !known || len(due.Due) == 0 || !p.timers.whole {
		t.Fatalf("due %v, known %v, all of it %v", due, known, p.timers.whole)
	}
	if last := due.Due[len(due.Due)-1]; len(due.Due) > 2 || last < 30_000 || last > 60_000 || !due.Again { // the one without a delay may not have fired yet
		t.Errorf("due %v ms after the question, want one shortly before 60,000, and one that fires again and again", due)
	}
	if _, known := p.timersDue(ctx, asked.Timer); known {
		t.Error("what is not recorded is known")
	}
	if err := p.Close(ctx); err != nil {
		t.Fatal(err)
	}
	other.recordTimers(ctx)
	if !other.recordsTimers() {
		t.Error("the record of a tab that has gone keeps others from theirs")
	}
}

// What a page takes back is found where its timers are known as well: late ones, those that
// another one sets, and the last of many.
func TestRevertedByKnownTimers(t *testing.T) {
	b, _ := launch(t, Options{})
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
					return // on a busy machine the page may have taken it back before the read-back, which says so
				}
				t.Fatal(err)
			}
			if !p.recordsTimers() {
				t.Error("nothing is recorded")
			}
			if got := reverted(t, ctx, p); len(got) != 1 || got[0].Set != "new" {
				t.Errorf("reverted: %+v, want the field", got)
			}
		})
	}
}

// What a wait for the end of an input has learned of the page's timers holds for the check at the end
// of the run, until the page sets another one; the browser goes on recording for that.
func TestTimersAfterAWait(t *testing.T) {
	b, _ := launch(t, Options{})
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
		w, err := p.currentWorld(ctx)
		if err != nil {
			t.Fatal(err)
		}
		look := func() (l late) {
			if err := p.answer(ctx, p.call(ctx, w, "reverted", map[string]any{"run": p.kept.run, "asks": true, "timers": p.timersSoFar(w)}), &l); err != nil {
				t.Fatal(err)
			}
			return l
		}
		known := p.timersSoFar(w) != nil
		if known && !p.recordsTimers() {
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

// A record that does not have the mark, or cannot be read, says nothing.
func TestTimersOfARecord(t *testing.T) {
	entry := func(name string, timer int, ts, timeout float64, frame string) string {
		return fmt.Sprintf(`{"name":%q,"ts":%g,"args":{"data":{"timerId":%d,"timeout":%g,"singleShot":true,"frame":%q}}}`, name, ts, timer, timeout, frame)
	}
	const other = `{"name":"Layout","ts":5,"args":{"beginData":{"frame":"F"}}}`
	interval := `{"name":"TimerInstall","ts":4000,"args":{"data":{"timerId":3,"timeout":1,"singleShot":false,"frame":"F"}}}`
	mark := entry("TimerInstall", 9, 10_000, 0, "F")
	tests := []struct {
		name   string
		open   openTimers
		events []string // a part each
		want   []float64
		again  bool
		known  bool
	}{
		{"none", openTimers{}, []string{mark, other}, []float64{}, false, true},
		{"no mark", openTimers{}, []string{entry("TimerInstall", 1, 1000, 5, "F")}, nil, false, false},
		{"unreadable", openTimers{}, []string{mark, `{`}, nil, false, false},
		{"before and after the mark", openTimers{}, []string{entry("TimerInstall", 1, 4000, 100, "F"), mark, entry("TimerInstall", 10, 12_000, 1, "F")}, []float64{3, 94}, false, true},
		{"over", openTimers{}, []string{entry("TimerInstall", 1, 4000, 1, "F"), entry("TimerInstall", 2, 4000, 100, "F"), mark, entry("TimerFire", 1, 5000, 0, "F"), entry("TimerRemove", 2, 6000, 0, "F")}, []float64{}, false, true},
		{"of another frame", openTimers{}, []string{entry("TimerInstall", 1, 4000, 100, "G"), mark, entry("TimerFire", 2, 5000, 0, "G")}, []float64{}, false, true},
		{"not in order", openTimers{}, []string{entry("TimerFire", 1, 5000, 0, "F"), mark, entry("TimerInstall", 1, 4000, 1, "F")}, []float64{}, false, true},
		{"a number for the second time", openTimers{}, []string{entry("TimerInstall", 1, 1000, 1, "F"), entry("TimerFire", 1, 2000, 0, "F"), entry("TimerInstall", 1, 3000, 20, "F"), mark}, []float64{13}, false, true},
		{"some of the record before", openTimers{map[int]float64{3: 15_000, 5: 12_000}, map[int]bool{}, 7}, []string{entry("TimerFire", 5, 8000, 0, "F"), entry("TimerInstall", 8, 9000, 3, "F"), mark}, []float64{2, 5}, false, true},
		{"again and again", openTimers{}, []string{interval, entry("TimerFire", 3, 5000, 0, "F"), mark}, []float64{}, true, true},
		{"again and again, until it is removed", openTimers{}, []string{interval, mark, entry("TimerRemove", 3, 12_000, 0, "F")}, []float64{}, false, true},
		{"one between the records", openTimers{map[int]float64{}, map[int]bool{}, 7}, []string{mark}, nil, false, false},
		{"of a new document", openTimers{map[int]float64{}, map[int]bool{}, 70}, []string{entry("TimerInstall", 8, 9000, 3, "F"), mark}, nil, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var parts [][]byte
			for _, e := range tt.events {
				parts = append(parts, fmt.Appendf(nil, `{"value":[%s]}`, e))
			}
			if due, known := tt.open.read(parts, "F", 9); known != tt.known || !slices.Equal(due.Due, tt.want) || due.Again != tt.again {
				t.Errorf("got %v, %v, want %v, again %v, %v", due, known, tt.want, tt.again, tt.known)
			}
		})
	}
}
