package daemon_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// TestSocketServesTheTable checks that the socket performs every operation of the table, and lists
// them to a client that sends another type.
func TestSocketServesTheTable(t *testing.T) {
	s := serve(t, daemon.Options{})
	p := s.dial(t)
	want := "the types are: " + strings.Join(ops.Names(), ", ")
	if m := p.ask(`{"id":1,"type":"zzzzzzzzzzzzzz"}`); m.Error == nil || m.Error.Hint != want {
		t.Errorf("an unknown type is answered with %s, want the hint %q", text(m), want)
	}
	for _, o := range ops.All() {
		if o.Name == "shutdown" {
			continue // last
		}
		m := p.ask(object(append(required(o.Fields, ""), `"id":1`, `"type":"`+o.Name+`"`)...))
		if m.code() == "INTERNAL" || m.Error != nil && strings.Contains(m.Error.Msg, "unknown type") {
			t.Errorf("%s is answered with %s", o.Name, text(m))
		}
	}
	if m := p.ask(`{"id":1,"type":"shutdown"}`); !m.Success {
		t.Errorf("shutdown is answered with %s", text(m))
	}
}

// TestSocketReachesEveryStep checks that every step of the catalogue can be requested. Each is
// refused before it needs a browser, because it has an argument that no step has.
func TestSocketReachesEveryStep(t *testing.T) {
	s := serve(t, daemon.Options{Backend: realBackend(t)})
	p := s.dial(t)
	for _, name := range catalogue.Names() {
		m := p.ask(fmt.Sprintf(`{"id":1,"type":"step","step":%q,"args":{"no_such":1},"cdp":"1","env":{"HOME":%q}}`, name, os.TempDir()))
		e := catalogue.Lookup(name)
		switch {
		case m.Error == nil:
			t.Errorf("%s is answered with %s", name, text(m))
		case e.Instead != "":
			if !strings.Contains(m.Error.Hint, e.Instead) {
				t.Errorf("%s, which only a file has, is answered with %s", name, text(m))
			}
		case m.code() != "PARAM_INVALID" && m.code() != "PARAM_REQUIRED":
			t.Errorf("%s is answered with %s", name, text(m))
		}
	}
}
