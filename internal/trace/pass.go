package trace

// Masking that can be interrupted. The cost of masking grows with the text and the number of
// secrets: 8 MiB of text with 1,000 secrets may take minutes.

import "github.com/actionregistry/action/diag"

const (
	// passSteps is the amount of work between two checks of done.
	passSteps = 64 << 10
	// passGrace limits the work after done is closed, as a multiple of passSteps. It is enough to
	// mask an error that reports the timeout.
	passGrace = 512
)

// A Pass masks with the secrets that a [Masker] had when the Pass began. After done is closed, it
// does a limited amount of work; unfinished texts then become [Mask]. A Pass is not safe for
// concurrent use.
type Pass struct {
	secrets []secret
	done    <-chan struct{}
	left    int // work until the next check of done
	late    int // number of checks since done was closed
	stopped bool
}

// Until returns a Pass that ends when done is closed. A nil done is never closed.
func (m *Masker) Until(done <-chan struct{}) *Pass {
	return &Pass{secrets: m.list(), done: done, left: passSteps}
}

// Stopped reports whether some texts were left unfinished.
func (p *Pass) Stopped() bool { return p.stopped }

// String is [Masker.String].
func (p *Pass) String(s string) string { return p.text(s) }

// Value is [Masker.Value].
func (p *Pass) Value(v any) any {
	if len(p.secrets) == 0 {
		return v
	}
	return p.value(v)
}

// Map is [Masker.Map].
func (p *Pass) Map(v map[string]any) map[string]any {
	if len(p.secrets) == 0 || v == nil {
		return v
	}
	return p.entries(v)
}

// Error is [Masker.Error].
func (p *Pass) Error(e *diag.Error) *diag.Error {
	if len(p.secrets) == 0 || e == nil {
		return e
	}
	c := e.Clone()
	c.Msg = p.text(c.Msg)
	c.Hint = p.text(c.Hint)
	for i := range c.Notes {
		c.Notes[i].Msg = p.text(c.Notes[i].Msg)
	}
	if c.Details != nil {
		c.Details = p.entries(c.Details)
	}
	c.Err = nil
	return c
}

// text replaces every occurrence, the longest secret first.
func (p *Pass) text(text string) string {
	for i := range p.secrets {
		text = p.secrets[i].mask(text, p)
		if p.stopped {
			return Mask
		}
	}
	return text
}

// spend counts n units of work, and checks done after every passSteps of them.
func (p *Pass) spend(n int) {
	if p.left -= n; p.left < 0 {
		p.check()
	}
}

// check stops p once done has been closed for too long.
func (p *Pass) check() {
	p.left = passSteps
	select {
	case <-p.done:
		p.late++
		p.stopped = p.stopped || p.late > passGrace
	default:
	}
}
