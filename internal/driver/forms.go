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
	// Key presses a key such as "Enter", or a combination of keys such as "Control+a". count is the
	// number of presses.
	Key(ctx context.Context, t *Target, key string, count int) (Press, error)
	// Commit is like Key, but the key does not make the browser send a form. If a script of the
	// page sends a form, the error is STEP_FAILED.
	Commit(ctx context.Context, t *Target, key string, count int) (Press, error)
	Focus(ctx context.Context, t Target) (Element, error)
	// HoldKey presses a key without releasing it. If down is false, it releases the key. A held
	// modifier key applies to all key and mouse events. HoldKey returns the keys that are held.
	HoldKey(ctx context.Context, key string, down bool) ([]string, error)
}

// A Filled is the state of a control after it was filled.
type Filled struct {
	Element
	Value string // read back, passwords too, once the page's handlers and the animation frame that they requested are over
	// Secret is set for password fields. Their values must not be shown.
	Secret bool
	// Reformatted is set if the page has changed only the format of the value: its grouping, its
	// case or its white space.
	Reformatted bool
	// Invalid is the page's or the browser's message that the value is invalid. It may be empty.
	// Nil means that the value is not marked as invalid.
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
	// Control waits for an element, and returns its kind. If the element is not a control, the
	// error is STEP_FAILED.
	Control(ctx context.Context, t Target) (ControlKind, error)
	// Fill replaces the value of a control. Filling "" clears it.
	Fill(ctx context.Context, t Target, value string) (Filled, error)
	// Check turns a checkbox, radio button or switch on or off. It presses the control only if its
	// state must change.
	Check(ctx context.Context, t Target, on bool) (Element, error)
	// Select selects options, and returns the values of the selected ones. If the argument "by" is
	// "value", values lists values of options. If it is "label", values lists their labels. If it
	// is empty, values may list both. If one of them matches several options, the error is
	// ELEMENT_AMBIGUOUS.
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
	// Files lists the names of the files as the page sees them. For a folder, they are paths.
	Files []string
	// Kept is set if the input still contains the files after the handlers of the page have run.
	// Otherwise the page has shown or sent the files, and has removed them from the input.
	Kept bool
	// Replaced describes the pictures that the page has replaced by pictures of the same name and
	// another size.
	Replaced []string
	// Dropped is set if the files were dropped on the element because there was no file input.
	Dropped bool
	// Unheard is set if the input already contained these files. The page then got no change event.
	Unheard bool
}

// Uploader passes files to pages.
type Uploader interface {
	// Upload replaces the files of a file input, which may be hidden. It uses the element itself,
	// the input of a label, or an input inside the element. If there is none, Upload presses the
	// element, and uses the input whose file dialog opens. If no dialog opens, it drops the files
	// on the element.
	//
	// An empty list clears the input. If the page discards the files, the error is STEP_FAILED.
	Upload(ctx context.Context, t Target, files []UploadFile) (Upload, error)
}
