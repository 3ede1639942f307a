package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"

	rodcdp "github.com/go-rod/rod/lib/cdp"

	"github.com/actionregistry/action/diag"
)

func TestExplain(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	coded := diag.New(diag.ParamInvalid, "already coded")
	ended := func(error) *diag.Error { return Unavailable("ended") }
	for _, tt := range []struct {
		name string
		ctx  context.Context
		err  error
		want diag.Code
	}{
		{"coded", cancelled, coded, diag.ParamInvalid},
		{"cancelled", context.Background(), context.Canceled, diag.Cancelled},
		{"cancelled with a cause", cancelled, errors.New("cause"), diag.Cancelled},
		{"late", context.Background(), context.DeadlineExceeded, diag.Timeout},
		{"refused", context.Background(), &rodcdp.Error{Code: -32000, Message: "no"}, diag.StepFailed},
		{"closed", context.Background(), fmt.Errorf("read: %w", ErrClosed), diag.BrowserUnavailable},
		{"end of file", context.Background(), io.EOF, diag.BrowserUnavailable},
		{"reset", context.Background(), syscall.ECONNRESET, diag.BrowserUnavailable},
		{"unknown", context.Background(), errors.New("strange"), diag.Internal},
	} {
		if got := diag.CodeOf(Explain(tt.ctx, tt.err, ended)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	for _, err := range []error{nil, ErrGone} {
		if got := Explain(cancelled, err, ended); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}
