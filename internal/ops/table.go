package ops

import (
	"reflect"
	"slices"
	"sync"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// groups lists the functions that return the operations, in the order of the reference page. To add
// an operation, add it to one of these functions.
var groups = []func() []*Operation{actionOps, commandOps, sessionOps, handoffOps, approvalOps, serverOps}

// table returns all operations.
var table = sync.OnceValue(func() *index {
	t := &index{names: make(map[string]*Operation), types: make(map[reflect.Type]*Operation)}
	for _, group := range groups {
		for _, o := range group() {
			if t.names[o.Name] != nil || t.types[o.request] != nil {
				panic("ops: two entries of " + o.Name)
			}
			t.names[o.Name], t.types[o.request] = o, o
			t.all = append(t.all, o)
		}
	}
	return t
})

type index struct {
	all   []*Operation
	names map[string]*Operation
	types map[reflect.Type]*Operation
}

// All returns all operations, in the order of the reference page. The caller may change the slice,
// but not the operations.
func All() []*Operation { return slices.Clone(table().all) }

// Lookup returns the operation with a name. It returns nil if there is none.
func Lookup(name string) *Operation { return table().names[name] }

// Of returns the operation for which m is a request. It returns nil if there is none.
func Of(m wire.Message) *Operation {
	t := reflect.TypeOf(m)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil
	}
	return table().types[t.Elem()]
}

// Names returns the names of all operations.
func Names() []string {
	var names []string
	for _, o := range table().all {
		names = append(names, o.Name)
	}
	return names
}
