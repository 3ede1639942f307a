package storage

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// Import stores the state s in the window. If clear is set, it first removes what the window has
// stored. It reports what it omits. After an error, part of the state may be stored.
func (w Window) Import(ctx context.Context, s *driver.State, clear bool) (driver.Imported, []driver.LeftOut, error) {
	var done driver.Imported
	if clear {
		if err := w.Jar.Clear(ctx); err != nil {
			return done, nil, err
		}
	}
	n, left, err := w.Jar.Import(ctx, s.Cookies)
	if err != nil {
		return done, nil, err
	}
	done.Cookies = n
	list := make([]string, 0, len(s.Origins))
	if clear {
		list = w.origins(ctx)
	}
	of := make(map[string]*driver.StateOrigin)
	for i := range s.Origins {
		list = append(list, s.Origins[i].Origin)
		of[s.Origins[i].Origin] = &s.Origins[i]
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return done, left, nil
	}
	h, err := w.Hide(ctx)
	if err != nil {
		return done, nil, err
	}
	defer h.Close(ctx)
	for _, origin := range list {
		if clear {
			remove := proto.StorageClearDataForOrigin{Origin: origin, StorageTypes: "local_storage,indexeddb"}
			if err := h.Do(ctx, remove, nil); err != nil {
				return done, nil, err
			}
		}
		if o := of[origin]; o != nil {
			if err := w.importOrigin(ctx, h, o, &done); err != nil {
				return done, nil, err
			}
			w.Origins.Add(origin)
		}
	}
	return done, left, nil
}

// importOrigin stores the localStorage and the databases of one origin in the hidden tab, and its
// sessionStorage in the active tab. If the active tab shows another origin, the sessionStorage is
// stored when the tab next shows this one. importOrigin adds what it has stored to done.
func (w Window) importOrigin(ctx context.Context, h HiddenTab, o *driver.StateOrigin, done *driver.Imported) error {
	var r struct{ Items, Databases, Records int }
	if err := inOrigin(ctx, h, o.Origin, "write", o, &r); err != nil {
		return err
	}
	done.Origins++
	done.Items += r.Items
	done.Databases += r.Databases
	done.Records += r.Records
	if len(o.SessionStorage) == 0 {
		return nil
	}
	if network.OriginOf(w.Active.Address()) == o.Origin {
		return call(ctx, w.Active, "setSession", o.SessionStorage, nil)
	}
	done.Pending = append(done.Pending, o.Origin)
	return w.Restores.add(ctx, w.Active, w.World, o)
}
