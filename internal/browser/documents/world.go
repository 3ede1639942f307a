package documents

import (
	"sync/atomic"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/driver"
)

// Outermost returns the world of the main frame around w. For a world of the main frame, it returns
// w.
func (w World) Outermost() World {
	for w.Outer != nil {
		w = *w.Outer
	}
	return w
}

// A counter returns a new number at each call. It is safe for concurrent use.
type counter struct{ n atomic.Int64 }

func (c *counter) next() int64 { return c.n.Add(1) }

// A World is the engine's context in one document.
type World struct {
	ID  string
	Doc driver.Document // of the page, without a title

	// The following fields are set only for a frame inside the main frame. The element with this
	// Key in the world Outer shows the frame; see worlds.go.
	frame proto.PageFrameID
	Outer *World
	Key   int
}

// info is the engine's description of a document.
type info struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Ready string `json:"ready"`
}
