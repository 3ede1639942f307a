package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// sessionCmd is about the daemon's sessions: each is a browser of its own, with
// its cookies and its page.
type sessionCmd struct {
	Open  sessionOpenCmd  `cmd:"" help:"Open a session with options."`
	List  sessionListCmd  `cmd:"" help:"List the sessions and what runs in them."`
	Close sessionCloseCmd `cmd:"" help:"End a session; what runs in it is cancelled."`
}

type sessionOpenCmd struct {
	Name              string       `arg:"" optional:"" help:"Name; without it that of --session, or default."`
	Viewport          viewportFlag `help:"Size of the page in CSS pixels." placeholder:"WIDTHxHEIGHT"`
	UserAgent         string       `help:"What the browser calls itself." placeholder:"TEXT"`
	Locale            string       `help:"Language of pages, such as de-DE." placeholder:"TAG"`
	IgnoreHTTPSErrors bool         `name:"ignore-https-errors" help:"Accept certificates that are not valid."`
	Profile           string       `help:"Use and keep the cookies and storage of this folder." placeholder:"FOLDER"`
	Proxy             string       `help:"Proxy of all requests: host:port or a URL." placeholder:"ADDRESS"`
	JavaScript        *bool        `name:"javascript" help:"Run the scripts of pages." negatable:""`
}

// Run opens a session.
func (c *sessionOpenCmd) Run(ctx context.Context, a *app) error {
	o := &wire.SessionOptions{UserAgent: c.UserAgent, Locale: c.Locale, Profile: c.Profile, Proxy: c.Proxy, CDP: a.globals.CDP, JavaScript: c.JavaScript}
	if c.Viewport != (viewportFlag{}) {
		v := wire.Viewport(c.Viewport)
		o.Viewport = &v
	}
	if a.globals.Headed {
		o.Headed = &a.globals.Headed
	}
	if c.IgnoreHTTPSErrors {
		o.IgnoreHTTPSErrors = &c.IgnoreHTTPSErrors
	}
	daemon, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer daemon.Close()
	reply, err := daemon.Call(ctx, &wire.SessionOpenRequest{Session: cmp.Or(c.Name, a.session()), Options: o, Location: a.location()})
	if err != nil {
		return a.interrupted(ctx, err)
	}
	var info wire.Session
	if err := reply.Decode(&info); err != nil {
		return err
	}
	if a.json {
		a.writeJSON(info)
		return nil
	}
	a.showSessions([]wire.Session{info})
	return nil
}

type sessionListCmd struct{}

// Run lists the sessions. Without a daemon there are none.
func (*sessionListCmd) Run(ctx context.Context, a *app) error {
	list := struct {
		Sessions []wire.Session `json:"sessions"`
	}{Sessions: []wire.Session{}}
	daemon, err := a.dial(ctx)
	if err != nil {
		return err
	}
	if daemon != nil {
		defer daemon.Close()
		reply, err := daemon.Call(ctx, &wire.SessionListRequest{})
		if err != nil {
			return err
		}
		if err := reply.Decode(&list); err != nil {
			return err
		}
	}
	if a.json {
		a.writeJSON(list)
		return nil
	}
	a.showSessions(list.Sessions)
	return nil
}

type sessionCloseCmd struct {
	Name string `arg:"" optional:"" help:"Name; without it that of --session, or default."`
	All  bool   `help:"End all sessions."`
}

// Run ends one session, or all. It returns when their browsers have ended.
func (c *sessionCloseCmd) Run(ctx context.Context, a *app) error {
	name := cmp.Or(c.Name, a.session(), session.DefaultName)
	if c.All && c.Name != "" {
		return diag.New(diag.InvalidRequest, "--all and the name %s were given", c.Name).WithHint("give one of the two")
	}
	daemon, err := a.dial(ctx)
	if err != nil {
		return err
	}
	closed := []string{}
	if daemon == nil && !c.All {
		return diag.New(diag.InvalidRequest, "there is no session %q: no daemon runs", name).WithHint("nothing is left to close")
	}
	if daemon != nil {
		defer daemon.Close()
		names := []string{name}
		if c.All {
			status, err := daemon.Status(ctx)
			if err != nil {
				return err
			}
			names = nil
			for _, s := range status.Sessions {
				names = append(names, s.Name)
			}
		}
		for _, name := range names {
			if _, err := daemon.Call(ctx, &wire.SessionCloseRequest{Session: name}); err != nil {
				return a.interrupted(ctx, err)
			}
			closed = append(closed, name)
		}
	}
	if a.json {
		a.writeJSON(map[string]any{"closed": closed})
		return nil
	}
	for _, name := range closed {
		fmt.Fprintf(a.stdout, "closed %s\n", diag.Clean(name))
	}
	return nil
}

// showSessions prints one line for each.
func (a *app) showSessions(list []wire.Session) {
	rows := make([][]string, len(list))
	for i, s := range list {
		what := ""
		if r := s.Running; r != nil && s.State == session.StateRunning {
			what = fmt.Sprintf("%s for %s", cmp.Or(r.Action, r.Step), a.now().Sub(r.Since).Round(100*time.Millisecond))
		}
		if s.Queued > 0 {
			what += fmt.Sprintf(", %d waiting", s.Queued)
		}
		where := cmp.Or(s.Tab, "-")
		if s.Tabs > 1 {
			where += fmt.Sprintf(" of %d", s.Tabs)
		}
		if s.Windows > 1 {
			where += fmt.Sprintf(" in %d windows", s.Windows)
		}
		rows[i] = []string{s.Name, s.State, cmp.Or(s.URL, "-"), where, what}
		if s.Lost != "" {
			rows[i][4] = strings.TrimSpace(what + " " + s.Lost)
		}
	}
	table(a.stdout, rows)
}

// viewportFlag is a size like 1280x720.
type viewportFlag wire.Viewport

// UnmarshalText parses the flag's value.
func (v *viewportFlag) UnmarshalText(text []byte) error {
	width, height, ok := strings.Cut(string(text), "x")
	w, errW := strconv.Atoi(width)
	h, errH := strconv.Atoi(height)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 {
		return fmt.Errorf("%sexpected a size such as 1280x720", foundNumber(string(text)))
	}
	*v = viewportFlag{Width: w, Height: h}
	return nil
}
