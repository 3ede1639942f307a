package catalogue

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type collectArgs struct {
	Rows       driver.Target  `arg:"rows,required" doc:"matches each row"`
	Fields     steps.Fields   `arg:"fields,required" doc:"name of each field and where to read it, as in extract"`
	Box        *driver.Target `arg:"scroll_selector" doc:"the box to scroll, also one that reacts only to the mouse wheel; absent: the page"`
	MaxScrolls int            `arg:"max_scrolls" min:"1" default:"1000" doc:"maximum number of scrolls"`
	Stall      time.Duration  `arg:"stall" default:"0s" doc:"how long the end of the list may take to grow"`
}

type collectResult struct {
	rowsResult
	Scrolls int `json:"scrolls_performed" doc:"number of scrolls"`
}

var collectEntry = steps.Define(steps.Entry{
	Name: "collect", Group: steps.GroupLists, Reads: true, Effect: driver.ViewEffect, Limit: steps.NoTime,
	Summary: "read all rows of a list that renders only what is in view",
	Doc: "Reads like extract, from the start of the list to its end, view by view, each after the list has rendered it. " +
		"Rows that a view shares with the view before it count once, and so do identical rows where the two meet. " +
		"The step waits for rows that still seem to be loading (without text, with … or Loading, or all alike): " +
		"three seconds if that is almost certain, otherwise a moment. A list that does not scroll is read as it is. " +
		"A list longer than max_scrolls is LIMIT_EXCEEDED. " +
		"A list whose views have nothing in common, or whose rows in view are all alike after a scroll, is STEP_FAILED, because rows would be missing.",
	Example: "{collect: {scroll_selector: role:listbox, rows: role:option, fields: {text: {what: text}}}, output: options}",
}, collect)

func collect(ctx context.Context, env *steps.Env, a *collectArgs) (r collectResult, err error) {
	if err := toStart(ctx, env, a.Box); err != nil {
		return r, err
	}
	views := &viewReader{env: env, a: a, genuine: make(map[string]bool)}
	all, err := views.rows(ctx)
	for scrolls := 0; err == nil; scrolls++ {
		more, failed := env.Page.WaitMore(ctx, a.Box, driver.Down, driver.Stop{}, 0, a.Stall)
		if failed != nil {
			return r, failed
		}
		if !more.Grown {
			return collectResult{rowsOf(all), scrolls}, nil
		}
		if scrolls == a.MaxScrolls {
			return r, diag.New(diag.LimitExceeded, "the list continues after %d scrolls; %d rows were read", scrolls, len(all)).
				WithHint("raise max_scrolls, or read a part of the list with `extract`")
		}
		all, err = nextView(ctx, views, a.Box, all)
	}
	return r, err
}

// nextView scrolls down and returns all, followed by the rows that have come into view. If the new
// view does not overlap the rows in all, nextView scrolls back halfway and reads again.
func nextView(ctx context.Context, views *viewReader, box *driver.Target, all []map[string]any) ([]map[string]any, error) {
	moves := []driver.ScrollBy{listStep, {Direction: driver.Up, Amount: listStep.Amount / 2, Percent: true}}
	moves[0].Direction = driver.Down
	for _, by := range moves {
		if _, err := views.env.Page.Scroll(ctx, box, by); err != nil {
			return nil, err
		}
		view, err := views.rows(ctx)
		if err != nil {
			return nil, err
		}
		if len(view) > 1 && allAlike(view) {
			return nil, diag.New(diag.StepFailed, "after a scroll, all %d rows in view are alike: they may still be loading, so their number is unknown", len(view)).
				WithDetail("rows", len(all)).WithDetail("row", view[0]).WithHint("wait until the rows have loaded, or read a field in which they differ")
		}
		if joined, ok := joinRows(all, view); ok {
			return joined, nil
		}
	}
	return nil, diag.New(diag.StepFailed, "after a scroll, the list shows none of the rows that it showed before: some rows may have been skipped").
		WithDetail("rows", len(all)).WithHint("set scroll_selector to the box that contains only this list")
}

// Limits of the wait for rows that seem to be loading.
const (
	likelyLoading = 3 * time.Second        // for rows that are almost certainly loading
	maybeLoading  = 300 * time.Millisecond // for rows that may be complete
	mostLoading   = 15 * time.Second       // limit of the wait for one view that keeps changing
	mostDoubts    = 5                      // number of doubts that proved to be content, after which unlikely ones are ignored
)

var (
	awaitsValue = regexp.MustCompile(`(?i)^(?:\.{2,}|…+|⋯+|(?:loading|please wait|wird geladen|lädt|chargement|cargando|carregando|caricamento|загрузка|加载中|載入中|読み込み中|로딩 ?중?)[.… ]*)$`)
	saysNothing = regexp.MustCompile(`^[^\pL\pN]*$`)
)

// A viewReader reads the rows of a list that are in view. It first waits until they have loaded.
type viewReader struct {
	env     *steps.Env
	a       *collectArgs
	genuine map[string]bool // doubts that proved to be content: they did not change during a wait
}

// rows waits until the rows in view are stable, and returns them.
func (r *viewReader) rows(ctx context.Context) ([]map[string]any, error) {
	ends := time.Now().Add(mostLoading)
	var waited []string // doubts before the last wait, during which nothing changed
	for {
		view, err := readRows(ctx, r.env, r.a.Rows, r.a.Fields, driver.RowFilter{})
		if err != nil {
			return nil, err
		}
		doubts, wait := r.doubts(view)
		if len(waited) > 0 { // doubts that are gone changed between the query and the wait
			for _, d := range waited {
				if slices.Contains(doubts, d) {
					r.genuine[d] = true
				}
			}
			doubts, wait = r.doubts(view)
			waited = nil
		}
		if wait == 0 || time.Now().After(ends) {
			return view, nil
		}
		more, err := r.env.Page.WaitMore(ctx, nil, "", driver.Stop{Items: &r.a.Rows, Changing: true}, 0, wait)
		if err != nil {
			return nil, err
		}
		if !more.Grown {
			waited = doubts
		}
	}
}

// doubts returns a description of each part of a view that may still be loading, and how long to
// wait for these parts.
func (r *viewReader) doubts(view []map[string]any) (doubts []string, wait time.Duration) {
	seen, blank := make(map[string]int), make(map[string]int)
	doubt := func(what string, d time.Duration) {
		if !r.genuine[what] && (d > maybeLoading || len(r.genuine) < mostDoubts) {
			doubts, wait = append(doubts, what), max(wait, d)
		}
	}
	for _, row := range view {
		for name, v := range row {
			text, isText := v.(string)
			switch {
			case awaitsValue.MatchString(strings.TrimSpace(text)):
				doubt(name+"="+text, likelyLoading)
			case isText && saysNothing.MatchString(text):
				if blank[name]++; 2*blank[name] > len(view) { // a column may well be empty in some rows
					doubt(name+" is blank", maybeLoading)
				}
			}
		}
		if key, err := json.Marshal(row); err == nil {
			if seen[string(key)]++; seen[string(key)] == 2 {
				doubt(string(key), maybeLoading)
			}
		}
	}
	if len(view) > 1 && allAlike(view) {
		key, _ := json.Marshal(view[0])
		doubt("all "+string(key), likelyLoading)
	}
	return doubts, wait
}

func allAlike(view []map[string]any) bool {
	for _, row := range view {
		if !reflect.DeepEqual(row, view[0]) {
			return false
		}
	}
	return true
}

// toStart waits for a list and scrolls to its beginning.
func toStart(ctx context.Context, env *steps.Env, box *driver.Target) error {
	if box != nil {
		if _, err := env.Page.WaitElement(ctx, *box, driver.ElementState{}); err != nil {
			return err
		}
	}
	back, err := env.Page.WaitMore(ctx, box, driver.Up, driver.Stop{}, 0, 0)
	if err == nil && back.Grown {
		_, err = env.Page.ScrollTo(ctx, box, driver.Point{})
	}
	return err
}

// joinRows appends to all the rows of view that follow the last row of all. If view does not begin
// with the last rows of all, ok is false. An empty list can always be joined.
func joinRows(all, view []map[string]any) (joined []map[string]any, ok bool) {
	if len(all) == 0 || len(view) == 0 {
		return append(all, view...), true
	}
	for n := min(len(all), len(view)); n > 0; n-- {
		if reflect.DeepEqual(all[len(all)-n:], view[:n]) {
			return append(all, view[n:]...), true
		}
	}
	return nil, false
}
