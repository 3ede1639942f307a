package daemon_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon"
)

func TestBadInput(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, line string
		id         string // echoed
		msg, hint  string // parts of the error
	}{
		{name: "not JSON", line: `hello`, id: `null`, msg: "invalid JSON: invalid character 'h'", hint: `"type": "status"`},
		{name: "half an object", line: `{"id":1,"type":`, id: `null`, msg: "invalid JSON: unexpected end"},
		{name: "two values", line: `{"id":1,"type":"status"}{}`, id: `null`, msg: "invalid JSON"},
		{name: "list", line: `[1]`, id: `null`, msg: "found a list as the request, expected an object"},
		{name: "text", line: `"status"`, id: `null`, msg: "found a text as the request, expected an object"},
		{name: "null", line: `null`, id: `null`, msg: "found null as the request, expected an object"},
		{name: "number", line: ` 12`, id: `null`, msg: "found a number as the request, expected an object"},
		{name: "not UTF-8", line: "{\"id\":1,\"type\":\"sta\xfftus\"}", id: `null`, msg: "not UTF-8"},
		{name: "NUL", line: "{\"id\":1,\x00\"type\":\"status\"}", id: `null`, msg: "invalid JSON"},
		{name: "byte order mark", line: "\ufeff{\"id\":1,\"type\":\"status\"}", id: `null`, msg: "invalid JSON: invalid character"},
		{name: "list id", line: `{"id":[1],"type":"status"}`, id: `null`, msg: "the field \"id\" is a list"},
		{name: "half a number as id", line: `{"id":1e,"type":"status"}`, id: `null`, msg: "invalid JSON"},
		{name: "no id", line: `{"type":"status"}`, id: `null`, msg: "without the field \"id\""},
		{name: "null id", line: `{"id":null,"type":"status"}`, id: `null`, msg: "the field \"id\" is null, expected a text or a number"},
		{name: "object id", line: `{"id":{},"type":"status"}`, id: `null`, msg: "the field \"id\" is an object, expected a text or a number"},
		{name: "boolean id", line: `{"id":true,"type":"status"}`, id: `null`, msg: "the field \"id\" is a boolean"},
		{name: "long id", line: `{"id":"` + strings.Repeat("x", 2000) + `","type":"status"}`, id: `null`, msg: "2002 bytes long, expected at most 1024"},
		{name: "id twice", line: `{"id":1,"id":2,"type":"status"}`, id: `null`, msg: `"id" twice in one object`},
		{name: "no type", line: `{"id":1}`, id: `1`, msg: "without the field \"type\""},
		{name: "type no text", line: `{"id":1,"type":2}`, id: `1`, msg: "the field \"type\" is a number, expected a text"},
		{name: "null type", line: `{"id":1,"type":null}`, id: `1`, msg: "the field \"type\" is null, expected a text"},
		{name: "unknown type", line: `{"id":1,"type":"action.rum"}`, id: `1`, msg: `unknown type "action.rum"`, hint: "did you mean action.run?"},
		{name: "poor type", line: `{"id":1,"type":"xyz"}`, id: `1`, msg: `unknown type "xyz"`, hint: "action.list, action.describe"},
		{name: "unknown field", line: `{"id":1,"type":"action.run","action":"test:echo","parms":{}}`, id: `1`, msg: `unknown field "parms" in action.run`, hint: "did you mean params?"},
		{name: "field of another type", line: `{"id":1,"type":"status","action":"x"}`, id: `1`, msg: `unknown field "action" in status`, hint: "only the fields id and type"},
		{name: "case counts", line: `{"id":1,"Type":"status"}`, id: `1`, msg: "without the field \"type\""},
		{name: "case of a field", line: `{"id":1,"type":"action.run","action":"test:echo","Params":{}}`, id: `1`, msg: `unknown field "Params"`, hint: "did you mean params?"},
		{name: "unknown format", line: `{"id":1,"type":"action.describe","action":"web","format":"xml"}`, id: `1`, msg: "the field \"format\" of action.describe has an unknown value, expected one of json, text"},
		{name: "missing field", line: `{"id":1,"type":"action.run"}`, id: `1`, msg: "found action.run without the field \"action\""},
		{name: "required is empty", line: `{"id":1,"type":"action.search","query":""}`, id: `1`, msg: "found action.search without the field \"query\""},
		{name: "required is an empty list", line: `{"id":1,"type":"action.validate","paths":[]}`, id: `1`, msg: "found a request action.validate without the field \"paths\", expected a list of definition files"},
		{name: "required is null", line: `{"id":1,"type":"action.run","action":null}`, id: `1`, msg: "found action.run without the field \"action\""},
		{name: "field twice", line: `{"id":1,"type":"action.run","action":"a","action":"b"}`, id: `1`, msg: `"action" twice in one object`},
		{name: "name twice in params", line: `{"id":1,"type":"action.run","action":"test:echo","params":{"a":1,"b":{"a":1,"a":2}}}`, id: `1`, msg: `"a" twice in one object`},
		{name: "id twice in params is no id", line: `{"id":7,"type":"action.run","action":"test:echo","params":{"id":1,"id":2}}`, id: `7`, msg: `"id" twice in one object`},
		{name: "params is a list", line: `{"id":1,"type":"action.run","action":"test:echo","params":[]}`, id: `1`, msg: "the field \"params\" of action.run is a list, expected an object"},
		{name: "action is a number", line: `{"id":1,"type":"action.run","action":1}`, id: `1`, msg: "the field \"action\" of action.run is a number, expected a text"},
		{name: "stream is a text", line: `{"id":1,"type":"action.run","action":"test:echo","stream":"yes"}`, id: `1`, msg: "the field \"stream\" of action.run is a text, expected a boolean"},
		{name: "env value", line: `{"id":1,"type":"action.list","env":{"A":1}}`, id: `1`, msg: "the field \"env\" of action.list is an object, expected an environment"},
		{name: "paths entry", line: `{"id":1,"type":"action.validate","paths":[null]}`, id: `1`, msg: "the field \"paths\" of action.validate is a list, expected a list of texts"},
		{name: "cwd relative", line: `{"id":1,"type":"action.list","cwd":"here"}`, id: `1`, msg: "the field \"cwd\" of action.list is a relative path, expected an absolute path"},
		{name: "limit negative", line: `{"id":1,"type":"action.search","query":"x","limit":-1}`, id: `1`, msg: "the field \"limit\" of action.search is a number, expected an integer from 0"},
		{name: "limit fraction", line: `{"id":1,"type":"action.search","query":"x","limit":1.5}`, id: `1`, msg: "expected an integer"},
		{name: "timeout without unit", line: `{"id":1,"type":"action.run","action":"test:echo","timeout":"5"}`, id: `1`, msg: "expected an integer of milliseconds, or a text such as 500ms"},
		{name: "timeout negative", line: `{"id":1,"type":"action.run","action":"test:echo","timeout":-1}`, id: `1`, msg: "expected an integer of milliseconds"},
		{name: "timeout too large", line: `{"id":1,"type":"action.run","action":"test:echo","timeout":9223372036854775807}`, id: `1`, msg: "expected an integer of milliseconds"},
		{name: "unknown option", line: `{"id":1,"type":"session.open","options":{"hedaed":true}}`, id: `1`, msg: `unknown field "hedaed" in options`, hint: "did you mean headed?"},
		{name: "half a viewport", line: `{"id":1,"type":"session.open","options":{"viewport":{"width":1}}}`, id: `1`, msg: "found viewport without the field \"height\""},
		{name: "number too large", line: `{"id":1,"type":"action.run","action":"test:echo","params":{"n":1e999}}`, id: `1`, msg: "is too large"},
		{name: "number too large in a list", line: `{"id":1,"type":"step","step":"wait","args":{"a":[{"n":-1e999}]}}`, id: `1`, msg: "is too large"},
		{name: "lone surrogates as names", line: `{"id":1,"type":"step","step":"wait","args":{"\ud800":1,"\udc00":1}}`, id: `1`, msg: "twice in one object"},
		{name: "name twice in another spelling", line: `{"id":1,"type":"status","typ\u0065":"hello"}`, id: `1`, msg: `"type" twice in one object`},
		{name: "empty list with space", line: `{"id":1,"type":"action.validate","paths":[ ]}`, id: `1`, msg: "without the field \"paths\""},
		{name: "viewport too large", line: `{"id":1,"type":"session.open","options":{"viewport":{"width":10001,"height":1}}}`, id: `1`, msg: "the field \"width\" of viewport is a number, expected an integer from 1 to 10000"},
		{name: "target is an object", line: `{"id":1,"type":"cancel","target":{}}`, id: `1`, msg: "the field \"target\" of cancel is an object, expected a text or a number"},
		{name: "deep", line: `{"id":1,"type":"action.run","action":"test:echo","params":{"x":` + deep(63) + `}}`, id: `1`, msg: "nested too deeply, expected at most 64"},
		{name: "too many values", line: `{"id":1,"type":"step","step":"wait","args":{"a":[` + strings.Repeat(`{"":1},`, 50_000) + `0]}}`, id: `1`, msg: "too many names and values, expected at most 100000"},
		{name: "very deep", line: `{"id":1,"type":"action.run","action":"test:echo","params":{"x":` + deep(200_000) + `}}`, id: `null`, msg: "exceeded max depth"},
		{name: "long names are cut", line: `{"id":1,"type":"` + strings.Repeat("x", 5000) + `"}`, id: `1`, msg: "xxx…"},
		{name: "one byte too long", line: `{"id":1,"type":"cancel","target":1}` + strings.Repeat(" ", 8<<20-34), id: `null`, msg: "too long, expected at most 8388608 bytes"},
		{name: "too long", line: `{"id":1,"type":"status","x":"` + strings.Repeat("x", 9<<20) + `"}`, id: `null`, msg: "too long, expected at most 8388608 bytes"},
	}
	s := serve(t, daemon.Options{})
	p := s.dial(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := p.ask(test.line)
			if m.Success || m.code() != "INVALID_REQUEST" {
				t.Fatalf("%.100s\ngot  %s\nwant INVALID_REQUEST", test.line, text(m))
			}
			if string(m.ID) != test.id {
				t.Errorf("id = %s, want %s", m.ID, test.id)
			}
			if !strings.Contains(m.Error.Msg, test.msg) {
				t.Errorf("message = %q, want %q in it", m.Error.Msg, test.msg)
			}
			if !strings.Contains(m.Error.Hint, test.hint) || m.Error.Hint == "" {
				t.Errorf("suggestion = %q, want %q in it", m.Error.Hint, test.hint)
			}
			p.mustAnswer()
		})
	}
}

func TestGoodInput(t *testing.T) {
	deepest := strings.Repeat("[", 62) + strings.Repeat("]", 62)
	tests := []struct{ name, send, want string }{
		{"text id", `{"id":"a b","type":"cancel","target":1}`, `{"id":"a b","success":true,"data":{"cancelled":false}}`},
		{"large id keeps its digits", `{"id":123456789012345678901234567890,"type":"cancel","target":1}`, `{"id":123456789012345678901234567890,"success":true,`},
		{"fraction keeps its form", `{"id":1.50e2,"type":"cancel","target":1}`, `{"id":1.50e2,"success":true,`},
		{"escaped id", `{"id":"\u0041<","type":"cancel","target":1}`, `{"id":"\u0041<","success":true,`},
		{"null is absent", `{"id":1,"type":"action.run","action":"test:echo","params":null,"env":null,"cwd":null}`, `"session":"default"`},
		{"carriage return and space", "  {\"id\":1,\"type\":\"cancel\",\"target\":1} \r", `{"id":1,"success":true,`},
		{"just long enough", `{"id":1,"type":"cancel","target":1}` + strings.Repeat(" ", 8<<20-35), `{"id":1,"success":true,`},
		{"negative zero", `{"id":-0,"type":"action.run","action":"test:echo","params":{"n":-0.0}}`, `{"id":-0,"success":true,`},
		{"lone surrogate", `{"id":"\ud800","type":"action.run","action":"test:echo","params":{"x":"\udc00"}}`, `"params":{"x":"�"}`},
		{"NUL in a param", `{"id":1,"type":"action.run","action":"test:echo","params":{"x":"a\u0000b"}}`, `"params":{"x":"a\u0000b"}`},
		{"empty lines", "\n \n\r\n{\"id\":1,\"type\":\"cancel\",\"target\":1}", `{"id":1,"success":true,`},
		{"deepest", `{"id":1,"type":"action.run","action":"test:echo","params":{"x":` + deepest + `}}`, `"params":{"x":[[[`},
		{"call", `{"id":1,"type":"step","step":"wait","args":{"time":8},"session":"s","cwd":"/tmp","env":{"A":"b"},"timeout":"2s"}`,
			`"data":{"cwd":"/tmp","env":{"A":"b"},"params":{"time":8},"session":"s","timeout":"2s"}`},
		{"milliseconds", `{"id":1,"type":"action.run","action":"test:echo","timeout":1500}`, `"timeout":"1.5s"`},
		{"no HTML escapes", `{"id":1,"type":"action.run","action":"test:echo","params":{"x":"<&>"}}`, `"x":"<&>"`},
		{"dry run", `{"id":1,"type":"action.dryRun","action":"test:echo"}`, `{"id":1,"success":true,"data":{"success":true,"action":"test:echo"`},
		{"failed dry run", `{"id":1,"type":"action.dryRun","action":"test:none"}`, `{"id":1,"success":false,"error":{"code":"ACTION_NOT_FOUND"`},
		{"list", `{"id":1,"type":"action.list","namespace":"web"}`, `"name":"web:page:read"`},
		{"list of nothing", `{"id":1,"type":"action.list","namespace":"wep"}`, `"code":"ACTION_NOT_FOUND"`},
		{"describe", `{"id":1,"type":"action.describe","action":"web:page:read"}`, `"data":{"name":"web:page:read"`},
		{"describe for people", `{"id":1,"type":"action.describe","action":"web:page:read","format":"text"}`, `"data":{"text":"web:page:read  (builtin`},
		{"describe a namespace for people", `{"id":1,"type":"action.describe","action":"web","format":"text"}`, `"data":{"text":"web  (builtin`},
		{"describe as data", `{"id":1,"type":"action.describe","action":"web","format":"json"}`, `"data":{"name":"web"`},
		{"search", `{"id":1,"type":"action.search","query":"page","limit":1}`, `"data":{"actions":[{"name":"web:page:`},
		{"search without a match", `{"id":1,"type":"action.search","query":"qqqqq"}`, `"data":{"actions":[]}`},
		{"validate", `{"id":1,"type":"action.validate","paths":["none.yaml"],"cwd":"/nowhere"}`, `"valid":false`},
		{"reload", `{"id":1,"type":"action.reload"}`, `"actions":1`},
		{"open", `{"id":1,"type":"session.open","session":"x","options":{"headed":false,"viewport":{"width":800,"height":600}}}`, `"name":"x"`},
		{"sessions", `{"id":1,"type":"session.list"}`, `"sessions":[`},
		{"close", `{"id":1,"type":"session.close","session":"x"}`, `"data":{"closed":"x"}`},
		{"close nothing", `{"id":1,"type":"session.close","session":"x"}`, `{"id":1,"success":false,"error":{"code":"INVALID_REQUEST"`},
		{"hello", `{"id":1,"type":"hello"}`, `"data":{"protocol":1,`},
	}
	s := serve(t, daemon.Options{})
	p := s.dial(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if m := p.ask(test.send); !strings.Contains(text(m), test.want) {
				t.Errorf("%.100s\ngot  %s\nwant %s in it", test.send, text(m), test.want)
			}
		})
	}
}

// TestMutations checks that damaged requests affect neither their connection nor others.
func TestMutations(t *testing.T) {
	good := []string{
		`{"id":1,"type":"action.run","action":"test:echo","params":{"a":[1,2,{"b":"ü"}]},"session":"s1","stream":true}`,
		`{"id":"x","type":"step","step":"wait","args":{"time":8000},"timeout":"5s","env":{"A":"1"}}`,
		`{"id":2.5,"type":"session.open","session":"n","options":{"viewport":{"width":10,"height":20},"locale":"de"}}`,
		`{"id":3,"type":"action.search","query":"page","limit":3,"cwd":"/","path":""}`,
		`{"id":4,"type":"cancel","target":1}`,
		`{"id":5,"type":"session.close","session":"s1"}`,
		`{"id":6,"type":"action.dryRun","action":"test:echo","from_text":false,"strict":true}`,
	}
	s := serve(t, daemon.Options{})
	p, other := s.dial(t), s.dial(t)
	p.mutate(rand.New(rand.NewPCG(3, 11)), good, 10_000)
	other.mustAnswer()
	p.mustAnswer()
}

// mutate sends damaged requests and expects one reply to each.
func (p *peer) mutate(random *rand.Rand, good []string, n int) {
	p.t.Helper()
	for i := range n {
		line := mutated(random, good[random.IntN(len(good))])
		if strings.TrimSpace(line) == "" || strings.Contains(line, "shutdown") {
			continue
		}
		// The marker is answered after all requests that are answered at once. The others take only a
		// little longer, so read until both replies have arrived.
		marker := fmt.Sprintf(`"marker %d"`, i)
		p.send(line + "\n{\"id\":" + marker + ",\"type\":\"status\"}\n")
		seen, replied := false, false
		for !seen || !replied {
			m := p.receive()
			switch {
			case string(m.ID) == marker:
				seen = true
			case m.Event == "" && replied:
				p.t.Fatalf("mutation %d %q: a second reply %s", i, line, text(m))
			case m.Event == "":
				replied = true
			}
		}
	}
}

// mutated damages a line at up to three positions. The result has no line break.
func mutated(random *rand.Rand, line string) string {
	b := []byte(line)
	tokens := []string{`"`, `{`, `}`, `[`, `]`, `,`, `:`, `null`, `true`, `-1`, `1e9`, `"id"`, `"type"`, "\xff", "\x00", `\u0000`, `\`, ` `}
	for range 1 + random.IntN(3) {
		if len(b) == 0 {
			break
		}
		at := random.IntN(len(b))
		switch random.IntN(6) {
		case 0:
			b = append(b[:at], b[at+1:]...)
		case 1:
			b[at] = byte(random.IntN(256))
		case 2:
			b = append(b[:at:at], append([]byte(tokens[random.IntN(len(tokens))]), b[at:]...)...)
		case 3:
			b = b[:at]
		case 4:
			end := at + random.IntN(len(b)-at)
			b = append(b[:end:end], append(append([]byte(nil), b[at:end]...), b[end:]...)...)
		case 5:
			other := random.IntN(len(b))
			b[at], b[other] = b[other], b[at]
		}
	}
	return strings.NewReplacer("\n", "", "\r", "").Replace(string(b))
}
