package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// Export reads the cookies of the window, and the storage of the origins that it has shown. The
// argument more lists further origins. Export reports each origin and each item that it omits.
func (w Window) Export(ctx context.Context, more []string) (*driver.State, []driver.LeftOut, error) {
	jar, err := w.Jar.Export(ctx)
	if err != nil {
		return nil, nil, err
	}
	state := &driver.State{Cookies: jar, Origins: []driver.StateOrigin{}}
	list := append(w.origins(ctx), more...)
	slices.Sort(list)
	list = slices.Compact(list)
	session, left := w.sessionItems(ctx)
	if len(list) == 0 {
		return state, left, nil
	}
	h, err := w.Hide(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer h.Close(ctx)
	room := driver.MaxState
	for _, origin := range list {
		o, missing, err := readOrigin(ctx, h, origin, room)
		if err != nil {
			if ctx.Err() != nil {
				return nil, nil, w.Jar.Explain(ctx, err)
			}
			left = append(left, driver.LeftOut{Place: origin, Why: err.Error()})
			continue
		}
		left = append(left, missing...)
		o.Origin, o.SessionStorage = origin, session[origin]
		if len(o.LocalStorage)+len(o.SessionStorage)+len(o.IndexedDB) > 0 {
			room -= size(o)
			state.Origins = append(state.Origins, o)
		}
	}
	return state, left, nil
}

// readOrigin reads the localStorage and the databases of an origin in the hidden tab. It reads at
// most room bytes, and reports what it omits.
func readOrigin(ctx context.Context, h HiddenTab, origin string, room int) (driver.StateOrigin, []driver.LeftOut, error) {
	var r struct {
		driver.StateOrigin
		Left []struct{ Place, Why string } `json:"left"`
	}
	if err := inOrigin(ctx, h, origin, "read", map[string]int{"limit": room}, &r); err != nil {
		return driver.StateOrigin{}, nil, err
	}
	var left []driver.LeftOut
	for _, l := range r.Left {
		left = append(left, driver.LeftOut{Place: fmt.Sprintf("%s: %s", origin, diag.Visible(l.Place)), Why: diag.Visible(l.Why)})
	}
	return r.StateOrigin, left, nil
}

// inOrigin opens an empty document of an origin in the hidden tab and calls a method there.
func inOrigin(ctx context.Context, h HiddenTab, origin, method string, arg, out any) error {
	if err := h.Open(ctx, origin+"/"); err != nil {
		return err
	}
	return call(ctx, h, method, arg, out)
}

func size(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0 // never happens: it was decoded from JSON
	}
	return len(data)
}

// sessionTime is how long reading the sessionStorage of a page may take.
const sessionTime = 2 * time.Second

// sessionItems reads the sessionStorage of the tabs, by origin. If several tabs show the same
// origin, it reads only that of the most recently active one.
func (w Window) sessionItems(ctx context.Context) (map[string][]driver.StateItem, []driver.LeftOut) {
	all := make(map[string][]driver.StateItem)
	var left []driver.LeftOut
	for _, t := range w.Tabs() {
		origin := network.OriginOf(t.Address())
		if _, known := all[origin]; known || origin == "" {
			continue
		}
		short, cancel := context.WithTimeout(ctx, sessionTime)
		var items []driver.StateItem
		err := call(short, t, "session", nil, &items)
		cancel()
		if err != nil {
			left = append(left, driver.LeftOut{Place: "the sessionStorage of " + t.ID(), Why: err.Error()})
			continue
		}
		all[origin] = items
	}
	return all, left
}
