package steps

import (
	"context"

	"github.com/actionregistry/action/diag"
)

// Tabs are the tabs of all windows. An unknown id is PARAM_INVALID, and the hint lists the
// existing ones.
type Tabs interface {
	// ActiveTab is the id of the active tab. It does not query the browser.
	ActiveTab() string
	// Tabs describes every tab, those of one window together.
	Tabs(ctx context.Context) ([]TabInfo, error)
	// OpenTab opens a blank tab in the window of the active one and makes it active. More
	// than the session may have is LIMIT_EXCEEDED.
	OpenTab(ctx context.Context) (id string, err error)
	// SwitchTab makes a tab active once it can be used: its first document has arrived, or
	// failed.
	SwitchTab(ctx context.Context, id string) error
	// CloseTab closes a tab; "" is the active one. The opener of an active tab becomes
	// active, otherwise the previously active tab of its window. The last tab of a window
	// is refused.
	CloseTab(ctx context.Context, id string) error
}

// Windows are sets of tabs that share cookies and storage with each other and with no other
// window.
type Windows interface {
	// Windows describes every window. It does not query the browser.
	Windows() []WindowInfo
	// OpenWindow opens a window with one blank tab and makes the tab active.
	OpenWindow(ctx context.Context) (id string, err error)
	// SwitchWindow makes the last active tab of a window active.
	SwitchWindow(ctx context.Context, id string) error
	// CloseWindow closes a window with its tabs, cookies and storage; "" is the window of
	// the active tab. The last window is refused.
	CloseWindow(ctx context.Context, id string) error
}

// A TabInfo describes a tab.
type TabInfo struct {
	ID, Window string
	URL, Title string
	Active     bool
	Opener     string // the tab whose page opened it; "": none
}

// A WindowInfo describes a window.
type WindowInfo struct {
	ID     string
	Tabs   int
	Active bool   // it has the active tab
	Tab    string // the last active one of its tabs
}

var tabFields = []Field{
	{"tab", "id of the active tab after the step, such as t1"},
	{"window", "id of its window, such as w1"},
	{"url", "address that it shows"},
	{"title", "title of the document"},
}

var newURLArg = Arg{Name: "url", Type: ArgText, Doc: "address to open there; absent: a blank page"}

var tabSteps = []*Entry{
	{
		Name: "tab", Group: GroupBrowser, Limit: PageTime,
		Summary: "open, list, switch and close tabs",
		Doc: "Steps act on the active tab. A tab that a page opens (a pop-up, target=_blank) does not become active: the result of the press names it in `tab`, and a warning reports it. Ids are never reused in a session. A tab shares cookies and storage with those of its window.\n\n" +
			"When the active tab is closed, by the step or by its page, the tab that opened it becomes active, otherwise the previously active tab of its window. " +
			"`close` refuses the last tab of a window; a last tab that closes itself is replaced by a blank one.",
		Example: "tab: {do: switch, tab: \"${steps.click.tab}\"}",
		Args:    []Arg{newURLArg, {Name: "tab", Type: ArgText, Doc: "id of a tab"}},
		Verbs: []Verb{
			{Name: "new", Doc: "open a tab in the window of the active one and make it active", Args: []string{"url"}, Hand: []string{"url"}},
			{Name: "list", Doc: "list all tabs", Looks: true},
			{Name: "switch", Doc: "make a tab active", Args: []string{"tab"}, Needs: []string{"tab"}, Hand: []string{"tab"}},
			{Name: "close", Doc: "close a tab; without an id, the active one", Args: []string{"tab"}, Hand: []string{"tab"}},
		},
		Result: append(tabFields[:4:4], Field{"tabs", "of list: all tabs, each with id, window, url, title, active, opener"}),
		Run:    runTab,
	},
	{
		Name: "window", Group: GroupBrowser, Limit: PageTime,
		Summary: "open, list, switch and close windows",
		Doc: "A window has its own cookies and storage: two windows can be signed in as different users. The session begins with the window w1. " +
			"With a profile folder, or in a browser that was already running, w1 has the cookies of that profile or browser. " +
			"`close` deletes the cookies and storage of the window; the last window cannot be closed.",
		Example: "window: {do: new, url: \"${env.BASE_URL}\"}",
		Args:    []Arg{newURLArg, {Name: "window", Type: ArgText, Doc: "id of a window"}},
		Verbs: []Verb{
			{Name: "new", Doc: "open a window with one tab and make the tab active", Args: []string{"url"}, Hand: []string{"url"}},
			{Name: "list", Doc: "list all windows", Looks: true},
			{Name: "switch", Doc: "make the last active tab of a window active", Args: []string{"window"}, Needs: []string{"window"}, Hand: []string{"window"}},
			{Name: "close", Doc: "close a window with its tabs; without an id, the window of the active tab", Args: []string{"window"}, Hand: []string{"window"}},
		},
		Result: append(tabFields[:4:4], Field{"windows", "of list: all windows, each with id, tabs (their number), active, tab (that was active last)"}),
		Run:    runWindow,
	},
}

func runTab(ctx context.Context, env *Env, a *Args) (Result, error) {
	switch a.Text(VerbArg) {
	case "new":
		return openNew(ctx, env, a, env.Browser.OpenTab, env.Browser.CloseTab)
	case "switch":
		if err := env.Browser.SwitchTab(ctx, a.Text("tab")); err != nil {
			return nil, err
		}
	case "close":
		if err := env.Browser.CloseTab(ctx, a.Text("tab")); err != nil {
			return nil, err
		}
	case "list":
		tabs, err := env.Browser.Tabs(ctx)
		if err != nil {
			return nil, err
		}
		list := make([]any, len(tabs))
		for i, t := range tabs {
			list[i] = map[string]any{
				"id": t.ID, "window": t.Window, "url": t.URL, "title": t.Title, "active": t.Active, "opener": orNull(t.Opener),
			}
		}
		r := activeTab(tabs)
		r["tabs"] = list
		return r, nil
	}
	return whereNow(ctx, env)
}

func runWindow(ctx context.Context, env *Env, a *Args) (Result, error) {
	switch a.Text(VerbArg) {
	case "new":
		return openNew(ctx, env, a, env.Browser.OpenWindow, env.Browser.CloseWindow)
	case "switch":
		if err := env.Browser.SwitchWindow(ctx, a.Text("window")); err != nil {
			return nil, err
		}
	case "close":
		if err := env.Browser.CloseWindow(ctx, a.Text("window")); err != nil {
			return nil, err
		}
	}
	r, err := whereNow(ctx, env)
	if err != nil || a.Text(VerbArg) != "list" {
		return r, err
	}
	windows := env.Browser.Windows()
	list := make([]any, len(windows))
	for i, w := range windows {
		list[i] = map[string]any{"id": w.ID, "tabs": w.Tabs, "active": w.Active, "tab": orNull(w.Tab)}
	}
	r["windows"] = list
	return r, nil
}

// openNew opens a tab or a window. If its address cannot be opened it is closed again, so
// that nothing has changed.
func openNew(ctx context.Context, env *Env, a *Args, open func(context.Context) (string, error), shut func(context.Context, string) error) (Result, error) {
	address := a.Text("url")
	if address != "" {
		if err := env.checkURL(address); err != nil {
			return nil, err
		}
	}
	before := env.Browser.ActiveTab()
	id, err := open(ctx)
	if diag.CodeOf(err) == diag.Timeout && address != "" {
		return nil, diag.New(diag.Timeout, "the browser has not opened a new place for %s in time", address).
			WithHint("give the step more time").Because(err)
	}
	if err != nil {
		return nil, err
	}
	if address != "" {
		if _, err := env.Browser.Active().Open(ctx, address, Load); err != nil {
			ctx := context.WithoutCancel(ctx)
			_ = env.Browser.SwitchTab(ctx, before) // the first failure is reported
			_ = shut(ctx, id)
			return nil, err
		}
	}
	return whereNow(ctx, env)
}

// checkURL says whether a step may go to an address.
func (env *Env) checkURL(address string) error {
	if env.CheckURL == nil {
		return CheckWebURL(address)
	}
	return env.CheckURL(address)
}

func whereNow(ctx context.Context, env *Env) (Result, error) {
	tabs, err := env.Browser.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	return activeTab(tabs), nil
}

func activeTab(tabs []TabInfo) Result {
	for _, t := range tabs {
		if t.Active {
			return Result{"tab": t.ID, "window": t.Window, "url": t.URL, "title": t.Title}
		}
	}
	return Result{}
}

func orNull(id string) any {
	if id == "" {
		return nil
	}
	return id
}
