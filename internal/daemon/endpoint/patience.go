package endpoint

import "time"

// How long a client waits for a silent daemon. A working daemon answers a greeting at once,
// whatever it is running: so a run may take as long as it takes, while a daemon that was
// stopped, or is not one, is given up.
const (
	// Grace is how much longer than the user's time limit a command waits for a daemon that
	// does not answer.
	Grace = 2 * time.Second

	greetTime  = 5 * time.Second  // of silence, after which the daemon is greeted
	answerTime = 15 * time.Second // for it to answer then, or to read what it is sent
)

// A Patience says when a command greets a silent daemon, and when it gives up. The zero
// value is that of a command without a time limit.
type Patience struct {
	Began time.Time     // when the command began
	Limit time.Duration // the user's time limit, as --timeout; 0: none
}

// Greet is how long the daemon may be silent from now on before it is greeted. With a time
// limit it is greeted when that is up, and often from then on.
func (p Patience) Greet(now time.Time) time.Duration {
	if p.Limit <= 0 {
		return greetTime
	}
	left := p.Began.Add(p.Limit).Sub(now)
	if left <= 0 {
		left = time.Second
	}
	return min(greetTime, left)
}

// Answer is how long a daemon may take to answer a request sent now.
func (p Patience) Answer(now time.Time) time.Duration {
	if p.Limit <= 0 {
		return answerTime
	}
	return min(answerTime, max(Grace, p.Left(now)))
}

// Left is how long to wait for the daemon when there is a limit: until shortly after it. It
// is negative when that is past.
func (p Patience) Left(now time.Time) time.Duration {
	return p.Began.Add(p.Limit).Add(Grace).Sub(now)
}

// Limit returns the --timeout of a command line, before anything else of it is parsed; 0 if
// there is none, or it is invalid.
func Limit(argv []string) (limit time.Duration) {
	const flag = "--timeout"
	for i, word := range argv {
		switch {
		case word == "--":
			return limit
		case word == flag && i+1 < len(argv):
			limit = duration(argv[i+1])
		case len(word) > len(flag) && word[:len(flag)+1] == flag+"=":
			limit = duration(word[len(flag)+1:])
		}
	}
	return limit
}

// duration parses a duration as the flag does: 5s, or milliseconds.
func duration(text string) time.Duration {
	d, err := time.ParseDuration(text + "ms")
	if err != nil {
		d, err = time.ParseDuration(text)
	}
	if err != nil || d < 0 {
		return 0
	}
	return d
}
