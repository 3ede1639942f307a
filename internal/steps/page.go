package steps

import (
	"context"
	"time"

	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/version"
)

// Page is the document that steps act on. It is met by package browser, and by
// fakes for faults that cannot be made otherwise. A Page is used by one run at a
// time.
//
// Every method waits for what it needs, verifies that it happened, and returns
// a *diag.Error otherwise. ctx bounds the whole call: a method that is still
// waiting when ctx reaches its deadline returns TIMEOUT and says what it saw; a
// cancelled ctx is CANCELLED. Element methods stop waiting earlier, at the end of
// [Target.Timeout], with ELEMENT_NOT_FOUND, ELEMENT_AMBIGUOUS or
// ELEMENT_NOT_INTERACTABLE.
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
}

// Keeper looks once more at the controls that a run has set. While it is off, nothing of
// it costs anything.
type Keeper interface {
	// Keep begins with none, or ends it.
	Keep(on bool)
	// LookBack notes what has been reverted so far, before input that goes to no element:
	// input to an element does that by itself. It costs a round trip where there is
	// something to look at.
	LookBack(ctx context.Context)
	// Excuse says what a step may change of the controls that were set before it, also later
	// (not NoEffect): those are not looked at any more, but for what had changed already.
	Excuse(ctx context.Context, by Effect)
	// Reverted ends it and lists the controls that hold something else, and no input since
	// can have been the cause. It costs a round trip for each frame in which there are any;
	// where the page has begun a timer or a request since the input, it waits until half a
	// second after that. The error says why some could not be looked at, as those of a document
	// that went away, and no input with it.
	Reverted(ctx context.Context) ([]Reverted, error)
	// Part begins the next part of a run and returns its number. What a part sets is final
	// but for what its own later input may change.
	Part() int
	// Lost lists the controls that do not hold what these parts, each from its first number
	// to its last, have set, whatever later parts have sent. What it lists is not looked at
	// again. again: they have been set anew after such a look. It waits as Reverted does, and longer for the timers of a page of several parts.
	Lost(ctx context.Context, parts [][2]int, again bool) ([]Reverted, error)
}

// A Reverted is a control that the page has changed by itself after it was set. Of a
// password Set and Holds are empty.
type Reverted struct {
	Desc   string `json:"desc"`
	Secret bool   `json:"secret"`
	Set    string `json:"set"`
	Holds  string `json:"holds"`
	Part   int    `json:"part"` // of the run
}

// A Document is one main-frame document. ID changes with every new one and is
// never used again; a change of the URL within the document keeps it.
type Document struct {
	ID     string
	URL    string
	Title  string
	Status int // HTTP status; 0 when there is none (about:blank, cache of history)
}

// A Target names the element of a step. A method that is given several may call the
// functions of all of them at the same time.
type Target struct {
	// Source is the selector as a person wrote it, values put in; for messages.
	Source string
	// Timeout is how long the page may wait for the element. 0 means one look.
	Timeout time.Duration
	// Bind gives the selector for a document. The page calls it before it first
	// looks in a document and again when the document was replaced while it
	// waited; it may call back into the page (to detect a version). An error of
	// Bind ends the method with that error.
	Bind func(ctx context.Context, doc Document) (*selectors.Query, error)
	// Decided, when set, is called after the look that succeeded, once for each
	// alias that was decided in it.
	Decided func(doc Document, w Winner)
	// FoundAgain, when set, is called when the element of a ref was rendered anew
	// since its snapshot and was found again; ref is written without "@".
	FoundAgain func(ref string)
	// Grace is how long a fallback of an alias owes an absent primary, counted
	// from the first look. 0 means none.
	Grace time.Duration
	// Keep says that what is read or waited for is kept as what the run has set, if it
	// keeps any; see [Keeper].
	Keep bool
}

// A Winner tells which candidate of an alias matched.
type Winner struct {
	Alias  string
	Index  int    // 0 is the primary
	Source string // the candidate as written
}

// An Element says what was found, in words for messages and results.
type Element struct {
	Role string // ARIA role, "" when it has none
	Name string // accessible name
	Text string // rendered text, cut at 200 bytes
	Desc string // like <button#save "Save">
}

// A Navigation is the result of going to another document.
type Navigation struct {
	URL    string
	Title  string
	Status int  // HTTP status; 0 when there is none (about:blank, cache of history)
	Posted bool // of History and Reload: loading it has sent a POST again
}

// A LoadState names how far a document must be.
type LoadState string

const (
	Commit           LoadState = "commit"
	DOMContentLoaded LoadState = "domcontentloaded"
	Load             LoadState = "load"
	NetworkIdle      LoadState = "networkidle" // no request for 500ms
)

// Navigator goes from document to document. Failures are NAVIGATION_FAILED.
type Navigator interface {
	Open(ctx context.Context, url string, until LoadState) (Navigation, error)
	// History goes delta entries forward (negative: back).
	History(ctx context.Context, delta int) (Navigation, error)
	Reload(ctx context.Context, until LoadState) (Navigation, error)
	// Document tells the current one. It costs at most one round trip.
	Document(ctx context.Context) (Document, error)
	// Shown tells the current one without its title, as the browser has told of it: it
	// costs no round trip, and a page that is busy is not waited for.
	Shown(ctx context.Context) (Document, error)
}

// PressOptions are those of a click.
type PressOptions struct {
	Button    string   // left (default), middle, right
	Count     int      // 1 (default), 2 for a double click, 3
	Modifiers []string // Alt, Control, Meta, Shift
	Position  *Point   // offset from the element's top left corner; nil: a point inside it
}

// A Point is a place in CSS pixels.
type Point struct{ X, Y float64 }

// A Press is what a click did.
type Press struct {
	Element
	// Navigated is set when the press made a new document; the method returned
	// after it was committed.
	Navigated *Navigation
	// Removed is set when the page took the element away while it was pressed, so that
	// no click followed.
	Removed bool
	// Covered describes what the page put over the element while it was pressed, so
	// that the release went there and no click followed; "" where it did not.
	Covered string
	// Tab is the id of the tab that the press opened, or has led elsewhere by its
	// name; "" for none.
	Tab string
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
	// Hold is Press with the button held for d before it is let go, wherever the
	// page has put the element by then.
	Hold(ctx context.Context, t Target, d time.Duration) (Press, error)
	// Drag takes what is at from and drops it at to: as a drag of the browser where
	// the page starts one, else as a press, moves and a release. A target that
	// refuses the drop is STEP_FAILED.
	Drag(ctx context.Context, from, to Place) (Dragged, error)
}

// A Place is an element, or a point of the viewport where Target is nil.
type Place struct {
	Target *Target
	Point  Point
}

// A Dragged is what a drag did.
type Dragged struct {
	Element // that was dragged; of a point only Desc
	To      Element
	// Native is set for a drag of the browser (dragstart, drop), else the page saw
	// pointer events.
	Native bool
	// Changed is set when the page changed by it: its DOM, a value, a selection or
	// how far something is scrolled.
	Changed   bool
	Navigated *Navigation
}

// A Spot is where the mouse is.
type Spot struct {
	Point
	Desc string   // of the element there
	Held []string // buttons that are down
}

// Mouse moves the mouse and its buttons one by one. What is down stays down
// until it is let go, also from step to step.
type Mouse interface {
	// MoveTo moves to a point; one outside of the viewport is STEP_FAILED.
	MoveTo(ctx context.Context, at Point) (Spot, error)
	// Button presses a button where the mouse is, or lets it go. One that is down,
	// or up, already is STEP_FAILED.
	Button(ctx context.Context, button string, down bool) (Spot, error)
	// LetGo releases every key and button that is down and returns their names. It
	// asks the page only when there is one; whatever fails, none counts as held then.
	LetGo(ctx context.Context) ([]string, error)
}

// A Direction is where a scrolled box goes.
type Direction string

const (
	Up    Direction = "up"
	Down  Direction = "down"
	Left  Direction = "left"
	Right Direction = "right"
)

// A ScrollBy says how far: Direction with Amount, or X and Y in CSS pixels.
type ScrollBy struct {
	Direction Direction
	Amount    float64 // CSS pixels, or a percentage of the box
	Percent   bool
	X, Y      float64
}

// A Scrolled is where a box is after it was scrolled.
type Scrolled struct {
	Desc  string // of the box
	X, Y  float64
	Moved bool
	AtEnd bool // it cannot go on in that direction
}

// Scroller scrolls the page, or one box of it. Without a target it is the
// document, or where that does not scroll the box in the middle of the viewport.
// An element that does not scroll is STEP_FAILED and names the nearest that does.
type Scroller interface {
	Scroll(ctx context.Context, t *Target, by ScrollBy) (Scrolled, error)
	ScrollTo(ctx context.Context, t *Target, at Point) (Scrolled, error)
	ScrollIntoView(ctx context.Context, t Target) (Element, error)
}

// Keyboard sends trusted key events. A nil target means what has the focus; when
// nothing that takes text has it, Type is STEP_FAILED.
type Keyboard interface {
	// Type adds text at the caret key by key, with delay between keys.
	Type(ctx context.Context, t *Target, text string, delay time.Duration) (Element, error)
	// Key presses a key or a chord ("Enter", "Control+a") count times.
	Key(ctx context.Context, t *Target, key string, count int) (Press, error)
	Focus(ctx context.Context, t Target) (Element, error)
	// HoldKey presses one key and leaves it down, or lets it go; what is held counts in
	// every key and mouse event until then. It returns the keys that are held.
	HoldKey(ctx context.Context, key string, down bool) ([]string, error)
}

// A Filled is what a control holds after it was filled.
type Filled struct {
	Element
	Value string // read back after the page's handlers, and the frame that they have asked for; "" for passwords is still the value
	// Secret is set for password fields: the value must not be shown.
	Secret bool
	// Reformatted is set when the value differs from the wanted one in what an input
	// mask changes only: grouping, case, white space.
	Reformatted bool
}

// A ControlKind says by which method of [Forms] a control is set.
type ControlKind string

const (
	FillControl   ControlKind = "fill"
	CheckControl  ControlKind = "check"
	SelectControl ControlKind = "select"
	GroupControl  ControlKind = "group" // of checkboxes or radio buttons
)

// Forms changes controls and reads back what they hold.
type Forms interface {
	// Control waits for a control and tells its kind. What is none is STEP_FAILED.
	Control(ctx context.Context, t Target) (ControlKind, error)
	// Fill replaces what the control holds. Filling "" clears it.
	Fill(ctx context.Context, t Target, value string) (Filled, error)
	// Check sets a checkbox, radio or switch; it is a press when it must change.
	Check(ctx context.Context, t Target, on bool) (Element, error)
	// Select chooses options by what by says, "value" or "label", or by either where it
	// is empty; it returns the values of those that are selected afterwards. A name that
	// means several options is ELEMENT_AMBIGUOUS.
	Select(ctx context.Context, t Target, values []string, by string) ([]string, error)
}

// ReadOptions say what to read of an element.
type ReadOptions struct {
	What string // text, html, value, attr, attrs, box, styles, ref
	Name string // of the attribute
	// Limit cuts each text behind so many characters and says in it how many there
	// were; 0: nothing is cut. Extract cuts nothing.
	Limit int
}

// A Reading is what was read, as JSON data. Cut is set when a text in it was cut.
type Reading struct {
	Value any
	Cut   bool
}

// An ExtractField is one column of Extract: a selector inside the row (nil: the
// row itself) and what to read of its first match, null where there is none. With
// All it is the list of what every match reads.
type ExtractField struct {
	Name  string
	Query *selectors.Query
	Read  ReadOptions
	All   bool
}

// A Found is the result of one look.
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
	// ReadRenewed reads a table once it shows other rows than before, as JSON data, and what the
	// page has asked of its servers since a table was last read is answered. Not renewed are rows of
	// which neither was seen; the page may be about to draw others. Rows of before whose requests have
	// all failed are STEP_FAILED.
	ReadRenewed(ctx context.Context, t Target, before []any) (r Reading, renewed bool, err error)
	// Find looks once and is not strict: Count is 0 when nothing matched.
	Find(ctx context.Context, t Target) (Found, error)
	// Count looks once, and tells how many match: it knows no more, and takes less time.
	Count(ctx context.Context, t Target) (int, error)
	// Is looks once: visible, enabled, checked, editable, focused. No match is false for
	// visible and ELEMENT_NOT_FOUND for the others.
	Is(ctx context.Context, t Target, state string) (bool, error)
	// Extract waits for the first row within rows.Timeout (none is no error: the
	// result is then empty) and reads all rows in one look.
	Extract(ctx context.Context, rows Target, fields []ExtractField, only RowFilter) ([]map[string]any, error)
}

// RowFilter says which rows Extract reads. The zero value is all that match.
type RowFilter struct {
	// Shown leaves out rows and matches of fields that are not visible; texts then have
	// in them what fields show.
	Shown bool
	// Hue leaves out rows without words of their own in that hue; "" is any.
	Hue string
}

// ElementState is what WaitElement waits for.
type ElementState struct {
	State string // visible (default), hidden, attached, detached, enabled, disabled, checked, unchecked
	Text  string // rendered text must contain it; "" any
}

// Waiter waits until something holds, driven by frames and mutations.
type Waiter interface {
	WaitElement(ctx context.Context, t Target, s ElementState) (Element, error)
	// WaitText waits for rendered text anywhere in the page.
	WaitText(ctx context.Context, text string) error
	// WaitURL waits until the URL matches. It looks before it waits: a ctx that has
	// ended means one look.
	WaitURL(ctx context.Context, p URLPattern) (string, error)
	WaitLoad(ctx context.Context, s LoadState) error
	// WaitStable waits until for 500ms there was no request, no DOM change and no
	// busy overlay.
	WaitStable(ctx context.Context) error
}

// A Stop says when a long list has shown enough; what is not set does not count.
type Stop struct {
	Element *Target // a visible match
	Text    string  // rendered text, anywhere on the page
	Items   *Target // are counted
	Count   int     // that many items are enough; 0: not set
	// Changing has the texts of the items watched instead of their number.
	Changing bool
}

// A Listing is what a look at a long list saw.
type Listing struct {
	Reason string // selector_found, text_found, item_count_reached, or "" to go on
	Items  int    // matches of Stop.Items
	Grown  bool   // the page has more than before
}

// Lister watches a long list while it loads more.
type Lister interface {
	// WaitMore waits until stop holds, or the list has more to show, or for stall
	// without either. With a direction it has more when the box (see [Scroller]) can
	// be scrolled on; without, when the number of items is not known.
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
	// Eval runs script (an expression if it parses as one, else the body of an
	// async function) with args in scope and returns its value as JSON data. A
	// script that throws is STEP_FAILED with the message and the place.
	Eval(ctx context.Context, script string, args map[string]any) (any, error)
	// WaitFunction polls Eval each frame until its value is truthy.
	WaitFunction(ctx context.Context, script string, args map[string]any) (any, error)
	// Version reads the raw version text of the page's library, "" when there is
	// none.
	Version(ctx context.Context, p VersionProbe) (string, error)
}

// A PDFOptions says how a page is printed. The zero value is portrait, on the
// page's own paper size, without backgrounds.
type PDFOptions struct {
	Landscape  bool
	Background bool // include background colours and pictures
}

// Printer makes pictures and prints of the page.
type Printer interface {
	Screenshot(ctx context.Context, o ShotOptions) (Shot, error)
	// PDF needs a browser without a window; in another it is STEP_FAILED.
	PDF(ctx context.Context, o PDFOptions) ([]byte, error)
}

// A VersionProbe says where a page tells the version of its library; one field
// is set.
type VersionProbe struct {
	Script   *version.Script
	Selector *selectors.Query // its attribute when the selector ends in one, else its text
	Meta     string           // name of the meta tag
}
