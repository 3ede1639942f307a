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

// A ScrollBy is a distance: Direction and Amount, or X and Y in CSS pixels.
type ScrollBy struct {
	Direction Direction
	Amount    float64 // CSS pixels, or a percentage of the box
	Percent   bool
	X, Y      float64
	// At selects the box to scroll if there is no target. It is the innermost box at this point of
	// the viewport that can move in the direction. Nil means no point.
	At *Point
	// Until, if set, repeats the scroll until a visible element matches, at most Most times. It is
	// no error if nothing matches.
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
	// FromStart is set if the box was at its start before the scroll.
	FromStart bool
}

// Scroller scrolls a target. Without a target, it scrolls the page or, if the page does not scroll,
// the box in the middle of the viewport. If the target does not scroll, the error is STEP_FAILED.
// The error names the nearest element that does.
type Scroller interface {
	Scroll(ctx context.Context, t *Target, by ScrollBy) (Scrolled, error)
	ScrollTo(ctx context.Context, t *Target, at Point) (Scrolled, error)
	ScrollIntoView(ctx context.Context, t Target) (Element, error)
}

// A Stop says when enough of a long list has been shown. Fields that are not set are ignored.
type Stop struct {
	Element *Target // a visible match
	Text    string  // rendered text, anywhere on the page
	Items   *Target // items to count
	Count   int     // this many items are enough; 0: not set
	// Changing means that the list has grown when the texts of its items have changed. Otherwise
	// their number must change.
	Changing bool
}

// A Listing is the result of one check of a long list.
type Listing struct {
	Reason string // selector_found, text_found, item_count_reached, or "" to continue
	Items  int    // matches of Stop.Items
	Grown  bool   // the list has more to show than before
}

// Lister waits while a long list loads further items.
type Lister interface {
	// WaitMore waits until a condition of the argument "stop" holds, or until the list has grown.
	// The argument "stall" is the time limit. If d is set, the list has grown when box can be
	// scrolled further in this direction. If d is empty, it has grown when the number of its items
	// is not the argument "known".
	WaitMore(ctx context.Context, box *Target, d Direction, stop Stop, known int, stall time.Duration) (Listing, error)
}
