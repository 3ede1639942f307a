package main

// Approvals of a command that runs in this process, at its terminal.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/approvals"
)

// asking returns a context for a run in this process. The approvals of the run are shown to the
// user, who can answer them at the terminal if there is one. In the daemon, asking returns ctx,
// because the client shows the approvals.
func (f *factory) asking(ctx context.Context) context.Context {
	if f.remote != nil {
		return ctx
	}
	owner := new(int) // any unique pointer
	prompts := isTerminal(f.stderr) && stdinIsTerminal(f.stdin)
	var asked context.CancelFunc
	return approvals.WithCaller(ctx, approvals.Caller{
		Owner: owner,
		Asked: func(a approvals.Approval) {
			fmt.Fprintf(f.stderr, "approval required:\n%s", a.Text())
			if !prompts || !slices.Contains(a.Channels, approvals.ByTerminal) {
				fmt.Fprintf(f.stderr, "answer with: action approve %s, or: action deny %s\n", a.ID, a.ID)
				return
			}
			var waits context.Context
			waits, asked = context.WithCancel(ctx)
			go f.prompt(waits, a.ID, owner)
		},
		Answered: func(a approvals.Approval) {
			if asked != nil {
				asked()
			}
			if a.By == nil || a.By.Channel != approvals.ByTerminal {
				fmt.Fprintf(f.stderr, "the approval is %s\n", a.State)
			}
		},
	})
}

// prompt asks at the terminal for the answer to an approval. When ctx ends, it closes the terminal.
// On some systems the read continues until the process ends.
func (f *factory) prompt(ctx context.Context, id string, owner any) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY, 0)
	if err != nil {
		fmt.Fprintf(f.stderr, "answer with: action approve %s, or: action deny %s\n", id, id)
		return
	}
	defer context.AfterFunc(ctx, func() { _ = tty.Close() })()
	fmt.Fprint(f.stderr, "approve? [y/N] ")
	text, err := bufio.NewReader(io.LimitReader(tty, 1<<10)).ReadString('\n')
	if ctx.Err() != nil {
		return
	}
	text = strings.ToLower(strings.TrimSpace(text))
	_, err = f.manager().Approvals().Answer(id, approvals.Reply{
		Yes: err == nil && (text == "y" || text == "yes"), Channel: approvals.ByTerminal, UID: os.Geteuid(), From: owner,
	})
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(f.stderr, diag.Clean(err.Error()))
	}
}

func stdinIsTerminal(in io.Reader) bool {
	w, ok := in.(*os.File)
	return ok && isTerminal(w)
}
