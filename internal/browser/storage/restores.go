package storage

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// Restores holds the scripts that set the sessionStorage of a tab. Each script runs when the tab
// next shows a document of its origin. The zero value is ready for use. It is safe for concurrent
// use. Its methods may be called with any other lock held.
type Restores struct {
	mu      sync.Mutex
	scripts map[string]proto.PageScriptIdentifier // by origin
}

// Shown records that the tab shows a document of an origin. If a script has set the sessionStorage
// of this document, Shown returns the call that removes the script. Otherwise it returns nil.
func (r *Restores) Shown(origin string) proto.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	script := r.scripts[origin]
	if script == "" {
		return nil
	}
	delete(r.scripts, origin)
	return proto.PageRemoveScriptToEvaluateOnNewDocument{Identifier: script}
}

// add makes the tab set sessionStorage when it next shows a document of the origin, before the
// scripts of that document run.
func (r *Restores) add(ctx context.Context, t Tab, world string, o *driver.StateOrigin) error {
	data, err := json.Marshal(o)
	if err != nil {
		return diag.New(diag.Internal, "the state cannot be written: %v", err).WithHint("report this as a bug")
	}
	source := `(o => {
	if (window !== top || location.origin !== o.origin) return;
	for (const { name, value } of o.sessionStorage) sessionStorage.setItem(name, value);
})(` + string(data) + `)`
	var added proto.PageAddScriptToEvaluateOnNewDocumentResult
	if err := t.Do(ctx, proto.PageAddScriptToEvaluateOnNewDocument{Source: source, WorldName: world}, &added); err != nil {
		return err
	}
	if before := r.replace(o.Origin, added.Identifier); before != "" { // from an earlier import that was not used
		return t.Do(ctx, proto.PageRemoveScriptToEvaluateOnNewDocument{Identifier: before}, nil)
	}
	return nil
}

// replace stores the script of an origin. It returns the previous script of that origin, or "".
func (r *Restores) replace(origin string, script proto.PageScriptIdentifier) (before proto.PageScriptIdentifier) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before = r.scripts[origin]
	if r.scripts == nil {
		r.scripts = make(map[string]proto.PageScriptIdentifier)
	}
	r.scripts[origin] = script
	return before
}
