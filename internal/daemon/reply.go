package daemon

// The encoding of replies.

import (
	"bytes"
	"encoding/json"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// coded returns err as an error with a code, which is INTERNAL if err has none. It returns nil for
// nil.
func coded(err error) *diag.Error {
	if err == nil {
		return nil
	}
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.Internal, "%v", err).WithHint("report this as a bug").Because(err)
}

// encode returns v as one line of JSON, with its line break.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// encodeReply encodes a reply. The fields of an executor.Result become fields of the reply.
func encodeReply(id json.RawMessage, data any, why *diag.Error) ([]byte, error) {
	if result, ok := data.(*executor.Result); ok && why == nil {
		return encode(struct {
			ID json.RawMessage `json:"id"`
			*executor.Result
		}{id, result})
	}
	if why != nil {
		data = nil
	}
	return encode(struct {
		ID      json.RawMessage `json:"id"`
		Success bool            `json:"success"`
		Data    any             `json:"data,omitempty"`
		Error   *diag.Error     `json:"error,omitempty"`
	}{id, why == nil, data, why})
}

// nonNil returns list, or an empty list instead of nil, so that its JSON is an array.
func nonNil[S ~[]T, T any](s S) S {
	if s == nil {
		return S{}
	}
	return s
}
