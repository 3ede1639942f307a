package testkit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"
)

// A Peer answers a call of the DevTools protocol with a result. If refusal is not empty, it answers
// with an error that has this message.
type Peer func(session, method string, params json.RawMessage) (result any, refusal string)

// Pipes starts a fake browser whose answers come from peer. The test writes calls to out and reads
// the answers from in. It must close out: the cleanup of the test waits for the end of the fake
// browser.
func Pipes(t testing.TB, peer Peer) (in io.Reader, out *os.File) {
	t.Helper()
	theirs, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, replies, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		defer replies.Close()
		defer theirs.Close()
		for r := bufio.NewReader(theirs); ; {
			text, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			if _, err := replies.Write(answer(peer, bytes.TrimSuffix(text, []byte{0}))); err != nil {
				return
			}
		}
	}()
	return in, out
}

// answer returns the answer to a call, terminated by a zero byte.
func answer(peer Peer, text []byte) []byte {
	var call struct {
		ID      int             `json:"id"`
		Session string          `json:"sessionId"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	reply := make(map[string]any)
	if err := json.Unmarshal(text, &call); err != nil {
		reply["error"] = map[string]any{"code": -32700, "message": err.Error()}
	} else if result, refusal := peer(call.Session, call.Method, call.Params); refusal != "" {
		reply["error"] = map[string]any{"code": -32000, "message": refusal}
	} else {
		reply["result"] = result
	}
	reply["id"] = call.ID
	data, err := json.Marshal(reply)
	if err != nil {
		panic(err) // the test returned a result that is not JSON
	}
	return append(data, 0)
}
