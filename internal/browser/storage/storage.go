// Package storage reads and sets what pages keep in the browser: localStorage, sessionStorage and
// IndexedDB. It reads and sets single items of an open page. It also exports and imports the state
// of a whole window, including cookies.
//
// A function in a document of an origin reads and sets the storage of that origin. It runs in our
// isolated world, which shares nothing but storage with the page. For a state, open pages are not
// used, because one may be busy or in the middle of a change. Instead, a hidden tab of the window
// opens an empty document under each origin. The tab's requests are answered here. They reach
// neither the network nor a service worker. Each tab has its own sessionStorage, which is read and
// set in the tab.
//
// The package opens and closes no tabs and does not follow navigations. Package chrome reports to
// [Origins] and [Restores] what tabs show.
//
// Files, bottom to top: hidden, storage, origins, restores, export, import.
package storage

import (
	"context"
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/cookies"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// A Window is the window whose storage is read and set. All fields except Unseen are required.
type Window struct {
	Jar     cookies.Jar
	Origins *Origins // the origins that it has shown
	// Unseen is set if the tabs of the window may show origins that are missing in Origins.
	Unseen   bool
	Active   Tab       // the tab in which sessionStorage is set
	Restores *Restores // of Active
	World    string    // the name of our isolated world
	// Tabs returns the open tabs, the most recently active first.
	Tabs func() []Tab
	// Hide opens a hidden tab, set up with [Setup].
	Hide func(context.Context) (HiddenTab, error)
}

// A Page is an open page. Its methods use the document that the page shows when they are called.
type Page interface {
	// Call calls the function f in our isolated world of the document and decodes its result into
	// out. It sets the execution context of f. It returns the address of the document. If the
	// document is replaced during the call, the error is [cdp.ErrGone].
	Call(ctx context.Context, f eval.CallFunction, out any) (address string, err error)
	// Do sends a command to the page and waits for its reply.
	Do(ctx context.Context, req proto.Request, out any) error
}

// A Tab is a tab of the window.
type Tab interface {
	Page
	ID() string      // such as t1
	Address() string // of the document that it shows; "" if it no longer answers
}

// A HiddenTab is a tab of the window that does not belong to the session. It shows only blank
// documents.
type HiddenTab interface {
	Page
	// Open opens an address and waits until it is loaded.
	Open(ctx context.Context, address string) error
	Close(ctx context.Context)
}

// Item reads or changes items in the storage of the page's origin.
func Item(ctx context.Context, p Page, r driver.ItemRequest) (driver.ItemAnswer, error) {
	var a driver.ItemAnswer
	err := call(ctx, p, "item", r, &a)
	return a, err
}

// call calls a method of the storage script in a page and decodes its result into out, which may
// be nil.
func call(ctx context.Context, p Page, method string, arg, out any) error {
	var text string
	address, err := p.Call(ctx, eval.CallFunction{
		FunctionDeclaration: engine.Storage(), Arguments: eval.Args(method, arg), ReturnByValue: true, AwaitPromise: true,
	}, &text)
	if cdp.IsGone(err) {
		return diag.New(diag.StepFailed, "the page loaded another document while its storage was accessed").WithHint("run the step again")
	}
	if err != nil {
		return err
	}
	var r struct {
		OK    json.RawMessage `json:"ok"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return diag.New(diag.Internal, "reading the storage failed: %v", err).WithHint("report this as a bug")
	}
	if r.Error != "" {
		return diag.New(diag.StepFailed, "the storage of %s: %s", orPage(network.OriginOf(address)), diag.Visible(r.Error)).
			WithHint("a page in a sandbox or without an origin has no storage; on any other page, check the size of the values")
	}
	if out == nil || len(r.OK) == 0 {
		return nil
	}
	return eval.Decode(r.OK, out)
}

func orPage(origin string) string {
	if origin == "" {
		return "the page"
	}
	return origin
}
