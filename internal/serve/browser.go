package serve

// The paths that open, describe and close sessions, and run steps in them. The names of their
// fields are in camelCase. Only paths that run a step of the catalogue by its name use the names of
// its arguments.

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/selectors"
)

const sessionsPath = "/api/v1/browser/session"

// NewSession is the body of a request to open a session.
type NewSession struct {
	Viewport          *wire.Viewport `json:"viewport,omitempty"`
	UserAgent         string         `json:"userAgent,omitempty"`
	Locale            string         `json:"locale,omitempty"`
	Timeout           int64          `json:"timeout,omitempty"` // milliseconds without a call after which the session ends
	JavaScript        *bool          `json:"javascript,omitempty"`
	IgnoreHTTPSErrors *bool          `json:"ignoreHttpsErrors,omitempty"`
	Headed            *bool          `json:"headed,omitempty"`
	Proxy             string         `json:"proxy,omitempty"`
}

// SessionInfo describes a session.
type SessionInfo struct {
	ID        string        `json:"id"`
	State     string        `json:"state"`
	URL       string        `json:"url,omitempty"`
	Tabs      int           `json:"tabs"`
	Windows   int           `json:"windows"`
	Queued    int           `json:"queued"`
	Running   *wire.Running `json:"running,omitempty"`
	Lost      string        `json:"lost,omitempty"`
	IdleSince *time.Time    `json:"idleSince,omitempty"`
	ExpiresAt *time.Time    `json:"expiresAt,omitempty"` // absent while a call runs
}

func infoOf(s *wire.Session) SessionInfo {
	return SessionInfo{
		ID: s.Name, State: s.State, URL: s.URL, Tabs: s.Tabs, Windows: s.Windows, Queued: s.Queued, Running: s.Running, Lost: s.Lost,
		IdleSince: s.IdleSince, ExpiresAt: s.ExpiresAt,
	}
}

// snapshots holds the id of the last snapshot of each session.
type snapshots struct {
	mu   sync.Mutex
	last map[string]string
}

// maxSnapshots is the maximum number of sessions in [snapshots].
const maxSnapshots = 1000

func (s *snapshots) set(session, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || len(s.last) >= maxSnapshots {
		s.last = make(map[string]string)
	}
	s.last[session] = id
}

func (s *snapshots) get(session string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[session]
}

func openSession(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	var body NewSession
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	if body.Timeout < 0 {
		return diag.New(diag.InvalidRequest, "the field \"timeout\" of the body is negative, expected milliseconds").WithHint("send a timeout such as 300000")
	}
	var random [8]byte
	rand.Read(random[:])
	opened, err := s.open(r.Context(), "http-"+hex.EncodeToString(random[:]), &wire.SessionOptions{
		Viewport: body.Viewport, UserAgent: body.UserAgent, Locale: body.Locale, JavaScript: body.JavaScript, Headed: body.Headed,
		IgnoreHTTPSErrors: body.IgnoreHTTPSErrors, Proxy: body.Proxy, IdleTimeout: wire.Duration(time.Duration(body.Timeout) * time.Millisecond),
	})
	if err != nil {
		return err
	}
	w.Header().Set("Location", sessionsPath+"/"+opened.ID)
	s.write(w, http.StatusCreated, opened)
	return nil
}

// open opens a session and returns its description. A second request gets the description, because
// the expiry time is known only after the first request has ended.
func (s *Server) open(ctx context.Context, name string, o *wire.SessionOptions) (*SessionInfo, error) {
	m := &wire.SessionOpenRequest{Session: name, Options: o, Location: s.o.Location}
	if o.Viewport != nil && (o.Viewport.Width < 1 || o.Viewport.Height < 1) {
		return nil, diag.New(diag.InvalidRequest, "found a viewport that lacks a width or a height, expected both").WithHint(`send {"viewport": {"width": 1280, "height": 720}}`)
	}
	var opened wire.Session
	if err := s.ask(ctx, m, &opened); err != nil {
		return nil, err
	}
	info, err := s.session(ctx, opened.Name)
	return &info, err
}

func listSessions(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	var all wire.Sessions
	if err := s.ask(r.Context(), &wire.SessionListRequest{}, &all); err != nil {
		return err
	}
	list := make([]SessionInfo, len(all.Sessions))
	for i := range all.Sessions {
		list[i] = infoOf(&all.Sessions[i])
	}
	s.write(w, http.StatusOK, map[string]any{"sessions": list})
	return nil
}

// session returns the description of a session. For an unknown id, the error has the status 404.
func (s *Server) session(ctx context.Context, id string) (SessionInfo, error) {
	var all wire.Sessions
	if err := s.ask(ctx, &wire.SessionListRequest{}, &all); err != nil {
		return SessionInfo{}, err
	}
	for i := range all.Sessions {
		if all.Sessions[i].Name == id {
			return infoOf(&all.Sessions[i]), nil
		}
	}
	return SessionInfo{}, fail(http.StatusNotFound, diag.InvalidRequest, "found no session with this id").hint("open a session with: POST %s", sessionsPath)
}

func getSession(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	info, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, info)
	return nil
}

func closeSession(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	id := r.PathValue("id")
	if _, err := s.session(r.Context(), id); err != nil {
		return err
	}
	var closed wire.Closed
	if err := s.ask(r.Context(), &wire.SessionCloseRequest{Session: id}, &closed); err != nil {
		return err
	}
	s.write(w, http.StatusOK, closed)
	return nil
}

// ConnectSession is the body of a request to use a running browser.
type ConnectSession struct {
	CDP    string `json:"cdp"`              // port, or http: or ws: address
	Target string `json:"target,omitempty"` // id of a tab, or a part of its address
}

// connectSession connects a session to a running browser. It closes the old browser of the session.
func connectSession(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body ConnectSession
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	if body.CDP == "" {
		return diag.New(diag.InvalidRequest, "found a body without the field \"cdp\", expected the port or the address of a browser").WithHint(`send {"cdp": "9222"}`)
	}
	id := r.PathValue("id")
	if _, err := s.session(r.Context(), id); err != nil {
		return err
	}
	if err := s.ask(r.Context(), &wire.SessionCloseRequest{Session: id}, new(wire.Closed)); err != nil {
		return err
	}
	opened, err := s.open(r.Context(), id, &wire.SessionOptions{CDP: body.CDP, Target: body.Target})
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, opened)
	return nil
}

// anyStep runs the step that the path names. The fields of the body are the arguments of the step.
func anyStep(s *Server, w http.ResponseWriter, r *http.Request) error {
	params, err := query(r, "timeout", "steps", "from_text")
	if err != nil {
		return err
	}
	if _, err := s.session(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	if err := byRef(body, "ref_id"); err != nil {
		return err
	}
	request := fieldsOfQuery(params, "timeout", "steps", "from_text")
	request.set("step", r.PathValue("step"))
	request.set("session", r.PathValue("id"))
	if request["args"], err = json.Marshal(body); err != nil {
		return err
	}
	return s.run(w, r, ops.Lookup("step"), request, r.PathValue("step"), nil)
}

// byRef replaces a field that holds a ref by the field "selector". The argument name is the name of
// the field with the ref.
func byRef(body fields, name string) error {
	raw, ok := body[name]
	if !ok {
		return nil
	}
	var ref string
	if json.Unmarshal(raw, &ref) != nil || ref == "" {
		return diag.New(diag.InvalidRequest, "the field %q of the body is %s, expected a ref", name, wire.KindOf(raw)).WithHint("send a ref of a snapshot, such as e5")
	}
	if _, both := body["selector"]; both {
		return diag.New(diag.InvalidRequest, "found both fields \"selector\" and %q, expected one of them", name).WithHint("remove one of the two fields")
	}
	delete(body, name)
	body.set("selector", "@"+strings.TrimPrefix(ref, "@"))
	return nil
}

// selectorOf returns the text if it is a valid selector. Otherwise it returns it as a CSS selector.
func selectorOf(text string) string {
	if _, err := selectors.Parse(text, selectors.Options{}); err != nil {
		return "css:" + text
	}
	return text
}

// step runs a step in a session and returns its data. The step is cancelled when the request ends.
// It has no entry in [runs].
func (s *Server) step(r *http.Request, step string, args map[string]any, timeout time.Duration) (map[string]any, error) {
	id := r.PathValue("id")
	if _, err := s.session(r.Context(), id); err != nil {
		return nil, err
	}
	m := &wire.StepRequest{
		Step: step, Args: args, Location: s.o.Location,
		RunOptions: wire.RunOptions{Session: id, Timeout: wire.Duration(timeout)},
	}
	reply, err := s.daemon.Stream(r.Context(), m, nil)
	if err != nil {
		return nil, err
	}
	result, err := client.Result(reply)
	if err != nil {
		return nil, err
	}
	data, _ := result.Data.(map[string]any) // the result of every step is an object
	return data, nil
}

// milliseconds converts a number of milliseconds from a body. A negative number becomes 0.
func milliseconds(ms int64) time.Duration { return time.Duration(max(ms, 0)) * time.Millisecond }

// OpenPage is the body of a request to open an address.
type OpenPage struct {
	URL       string `json:"url"`
	WaitUntil string `json:"waitUntil,omitempty"` // load, domcontentloaded, networkidle or commit
	Timeout   int64  `json:"timeout,omitempty"`   // milliseconds
}

// OpenedPage is the page that was opened.
type OpenedPage struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Status int    `json:"status"` // HTTP status; 0 if there is none
}

func openPage(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body OpenPage
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	args := map[string]any{"url": body.URL}
	if body.WaitUntil != "" {
		args["wait_until"] = body.WaitUntil
	}
	data, err := s.step(r, "open", args, milliseconds(body.Timeout))
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, OpenedPage{URL: text(data["url"]), Title: text(data["title"]), Status: number(data["status"])})
	return nil
}

// TakeSnapshot is the body of a request for a snapshot.
type TakeSnapshot struct {
	Interactive bool   `json:"interactive,omitempty"` // only elements that steps can act on
	Compact     bool   `json:"compact,omitempty"`     // without elements that only wrap others
	MaxDepth    int    `json:"maxDepth,omitempty"`
	MaxNodes    int    `json:"maxNodes,omitempty"`
	MaxChars    int    `json:"maxChars,omitempty"`
	MaxText     int    `json:"maxText,omitempty"`
	Scope       string `json:"scope,omitempty"` // a selector, or a CSS selector
	// Since is the id of an earlier snapshot. The answer then has only the changes since that
	// snapshot. Without Since, the path /snapshot answers with the whole page, and the path /delta
	// with the changes since the last snapshot of the session.
	Since string `json:"since,omitempty"`
}

// A Ref is an element of a snapshot.
type Ref struct {
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
	Nth  *int   `json:"nth,omitempty"` // position among the elements with the same role and name
	Tag  string `json:"tag,omitempty"`
	Text string `json:"text,omitempty"`
}

// Stats holds the size of a snapshot.
type Stats struct {
	Lines       int `json:"lines"`
	Chars       int `json:"chars"`
	Refs        int `json:"refs"`
	Interactive int `json:"interactive"`
}

// Snapshot is the answer with a snapshot of a page.
type Snapshot struct {
	Tree       string         `json:"tree"`
	Refs       map[string]Ref `json:"refs"`
	Stats      Stats          `json:"stats"`
	SnapshotID string         `json:"snapshotId"`
	PageRev    int            `json:"pageRev"`
	URL        string         `json:"url"`
	Title      string         `json:"title"`
}

func takeSnapshot(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body TakeSnapshot
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	return s.snapshot(w, r, &body)
}

// takeDelta answers with the changes of the page since an earlier snapshot. If the body names no
// snapshot, it uses the last one.
func takeDelta(s *Server, w http.ResponseWriter, r *http.Request) error {
	var body TakeSnapshot
	if err := s.decodeBody(w, r, &body); err != nil {
		return err
	}
	body.Since = cmp.Or(body.Since, s.shots.get(r.PathValue("id")))
	if body.Since == "" {
		return diag.New(diag.InvalidRequest, "found no earlier snapshot of this session to compare the page with").WithHint("take a snapshot first, with: POST %s/ID/snapshot", sessionsPath)
	}
	return s.snapshot(w, r, &body)
}

func (s *Server) snapshot(w http.ResponseWriter, r *http.Request, body *TakeSnapshot) error {
	args := map[string]any{"interactive": body.Interactive, "compact": body.Compact}
	for name, n := range map[string]int{"max_depth": body.MaxDepth, "max_nodes": body.MaxNodes, "max_chars": body.MaxChars, "max_text": body.MaxText} {
		if n != 0 {
			args[name] = n
		}
	}
	if body.Scope != "" {
		args["scope"] = selectorOf(body.Scope)
	}
	if body.Since != "" {
		args["delta"] = body.Since
	}
	data, err := s.step(r, "snapshot", args, 0)
	if err != nil {
		return err
	}
	var shot struct {
		Text       string         `json:"text"`
		Refs       map[string]Ref `json:"refs"`
		Stats      Stats          `json:"stats"`
		SnapshotID string         `json:"snapshot_id"`
		PageRev    int            `json:"page_rev"`
		URL        string         `json:"url"`
		Title      string         `json:"title"`
	}
	if err := into(data, &shot); err != nil {
		return err
	}
	s.shots.set(r.PathValue("id"), shot.SnapshotID)
	if shot.Refs == nil {
		shot.Refs = map[string]Ref{}
	}
	s.write(w, http.StatusOK, Snapshot{
		Tree: shot.Text, Refs: shot.Refs, Stats: shot.Stats, SnapshotID: shot.SnapshotID, PageRev: shot.PageRev, URL: shot.URL, Title: shot.Title,
	})
	return nil
}

// into decodes the data of a step into v.
func into(data map[string]any, v any) error {
	raw, err := json.Marshal(data)
	if err == nil {
		err = json.Unmarshal(raw, v)
	}
	return err
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func number(v any) int {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return int(i)
}
