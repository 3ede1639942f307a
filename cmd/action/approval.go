package main

// Approvals. The client prints the approval that its run waits for, and a person at the terminal
// may answer it.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// An answer is what a person has entered for an approval.
type answer struct {
	id  string
	yes bool
}

// message returns the request that sends the answer.
func (a answer) message() wire.Message {
	const channel = "terminal"
	if a.yes {
		return &wire.ApprovalApproveRequest{Approval: a.id, Channel: channel}
	}
	return &wire.ApprovalDenyRequest{Approval: a.id, Channel: channel}
}

// A prompt is an approval that the client shows while nobody has answered it.
type prompt struct {
	id  string
	tty *os.File // nil if nobody can answer here
}

// ask prints an approval. If a person is at the terminal, it also starts to read their answer, and
// sends it to the channel answers.
func ask(e *wire.ApprovalEvent, answers chan<- answer) *prompt {
	p := &prompt{id: e.ID}
	fmt.Fprintf(os.Stderr, "approval required:\n%s", e.Text)
	if e.Terminal {
		p.tty, _ = os.OpenFile("/dev/tty", os.O_RDONLY, 0)
	}
	if p.tty == nil {
		fmt.Fprintf(os.Stderr, "answer with: action approve %s, or: action deny %s\n", e.ID, e.ID)
		return p
	}
	fmt.Fprint(os.Stderr, "approve? [y/N] ")
	go func() {
		text, err := bufio.NewReader(io.LimitReader(p.tty, 1<<10)).ReadString('\n')
		if err != nil && err != io.EOF { // the terminal was closed, because the approval has ended
			return
		}
		text = strings.ToLower(strings.TrimSpace(text))
		answers <- answer{e.ID, err == nil && (text == "y" || text == "yes")}
	}()
	return p
}

// end closes the terminal of a prompt and prints the state of the approval. A pending read of the
// terminal may continue until the process ends.
func (p *prompt) end(e *wire.ApprovalEvent) {
	if p.tty != nil {
		_ = p.tty.Close()
		fmt.Fprintln(os.Stderr)
	}
	fmt.Fprintf(os.Stderr, "the approval is %s\n", e.State)
}

// aboutApproval handles an event about an approval. For all other messages it returns false.
func (x *exchange) aboutApproval(m *message) bool {
	if m.Event != wire.EventApproval && m.Event != wire.EventApprovalEnded {
		return false
	}
	e := new(wire.ApprovalEvent)
	if m.Error != nil || json.Unmarshal(m.Data, e) != nil {
		return true // not shown here; `action approvals` shows it
	}
	switch {
	case m.Event == wire.EventApproval:
		x.prompt = ask(e, x.answers)
	case x.prompt != nil && x.prompt.id == e.ID:
		x.prompt.end(e)
		x.prompt = nil
	}
	return true
}
