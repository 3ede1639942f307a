package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/internal/testkit"
)

// A load sends many requests at a time over several sessions.
type load struct {
	*server
	requests, sessions int
}

// TestManyRequests sends 1,000 requests at a time over 24 sessions: first runs, over HTTP and over the
// socket; then a mixture of reads, runs, steps, streams that are cut, results for later, and clients
// that give up. Each must get its own answer, and nothing may be left of them.
func TestManyRequests(t *testing.T) {
	requests, sessions := 1000, 24
	if !testkit.Full() {
		requests, sessions = 200, 4
	}
	files, children := openFiles(), childProcesses()
	t.Cleanup(func() { // runs after the server has ended
		testkit.Eventually(t, "the server leaves no file and no process", func() bool {
			runtime.GC() // closes what only finalizers close
			return openFiles() <= files && childProcesses() <= children
		})
	})
	var socket string
	l := &load{start(t, waiting, func(o *serveOptions) { socket = o.Socket }), requests, sessions}
	l.client.Transport.(*http.Transport).MaxIdleConnsPerHost = 100
	l.each(t, "the first runs", sessions, func(i int) error { return l.run(t, i) }) // starts the browsers
	browsers := childProcesses()
	l.each(t, "runs over HTTP", requests, func(i int) error { return l.run(t, i) })
	l.socketRuns(t, socket)
	l.client.CloseIdleConnections()
	goroutines := runtime.NumGoroutine()
	l.each(t, "the mixture", requests, func(i int) error { return l.mixed(t, i) })
	l.client.CloseIdleConnections()

	// Every run has ended, also those whose client has gone, and no session has a call.
	testkit.Eventually(t, "all runs and calls end", func() bool {
		a := l.do("GET", "/api/v1/browser/session", "").must(200)
		return metric(t, l.do("GET", "/metrics", "").must(200).text, `action_http_runs{state="running"}`) == 0 && !strings.Contains(a.text, `"state":"busy"`)
	})
	if a := l.do("GET", "/api/v1/browser/session", "").must(200); strings.Count(a.text, `"state":"idle"`) != sessions {
		t.Errorf("the sessions are %s, want %d that are idle", a.text, sessions)
	}
	if n := childProcesses(); n != browsers {
		t.Errorf("%d processes, want the %d of before", n, browsers)
	}
	l.client.CloseIdleConnections()
	testkit.Eventually(t, "the requests leave no goroutine", func() bool { return runtime.NumGoroutine() <= goroutines+slack })
}

// slack is how many goroutines more may be left than before, because the server has connected to the
// daemon once more: each of the two ends of a connection has some.
const slack = 50

// each calls do n times at once, and logs how long the calls took.
func (l *load) each(t *testing.T, what string, n int, do func(i int) error) {
	t.Helper()
	took := make([]time.Duration, n)
	var all sync.WaitGroup
	began := time.Now()
	for i := range n {
		all.Go(func() {
			at := time.Now()
			if err := do(i); err != nil {
				t.Errorf("%s, request %d: %v", what, i, err)
			}
			took[i] = time.Since(at)
		})
	}
	all.Wait()
	whole := time.Since(began)
	slices.Sort(took)
	t.Logf("%s: %d in %s, p50 %s, p99 %s", what, n, whole.Round(time.Millisecond), took[n/2].Round(time.Microsecond), took[n*99/100].Round(time.Microsecond))
}

// try sends a request again until no queue is full. It returns the answer, whose body the caller
// closes.
func (l *load) try(ctx context.Context, method, path, body string, headers ...string) (*http.Response, error) {
	for {
		req, err := http.NewRequestWithContext(ctx, method, l.url+path, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+l.token)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			req.Header.Set(name, value)
		}
		res, err := l.client.Do(req)
		if err != nil || res.StatusCode != http.StatusTooManyRequests {
			return res, err
		}
		res.Body.Close()
		time.Sleep(time.Duration(50+rand.IntN(100)) * time.Millisecond)
	}
}

// want sends a request whose answer must have this status and contain this text.
func (l *load) want(t *testing.T, status int, part, method, path, body string, headers ...string) (*http.Response, error) {
	res, err := l.try(t.Context(), method, path, body, headers...)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status || !bytes.Contains(text, []byte(part)) {
		return nil, fmt.Errorf("%s %s: got %d %.500s, %w; want %d with %s", method, path, res.StatusCode, text, err, status, part)
	}
	return res, nil
}

func (l *load) session(i int) string { return "s" + strconv.Itoa(i%l.sessions) }

// run runs an action that answers with the number of the request.
func (l *load) run(t *testing.T, i int) error {
	_, err := l.want(t, 200, fmt.Sprintf(`"data":{"name":"n%d"}`, i), "POST", "/api/v1/actions/test/value/require?session="+l.session(i), fmt.Sprintf(`{"name":"n%d"}`, i))
	return err
}

// socketRuns sends the same runs over the socket, with one connection for each session.
func (l *load) socketRuns(t *testing.T, socket string) {
	t.Helper()
	conns := make([]*client.Client, l.sessions)
	for i := range conns {
		var err error
		if conns[i], err = client.Dial(t.Context(), socket); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Close()
	}
	l.each(t, "runs over the socket", l.requests, func(i int) error {
		name := fmt.Sprintf("n%d", i)
		reply, err := conns[i%l.sessions].Call(t.Context(), &wire.RunRequest{
			ActionCall: wire.ActionCall{Action: "test:value:require", Params: map[string]any{"name": name}}, RunOptions: wire.RunOptions{Session: l.session(i)},
		})
		if err != nil || !bytes.Contains(reply.Line, []byte(`"data":{"name":"`+name+`"}`)) {
			return fmt.Errorf("got %+v, %w", reply, err)
		}
		return nil
	})
}

// mixed sends the i-th request of the mixture.
func (l *load) mixed(t *testing.T, i int) error {
	name, pass := fmt.Sprintf("m%d", i), "/api/v1/actions/test/time/pass?session="+l.session(i)
	switch i % 10 {
	case 0:
		_, err := l.want(t, 200, `"`+name+`"`, "POST", "/api/v1/actions/test/value/require/dry-run", `{"name":"`+name+`"}`)
		return err
	case 1:
		_, err := l.want(t, 404, `test:value:`+name, "GET", "/api/v1/actions/test/value/"+name, "")
		return err
	case 2:
		_, err := l.want(t, 200, `{"id":"`+l.session(i)+`"`, "GET", "/api/v1/browser/session/"+l.session(i), "")
		return err
	case 3:
		_, err := l.want(t, 200, `"`+name+`"`, "POST", "/api/v1/browser/session/"+l.session(i)+"/steps/eval", `{"script":"return t","args":{"t":"`+name+`"}}`)
		return err
	case 4:
		return l.later(t, i, name)
	case 5:
		return l.cut(t, pass)
	case 6:
		return l.streamed(t, i, name)
	case 7: // the client gives up, and its run with it
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rand.IntN(200))*time.Millisecond)
		defer cancel()
		res, err := l.try(ctx, "POST", pass, `{"ms":600000}`)
		if err == nil {
			res.Body.Close()
			return fmt.Errorf("a run of ten minutes is answered with %d", res.StatusCode)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		return nil
	}
	return l.run(t, i)
}

// later begins a run, follows its events to their end, and reads its result.
func (l *load) later(t *testing.T, i int, name string) error {
	res, err := l.want(t, 202, `"session":"`+l.session(i)+`"`, "POST", "/api/v1/actions/test/value/require?session="+l.session(i), `{"name":"`+name+`"}`, "Prefer: respond-async")
	if err != nil {
		return err
	}
	where := res.Header.Get("Location")
	if _, err := l.want(t, 200, `"data":{"name":"`+name+`"}`, "GET", where+"/events", ""); err != nil {
		return err
	}
	_, err = l.want(t, 200, `"data":{"name":"`+name+`"}`, "GET", where, "")
	return err
}

// cut disconnects from a stream at its first line. The run goes on to its end.
func (l *load) cut(t *testing.T, path string) error {
	res, err := l.try(t.Context(), "POST", path, `{"ms":5}`, "Accept: text/event-stream")
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(res.Body).ReadString('\n')
	res.Body.Close()
	where := res.Header.Get("Location")
	if err != nil || !strings.HasPrefix(line, ": run ") || where == "" {
		return fmt.Errorf("the stream begins with %d %q, %w", res.StatusCode, line, err)
	}
	_, err = l.want(t, 200, `"waited":5`, "GET", where+"/events", "")
	return err
}

// streamed reads a stream whose last event has the result.
func (l *load) streamed(t *testing.T, i int, name string) error {
	path := "/api/v1/actions/test/value/require?session=" + l.session(i)
	_, err := l.want(t, 200, "event: result\ndata: {\"id\":\"run_", "POST", path, `{"name":"`+name+`"}`, "Accept: text/event-stream")
	return err
}

// openFiles returns the number of file descriptors of this process; 0 where /proc is missing.
func openFiles() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// childProcesses returns the number of processes that this one has started and that are left; 0 where
// /proc is missing.
func childProcesses() (n int) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range lists {
		text, _ := os.ReadFile(file)
		n += len(strings.Fields(string(text)))
	}
	return n
}

func metric(t *testing.T, text, name string) (value float64) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			if err := json.Unmarshal([]byte(rest), &value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return value
}

// TestNoDaemon checks the answers without a daemon. They show no files of this machine.
func TestNoDaemon(t *testing.T) {
	faults := []error{errors.New("no such file /secret/path"), wire.NoDaemon("/secret/socket", nil)}
	s := start(t, "", func(o *serveOptions) {
		connect := o.Connect
		o.Connect = func(ctx context.Context) (serve.Conn, error) {
			if len(faults) > 0 {
				err := faults[0]
				faults = faults[1:]
				return nil, err
			}
			return connect(ctx)
		}
	})
	for _, want := range []struct {
		status int
		code   string
	}{{500, "INTERNAL"}, {503, "BROWSER_UNAVAILABLE"}} {
		if a := s.do("GET", "/api/v1/actions", "").mustFail(want.status, want.code); strings.Contains(a.text, "secret") {
			t.Errorf("the answer shows internals: %s", a.text)
		}
	}
	s.do("GET", "/api/v1/actions", "").must(200)
}
