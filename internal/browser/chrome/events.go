package chrome

// Events of a page. Handlers run in the goroutine that reads the browser's messages, in the order
// of the messages; they change the state of parts and return. A part handles the events of its own
// subject.

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/console"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/storage"
)

func (p *Tab) handle(e *cdp.Event) {
	switch e.Method {
	case "Page.frameNavigated":
		p.frameCommitted(e)
	case "Target.attachedToTarget":
		p.attached(e)
	case "Target.detachedFromTarget":
		p.detached(e)
	case "Page.windowOpen":
		var v proto.PageWindowOpen
		if cdp.Decode(e, &v) {
			p.Popups.announce(v.URL)
		}
	case "Page.javascriptDialogOpening":
		var v proto.PageJavascriptDialogOpening
		if e.Session == p.Link.Session && cdp.Decode(e, &v) { // every session of the page reports it
			p.dialogOpened(&v)
		}
	case "Page.javascriptDialogClosed":
		var v proto.PageJavascriptDialogClosed
		if e.Session == p.Link.Session && cdp.Decode(e, &v) {
			p.dialogClosed(&v)
		}
	case "Input.dragIntercepted", "Page.fileChooserOpened":
		p.Handed.HandOver(e)
	case "Fetch.requestPaused", "Fetch.authRequired":
		p.handlePaused(e)
	case "Inspector.targetCrashed":
		p.crashed(e.Session)
	case "Tracing.dataCollected":
		p.Timers.Note(e)
	case "Tracing.tracingComplete":
		p.Timers.NoteEnd(e)
	case "WebMCP.toolsAdded", "WebMCP.toolsRemoved", "WebMCP.toolResponded":
		p.Tools.Note(e)
		p.Link.Notify()
	case "Log.entryAdded":
		var v console.Entry
		if cdp.Decode(e, &v) {
			if documents.BlocksTab(v.Entry.Text) {
				p.Popups.withdraw()
			}
			p.Step.NoteBlocked(v.Entry.Text)
			if !p.host.isPrivate() {
				p.console.NoteEntry(&v)
			}
		}
	case "Runtime.consoleAPICalled":
		if !p.host.isPrivate() {
			p.console.NoteCall(e)
		}
	case "Runtime.exceptionThrown":
		var v console.Exception
		if !p.host.isPrivate() && cdp.Decode(e, &v) && !p.Frames.IsOwnContext(e.Session, v.Details.Context) {
			p.console.NoteException(&v)
		}
	default:
		if v := p.Frames.Handle(e); v != "" { // a link pressed with a modifier key
			p.Popups.announce(v)
		}
		p.handleNetwork(e)
	}
}

// handlePaused handles a paused request, or a proxy that requires authentication.
func (p *Tab) handlePaused(e *cdp.Event) {
	switch {
	case p.hidden:
		if reply := storage.Answer(e); reply != nil {
			p.Link.Conn.Start(context.Background(), p.Link.Session, reply)
		}
	case e.Method == "Fetch.requestPaused":
		p.paused(e)
	default:
		p.gate.answerProxy(e)
	}
}

// frameCommitted handles the new document of a frame.
func (p *Tab) frameCommitted(e *cdp.Event) {
	p.Tools.Note(e)
	shown, kept, trees := p.Frames.Commit(e)
	if shown != nil && shown.ID == p.Link.Frame {
		p.console.Clear()
	}
	if trees { // the next document may not need them
		p.Link.Conn.Start(context.Background(), p.Link.Session, proto.AccessibilityDisable{})
	}
	p.installAgain(kept)
	p.shown(shown)
}

// installAgain installs the engine in a document that has reused the isolated world of the previous
// document. Chromium does not run our registered scripts in such a document. It reuses the world
// when a blank tab loads its first page with the origin of the tab's opener.
func (p *Tab) installAgain(world string) {
	if world != "" {
		p.Link.Conn.Start(context.Background(), p.Link.Session, proto.RuntimeEvaluate{Expression: p.host.engineSource(), UniqueContextID: world})
	}
}
