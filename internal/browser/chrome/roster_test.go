package chrome

import (
	"io"
	"os"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/snapshot"
)

// unconnected returns a browser with at most four tabs whose connection answers nothing. The
// function reports a new tab to it and returns nil if the tab was refused.
func unconnected(t *testing.T) (*Browser, func(id, opener string, asked bool) *Tab) {
	t.Helper()
	in, silent := io.Pipe()
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(startup.Options{MaxTabs: 4, Refs: new(snapshot.Book)}, nil)
	b.host.conn = cdp.OverPipes(in, out, func(*cdp.Event) {}, nil)
	b.downloads = downloads.New(b.host.conn, t.TempDir(), "")
	t.Cleanup(func() {
		_ = silent.Close()
		b.host.conn.Close()
	})
	w := &window{context: "c1"}
	b.addWindow(w)
	return b, func(id, opener string, asked bool) *Tab {
		if asked {
			b.roster.ask(w, 1)
			defer b.roster.ask(w, -1)
		}
		info := &proto.TargetTargetInfo{TargetID: proto.TargetTargetID(id), OpenerID: proto.TargetTargetID(opener), BrowserContextID: "c1"}
		p, refused := b.adopt(&proto.TargetAttachedToTarget{SessionID: proto.TargetSessionID("s-" + id), TargetInfo: info})
		if refused {
			return nil
		}
		return p
	}
}

func TestAdoptedTabs(t *testing.T) {
	b, come := unconnected(t)
	first := come("a", "", true)
	b.roster.activate(first)
	if news := b.TakeNews(); len(news) != 0 {
		t.Errorf("a tab that we have opened is news: %+v", news)
	}
	popup := come("b", "a", false)
	if popup.opener != first {
		t.Error("the opener of a pop-up is not known")
	}
	// A link that was opened with a modifier key has no opener: the active tab counts as such.
	if link := come("c", "", false); link.opener != first {
		t.Error("the opener of a link in a new tab is not known")
	}
	if come("d", "a", false) == nil || come("e", "a", false) != nil {
		t.Error("the limit of tabs is not kept")
	}
	news := b.TakeNews()
	if len(news) != 4 || news[0].Kind != TabOpened || news[0].Tab != "t2" || news[0].Opener != "t1" || news[3].Kind != TabRefused {
		t.Errorf("the news are %+v", news)
	}
	if err := b.roster.roomForTab(); diag.CodeOf(err) != diag.LimitExceeded {
		t.Errorf("with as many tabs as are allowed: %v", err)
	}
	if got := b.roster.linked(popup); len(got) != 4 || got[0] != popup {
		t.Errorf("%d tabs are linked with a pop-up", len(got))
	}
	if b.roster.tabByID("t3") == nil || b.roster.tabByID("t9") != nil || b.roster.statusOf("t9") != 0 {
		t.Error("a tab is not found by its id")
	}
}

func TestHeirs(t *testing.T) {
	b, come := unconnected(t)
	first := come("a", "", true)
	b.roster.activate(first)
	popup := come("b", "a", false)
	b.roster.activate(popup)
	gone := diag.New(diag.StepFailed, "closed")
	b.TakeNews()
	b.drop(popup, gone)
	if b.ActiveTab() != first.id || !popup.Link.IsGone() || b.roster.isOpen(popup) {
		t.Errorf("after the end of a pop-up %s is active", b.ActiveTab())
	}
	// The window has lost its last tab: the next tab replaces it and becomes active.
	b.drop(first, gone)
	heir := come("c", "", false)
	if b.ActiveTab() != heir.id {
		t.Errorf("%q is active, want the heir %s", b.ActiveTab(), heir.id)
	}
	select {
	case <-first.after:
	default:
		t.Error("those who wait for the successor are not woken")
	}
	if s := b.State(); s.Tabs != 1 || s.Windows != 1 || s.Tab != heir.id || s.Window != "w1" {
		t.Errorf("the state is %+v", s)
	}
	if _, err := b.FindTab("t1"); diag.CodeOf(err) != diag.ParamInvalid {
		t.Errorf("a closed tab is found: %v", err)
	}
}

func TestWorkerSet(t *testing.T) {
	b, come := unconnected(t)
	p := come("a", "", true)
	open := func() bool { return b.roster.isOpen(p) }
	b.attachedTo.add("w1", worker{page: p}, open)
	b.attachedTo.add("w2", worker{}, func() bool { return true })
	if _, ok := b.attachedTo.of("w1"); !ok || len(b.attachedTo.all()) != 2 {
		t.Errorf("the workers are %v", b.attachedTo.all())
	}
	b.drop(p, diag.New(diag.StepFailed, "closed"))
	b.attachedTo.add("w3", worker{page: p}, open)
	if all := b.attachedTo.all(); len(all) != 1 {
		t.Errorf("after the end of their page, the workers are %v", all)
	}
	if b.attachedTo.drop("w2"); len(b.attachedTo.all()) != 0 {
		t.Error("a worker that was dropped is left")
	}
}
