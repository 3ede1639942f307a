package storage

import (
	"context"
	"slices"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/driver"
)

// maxOrigins is the maximum number of origins that are recorded for a window.
const maxOrigins = 500

// Origins records the origins that a window has shown. The zero value is ready for use. It is safe
// for concurrent use. Its methods may be called with any other lock held.
type Origins struct {
	mu   sync.Mutex
	list []string // newest last
}

// Add records that a document of an origin was shown. It ignores origins without storage, such as
// that of a blank page.
func (o *Origins) Add(origin string) {
	if !driver.IsOrigin(origin) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Contains(o.list, origin) {
		return
	}
	if o.list = append(o.list, origin); len(o.list) > maxOrigins {
		o.list = slices.Clone(o.list[1:])
	}
}

func (o *Origins) addTree(t *proto.PageFrameTree) {
	o.Add(t.Frame.SecurityOrigin)
	for _, inner := range t.ChildFrames {
		o.addTree(inner)
	}
}

func (o *Origins) all() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

// origins returns the origins that the window has shown, including those of the current documents.
func (w Window) origins(ctx context.Context) []string {
	if w.Unseen {
		for _, t := range w.Tabs() {
			var tree proto.PageGetFrameTreeResult
			if t.Do(ctx, proto.PageGetFrameTree{}, &tree) == nil {
				w.Origins.addTree(tree.FrameTree)
			}
		}
	}
	return w.Origins.all()
}
