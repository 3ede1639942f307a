package mcp

import (
	"context"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect returns a client of a server in this process whose daemon has the builtin definitions.
// None of these calls needs a browser.
func connect(t *testing.T) *sdk.ClientSession {
	t.Helper()
	backend := ownDaemon(t)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(context.Background(), fromClient, toClient, Options{Backend: backend}) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		_ = toServer.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return c
}

func textOf(t *testing.T, c *sdk.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// What an agent asks for comes first: the action for any library, or that of the library which the
// query names. Each action is one line with its params.
func TestSearch(t *testing.T) {
	t.Parallel()
	c := connect(t)
	for query, want := range map[string]string{
		"pick a date in the form":     "components:date:pick(label, within?, value): ",
		"fill a form":                 "components:form:fill(",
		"antd fill form":              "antd:form:fill(",
		"Ant Design choose long list": "antd:select:choose(",
		"sign in with a password":     "web:login:submit(url?, user, password, ",
		"read the rows of a table":    "components:table:read(",
	} {
		text, failed := textOf(t, c, "search", map[string]any{"query": query})
		if failed || !strings.HasPrefix(text, want) {
			t.Errorf("%s: got %s, want first %s", query, text, want)
		}
		lines := strings.Split(text, "\n")
		if len(lines) > maxHits {
			t.Errorf("%s: %d lines", query, len(lines))
		}
		seen := make(map[string]bool)
		for _, line := range lines {
			name, _, _ := strings.Cut(line, "(")
			if seen[verbOf(name)] && strings.HasPrefix(name, anyLibrary) {
				t.Errorf("%s: %s twice", query, verbOf(name))
			}
			seen[verbOf(name)] = true
		}
	}
	if text, failed := textOf(t, c, "search", map[string]any{"query": "zzzz"}); failed || !strings.Contains(text, "no action matches") {
		t.Errorf("nothing found: %s", text)
	}
}

// Bad arguments are answered with what is expected.
func TestBadArguments(t *testing.T) {
	t.Parallel()
	c := connect(t)
	for _, test := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"search", map[string]any{"query": ""}, "found no query"},
		{"search", map[string]any{"words": "x"}, "the argument words, which the tool does not have"},
		{"search", map[string]any{"query": 7}, "found the argument \"query\" of type number, expected a text"},
		{"snapshot", map[string]any{"delta": true}, "found the argument \"delta\" of type bool, expected a text"},
		{"snapshot", map[string]any{"max_chars": "many"}, "expected an integer"},
		{"run", nil, "found no action"},
		{"run", map[string]any{"action": "web:page:read", "params": []any{1}}, "expected an object"},
		{"act", map[string]any{"args": map[string]any{}}, "found no step, expected one of"},
		{"act", map[string]any{"step": "clik"}, "clik"},
		{"act", map[string]any{"step": "click", "args": map[string]any{"timeout": "soon"}}, "found the timeout soon"},
		{"session", map[string]any{"op": "start"}, "expected open, list, close or handoff"},
		{"session", map[string]any{"op": "open", "options": map[string]any{"size": 1}}, "the argument size"},
		{"describe", map[string]any{"action": "web:page:rea"}, "web:page:read"},
	} {
		if text, failed := textOf(t, c, test.tool, test.args); !failed || !strings.Contains(text, test.says) {
			t.Errorf("%s %v: got %s, want %s", test.tool, test.args, text, test.says)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	c := connect(t)
	for name, want := range map[string]string{
		"components:date:pick": "\n- label string (required): Label of the field\n",
		"click":                "click: press an element",
		"web":                  "- web:form:fill: ",
	} {
		if text, failed := textOf(t, c, "describe", map[string]any{"action": name}); failed || !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
