package driver

import (
	"context"
	"time"
)

// Keyboard sends trusted key events. A nil target means the focused element.
type Keyboard interface {
	// Type adds a text at the caret, key by key. delay is the time between two keys. If the
	// focused element does not accept text, the error is STEP_FAILED.
	Type(ctx context.Context, t *Target, text string, delay time.Duration) (Element, error)
	// Key presses a key such as "Enter", or a chord such as "Control+a". count is the number of
	// presses.
	Key(ctx context.Context, t *Target, key string, count int) (Press, error)
	// Commit is like Key, but the browser does not send a form when the key is pressed. If a script
	// of the page sends a form then, the error is STEP_FAILED.
	Commit(ctx context.Context, t *Target, key string, count int) (Press, error)
	Focus(ctx context.Context, t Target) (Element, error)
	// HoldKey presses one key and leaves it down, or releases the key if down is false. While a
	// modifier key is held, it applies to every key and mouse event. HoldKey returns the keys that
	// are held.
	HoldKey(ctx context.Context, key string, down bool) ([]string, error)
}

// A Filled is the state of a control after it was filled.
type Filled struct {
	Element
	Value string // read back, passwords too, once the page's handlers and the animation frame that they requested are over
	// Secret is set for password fields: the value must not be shown.
	Secret bool
	// Reformatted is set if the value differs from the requested one only in ways that an
	// input mask may change: grouping, case, white space.
	Reformatted bool
	// Invalid is set if the page or the browser marks the field as invalid. It points to their message
	// about the value, which may be empty.
	Invalid *string
}

// A ControlKind determines which method of [Forms] sets a control.
type ControlKind string

const (
	FillControl   ControlKind = "fill"
	CheckControl  ControlKind = "check"
	SelectControl ControlKind = "select"
	GroupControl  ControlKind = "group" // of checkboxes or radio buttons
)

// Forms changes controls and reads back their values.
type Forms interface {
	// Control waits for a control and returns its kind. If the element is not a control, the error is
	// STEP_FAILED.
	Control(ctx context.Context, t Target) (ControlKind, error)
	// Fill replaces the value of a control. Filling "" clears it.
	Fill(ctx context.Context, t Target, value string) (Filled, error)
	// Check turns a checkbox, radio button or switch on or off. It presses the control only if its
	// state must change.
	Check(ctx context.Context, t Target, on bool) (Element, error)
	// Select selects options. The argument "by" says whether values holds the options' values
	// ("value") or labels ("label"); if it is empty, either matches. Select returns the values of the
	// selected options. If one of values matches several options, the error is ELEMENT_AMBIGUOUS.
	Select(ctx context.Context, t Target, values []string, by string) ([]string, error)
}

// An UploadFile is a file or folder to upload. The caller has checked that it can be read.
type UploadFile struct {
	Path   string // absolute
	Size   int64
	Folder bool
}

// An Upload is the outcome of an upload.
type Upload struct {
	Element // the file input, or the pressed element
	// Files lists the names of the files as the page sees them. For a folder, each name includes the
	// path.
	Files []string
	// Kept is set if the input still contains the files after the page's handlers have run. If it is
	// not set, the page has taken the files out of the input, and has shown or sent them.
	Kept bool
	// Replaced describes the pictures that the page has replaced with others of the same name but
	// another size.
	Replaced []string
	// Dropped is set if the files were dropped on the element, because there was no file input. The
	// page has accepted the drop.
	Dropped bool
	// Unheard is set if the input already contained these files, so that the page got no change
	// event.
	Unheard bool
}

// Uploader passes files to pages.
type Uploader interface {
	// Upload gives files to the page. It puts them into the file input that the element is, labels or
	// contains; the input may be hidden. If there is none, it presses the element, and uses the input
	// whose file dialog opens. If no dialog opens, it drops the files on the element. Upload replaces
	// earlier files; an empty list clears the input. It reads back the files of the input. If the
	// page discards the files, the error is STEP_FAILED.
	Upload(ctx context.Context, t Target, files []UploadFile) (Upload, error)
}
