package catalogue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type exportArgs struct {
	Path    *string  `arg:"path" pos:"1" doc:"file of the state"`
	Origins []string `arg:"origins" doc:"additional origins, such as https://example.test"`
}

type importArgs struct {
	Path  string `arg:"path,required" pos:"1"`
	Clear bool   `arg:"clear" default:"false" doc:"first remove the window's cookies, localStorage and IndexedDB"`
}

type setItemArgs struct {
	Name  string `arg:"name,required" pos:"1" doc:"of the item"`
	Value string `arg:"value,required" pos:"2" doc:"of the item"`
	Area  string `arg:"area" enum:"local session" default:"local" doc:"localStorage or sessionStorage"`
}

type itemArgs struct {
	Name string `arg:"name,required" pos:"1"`
	Area string `arg:"area" enum:"local session"`
}

type areaArgs struct {
	Area string `arg:"area" enum:"local session"`
}

type exportResult struct {
	Path    *string `json:"path,omitempty" doc:"of export with a path: the file written"`
	State   any     `json:"state,omitempty" doc:"of export without one: the state"`
	Cookies int     `json:"cookies" doc:"of export and import: number of cookies"`
	Origins int     `json:"origins" doc:"of export and import: number of origins"`
}

type importResult struct {
	Cookies   int      `json:"cookies"`
	Origins   int      `json:"origins"`
	Items     int      `json:"items" doc:"of import: number of items of localStorage"`
	Databases int      `json:"databases" doc:"of import: number of databases of IndexedDB"`
	Records   int      `json:"records" doc:"of import: number of records in them"`
	Pending   []string `json:"pending" doc:"of import: origins whose sessionStorage is set in their next document"`
}

type getItemResult struct {
	Value *string `json:"value" doc:"of get: the item, or null; of set: its new value"`
}

type setItemResult struct {
	Value string `json:"value"`
}

var storageSteps = []*steps.Entry{steps.DefineVerbs(steps.Entry{
	Name: "storage", Group: steps.GroupBrowser, Effect: driver.NoEffect, Limit: steps.PageTime,
	Summary: "export and import a signed-in state; items of localStorage and sessionStorage",
	Doc: "`export` saves the cookies of the active window, localStorage and IndexedDB of every origin that it has shown (`origins` adds more), and sessionStorage of the pages in its tabs. " +
		"With a `path`, it writes the state to that file, readable only by its owner. Without one, it returns the state, in which secrets of runs are masked. If that changes a value, the state has the field masked (true), `import` refuses it, and the warning state_masked says so: use a path for a state to import. " +
		"`import` sets a state in the active window and reads it back. It removes nothing unless `clear` is set. " +
		"sessionStorage is set at once if the active tab shows the origin, otherwise in its next document of that origin. " +
		"The format is Playwright's storageState, with sessionStorage added; each tool reads the other's files. " +
		"The warning storage_left_out names what cannot be exported.\n\n" +
		"`get`, `set`, `remove` and `clear` act on the origin of the active tab's document. A missing item is null. Protect a state like a password.",
	Example: "storage: {do: export, path: state.json}",
},
	steps.NewVerb(steps.Verb{Name: "export", Doc: "export the state of the window"}, exportState),
	steps.NewVerb(steps.Verb{Name: "import", Doc: "import a state into the window"}, importState),
	steps.NewVerb(steps.Verb{Name: "get", Doc: "read an item", Shown: "value"}, func(ctx context.Context, env *steps.Env, a *itemArgs) (getItemResult, error) {
		got, err := env.Browser.StorageItem(ctx, driver.ItemRequest{Act: "get", Area: a.Area, Name: a.Name})
		return getItemResult{got.Value}, err
	}),
	steps.NewVerb(steps.Verb{Name: "set", Doc: "set an item"}, func(ctx context.Context, env *steps.Env, a *setItemArgs) (setItemResult, error) {
		_, err := env.Browser.StorageItem(ctx, driver.ItemRequest{Act: "set", Area: a.Area, Name: a.Name, Value: a.Value})
		return setItemResult{a.Value}, err
	}),
	steps.NewVerb(steps.Verb{Name: "remove", Doc: "remove an item"}, func(ctx context.Context, env *steps.Env, a *itemArgs) (removedResult, error) {
		got, err := env.Browser.StorageItem(ctx, driver.ItemRequest{Act: "remove", Area: a.Area, Name: a.Name})
		return removedResult{got.Removed}, err
	}),
	steps.NewVerb(steps.Verb{Name: "clear", Doc: "remove all items"}, func(ctx context.Context, env *steps.Env, a *areaArgs) (removedResult, error) {
		got, err := env.Browser.StorageItem(ctx, driver.ItemRequest{Act: "clear", Area: a.Area})
		return removedResult{got.Removed}, err
	}),
)}

func exportState(ctx context.Context, env *steps.Env, a *exportArgs) (r exportResult, err error) {
	for _, origin := range a.Origins {
		if !driver.IsOrigin(origin) {
			return r, diag.New(diag.ParamInvalid, "found %q, expected an origin", diag.Clip(origin, 60)).
				WithHint("write only the scheme and the host, such as https://example.test")
		}
	}
	path := ""
	if a.Path != nil {
		if path, err = env.Files.WritePath(*a.Path); err != nil {
			return r, err
		}
	}
	state, left, err := env.Browser.ExportState(ctx, a.Origins)
	if err != nil {
		return r, err
	}
	warnLeftOut(env, "exported", left)
	data, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return r, diag.New(diag.Internal, "the state cannot be encoded: %v", err).WithHint("report this as a bug")
	}
	r = exportResult{Cookies: len(state.Cookies), Origins: len(state.Origins)}
	if path == "" {
		var shown map[string]any
		if err := json.Unmarshal(data, &shown); err != nil {
			return r, diag.New(diag.Internal, "the state cannot be decoded: %v", err).WithHint("report this as a bug")
		}
		if env.Masks != nil && env.Masks(shown) {
			shown["masked"] = true
			env.Warn("state_masked", "secrets are masked in the state, so that it cannot be imported: give export a path to write all of it to a file")
		}
		r.State = shown
		return r, nil
	}
	if err := env.Files.Write(ctx, path, bytes.NewReader(append(data, '\n')), true); err != nil {
		return r, unwritable(path, err)
	}
	r.Path = &path
	return r, nil
}

func importState(ctx context.Context, env *steps.Env, a *importArgs) (r importResult, err error) {
	data, err := readState(env.Files, a.Path)
	if err != nil {
		return r, err
	}
	state, err := driver.ParseState(a.Path, data)
	if err != nil {
		return r, err
	}
	done, left, err := env.Browser.ImportState(ctx, state, a.Clear)
	if err != nil {
		return r, err
	}
	warnLeftOut(env, "imported", left)
	return importResult(done), nil
}

// readState reads a file. A file above the maximum size of a state is LIMIT_EXCEEDED.
func readState(files steps.Files, path string) ([]byte, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, unreadableState(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, driver.MaxState+1))
	switch {
	case err != nil:
		return nil, unreadableState(err)
	case len(data) > driver.MaxState:
		return nil, diag.New(diag.LimitExceeded, "the file %s is too large, expected at most %d MiB", path, driver.MaxState>>20).WithHint("export fewer origins")
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}

func unreadableState(err error) error {
	if e := (*diag.Error)(nil); errors.As(err, &e) {
		return e
	}
	return diag.New(diag.StepFailed, "the state could not be read: %v", err).WithHint("check the path; relative paths start at the current folder").Because(err)
}

// maxLeftOut bounds the omitted items that are reported one by one.
const maxLeftOut = 20

func warnLeftOut(env *steps.Env, did string, left []driver.LeftOut) {
	for i, l := range left {
		if i == maxLeftOut {
			env.Warn("storage_left_out", "… and %d more were not %s", len(left)-i, did)
			return
		}
		env.Warn("storage_left_out", "%s was not %s: %s", l.Place, did, l.Why)
	}
}
