package timers

import (
	"fmt"
	"slices"
	"testing"
)

// If a record does not have the mark, or cannot be read, the timers are unknown.
func TestTimersOfARecord(t *testing.T) {
	entry := func(name string, timer int, ts, timeout float64, frame string) string {
		return fmt.Sprintf(`{"name":%q,"ts":%g,"args":{"data":{"timerId":%d,"timeout":%g,"singleShot":true,"frame":%q}}}`, name, ts, timer, timeout, frame)
	}
	const other = `{"name":"Layout","ts":5,"args":{"beginData":{"frame":"F"}}}`
	interval := `{"name":"TimerInstall","ts":4000,"args":{"data":{"timerId":3,"timeout":1,"singleShot":false,"frame":"F"}}}`
	mark := entry("TimerInstall", 9, 10_000, 0, "F")
	tests := []struct {
		name   string
		open   open
		events []string // a part each
		want   []float64
		again  bool
		known  bool
	}{
		{"none", open{}, []string{mark, other}, []float64{}, false, true},
		{"no mark", open{}, []string{entry("TimerInstall", 1, 1000, 5, "F")}, nil, false, false},
		{"unreadable", open{}, []string{mark, `{`}, nil, false, false},
		{"before and after the mark", open{}, []string{entry("TimerInstall", 1, 4000, 100, "F"), mark, entry("TimerInstall", 10, 12_000, 1, "F")}, []float64{3, 94}, false, true},
		{"over", open{}, []string{entry("TimerInstall", 1, 4000, 1, "F"), entry("TimerInstall", 2, 4000, 100, "F"), mark, entry("TimerFire", 1, 5000, 0, "F"), entry("TimerRemove", 2, 6000, 0, "F")}, []float64{}, false, true},
		{"of another frame", open{}, []string{entry("TimerInstall", 1, 4000, 100, "G"), mark, entry("TimerFire", 2, 5000, 0, "G")}, []float64{}, false, true},
		{"not in order", open{}, []string{entry("TimerFire", 1, 5000, 0, "F"), mark, entry("TimerInstall", 1, 4000, 1, "F")}, []float64{}, false, true},
		{"a number for the second time", open{}, []string{entry("TimerInstall", 1, 1000, 1, "F"), entry("TimerFire", 1, 2000, 0, "F"), entry("TimerInstall", 1, 3000, 20, "F"), mark}, []float64{13}, false, true},
		{"some of the record before", open{map[int]float64{3: 15_000, 5: 12_000}, map[int]bool{}, 7}, []string{entry("TimerFire", 5, 8000, 0, "F"), entry("TimerInstall", 8, 9000, 3, "F"), mark}, []float64{2, 5}, false, true},
		{"again and again", open{}, []string{interval, entry("TimerFire", 3, 5000, 0, "F"), mark}, []float64{}, true, true},
		{"again and again, until it is removed", open{}, []string{interval, mark, entry("TimerRemove", 3, 12_000, 0, "F")}, []float64{}, false, true},
		{"one between the records", open{map[int]float64{}, map[int]bool{}, 7}, []string{mark}, nil, false, false},
		{"of a new document", open{map[int]float64{}, map[int]bool{}, 70}, []string{entry("TimerInstall", 8, 9000, 3, "F"), mark}, nil, false, false},
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
