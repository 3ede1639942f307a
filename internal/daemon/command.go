package daemon

import (
	"context"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// mostOutput is the maximum number of bytes of output in one line. In JSON, a byte of output may
// take six bytes.
const mostOutput = wire.MaxLineBytes / 8

// Commands runs command lines in the daemon, for clients that only print the output. Its method may
// be called concurrently.
type Commands interface {
	// Command runs the command line of a request. Output that is passed to show is sent
	// immediately. The result contains the remaining output. show may be called concurrently until
	// Command returns.
	Command(ctx context.Context, m *wire.CommandRequest, show func(stdout, stderr string)) *wire.Output
}

// command runs a command line. If the client names another engine, nothing runs, and the answer
// describes the engine of this daemon.
func (c *conn) command(ctx context.Context, m *wire.CommandRequest, event func(wire.Output)) (*wire.Output, error) {
	switch {
	case m.Engine != "" && m.Engine != c.s.o.Engine:
		hello := c.s.hello()
		return &wire.Output{Engine: &hello}, nil
	case c.s.o.Commands == nil:
		return nil, diag.New(diag.InvalidRequest, "found a request of type command, expected another type: this daemon runs no command lines").WithHint("send another type of request, such as action.run")
	}
	show := func(stdout, stderr string) { event(wire.Output{Stdout: stdout, Stderr: stderr}) }
	out := c.s.o.Commands.Command(ctx, m, show)
	for len(out.Stdout) > mostOutput {
		n := mostOutput
		for !utf8.RuneStart(out.Stdout[n]) {
			n--
		}
		show(out.Stdout[:n], "")
		out.Stdout = out.Stdout[n:]
	}
	return out, nil
}
