package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
)

func TestPipeRead(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	tests := []struct {
		name, input string
		replies     []string
		events      []string
		err         error     // of the end
		code        diag.Code // or its code
	}{
		{"end", "", nil, nil, io.EOF, ""},
		{"cut", `{"id":1`, nil, nil, io.EOF, ""},
		{"reply", `{"id":1,"result":{}}` + "\x00", []string{`{"id":1,"result":{}}`}, nil, io.EOF, ""},
		{"events first", `{"method":"A.b","params":{}}` + "\x00" + `{"id":2}` + "\x00" + `{"method":"C.d","sessionId":"s"}` + "\x00",
			[]string{`{"id":2}`}, []string{"A.b ", "C.d s"}, io.EOF, ""},
		{"long", `{"id":3,"result":"` + long + `"}` + "\x00", []string{`{"id":3,"result":"` + long + `"}`}, nil, io.EOF, ""},
		{"neither", `{}` + "\x00", nil, nil, io.EOF, ""},
		{"no JSON", "hello\x00", nil, nil, nil, diag.BrowserUnavailable},
		{"an id that is none", `{"id":"x"}` + "\x00", nil, nil, nil, diag.BrowserUnavailable},
		{"an error that is none", `{"id":1,"error":5}` + "\x00", nil, nil, nil, diag.BrowserUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var replies, events []string
			p := newLink(newPipe(strings.NewReader(tt.input), nil), func(e *Event) { events = append(events, e.Method+" "+e.Session) })
			var err error
			for {
				var data []byte
				if data, err = p.Read(); err != nil {
					break
				}
				replies = append(replies, string(data))
			}
			if !slices.Equal(replies, tt.replies) || !slices.Equal(events, tt.events) {
				t.Errorf("replies %.200q, events %q, want %.200q, %q", replies, events, tt.replies, tt.events)
			}
			if tt.err != nil && !errors.Is(err, tt.err) || tt.code != "" && diag.CodeOf(err) != tt.code {
				t.Errorf("ended with %v, want %v %s", err, tt.err, tt.code)
			}
		})
	}
}

// fakeBrowser connects to a browser that answers what reply says; "" is silence.
func fakeBrowser(t *testing.T, reply func(id int) string) (*Conn, func()) {
	t.Helper()
	theirIn, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		p := newPipe(theirIn, nil)
		for id := 1; ; id++ {
			if _, err := p.read(); err != nil {
				return
			}
			if text := reply(id); text != "" {
				fmt.Fprint(theirOut, text, "\x00")
			}
		}
	}()
	c := newConn(newLink(newPipe(in, out), func(*Event) {}), nil)
	end := func() { theirOut.Close() }
	t.Cleanup(func() {
		end()
		c.Close()
		<-served
		theirIn.Close()
		in.Close()
	})
	return c, end
}

type badRequest struct{ C chan int }

func (badRequest) ProtoReq() string { return "Bad.request" }

func TestCalls(t *testing.T) {
	silent := func(int) string { return "" }
	t.Run("reply", func(t *testing.T) {
		c, _ := fakeBrowser(t, func(id int) string { return fmt.Sprintf(`{"id":%d,"result":{"product":"fake %[1]d"}}`, id) })
		for want := 1; want <= 3; want++ {
			var v proto.BrowserGetVersionResult
			if err := c.Do(t.Context(), "", proto.BrowserGetVersion{}, &v); err != nil || v.Product != fmt.Sprint("fake ", want) {
				t.Errorf("got %q, %v, want fake %d", v.Product, err, want)
			}
		}
	})
	t.Run("refusal", func(t *testing.T) {
		c, _ := fakeBrowser(t, func(id int) string { return fmt.Sprintf(`{"id":%d,"error":{"code":-32000,"message":"no"}}`, id) })
		var refused *rodcdp.Error
		if err := c.Do(t.Context(), "", proto.BrowserGetVersion{}, nil); !errors.As(err, &refused) || refused.Message != "no" {
			t.Errorf("got %v, want the browser's refusal", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		c, _ := fakeBrowser(t, silent)
		ctx, cancel := context.WithCancel(t.Context())
		k := c.Start(ctx, "s", proto.PageEnable{})
		cancel()
		if err := k.Wait(nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		if err := c.Do(ctx, "s", proto.PageEnable{}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a call in a cancelled context gave %v, want context.Canceled", err)
		}
	})
	t.Run("lost session", func(t *testing.T) {
		c, _ := fakeBrowser(t, silent)
		gone := errors.New("gone")
		mine, other := c.Start(t.Context(), "s", proto.PageEnable{}), c.Start(t.Context(), "t", proto.PageEnable{})
		c.Lose("s", gone)
		if err := mine.Wait(nil); !errors.Is(err, gone) {
			t.Errorf("got %v, want the cause", err)
		}
		if err := c.Do(t.Context(), "s", proto.PageEnable{}, nil); !errors.Is(err, gone) {
			t.Errorf("a later call gave %v, want the cause", err)
		}
		select {
		case <-other.Done():
			t.Errorf("the call of another session ended: %v", other.err)
		default:
		}
	})
	t.Run("end", func(t *testing.T) {
		c, end := fakeBrowser(t, silent)
		k := c.Start(t.Context(), "", proto.BrowserGetVersion{})
		end()
		if err := k.Wait(nil); !errors.Is(err, ErrClosed) && !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want the end of the connection", err)
		}
		<-c.Ended()
		if err := c.Do(t.Context(), "", proto.BrowserGetVersion{}, nil); !errors.Is(err, ErrClosed) {
			t.Errorf("a later call gave %v, want ErrClosed", err)
		}
	})
	t.Run("cannot be encoded", func(t *testing.T) {
		c, _ := fakeBrowser(t, silent)
		if err := c.Do(t.Context(), "", badRequest{}, nil); err == nil {
			t.Error("a request that is no JSON was sent")
		}
	})
}
