package browser

import (
	"bytes"
	"context"
	"math"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
)

// maxShotPixels is the maximum width and height, in pixels, of a picture that Chromium draws.
const maxShotPixels = 16384

// Screenshot implements [driver.Printer].
func (p *printer) Screenshot(ctx context.Context, o driver.ShotOptions) (driver.Shot, error) {
	capture := proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true}
	switch o.Format {
	case "", "png":
	case "jpeg":
		quality := 80
		capture.Format, capture.Quality = proto.PageCaptureScreenshotFormatJpeg, &quality
	default:
		return driver.Shot{}, diag.New(diag.ParamInvalid, "unknown picture format %q", o.Format).
			WithHint("%s", diag.DidYouMean(o.Format, []string{"png", "jpeg"}))
	}
	clip, err := p.clip(ctx, o)
	if err != nil {
		return driver.Shot{}, err
	}
	capture.Clip = clip
	capture.CaptureBeyondViewport = o.FullPage
	var r proto.PageCaptureScreenshotResult
	if err := p.Link.Do(ctx, capture, &r); err != nil {
		return driver.Shot{}, err
	}
	return driver.Shot{Data: r.Data, Width: int(clip.Width), Height: int(clip.Height)}, nil
}

// clip returns the part of the page to draw, in CSS pixels of the document.
func (p *printer) clip(ctx context.Context, o driver.ShotOptions) (*proto.PageViewport, error) {
	if o.Target != nil {
		if _, err := p.scroller.ScrollIntoView(ctx, *o.Target); err != nil {
			return nil, err
		}
	}
	var m proto.PageGetLayoutMetricsResult
	if err := p.Link.Do(ctx, proto.PageGetLayoutMetrics{}, &m); err != nil {
		return nil, err
	}
	if m.CSSLayoutViewport == nil || m.CSSContentSize == nil {
		return nil, diag.New(diag.Internal, "the browser does not report the size of the page").WithHint("use a newer Chromium")
	}
	view := m.CSSLayoutViewport
	c := &proto.PageViewport{X: float64(view.PageX), Y: float64(view.PageY),
		Width: float64(view.ClientWidth), Height: float64(view.ClientHeight), Scale: 1}
	switch {
	case o.Target != nil:
		return p.clipElement(ctx, *o.Target, c)
	case o.FullPage:
		c.X, c.Y, c.Width, c.Height = 0, 0, m.CSSContentSize.Width, m.CSSContentSize.Height
	}
	c.Width, c.Height = min(math.Ceil(c.Width), maxShotPixels), min(math.Ceil(c.Height), maxShotPixels)
	return c, nil
}

// clipElement returns the part of the page that shows an element. view is the part of the
// page that is in the viewport.
func (p *printer) clipElement(ctx context.Context, t driver.Target, view *proto.PageViewport) (*proto.PageViewport, error) {
	r, err := p.finder.find(ctx, t, act{Need: []string{"visible", "stable"}, Strict: true, Op: op{Name: "read", What: "box"}})
	if err != nil {
		return nil, err
	}
	var box struct{ X, Y, Width, Height float64 }
	if err := eval.Decode(r.Value, &box); err != nil {
		return nil, err
	}
	left, top := math.Floor(box.X), math.Floor(box.Y)
	return &proto.PageViewport{
		X: view.X + left, Y: view.Y + top, Scale: 1,
		Width:  min(math.Ceil(box.X+box.Width)-left, maxShotPixels),
		Height: min(math.Ceil(box.Y+box.Height)-top, maxShotPixels),
	}, nil
}

// PDF implements [driver.Printer].
func (p *printer) PDF(ctx context.Context, o driver.PDFOptions) ([]byte, error) {
	print := proto.PagePrintToPDF{Landscape: o.Landscape, PrintBackground: o.Background, PreferCSSPageSize: true}
	var r proto.PagePrintToPDFResult
	err := p.Link.Do(ctx, print, &r)
	if diag.CodeOf(err) == diag.StepFailed {
		return nil, diag.New(diag.StepFailed, "the browser cannot print this page: %v", diag.As(err).Msg).Because(err).
			WithHint("remove `--headed`, because only a browser without a window can print; or take a screenshot with `full_page`")
	}
	if err == nil && !bytes.HasPrefix(r.Data, []byte("%PDF")) {
		err = diag.New(diag.StepFailed, "the browser printed %d bytes that are not a PDF", len(r.Data)).
			WithHint("wait until the page is loaded, or take a screenshot with `full_page`")
	}
	return r.Data, err
}
