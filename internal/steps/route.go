package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// A Router blocks, answers or changes requests. Its routes apply to all tabs and windows,
// including later ones, until they are removed or the browser ends. Of several matching
// routes the newest applies. Requests of service workers are not seen.
type Router interface {
	AddRoute(ctx context.Context, r Route) (id string, err error)
	// Routes lists the routes, the oldest first. It does not query the browser.
	Routes() []Route
	// RemoveRoute removes one route, or with "" all. An unknown route is PARAM_INVALID.
	RemoveRoute(ctx context.Context, id string) error
}

// The kinds of routes.
const (
	RouteBlock   = "block"
	RouteMock    = "mock"
	RouteHeaders = "headers"
)

// A Route is a rule for requests.
type Route struct {
	ID   string // assigned by the browser
	Does string
	// URL, Types and Method select requests; empty ones match all.
	URL    URLPattern
	Types  []string // of ResourceTypes
	Method string   // in capitals
	// Status, Headers and Body are the answer of a mock.
	Status  int
	Headers map[string]string
	Body    []byte
	// Set and Remove change the headers of the request.
	Set     map[string]string
	Remove  []string
	Matched int // how many requests matched it
}

// ResourceTypes are the types of requests, as routes and requests name them.
var ResourceTypes = []string{"document", "stylesheet", "image", "media", "font", "script", "xhr", "fetch", "websocket", "other"}

type resourceType string

func (resourceType) values() []string { return ResourceTypes }

// maxBody bounds the body of a mocked answer.
const maxBody = 10 << 20

var routeSteps = []*Entry{{
	Name: "route", Group: GroupNetwork, Effect: NoEffect, Limit: PageTime,
	Summary: "block, answer or change requests of the pages",
	Doc: "Routes apply to all tabs and windows of the session, until they are removed or the session ends; the newest match applies. " +
		"A url is a glob if it has a *, a pattern (RE2) if it is between slashes, otherwise a part of the address. " +
		"A page may read a mocked answer from another origin. Requests of service workers are not seen. " +
		"Definitions of packages require a grant (policy.package_steps).",
	Example: "route: {do: mock, url: \"*/api/orders\", status: 500, body: \"{}\", content_type: application/json}",
	Verbs: []Verb{
		{Name: "block", Doc: "make requests fail", Args: []string{"url", "types", "method"}, Needs: []string{"url"}, Hand: []string{"url"}, Shown: "route"},
		{Name: "mock", Doc: "answer them", Args: []string{"url", "types", "method", "status", "headers", "body", "file", "content_type"}, Needs: []string{"url"}, Hand: []string{"url"}, Shown: "route"},
		{Name: "headers", Doc: "change the headers that are sent with them", Args: []string{"url", "types", "method", "set", "remove"}, Needs: []string{"url"}, Hand: []string{"url"}, Shown: "route"},
		{Name: "list", Doc: "list the routes", Shown: "routes"},
		{Name: "remove", Doc: "remove one route, or all", Args: []string{"route"}, Hand: []string{"route"}},
	},
	Args: []Arg{
		{Name: "url", Type: ArgURL, Doc: "which addresses"},
		{Name: "types", Type: ArgTextList, Doc: "which types of requests: " + strings.Join(ResourceTypes, ", ") + "; absent: all"},
		{Name: "method", Type: ArgText, Doc: "which method; absent: all"},
		{Name: "status", Type: ArgInteger, Min: num(100), Max: num(599), Default: 200, Doc: "status of the answer"},
		{Name: "headers", Type: ArgTextMap, Doc: "headers of the answer"},
		{Name: "body", Type: ArgText, Doc: "body of the answer"},
		{Name: "file", Type: ArgText, Doc: "file with the body of the answer"},
		{Name: "content_type", Type: ArgText, Doc: "type of the body; absent: by the name of the file, otherwise by the body"},
		{Name: "set", Type: ArgTextMap, Doc: "headers to send, replacing existing ones"},
		{Name: "remove", Type: ArgTextList, Doc: "headers to remove"},
		{Name: "route", Type: ArgText, Doc: "id of a route; absent: all"},
	},
	Result: []Field{{"route", "id of the route, such as r1"}, {"routes", "the routes in force: a list of id, do, url, types, method, matched"}},
	Run:    route,
}}

func route(ctx context.Context, env *Env, a *Args) (Result, error) {
	do := a.Text(VerbArg)
	switch do {
	case "list":
		return Result{"routes": routeList(env.Browser.Routes())}, nil
	case "remove":
		if err := env.Browser.RemoveRoute(ctx, a.Text("route")); err != nil {
			return nil, err
		}
		return Result{"routes": routeList(env.Browser.Routes())}, nil
	}
	r := Route{Does: do, URL: a.URL("url"), Types: a.Texts("types"), Method: strings.ToUpper(a.Text("method")), Status: a.Int("status", 200)}
	for _, name := range r.Types {
		if !slices.Contains(ResourceTypes, name) {
			return nil, diag.New(diag.ParamInvalid, "unknown type of requests %q, expected one of %s", name, strings.Join(ResourceTypes, ", ")).
				WithHint("%s", orElse(diag.DidYouMean(name, ResourceTypes), "write one of them"))
		}
	}
	if r.Method != "" && !isToken(r.Method) {
		return nil, diag.New(diag.ParamInvalid, "%q is no method", r.Method).WithHint("write one like GET or POST")
	}
	var err error
	switch do {
	case RouteMock:
		err = mocked(env, a, &r)
	case RouteHeaders:
		err = changed(a, &r)
	}
	if err != nil {
		return nil, err
	}
	id, err := env.Browser.AddRoute(ctx, r)
	if err != nil {
		return nil, err
	}
	return Result{"route": id}, nil
}

// mocked fills in the answer of a mock.
func mocked(env *Env, a *Args, r *Route) error {
	var err error
	if r.Headers, err = headersOf(a, "headers"); err != nil {
		return err
	}
	switch path := a.Text("file"); {
	case a.Has("file") && a.Has("body"):
		return diag.New(diag.ParamInvalid, "route mock has a body and a file").WithHint("give one of the two")
	case a.Has("file"):
		if r.Body, err = readBody(env, path); err != nil {
			return err
		}
	default:
		r.Body = []byte(a.Text("body"))
	}
	if len(r.Body) > maxBody {
		return diag.New(diag.LimitExceeded, "the body has %d bytes, the most is %d", len(r.Body), maxBody).WithHint("mock a smaller answer")
	}
	if at := indexFold(r.Headers, "Content-Type"); at != "" && a.Has("content_type") {
		return diag.New(diag.ParamInvalid, "the type of the body stands in content_type and in headers").WithHint("give it once")
	} else if at == "" {
		r.Headers["Content-Type"] = orElse(a.Text("content_type"), typeOfBody(a.Text("file"), r.Body))
	}
	return checkHeader("Content-Type", a.Text("content_type"))
}

// typesOfFiles are types that browsers check and that cannot be detected from a body.
var typesOfFiles = map[string]string{
	".css": "text/css", ".csv": "text/csv", ".htm": "text/html", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
	".json": "application/json", ".jsonld": "application/ld+json", ".map": "application/json", ".md": "text/markdown", ".mjs": "text/javascript",
	".svg": "image/svg+xml", ".txt": "text/plain", ".vtt": "text/vtt", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
	".xhtml": "application/xhtml+xml", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
}

// typeOfBody returns the type of a body by the name of its file, otherwise by its content.
func typeOfBody(file string, body []byte) string {
	kind := typesOfFiles[strings.ToLower(filepath.Ext(file))]
	if kind == "" {
		kind = http.DetectContentType(body)
		switch start := bytes.TrimSpace(body); {
		case !strings.HasPrefix(kind, "text/"):
		case bytes.HasPrefix(start, []byte("<svg")):
			return "image/svg+xml"
		case (bytes.HasPrefix(start, []byte("{")) || bytes.HasPrefix(start, []byte("["))) && json.Valid(start):
			return "application/json"
		}
		return kind
	}
	if strings.HasPrefix(kind, "text/") && utf8.Valid(body) {
		kind += "; charset=utf-8"
	}
	return kind
}

func readBody(env *Env, path string) ([]byte, error) {
	if env.Files == nil {
		return nil, diag.New(diag.PolicyDenied, "files cannot be read here").WithHint("give the body itself")
	}
	f, err := env.Files.Open(path)
	if e := (*diag.Error)(nil); errors.As(err, &e) {
		return nil, e
	}
	var body []byte
	if err == nil {
		defer f.Close()
		body, err = io.ReadAll(io.LimitReader(f, maxBody+1))
	}
	if len(body) > maxBody {
		err = fmt.Errorf("it has more than %d bytes", maxBody)
	}
	if err != nil {
		return nil, diag.New(diag.ParamInvalid, "the file %s cannot be sent: %v", path, err).WithHint("check the path").Because(err)
	}
	return body, nil
}

// changed fills in which headers of the request change.
func changed(a *Args, r *Route) error {
	if !a.Has("set") && !a.Has("remove") {
		return diag.New(diag.ParamRequired, "route headers needs set or remove").WithHint("add set: {NAME: VALUE}, or remove: [NAME]")
	}
	var err error
	if r.Set, err = headersOf(a, "set"); err != nil {
		return err
	}
	r.Remove = a.Texts("remove")
	for _, name := range r.Remove {
		if err := checkHeader(name, ""); err != nil {
			return err
		}
	}
	return nil
}

func headersOf(a *Args, arg string) (map[string]string, error) {
	out := make(map[string]string)
	for name, v := range a.Map(arg) {
		value := expr.Text(v)
		if err := checkHeader(name, value); err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}

func checkHeader(name, value string) error {
	if !isToken(name) {
		return diag.New(diag.ParamInvalid, "%q is no name of a header", name).WithHint("write one like X-Request-Id")
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return diag.New(diag.ParamInvalid, "the header %s has a line break in its value", name).WithHint("write it in one line")
	}
	return nil
}

// isToken reports whether s may be a method or the name of a header.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// indexFold finds a header by its name, ignoring case; "" is none.
func indexFold(headers map[string]string, name string) string {
	for key := range headers {
		if strings.EqualFold(key, name) {
			return key
		}
	}
	return ""
}

func routeList(routes []Route) []any {
	out := make([]any, len(routes))
	for i, r := range routes {
		out[i] = map[string]any{"id": r.ID, "do": r.Does, "url": r.URL.String(), "types": anys(r.Types), "method": orNull(r.Method), "matched": r.Matched}
	}
	return out
}
