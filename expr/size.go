package expr

// The size of values. Values are shared: one value may contain the same list many times, so a few
// steps can build a value that would not fit in memory when written out. The limits apply to this
// expanded size, which is the cost of copying, masking and encoding.

import (
	"reflect"

	"github.com/actionregistry/action/diag"
)

const (
	// MaxValueBytes bounds the size of one value, as a [Sizer] measures it. Messages of the
	// daemon's protocol have the same limit.
	MaxValueBytes = 8 << 20
	// MaxValueDepth bounds the nesting of lists and maps in a value.
	MaxValueDepth = 1000
	// Omitted replaces a value that is too large to be shown.
	Omitted = "‹left out: too large›"
	// rememberedBytes is the minimum size of a container that a Sizer caches.
	rememberedBytes = 4 << 10
)

// An extent is the size of a value: the approximate length of its JSON, and the nesting depth of
// its containers.
type extent struct{ bytes, depth int }

func (e extent) over() bool { return e.bytes > MaxValueBytes || e.depth > MaxValueDepth }

// A Sizer measures the expanded size of values: a part that occurs twice counts twice. Measuring
// stops when a limit is exceeded. The zero Sizer is ready to use. A nil *Sizer caches nothing. A
// Sizer is not safe for concurrent use.
type Sizer struct{ known map[container]remembered }

// A container identifies a list or a map.
type container struct {
	at  uintptr
	len int
}

// remembered is the cached size of a container. It keeps the container alive, so that no other
// container gets the same address.
type remembered struct {
	extent
	value any
}

// Size returns the expanded size of v in bytes. If v exceeds a limit, the result is more than
// MaxValueBytes.
func (z *Sizer) Size(v any) int {
	e := z.measure(v, 0, false)
	if e.over() {
		return max(e.bytes, MaxValueBytes+1)
	}
	return e.bytes
}

// Keep is like Size, but caches the size. v must not change any more. If v exceeds a limit, the
// error is LIMIT_EXCEEDED.
func (z *Sizer) Keep(v any) (int, error) {
	e := z.measure(v, 0, z != nil)
	return e.bytes, e.check()
}

// Check returns a LIMIT_EXCEEDED error if v exceeds a limit.
func (z *Sizer) Check(v any) error { return z.measure(v, 0, false).check() }

func (e extent) check() error {
	switch {
	case e.bytes > MaxValueBytes:
		return tooLarge()
	case e.depth > MaxValueDepth:
		return diag.New(diag.LimitExceeded, "found a value nested too deeply, expected at most %d levels", MaxValueDepth).
			WithHint("keep the values in a flat list instead of nesting each result in the next")
	}
	return nil
}

func tooLarge() *diag.Error {
	return diag.New(diag.LimitExceeded, "found a value that is too large, expected at most %d bytes as JSON", MaxValueBytes).
		WithHint("keep only the fields that you need, or read less: narrow the selector, or write to a file")
}

// An Adder limits the size of a value while it is built from parts.
type Adder struct {
	sizer *Sizer
	bytes int
}

// Adder returns an Adder for one value.
func (s *Scope) Adder() *Adder {
	if s == nil {
		return &Adder{}
	}
	return &Adder{sizer: s.Sizes}
}

// Add adds the size of a part. It returns a LIMIT_EXCEEDED error at pos once the total is too
// large.
func (a *Adder) Add(part any, pos diag.Pos) error {
	a.bytes += a.sizer.Size(part) + 1
	if a.bytes <= MaxValueBytes {
		return nil
	}
	e := tooLarge()
	e.Pos = pos
	return e
}

func (z *Sizer) measure(v any, level int, keep bool) extent {
	switch v := v.(type) {
	case nil, bool:
		return extent{bytes: 4}
	case string:
		return extent{bytes: len(v) + 2}
	case []any:
		return z.container(v, reflect.ValueOf(v), level, keep, func(e *extent) {
			for _, item := range v {
				if e.add(z.measure(item, level+1, keep), 1); e.over() {
					return
				}
			}
		})
	case map[string]any:
		return z.container(v, reflect.ValueOf(v), level, keep, func(e *extent) {
			for k, item := range v {
				if e.add(z.measure(item, level+1, keep), len(k)+4); e.over() {
					return
				}
			}
		})
	case int, int64, float64:
		return extent{bytes: 8}
	}
	return z.other(reflect.ValueOf(v), level)
}

// container measures a list or a map, unless its size is cached. It calls the function walk to add
// the items.
func (z *Sizer) container(v any, at reflect.Value, level int, keep bool, walk func(*extent)) extent {
	key := container{at.Pointer(), at.Len()}
	if z != nil {
		if r, ok := z.known[key]; ok {
			return r.extent
		}
	}
	e := extent{bytes: 2, depth: 1}
	if level >= MaxValueDepth {
		return extent{depth: MaxValueDepth + 1}
	}
	walk(&e)
	if keep && e.bytes >= rememberedBytes && !e.over() {
		if z.known == nil {
			z.known = make(map[container]remembered)
		}
		z.known[key] = remembered{e, v}
	}
	return e
}

func (e *extent) add(sub extent, more int) {
	e.bytes += sub.bytes + more
	e.depth = max(e.depth, sub.depth+1)
}

// other measures a value of a Go type that is not a JSON value. The results of steps contain lists
// of texts and small structs.
func (z *Sizer) other(v reflect.Value, level int) extent {
	e := extent{bytes: 8}
	if level > MaxValueDepth {
		return extent{depth: MaxValueDepth + 1}
	}
	each := func(item reflect.Value) bool {
		if !item.CanInterface() {
			return true
		}
		e.add(z.measure(item.Interface(), level+1, false), 1)
		return !e.over()
	}
	switch v.Kind() {
	case reflect.String:
		e.bytes += v.Len()
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && each(v.Index(i)); i++ {
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next() && each(it.Key()) && each(it.Value()); {
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && each(v.Field(i)); i++ {
		}
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem())
		}
	}
	return e
}
