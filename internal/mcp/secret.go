package mcp

import (
	"context"
	"crypto/rand"
	"html/template"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
)

// Secrets that the user enters on a page of this process, never in the chat, so that the model does
// not see them. The protocol does not allow servers to ask for secrets in forms of the client.

// askID is the name of the input for missing secret params.
const askID = "secret"

// askTime is how long a user may take to enter a secret.
const askTime = 5 * time.Minute

// maxForm is the maximum size of a request to the page, in bytes.
const maxForm = 64 << 10

// A desk serves the pages on which the user enters secrets. It listens on the loopback interface
// from the first question on. The zero value is ready for use.
type desk struct {
	mu        sync.Mutex
	http      *http.Server
	address   string // host:port; "" until the desk listens
	questions map[string]*question
}

// A question asks for the secrets of one call. The address of its page contains its random id.
type question struct {
	Action  string
	Params  []param
	values  chan map[string]any // receives the values once
	expires time.Time
}

// ask adds a question. It returns the id of the question and the address of its page.
func (d *desk) ask(action string, params []param) (id, address string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.address == "" {
		if err := d.listen(); err != nil {
			return "", "", err
		}
	}
	now := time.Now()
	maps.DeleteFunc(d.questions, func(_ string, q *question) bool { return now.After(q.expires) })
	id = rand.Text()
	d.questions[id] = &question{Action: action, Params: params, values: make(chan map[string]any, 1), expires: now.Add(askTime)}
	return id, "http://" + d.address + "/" + id, nil
}

func (d *desk) listen() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return diag.New(diag.Internal, "the page for secrets cannot be shown: %v", err).
			WithHint("pass the secret in an environment variable that the definition lists under `env`").Because(err)
	}
	d.address, d.questions = l.Addr().String(), make(map[string]*question)
	d.http = &http.Server{Handler: http.MaxBytesHandler(d, maxForm), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
	go func() { _ = d.http.Serve(l) }() // close ends it
	return nil
}

// close stops serving pages. Calls of await do not end.
func (d *desk) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.http == nil {
		return nil
	}
	return d.http.Close()
}

func (d *desk) question(id string) *question {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.questions[id]
	if q == nil || time.Now().After(q.expires) {
		return nil
	}
	return q
}

// await waits until the user has entered the values of a question, and returns them. If the
// question expires first, await returns an error. The values can be obtained only once.
func (d *desk) await(ctx context.Context, id, action string) (map[string]any, error) {
	q := d.question(id)
	if q == nil || q.Action != action {
		return nil, diag.New(diag.ParamRequired, "the page that asks for the secret params of %s has expired", action).WithHint("run the action again")
	}
	defer func() {
		d.mu.Lock()
		delete(d.questions, id)
		d.mu.Unlock()
	}()
	timer := time.NewTimer(time.Until(q.expires))
	defer timer.Stop()
	select {
	case values := <-q.values:
		return values, nil
	case <-timer.C:
		return nil, diag.New(diag.ParamRequired, "nobody entered the secret params of %s within %s", action, askTime).WithHint("run the action again when the user is there")
	case <-ctx.Done():
		return nil, diag.New(diag.Cancelled, "cancelled while waiting for the secret params of %s", action).Because(ctx.Err())
	}
}

// ServeHTTP shows the page of a question, and accepts the values that the user enters there.
func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
		"Cache-Control":           "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
	} {
		w.Header().Set(name, value)
	}
	// A page of another site may make its name resolve to this address, or send a form here.
	origin := r.Header.Get("Origin")
	if r.Host != d.host() || origin != "" && origin != "null" && origin != "http://"+d.host() {
		http.Error(w, "This address is only for the page that your agent's client has opened.", http.StatusForbidden)
		return
	}
	q := d.question(r.URL.Path[min(1, len(r.URL.Path)):])
	switch {
	case q == nil:
		http.Error(w, "This question has expired or has been answered.", http.StatusNotFound)
	case r.Method == http.MethodGet:
		_ = askPage.Execute(w, q)
	case r.Method == http.MethodPost:
		q.take(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "Method not allowed.", http.StatusMethodNotAllowed)
	}
}

func (d *desk) host() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.address
}

// take passes the values in a form to await.
func (q *question) take(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "The form could not be read.", http.StatusBadRequest)
		return
	}
	values := make(map[string]any)
	for _, p := range q.Params {
		value := r.PostForm.Get(p.Name)
		if value == "" {
			http.Error(w, "Enter a value for "+p.Name+".", http.StatusBadRequest)
			return
		}
		values[p.Name] = value
	}
	select {
	case q.values <- values:
		_ = donePage.Execute(w, q)
	default:
		http.Error(w, "This question has expired or has been answered.", http.StatusNotFound)
	}
}

var askPage = template.Must(template.New("ask").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Secrets for {{.Action}}</title>
<style>body{font:16px/1.5 system-ui;max-width:30em;margin:3em auto;padding:0 1em}label{display:block;margin:1em 0}input{display:block;width:100%;font:inherit;padding:.4em}</style>
<h1>Secrets for {{.Action}}</h1>
<p>An agent runs this action. What you enter goes to the action only: neither the agent nor its chat sees it.</p>
<form method="post">{{range .Params}}<label>{{.Name}}{{with .Description}}: {{.}}{{end}}<input type="password" name="{{.Name}}" autocomplete="off" required></label>{{end}}
<button>Run the action</button></form></html>`))

var donePage = template.Must(template.New("done").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Done</title><p>{{.Action}} runs now. You can close this page.</p></html>`))

// entered returns params, together with the secrets that the user has entered for an earlier
// request of the same call.
func (c *call) entered(ctx context.Context, action string, params map[string]any) (map[string]any, error) {
	answer, ok := c.request.Params.InputResponses[askID].(*sdk.ElicitResult)
	if !ok {
		return params, nil
	}
	if answer.Action != "accept" {
		return nil, diag.New(diag.ParamRequired, "the user declined to enter the secret params of %s", action)
	}
	values, err := c.desk.await(ctx, c.request.Params.RequestState, action)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(params)
	if all == nil {
		all = make(map[string]any)
	}
	maps.Copy(all, values)
	return all, nil
}

// missing returns the reply for a run that was rejected because params are missing. If only secret
// params are missing and the client can open pages, the reply asks the user for them.
func (c *call) missing(ctx context.Context, rejected *diag.Error, action string, params map[string]any) (*reply, error) {
	d, err := c.describe(ctx, action)
	if err != nil {
		return nil, rejected
	}
	var secret []param
	for _, p := range d.Params {
		_, given := params[p.Name]
		switch {
		case given || !p.Required:
		case !p.Secret:
			return nil, rejected.WithHint("add %q to \"params\"; the tool describe lists the params", p.Name)
		default:
			secret = append(secret, p)
		}
	}
	switch {
	case secret == nil:
		return nil, rejected
	case !canShowPages(c.request):
		return nil, rejected.WithHint("use a client with URL elicitation, in which the user enters the secret %s; or pass it in an environment variable that the definition lists under `env`", secret[0].Name)
	}
	id, address, err := c.desk.ask(action, secret)
	if err != nil {
		return nil, err
	}
	return &reply{state: id, ask: &sdk.ElicitParams{
		Mode: "url", URL: address, ElicitationID: id, Message: "Enter the secrets that " + action + " needs.",
	}}, nil
}

func canShowPages(r *sdk.CallToolRequest) bool {
	c := r.ClientCapabilities()
	return c != nil && c.Elicitation != nil && c.Elicitation.URL != nil
}
