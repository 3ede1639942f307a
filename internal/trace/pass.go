package trace

// Masking that can be interrupted. The cost of masking grows with the text and the number of
// secrets: 8 MiB of text with 1,000 secrets may take minutes.

const (
	// passSteps is the amount of work between two checks of done.
	passSteps = 64 << 10
	// passGrace is the maximum amount of work after done is closed, in units of passSteps. It is
	// enough to mask the error of a timeout.
	passGrace = 512
)

// A Pass masks the secrets that a [Masker] had when the Pass was made. It stops soon after its
// channel done is closed. Once it has stopped, it replaces every text with [Mask]. A Pass is not
// safe for concurrent use.
type Pass struct {
	secrets []secret
	done    <-chan struct{}
	left    int // work until the next check of done
	late    int // number of checks since done was closed
	stopped bool
}

// Stopped reports whether the Pass has stopped early.
func (p *Pass) Stopped() bool { return p.stopped }

// spend counts n units of work, and checks done after every passSteps of them.
func (p *Pass) spend(n int) {
	if p.left -= n; p.left < 0 {
		p.check()
	}
}

// check stops p if done was closed more than passGrace checks ago.
func (p *Pass) check() {
	p.left = passSteps
	select {
	case <-p.done:
		p.late++
		p.stopped = p.stopped || p.late > passGrace
	default:
	}
}
