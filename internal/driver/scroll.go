package driver

import (
	"context"
	"time"
)

// A Direction is the direction of scrolling.
type Direction string

const (
	Up    Direction = "up"
	Down  Direction = "down"
	Left  Direction = "left"
	Right Direction = "right"
)

// Values lists the directions.
func (Direction) Values() []string {
	return []string{string(Up), string(Down), string(Left), string(Right)}
}

// A ScrollBy is a distance to scroll: Direction with Amount, or X and Y in CSS pixels.
type ScrollBy struct {
	Direction Direction
	Amount    float64 // CSS pixels, or a percentage of the box
	Percent   bool
	X, Y      float64
	// At is used if there is no target: the box under this point of the viewport is scrolled. As with
	// a mouse wheel, that is the innermost box that can move in the direction. Nil means no point.
	At *Point
	// Until repeats the scrolling until a visible element matches, at most Most times. If nothing has
	// matched by then, that is no error. A nil Until scrolls once.
	Until *Target
	Most  int
}

// A Scrolled is the position of a box after scrolling.
type Scrolled struct {
	Desc  string // of the box
	X, Y  float64
	By    Point // how far the box has moved, in CSS pixels
	Moved bool
	AtEnd bool // the box cannot scroll further in that direction
	Times int  // how many times the box has moved
	// FromStart is set if the box was at its start: before the scroll, it could not be moved in the
	// opposite direction.
	FromStart bool
}

// Scroller scrolls the page, or one box of it. Without a target, it scrolls the document or, if
// that does not scroll, the box in the middle of the viewport. For an element that does not scroll,
// the error is STEP_FAILED and names the nearest element that does.
type Scroller interface {
	Scroll(ctx context.Context, t *Target, by ScrollBy) (Scrolled, error)
	ScrollTo(ctx context.Context, t *Target, at Point) (Scrolled, error)
	ScrollIntoView(ctx context.Context, t Target) (Element, error)
}

// A Stop determines when a long list has shown enough. Unset fields are ignored.
type Stop struct {
	Element *Target // a visible match
	Text    string  // rendered text, anywhere on the page
	Items   *Target // items to count
	Count   int     // this many items are enough; 0: not set
	// Changing watches the texts of the items instead of their number.
	Changing bool
}

// A Listing is the result of one check of a long list.
type Listing struct {
	Reason string // selector_found, text_found, item_count_reached, or "" to continue
	Items  int    // matches of Stop.Items
	Grown  bool   // the list has more to show than before
}

// Lister watches a long list while it loads more.
type Lister interface {
	// WaitMore waits until a condition of the argument "stop" holds or the list has more to show. It
	// waits for at most the time "stall". If d is set, the list has more to show when the box (see
	// [Scroller]) can be scrolled further in this direction. If d is empty, it has more to show when
	// the number of items differs from the argument "known".
	WaitMore(ctx context.Context, box *Target, d Direction, stop Stop, known int, stall time.Duration) (Listing, error)
}
