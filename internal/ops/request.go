package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A Request is a line from a client that has been parsed.
type Request struct {
	wire.Request            // Body is nil only after a failed [Parse]
	Op           *Operation // nil only after a failed [Parse]
	Bytes        int        // approximate memory of the request
}

// Session returns the name of the session in the request, or "".
func (r *Request) Session() string { return r.Op.SessionOf(r.Body) }

// Parse parses one line from a client. If the line is invalid, the error is INVALID_REQUEST, and
// only the ID of the result is valid. The ID is [wire.Null] if it could not be read. The messages
// of errors contain no values, because values may be secret.
func Parse(line []byte) (*Request, error) {
	head, err := wire.Parse(line)
	r := &Request{Request: wire.Request{ID: head.ID}, Bytes: head.Bytes}
	if err != nil {
		return r, err
	}
	o := Lookup(head.Type)
	if o == nil {
		return r, unknownType(head.Type)
	}
	if err := checkFields(o.Name, o.Fields, head.Fields); err != nil {
		return r, err
	}
	body, err := o.decode(line)
	if err != nil {
		return r, err
	}
	r.Op, r.Body = o, body
	return r, nil
}

func unknownType(name string) error {
	err := invalid("found the unknown type %q", wire.Short(name))
	if near := diag.DidYouMean(name, Names()); near != "" {
		return err.WithHint("%s", near)
	}
	return err.WithHint("the types are: %s", strings.Join(Names(), ", "))
}

// Decode checks and decodes the fields of a request of o. All its errors are INVALID_REQUEST.
func (o *Operation) Decode(fields map[string]json.RawMessage) (wire.Message, error) {
	if err := checkFields(o.Name, o.Fields, fields); err != nil {
		return nil, err
	}
	object, err := json.Marshal(fields)
	if err != nil {
		return nil, invalid("the request could not be read: %v", err).WithHint("%s", wire.Example)
	}
	return o.decode(object)
}

// decode decodes a request whose fields have been checked.
func (o *Operation) decode(object []byte) (wire.Message, error) {
	body := o.New()
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	err := dec.Decode(body)
	if given, ok := body.(interface{ Values() map[string]any }); ok && err == nil {
		_, err = expr.Numbers(given.Values())
		if err != nil {
			return nil, invalid("%v", err).WithHint("send the number as a text, in quotes")
		}
	}
	if err == nil {
		return body, nil
	}
	// The types of the fields have been checked, so this error can only be a number that is too large.
	var number *json.UnmarshalTypeError
	if errors.As(err, &number) {
		return nil, invalid("the number in the field %q is too large", number.Field).WithHint("send the number as a text, in quotes")
	}
	return nil, invalid("the request could not be read: %v", err).WithHint("%s", wire.Example)
}
