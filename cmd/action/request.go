package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// The ids of the requests that the client sends.
const (
	running = iota + 1
	greeting
	cancelling
	answering
)

// A message is one line from the daemon. It is an event if Event is set, otherwise an answer.
type message struct {
	wire.Reply
	Event string `json:"event"`
}

// A line is the result of reading one line from the daemon.
type line struct {
	message
	err error
}

// An exchange is one request to the user's daemon, and its answer.
type exchange struct {
	nc       *net.UnixConn
	peer     endpoint.Peer
	patience endpoint.Patience
	heard    time.Time // when the daemon last sent a message or was known to be running
	greeted  time.Time // when the greeting that is unanswered was sent; zero if there is none
	held     string    // with --json, the output so far: it is printed as a whole or not at all
	asJSON   bool      // whether the command line contains --json
	printed  error     // why some output could not be printed
	prompt   *prompt   // the approval that is shown; nil if there is none
	answers  chan answer
}

// request makes the daemon run a command line, and prints the output. If no daemon is running, the
// error is from wire.NoDaemon, and the command has not run. After any other error, it may have run.
// If Engine or Missing of the output is set, it has not run either.
func request(ctx context.Context, req *wire.CommandRequest, words []string) (*wire.Output, error) {
	began := time.Now()
	nc, peer, err := endpoint.Dial(ctx, endpoint.Path(nil))
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	x := &exchange{nc: nc, peer: peer, patience: endpoint.Patience{Began: began, Limit: endpoint.Limit(words)}, heard: time.Now(),
		asJSON: wire.HasSwitch(words, "json"), answers: make(chan answer, 1)}
	if err := x.send(running, req); err != nil {
		return nil, x.unsent(err)
	}
	ended := make(chan struct{})
	defer close(ended)
	lines := make(chan line)
	go x.read(lines, ended)
	return x.await(ctx, lines)
}

// send writes a request. It returns an error if the daemon does not accept the request in time.
func (x *exchange) send(id int, m wire.Message) error {
	data, err := json.Marshal(wire.Request{ID: json.RawMessage(strconv.Itoa(id)), Body: m})
	if err != nil {
		return diag.New(diag.InvalidRequest, "the command line cannot be sent: %v", err).WithHint("write the command line in UTF-8").Because(err)
	}
	if len(data) > wire.MaxLineBytes {
		return diag.New(diag.InvalidRequest, "found a command line of %d bytes, expected at most %d", len(data), wire.MaxLineBytes).
			WithHint("pass the name of a file instead of its content")
	}
	now := time.Now()
	if err := x.nc.SetWriteDeadline(now.Add(x.patience.Answer(now))); err != nil {
		return err
	}
	_, err = x.nc.Write(append(data, '\n'))
	return err
}

// unsent returns the error for a request that could not be written.
func (x *exchange) unsent(err error) error {
	switch {
	case diag.As(err) != nil:
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return x.silent()
	}
	return wire.NoDaemon(endpoint.Path(nil), err) // the daemon exited before it read the whole request
}

// read forwards lines from the daemon until ended is closed or an error occurs.
func (x *exchange) read(lines chan<- line, ended <-chan struct{}) {
	for r := wire.NewLineReader(x.nc, 0); ; {
		var l line
		data, err := r.Next()
		if l.err = err; err == nil {
			if err := json.Unmarshal(data, &l.message); err != nil && r.Cut() {
				l.err = io.ErrUnexpectedEOF // the daemon has ended while it wrote
			} else if err != nil {
				l.err = wire.BadPeer(err)
			}
		}
		select {
		case lines <- l:
		case <-ended:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// await prints output until the answer arrives. When ctx ends, it asks the daemon to cancel the
// command.
func (x *exchange) await(ctx context.Context, lines <-chan line) (*wire.Output, error) {
	quiet := time.NewTimer(x.patience.Greet(time.Now()))
	defer quiet.Stop()
	interrupt := ctx.Done()
	var late <-chan time.Time // set by an interrupt
	for {
		select {
		case l := <-lines:
			if l.err != nil {
				return nil, x.broken(ctx, l.err)
			}
			if out, done, err := x.handle(&l.message); done {
				return out, err
			}
			now := time.Now()
			if l.Event == "" {
				x.heard, x.greeted = now, time.Time{}
			}
			quiet.Reset(x.patience.Greet(now))
		case a := <-x.answers:
			if err := x.send(answering, a.message()); err != nil {
				return nil, err
			}
		case <-interrupt:
			interrupt = nil
			timer := time.NewTimer(cancelTime)
			defer timer.Stop()
			late = timer.C
			target := json.RawMessage(strconv.Itoa(running))
			if err := x.send(cancelling, &wire.CancelRequest{Target: target}); err != nil {
				return nil, interrupted(err)
			}
		case <-late:
			return nil, interrupted(context.Cause(ctx))
		case now := <-quiet.C:
			if err := x.checkAlive(now); err != nil {
				return nil, err
			}
			quiet.Reset(min(x.patience.Greet(now), x.patience.Answer(now)))
		}
	}
}

// checkAlive greets a daemon that has been silent for a while. It returns an error if an earlier
// greeting was not answered in time.
func (x *exchange) checkAlive(now time.Time) error {
	if !x.greeted.IsZero() {
		if now.Sub(x.greeted) < x.patience.Answer(x.greeted) {
			return nil
		}
		return x.silent()
	}
	x.greeted = now
	if err := x.send(greeting, new(wire.HelloRequest)); errors.Is(err, os.ErrDeadlineExceeded) {
		return x.silent()
	}
	return nil // the reader reports that the daemon has exited
}

// handle handles one message. If the message ends the exchange, done is true and either out or err
// is set.
func (x *exchange) handle(m *message) (out *wire.Output, done bool, err error) {
	id := string(m.ID)
	switch {
	case id == strconv.Itoa(greeting), id == strconv.Itoa(cancelling):
		return nil, false, nil
	case id == strconv.Itoa(answering):
		if m.Error != nil { // the approval has ended otherwise, which the next event reports
			fmt.Fprintln(os.Stderr, m.Error.Msg)
		}
		return nil, false, nil
	case m.Error != nil: // with another id: the daemon rejected the connection
		return nil, true, m.Error
	case id != strconv.Itoa(running):
		return nil, true, wire.BadPeer(errNotAsked)
	}
	if x.aboutApproval(m) {
		return nil, false, nil
	}
	if m.Event != "" && m.Event != wire.EventOutput {
		return nil, false, nil
	}
	if m.Event != "" {
		out = new(wire.Output)
		err = m.Decode(out)
	} else {
		out, err = m.Output()
	}
	if err != nil {
		return nil, true, err
	}
	x.held += out.Stdout
	if m.Event == "" || !x.asJSON {
		_, err = io.WriteString(os.Stdout, x.held)
		x.held = ""
	}
	_, err2 := io.WriteString(os.Stderr, out.Stderr)
	x.printed = errors.Join(x.printed, err, err2)
	if m.Event != "" {
		return nil, false, nil
	}
	if x.printed != nil && out.Exit == 0 {
		out.Exit = diag.ExitFailed
	}
	return out, true, nil
}

var errNotAsked = errors.New("the daemon sent an answer that belongs to no request")

// broken returns the error for a connection that ended before the answer arrived.
func (x *exchange) broken(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return interrupted(err)
	case diag.As(err) != nil:
		return err
	case errors.Is(err, wire.ErrLineTooLong):
		return wire.BadPeer(err)
	case errors.Is(err, syscall.ECONNRESET) && x.greeted.IsZero():
		return wire.NoDaemon(endpoint.Path(nil), err) // the daemon had not read the request
	}
	return wire.UnknownOutcome(err)
}

func (x *exchange) silent() error { return wire.Silent(x.peer.PID, time.Since(x.heard)) }

func interrupted(err error) error {
	return diag.New(diag.Cancelled, "interrupted").WithHint("to see what the daemon is doing, run: action daemon status").Because(err)
}
