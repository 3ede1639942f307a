package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/wire"
)

type sessionOpenOptions struct {
	*factory
	Name              string // "" means --session, or default
	Viewport          wire.Viewport
	UserAgent         string
	Locale            string
	IgnoreHTTPSErrors bool
	Profile           string
	Proxy             string
	JavaScript        *bool // nil means the configured value
	IdleTimeout       time.Duration
	Target            string
}

func newSessionOpenCmd(f *factory, runF func(context.Context, *sessionOpenOptions) error) *cobra.Command {
	o := &sessionOpenOptions{factory: f}
	javascript := true
	cmd := &cobra.Command{
		Use:     "open",
		Short:   "Open a session with options",
		Example: "action session open phone --viewport 390x844\naction session open plain --no-javascript\naction session open night --timeout 2h\naction session open mine --cdp 9222 --target /orders",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Name = args[0]
			}
			if cmd.Flags().Changed("javascript") {
				o.JavaScript = &javascript
			}
			return call(cmd, o, runF, runSessionOpen)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var((*viewportValue)(&o.Viewport), "viewport", "Size of the page in CSS pixels.")
	addText(fs, &o.UserAgent, "user-agent", "TEXT", "User agent of the browser.")
	addText(fs, &o.Locale, "locale", "TAG", "Language of pages, such as de-DE.")
	addBool(fs, &o.IgnoreHTTPSErrors, "ignore-https-errors", "Accept invalid certificates.")
	addText(fs, &o.Profile, "profile", "FOLDER", "Keep cookies and storage in this folder.")
	addText(fs, &o.Proxy, "proxy", "ADDRESS", "Proxy for all requests: host:port or a URL.")
	fs.VarPF((*onValue)(&javascript), "javascript", "", "Run the scripts of pages.").NoOptDefVal = "true"
	fs.Var((*durationValue)(&o.IdleTimeout), "timeout", "End the session after this time without a call, such as 10m; default: limits.session_idle.")
	addText(fs, &o.Target, "target", "ID|URL", "With --cdp, begin with this tab: its id, or a part of its address. See: action session targets.")
	return f.takes(cmd, sessionName)
}

// runSessionOpen opens a session.
func runSessionOpen(ctx context.Context, o *sessionOpenOptions) error {
	options := &wire.SessionOptions{UserAgent: o.UserAgent, Locale: o.Locale, Profile: o.Profile, Proxy: o.Proxy, CDP: o.globals.CDP, Target: o.Target, JavaScript: o.JavaScript, IdleTimeout: wire.Duration(o.IdleTimeout)}
	if o.Viewport != (wire.Viewport{}) {
		options.Viewport = &o.Viewport
	}
	if o.globals.Headed {
		options.Headed = &o.globals.Headed
	}
	if o.IgnoreHTTPSErrors {
		options.IgnoreHTTPSErrors = &o.IgnoreHTTPSErrors
	}
	daemon, err := o.connect(ctx)
	if err != nil {
		return err
	}
	defer daemon.Close()
	reply, err := daemon.Call(ctx, &wire.SessionOpenRequest{Session: cmp.Or(o.Name, o.session()), Options: options, Location: o.location()})
	if err != nil {
		return o.interrupted(ctx, err)
	}
	var info wire.Session
	if err := reply.Decode(&info); err != nil {
		return err
	}
	if o.json {
		o.writeJSON(info)
		return nil
	}
	o.showSessions([]wire.Session{info})
	return nil
}

// A viewportValue is a size like 1280x720.
type viewportValue wire.Viewport

func (v *viewportValue) String() string { return fmt.Sprintf("%dx%d", v.Width, v.Height) }
func (v *viewportValue) Type() string   { return "WIDTHxHEIGHT" }
func (v *viewportValue) Set(text string) error {
	width, height, ok := strings.Cut(text, "x")
	w, errW := strconv.Atoi(width)
	h, errH := strconv.Atoi(height)
	if !ok || errW != nil || errH != nil || w < 1 || h < 1 {
		return fmt.Errorf("%sexpected a size such as 1280x720", foundNumber(text))
	}
	*v = viewportValue{Width: w, Height: h}
	return nil
}
