// Package eval prepares scripts for evaluation in a page, and interprets the answers. It has the
// protocol's call for that, and its answer. The args of a script become parameters, so that a value
// never becomes source. The package sends nothing.
package eval

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/cdp"
)

// Plain decodes JSON from the page. It returns nil for empty data.
func Plain(data json.RawMessage) (any, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var v any
	err := Decode(data, &v)
	return v, err
}

// Decode decodes JSON from the page engine. If data does not fit the type of into, the error is
// INTERNAL.
func Decode(data json.RawMessage, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return diag.New(diag.Internal, "reading the page failed: %v", err).
			WithHint("report this as a bug, with the page")
	}
	return nil
}

// Value returns the result as plain data. A value that JSON cannot represent becomes the text that
// JavaScript prints for it; undefined becomes nil.
func (r *Evaluated) Value() (any, error) {
	if r.Result.UnserializableValue != "" {
		return r.Result.UnserializableValue, nil
	}
	return Plain(r.Result.Value)
}

// place returns the line and the column of the script at which t was thrown, counted from 1. For a
// syntax error, that is where the parser stopped. ok is false if the position is unknown.
func (t *Thrown) place() (line, column int, ok bool) {
	line, column = t.Line+1, t.Column+1
	if m := framePlace().FindStringSubmatch(t.Exception.Description); m != nil {
		line, _ = strconv.Atoi(m[1]) // the pattern matches digits only
		column, _ = strconv.Atoi(m[2])
	} else if !strings.HasPrefix(t.message(), "SyntaxError") {
		return 0, 0, false
	}
	line -= linesBefore
	return line, column, line >= 1
}

// Truthy reports whether the value is truthy in JavaScript.
func (r *Evaluated) Truthy() bool {
	switch r.Result.Type {
	case "undefined":
		return false
	case "object", "function", "symbol":
		return string(r.Result.Value) != "null"
	}
	switch r.Result.UnserializableValue {
	case "NaN", "-0", "0n":
		return false
	case "":
		switch string(r.Result.Value) {
		case "", "null", "false", "0", `""`:
			return false
		}
	}
	return true
}

// CallFunction is Runtime.callFunctionOn with the parameters that we use. Unlike the number of a
// context, its unique id is never used for another document.
type CallFunction struct {
	FunctionDeclaration string     `json:"functionDeclaration"`
	Arguments           []Argument `json:"arguments,omitempty"`
	UniqueContextID     string     `json:"uniqueContextId"`
	ReturnByValue       bool       `json:"returnByValue"`
	AwaitPromise        bool       `json:"awaitPromise"`
	UserGesture         bool       `json:"userGesture,omitempty"`
	ObjectGroup         string     `json:"objectGroup,omitempty"`
}

func (CallFunction) ProtoReq() string { return "Runtime.callFunctionOn" }

// An Argument is a value that a function is called with.
type Argument struct {
	Value any `json:"value"`
}

// Args returns the arguments for values, in order.
func Args(values ...any) []Argument {
	args := make([]Argument, len(values))
	for i, v := range values {
		args[i] = Argument{v}
	}
	return args
}

// Evaluated is the answer to a [CallFunction].
type Evaluated struct {
	Result struct {
		ObjectID            string          `json:"objectId"`
		Type                string          `json:"type"`
		Value               json.RawMessage `json:"value"`
		UnserializableValue string          `json:"unserializableValue"`
		Description         string          `json:"description"`
	} `json:"result"`
	ExceptionDetails *Thrown `json:"exceptionDetails"`
}

// EvaluatedText is like [Evaluated], for a value that must be text.
type EvaluatedText struct {
	Result struct {
		Value string `json:"value"`
	} `json:"result"`
	ExceptionDetails *Thrown `json:"exceptionDetails"`
}

// Thrown is an exception of a script. Line and Column count from 0.
type Thrown struct {
	Text      string `json:"text"`
	Line      int    `json:"lineNumber"`
	Column    int    `json:"columnNumber"`
	Exception struct {
		Description string          `json:"description"`
		Value       json.RawMessage `json:"value"`
	} `json:"exception"`
}

// TooLarge is the message of the exception for a value that is too large to be sent.
const TooLarge = "action:value-too-large"

// OrDecode decodes the result of a function into out. If t is not nil, OrDecode returns the error
// for t instead.
func (t *Thrown) OrDecode(value []byte, out any) error {
	if err := t.tooLarge(); err != nil {
		return err
	}
	if t != nil {
		return diag.New(diag.Internal, "reading the page failed: %s", t.message()).
			WithHint("report this as a bug, with the page")
	}
	if out == nil || len(value) == 0 {
		return nil
	}
	return Decode(value, out)
}

// tooLarge returns the error for a value that the page has refused to send, or nil.
func (t *Thrown) tooLarge() error {
	if t == nil || !strings.Contains(t.message(), TooLarge) {
		return nil
	}
	return diag.New(diag.LimitExceeded, "the value from the page is too large: more than %d bytes", expr.MaxValueBytes).
		WithHint("read less at a time: narrow the selector, set a limit, or return only what is needed")
}

func (t *Thrown) message() string {
	switch {
	case t.Exception.Description != "":
		return cdp.FirstLine(t.Exception.Description)
	case len(t.Exception.Value) > 0:
		return string(t.Exception.Value)
	}
	return t.Text
}
