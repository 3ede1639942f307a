package driver

import (
	"context"
	"time"
)

// PressOptions are the options of a click.
type PressOptions struct {
	Button    string   // left (default), middle, right
	Count     int      // 1 (default), 2 for a double click, 3
	Modifiers []string // Alt, Control, Meta, Shift
	Position  *Point   // offset from the element's top left corner; nil: a point inside it
}

// A Point is a position in CSS pixels.
type Point struct{ X, Y float64 }

// A Press is the outcome of a click.
type Press struct {
	Element
	// Navigated is set if the press led to a new document. The method returns once that document is
	// committed.
	Navigated *Navigation
	// Frame is set if a link or a form led a frame to a new document. Its Title is empty.
	Frame *Navigation
	// Removed is set if the page removed the element during the press, so that no click
	// followed.
	Removed bool
	// Covered is set if the page put another element over this one during the press. The release went
	// to the other element, and no click followed. Covered describes the other element.
	Covered string
	// Tab is the id of the tab that the press opened, or of an existing tab that the press navigated,
	// such as the tab that a link names in its target attribute. Otherwise it is "".
	Tab string
	// TabStatus is the HTTP status of the document in the tab that Tab names, or 0.
	TabStatus int
	// NotSent is set if the pressed button belongs to a form that neither the browser nor the page
	// has sent. It says why the browser has not sent the form.
	NotSent string
}

// Pointer sends trusted mouse events.
type Pointer interface {
	// Press waits until the element is visible, stable and enabled, and a press would hit it. Then
	// it presses the element. An event that would hit anything else never reaches the page. If the
	// browser's validation stops a submit, the error is STEP_FAILED.
	Press(ctx context.Context, t Target, o PressOptions) (Press, error)
	// PressAt presses a point of the viewport, whatever element is there.
	PressAt(ctx context.Context, at Point, o PressOptions) (Press, error)
	// Hover is like Press, but does not press or require that the element is enabled.
	Hover(ctx context.Context, t Target, o PressOptions) (Element, error)
	// Hold is like Press, but holds the button down for the time d. It releases the button where it
	// pressed it, even if the element has moved.
	Hold(ctx context.Context, t Target, d time.Duration) (Press, error)
	// HoldAt holds the button at a point of the viewport, whatever is there.
	HoldAt(ctx context.Context, at Point, d time.Duration) (Press, error)
	// Drag drags what is at the place "from" and drops it at the place "to": by a native drag if
	// the page starts one, otherwise by a press, moves and a release. If the target refuses the
	// drop, the error is STEP_FAILED.
	Drag(ctx context.Context, from, to Place) (Dragged, error)
}

// A Place is an element, or a point of the viewport if Target is nil.
type Place struct {
	Target *Target
	Point  Point
}

// A Dragged is the outcome of a drag.
type Dragged struct {
	Element // what was dragged; for a point only Desc
	To      Element
	// Native is set for a native drag (dragstart, drop). Otherwise the page saw pointer events.
	Native bool
	// Changed is set if the drag changed the page: its DOM, a value, a selection or a
	// scroll position.
	Changed   bool
	Navigated *Navigation
}

// A Spot is the position of the mouse.
type Spot struct {
	Point
	Desc string   // of the element there
	Held []string // buttons that are down
}

// Mouse moves the mouse and presses its buttons individually. A button that is down stays down
// until it is released, also across steps.
type Mouse interface {
	// MoveTo moves the mouse to a point. For a point outside the viewport, the error is STEP_FAILED.
	MoveTo(ctx context.Context, at Point) (Spot, error)
	// Button presses or releases a button where the mouse is. If the button is already down, or
	// already up, the error is STEP_FAILED.
	Button(ctx context.Context, button string, down bool) (Spot, error)
	// LetGo releases every key and button that is down and returns their names. If none is down, it
	// does not query the page. Even if LetGo fails, no key or button counts as held afterwards.
	LetGo(ctx context.Context) ([]string, error)
}
