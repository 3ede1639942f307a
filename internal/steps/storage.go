package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/actionregistry/action/diag"
)

// Storage is what the pages of the active window store in the browser, including cookies.
type Storage interface {
	// ExportState reads the cookies and the storage of the origins that the window has
	// shown, and of origins. It reports each item that cannot be exported.
	ExportState(ctx context.Context, origins []string) (*State, []LeftOut, error)
	// ImportState sets a state and reads it back; with clear, what was there is removed
	// first.
	ImportState(ctx context.Context, s *State, clear bool) (Imported, []LeftOut, error)
	// StorageItem reads or changes the items of the page's origin.
	StorageItem(ctx context.Context, r ItemRequest) (ItemAnswer, error)
}

// A LeftOut is something that an export or an import had to leave out.
type LeftOut struct{ Place, Why string }

// Imported counts what an import has set.
type Imported struct {
	Cookies, Origins, Items, Databases, Records int
	// Pending are the origins whose sessionStorage is set in the next document that the
	// active tab shows of them.
	Pending []string
}

// An ItemRequest is about one item, or about all.
type ItemRequest struct {
	Act   string `json:"act"`  // get, set, remove, clear
	Area  string `json:"area"` // local, session
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

// An ItemAnswer is the answer to an ItemRequest.
type ItemAnswer struct {
	Value   *string `json:"value"`   // of get; nil: there is none
	Removed int     `json:"removed"` // of remove and clear
}

var areaArg = Arg{Name: "area", Type: ArgEnum, Values: []string{"local", "session"}, Default: "local", Doc: "localStorage or sessionStorage"}

var storageSteps = []*Entry{{
	Name: "storage", Group: GroupBrowser, Effect: NoEffect, Limit: PageTime,
	Summary: "export and import a signed-in state; items of localStorage and sessionStorage",
	Doc: "`export` saves the cookies of the active window, localStorage and IndexedDB of every origin that it has shown (`origins` adds more), and sessionStorage of the pages in its tabs. " +
		"With a `path` it is written there, readable only by its owner; without one it is returned. " +
		"`import` sets it in the active window, reads it back, and removes nothing unless `clear` is set. " +
		"sessionStorage is set at once if the active tab shows the origin, otherwise in its next document of that origin. " +
		"The format is Playwright's storageState, with sessionStorage added; each tool reads the other's files. " +
		"The warning storage_left_out names what cannot be exported.\n\n" +
		"`get`, `set`, `remove` and `clear` act on the origin of the active tab's document. A missing item is null. Protect a state like a password.",
	Example: "storage: {do: export, path: state.json}",
	Args: []Arg{
		{Name: "path", Type: ArgText, Doc: "file of the state"},
		{Name: "origins", Type: ArgTextList, Doc: "additional origins, such as https://example.test"},
		{Name: "clear", Type: ArgBoolean, Default: false, Doc: "first remove the window's cookies, localStorage and IndexedDB"},
		{Name: "name", Type: ArgText, Doc: "of the item"},
		{Name: "value", Type: ArgText, Doc: "of the item"},
		areaArg,
	},
	Verbs: []Verb{
		{Name: "export", Doc: "export the state of the window", Args: []string{"path", "origins"}, Hand: []string{"path"}},
		{Name: "import", Doc: "import a state into the window", Args: []string{"path", "clear"}, Needs: []string{"path"}, Hand: []string{"path"}},
		{Name: "get", Doc: "read an item", Args: []string{"name", "area"}, Needs: []string{"name"}, Hand: []string{"name"}, Shown: "value"},
		{Name: "set", Doc: "set an item", Args: []string{"name", "value", "area"}, Needs: []string{"name", "value"}, Hand: []string{"name", "value"}},
		{Name: "remove", Doc: "remove an item", Args: []string{"name", "area"}, Needs: []string{"name"}, Hand: []string{"name"}},
		{Name: "clear", Doc: "remove all items", Args: []string{"area"}},
	},
	Result: []Field{
		{"path", "of export with a path: the file written"},
		{"state", "of export without one: the state"},
		{"cookies", "of export and import: how many"},
		{"origins", "of export and import: how many"},
		{"items", "of import: how many items of localStorage"},
		{"databases", "of import: how many databases of IndexedDB"},
		{"records", "of import: how many records in them"},
		{"pending", "of import: origins whose sessionStorage is set in their next document"},
		{"value", "of get: the item, or null; of set: its new value"},
		{"removed", "of remove and clear: how many there were"},
	},
	Run: runStorage,
}}

func runStorage(ctx context.Context, env *Env, a *Args) (Result, error) {
	switch a.Text(VerbArg) {
	case "export":
		return exportState(ctx, env, a)
	case "import":
		return importState(ctx, env, a)
	}
	r := ItemRequest{Act: a.Text(VerbArg), Area: a.Text("area"), Name: a.Text("name"), Value: a.Text("value")}
	if r.Area == "" {
		r.Area = "local"
	}
	got, err := env.Browser.StorageItem(ctx, r)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Act == "set":
		return Result{"value": r.Value}, nil
	case r.Act != "get":
		return Result{"removed": got.Removed}, nil
	case got.Value == nil:
		return Result{"value": nil}, nil
	}
	return Result{"value": *got.Value}, nil
}

func exportState(ctx context.Context, env *Env, a *Args) (Result, error) {
	for _, origin := range a.Texts("origins") {
		if !IsOrigin(origin) {
			return nil, diag.New(diag.ParamInvalid, "%q is no origin", clipped(origin)).
				WithHint("write scheme and host only, such as https://example.test")
		}
	}
	path := ""
	if a.Has("path") {
		var err error
		if path, err = env.Files.WritePath(a.Text("path")); err != nil {
			return nil, err
		}
	}
	state, left, err := env.Browser.ExportState(ctx, a.Texts("origins"))
	if err != nil {
		return nil, err
	}
	env.tellLeftOut("exported", left)
	data, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return nil, diag.New(diag.Internal, "the state cannot be written: %v", err).WithHint("this is a fault of ours: please report it")
	}
	r := Result{"cookies": len(state.Cookies), "origins": len(state.Origins)}
	if path == "" {
		var plain any
		if err := json.Unmarshal(data, &plain); err != nil {
			return nil, diag.New(diag.Internal, "the state cannot be read: %v", err).WithHint("this is a fault of ours: please report it")
		}
		r["state"] = plain
		return r, nil
	}
	if err := env.Files.Write(ctx, path, bytes.NewReader(append(data, '\n')), true); err != nil {
		return nil, unwritable(path, err)
	}
	r["path"] = path
	return r, nil
}

func importState(ctx context.Context, env *Env, a *Args) (Result, error) {
	data, err := readState(env.Files, a.Text("path"))
	if err != nil {
		return nil, err
	}
	state, err := ParseState(a.Text("path"), data)
	if err != nil {
		return nil, err
	}
	done, left, err := env.Browser.ImportState(ctx, state, a.Bool("clear"))
	if err != nil {
		return nil, err
	}
	env.tellLeftOut("imported", left)
	pending := make([]any, len(done.Pending))
	for i, origin := range done.Pending {
		pending[i] = origin
	}
	return Result{
		"cookies": done.Cookies, "origins": done.Origins, "items": done.Items,
		"databases": done.Databases, "records": done.Records, "pending": pending,
	}, nil
}

// readState reads a file, up to the maximum size of a state.
func readState(files Files, path string) ([]byte, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, unreadableState(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxState+1))
	switch {
	case err != nil:
		return nil, unreadableState(err)
	case len(data) > MaxState:
		return nil, diag.New(diag.LimitExceeded, "%s has more than %d MiB", path, MaxState>>20).WithHint("export fewer origins")
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}

func unreadableState(err error) error {
	if e := (*diag.Error)(nil); errors.As(err, &e) {
		return e
	}
	return diag.New(diag.StepFailed, "the state could not be read: %v", err).WithHint("check the path; relative ones are seen from the current folder").Because(err)
}

// maxLeftOut is how many left out items are reported one by one.
const maxLeftOut = 20

func (env *Env) tellLeftOut(did string, left []LeftOut) {
	for i, l := range left {
		if i == maxLeftOut {
			env.Warn("storage_left_out", "… and %d more were not %s", len(left)-i, did)
			return
		}
		env.Warn("storage_left_out", "%s was not %s: %s", l.Place, did, l.Why)
	}
}
