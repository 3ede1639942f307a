package endpoint

import "time"

// How long a client waits for a daemon that says nothing. A daemon that lives answers
// a greeting at once, whatever it runs: so a run may take as long as it takes, while a
// daemon that was stopped, or is none, is given up.
const (
	// Grace is what a command may take beyond the time that its user has given it,
	// before a daemon that does not answer is given up.
	Grace = 2 * time.Second

	greetTime  = 5 * time.Second  // without a sign of life, after which the daemon is greeted
	answerTime = 15 * time.Second // for it to answer then, or to take what it is sent
)

// A Patience says when a command greets a daemon that says nothing, and when it gives
// it up. The zero value is that of a command whose user has set no time.
type Patience struct {
	Began time.Time     // when the command did
	Limit time.Duration // that its user has given it, as --timeout; 0: none
}

// Greet is how long the daemon may say nothing from now on before it is greeted.
// Where there is a limit it is greeted when that is up, and often from then on.
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

// Answer is how long a daemon that is asked something now may take to answer at all.
func (p Patience) Answer(now time.Time) time.Duration {
	if p.Limit <= 0 {
		return answerTime
	}
	return min(answerTime, max(Grace, p.Left(now)))
}

// Left is how long the daemon may still be waited for where there is a limit: until
// shortly after that. It is negative when that is past.
func (p Patience) Left(now time.Time) time.Duration {
	return p.Began.Add(p.Limit).Add(Grace).Sub(now)
}

// Limit returns the --timeout of a command line, before anything else of it is read; 0
// when there is none, or it is no duration.
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

// duration reads a duration as the flag does: 5s, or milliseconds.
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
