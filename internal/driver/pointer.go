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
	// Navigated describes the new document to which the press led. Nil means none.
	Navigated *Navigation
	// Frame describes the new document to which the press led in a frame. It has no Title. Nil
	// means none.
	Frame *Navigation
	// Removed is set if the page removed the element during the press, so that there was no click.
	Removed bool
	// Covered describes another element that covered this one before the button was released, so
	// that there was no click. It is "" if there was none.
	Covered string
	// Tab is the id of the tab that the press opened. It may also be an existing tab in which the
	// press opened a document. It is "" if there is none.
	Tab string
	// TabStatus is the HTTP status of the document in Tab. 0 means unknown.
	TabStatus int
	// NotSent says why the browser has not sent the form of the pressed button. It is "" if the
	// form was sent, or if there is none.
	NotSent string
}

// Pointer sends trusted mouse events.
type Pointer interface {
	// Press waits until the element is visible, stable and enabled, and not covered. Then it
	// presses the element. If a mouse event would hit another element, the page does not get the
	// event. If the browser does not send a form because a value is invalid, the error is
	// STEP_FAILED.
	Press(ctx context.Context, t Target, o PressOptions) (Press, error)
	// PressAt presses any element at a point of the viewport.
	PressAt(ctx context.Context, at Point, o PressOptions) (Press, error)
	// Hover is like Press, but only moves the mouse over the element. The element may be disabled.
	Hover(ctx context.Context, t Target, o PressOptions) (Element, error)
	// Hold is like Press, but holds the button down for the time d.
	Hold(ctx context.Context, t Target, d time.Duration) (Press, error)
	// HoldAt is like Hold, for any element at a point of the viewport.
	HoldAt(ctx context.Context, at Point, d time.Duration) (Press, error)
	// Drag drags an element to another place. It uses a native drag if the page starts one,
	// otherwise mouse events only. If the target refuses the drop, the error is STEP_FAILED.
	Drag(ctx context.Context, from, to Place) (Dragged, error)
}

// A Place is the element Target. If Target is nil, it is a point of the viewport.
type Place struct {
	Target *Target
	Point  Point
}

// A Dragged is the outcome of a drag.
type Dragged struct {
	Element // what was dragged; for a point only Desc
	To      Element
	// Native is set for a native drag (dragstart, drop). It is not set if the page got only mouse
	// and pointer events.
	Native bool
	// Changed is set if the drag changed the DOM, a value, a selection or a scroll position.
	Changed   bool
	Navigated *Navigation
}

// A Spot is the position of the mouse.
type Spot struct {
	Point
	Desc string   // of the element there
	Held []string // buttons that are down
}

// Mouse moves the mouse, and presses and releases its buttons. A button stays down until it is
// released, possibly by a later step.
type Mouse interface {
	// MoveTo moves the mouse to a point. For a point outside the viewport, the error is STEP_FAILED.
	MoveTo(ctx context.Context, at Point) (Spot, error)
	// Button presses or releases a button at the position of the mouse. If the button is already in
	// that state, the error is STEP_FAILED.
	Button(ctx context.Context, button string, down bool) (Spot, error)
	// LetGo releases all keys and buttons that are down, and returns their names. It does not query
	// the page if none is down. After an error, they count as released too.
	LetGo(ctx context.Context) ([]string, error)
}
