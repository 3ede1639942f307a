package executor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"

	"github.com/google/go-cmp/cmp"
)

const versioned = `{"namespace": "t", "selectors": {"ok": "css:#plain", "same": "css:#same"},
	"compatibility": {"version_script": "window.lib.version", "min_version": "3.0.0", "max_version": "6.x", "version_overrides": {
		"3.x": {"selectors": {"ok": "css:#three", "only": "css:#only"}},
		">=4": {"actions": {"a:b": {"steps": [{"action": "hover", "args": {"selector": "css:#variant"}}]}}}}},
	"actions": {
		"a:b": {"steps": [{"action": "click", "args": {"selector": "${selectors.ok}"}}]},
		"a:twice": {"steps": [{"action": "click", "args": {"selector": "${selectors.ok}"}}, {"action": "click", "args": {"selector": "${selectors.ok}"}}]},
		"a:plain": {"steps": [{"action": "click", "args": {"selector": "css:#same"}}]},
		"a:only": {"steps": [{"action": "click", "args": {"selector": "${selectors.only}"}}]},
		"a:open": {"steps": [{"action": "open", "args": {"url": "https://x.test/"}}, {"action": "click", "args": {"selector": "${selectors.ok}"}}]},
		"a:none": {"steps": [{"action": "press", "args": {"key": "Tab"}}]},
		"a:run": {"steps": [{"action": "open", "args": {"url": "https://x.test/"}}, {"action": "run", "args": {"action": "a:b"}}]}}}`

func TestVersions(t *testing.T) {
	tests := []struct {
		name    string
		action  string
		version string
		url     string
		no      bool
		calls   []string
		found   string
		code    diag.Code
		warn    []string
	}{
		{name: "override", action: "a:twice", version: "antd 3.26.1", calls: []string{"version", "press css:#three", "press css:#three"}, found: "3.26.1"},
		{name: "plain", action: "a:twice", version: "4.1", calls: []string{"version", "press css:#plain", "press css:#plain"}, found: "4.1.0"},
		{name: "variant", action: "a:b", version: "4.1", calls: []string{"shown", "version", "hover css:#variant"}, found: "4.1.0"},
		{name: "pre-release", action: "a:b", version: "4.0.0-beta.2", calls: []string{"shown", "version", "hover css:#variant"}, found: "4.0.0"},
		{name: "too old", action: "a:plain", version: "2.13.6", code: diag.VersionIncompatible, calls: []string{"version"}, found: "2.13.6"},
		{name: "at most 6.x", action: "a:plain", version: "6.99.0", calls: []string{"version", "press css:#same"}, found: "6.99.0"},
		{name: "too new", action: "a:plain", version: "7.0.0", code: diag.VersionIncompatible, calls: []string{"version"}, found: "7.0.0"},
		{name: "not found: looked for again, plain selectors, told", action: "a:twice", version: "",
			calls: []string{"version", "press css:#plain", "version", "press css:#plain"}, warn: []string{"version_not_detected"}},
		{name: "not found and of no matter", action: "a:plain", version: "dev", calls: []string{"version", "press css:#same"}},
		{name: "an alias of other versions", action: "a:only", version: "5", code: diag.VersionIncompatible, calls: []string{"version"}, found: "5.0.0"},
		{name: "no element step, no look", action: "a:none", version: "2", calls: []string{"key Tab"}},
		{name: "about:blank is not looked at", action: "a:open", version: "3", url: "about:blank",
			calls: []string{"open https://x.test/", "version", "press css:#three"}, found: "3.0.0"},
		{name: "switched off", action: "a:plain", version: "2", no: true, calls: []string{"press css:#same"}},
		{name: "the variant of a run is chosen when it starts", action: "a:run", version: "4", url: "about:blank",
			calls: []string{"open https://x.test/", "shown", "version", "hover css:#variant"}, found: "4.0.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, versioned)
			b.NoVersions = tt.no
			for _, key := range []string{"css:#plain", "css:#three", "css:#same", "css:#variant", "css:#only"} {
				b.page.present[key] = ""
			}
			b.page.version = tt.version
			if tt.url != "" {
				b.page.doc.URL = tt.url
			}
			res := b.run("t:"+tt.action, nil)
			if got := diag.CodeOf(errOf(res)); got != tt.code {
				t.Errorf("code = %q (%v), want %q", got, res.Error, tt.code)
			}
			if diff := cmp.Diff(tt.calls, b.page.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if res.Version != tt.found {
				t.Errorf("version = %q, want %q", res.Version, tt.found)
			}
			var warned []string
			for _, w := range res.Warnings {
				warned = append(warned, w.Code)
			}
			if diff := cmp.Diff(tt.warn, warned); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// An action runs the variant for the document on which it acts, whatever was open before.
func TestVariantOfTheDocumentThatIsOpened(t *testing.T) {
	open := `{"action": "open", "args": {"url": "https://x.test/"}}`
	press := func(key string) string { return `{"action": "click", "args": {"selector": "css:#` + key + `"}}` }
	text := `{"action": "get", "args": {"what": "text"}}`
	block := func(body string) string { return `{"action": "repeat", "args": {"max": 1}, "steps": [` + body + `]}` }
	tests := []struct {
		name           string
		plain, three   string // the steps, and the keys of the action after them
		before, opened string // versions; "none" for an empty page
		calls          string // the last calls
		returns        string
		found          string
		code           diag.Code
		warn           string
	}{
		{name: "the plain one, behind a page of the other", plain: open + "," + press("p"), three: open + "," + press("t"),
			before: "3", opened: "4", calls: "press css:#p", returns: "plain", found: "4.0.0"},
		{name: "the other, behind a page of the plain one", plain: open + "," + press("p"), three: open + "," + press("t"),
			before: "4", opened: "3", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "the other, behind an empty page", plain: open + "," + press("p"), three: open + "," + press("t"),
			before: "none", opened: "3", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "a page without a version has not that of the page before", plain: open + "," + press("p"), three: open + "," + press("t"),
			before: "3", opened: "", calls: "press css:#p", returns: "plain", warn: "version_not_detected"},
		{name: "returns alone", plain: open + "," + press("p"), before: "4", opened: "3", calls: "press css:#p", returns: "three", found: "3.0.0"},
		{name: "no step that acts", plain: open, before: "4", opened: "3", calls: "shown", returns: "three"},
		{name: "more steps", plain: open, three: open + "," + press("t"), before: "4", opened: "3", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "a step without a selector", plain: open + "," + text, three: open + "," + press("t"), before: "4", opened: "3", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "a block that opens, the same in both", plain: block(open+","+press("p")) + "," + press("p"), three: block(open+","+press("p")) + "," + press("t"),
			before: "4", opened: "3", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "a block that opens and then differs", plain: block(open + "," + press("p")), three: block(open + "," + press("t")),
			before: "4", opened: "3", calls: "open https://x.test/", code: diag.VersionIncompatible, found: "3.0.0"},
		{name: "begun otherwise", plain: open + "," + press("p"), three: press("t"),
			before: "none", opened: "3", calls: "open https://x.test/", code: diag.VersionIncompatible},
		{name: "begun otherwise, and no version there", plain: press("p"), three: open + "," + press("t"),
			before: "3", opened: "", calls: "open https://x.test/", code: diag.VersionIncompatible, warn: "version_not_detected"},
		{name: "of another version once it has acted", plain: press("p") + "," + open + "," + press("p"), three: press("t") + "," + open + "," + press("t"),
			before: "4", opened: "3", calls: "press css:#p", returns: "plain", found: "3.0.0", warn: "version_changed"},
		{name: "acted alike so far", plain: press("p") + "," + open + "," + press("p"), three: press("p") + "," + open + "," + press("t"),
			before: "4", opened: "3", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "on to a page without a version", plain: press("p"), three: press("t") + "," + open + "," + press("t"),
			before: "3", opened: "", calls: "press css:#t", returns: "three", found: "3.0.0"},
		{name: "the page is open", plain: press("p"), three: press("t"), before: "3", opened: "4", calls: "press css:#t", returns: "three", found: "3.0.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			three := `"returns": {"which": "three"}`
			if tt.three != "" {
				three += `, "steps": [` + tt.three + `]`
			}
			b := newBench(t, `{"namespace": "t", "compatibility": {"version_script": "lib.version", "version_overrides": {"3.x": {"actions": {"a:b": {`+three+`}}}}},
				"actions": {"a:b": {"steps": [`+tt.plain+`], "returns": {"which": "plain"}}}}`)
			b.page.present["css:#p"], b.page.present["css:#t"] = "", ""
			if b.page.version = tt.before; tt.before == "none" {
				b.page.doc.URL = "about:blank"
			}
			b.page.then["open https://x.test/"] = func() { b.page.version = tt.opened }
			res := b.run("t:a:b", nil)
			if got := diag.CodeOf(errOf(res)); got != tt.code || (res.Error != nil && res.Error.Hint == "") {
				t.Errorf("code = %q (%+v), want %q", got, res.Error, tt.code)
			}
			did := slices.DeleteFunc(slices.Clone(b.page.calls), func(call string) bool { return call == "version" || (call == "shown" && tt.calls != "shown") })
			if len(did) == 0 || did[len(did)-1] != tt.calls {
				t.Errorf("calls = %v, want %s as the last", b.page.calls, tt.calls)
			}
			data, _ := res.Data.(map[string]any)
			if got, _ := data["which"].(string); got != tt.returns {
				t.Errorf("returns = %q, want %q", got, tt.returns)
			}
			if res.Version != tt.found {
				t.Errorf("version = %q, want %q", res.Version, tt.found)
			}
			var warned []string
			for _, w := range res.Warnings {
				warned = append(warned, w.Code)
			}
			if got := strings.Join(warned, " "); got != tt.warn {
				t.Errorf("warnings = %q, want %q: %v", got, tt.warn, res.Warnings)
			}
		})
	}
}

// The checks of the variant that runs are evaluated before it acts.
func TestChecksOfTheVariantThatIsOpened(t *testing.T) {
	b := newBench(t, `{"namespace": "t", "compatibility": {"version_script": "lib.version", "version_overrides": {"3.x": {"actions": {"a:b": {
			"verify": [{"selector": "css:#t", "require_change": true}]}}}}},
		"actions": {"a:b": {"steps": [{"action": "open", "args": {"url": "https://x.test/"}}, {"action": "click", "args": {"selector": "css:#p"}}], "verify": [{"selector": "css:#p"}]}}}`)
	b.page.present["css:#p"], b.page.present["css:#t"] = "", ""
	b.page.version = "4"
	b.page.then["open https://x.test/"] = func() { b.page.version = "3" }
	if e := b.run("t:a:b", nil).Error; e == nil || e.Code != diag.VerifyFailed || e.Details["reason"] != "no_effect" {
		t.Errorf("error = %+v, want VERIFY_FAILED: what the check of 3.x asks for was there before", e)
	}
}

func TestVersionIncompatibleSaysWhat(t *testing.T) {
	b := newBench(t, versioned)
	b.page.version = "antd 2.13.6"
	e := b.run("t:a:plain", nil).Error
	if e == nil || !strings.Contains(e.Msg, "2.13.6") || !strings.Contains(e.Msg, "3.0.0 to 6.x") || e.Details["reported"] != "antd 2.13.6" || e.Hint == "" {
		t.Errorf("error = %+v, want the range and what was found", e)
	}
}

func TestVersionOfANewDocument(t *testing.T) {
	b := newBench(t, strings.Replace(versioned, `"a:none"`, `"a:two": {"steps": [{"action": "click", "args": {"selector": "${selectors.ok}"}},
		{"action": "open", "args": {"url": "https://x.test/"}}, {"action": "click", "args": {"selector": "${selectors.ok}"}}]}, "a:none"`, 1))
	b.page.present["css:#plain"], b.page.present["css:#three"] = "", ""
	b.page.version = "4"
	b.page.then["open https://x.test/"] = func() { b.page.version = "3" }
	res := b.run("t:a:two", nil)
	want := []string{"version", "press css:#plain", "open https://x.test/", "version", "press css:#three"}
	if diff := cmp.Diff(want, b.page.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s\n%v", diff, res.Error)
	}
}

func TestNestedNamespaceHasItsOwnVersion(t *testing.T) {
	outer := `{"namespace": "o", "compatibility": {"version_meta": "app"}, "actions": {"a:b": {"steps": [
		{"action": "click", "args": {"selector": "css:#same"}}, {"action": "run", "args": {"action": "t:a:plain"}}]}}}`
	b := newBench(t, versioned, outer)
	b.page.present["css:#same"] = ""
	b.page.version = "1.2"
	b.page.then["press css:#same"] = func() { b.page.version = "2.13" }
	res := b.run("o:a:b", nil)
	if diag.CodeOf(errOf(res)) != diag.VersionIncompatible || res.Error.Action != "t:a:plain" || res.Version != "1.2.0" {
		t.Errorf("error = %+v with version %q, want VERSION_INCOMPATIBLE of t:a:plain with o's version 1.2.0", res.Error, res.Version)
	}
	if b.page.probes != 2 {
		t.Errorf("%d probes, want 2: one for each namespace", b.page.probes)
	}
}

func TestVerify(t *testing.T) {
	yes, no := true, false
	tests := []struct {
		name   string
		verify string
		setup  func(p *fakePage)
		code   diag.Code
		msg    string
		want   []executor.Verified
		warn   []string
		reason any
		took   int64
	}{
		{name: "condition", verify: `{"condition": "${steps.r.text} == 'x'", "message": "got ${steps.r.text}"}`,
			want: []executor.Verified{{OK: true, Message: "got x"}}},
		{name: "condition that fails is not waited for", verify: `{"condition": "${steps.r.text} == 'y'", "message": "got ${steps.r.text}"}`,
			code: diag.VerifyFailed, msg: "got x", want: []executor.Verified{{OK: false, Message: "got x"}}, reason: "${steps.r.text} == 'y' does not hold"},
		{name: "condition on the page is polled", verify: `{"condition": "${page.title} == 'Done'"}`,
			setup: func(p *fakePage) {
				n := 0
				p.then["document"] = func() {
					if n++; n == 3 {
						p.doc.Title = "Done"
					}
				}
			},
			want: []executor.Verified{{OK: true, Message: "expected ${page.title} == 'Done'"}}, took: 100},
		{name: "and in the end fails", verify: `{"condition": "${page.title} == 'Done'", "message": "no"}`,
			code: diag.VerifyFailed, msg: "no", want: []executor.Verified{{Message: "no"}}, took: 5000},
		{name: "changed", verify: `{"selector": "css:#new", "message": "made"}`,
			setup: func(p *fakePage) { p.then["read css:#a"] = func() { p.present["css:#new"] = "" } },
			want:  []executor.Verified{{OK: true, Changed: &yes, Message: "made"}}},
		{name: "no effect is a warning", verify: `{"selector": "css:#a", "message": "made"}`,
			want: []executor.Verified{{OK: true, Changed: &no, Message: "made"}}, warn: []string{"no_effect"}},
		{name: "no effect is an error where a change is required", verify: `{"selector": "css:#a", "message": "made", "require_change": true}`,
			code: diag.VerifyFailed, msg: "made: nothing changed: the check already held before the first step",
			want: []executor.Verified{{OK: false, Changed: &no, Message: "made"}}, reason: "no_effect"},
		{name: "only afterwards", verify: `{"selector": "css:#a", "message": "made", "require_change": false}`,
			want: []executor.Verified{{OK: true, Message: "made"}}},
		{name: "not there", verify: `{"selector": "css:#new", "message": "made"}`,
			code: diag.VerifyFailed, msg: "made", want: []executor.Verified{{Message: "made"}}, took: 5000, reason: "nothing matches css:#new"},
		{name: "hidden", verify: `{"selector": "css:#a", "state": "hidden", "message": "closed"}`,
			setup: func(p *fakePage) { p.then["read css:#a"] = func() { delete(p.present, "css:#a") } },
			want:  []executor.Verified{{OK: true, Changed: &yes, Message: "closed"}}, took: 5000},
		{name: "text", verify: `{"text": "Saved", "message": "saved"}`,
			setup: func(p *fakePage) { p.then["read css:#a"] = func() { p.present["text*:Saved"] = "" } },
			want:  []executor.Verified{{OK: true, Changed: &yes, Message: "saved"}}},
		{name: "text in vain", verify: `{"text": "Saved", "message": "saved"}`,
			code: diag.VerifyFailed, msg: "saved", want: []executor.Verified{{Message: "saved"}}, took: 5000},
		{name: "url that was so before", verify: `{"url": "shop.test/"}`,
			want: []executor.Verified{{OK: true, Changed: &no, Message: "expected url shop.test/"}}, warn: []string{"no_effect"}},
		{name: "uses steps: not looked at before", verify: `{"selector": "text:r${steps.r.text}", "message": "m"}`,
			setup: func(p *fakePage) { p.present["text:r"], p.present["text:rx"] = "", "" },
			want:  []executor.Verified{{OK: true, Message: "m"}}},
		{name: "all are looked at, the rest without waiting", verify: `{"selector": "css:#n1", "message": "one"}, {"selector": "css:#n2", "message": "two"}, {"condition": "1 == 1", "message": "three"}`,
			code: diag.VerifyFailed, msg: "one", took: 5000,
			want: []executor.Verified{{Message: "one"}, {Message: "two"}, {OK: true, Message: "three"}}},
		{name: "url that became so", verify: `{"url": "/next"}`,
			setup: func(p *fakePage) { p.then["read css:#a"] = func() { p.navigate("https://shop.test/next") } },
			want:  []executor.Verified{{OK: true, Changed: &yes, Message: "expected url /next"}}},
		{name: "an empty page shows nothing", verify: `{"selector": "css:#a", "message": "m"}`, setup: func(p *fakePage) { p.doc.URL = "about:blank" },
			want: []executor.Verified{{OK: true, Changed: &yes, Message: "m"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, one(`{"action": "get", "args": {"selector": "css:#a", "what": "text"}, "output": "r"}`, `"verify": [`+tt.verify+`]`))
			b.page.present["css:#a"] = "x"
			if tt.setup != nil {
				tt.setup(b.page)
			}
			res := b.run("t:a:b", nil)
			if diff := cmp.Diff(tt.want, res.Verify); diff != "" {
				t.Errorf("verify (-want +got):\n%s", diff)
			}
			if got := diag.CodeOf(errOf(res)); got != tt.code {
				t.Fatalf("code = %q (%v), want %q", got, res.Error, tt.code)
			}
			if res.Error != nil && (res.Error.Msg != tt.msg || res.Error.Hint == "") {
				t.Errorf("message = %q, want %q with a hint", res.Error.Msg, tt.msg)
			}
			if tt.reason != nil && res.Error.Details["reason"] != tt.reason {
				t.Errorf("details.reason = %v, want %v", res.Error.Details["reason"], tt.reason)
			}
			if why, _ := tt.reason.(string); why != "no_effect" && res.Error != nil && !strings.Contains(res.Error.Hint, why) {
				t.Errorf("hint = %q, want the reason %q in it", res.Error.Hint, why)
			}
			var warned []string
			for _, w := range res.Warnings {
				warned = append(warned, w.Code)
			}
			if diff := cmp.Diff(tt.warn, warned); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if res.DurationMS != tt.took {
				t.Errorf("took %dms, want %d", res.DurationMS, tt.took)
			}
		})
	}
}

// If an action opens its page and then acts on it, checks are evaluated before it acts on that
// page, not on the page that was open before.
func TestVerifyAfterOpening(t *testing.T) {
	const press = click + "}"
	const open, get = `{"action": "open", "args": {"url": "https://x.test/"}}`, `{"action": "get", "args": {"selector": "css:#a", "what": "text"}}`
	for _, tt := range []struct {
		name, steps    string
		before, opened bool // whether the page shows what the check waits for
		changed        bool
		held           string // when the check already held, as the warning says it
	}{
		{"the page before showed it", open + ", " + press, true, false, true, ""},
		{"the opened page shows it", open + ", " + press, false, true, false, "held before the first step after the page was opened, so"},
		{"two are opened", open + ", " + open + ", " + press, true, false, true, ""},
		{"a press inside a block", open + `, {"action": "repeat", "args": {"until": "1 == 1", "max": 1}, "steps": [` + press + `]}`, true, false, true, ""},
		{"nothing acts on it", open + ", " + get, false, true, true, ""},
		{"it is opened later", get + ", " + open + ", " + press, true, true, false, "held before t:a:b began, so"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, one(tt.steps, `"verify": [{"selector": "css:#new", "message": "made"}]`))
			shows := func(yes bool) {
				delete(b.page.present, "css:#new")
				if yes {
					b.page.present["css:#new"] = ""
				}
			}
			b.page.present["css:#a"] = "x"
			shows(tt.before)
			b.page.then["open https://x.test/"] = func() { shows(tt.opened) }
			b.page.then["press css:#a"] = func() { shows(true) }
			res := b.run("t:a:b", nil)
			if res.Error != nil || len(res.Verify) != 1 || res.Verify[0].Changed == nil || *res.Verify[0].Changed != tt.changed {
				t.Errorf("verify = %+v with %v, want changed: %v", res.Verify, res.Error, tt.changed)
			}
			for _, w := range res.Warnings {
				if tt.held == "" || !strings.Contains(w.Message, tt.held) {
					t.Errorf("warning %s: %s, want %q in it", w.Code, w.Message, tt.held)
				}
			}
		})
	}
}

func TestVersionProbes(t *testing.T) {
	tests := []struct{ name, compat, want string }{
		{"selector", `"version_selector": "css:[data-v]"`, "css:[data-v]"},
		{"meta", `"version_meta": "app-version"`, "app-version"},
		{"script", `"version_script": "window.lib.version"`, "window.lib.version"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, `{"namespace": "t", "compatibility": {`+tt.compat+`}, "actions": {"a:b": {"steps": [`+click+`}]}}}`)
			b.page.present["css:#a"] = ""
			b.page.version = "1.2.3"
			if res := b.run("t:a:b", nil); res.Version != "1.2.3" {
				t.Errorf("version = %q, want 1.2.3: %v", res.Version, res.Error)
			}
			if b.page.probed != tt.want {
				t.Errorf("the page was queried for %q, want %q", b.page.probed, tt.want)
			}
		})
	}
}

const marked = `{"namespace": "t", "selectors": {"ok": "css:#plain"},
	"compatibility": {"version_script": "window.lib.version", "max_version": "5.x", "version_markup": {"5.1": "css:.five-one", "3.x": "css:.three", "6.x": "css:.six"},
		"version_overrides": {"3.x": {"selectors": {"ok": "css:#three"}}, ">=3.5 <4": {"selectors": {"ok": "css:#late"}}, ">=5.1": {"selectors": {"ok": "css:#five"}}}},
	"actions": {"a:b": {"steps": [{"action": "click", "args": {"selector": "${selectors.ok}"}}, {"action": "click", "args": {"selector": "${selectors.ok}"}}]}}}`

// If the page does not report its version, its markup decides.
func TestVersionMarkup(t *testing.T) {
	for _, tt := range []struct {
		name     string
		version  string
		shows    []string
		calls    []string
		found    string
		detected string
		warn     []string
		code     diag.Code
	}{
		{name: "the page says it", version: "3.6.0", shows: []string{"css:.five-one"}, calls: []string{"version", "press css:#late", "press css:#late"}, found: "3.6.0"},
		{name: "by what it shows, once", shows: []string{"css:.three"}, calls: []string{"version", "look", "press css:#three", "press css:#three"}, found: "3.x", detected: "markup"},
		{name: "the first that matches", shows: []string{"css:.three", "css:.five-one"}, calls: []string{"version", "look", "press css:#five", "press css:#five"}, found: "5.1", detected: "markup"},
		{name: "nothing, looked for again", calls: []string{"version", "look", "press css:#plain", "version", "look", "press css:#plain"}, warn: []string{"version_not_detected"}},
		{name: "not supported", shows: []string{"css:.six"}, calls: []string{"version", "look"}, code: diag.VersionIncompatible, found: "6.x", detected: "markup"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, marked)
			for _, key := range append(tt.shows, "css:#plain", "css:#three", "css:#late", "css:#five") {
				b.page.present[key] = ""
			}
			b.page.version = tt.version
			res := b.run("t:a:b", nil)
			if got := diag.CodeOf(errOf(res)); got != tt.code {
				t.Errorf("code = %q (%v), want %q", got, res.Error, tt.code)
			}
			if diff := cmp.Diff(tt.calls, b.page.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if res.Version != tt.found || res.Detected != tt.detected {
				t.Errorf("version %q, detected by %q, want %q, %q", res.Version, res.Detected, tt.found, tt.detected)
			}
			var warned []string
			for _, w := range res.Warnings {
				warned = append(warned, w.Code)
			}
			if !slices.Equal(warned, tt.warn) {
				t.Errorf("warnings %v, want %v", warned, tt.warn)
			}
		})
	}
}
