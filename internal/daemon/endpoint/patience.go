package endpoint

import "time"

// How long a client waits for a silent daemon. A working daemon answers a greeting immediately,
// even during a long run.
const (
	// Grace is how long a command waits for a silent daemon beyond the user's time limit.
	Grace = 2 * time.Second

	greetTime  = 5 * time.Second  // silence after which the daemon is greeted
	answerTime = 15 * time.Second // time for the daemon to answer the greeting, or to read a request
)

// A Patience determines how long a command waits for a daemon that sends nothing. The zero value is
// for a command without a time limit.
type Patience struct {
	Began time.Time     // when the command began
	Limit time.Duration // the user's time limit (--timeout); 0 means none
}

// Greet returns how long from now the daemon may be silent before the client greets it. It is never
// longer than the rest of the user's time limit. After the limit, it is one second.
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

// Answer returns how long a daemon may take to answer a request that is sent now.
func (p Patience) Answer(now time.Time) time.Duration {
	if p.Limit <= 0 {
		return answerTime
	}
	return min(answerTime, max(Grace, p.Left(now)))
}

// Left returns the time from now until the client gives up. That is [Grace] after the user's time
// limit. The result may be negative. Left must not be called if there is no limit.
func (p Patience) Left(now time.Time) time.Duration {
	return p.Began.Add(p.Limit).Add(Grace).Sub(now)
}

// Limit returns the value of --timeout in a command line. It returns 0 if there is none or if it is
// invalid.
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

// duration parses the value of --timeout: a duration such as 5s, or a number of milliseconds. It
// returns 0 if the value is invalid.
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
