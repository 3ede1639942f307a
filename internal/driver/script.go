package driver

import (
	"context"

	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/version"
)

// ShotOptions determine what a screenshot shows.
type ShotOptions struct {
	Target   *Target // nil: the viewport
	FullPage bool
	Format   string // png (default), jpeg
}

// A Shot is an encoded picture. Width and Height are in CSS pixels.
type Shot struct {
	Data          []byte
	Width, Height int
}

// Scripter runs scripts in the page's own world.
type Scripter interface {
	// Eval runs a script and returns its value as JSON data. The script is an expression, or the
	// body of an async function. The names in args are variables of the script. If the script
	// throws, the error is STEP_FAILED with the message and the position.
	Eval(ctx context.Context, script string, args map[string]any) (any, error)
	// WaitFunction runs a script like Eval, in every frame, until its value is truthy.
	WaitFunction(ctx context.Context, script string, args map[string]any) (any, error)
	// Version returns the version of the page's library, as the page states it. It returns "" if
	// there is none.
	Version(ctx context.Context, p VersionProbe) (string, error)
}

// PDFOptions determine how a page is printed. With the zero value, it is printed in portrait,
// without backgrounds.
type PDFOptions struct {
	Landscape  bool
	Background bool // include background colours and pictures
}

// Printer takes screenshots of the page and prints the page to PDF.
type Printer interface {
	Screenshot(ctx context.Context, o ShotOptions) (Shot, error)
	// PDF prints the page. If the browser is not headless, the error is STEP_FAILED.
	PDF(ctx context.Context, o PDFOptions) ([]byte, error)
}

// A VersionProbe says where to find the version of a page's library. Exactly one field is set.
type VersionProbe struct {
	Script   *version.Script
	Selector *selectors.Query // its attribute if the selector ends in one, otherwise its text
	Meta     string           // name of the meta tag
}
