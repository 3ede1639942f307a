package trace

// Masking that can be ended. What it costs grows with the text and the number of
// secrets: 8 MiB and 1,000 of them may take minutes.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

const (
	// passSteps is how much of the work is done between two looks at done.
	passSteps = 64 << 10
	// passGrace is how many times so much is still done after that, so that an error that says
	// that the time is up is readable.
	passGrace = 512
)

// A Pass masks with the secrets that a [Masker] had when the Pass began. Once done is closed it does a
// bounded amount of work; the texts that it has not finished then are [Mask]. A Pass is used by
// one goroutine.
type Pass struct {
	secrets []secret
	done    <-chan struct{}
	left    int // work until the next look
	late    int // looks since done was closed
	stopped bool
}

// Until returns a Pass that ends when done is closed; nil never is.
func (m *Masker) Until(done <-chan struct{}) *Pass {
	return &Pass{secrets: m.list(), done: done, left: passSteps}
}

// Stopped reports whether texts were left unfinished.
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

// text replaces every occurrence, and what cuts have left of one. Secrets that overlap in it
// are replaced as one: none leaves a part of another behind.
func (p *Pass) text(text string) string {
	var spans []span
	cut := strings.Contains(text, ellipsis)
	for i := range p.secrets {
		had := len(spans)
		spans = p.secrets[i].find(spans, text, p)
		if cut {
			spans = p.secrets[i].findCut(spans, text, p)
		}
		if p.stopped {
			return Mask
		}
		if had > 0 && len(spans) > had {
			spans = merged(spans)
			p.spend(len(spans))
		}
	}
	if len(spans) == 0 {
		return text
	}
	var out strings.Builder
	done := 0
	for _, s := range merged(spans) {
		out.WriteString(text[done:s.start])
		out.WriteString(Mask)
		done = s.end
	}
	out.WriteString(text[done:])
	return out.String()
}

// merged returns spans in order, those that overlap as one.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.start < last.end {
			last.end = max(last.end, s.end)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// spend counts work.
func (p *Pass) spend(n int) {
	if p.left -= n; p.left < 0 {
		p.look()
	}
}

func (p *Pass) look() {
	p.left = passSteps
	select {
	case <-p.done:
		p.late++
		p.stopped = p.stopped || p.late > passGrace
	default:
	}
}
