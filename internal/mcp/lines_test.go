package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A line that is no message is answered, and the next one is read.
func TestLinesThatAreNoMessages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		code       int // 0: no answer
	}{
		{"text", "Listening on port 80", jsonrpc.CodeParseError},
		{"half of JSON", `{"jsonrpc":"2.0",`, jsonrpc.CodeParseError},
		{"two messages", `{"jsonrpc":"2.0","method":"a"} {"jsonrpc":"2.0","method":"b"}`, jsonrpc.CodeParseError},
		{"another object", `{"a":1}`, jsonrpc.CodeInvalidRequest},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, jsonrpc.CodeInvalidRequest},
		{"a number", "7", jsonrpc.CodeInvalidRequest},
		{"null", "null", jsonrpc.CodeInvalidRequest},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, jsonrpc.CodeInvalidRequest},
		{"bytes", "\x00\xff\xfe", jsonrpc.CodeParseError},
		{"a long line", `"` + strings.Repeat("x", maxLine) + `"`, jsonrpc.CodeInvalidRequest},
		{"an empty line", "", 0},
		{"blanks and a carriage return", " \t\r", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s := newStream(strings.NewReader(test.line+"\n"+`{"jsonrpc":"2.0","id":"x","method":"ping"}`), &out, new(order))
			c, err := s.Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			m, err := c.Read(t.Context())
			r, ok := m.(*jsonrpc.Request)
			if err != nil || !ok || r.Method != "ping" {
				t.Fatalf("got %v, %v: want the message of the next line", m, err)
			}
			if err := c.Write(t.Context(), &jsonrpc.Response{ID: r.ID, Result: json.RawMessage("{}")}); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(t.Context()); !errors.Is(err, io.EOF) {
				t.Errorf("got %v at the end, want EOF", err)
			}
			var got struct {
				ID    any
				Error struct{ Code int }
			}
			if first, _, _ := strings.Cut(out.String(), "\n"); !strings.Contains(first, `"result"`) {
				if err := json.NewDecoder(&out).Decode(&got); err != nil {
					t.Fatalf("answer %q: %v", out.String(), err)
				}
			}
			if got.Error.Code != test.code || got.ID != nil {
				t.Errorf("got answer %q, want code %d", out.String(), test.code)
			}
		})
	}
}

// Closing a stream ends a Read that waits for input.
func TestStreamCloses(t *testing.T) {
	t.Parallel()
	in, w := io.Pipe()
	defer w.Close()
	s := newStream(in, io.Discard, new(order))
	c, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan error)
	go func() {
		_, err := c.Read(context.Background())
		read <- err
	}()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-read; !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want EOF", err)
	}
}
