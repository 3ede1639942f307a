package browser

// Sliders and spin buttons that are not an <input>. The page moves them on arrow keys, and exposes
// their number to assistive technology.

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/keys"
)

const (
	mostSlides = 1000 // maximum number of keys that are pressed to move a slider
	slidesOnce = 50   // number of keys that are sent at once
)

// slide moves the slider of r to value. It makes one step to find out the size and direction of a
// step, and then as many steps as remain.
func (s *filling) slide(ctx context.Context, r *acted, value string) error {
	want, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return diag.New(diag.ParamInvalid, "%q is not a number", value).WithHint("give a number in digits")
	}
	more, less := keys.Named(r.Keys[0]), keys.Named(r.Keys[1])
	now, size, made, turns, once := r.Now, 0.0, 0, 0, slidesOnce
	for !near(now, want) {
		n := 1
		if size > 0 {
			n = int(min(max(math.Floor(math.Abs(want-now)/size+1e-9), 1), mostSlides+1))
		}
		if made+n > mostSlides {
			return s.notSlid(r, now, want, size).WithHint("the value is more than %d steps away: drag the slider", mostSlides)
		}
		n = min(n, once)
		made += n
		up := want > now
		key := less
		if up {
			key = more
		}
		next, err := s.slideBy(ctx, r, key, n)
		if err != nil {
			return err
		}
		moved := next - now
		switch {
		case moved == 0:
			return s.notSlid(r, now, want, size)
		case moved > 0 != up && size == 0: // the page is right-to-left
			more, less = less, more
			turns++
		case !near(next, want) && want > next != up: // beyond the value
			turns++
		}
		if n == 1 {
			size = math.Abs(moved)
		} else if math.Abs(moved) < float64(n)*size*(1-1e-9) { // the page takes one key at a time
			once = 1
		}
		if now = next; turns > 1 { // the value lies between two steps
			return s.notSlid(r, now, want, size)
		}
	}
	return nil
}

// slideBy presses k n times and returns the number that the slider then has.
func (s *filling) slideBy(ctx context.Context, r *acted, k keys.Key, n int) (float64, error) {
	var calls []*cdp.Call
	for range n {
		calls = append(calls, s.by.typist.tap(ctx, keys.Chord{Key: k})...)
	}
	if err := s.p.Link.Finish(ctx, calls); err != nil {
		return 0, err
	}
	h, err := s.readBack(ctx, s.p.Call(ctx, r.w, "held", map[string]any{"value": ""}), r)
	if err != nil {
		return 0, err
	}
	next, err := strconv.ParseFloat(strings.TrimSpace(h.Value), 64)
	if err != nil {
		return 0, diag.New(diag.StepFailed, "%s no longer has a number as its value", r.El.label(s.t.Source)).
			WithDetail("selector", s.t.Source).WithHint("the page may have replaced the slider: check the page with `snapshot`, then fill the slider again")
	}
	return next, nil
}

// notSlid returns the error for a slider that stopped at the number "now". size is the size of a
// step; 0 means that the slider has not moved.
func (s *seeker) notSlid(r *acted, now, want, size float64) *diag.Error {
	e := diag.New(diag.StepFailed, "%s holds %v instead of %v", r.El.label(s.t.Source), now, want).
		WithDetail("selector", s.t.Source).WithDetail("value", now)
	switch {
	case size == 0:
		return e.WithHint("the slider does not move on arrow keys: drag it, or use another control of the page")
	case math.Abs(want-now) >= size:
		return e.WithHint("another control, such as a second handle, may limit the slider: move that control first")
	}
	return e.WithHint("the slider moves in steps of %v: give a number that it can reach", size)
}

// near reports whether a and b are equal except for rounding errors.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// readBack waits for the answer to the call "read", which reads back the element of r. If the
// document was replaced, the value is unknown and the error is STEP_FAILED.
func (s *seeker) readBack(ctx context.Context, read *cdp.Call, r *acted) (*held, error) {
	var h held
	err := s.p.Answer(ctx, read, &h)
	if errors.Is(err, cdp.ErrGone) {
		return nil, diag.New(diag.StepFailed, "%s: the page went to another document before the value could be read back", r.El.label(s.t.Source)).
			WithHint("a script of the page may have submitted the form: check the page with `snapshot`")
	}
	return &h, err
}
