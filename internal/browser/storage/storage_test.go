package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/cookies"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// page is a fake tab, hidden or not, in which the storage script returns the texts in answers.
type page struct {
	id      string
	address string
	answers map[string]string // by method, and by address and method
	fails   map[string]error  // by method, by address and method, and by address
	tree    *proto.PageFrameTree
	scripts int
	log     *[]string
}

func (p *page) ID() string      { return p.id }
func (p *page) Address() string { return p.address }

func (p *page) note(format string, args ...any) {
	*p.log = append(*p.log, p.id+": "+fmt.Sprintf(format, args...))
}

func (p *page) Call(_ context.Context, f eval.CallFunction, out any) (string, error) {
	method := f.Arguments[0].Value.(string)
	arg, err := json.Marshal(f.Arguments[1].Value)
	if err != nil {
		return "", err
	}
	p.note("%s %s", method, arg)
	for _, key := range []string{p.address + " " + method, method} {
		if err := p.fails[key]; err != nil {
			return p.address, err
		}
		if text, ok := p.answers[key]; ok {
			*out.(*string) = text
			return p.address, nil
		}
	}
	*out.(*string) = "{}"
	return p.address, nil
}

func (p *page) Do(_ context.Context, req proto.Request, out any) error {
	switch v := req.(type) {
	case proto.PageGetFrameTree:
		if p.tree == nil {
			return errors.New("no tree")
		}
		out.(*proto.PageGetFrameTreeResult).FrameTree = p.tree
	case proto.PageAddScriptToEvaluateOnNewDocument:
		p.scripts++
		id := fmt.Sprint("s", p.scripts)
		out.(*proto.PageAddScriptToEvaluateOnNewDocumentResult).Identifier = proto.PageScriptIdentifier(id)
		p.note("add %s in %s", id, v.WorldName)
	case proto.PageRemoveScriptToEvaluateOnNewDocument:
		p.note("remove %s", v.Identifier)
	case proto.StorageClearDataForOrigin:
		p.note("clear %s", v.Origin)
	default:
		return errors.New("unknown command " + req.ProtoReq())
	}
	return nil
}

func (p *page) Open(_ context.Context, address string) error {
	p.note("open %s", address)
	p.address = address
	return p.fails[address]
}

func (p *page) Close(context.Context) { p.note("close") }

// windowOf returns a window with tabs, the active one first, and a hidden tab.
func windowOf(t *testing.T, h *page, tabs ...*page) (Window, *[]string) {
	var log []string
	in, out := testkit.Pipes(t, func(_, method string, _ json.RawMessage) (any, string) {
		log = append(log, method)
		return struct{}{}, ""
	})
	conn := cdp.OverPipes(in, out, func(*cdp.Event) {}, nil)
	t.Cleanup(conn.Close)
	h.id = "hidden"
	for _, p := range append(tabs, h) {
		p.log = &log
	}
	return Window{
		Jar:     cookies.Jar{Conn: conn, Explain: func(_ context.Context, err error) error { return err }},
		Origins: new(Origins), Active: tabs[0], Restores: new(Restores), World: "ours",
		Tabs: func() (list []Tab) {
			for _, p := range tabs {
				list = append(list, p)
			}
			return list
		},
		Hide: func(context.Context) (HiddenTab, error) {
			h.note("hide")
			return h, nil
		},
	}, &log
}

func wantLog(t *testing.T, log *[]string, want ...string) {
	t.Helper()
	if !slices.Equal(*log, want) {
		t.Errorf("it did\n%s\nwant\n%s", strings.Join(*log, "\n"), strings.Join(want, "\n"))
	}
	*log = nil
}

func TestItem(t *testing.T) {
	var log []string
	const address = "https://a.test/x"
	for _, tt := range []struct {
		name, address, answer string
		fails                 error
		want                  string // the value, or after ! of the error
	}{
		{"a value", address, `{"ok":{"value":"v"}}`, nil, "v"},
		{"a refusal", address, `{"error":"SecurityError\u202e"}`, nil, `!the storage of https://a.test: SecurityError\u202e`},
		{"a page without an origin", "about:blank", `{"error":"x"}`, nil, "!the storage of the page: x"},
		{"no JSON", address, `x`, nil, "!reading the storage failed"},
		{"a document that goes away", address, "", cdp.ErrGone, "!the page loaded another document"},
		{"another failure", address, "", diag.New(diag.Timeout, "late"), "!late"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &page{address: tt.address, log: &log, answers: map[string]string{"item": tt.answer}, fails: map[string]error{"item": tt.fails}}
			a, err := Item(context.Background(), p, driver.ItemRequest{Act: "get", Area: "local", Name: "n"})
			got := fmt.Sprint("!", err)
			if err == nil && a.Value != nil {
				got = *a.Value
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExport(t *testing.T) {
	const a, b, c = "https://a.test", "https://b.test", "https://c.test:8080"
	h := &page{
		answers: map[string]string{
			a + "/ read": `{"ok":{"localStorage":[{"name":"k","value":"v"}],"left":[{"Place":"the record \u202e","Why":"it is odd\n"}]}}`,
			c + "/ read": `{"ok":{"localStorage":[]}}`,
		},
		fails: map[string]error{b + "/": errors.New("cannot open it")},
	}
	t1 := &page{id: "t1", address: a + "/x", answers: map[string]string{"session": `{"ok":[{"name":"s","value":"1"}]}`}}
	t2 := &page{id: "t2", address: a + "/y"}
	t3 := &page{id: "t3", address: b + "/", fails: map[string]error{"session": errors.New("busy")}}
	t4 := &page{id: "t4", address: "about:blank", tree: &proto.PageFrameTree{
		Frame:       &proto.PageFrame{SecurityOrigin: "://"},
		ChildFrames: []*proto.PageFrameTree{{Frame: &proto.PageFrame{SecurityOrigin: b}}},
	}}
	w, log := windowOf(t, h, t1, t2, t3, t4)
	w.Unseen = true
	w.Origins.Add(c)
	state, left, err := w.Export(context.Background(), []string{a, c})
	if err != nil {
		t.Fatal(err)
	}
	wantLog(t, log, "Storage.getCookies", "t1: session null", "t3: session null", "hidden: hide",
		"hidden: open "+a+"/", fmt.Sprintf(`hidden: read {"limit":%d}`, driver.MaxState), "hidden: open "+b+"/",
		"hidden: open "+c+"/", fmt.Sprintf(`hidden: read {"limit":%d}`, driver.MaxState-size(state.Origins[0])), "hidden: close")
	if got := fmt.Sprint(state.Cookies, state.Origins); got != "[] [{"+a+" [{k v}] [{s 1}] []}]" {
		t.Errorf("exported %s", got)
	}
	want := fmt.Sprint([]driver.LeftOut{
		{Place: "the sessionStorage of t3", Why: "busy"}, {Place: a + `: the record \u202e`, Why: `it is odd\u000a`}, {Place: b, Why: "cannot open it"},
	})
	if got := fmt.Sprint(left); got != want {
		t.Errorf("left out %s\nwant %s", got, want)
	}
}

// If no origin is known, no hidden tab is opened. If the context ends, the export fails.
func TestExportEnds(t *testing.T) {
	h, ctx := &page{fails: map[string]error{"https://a.test/": context.Canceled}}, context.Background()
	w, log := windowOf(t, h, &page{id: "t1", address: "about:blank"})
	if state, left, err := w.Export(ctx, nil); err != nil || len(left) > 0 || state.Cookies == nil || state.Origins == nil {
		t.Errorf("exported %+v, left out %v, %v", state, left, err)
	}
	wantLog(t, log, "Storage.getCookies")
	if _, left, err := w.Export(ctx, []string{"https://a.test"}); err != nil || len(left) != 1 {
		t.Errorf("left out %v, %v", left, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	hide := w.Hide
	w.Hide = func(ctx context.Context) (HiddenTab, error) {
		cancel()
		return hide(ctx)
	}
	if _, _, err := w.Export(ctx, []string{"https://a.test"}); !errors.Is(err, context.Canceled) {
		t.Errorf("when its time is up: %v", err)
	}
	if last := (*log)[len(*log)-1]; last != "hidden: close" {
		t.Errorf("it ends with %s", last)
	}
}

func TestImport(t *testing.T) {
	const a, b, c = "https://a.test", "https://b.test", "https://c.test"
	items := []driver.StateItem{{Name: "s", Value: "1"}}
	h := &page{answers: map[string]string{"write": `{"ok":{"items":1,"databases":2,"records":3}}`}}
	t1 := &page{id: "t1", address: a + "/x"}
	w, log := windowOf(t, h, t1)
	w.Origins.Add(c)
	state := &driver.State{Origins: []driver.StateOrigin{{Origin: b, SessionStorage: items}, {Origin: a, SessionStorage: items}}}
	done, left, err := w.Import(context.Background(), state, true)
	if err != nil || len(left) > 0 || fmt.Sprint(done) != "{0 2 2 4 6 ["+b+"]}" {
		t.Errorf("imported %+v, left out %v, %v", done, left, err)
	}
	const session = `[{"name":"s","value":"1"}]`
	write := func(origin string) string {
		return `hidden: write {"origin":"` + origin + `","localStorage":null,"sessionStorage":` + session + `}`
	}
	wantLog(t, log, "Storage.clearCookies", "Storage.getCookies", "hidden: hide",
		"hidden: clear "+a, "hidden: open "+a+"/", write(a), "t1: setSession "+session,
		"hidden: clear "+b, "hidden: open "+b+"/", write(b), "t1: add s1 in ours",
		"hidden: clear "+c, "hidden: close")
	if got := w.Origins.all(); !slices.Equal(got, []string{c, a, b}) {
		t.Errorf("the origins are %v", got)
	}

	// The same import again: only the last one counts.
	state.Origins = state.Origins[:1]
	if _, _, err := w.Import(context.Background(), state, false); err != nil {
		t.Error(err)
	}
	wantLog(t, log, "Storage.getCookies", "hidden: hide", "hidden: open "+b+"/", write(b), "t1: add s2 in ours", "t1: remove s1", "hidden: close")
	if got := w.Restores.Shown(a); got != nil {
		t.Errorf("when %s is shown, %v is called", a, got)
	}
	if got, want := w.Restores.Shown(b), (proto.PageRemoveScriptToEvaluateOnNewDocument{Identifier: "s2"}); got != want {
		t.Errorf("when %s is shown, %v is called, want %v", b, got, want)
	}
	if got := w.Restores.Shown(b); got != nil {
		t.Errorf("when %s is shown again, %v is called", b, got)
	}

	h.fails = map[string]error{b + "/": errors.New("cannot open it")}
	if _, _, err := w.Import(context.Background(), state, false); err == nil {
		t.Error("an origin that cannot be opened is no error")
	}
}

func TestOrigins(t *testing.T) {
	var o Origins
	for _, origin := range []string{"https://a.test", "null", "", "://", "https://b.test", "https://a.test", "file://"} {
		o.Add(origin)
	}
	if got := o.all(); !slices.Equal(got, []string{"https://a.test", "https://b.test"}) {
		t.Errorf("got %v", got)
	}
	for i := range maxOrigins {
		o.Add(fmt.Sprintf("https://%d.test", i))
	}
	if got := o.all(); len(got) != maxOrigins || got[0] != "https://0.test" {
		t.Errorf("got %d origins, the first is %s", len(got), got[0])
	}
}

func TestAnswer(t *testing.T) {
	for _, tt := range []struct{ name, event, want string }{
		{"a document", `{"requestId":"r","resourceType":"Document"}`, "Fetch.fulfillRequest"},
		{"an icon", `{"requestId":"r","resourceType":"Other"}`, "Fetch.failRequest"},
		{"a script", `{"requestId":"r","resourceType":"Script"}`, "Fetch.failRequest"},
		{"nothing", `[]`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := &cdp.Event{Params: json.RawMessage(tt.event)}
			got := ""
			if reply := Answer(e); reply != nil {
				got = reply.ProtoReq()
			}
			if got != tt.want {
				t.Errorf("it is answered with %q, want %q", got, tt.want)
			}
		})
	}
}
