package catalogue

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type whereResult struct {
	Tab    *string `json:"tab,omitempty" doc:"id of the active tab after the step, such as t1"`
	Window *string `json:"window,omitempty" doc:"id of its window, such as w1"`
	URL    *string `json:"url,omitempty" doc:"address that the tab shows"`
	Title  *string `json:"title,omitempty" doc:"title of the document"`
}

type newArgs struct {
	URL string `arg:"url" pos:"1" doc:"address to open there; absent: a blank page"`
}

type newWindowArgs struct {
	newArgs
	Width  int `arg:"width" with:"height" min:"1" max:"10000" doc:"width of its pages, in CSS pixels; absent: that of the session"`
	Height int `arg:"height" with:"width" min:"1" max:"10000" doc:"height of its pages, see width"`
}

type tabArgs struct {
	Tab string `arg:"tab,required" pos:"1" doc:"id of a tab"`
}

type closeTabArgs struct {
	Tab string `arg:"tab" pos:"1"`
}

type windowArgs struct {
	Window string `arg:"window,required" pos:"1" doc:"id of a window"`
}

type closeWindowArgs struct {
	Window string `arg:"window" pos:"1"`
}

type tabsResult struct {
	whereResult
	Tabs []tabData `json:"tabs" doc:"of list: all tabs, each with id, window, url, title, active, opener"`
}

type tabData struct {
	ID     string  `json:"id"`
	Window string  `json:"window"`
	URL    string  `json:"url"`
	Title  string  `json:"title"`
	Active bool    `json:"active"`
	Opener *string `json:"opener"`
}

type windowsResult struct {
	whereResult
	Windows []windowData `json:"windows" doc:"of list: all windows, each with id, tabs (their number), active, tab (that was active last)"`
}

type windowData struct {
	ID     string  `json:"id"`
	Tabs   int     `json:"tabs"`
	Active bool    `json:"active"`
	Tab    *string `json:"tab"`
}

var tabSteps = []*steps.Entry{
	steps.DefineVerbs(steps.Entry{
		Name: "tab", Group: steps.GroupBrowser, Limit: steps.PageTime,
		Summary: "open, list, switch and close tabs",
		Doc: "Steps act on the active tab. A tab that a page opens (a pop-up, target=_blank) does not become active: the result of the press names it in `tab`, and a warning reports it. Ids are never reused in a session. A tab shares cookies and storage with the other tabs of its window.\n\n" +
			"When the active tab is closed, by the step or by its page, the tab that opened it becomes active, or otherwise the previously active tab of its window. " +
			"`close` refuses the last tab of a window; a last tab that closes itself is replaced by a blank one.",
		Example: "tab: {do: switch, tab: \"${steps.click.tab}\"}",
	},
		steps.NewVerb(steps.Verb{Name: "new", Doc: "open a tab in the window of the active one and make it active"}, func(ctx context.Context, env *steps.Env, a *newArgs) (whereResult, error) {
			return openNew(ctx, env, a.URL, env.Browser.OpenTab, env.Browser.CloseTab)
		}),
		steps.NewVerb(steps.Verb{Name: "list", Doc: "list all tabs", Looks: true}, listTabs),
		steps.NewVerb(steps.Verb{Name: "switch", Doc: "make a tab active"}, func(ctx context.Context, env *steps.Env, a *tabArgs) (whereResult, error) {
			return thenWhere(ctx, env, env.Browser.SwitchTab(ctx, a.Tab))
		}),
		steps.NewVerb(steps.Verb{Name: "close", Doc: "close a tab; without an id, the active one"}, func(ctx context.Context, env *steps.Env, a *closeTabArgs) (whereResult, error) {
			return thenWhere(ctx, env, env.Browser.CloseTab(ctx, a.Tab))
		}),
	),
	steps.DefineVerbs(steps.Entry{
		Name: "window", Group: steps.GroupBrowser, Limit: steps.PageTime,
		Summary: "open, list, switch and close windows",
		Doc: "A window has its own cookies and storage: two windows can be signed in as different users. The session begins with the window w1. " +
			"With a profile folder, or in a browser that was already running, w1 has the cookies of that profile or browser. " +
			"`close` deletes the cookies and storage of the window; the last window cannot be closed. " +
			"The pages of a window that was opened with width and height have that size, in all its tabs.",
		Example: "window: {do: new, url: \"${env.BASE_URL}\"}",
	},
		steps.NewVerb(steps.Verb{Name: "new", Doc: "open a window with one tab and make the tab active"}, func(ctx context.Context, env *steps.Env, a *newWindowArgs) (whereResult, error) {
			if (a.Width > 0) != (a.Height > 0) {
				return whereResult{}, diag.New(diag.ParamRequired, "found only one of `width` and `height`, expected both").
					WithHint("write both `width` and `height`, or neither of the two")
			}
			open := func(ctx context.Context) (string, error) {
				return env.Browser.OpenWindow(ctx, driver.Size{Width: a.Width, Height: a.Height})
			}
			return openNew(ctx, env, a.URL, open, env.Browser.CloseWindow)
		}),
		steps.NewVerb(steps.Verb{Name: "list", Doc: "list all windows", Looks: true}, listWindows),
		steps.NewVerb(steps.Verb{Name: "switch", Doc: "make the last active tab of a window active"}, func(ctx context.Context, env *steps.Env, a *windowArgs) (whereResult, error) {
			return thenWhere(ctx, env, env.Browser.SwitchWindow(ctx, a.Window))
		}),
		steps.NewVerb(steps.Verb{Name: "close", Doc: "close a window with its tabs; without an id, the window of the active tab"}, func(ctx context.Context, env *steps.Env, a *closeWindowArgs) (whereResult, error) {
			return thenWhere(ctx, env, env.Browser.CloseWindow(ctx, a.Window))
		}),
	),
}

func listTabs(ctx context.Context, env *steps.Env, _ *noArgs) (r tabsResult, err error) {
	tabs, err := env.Browser.Tabs(ctx)
	if err != nil {
		return r, err
	}
	r.whereResult = activeTab(tabs)
	for _, t := range tabs {
		r.Tabs = append(r.Tabs, tabData{ID: t.ID, Window: t.Window, URL: t.URL, Title: t.Title, Active: t.Active, Opener: orNil(t.Opener)})
	}
	return r, nil
}

func listWindows(ctx context.Context, env *steps.Env, _ *noArgs) (r windowsResult, err error) {
	where, err := whereNow(ctx, env)
	if err != nil {
		return r, err
	}
	r.whereResult = where
	for _, w := range env.Browser.Windows() {
		r.Windows = append(r.Windows, windowData{ID: w.ID, Tabs: w.Tabs, Active: w.Active, Tab: orNil(w.Tab)})
	}
	return r, nil
}

// thenWhere returns the active tab, or err if it is not nil.
func thenWhere(ctx context.Context, env *steps.Env, err error) (whereResult, error) {
	if err != nil {
		return whereResult{}, err
	}
	return whereNow(ctx, env)
}

// openNew opens an address in a new tab or window. If that fails, it closes the tab or window.
func openNew(ctx context.Context, env *steps.Env, address string, open func(context.Context) (string, error), shut func(context.Context, string) error) (r whereResult, err error) {
	if address != "" {
		if err := checkURL(env, address); err != nil {
			return r, err
		}
	}
	before := env.Browser.ActiveTab()
	id, err := open(ctx)
	if diag.CodeOf(err) == diag.Timeout && address != "" {
		return r, diag.New(diag.Timeout, "the browser did not open a new tab or window for %s in time", address).
			WithHint("use a longer timeout for the step").Because(err)
	}
	if err != nil {
		return r, err
	}
	if address != "" {
		if _, err := env.Browser.Active().Open(ctx, address, driver.Load); err != nil {
			ctx := context.WithoutCancel(ctx)
			_ = env.Browser.SwitchTab(ctx, before) // the first failure is reported
			_ = shut(ctx, id)
			return r, err
		}
	}
	return whereNow(ctx, env)
}

func whereNow(ctx context.Context, env *steps.Env) (whereResult, error) {
	tabs, err := env.Browser.Tabs(ctx)
	return activeTab(tabs), err
}

func activeTab(tabs []driver.TabInfo) whereResult {
	for i := range tabs {
		if t := &tabs[i]; t.Active {
			return whereResult{Tab: &t.ID, Window: &t.Window, URL: &t.URL, Title: &t.Title}
		}
	}
	return whereResult{}
}
