package client_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// TestRefusalIsTold checks that the client reports the error of a daemon that rejects the
// connection, whether the daemon closes it before or after the client has written.
func TestRefusalIsTold(t *testing.T) {
	path := environment(t)
	listen(t, path, func(nc net.Conn) {
		_, _ = nc.Write([]byte(`{"id":null,"success":false,"error":{"code":"LIMIT_EXCEEDED","message":"full"}}` + "\n"))
		_ = nc.Close()
	})
	for range 50 {
		c, err := client.Dial(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Hello(t.Context()); diag.CodeOf(err) != diag.LimitExceeded {
			t.Fatalf("Hello = %v, want LIMIT_EXCEEDED", err)
		}
		if err := c.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Fatal(err)
		}
	}
}

// TestContextEndsAWrite cancels a call to a daemon that reads only the first byte of the request.
func TestContextEndsAWrite(t *testing.T) {
	path := environment(t)
	begun, done := make(chan struct{}), make(chan struct{})
	listen(t, path, func(nc net.Conn) {
		_, _ = nc.Read(make([]byte, 1))
		close(begun)
		<-done
		_ = nc.Close()
	})
	defer close(done)
	c := dial(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := c.Call(ctx, &wire.RunRequest{ActionCall: wire.ActionCall{Action: strings.Repeat("x", 4<<20)}})
		answered <- err
	}()
	<-begun
	cancel()
	if err := <-answered; diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("Call = %v, want CANCELLED", err)
	}
	if _, err := c.Hello(t.Context()); diag.CodeOf(err) != diag.BrowserUnavailable {
		t.Errorf("Hello behind half a line = %v, want BROWSER_UNAVAILABLE", err)
	}
}
