package catalogue

// Pictures and prints of the page, written to files.

import (
	"bytes"
	"context"
	"encoding/base64"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type screenshotArgs struct {
	Selector *driver.Target `arg:"selector" doc:"the element; absent: the viewport"`
	FullPage bool           `arg:"full_page" default:"false" doc:"the whole page instead of the viewport"`
	Format   string         `arg:"format" enum:"png jpeg base64" default:"png" doc:"of the picture; base64: no file, but a PNG of at most 4 MiB in the result"`
	Path     string         `arg:"path" pos:"1" doc:"file to write; absent: a new one in the private temporary folder"`
}

type screenshotResult struct {
	Path   string `json:"path,omitempty" doc:"file written; not with format: base64"`
	Base64 string `json:"base64,omitempty" doc:"the picture, with format: base64"`
	Width  int    `json:"width" doc:"in CSS pixels"`
	Height int    `json:"height" doc:"in CSS pixels"`
}

// inBase64 is the format for a picture in the result of a step. With it, the step writes no file.
const inBase64 = "base64"

// maxBase64 is the maximum size of a picture in a result, in bytes before encoding. A larger
// picture would not fit into one line of the protocol.
const maxBase64 = 4 << 20

type pdfArgs struct {
	Path       string `arg:"path" pos:"1" doc:"file to write; absent: a new one in the private temporary folder"`
	Landscape  bool   `arg:"landscape" default:"false" doc:"landscape paper"`
	Background bool   `arg:"background" default:"false" doc:"include background colours and pictures"`
}

type pdfResult struct {
	Path  string `json:"path" doc:"file written"`
	Bytes int    `json:"bytes" doc:"size of the file"`
}

func checkShot(w *steps.Written[screenshotArgs]) diag.List {
	if w.Text(&w.Args.Format) == inBase64 && w.Has(&w.Args.Path) {
		return diag.List{diag.At(w.At(&w.Args.Path).Pos, diag.DefinitionInvalid, "found both `path` and `format: base64`, expected one of them").
			WithHint("remove `path`: with `format: base64`, the result contains the picture")}
	}
	if !w.Has(&w.Args.Selector) || !w.Has(&w.Args.FullPage) {
		return nil
	}
	return diag.List{diag.At(w.At(&w.Args.FullPage).Pos, diag.DefinitionInvalid, "found both `selector` and `full_page`, expected one of them").
		WithHint("remove `selector` or `full_page`")}
}

func screenshot(ctx context.Context, env *steps.Env, a *screenshotArgs) (screenshotResult, error) {
	if a.Format == inBase64 {
		return screenshotInResult(ctx, env, a)
	}
	var shot driver.Shot
	path, err := output(ctx, env, a.Path, "screenshot-*."+a.Format, func() (data []byte, err error) {
		shot, err = env.Page.Screenshot(ctx, driver.ShotOptions{Target: a.Selector, FullPage: a.FullPage, Format: a.Format})
		return shot.Data, err
	})
	return screenshotResult{Path: path, Width: shot.Width, Height: shot.Height}, err
}

// screenshotInResult takes a picture without writing a file.
func screenshotInResult(ctx context.Context, env *steps.Env, a *screenshotArgs) (screenshotResult, error) {
	shot, err := env.Page.Screenshot(ctx, driver.ShotOptions{Target: a.Selector, FullPage: a.FullPage, Format: "png"})
	if err == nil && len(shot.Data) > maxBase64 {
		err = diag.New(diag.LimitExceeded, "found a picture of %d bytes, expected at most %d with format: base64", len(shot.Data), maxBase64).
			WithHint("take a picture of one element, or write the picture to a file")
	}
	if err != nil {
		return screenshotResult{}, err
	}
	return screenshotResult{Base64: base64.StdEncoding.EncodeToString(shot.Data), Width: shot.Width, Height: shot.Height}, nil
}

func pdf(ctx context.Context, env *steps.Env, a *pdfArgs) (r pdfResult, err error) {
	r.Path, err = output(ctx, env, a.Path, "page-*.pdf", func() ([]byte, error) {
		data, err := env.Page.PDF(ctx, driver.PDFOptions{Landscape: a.Landscape, Background: a.Background})
		r.Bytes = len(data)
		return data, err
	})
	return r, err
}

// output calls the function "make" and writes its result to the path said. It checks the path
// before the call. If said is "", output writes a new temporary file. If the function fails, output
// writes no file.
func output(ctx context.Context, env *steps.Env, said, pattern string, make func() ([]byte, error)) (path string, err error) {
	if said != "" {
		if path, err = env.Files.WritePath(said); err != nil {
			return "", err
		}
	}
	data, err := make()
	if err != nil {
		return "", err
	}
	if said == "" {
		return env.Files.WriteTemp(ctx, pattern, bytes.NewReader(data))
	}
	if err := env.Files.Write(ctx, path, bytes.NewReader(data), true); err != nil {
		return "", unwritable(path, err)
	}
	return path, nil
}
