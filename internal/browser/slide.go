package browser

// Sliders and spin buttons that are not an <input>: the page moves them by arrow keys, and
// exposes their number to assistive technology.

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/keys"
)

const (
	mostSlides = 1000 // steps of a slider that are made
	slidesOnce = 50   // of them at once
)

// slide moves the slider of r to value. It makes one step to learn its size and direction,
// then as many as are missing.
func (s *filling) slide(ctx context.Context, r *acted, value string) error {
	want, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return diag.New(diag.ParamInvalid, "%q is no number", value).WithHint("give a number in digits")
	}
	more, less := keys.Named(r.Keys[0]), keys.Named(r.Keys[1])
	now, size, made, turns, once := r.Now, 0.0, 0, 0, slidesOnce
	for !near(now, want) {
		n := 1
		if size > 0 {
			n = int(min(max(math.Floor(math.Abs(want-now)/size+1e-9), 1), mostSlides+1))
		}
		if made+n > mostSlides {
			return s.notSlid(r, now, want, size).WithHint("it is more than %d steps away: drag it", mostSlides)
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
		case moved > 0 != up && size == 0: // where lines run from right to left
			more, less = less, more
			turns++
		case !near(next, want) && want > next != up: // past it
			turns++
		}
		if n == 1 {
			size = math.Abs(moved)
		} else if math.Abs(moved) < float64(n)*size*(1-1e-9) { // the page takes one key at a time
			once = 1
		}
		if now = next; turns > 1 { // it lies between two steps
			return s.notSlid(r, now, want, size)
		}
	}
	return nil
}

// slideBy presses a key n times and reads the number back.
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
		return 0, diag.New(diag.StepFailed, "%s does not tell its number any more", r.El.label(s.t.Source)).
			WithDetail("selector", s.t.Source).WithHint("the page may have replaced it: look at the page, then fill it again")
	}
	return next, nil
}

func (s *seeker) notSlid(r *acted, now, want, size float64) *diag.Error {
	e := diag.New(diag.StepFailed, "%s holds %v instead of %v", r.El.label(s.t.Source), now, want).
		WithDetail("selector", s.t.Source).WithDetail("value", now)
	switch {
	case size == 0:
		return e.WithHint("it does not move by arrow keys: drag it, or do what the page offers instead")
	case math.Abs(want-now) >= size:
		return e.WithHint("look at the page for what stops it there, such as a second handle")
	}
	return e.WithHint("it moves by %v at a time: give a number that it can take", size)
}

// near: numbers that pages compute in steps of 0.1 are not exact.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }
