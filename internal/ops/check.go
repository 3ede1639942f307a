package ops

// The check of the fields of a request, before they are decoded.

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// checkFields checks the fields of an object. The argument "where" is the name of the object in
// messages.
func checkFields(where string, known []Field, got map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(got)) {
		f := lookupField(known, name)
		if f == nil {
			return unknownField(where, known, name)
		}
		if string(got[name]) == "null" {
			continue // null counts as missing
		}
		if err := f.check(where, got[name]); err != nil {
			return err
		}
	}
	for _, f := range known {
		if raw := string(got[f.Name]); f.Required && (raw == "" || raw == "null" || raw == `""`) {
			return f.missing(where)
		}
	}
	return nil
}

func (f *Field) missing(where string) error {
	return invalid("found %s without the field %q, which is required", where, f.Name).WithHint("add %q, %s", f.Name, article(f.Kind))
}

func unknownField(where string, known []Field, name string) error {
	err := invalid("found the unknown field %[2]q in %[1]s", where, wire.Short(name))
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.Name
	}
	if near := diag.Nearest(name, names); near != "" {
		return err.WithHint("did you mean %s?", near)
	}
	if len(names) == 0 {
		return err.WithHint("use only the fields id and type")
	}
	return err.WithHint("use one of the fields: %s", strings.Join(names, ", "))
}

// maxPathBytes is the maximum length of the path of a folder.
const maxPathBytes = 4096

// check checks the value of a field, which must not be null.
func (f *Field) check(where string, raw json.RawMessage) error {
	wrong := func() error {
		return invalid("the field %q of %s is %s, expected %s", f.Name, where, wire.KindOf(raw), article(f.Kind)).
			WithHint("see docs/protocol.md for the fields of %s", where)
	}
	kind := wire.KindOf(raw)
	switch f.Kind {
	case Text, Absolute:
		var text string
		if kind != "a text" || json.Unmarshal(raw, &text) != nil {
			return wrong()
		}
		if f.Kind == Absolute && len(text) > maxPathBytes {
			return invalid("the field %q of %s has %d bytes, expected at most %d", f.Name, where, len(text), maxPathBytes).WithHint("send the caller's working directory")
		}
		if f.Kind == Absolute && !filepath.IsAbs(text) {
			return invalid("the field %q of %s is a relative path, expected an absolute path", f.Name, where).WithHint("send the caller's working directory")
		}
		if f.Values != nil && !slices.Contains(f.Values, text) {
			return invalid("the field %q of %s has an unknown value, expected one of %s", f.Name, where, strings.Join(f.Values, ", ")).
				WithHint("see docs/protocol.md for the fields of %s", where)
		}
		return f.plain(where, text)
	case Boolean:
		if kind != "a boolean" {
			return wrong()
		}
	case Integer:
		most := int64(cmp.Or(f.Max, math.MaxInt32))
		if n, err := strconv.ParseInt(string(raw), 10, 32); err != nil || n < int64(f.Min) || n > most {
			return invalid("the field %q of %s is %s, expected an integer from %d to %d", f.Name, where, kind, f.Min, most).
				WithHint("see docs/protocol.md for the fields of %s", where)
		}
	case Time:
		if _, err := wire.ParseDuration(raw); err != nil {
			return invalid("the field %q of %s is %s, %v", f.Name, where, kind, err).WithHint("write a time as 5000 or 5s")
		}
	case ID:
		if problem := wire.CheckID(raw); problem != nil {
			return invalid("the field %q of %s is %v", f.Name, where, problem).WithHint("pass the id of a request on this connection")
		}
	case Map:
		if kind != "an object" {
			return wrong()
		}
	case Texts:
		var items []*string // a nil item is null, which is not a text
		if json.Unmarshal(raw, &items) != nil || slices.Contains(items, nil) {
			return wrong()
		}
		if f.Required && len(items) == 0 {
			return f.missing(where)
		}
		for _, item := range items {
			if err := f.plain(where, *item); err != nil {
				return err
			}
		}
	case Env:
		return f.checkEnv(where, raw, wrong)
	case Fields:
		var items map[string]json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return wrong()
		}
		return checkFields(f.Name, f.Fields, items)
	}
	return nil
}

// plain returns an error if text contains a NUL character.
func (f *Field) plain(where, text string) error {
	if strings.ContainsRune(text, 0) {
		return invalid("the field %q of %s contains a NUL character", f.Name, where).WithHint("remove the character")
	}
	return nil
}

// checkEnv checks an object with environment variables.
func (f *Field) checkEnv(where string, raw json.RawMessage, wrong func() error) error {
	var items map[string]*string
	if json.Unmarshal(raw, &items) != nil {
		return wrong()
	}
	for name, value := range items {
		switch {
		case value == nil:
			return wrong()
		case name == "" || strings.Contains(name, "="):
			return invalid("the field %q of %s contains a variable with an empty name, or with \"=\" in its name", f.Name, where).
				WithHint("write variables as {\"NAME\": \"value\"}")
		}
		if err := f.plain(where, name+*value); err != nil {
			return err
		}
	}
	return nil
}

func article(k Kind) string {
	switch k {
	case Integer, Absolute, Map, Env:
		return "an " + string(k)
	case Fields:
		return "an object"
	}
	return "a " + string(k)
}

func invalid(format string, args ...any) *diag.Error {
	return diag.New(diag.InvalidRequest, format, args...)
}
