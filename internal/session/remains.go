package session

// The list of open and lost sessions, from which the next process learns what was lost when this
// process ended. The program stores the list and passes it to the next manager.

import (
	"fmt"
	"slices"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/snapshot"
)

// A Remainder describes an open or a lost session for the next process. It contains no data from
// pages.
type Remainder struct {
	Name string `json:"name"`
	Lost Cause  `json:"lost,omitempty"` // "": the session is open
	// Refs is an upper bound of the session's ref numbers. The next process begins with higher
	// numbers.
	Refs int `json:"refs,omitempty"`
}

// A Cause says how a session was lost. Any other value means LostWithDaemon.
type Cause string

// The causes.
const (
	LostExpired    Cause = "expired"
	LostBrowser    Cause = "browser"  // its browser ended
	LostWithDaemon Cause = "daemon"   // the daemon was killed, or crashed
	LostBySignal   Cause = "signal"   // a signal ended the daemon
	LostReplaced   Cause = "replaced" // another build replaced the daemon
	LostReported   Cause = "reported" // the loss was reported; only the refs still matter
)

// describe returns a sentence about a lost session with that name.
func (c Cause) describe(name string) string {
	switch c {
	case LostExpired:
		return fmt.Sprintf("the session %s expired", name)
	case LostBrowser:
		return fmt.Sprintf("%s (session %s)", ended, name)
	case LostBySignal:
		return fmt.Sprintf("the daemon was ended by a signal (session %s)", name)
	case LostReplaced:
		return fmt.Sprintf("the daemon was replaced by another build (session %s)", name)
	}
	return fmt.Sprintf("the daemon was killed or crashed (session %s)", name)
}

// Inherit takes over the sessions of the previous process. m reports each session in list as lost,
// once. Invalid names are ignored.
//
// Whenever the list for the next process changes, m calls record with it. If record fails, m calls
// it again later. Calls of record do not overlap. Inherit must be called before any other method.
func (m *Manager) Inherit(list []Remainder, record func([]Remainder) error) {
	m.recording.Lock()
	defer m.recording.Unlock()
	m.record = record
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range list {
		if checkName(r.Name) != nil {
			continue
		}
		if r.Lost == "" {
			r.Lost = LostWithDaemon
		}
		if r.Refs < 0 || r.Refs > maxRefs { // the file was damaged: no manager writes such a number
			r.Refs = 0
		}
		m.losses.Add(r.Name, &loss{
			what: r.Lost.describe(r.Name), cause: r.Lost, told: r.Lost == LostReported, refs: snapshot.NewBook(r.Refs),
		})
	}
}

// recordRemains records the list if it has changed. The caller must not hold m.mu.
func (m *Manager) recordRemains() {
	m.recording.Lock()
	defer m.recording.Unlock()
	m.recordLocked()
}

func (m *Manager) recordLocked() {
	if m.record == nil {
		return
	}
	if list := m.remains(); m.unrecorded != nil || !slices.Equal(list, m.recorded) {
		m.recorded = list
		m.unrecorded = m.record(list)
	}
}

// WarnNotRecorded is the code of the warning that the list of sessions could not be stored. If the
// daemon is then killed, the loss of the sessions is not reported.
const WarnNotRecorded = "session_not_recorded"

// recordWarning returns a warning if the list could not be stored, and nil otherwise.
func (m *Manager) recordWarning() []executor.Warning {
	m.recording.Lock()
	defer m.recording.Unlock()
	if m.unrecorded != nil {
		m.recordLocked() // the disk may have space again
	}
	if m.unrecorded == nil {
		return nil
	}
	return []executor.Warning{{Code: WarnNotRecorded, Message: fmt.Sprintf(
		"the names of the sessions could not be written (%v): if the daemon were killed, their loss would not be reported", m.unrecorded)}}
}

// remains lists the open sessions, the lost sessions, and the names whose refs must not be used
// again.
func (m *Manager) remains() []Remainder {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Remainder
	add := func(name string, cause Cause, refs *snapshot.Book) {
		r := Remainder{Name: name, Lost: cause, Refs: refsMark(refs.Last())}
		if cause != LostReported || r.Refs > 0 {
			list = append(list, r)
		}
	}
	for _, name := range m.losses.Keys() {
		if l, ok := m.losses.Peek(name); ok {
			add(name, l.left(), l.refs)
		}
	}
	for _, name := range m.namesLocked() {
		switch s := m.sessions[name]; {
		case s.browser != nil:
			add(name, "", s.refs)
		case s.lost != nil:
			add(name, s.lost.left(), s.refs)
		default:
			add(name, LostReported, s.refs)
		}
	}
	return list
}

// left returns the cause of a loss for the next process.
func (l *loss) left() Cause {
	if l.told {
		return LostReported
	}
	return l.cause
}

const (
	refsAhead = 1000
	maxRefs   = 1 << 40
)

// refsMark returns an upper bound for the ref numbers of a session. The argument "last" is the
// highest number so far. The bound is a multiple of refsAhead, so that it rarely changes.
func refsMark(last int) int {
	if last == 0 {
		return 0
	}
	return (last/refsAhead + 1) * refsAhead
}
