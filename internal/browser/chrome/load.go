package chrome

// Loading an address as a download, even if the server declares it a page. Package downloads
// intercepts the answer.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
)

// loadToDownload loads address in the page, which keeps its document.
func (p *Tab) loadToDownload(ctx context.Context, address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return diag.New(diag.ParamInvalid, "%q cannot be downloaded, expected an http or https address", address).
			WithHint("give an address such as https://example.test/report.pdf")
	}
	if err := p.ready(ctx); err != nil {
		return err
	}
	l, err := p.b.downloads.Load(ctx, p.Frames.frame)
	if err != nil {
		return p.Link.Explain(ctx, err)
	}
	defer l.End()
	var r navigateResult
	if err := p.Frames.Start(ctx, proto.PageNavigate{URL: address}).Wait(&r); err != nil {
		return p.openFailed(ctx, address, err)
	}
	switch status, failure := l.Refused(); {
	case failure != "":
		return p.Outcome.navigationFailed(address, failure)
	case status == http.StatusNoContent, status == http.StatusResetContent:
		return noPage(address, fmt.Sprintf("the server answered %d %s", status, http.StatusText(status))).WithDetail("status", status)
	case status != 0:
		return diag.New(diag.StepFailed, "%s cannot be downloaded: the server answered %d", address, status).
			WithDetail("status", status).WithDetail("url", address).WithHint("check the address, and that this session has access to it")
	case r.IsDownload:
		return nil
	case r.ErrorText == errAborted:
		return p.Outcome.aborted(address)
	case r.ErrorText != "":
		if err := p.Frames.settle(ctx); err != nil { // the error page follows
			return err
		}
		return p.Outcome.navigationFailed(address, r.ErrorText)
	}
	return diag.New(diag.StepFailed, "%s is a position in the open page, not a download", address).
		WithHint("give the address of a file")
}
