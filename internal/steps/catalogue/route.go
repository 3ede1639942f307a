package catalogue

import (
	"bytes"
	"cmp"
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
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type resourceType string

func (resourceType) Values() []string { return driver.ResourceTypes }

// maxBody bounds the body of a mocked answer.
const maxBody = 10 << 20

// routeMatch determines to which requests a route applies.
type routeMatch struct {
	URL    driver.URLPattern `arg:"url,required" pos:"1" doc:"the addresses to match"`
	Types  []string          `arg:"types" doc:"types of requests to match: document, stylesheet, image, media, font, script, xhr, fetch, websocket, other; absent: all"`
	Method string            `arg:"method" doc:"the method to match; absent: all"`
}

type mockArgs struct {
	routeMatch
	Status      int               `arg:"status" default:"200" min:"100" max:"599" doc:"status of the answer"`
	Headers     map[string]string `arg:"headers" doc:"headers of the answer"`
	Body        *string           `arg:"body" doc:"body of the answer"`
	File        *string           `arg:"file" doc:"file with the body of the answer"`
	ContentType *string           `arg:"content_type" doc:"type of the body; absent: detected by the name of the file, otherwise by the body"`
}

type headersArgs struct {
	routeMatch
	Set    map[string]string `arg:"set" doc:"headers to send, replacing existing ones"`
	Remove []string          `arg:"remove" doc:"headers to remove"`
}

type removeRouteArgs struct {
	Route string `arg:"route" pos:"1" doc:"id of a route; absent: all"`
}

type routeResult struct {
	Route string `json:"route" doc:"id of the route, such as r1"`
}

type routesResult struct {
	Routes []routeData `json:"routes" doc:"the active routes: a list of id, do, url, types, method, matched"`
}

type routeData struct {
	ID      string   `json:"id"`
	Do      string   `json:"do"`
	URL     string   `json:"url"`
	Types   []string `json:"types"`
	Method  *string  `json:"method"`
	Matched int      `json:"matched"`
}

var routeSteps = []*steps.Entry{steps.DefineVerbs(steps.Entry{
	Name: "route", Group: steps.GroupNetwork, Effect: driver.NoEffect, Limit: steps.PageTime, Granted: []string{"route"},
	Summary: "block, answer or change requests of the pages",
	Doc: "Routes apply to all tabs and windows of the session, until they are removed or the session ends. Of several matching routes, the newest applies. " +
		"A url is a glob if it has a *, a pattern (RE2) if it is between slashes, otherwise a part of the address. " +
		"A page may read a mocked answer from another origin. Requests of service workers are not seen. " +
		"Definitions of packages require a grant (policy.package_steps).",
	Example: "route: {do: mock, url: \"*/api/orders\", status: 500, body: \"{}\", content_type: application/json}",
},
	steps.NewVerb(steps.Verb{Name: driver.RouteBlock, Doc: "make requests fail", Shown: "route"}, func(ctx context.Context, env *steps.Env, a *routeMatch) (routeResult, error) {
		r := driver.Route{Does: driver.RouteBlock}
		if err := a.match(&r); err != nil {
			return routeResult{}, err
		}
		id, err := env.Browser.AddRoute(ctx, r)
		return routeResult{id}, err
	}),
	steps.NewVerb(steps.Verb{Name: driver.RouteMock, Doc: "answer requests", Shown: "route"}, mockRoute),
	steps.NewVerb(steps.Verb{Name: driver.RouteHeaders, Doc: "change the headers of requests", Shown: "route"}, changeHeaders),
	steps.NewVerb(steps.Verb{Name: "list", Doc: "list the routes", Shown: "routes"}, func(_ context.Context, env *steps.Env, _ *noArgs) (routesResult, error) {
		return routesResult{routeList(env.Browser.Routes())}, nil
	}),
	steps.NewVerb(steps.Verb{Name: "remove", Doc: "remove one route, or all"}, func(ctx context.Context, env *steps.Env, a *removeRouteArgs) (routesResult, error) {
		if err := env.Browser.RemoveRoute(ctx, a.Route); err != nil {
			return routesResult{}, err
		}
		return routesResult{routeList(env.Browser.Routes())}, nil
	}),
)}

// match checks the conditions of a route and copies them to r.
func (m *routeMatch) match(r *driver.Route) error {
	r.URL, r.Types, r.Method, r.Status = m.URL, m.Types, strings.ToUpper(m.Method), 200
	for _, name := range r.Types {
		if !slices.Contains(driver.ResourceTypes, name) {
			return diag.New(diag.ParamInvalid, "found the request type %q, expected one of %s", name, strings.Join(driver.ResourceTypes, ", ")).
				WithHint("%s", cmp.Or(diag.DidYouMean(name, driver.ResourceTypes), "write a type such as document, xhr or image"))
		}
	}
	if r.Method != "" && !isToken(r.Method) {
		return diag.New(diag.ParamInvalid, "found the method %q, expected a name without spaces or separators", r.Method).WithHint("write a method such as GET or POST")
	}
	return nil
}

func mockRoute(ctx context.Context, env *steps.Env, a *mockArgs) (out routeResult, err error) {
	r := driver.Route{Does: driver.RouteMock}
	if err := a.match(&r); err != nil {
		return out, err
	}
	r.Status = a.Status
	if err := a.answer(env, &r); err != nil {
		return out, err
	}
	out.Route, err = env.Browser.AddRoute(ctx, r)
	return out, err
}

// answer sets the response of a mock.
func (a *mockArgs) answer(env *steps.Env, r *driver.Route) error {
	var err error
	if r.Headers, err = checkedHeaders(a.Headers); err != nil {
		return err
	}
	file, contentType := "", ""
	switch {
	case a.File != nil && a.Body != nil:
		return diag.New(diag.ParamInvalid, "found both `body` and `file`, expected one of them").WithHint("remove `body` or `file`")
	case a.File != nil:
		file = *a.File
		if r.Body, err = readBody(env, file); err != nil {
			return err
		}
	case a.Body != nil:
		r.Body = []byte(*a.Body)
	default:
		r.Body = []byte{}
	}
	if len(r.Body) > maxBody {
		return diag.New(diag.LimitExceeded, "found a body of %d bytes, expected at most %d", len(r.Body), maxBody).WithHint("answer with a smaller body")
	}
	if a.ContentType != nil {
		contentType = *a.ContentType
	}
	if at := indexFold(r.Headers, "Content-Type"); at != "" && a.ContentType != nil {
		return diag.New(diag.ParamInvalid, "found the type of the body in content_type and in headers, expected it once").
			WithHint("remove `content_type`, or the header Content-Type")
	} else if at == "" {
		r.Headers["Content-Type"] = cmp.Or(contentType, typeOfBody(file, r.Body))
	}
	return checkHeader("Content-Type", contentType)
}

// typesOfFiles maps file extensions to media types. It lists types that [http.DetectContentType]
// does not detect, but that browsers check.
var typesOfFiles = map[string]string{
	".css": "text/css", ".csv": "text/csv", ".htm": "text/html", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
	".json": "application/json", ".jsonld": "application/ld+json", ".map": "application/json", ".md": "text/markdown", ".mjs": "text/javascript",
	".svg": "image/svg+xml", ".txt": "text/plain", ".vtt": "text/vtt", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
	".xhtml": "application/xhtml+xml", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
}

// typeOfBody returns the media type of a body. It chooses the type by the extension of the file. If
// the extension is unknown, it detects the type from the content.
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

func readBody(env *steps.Env, path string) ([]byte, error) {
	if env.Files == nil {
		return nil, diag.New(diag.PolicyDenied, "found `file`, but files cannot be read here").WithHint("write the content into `body`, and remove `file`")
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
		err = fmt.Errorf("too large, expected at most %d bytes", maxBody)
	}
	if err != nil {
		return nil, diag.New(diag.ParamInvalid, "the file %s cannot be sent: %v", path, err).WithHint("check the path and the size of the file").Because(err)
	}
	return body, nil
}

func changeHeaders(ctx context.Context, env *steps.Env, a *headersArgs) (out routeResult, err error) {
	r := driver.Route{Does: driver.RouteHeaders, Remove: a.Remove}
	if err := a.match(&r); err != nil {
		return out, err
	}
	if a.Set == nil && a.Remove == nil {
		return out, diag.New(diag.ParamRequired, "`route headers` needs `set` or `remove`").WithHint("add `set: {NAME: VALUE}` or `remove: [NAME]`")
	}
	if r.Set, err = checkedHeaders(a.Set); err != nil {
		return out, err
	}
	for _, name := range r.Remove {
		if err := checkHeader(name, ""); err != nil {
			return out, err
		}
	}
	out.Route, err = env.Browser.AddRoute(ctx, r)
	return out, err
}

// checkedHeaders returns a checked copy of headers. The copy is never nil.
func checkedHeaders(headers map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		if err := checkHeader(name, value); err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}

func checkHeader(name, value string) error {
	if !isToken(name) {
		return diag.New(diag.ParamInvalid, "found the header name %q, expected a name without spaces or separators", name).WithHint("write a name such as X-Request-Id")
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return diag.New(diag.ParamInvalid, "found a line break in the value of the header %s", name).WithHint("write the value without line breaks")
	}
	return nil
}

// isToken reports whether s may be a method or the name of a header.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// indexFold returns the key of a header by its name, ignoring case, or "" if there is none.
func indexFold(headers map[string]string, name string) string {
	for key := range headers {
		if strings.EqualFold(key, name) {
			return key
		}
	}
	return ""
}

func routeList(routes []driver.Route) []routeData {
	out := make([]routeData, len(routes))
	for i, r := range routes {
		out[i] = routeData{ID: r.ID, Do: r.Does, URL: r.URL.String(), Types: r.Types, Method: orNil(r.Method), Matched: r.Matched}
	}
	return out
}
