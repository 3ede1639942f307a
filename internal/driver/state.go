package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/actionregistry/action/diag"
)

// MaxState is the maximum size of an exported or imported state, in bytes.
const MaxState = 50 << 20

// A State holds the cookies of a window and the storage of its origins. A state that was printed
// instead of written to a file has another field, masked, which is true if secrets are masked in
// it. ParseState refuses such a state.
type State struct {
	Cookies []StateCookie `json:"cookies"`
	Origins []StateOrigin `json:"origins"`
}

// A StateCookie is a cookie of a state.
type StateCookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain"` // begins with a dot if the cookie also applies to subdomains
	Path     string  `json:"path"`
	Expires  float64 `json:"expires"` // Unix seconds; -1: when the window is closed
	HTTPOnly bool    `json:"httpOnly"`
	Secure   bool    `json:"secure"`
	SameSite string  `json:"sameSite,omitempty"`

	Partition string `json:"partitionKey,omitempty"`
	CrossSite bool   `json:"_crHasCrossSiteAncestor,omitempty"`
}

// A StateOrigin is the storage of an origin.
type StateOrigin struct {
	Origin         string          `json:"origin"`
	LocalStorage   []StateItem     `json:"localStorage"`
	SessionStorage []StateItem     `json:"sessionStorage,omitempty"`
	IndexedDB      []StateDatabase `json:"indexedDB,omitempty"`
}

// A StateItem is an item of localStorage or sessionStorage.
type StateItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A StateDatabase is a database of IndexedDB.
type StateDatabase struct {
	Name    string       `json:"name"`
	Version float64      `json:"version"`
	Stores  []StateStore `json:"stores"`
}

// A StateStore is an object store. If its key path is a list, KeyPathArray is set instead of KeyPath.
type StateStore struct {
	Name          string        `json:"name"`
	KeyPath       *string       `json:"keyPath,omitempty"`
	KeyPathArray  []string      `json:"keyPathArray,omitempty"`
	AutoIncrement bool          `json:"autoIncrement"`
	Indexes       []StateIndex  `json:"indexes"`
	Records       []StateRecord `json:"records"`
}

// A StateIndex is an index of a store.
type StateIndex struct {
	Name         string   `json:"name"`
	KeyPath      *string  `json:"keyPath,omitempty"`
	KeyPathArray []string `json:"keyPathArray,omitempty"`
	Unique       bool     `json:"unique"`
	MultiEntry   bool     `json:"multiEntry"`
}

// A StateRecord is a record of a store. It has no key if the value contains the key. KeyEncoded and
// ValueEncoded are for data that JSON cannot represent.
type StateRecord struct {
	Key          json.RawMessage `json:"key,omitempty"`
	KeyEncoded   json.RawMessage `json:"keyEncoded,omitempty"`
	Value        json.RawMessage `json:"value,omitempty"`
	ValueEncoded json.RawMessage `json:"valueEncoded,omitempty"`
}

// ParseState parses a state. It ignores unknown fields. If the state is invalid, the error is
// STEP_FAILED with the position of the problem. file is the name of the file for that position.
func ParseState(file string, data []byte) (*State, error) {
	p := stateParser{file: file, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	// The JSON is first decoded as a whole to find invalid JSON: the token decoder would report the
	// positions of such errors inconsistently.
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &whole); errors.As(err, &syntax) {
		return nil, p.at(syntax.Offset-1, "found invalid JSON: %s", syntax)
	}
	state := &State{Cookies: []StateCookie{}, Origins: []StateOrigin{}}
	if err := p.object(state); err != nil {
		return nil, err
	}
	return state, nil
}

// A stateParser parses one state. It parses the JSON by tokens to find the positions of errors.
type stateParser struct {
	file string
	data []byte
	dec  *json.Decoder
}

// object parses the outermost object, and adds its cookies and origins to state.
func (p *stateParser) object(state *State) error {
	start, err := p.dec.Token()
	if err != nil {
		return p.broken(err)
	}
	if start != json.Delim('{') {
		return p.at(0, "found %s, expected an object with cookies and origins", tokenKind(start))
	}
	seen := false
	for p.dec.More() {
		key, err := p.dec.Token()
		if err != nil {
			return p.broken(err)
		}
		switch key {
		case "cookies":
			err = p.list("cookies", func(n int, at int64, item []byte) error { return p.cookie(state, n, at, item) })
		case "masked":
			err = p.whole()
		case "origins":
			err = p.list("origins", func(n int, at int64, item []byte) error { return p.origin(state, n, at, item) })
		default:
			var skipped json.RawMessage
			if err := p.dec.Decode(&skipped); err != nil {
				return p.broken(err)
			}
			continue
		}
		if err != nil {
			return err
		}
		seen = true
	}
	if _, err := p.dec.Token(); err != nil {
		return p.broken(err)
	}
	if !seen {
		return p.at(0, "found neither cookies nor origins, expected at least one of them")
	}
	return nil
}

// whole returns an error if the state is marked as one whose secrets are masked.
func (p *stateParser) whole() error {
	at := p.next()
	var masked json.RawMessage
	if err := p.dec.Decode(&masked); err != nil {
		return p.broken(err)
	}
	if string(masked) != "true" {
		return nil
	}
	return diag.As(p.at(at, "found a state in which secrets are masked, expected all of its values")).
		WithHint("export the state again, to a file: action storage export state.json")
}

// list parses a list. It calls the function "each" for every item, with the number of the item,
// from 1, and its offset. The argument "name" is the name of the list for errors.
func (p *stateParser) list(name string, each func(n int, at int64, item []byte) error) error {
	at := p.next()
	start, err := p.dec.Token()
	if err != nil {
		return p.broken(err)
	}
	if start != json.Delim('[') {
		return p.at(at, "%s is %s, expected a list", name, tokenKind(start))
	}
	for n := 1; p.dec.More(); n++ {
		at := p.next()
		var item json.RawMessage
		if err := p.dec.Decode(&item); err != nil {
			return p.broken(err)
		}
		if err := each(n, at, item); err != nil {
			return err
		}
	}
	_, err = p.dec.Token()
	return p.broken(err)
}

// next returns the offset of the next value.
func (p *stateParser) next() int64 {
	at := p.dec.InputOffset()
	for at < int64(len(p.data)) && strings.IndexByte(" \t\r\n,:", p.data[at]) >= 0 {
		at++
	}
	return at
}

// cookie checks a cookie and adds it to state. n is the number of the cookie, from 1. The argument
// "at" is the offset of item.
func (p *stateParser) cookie(state *State, n int, at int64, item []byte) error {
	c := StateCookie{Expires: -1, Path: "/"}
	if err := json.Unmarshal(item, &c); err != nil {
		return p.shape(fmt.Sprintf("the cookie %d%s", n, named(item, "name")), err, at)
	}
	what := fmt.Sprintf("the cookie %d (%q)", n, diag.Clip(c.Name, 60))
	switch {
	case c.Name == "" && c.Value == "":
		return p.at(at, "the cookie %d has neither a name nor a value", n)
	case c.Domain == "":
		return p.at(at, "%s has no domain", what)
	case c.SameSite != "" && c.SameSite != "Strict" && c.SameSite != "Lax" && c.SameSite != "None":
		return p.at(at, "%s has the sameSite %q, expected Strict, Lax or None", what, diag.Clip(c.SameSite, 60))
	}
	state.Cookies = append(state.Cookies, c)
	return nil
}

// origin checks an origin and adds it to state. n is the number of the origin, from 1. The argument
// "at" is the offset of item.
func (p *stateParser) origin(state *State, n int, at int64, item []byte) error {
	var o StateOrigin
	if err := json.Unmarshal(item, &o); err != nil {
		return p.shape(fmt.Sprintf("the origin %d%s", n, named(item, "origin")), err, at)
	}
	if !IsOrigin(o.Origin) {
		return p.at(at, "the origin %d is %q, expected one such as https://example.test", n, diag.Clip(o.Origin, 60))
	}
	for _, db := range o.IndexedDB {
		if db.Name == "" || db.Version < 1 {
			return p.at(at, "the origin %d (%s) has a database without a name or a version", n, o.Origin)
		}
	}
	state.Origins = append(state.Origins, o)
	return nil
}

// IsOrigin reports whether a text is a web origin, such as https://example.test.
func IsOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.Scheme+"://"+strings.ToLower(u.Host) == text
}

// named returns a field of an invalid item for a message, such as ` ("sid")`. It returns "" if the
// field is not a text.
func named(item []byte, field string) string {
	var m map[string]any
	if json.Unmarshal(item, &m) != nil {
		return ""
	}
	name, ok := m[field].(string)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" (%q)", diag.Clip(name, 60))
}

// shape returns the error for an item of a wrong type. The argument "what" is the name of the item,
// and "at" is its offset. err is the error of the decoder.
func (p *stateParser) shape(what string, err error, at int64) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return p.broken(err)
	}
	if wrong.Field == "" {
		return p.at(at, "%s is %s, expected an object", what, jsonKind(wrong.Value))
	}
	return p.at(at+wrong.Offset-1, "%s: %s is %s, expected %s", what, wrong.Field, jsonKind(wrong.Value), goKind(wrong.Type.Kind().String()))
}

// jsonKind names the JSON type of a [json.UnmarshalTypeError] in messages.
func jsonKind(value string) string {
	switch kind, _, _ := strings.Cut(value, " "); kind {
	case "string":
		return "text"
	case "bool":
		return "a boolean"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return "a number"
}

// goKind names the JSON type for a Go kind.
func goKind(kind string) string {
	switch kind {
	case "string":
		return "text"
	case "bool":
		return "a boolean"
	case "slice":
		return "a list"
	case "struct":
		return "an object"
	}
	return "a number"
}

// tokenKind names the JSON type that begins with t.
func tokenKind(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return "a list"
		}
		return "an object"
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "a boolean"
	}
	return "a number"
}

// broken adds the current position to an error of the decoder. It returns nil if err is nil.
func (p *stateParser) broken(err error) error {
	if err == nil {
		return nil
	}
	return p.at(p.dec.InputOffset(), "the state could not be read: %v", err)
}

// at returns the error for a problem at an offset of the file.
func (p *stateParser) at(offset int64, format string, args ...any) error {
	offset = min(max(offset, 0), int64(len(p.data)))
	before := p.data[:offset]
	pos := diag.Pos{File: p.file, Line: bytes.Count(before, []byte("\n")) + 1, Column: int(offset) - bytes.LastIndexByte(before, '\n')}
	return diag.New(diag.StepFailed, "%s: %s", pos, fmt.Sprintf(format, args...)).
		WithDetail("position", pos.String()).
		WithHint("pass a file written by `storage export` or by Playwright's storageState")
}
