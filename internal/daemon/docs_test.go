package daemon_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

const protocolFile = "../../docs/protocol.md"

func protocolPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(protocolFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestEveryTypeHasAnExample checks that docs/protocol.md has a section with an example about each
// type. TestProtocolPage of package ops compares the rest of the page with the table.
func TestEveryTypeHasAnExample(t *testing.T) {
	page := protocolPage(t)
	for _, o := range ops.All() {
		_, section, ok := strings.Cut(page, "\n### "+o.Name+"\n")
		if !ok {
			t.Errorf("no section about %s", o.Name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n#")
		if !strings.Contains(section, `"type": "`+o.Name+`"`) {
			t.Errorf("%s has no example", o.Name)
		}
	}
}

// TestExamplesOfThePage sends every example of the page to a real daemon.
func TestExamplesOfThePage(t *testing.T) {
	cwd := t.TempDir()
	if err := os.WriteFile(filepath.Join(cwd, "shop.yaml"), []byte("nmespace: shop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := strings.NewReplacer("http://127.0.0.1:8000/", prices(t), "/home/ann/shop", cwd)
	s := serveReal(t)
	for i, m := range regexp.MustCompile("(?s)```\n(→.*?)```").FindAllStringSubmatch(protocolPage(t), -1) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if strings.Contains(m[1], `"shutdown"`) {
				s = serveReal(t) // the other examples must not lose their daemon
			}
			p := s.dial(t)
			var answers []string
			for _, line := range strings.Split(strings.TrimSpace(page.Replace(m[1])), "\n") {
				mark, text, _ := strings.Cut(line, " ")
				if mark == "←" {
					answers = append(answers, text)
					continue
				}
				p.mustAnswerAs(answers)
				answers = nil
				p.send(text + "\n")
			}
			p.mustAnswerAs(answers)
		})
	}
}

// mustAnswerAs receives the given answers. The lines about one request must be in order; those
// about different requests may be interleaved.
func (p *peer) mustAnswerAs(answers []string) {
	p.t.Helper()
	want := make(map[string][]string) // by id
	for _, text := range answers {
		var head struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(text), &head); err != nil {
			p.t.Fatalf("%s: %v", text, err)
		}
		want[string(head.ID)] = append(want[string(head.ID)], text)
	}
	for range answers {
		got := p.receive()
		id := string(got.ID)
		if len(want[id]) == 0 {
			p.t.Fatalf("got %s, want %v", got.Line, want)
		}
		if problem := differs(decode(p.t, want[id][0]), decode(p.t, string(got.Line)), ""); problem != "" {
			p.t.Errorf("%s\ngot  %swant %s", problem, got.Line, want[id][0])
		}
		want[id] = want[id][1:]
	}
}

func serveReal(t *testing.T) *served {
	t.Helper()
	return serve(t, daemon.Options{Backend: realBackend(t)})
}

// prices serves the web page that the examples read.
func prices(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!DOCTYPE html><title>Prices</title><h1>Prices</h1><p>Gold 4</p>")
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// differs describes the first difference between an example and an answer, or returns "". "…"
// matches any value, and got may have additional fields.
func differs(want, got any, at string) string {
	if want == "…" {
		return ""
	}
	switch want := want.(type) {
	case map[string]any:
		fields, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is no object", at)
		}
		for name, value := range want {
			if _, ok := fields[name]; !ok {
				return fmt.Sprintf("%s.%s is missing", at, name)
			}
			if problem := differs(value, fields[name], at+"."+name); problem != "" {
				return problem
			}
		}
		return ""
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			return fmt.Sprintf("%s is no list of %d", at, len(want))
		}
		for i := range want {
			if problem := differs(want[i], items[i], fmt.Sprintf("%s[%d]", at, i)); problem != "" {
				return problem
			}
		}
		return ""
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("%s is %v, want %v", at, got, want)
	}
	return ""
}

// TestClientsOfThePage runs the example clients of the page.
func TestClientsOfThePage(t *testing.T) {
	url := prices(t)
	tests := []struct{ language, program string }{{"sh", "sh"}, {"python", "python3"}, {"js", "node"}}
	for _, test := range tests {
		t.Run(test.language, func(t *testing.T) {
			m := regexp.MustCompile("(?s)```" + test.language + "\n(.*?)```").FindStringSubmatch(protocolPage(t))
			if m == nil {
				t.Fatal("there is none")
			}
			if lines := strings.Count(strings.TrimSpace(m[1]), "\n") + 1; lines > 12 {
				t.Errorf("it has %d lines, want about ten", lines)
			}
			file := filepath.Join(t.TempDir(), "client."+test.language)
			if err := os.WriteFile(file, []byte(m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, variable := range []string{"XDG_RUNTIME_DIR", "TMPDIR"} {
				dir := folder(t)
				environ := append(os.Environ(), "XDG_RUNTIME_DIR=", variable+"="+dir)
				s := serve(t, daemon.Options{Backend: realBackend(t), Socket: endpoint.Path(lookup(environ))})
				cmd := exec.CommandContext(t.Context(), test.program, file, url)
				cmd.Env = environ
				out, err := cmd.CombinedOutput()
				var reply wire.Reply
				if err == nil {
					err = json.Unmarshal(out, &reply)
				}
				if err != nil || !reply.Success || !strings.Contains(string(reply.Data), url) {
					t.Errorf("%s with %s: %v\n%s", test.program, variable, err, out)
				}
				s.cancel()
				if err := s.wait(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func lookup(environ []string) func(string) string {
	return func(name string) (value string) {
		for _, entry := range environ {
			if v, ok := strings.CutPrefix(entry, name+"="); ok {
				value = v
			}
		}
		return value
	}
}
