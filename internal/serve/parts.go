package serve

// The paths below a session: pictures, dialogs, requests, console, tabs, windows, storage and
// routes.

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/files"
)

// Screenshot is a picture of the page.
type Screenshot struct {
	Image    string `json:"image"` // base64
	MimeType string `json:"mimeType"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
}

// screenshot answers with a picture in JSON. If the client accepts image/png, it answers with a
// PNG.
func screenshot(s *Server, w http.ResponseWriter, r *http.Request) error {
	params, err := query(r, "fullPage", "selector")
	if err != nil {
		return err
	}
	args := map[string]any{"format": "base64"}
	if full, ok := params["fullPage"]; ok {
		if args["full_page"], err = strconv.ParseBool(full); err != nil {
			return diag.New(diag.InvalidRequest, "the parameter \"fullPage\" is neither true nor false").WithHint("send fullPage=true")
		}
	}
	if selector := params["selector"]; selector != "" {
		args["selector"] = selectorOf(selector)
	}
	data, err := s.step(r, "screenshot", args, 0)
	if err != nil {
		return err
	}
	if !headerHas(r, "Accept", "image/png") {
		s.write(w, http.StatusOK, Screenshot{Image: text(data["base64"]), MimeType: "image/png", Width: number(data["width"]), Height: number(data["height"])})
		return nil
	}
	picture, err := base64.StdEncoding.DecodeString(text(data["base64"]))
	if err != nil {
		return err
	}
	s.writeText(w, http.StatusOK, "image/png", picture)
	return nil
}

func dialogs(s *Server, w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, "dialog", map[string]any{"do": "history"}, "dialogs", "dialogs")
}

func requests(s *Server, w http.ResponseWriter, r *http.Request) error {
	params, err := query(r, "url", "type", "method", "status", "failed", "after", "limit")
	if err != nil {
		return err
	}
	args := make(map[string]any, len(params))
	for name, value := range params {
		args[name] = value
		if n, err := strconv.Atoi(value); err == nil && name != "url" {
			args[name] = n
		}
		if b, err := strconv.ParseBool(value); err == nil && name == "failed" {
			args[name] = b
		}
	}
	return s.listed(w, r, "requests", args, "requests", "requests")
}

func console(s *Server, w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, "get", map[string]any{"what": "console"}, "console", "messages")
}

// list runs a step and answers with a list from its result. The list has the name "field" in the
// result, and the name "as" in the answer.
func (s *Server) list(w http.ResponseWriter, r *http.Request, step string, args map[string]any, field, as string) error {
	if _, err := query(r); err != nil {
		return err
	}
	return s.listed(w, r, step, args, field, as)
}

func (s *Server) listed(w http.ResponseWriter, r *http.Request, step string, args map[string]any, field, as string) error {
	data, err := s.step(r, step, args, 0)
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, map[string]any{as: camelList(data[field])})
	return nil
}

// A Tab describes a tab or a window. Index is its position, from 0.
type Tab struct {
	Index  int    `json:"index"`
	Active bool   `json:"active"`
	URL    string `json:"url"`
	Title  string `json:"title"`

	id string
}

// OpenTab is the body of a request to open a tab.
type OpenTab struct {
	URL string `json:"url,omitempty"`
}

// OpenWindow is the body of a request to open a window.
type OpenWindow struct {
	URL      string         `json:"url,omitempty"`
	Viewport *wire.Viewport `json:"viewport,omitempty"`
}

// tabsOf returns the tabs of all windows.
func (s *Server) tabsOf(r *http.Request) ([]Tab, error) {
	data, err := s.step(r, "tab", map[string]any{"do": "list"}, 0)
	if err != nil {
		return nil, err
	}
	list, _ := data["tabs"].([]any)
	tabs := make([]Tab, len(list))
	for i, item := range list {
		t, _ := item.(map[string]any)
		active, _ := t["active"].(bool)
		tabs[i] = Tab{Index: i, Active: active, URL: text(t["url"]), Title: text(t["title"]), id: text(t["id"])}
	}
	return tabs, nil
}

// windowsOf returns the windows. The URL and the title of a window are those of its active tab.
func (s *Server) windowsOf(r *http.Request) ([]Tab, error) {
	tabs, err := s.tabsOf(r)
	if err != nil {
		return nil, err
	}
	data, err := s.step(r, "window", map[string]any{"do": "list"}, 0)
	if err != nil {
		return nil, err
	}
	list, _ := data["windows"].([]any)
	windows := make([]Tab, len(list))
	for i, item := range list {
		v, _ := item.(map[string]any)
		active, _ := v["active"].(bool)
		windows[i] = Tab{Index: i, Active: active, id: text(v["id"])}
		for _, t := range tabs {
			if t.id == v["tab"] {
				windows[i].URL, windows[i].Title = t.URL, t.Title
			}
		}
	}
	return windows, nil
}

// A shelf serves either the tabs or the windows of a session.
type shelf struct {
	step string // name of the step, and of its argument with the id
	all  func(s *Server, r *http.Request) ([]Tab, error)
}

var (
	tabShelf    = shelf{"tab", (*Server).tabsOf}
	windowShelf = shelf{"window", (*Server).windowsOf}
)

// list answers with all tabs or windows.
func (h shelf) list(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	list, err := h.all(s, r)
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, map[string]any{h.step + "s": list})
	return nil
}

// add opens a tab or a window, and answers with its description.
func (h shelf) add(s *Server, w http.ResponseWriter, r *http.Request, args map[string]any) error {
	args["do"] = "new"
	data, err := s.step(r, h.step, args, 0)
	if err != nil {
		return err
	}
	list, err := h.all(s, r)
	if err != nil {
		return err
	}
	for _, t := range list {
		if t.id == data[h.step] {
			s.write(w, http.StatusCreated, t)
			return nil
		}
	}
	return diag.New(diag.StepFailed, "the new %s was closed immediately", h.step).WithHint("see which %ss are open, and try again", h.step)
}

// at returns a handler for one tab or window. The path has its position. The argument "do" is the
// action: "switch" or "close".
func (h shelf) at(do string) func(s *Server, w http.ResponseWriter, r *http.Request) error {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		if _, err := query(r); err != nil {
			return err
		}
		list, err := h.all(s, r)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n < 0 || n >= len(list) {
			return fail(http.StatusNotFound, diag.InvalidRequest, "found no %s at this position, expected 0 to %d", h.step, len(list)-1).
				hint("list the positions with: GET %s/ID/%ss", sessionsPath, h.step)
		}
		if _, err := s.step(r, h.step, map[string]any{"do": do, h.step: list[n].id}, 0); err != nil {
			return err
		}
		return h.list(s, w, r)
	}
}

func openTab(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body OpenTab
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	args := make(map[string]any)
	if body.URL != "" {
		args["url"] = body.URL
	}
	return tabShelf.add(s, w, r, args)
}

func openWindow(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body OpenWindow
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	args := make(map[string]any)
	if body.URL != "" {
		args["url"] = body.URL
	}
	if body.Viewport != nil {
		args["width"], args["height"] = body.Viewport.Width, body.Viewport.Height
	}
	return windowShelf.add(s, w, r, args)
}

// exportStorage answers with the cookies and the storage of the active window. The step writes
// them to a temporary file: in a result, secrets of runs would be masked.
func exportStorage(s *Server, w http.ResponseWriter, r *http.Request) (err error) {
	if _, err := query(r); err != nil {
		return err
	}
	file, err := tempState(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	if _, err := s.step(r, "storage", map[string]any{"do": "export", "path": file}, 0); err != nil {
		return err
	}
	state, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, json.RawMessage(state))
	return nil
}

// importStorage imports a state that exportStorage has returned. The step reads the state from a
// temporary file.
func importStorage(s *Server, w http.ResponseWriter, r *http.Request) (err error) {
	if _, err := query(r); err != nil {
		return err
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	state, err := json.Marshal(body)
	if err != nil {
		return err
	}
	file, err := tempState(state)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	data, err := s.step(r, "storage", map[string]any{"do": "import", "path": file}, 0)
	if err != nil {
		return ofBody(err, file)
	}
	s.write(w, http.StatusOK, camelKeys(data))
	return nil
}

// tempState creates a temporary file with a state, and returns its path.
func tempState(state []byte) (string, error) {
	f, err := files.CreateTemp("state-*.json")
	if err != nil {
		return "", err
	}
	_, err = f.Write(state)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// ofBody replaces the name of the temporary file in an error by "body".
func ofBody(err error, file string) error {
	e := diag.As(err)
	if e == nil || !strings.Contains(e.Msg, file) {
		return err
	}
	return diag.New(diag.InvalidRequest, "%s", strings.ReplaceAll(e.Msg, file, "body")).WithHint("send a state that a GET request to this path has returned")
}

func listRoutes(s *Server, w http.ResponseWriter, r *http.Request) error {
	return s.list(w, r, "route", map[string]any{"do": "list"}, "routes", "routes")
}

// NewRoute is the body of a request to block, answer or change requests of the pages.
type NewRoute struct {
	Do            string            `json:"do"` // block, mock or headers
	URL           string            `json:"url"`
	Types         []string          `json:"types,omitempty"`
	Method        string            `json:"method,omitempty"`
	Status        int               `json:"status,omitempty"`
	Headers       map[string]string `json:"headers,omitempty"`
	Body          *string           `json:"body,omitempty"`
	ContentType   string            `json:"contentType,omitempty"`
	SetHeaders    map[string]string `json:"setHeaders,omitempty"`
	RemoveHeaders []string          `json:"removeHeaders,omitempty"`
}

func addRoute(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body NewRoute
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	if body.Do != "block" && body.Do != "mock" && body.Do != "headers" {
		return diag.New(diag.InvalidRequest, "the field \"do\" of the body has an unknown value, expected block, mock or headers").WithHint(`send {"do": "block", "url": "*.png"}`)
	}
	args := map[string]any{"do": body.Do, "url": body.URL}
	for name, v := range map[string]string{"method": body.Method, "content_type": body.ContentType} {
		if v != "" {
			args[name] = v
		}
	}
	if body.Types != nil {
		args["types"] = texts(body.Types)
	}
	if body.Status != 0 {
		args["status"] = body.Status
	}
	if body.Body != nil {
		args["body"] = *body.Body
	}
	if body.Headers != nil {
		args["headers"] = body.Headers
	}
	if body.SetHeaders != nil {
		args["set"] = body.SetHeaders
	}
	if body.RemoveHeaders != nil {
		args["remove"] = texts(body.RemoveHeaders)
	}
	data, err := s.step(r, "route", args, 0)
	if err != nil {
		return err
	}
	s.write(w, http.StatusCreated, map[string]any{"route": data["route"]})
	return nil
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = t
	}
	return out
}

// removeRoutes removes the route in the path. If the path has no route, it removes all of them.
func removeRoutes(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	args := map[string]any{"do": "remove"}
	if route := r.PathValue("route"); route != "" {
		args["route"] = route
	}
	if _, err := s.step(r, "route", args, 0); err != nil {
		return err
	}
	return listRoutes(s, w, r)
}
