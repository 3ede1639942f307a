// Package console keeps the last messages of the document of a tab: what its scripts have written to
// the console, the errors that they have not caught, and what the browser has logged about it. It
// decodes the events of the browser, sends nothing, and never queries the page. It does not decide
// which events belong to the document; its caller does.
package console

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/driver"
)

const (
	mostMessages = 200
	longestText  = 2000 // in characters, also of an address; a longer text is cut
)

// A Log holds the last messages of one document. The zero value is empty. Its methods may be called
// concurrently.
type Log struct {
	mu      sync.Mutex
	list    []driver.Message // oldest first
	dropped int              // number of older messages that are no longer in list
	skipped time.Time        // messages up to this time are not recorded
}

// Messages returns the last messages, oldest first, and how many older ones were dropped.
func (l *Log) Messages() (list []driver.Message, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list), l.dropped
}

// Clear forgets all messages. It is called when the tab gets another document.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list, l.dropped = nil, 0
}

// Skip makes the log ignore messages of up to now that arrive later. It is called when a time ends
// in which nothing may be recorded.
func (l *Log) Skip() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.skipped = time.Now()
}

func (l *Log) add(m driver.Message) {
	m.Text, m.Cut = cut(m.Text)
	m.URL, _ = cut(m.URL)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !m.Time.After(l.skipped) {
		return
	}
	if over := len(l.list) - mostMessages + 1; over > 0 {
		l.list = slices.Delete(l.list, 0, over)
		l.dropped += over
	}
	l.list = append(l.list, m)
}

// cut shortens a text that is too long, and reports whether it was.
func cut(text string) (short string, was bool) {
	if len(text) <= longestText || utf8.RuneCountInString(text) <= longestText {
		return strings.ToValidUTF8(text, "\uFFFD"), false
	}
	n := 0
	for i := range text {
		if n == longestText {
			return strings.ToValidUTF8(text[:i], "\uFFFD") + "…", true
		}
		n++
	}
	return text, false
}

// A stack holds the used fields of a Runtime.StackTrace.
type stack struct {
	Frames []struct {
		URL  string `json:"url"`
		Line int    `json:"lineNumber"`
	} `json:"callFrames"`
}

// position returns the address and the line of the innermost call. Lines are counted from 1. If the
// stack is empty, it returns "" and 0.
func (s *stack) position() (address string, line int) {
	if s == nil || len(s.Frames) == 0 {
		return "", 0
	}
	return s.Frames[0].URL, s.Frames[0].Line + 1
}

// at converts a time of the protocol, in milliseconds since 1970.
func at(ms float64) time.Time { return time.UnixMilli(int64(math.Round(ms))).UTC() }

// levels maps the types of console calls to the levels of their messages. Calls with the level ""
// write nothing. The level of all types that are not in the map is "log".
var levels = map[string]string{
	"warning": "warning", "error": "error", "info": "info", "debug": "debug", "assert": "error",
	"clear": "", "endGroup": "", "profile": "", "profileEnd": "",
}

// NoteCall records a Runtime.consoleAPICalled event.
func (l *Log) NoteCall(e *cdp.Event) {
	var v struct {
		Type  string   `json:"type"`
		Args  []object `json:"args"`
		Time  float64  `json:"timestamp"`
		Stack *stack   `json:"stackTrace"`
	}
	if !cdp.Decode(e, &v) {
		return
	}
	level, known := levels[v.Type]
	if !known {
		level = "log"
	}
	if level == "" {
		return
	}
	m := driver.Message{Level: level, Text: written(v.Args), Source: "console", Time: at(v.Time)}
	if v.Type == "assert" {
		m.Text = strings.TrimSuffix("assertion failed: "+m.Text, ": ")
	}
	m.URL, m.Line = v.Stack.position()
	l.add(m)
}

// An Exception is a Runtime.exceptionThrown event.
type Exception struct {
	Time    float64 `json:"timestamp"`
	Details struct {
		Text      string  `json:"text"`
		Line      int     `json:"lineNumber"`
		URL       string  `json:"url"`
		Stack     *stack  `json:"stackTrace"`
		Exception *object `json:"exception"`
		Context   int     `json:"executionContextId"` // 0: unknown
	} `json:"exceptionDetails"`
}

// NoteException records an error that no script has caught.
func (l *Log) NoteException(v *Exception) {
	d := &v.Details
	m := driver.Message{Level: "error", Text: d.Text, Source: "exception", Time: at(v.Time), URL: d.URL, Line: d.Line + 1}
	if d.Exception != nil {
		m.Text = strings.TrimSpace(d.Text + " " + d.Exception.text())
	}
	if m.URL == "" {
		m.URL, m.Line = d.Stack.position()
	}
	l.add(m)
}

// An Entry is a Log.entryAdded event.
type Entry struct {
	Entry struct {
		Source string  `json:"source"`
		Level  string  `json:"level"`
		Text   string  `json:"text"`
		Time   float64 `json:"timestamp"`
		URL    string  `json:"url"`
		Line   *int    `json:"lineNumber"`
		Stack  *stack  `json:"stackTrace"`
	} `json:"entry"`
}

// NoteEntry records an entry of the browser's log.
func (l *Log) NoteEntry(v *Entry) {
	e := &v.Entry
	level := e.Level
	if level == "verbose" {
		level = "debug"
	}
	m := driver.Message{Level: level, Text: e.Text, Source: e.Source, Time: at(e.Time), URL: e.URL}
	if e.Line != nil {
		m.Line = *e.Line + 1
	}
	if m.URL == "" {
		m.URL, m.Line = e.Stack.position()
	}
	l.add(m)
}
