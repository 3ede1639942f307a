// Package diag reports problems: source positions, coded errors, lists of errors, and a printer
// for people.
//
// It does not read files, know YAML, or decide when a program exits. It imports nothing of this
// module.
//
// Files, bottom to top: clip, spell, visible, code, exit, diag, limit, print, text.
package diag

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// A Pos is a position in a text. Line and Column are 1-based; Column counts bytes. A Pos without a
// line means the whole file. The zero Pos is an unknown position.
type Pos struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// IsValid reports whether p has a line.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns "file:line:column", without the parts that are unknown.
func (p Pos) String() string {
	switch {
	case !p.IsValid():
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Before reports whether p is before q. Positions are ordered by file, line and column.
func (p Pos) Before(q Pos) bool {
	if p.File != q.File {
		return p.File < q.File
	}
	if p.Line != q.Line {
		return p.Line < q.Line
	}
	return p.Column < q.Column
}

// A Note is another position that contributed to an error, such as the other definition when two
// conflict.
type Note struct {
	Pos Pos    `json:"position"`
	Msg string `json:"message"`
}

// An Error is a failure that a user can cause. Msg says what was found, then what was expected, in
// lower case and without a full stop. Hint says what to do next.
//
// An Error must not be changed after the function that created it has returned. To add something,
// change a copy made with [Error.Clone].
type Error struct {
	Code    Code
	Msg     string
	Pos     Pos            // primary position in a definition; zero if there is none
	Notes   []Note         // contributing positions
	Hint    string         // what to do next, for a person or an agent
	Details map[string]any // data about this failure: JSON values only

	// Set by the executor.
	Action     string // full name of the action that was running
	Step       int    // index from 0 of the step in its list; valid if StepAction is set
	StepAction string // name of the step, e.g. "click"
	Path       string // path of the step in the action, e.g. "steps[1].fallback[0]"

	Err error // cause; for errors.Is and errors.As, never printed by itself
}

// New returns an error without a position.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// At returns an error at pos.
func At(pos Pos, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...), Pos: pos}
}

// WithHint sets Hint and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithNote appends a Note and returns e.
func (e *Error) WithNote(pos Pos, format string, args ...any) *Error {
	e.Notes = append(e.Notes, Note{Pos: pos, Msg: fmt.Sprintf(format, args...)})
	return e
}

// WithDetail sets one entry of Details and returns e. The value must encode as
// JSON.
func (e *Error) WithDetail(key string, value any) *Error {
	if e.Details == nil {
		e.Details = make(map[string]any)
	}
	e.Details[key] = value
	return e
}

// Because sets the cause and returns e.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Error returns "position: message".
func (e *Error) Error() string {
	if e.Pos != (Pos{}) {
		return e.Pos.String() + ": " + e.Msg
	}
	return e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Clone returns a copy that may be changed; Notes and Details are copied too.
func (e *Error) Clone() *Error {
	c := *e
	c.Notes = append([]Note(nil), e.Notes...)
	if e.Details != nil {
		c.Details = make(map[string]any, len(e.Details))
		for k, v := range e.Details {
			c.Details[k] = v
		}
	}
	return &c
}

type errorJSON struct {
	Code       Code           `json:"code"`
	Message    string         `json:"message"`
	Action     string         `json:"action,omitempty"`
	Step       *int           `json:"step,omitempty"`
	StepAction string         `json:"step_action,omitempty"`
	Path       string         `json:"path,omitempty"`
	Position   *Pos           `json:"position,omitempty"`
	Notes      []Note         `json:"notes,omitempty"`
	Details    map[string]any `json:"details,omitempty"`
	Suggestion string         `json:"suggestion,omitempty"`
}

// MarshalJSON encodes the error in the form that every interface uses.
func (e *Error) MarshalJSON() ([]byte, error) {
	j := errorJSON{
		Code: e.Code, Message: e.Msg, Action: e.Action, StepAction: e.StepAction,
		Path: e.Path, Notes: e.Notes, Details: e.Details, Suggestion: e.Hint,
	}
	if e.StepAction != "" {
		j.Step = &e.Step
	}
	if e.Pos != (Pos{}) {
		j.Position = &e.Pos
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (e *Error) UnmarshalJSON(data []byte) error {
	var j errorJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*e = Error{
		Code: j.Code, Msg: j.Message, Action: j.Action, StepAction: j.StepAction,
		Path: j.Path, Notes: j.Notes, Details: j.Details, Hint: j.Suggestion,
	}
	if j.Step != nil {
		e.Step = *j.Step
	}
	if j.Position != nil {
		e.Pos = *j.Position
	}
	return nil
}

// As returns the first *Error in err's chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// CodeOf returns the code of the first *Error in err's chain. It returns "" for nil and INTERNAL
// for an error without a code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e := As(err); e != nil {
		return e.Code
	}
	return Internal
}

// A List is several errors. The zero value is an empty list ready to use. It is not safe
// for concurrent use.
type List []*Error

// Add appends errors and ignores nil.
func (l *List) Add(errs ...*Error) {
	for _, e := range errs {
		if e != nil {
			*l = append(*l, e)
		}
	}
}

// AddErr appends err. If err is a List, AddErr appends its entries. An error without a code gets
// the code INTERNAL. Nil is ignored.
func (l *List) AddErr(err error) {
	if err == nil {
		return
	}
	var list List
	if errors.As(err, &list) {
		l.Add(list...)
		return
	}
	if e := As(err); e != nil {
		l.Add(e)
		return
	}
	l.Add(New(Internal, "%v", err).Because(err))
}

// Err returns l as an error, sorted and without duplicates. It returns nil if l is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l.Sorted()
}

// Sorted returns a copy in order of position, then message, with duplicates
// removed.
func (l List) Sorted() List {
	out := append(List(nil), l...)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Pos != b.Pos {
			return a.Pos.Before(b.Pos)
		}
		return a.Msg < b.Msg
	})
	n := 0
	for i, e := range out {
		if i > 0 && e.Pos == out[n-1].Pos && e.Msg == out[n-1].Msg && e.Code == out[n-1].Code {
			continue
		}
		out[n] = e
		n++
	}
	return out[:n]
}

// Error returns one line per error.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors of the list, for errors.Is and errors.As.
func (l List) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}
