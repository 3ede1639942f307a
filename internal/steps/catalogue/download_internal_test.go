package catalogue

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
)

func TestUnwritable(t *testing.T) {
	at := func(why error) error { return &fs.PathError{Op: "openat", Path: "/x/a.png", Err: why} }
	tests := []struct {
		err        error
		code       diag.Code
		said, hint string
	}{
		{at(syscall.EMFILE), diag.LimitExceeded, "open more files", "ulimit"},
		{at(syscall.ENOSPC), diag.StepFailed, "/x/a.png: no space left", "free space"},
		{diag.New(diag.PolicyDenied, "denied"), diag.PolicyDenied, "denied", ""},
	}
	for _, tt := range tests {
		e := diag.As(unwritable("a.png", tt.err))
		if e == nil || e.Code != tt.code || !strings.Contains(e.Msg, tt.said) || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%v: got %v, want %s", tt.err, e, tt.code)
		}
	}
	if err := unwritable("a.png", context.Canceled); !errors.Is(err, context.Canceled) || diag.As(err) != nil {
		t.Errorf("cancelled: got %v", err)
	}
}
