package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	httpserve "github.com/actionregistry/action/internal/serve"
	"github.com/actionregistry/action/loader"
)

// defaultListen is the address of the server.
const defaultListen = "127.0.0.1:7666"

// tokenWord is the last word of the command "action serve token".
const tokenWord = "token"

// tokenFile is the name of the file with the tokens, in the user's configuration folder.
const tokenFile = "serve-token.json"

type serveOptions struct {
	*factory
	Token   bool // whether to manage tokens instead of serving
	Listen  string
	Hosts   []string
	Origins []string
	Log     string
	Private bool // whether pages may reach private and local addresses

	Name, Scope, Revoke string // name and scope of a new token; name of a token to revoke
	List                bool
}

func newServeCmd(f *factory, runF func(context.Context, *serveOptions) error) *cobra.Command {
	o := &serveOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve actions and sessions over HTTP",
		Example: "action serve --listen 127.0.0.1:7666\naction serve token\naction serve token --name ci --scope run\naction serve token --revoke ci",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] != tokenWord {
				return diag.New(diag.InvalidRequest, "found an unknown argument of `action serve`, expected none or the word `token`").WithHint("%s", f.seeHelp(cmd))
			}
			o.Token = len(args) > 0
			return call(cmd, o, runF, runServe)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	addText(fs, &o.Listen, "listen", "ADDRESS", "Address to listen on; default: "+defaultListen+".")
	fs.Var((*listValue)(&o.Hosts), "host", "Name under which clients reach the server, besides localhost. May be repeated.")
	fs.Var((*listValue)(&o.Origins), "origin", "Origin whose pages may send requests, such as https://ui.example. May be repeated.")
	addBool(fs, &o.Private, "allow-private", "Let pages reach private and local addresses, which clients of the server could not reach otherwise.")
	addText(fs, &o.Log, "access-log", "FORMAT", "Log each request to standard error: text, json or off; default: text.")
	addText(fs, &o.Name, "name", "NAME", "With token: make a token of this name, and print it once.")
	addText(fs, &o.Scope, "scope", "SCOPE", "Scope of the new token: read, run or admin; default: run.")
	addText(fs, &o.Revoke, "revoke", "NAME", "With token: revoke the token of this name.")
	addBool(fs, &o.List, "list", "With token: list the tokens, without their texts.")
	return f.takes(cmd, positional{name: tokenWord, doc: "The word token: print the token, or make, list and revoke tokens.", optional: true})
}

// tokens opens the file with the tokens of this user.
func (f *factory) tokens() (*httpserve.Tokens, string, error) {
	home := f.variable("HOME")
	if home == "" {
		return nil, "", diag.New(diag.InvalidRequest, "the environment variable HOME is not set, but the tokens are kept in the home folder").
			WithHint("set HOME to your home folder")
	}
	file := filepath.Join(home, loader.ConfigFolder, tokenFile)
	tokens, err := httpserve.OpenTokens(file)
	if err != nil && diag.As(err) == nil {
		err = diag.New(diag.Internal, "the file with the tokens could not be used: %v", err).
			WithHint("check the permissions of the folder that contains %s", file).Because(err)
	}
	return tokens, file, err
}

// runServe serves until it is interrupted, or manages the tokens.
func runServe(ctx context.Context, o *serveOptions) (err error) {
	if o.Token {
		return o.manageTokens()
	}
	if o.Name != "" || o.Scope != "" || o.Revoke != "" || o.List {
		return diag.New(diag.InvalidRequest, "found a flag for tokens without the word `token`").
			WithHint("write the flag after the word `token`, as in: action serve token --list")
	}
	log, err := o.accessLog()
	if err != nil {
		return err
	}
	tokens, file, err := o.tokens()
	if err != nil {
		return err
	}
	options := httpserve.Options{
		Tokens: tokens, Version: endpoint.Version(), Hosts: o.Hosts, Origins: o.Origins, Log: log, Location: o.guarded(),
		Socket: endpoint.Path(nil), Connect: func(ctx context.Context) (httpserve.Conn, error) { return connected(o.connect(ctx)) },
	}
	address := o.Listen
	if address == "" {
		address = defaultListen
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return diag.New(diag.InvalidRequest, "cannot listen on %s: %v", address, err).WithHint("choose another address with --listen").Because(err)
	}
	if o.globals.NoDaemon {
		socket, end, err := o.ownServer(ctx, "serve", log)
		if err != nil {
			return errors.Join(err, l.Close())
		}
		defer func() { err = errors.Join(err, end()) }()
		options.Socket, options.Connect = socket, func(ctx context.Context) (httpserve.Conn, error) { return connected(client.Dial(ctx, socket)) }
	}
	url := "http://" + l.Addr().String()
	if o.json {
		o.writeJSON(map[string]string{"url": url, "token_file": file})
	} else {
		fmt.Fprintf(o.stdout, "listening on %s\nprint the token with: action serve token\n", url)
	}
	return httpserve.New(options).Serve(ctx, l)
}

// privateVariable is the setting for private and local addresses.
const privateVariable = "ACTION_POLICY_NETWORK_PRIVATE"

// guarded returns the folder, settings and variables for every request. By default, the settings
// keep pages from addresses that only this machine can reach, because clients may be on other
// machines. The user can allow these addresses with --allow-private, privateVariable or
// policy.network.allow.
func (o *serveOptions) guarded() wire.Location {
	l := o.surroundings()
	if !o.Private && l.Env[privateVariable] == "" {
		l.Env[privateVariable] = "deny"
	}
	return l
}

// connected returns c as a Conn. If err is not nil, the Conn is nil.
func connected(c *client.Client, err error) (httpserve.Conn, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (o *serveOptions) accessLog() (*slog.Logger, error) {
	switch o.Log {
	case "", "text":
		return slog.New(slog.NewTextHandler(o.stderr, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(o.stderr, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, diag.New(diag.InvalidRequest, "found an unknown format for --access-log, expected text, json or off").
		WithHint("pass text for people, json for programs, or off for no log")
}

// manageTokens prints the default token, makes or revokes another token, or lists all tokens.
func (o *serveOptions) manageTokens() error {
	if o.Listen != "" || o.Private || o.Hosts != nil || o.Origins != nil || o.Log != "" {
		return diag.New(diag.InvalidRequest, "found a flag of the server, such as --listen, together with the word `token`").
			WithHint("remove the flag of the server, or the word `token`")
	}
	tokens, _, err := o.tokens()
	if err != nil {
		return err
	}
	switch {
	case o.Revoke != "" && (o.Name != "" || o.Scope != "" || o.List), o.List && (o.Name != "" || o.Scope != ""), o.Scope != "" && o.Name == "":
		return diag.New(diag.InvalidRequest, "found flags for tokens that cannot be used together").
			WithHint("use one of: --name NAME, --name NAME --scope SCOPE, --revoke NAME, --list")
	case o.Revoke != "":
		if err := tokens.Revoke(o.Revoke); err != nil {
			return err
		}
		return o.said(map[string]any{"revoked": o.Revoke}, "revoked "+o.Revoke)
	case o.List:
		return o.listTokens(tokens)
	case o.Name != "":
		scope := ops.Run
		if o.Scope != "" {
			scope = ops.Scope(o.Scope)
		}
		text, err := tokens.Add(o.Name, scope)
		if err != nil {
			return err
		}
		return o.said(map[string]any{"name": o.Name, "scope": scope, "token": text}, text)
	}
	text, err := tokens.Default()
	if err != nil {
		return err
	}
	return o.said(map[string]any{"name": httpserve.DefaultToken, "scope": ops.Admin, "token": text}, text)
}

func (o *serveOptions) listTokens(tokens *httpserve.Tokens) error {
	list, err := tokens.List()
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(map[string]any{"tokens": list})
		return nil
	}
	for _, t := range list {
		fmt.Fprintf(o.stdout, "%s\t%s\t%s\n", t.Name, t.Scope, t.Made.Format("2006-01-02"))
	}
	return nil
}

// said prints v as JSON with --json, otherwise text.
func (o *serveOptions) said(v map[string]any, text string) error {
	if o.json {
		o.writeJSON(v)
		return nil
	}
	fmt.Fprintln(o.stdout, text)
	return nil
}
