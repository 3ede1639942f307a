package executor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

func TestNotBegun(t *testing.T) {
	why := diag.New(diag.LimitExceeded, "the session was closed").WithHint("open it again")
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		cause error // cause with which ctx is cancelled, unless it has ended already
		want  diag.Code
	}{
		{"cancelled", t.Context(), nil, diag.Cancelled},
		{"cancelled for a reason without a code", t.Context(), errors.New("gone"), diag.Cancelled},
		{"cancelled for a reason with one", t.Context(), why, diag.LimitExceeded},
		{"too late", late, nil, diag.Timeout},
	} {
		ctx, cancel := context.WithCancelCause(tt.ctx)
		cancel(tt.cause)
		err := executor.NotBegun(ctx)
		if e := diag.As(err); diag.CodeOf(err) != tt.want || e.Msg == "" || e.Hint == "" {
			t.Errorf("%s: %v, want %s with a hint", tt.name, err, tt.want)
		}
	}
}
