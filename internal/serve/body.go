package serve

// Reads requests: the body, the query and the parts of the path.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// fields is a JSON object whose values are not decoded.
type fields map[string]json.RawMessage

// set stores a text in a field.
func (f fields) set(name, text string) { f[name], _ = json.Marshal(text) } // encoding a text does not fail

// readBody returns the object in the body of a request. An empty body is an empty object.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (fields, error) {
	data, err := s.bodyBytes(w, r)
	if err != nil {
		return nil, err
	}
	out := make(fields)
	if len(bytes.TrimSpace(data)) == 0 {
		return out, nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Header.Get("Content-Type") != "" && (err != nil || kind != "application/json") {
		return nil, fail(http.StatusUnsupportedMediaType, diag.InvalidRequest, "found a body whose Content-Type is not application/json").
			hint("send the header Content-Type: application/json")
	}
	if !json.Valid(data) {
		return nil, diag.New(diag.InvalidRequest, "found a body that is not JSON, expected an object").WithHint(`send an object such as {"name": "value"}`)
	}
	if err := wire.CheckValues(data); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &out); err != nil || out == nil {
		return nil, diag.New(diag.InvalidRequest, "found %s as the body, expected an object", wire.KindOf(data)).WithHint(`send an object such as {"name": "value"}`)
	}
	return out, nil
}

// bodyBytes reads the body of a request. It limits the size of the body; limitBody limits the time.
func (s *Server) bodyBytes(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.MaxBodyBytes))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, fail(http.StatusRequestEntityTooLarge, diag.InvalidRequest, "found a body that is too large, expected at most %d bytes", s.o.MaxBodyBytes).
			hint("send less in one request")
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fail(http.StatusBadRequest, diag.InvalidRequest, "found a body that is cut off, or in malformed chunks").hint("send the whole body, with its length")
	case err != nil:
		return nil, fail(http.StatusRequestTimeout, diag.InvalidRequest, "the body could not be read within %s", s.o.BodyTime).hint("send the whole body at once")
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	return data, nil
}

// limitBody limits the time in which the body of a request must arrive. The limit applies even if
// the handler does not read the body.
func (s *Server) limitBody(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 { // a connection that cannot have deadlines is that of a test
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.o.BodyTime))
	}
}

// decodeBody decodes the body into a struct. For a field that the struct does not have, the error
// is INVALID_REQUEST.
func (s *Server) decodeBody(w http.ResponseWriter, r *http.Request, into any) error {
	object, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	return decodeFields(object, into)
}

func decodeFields(object fields, into any) error {
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber() // the daemon reads the numbers
	if err := dec.Decode(into); err != nil {
		return wrongBody(err)
	}
	return nil
}

func wrongBody(err error) error {
	var typed *json.UnmarshalTypeError
	if errors.As(err, &typed) {
		return diag.New(diag.InvalidRequest, "the field %q of the body is a %s, expected %s", typed.Field, typed.Value, plainKind(typed.Type.Kind().String())).
			WithHint("see /openapi.json for the fields")
	}
	if _, name, ok := strings.Cut(err.Error(), "unknown field "); ok {
		name, _ = strconv.Unquote(name)
		return diag.New(diag.InvalidRequest, "found the unknown field %q in the body", wire.Short(name)).WithHint("see /openapi.json for the fields")
	}
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.InvalidRequest, "the body could not be read: %v", err).WithHint("see /openapi.json for the fields")
}

func plainKind(kind string) string {
	switch kind {
	case "string":
		return "a text"
	case "bool":
		return "a boolean"
	case "slice":
		return "a list"
	case "map", "struct", "ptr":
		return "an object"
	}
	return "a number"
}

func parseQuery(raw string) (url.Values, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "the query could not be read: %v", err).WithHint("encode the values as URLs require, as `curl --data-urlencode` does")
	}
	return values, nil
}

// query returns the query parameters of a request. If a parameter is not in names, or is sent more
// than once, the error is INVALID_REQUEST.
func query(r *http.Request, names ...string) (map[string]string, error) {
	values, err := parseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(values))
	for name, list := range values {
		switch {
		case !slices.Contains(names, name) && len(names) == 0:
			return nil, diag.New(diag.InvalidRequest, "found the unknown parameter %q, expected no parameters", wire.Short(name)).WithHint("remove the parameter")
		case !slices.Contains(names, name):
			e := diag.New(diag.InvalidRequest, "found the unknown parameter %q", wire.Short(name))
			if near := diag.Nearest(name, names); near != "" {
				return nil, e.WithHint("did you mean %s?", near)
			}
			return nil, e.WithHint("use one of the parameters: %s", strings.Join(names, ", "))
		case len(list) > 1:
			return nil, diag.New(diag.InvalidRequest, "found the parameter %q %d times, expected it once", name, len(list)).WithHint("send the parameter once")
		}
		out[name] = list[0]
	}
	return out, nil
}

// fieldsOfQuery converts query parameters to fields of a request. Parameters in the list "plain"
// become booleans or numbers, if their values are valid JSON. All others become texts.
func fieldsOfQuery(params map[string]string, plain ...string) fields {
	out := make(fields, len(params))
	for name, text := range params {
		if slices.Contains(plain, name) && json.Valid([]byte(text)) {
			out[name] = json.RawMessage(text)
			continue
		}
		out.set(name, text)
	}
	return out
}

// headerHas reports whether the list in a header contains a word. It ignores parameters such as
// ";q=0.5".
func headerHas(r *http.Request, header, word string) bool {
	for _, v := range r.Header.Values(header) {
		for part := range strings.SplitSeq(v, ",") {
			part, _, _ = strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(part), word) {
				return true
			}
		}
	}
	return false
}
