package browser

import (
	"context"

	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
)

// A previewer finds out what input to an element would do, before the input is sent.
type previewer struct{ finder *finder }

// previewed is the engine's description of what input to an element would do.
type previewed struct {
	El       element `json:"el"`
	Mark     string  `json:"mark"`
	Leads    string  `json:"leads"`
	Submits  bool    `json:"submits"`
	Implicit bool    `json:"implicit"`
	Saves    bool    `json:"saves"`
	Origin   string  `json:"origin"`
	Frame    bool    `json:"frame"`   // it is in a frame that was not searched
	Nothing  bool    `json:"nothing"` // there is no element at the point
}

func (v *previewed) plain() driver.Preview {
	return driver.Preview{
		Element: v.El.plain(), Mark: v.Mark, Leads: v.Leads, Submits: v.Submits, Implicit: v.Implicit, Saves: v.Saves, Origin: v.Origin,
	}
}

// Preview implements [driver.Previewer].
func (p *previewer) Preview(ctx context.Context, t *driver.Target, hidden bool) (driver.Preview, error) {
	s, need := p.finder.seekFocused(ctx), attached
	if t != nil {
		s = p.finder.seek(ctx, *t)
		if !hidden {
			need = []string{"visible"}
		}
	}
	s.t.Expect = ""
	r, err := s.act(ctx, act{Need: need, Strict: true, Op: op{Name: "read", What: "preview"}})
	if err != nil {
		return driver.Preview{}, err
	}
	var v previewed
	if err := eval.Decode(r.Value, &v); err != nil {
		return driver.Preview{}, err
	}
	return v.plain(), nil
}

// PreviewAt implements [driver.Previewer]. It does not search in frames of other processes. A press
// in such a frame counts as a press that may send a form.
func (p *previewer) PreviewAt(ctx context.Context, at driver.Point) (driver.Preview, error) {
	if _, _, err := p.finder.whatIsAt(ctx, point{at.X, at.Y}); err != nil {
		return driver.Preview{}, err
	}
	var v previewed
	if _, err := p.finder.Ask(ctx, "previewAt", point{at.X, at.Y}, &v); err != nil {
		return driver.Preview{}, err
	}
	if v.Frame {
		v.Submits = true
	}
	return v.plain(), nil
}
