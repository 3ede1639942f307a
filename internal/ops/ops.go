// Package ops is the table of operations, which clients can request over every surface. An entry
// has the structs of its request and of its result, docs, who may request it, its path over HTTP,
// and the function that performs it. The socket, HTTP, the Model Context Protocol and the reference
// pages are derived from the table.
//
// The package opens no connection and keeps no state: package daemon serves the table on the socket.
// The messages that the client sends itself are in internal/daemon/wire.
//
// Files, bottom to top: docs, fields, check, result, status, ops, call, actions, sessions, handoff,
// approvals, server, table, request, ask, page.
package ops

import (
	"context"
	"fmt"
	"reflect"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A Scope is the permission that a caller needs for an operation. Admin includes Run, and Run
// includes Read.
type Scope string

const (
	Read  Scope = "read"  // see definitions and sessions
	Run   Scope = "run"   // act in browsers
	Admin Scope = "admin" // manage the server, and reach files of its machine by name
)

// Allows reports whether a caller with the scope s may request an operation. The argument "need" is
// the scope of the operation.
func (s Scope) Allows(need Scope) bool { return s.level() >= need.level() }

// level returns the rank of a scope. An unknown scope has the rank 0.
func (s Scope) level() int {
	switch s {
	case Read:
		return 1
	case Run:
		return 2
	case Admin:
		return 3
	}
	return 0
}

// A Class says how a server schedules a request.
type Class uint8

const (
	Queued  Class = iota // counted in the limits of pending requests
	Control              // exempt from those limits, so that it is answered even while other requests hang
	Instant              // a control operation that never waits: the goroutine that reads the request performs it
)

// A Route is the method and the path of an operation over HTTP. The zero value means that the
// operation is not available over HTTP.
type Route struct {
	Method string
	// Path is a pattern of net/http. A wildcard has the name of a field of the request, such as
	// {approval}. There are two exceptions. {ns}, {component} and {verb} are the parts of the name
	// of an action. {id} is the name of a session.
	Path string
	// Query is PARAMETER=FIELD, such as "q=query". It names a query parameter, and the field of the
	// request that it sets. "" means none.
	Query string
}

// An Operation is one entry of the table. It is made by [Define].
type Operation struct {
	Name    string // on the socket, such as action.run
	Doc     string // one sentence
	More    string // more sentences, in Markdown; may be ""
	Scope   Scope
	Class   Class
	Effects bool     // whether it may change a page or a session; without a reply, a client cannot know whether it has
	Events  []string // names of the events that may precede the reply
	HTTP    Route    // zero: only over the socket
	// Status lists the HTTP statuses of errors that differ from those of [StatusOf].
	Status map[diag.Code]int
	Fields []Field // of the request, besides id and type
	Result []Value // fields of the result
	// Whole is set if the fields of the result are in the reply itself, not in its data.
	Whole bool

	request reflect.Type
	result  reflect.Type
	session []int // index of the field with the name of the session; nil if there is none
	run     func(ctx context.Context, c *Call, m wire.Message) (any, error)
}

// Define returns an operation with the properties of o. Q is the struct of its requests, and R is
// the type of its result. The caller must not set Name, Fields and Result, which are derived from Q
// and R. Define panics if o or Q is invalid.
func Define[Q, R any, P interface {
	*Q
	wire.Message
}](o Operation, run func(ctx context.Context, c *Call, m P) (R, error)) *Operation {
	o.Name = P(new(Q)).Type()
	o.request, o.result = reflect.TypeFor[Q](), reflect.TypeFor[R]()
	if o.Name == "" || o.Doc == "" || o.Scope.level() == 0 || o.Fields != nil || o.Result != nil {
		panic(fmt.Sprintf("ops: invalid entry of %s: it needs a type, a doc and a scope, and structs for the rest", o.request))
	}
	o.Fields = fieldsOf(o.request)
	o.Result = valuesOf(o.result)
	if f, ok := o.request.FieldByName("Session"); ok {
		o.session = f.Index
	}
	o.run = func(ctx context.Context, c *Call, m wire.Message) (any, error) {
		result, err := run(ctx, c, m.(P))
		if err != nil {
			return nil, err // an untyped nil, not a nil R
		}
		return result, nil
	}
	return &o
}

// New returns an empty request.
func (o *Operation) New() wire.Message { return reflect.New(o.request).Interface().(wire.Message) }

// ResultType returns the type of the result. If the result has several shapes, the type implements
// [Shaped].
func (o *Operation) ResultType() reflect.Type { return o.result }

// RequestType returns the type of the struct of a request.
func (o *Operation) RequestType() reflect.Type { return o.request }

// Control reports whether the operation is performed even when too many requests are pending.
func (o *Operation) Control() bool { return o.Class != Queued }

// SessionOf returns the name of the session in a request of o. It returns "" if the request has
// none.
func (o *Operation) SessionOf(m wire.Message) string {
	if o.session == nil {
		return ""
	}
	return reflect.ValueOf(m).Elem().FieldByIndex(o.session).String()
}

// Perform performs a request of o, and returns the result. If a run fails, its error is in the
// result.
func (o *Operation) Perform(ctx context.Context, c *Call, m wire.Message) (any, error) {
	return o.run(ctx, c, m)
}
