package catalogue

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// A lateList is a page whose rows change only between a query and the wait that follows it.
type lateList struct {
	driver.Page
	views [][]map[string]any
	waits int
}

func (*lateList) Shown(context.Context) (driver.Document, error) { return driver.Document{}, nil }

func (p *lateList) Extract(context.Context, driver.Target, []driver.ExtractField, driver.RowFilter) ([]map[string]any, error) {
	view := p.views[0]
	if len(p.views) > 1 {
		p.views = p.views[1:]
	}
	return view, nil
}

func (p *lateList) WaitMore(context.Context, *driver.Target, driver.Direction, driver.Stop, int, time.Duration) (driver.Listing, error) {
	p.waits++
	return driver.Listing{}, nil
}

// TestRowsThatComeBeforeTheWait: a placeholder that is gone after a wait in vain counts again in
// the next view. One that stays is not a placeholder.
func TestRowsThatComeBeforeTheWait(t *testing.T) {
	rows := func(texts ...string) (list []map[string]any) {
		for _, text := range texts {
			list = append(list, map[string]any{"no": text})
		}
		return list
	}
	for _, tt := range []struct {
		name  string
		views [][]map[string]any // of two reads
		want  string
		waits int
	}{
		{"they come", [][]map[string]any{rows("1", "…"), rows("1", "2"), rows("2", "…"), rows("2", "3")}, "2 3", 2},
		{"they never come", [][]map[string]any{rows("1", "…"), rows("1", "…"), rows("2", "…")}, "2 …", 1},
	} {
		page := &lateList{views: tt.views}
		look := &viewReader{env: &steps.Env{Page: page}, a: &collectArgs{}, genuine: make(map[string]bool)}
		var view []map[string]any
		for range 2 {
			var err error
			if view, err = look.rows(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, row := range view {
			got = append(got, fmt.Sprint(row["no"]))
		}
		if text := strings.Join(got, " "); text != tt.want || page.waits != tt.waits {
			t.Errorf("%s: got %q after %d waits, want %q after %d", tt.name, text, page.waits, tt.want, tt.waits)
		}
	}
}

func TestJoinRows(t *testing.T) {
	rows := func(s string) (list []map[string]any) {
		for _, f := range strings.Fields(s) {
			list = append(list, map[string]any{"text": f, "tags": []any{f}})
		}
		return list
	}
	tests := []struct{ name, all, view, want string }{
		{"first view", "", "a b", "a b"},
		{"nothing drawn", "a b", "", "a b"},
		{"in part", "a b c", "b c d", "a b c d"},
		{"one in common", "a b c", "c d e", "a b c d e"},
		{"not moved", "a b c", "a b c", "a b c"},
		{"the longest part", "a b a b", "a b a b c", "a b a b c"},
		{"alike rows", "a a", "a a b", "a a b"},
		{"none in common", "a b c", "d e", "lost"},
		{"in another order", "a b c", "b a d", "lost"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			joined, ok := joinRows(rows(tt.all), rows(tt.view))
			var texts []string
			for _, row := range joined {
				texts = append(texts, row["text"].(string))
			}
			got := strings.Join(texts, " ")
			if !ok {
				got = "lost"
			}
			if got != tt.want {
				t.Errorf("%q and %q: got %q, want %q", tt.all, tt.view, got, tt.want)
			}
		})
	}
}
