package steps

import (
	"context"
	"time"

	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/version"
)

// Page is the document that steps act on. Package browser implements it, and so do fakes
// for faults that cannot be produced otherwise. Only one run may use a Page at a time.
//
// Every method waits until it can act, verifies the effect, and returns a *diag.Error
// otherwise. ctx bounds the whole call: a method that is still waiting at ctx's deadline
// returns TIMEOUT and says what it saw; a cancelled ctx is CANCELLED. Element methods stop
// waiting earlier, at the end of [Target.Timeout], with ELEMENT_NOT_FOUND,
// ELEMENT_AMBIGUOUS or ELEMENT_NOT_INTERACTABLE.
type Page interface {
	Navigator
	Pointer
	Mouse
	Scroller
	Keyboard
	Forms
	Reader
	Waiter
	Snapshotter
	Lister
	Scripter
	Printer
	Uploader
	NetworkReader
	Keeper
	Effects
}

// Keeper checks the controls that a run has set once more. While it is off, it costs
// nothing.
type Keeper interface {
	// Keep starts keeping, with no controls, or stops it.
	Keep(on bool)
	// LookBack records what has been reverted so far, before input that goes to no element:
	// input to an element does that by itself. It costs a round trip if there is something
	// to check.
	LookBack(ctx context.Context)
	// Excuse says which changes of controls that were set before may be caused by a step,
	// also later ones (not NoEffect): those controls are not checked any more, except for
	// earlier changes.
	Excuse(ctx context.Context, by Effect)
	// Reverted stops keeping and lists the controls that hold something else without any
	// input since that could be the cause. It costs a round trip for each frame with such
	// controls; if the page has begun a request since the input, or a timer that is due
	// within half a second, it waits for these. The error says why some could not be
	// checked, such as those of a document that was replaced without input.
	Reverted(ctx context.Context) ([]Reverted, error)
	// Part begins the next part of a run and returns its number. Only its own later input
	// may change what a part has set.
	Part() int
	// Lost lists the controls that do not hold what these parts, each given by its first
	// and last number, have set, whatever later parts have done. It does not check these
	// again: they are set again after such a check. It waits like Reverted, and longer for
	// the timers of a page of several parts.
	Lost(ctx context.Context, parts [][2]int, again bool) ([]Reverted, error)
}

// A Reverted is a control that the page has changed by itself after it was set. For a
// password, Set and Holds are empty.
type Reverted struct {
	Desc   string `json:"desc"`
	Secret bool   `json:"secret"`
	Set    string `json:"set"`
	Holds  string `json:"holds"`
	Part   int    `json:"part"` // of the run
}

// A Document is one main-frame document. Each has a new ID, which is never reused; a change
// of the URL within the document keeps it.
type Document struct {
	ID     string
	URL    string
	Title  string
	Status int // HTTP status; 0 if there is none (about:blank, cache of history)
}

// An Element describes what was found, for messages and results.
type Element struct {
	Role string // ARIA role, "" if it has none
	Name string // accessible name
	Text string // rendered text, cut at 200 bytes
	Desc string // like <button#save "Save">
}

// A Navigation is the result of going to another document.
type Navigation struct {
	URL    string
	Title  string
	Status int  // HTTP status; 0 if there is none (about:blank, cache of history)
	Posted bool // of History and Reload: loading it has sent a POST again
}

// A LoadState says how far a document has loaded.
type LoadState string

const (
	Commit           LoadState = "commit"
	DOMContentLoaded LoadState = "domcontentloaded"
	Load             LoadState = "load"
	NetworkIdle      LoadState = "networkidle" // no request for 500ms
)

func (LoadState) Values() []string {
	return []string{string(Load), string(DOMContentLoaded), string(NetworkIdle), string(Commit)}
}

// Navigator navigates between documents. Failures are NAVIGATION_FAILED.
type Navigator interface {
	Open(ctx context.Context, url string, until LoadState) (Navigation, error)
	// History goes delta entries forward (negative: back).
	History(ctx context.Context, delta int) (Navigation, error)
	Reload(ctx context.Context, until LoadState) (Navigation, error)
	// Document describes the current one. It costs at most one round trip.
	Document(ctx context.Context) (Document, error)
	// Shown describes the current one without its title, from the browser's events: it
	// costs no round trip, and does not wait for a busy page.
	Shown(ctx context.Context) (Document, error)
}

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
	// Navigated is set if the press led to a new document; the method returned after it was
	// committed.
	Navigated *Navigation
	// Frame is set if a link or a form led a frame to a new document. It has no title.
	Frame *Navigation
	// Removed is set if the page removed the element during the press, so that no click
	// followed.
	Removed bool
	// Covered describes what the page put over the element during the press, so that the
	// release went there and no click followed; "" for nothing.
	Covered string
	// Tab is the id of the tab that the press opened, or navigated by its name; "" for
	// none.
	Tab string
	// TabStatus is the HTTP status of the document in that tab; 0 if there is none.
	TabStatus int
	// NotSent says why the browser has not sent the form of the button that was pressed, where
	// the page has sent nothing either; "" if there is no such form.
	NotSent string
}

// Pointer sends trusted mouse events.
type Pointer interface {
	// Press waits until the element is visible, stable, enabled and would be hit,
	// and presses it; an event that would hit anything else never reaches the
	// page. A submit that the browser's validation stops is STEP_FAILED.
	Press(ctx context.Context, t Target, o PressOptions) (Press, error)
	// PressAt presses a point of the viewport, whatever is there.
	PressAt(ctx context.Context, at Point, o PressOptions) (Press, error)
	// Hover is Press without enabled and without the press.
	Hover(ctx context.Context, t Target, o PressOptions) (Element, error)
	// Hold is Press with the button held for d before it is released, wherever the element
	// is by then.
	Hold(ctx context.Context, t Target, d time.Duration) (Press, error)
	// Drag drags what is at from and drops it at to: as a native drag if the page starts
	// one, otherwise as a press, moves and a release. A target that refuses the drop is
	// STEP_FAILED.
	Drag(ctx context.Context, from, to Place) (Dragged, error)
}

// A Place is an element, or a point of the viewport if Target is nil.
type Place struct {
	Target *Target
	Point  Point
}

// A Dragged is the outcome of a drag.
type Dragged struct {
	Element // that was dragged; for a point only Desc
	To      Element
	// Native is set for a native drag (dragstart, drop); otherwise the page saw pointer
	// events.
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

// Mouse moves the mouse and its buttons one by one. A button that is down stays down until
// it is released, also across steps.
type Mouse interface {
	// MoveTo moves to a point; one outside the viewport is STEP_FAILED.
	MoveTo(ctx context.Context, at Point) (Spot, error)
	// Button presses or releases a button where the mouse is. A button that is already
	// down, or up, is STEP_FAILED.
	Button(ctx context.Context, button string, down bool) (Spot, error)
	// LetGo releases every key and button that is down and returns their names. It uses the
	// page only if there is one; whatever fails, none counts as held afterwards.
	LetGo(ctx context.Context) ([]string, error)
}

// A Direction is the direction of scrolling.
type Direction string

const (
	Up    Direction = "up"
	Down  Direction = "down"
	Left  Direction = "left"
	Right Direction = "right"
)

func (Direction) Values() []string {
	return []string{string(Up), string(Down), string(Left), string(Right)}
}

// A ScrollBy says how far: Direction with Amount, or X and Y in CSS pixels.
type ScrollBy struct {
	Direction Direction
	Amount    float64 // CSS pixels, or a percentage of the box
	Percent   bool
	X, Y      float64
	// Until, when set, scrolls on until something visible matches, most times at most. It may
	// end before that.
	Until *Target
	Most  int
}

// A Scrolled is the position of a box after scrolling.
type Scrolled struct {
	Desc  string // of the box
	X, Y  float64
	Moved bool
	AtEnd bool // it cannot scroll further in that direction
	Times int  // how many times it has moved
	// FromStart is set if it could not be scrolled the other way before.
	FromStart bool
}

// Scroller scrolls the page, or one box of it. Without a target it scrolls the document,
// or, if that does not scroll, the box in the middle of the viewport. An element that does
// not scroll is STEP_FAILED, which names the nearest that does.
type Scroller interface {
	Scroll(ctx context.Context, t *Target, by ScrollBy) (Scrolled, error)
	ScrollTo(ctx context.Context, t *Target, at Point) (Scrolled, error)
	ScrollIntoView(ctx context.Context, t Target) (Element, error)
}

// Keyboard sends trusted key events. A nil target means the focused element; if nothing
// that accepts text is focused, Type is STEP_FAILED.
type Keyboard interface {
	// Type adds text at the caret key by key, with delay between keys.
	Type(ctx context.Context, t *Target, text string, delay time.Duration) (Element, error)
	// Key presses a key or a chord ("Enter", "Control+a") count times.
	Key(ctx context.Context, t *Target, key string, count int) (Press, error)
	// Commit presses a key as Key does, and keeps the browser from sending a form by it. A
	// form that a script of the page sends then is STEP_FAILED.
	Commit(ctx context.Context, t *Target, key string, count int) (Press, error)
	Focus(ctx context.Context, t Target) (Element, error)
	// HoldKey presses one key and leaves it down, or releases it; held keys are part of
	// every key and mouse event until then. It returns the keys that are held.
	HoldKey(ctx context.Context, key string, down bool) ([]string, error)
}

// A Filled is the state of a control after it was filled.
type Filled struct {
	Element
	Value string // read back after the page's handlers, and the frame that they have requested; for passwords too
	// Secret is set for password fields: the value must not be shown.
	Secret bool
	// Reformatted is set if the value differs from the requested one only in ways that an
	// input mask may change: grouping, case, white space.
	Reformatted bool
	// Invalid is what the page or the browser says against the value, possibly nothing; nil
	// if neither marks the field as invalid.
	Invalid *string
}

// A ControlKind says which method of [Forms] sets a control.
type ControlKind string

const (
	FillControl   ControlKind = "fill"
	CheckControl  ControlKind = "check"
	SelectControl ControlKind = "select"
	GroupControl  ControlKind = "group" // of checkboxes or radio buttons
)

// Forms changes controls and reads back their values.
type Forms interface {
	// Control waits for a control and returns its kind. Anything else is STEP_FAILED.
	Control(ctx context.Context, t Target) (ControlKind, error)
	// Fill replaces the value of a control. Filling "" clears it.
	Fill(ctx context.Context, t Target, value string) (Filled, error)
	// Check sets a checkbox, radio or switch, by a press if it must change.
	Check(ctx context.Context, t Target, on bool) (Element, error)
	// Select chooses options by "value" or "label", or by either if by is empty; it returns
	// the values of the options that are then selected. A name that matches several options
	// is ELEMENT_AMBIGUOUS.
	Select(ctx context.Context, t Target, values []string, by string) ([]string, error)
}

// ReadOptions say what to read of an element.
type ReadOptions struct {
	What string // text, html, value, attr, attrs, box, styles, ref, table, calendar
	Name string // of the attribute; the day, month or year that is sought in a calendar
	But  []int  // calendars that do not count, by the numbers that a reading has returned
	// Limit cuts each text after so many characters and notes its full length; 0: nothing
	// is cut. Extract cuts nothing.
	Limit int
}

// A Reading is what was read, as JSON data. Cut is set if a text in it was cut.
type Reading struct {
	Value any
	Cut   bool
}

// An ExtractField is one column of Extract: a selector inside the row (nil: the row itself)
// and what to read of its first match, null if there is none. With All it is the list for
// all matches.
type ExtractField struct {
	Name  string
	Query *selectors.Query
	Read  ReadOptions
	All   bool
}

// A Question is one of those that Look answers.
type Question struct {
	Target Target
	What   string // count, visible, text, attr or rows
	Attr   string // the name, for attr
	// For rows: what to read of each, and which of them.
	Fields []ExtractField
	Only   RowFilter
}

// A Found is the result of one query.
type Found struct {
	Element
	Count   int
	Visible bool // of the first match
	Ref     string
}

// Reader reads the page and changes nothing.
type Reader interface {
	// Read waits until the element is attached and reads it.
	Read(ctx context.Context, t Target, o ReadOptions) (Reading, error)
	// ReadRenewed reads a table, as JSON data, once it shows other rows than before, and
	// the requests that the page has sent since a table was last read are answered. Rows
	// are not renewed if neither was seen; the page may still draw others. If the rows are
	// the same as before and all requests have failed, it is STEP_FAILED.
	ReadRenewed(ctx context.Context, t Target, before []any) (r Reading, renewed bool, err error)
	// Look answers questions in one look, without waiting for anything: an answer is the number
	// of matches (count), of visible ones (visible), or the text or an attribute of the first
	// match (text, attr), nil if there is none. The answers are in the order of the questions.
	Look(ctx context.Context, questions []Question) ([]any, error)
	// Find queries once and is not strict: Count is 0 if nothing matched.
	Find(ctx context.Context, t Target) (Found, error)
	// Count queries once, and returns only the number of matches, which takes less time.
	Count(ctx context.Context, t Target) (int, error)
	// Is queries once: visible, enabled, checked, editable, focused. No match is false for
	// visible and ELEMENT_NOT_FOUND for the others.
	Is(ctx context.Context, t Target, state string) (bool, error)
	// Extract waits for the first row within rows.Timeout (none is not an error: the result
	// is then empty) and reads all rows in one query.
	Extract(ctx context.Context, rows Target, fields []ExtractField, only RowFilter) ([]map[string]any, error)
}

// RowFilter says which rows Extract reads. The zero value is all that match.
type RowFilter struct {
	// Shown excludes rows and matches of fields that are not visible; texts then include
	// the values of fields.
	Shown bool
	// Hue excludes rows without their own words in that hue; "" is any.
	Hue string
	// Over excludes rows that do not lie over the page by their own position.
	Over bool
}

// ElementState is the state that WaitElement waits for.
type ElementState struct {
	State string // visible (default), hidden, attached, detached, enabled, disabled, checked, unchecked
	Text  string // rendered text must contain it; "" any
}

// Waiter waits until a condition holds, driven by frames and mutations.
type Waiter interface {
	WaitElement(ctx context.Context, t Target, s ElementState) (Element, error)
	// WaitText waits for rendered text anywhere in the page.
	WaitText(ctx context.Context, text string) error
	// WaitURL waits until the URL matches. It checks before it waits: a ctx that has ended
	// means one check.
	WaitURL(ctx context.Context, p URLPattern) (string, error)
	WaitLoad(ctx context.Context, s LoadState) error
	// WaitStable waits until there was no request, no DOM change and no busy overlay for
	// 500ms.
	WaitStable(ctx context.Context) error
}

// A Stop says when a long list has shown enough; unset fields are ignored.
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
	Grown  bool   // the page has more than before
}

// Lister watches a long list while it loads more.
type Lister interface {
	// WaitMore waits until stop holds, or the list has more to show, or for stall without
	// either. With a direction it has more if the box (see [Scroller]) can be scrolled
	// further; without, if the number of items has changed from known.
	WaitMore(ctx context.Context, box *Target, d Direction, stop Stop, known int, stall time.Duration) (Listing, error)
}

// A ShotOptions says what a screenshot shows.
type ShotOptions struct {
	Target   *Target // nil: the viewport
	FullPage bool
	Format   string // png (default), jpeg
}

// A Shot is an encoded picture; Width and Height are in CSS pixels.
type Shot struct {
	Data          []byte
	Width, Height int
}

// Scripter runs scripts in the page's own world.
type Scripter interface {
	// Eval runs script (an expression if it parses as one, otherwise the body of an async
	// function) with args in scope and returns its value as JSON data. A script that throws
	// is STEP_FAILED with the message and the position.
	Eval(ctx context.Context, script string, args map[string]any) (any, error)
	// WaitFunction polls Eval each frame until its value is truthy.
	WaitFunction(ctx context.Context, script string, args map[string]any) (any, error)
	// Version returns the raw version text of the page's library, "" if there is none.
	Version(ctx context.Context, p VersionProbe) (string, error)
}

// A PDFOptions says how a page is printed. The zero value is portrait, on the page's own
// paper size, without backgrounds.
type PDFOptions struct {
	Landscape  bool
	Background bool // include background colours and pictures
}

// Printer takes pictures and prints of the page.
type Printer interface {
	Screenshot(ctx context.Context, o ShotOptions) (Shot, error)
	// PDF requires a browser without a window; in another it is STEP_FAILED.
	PDF(ctx context.Context, o PDFOptions) ([]byte, error)
}

// A VersionProbe says where a page has the version of its library; one field is set.
type VersionProbe struct {
	Script   *version.Script
	Selector *selectors.Query // its attribute if the selector ends in one, otherwise its text
	Meta     string           // name of the meta tag
}
