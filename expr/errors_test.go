package expr_test

import (
	"os"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// An errorBlock is a source with its expected error, as testdata/*.errors hold
// them:
//
//	name
//	| the source, one line or more
//	      ^ the column, under the line in which it is
//	CODE: part of the message
//	hint: part of the hint
//
// Adding a case needs no Go.
type errorBlock struct {
	name, src    string
	line, column int
	code         diag.Code
	msg, hint    string
}

func readErrorBlocks(t testing.TB, file string) []errorBlock {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []errorBlock
	for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		if strings.HasPrefix(text, "#") {
			continue
		}
		blocks = append(blocks, readErrorBlock(t, text))
	}
	if len(blocks) == 0 {
		t.Fatalf("%s: no cases", file)
	}
	return blocks
}

func readErrorBlock(t testing.TB, text string) errorBlock {
	t.Helper()
	var b errorBlock
	var src []string
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(line, "| "):
			src = append(src, line[2:])
		case strings.HasPrefix(trimmed, "^") && len(src) > 0:
			b.line, b.column = len(src), len(line)-len(trimmed)-1
		case strings.HasPrefix(line, "hint: "):
			b.hint = strings.TrimPrefix(line, "hint: ")
		case len(src) > 0:
			code, msg, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("%q: want CODE: message", line)
			}
			b.code, b.msg = diag.Code(code), msg
		default:
			b.name = line
		}
	}
	b.src = strings.Join(src, "\n")
	if b.name == "" || b.line == 0 || b.code == "" || b.hint == "" {
		t.Fatalf("incomplete case %+v", b)
	}
	return b
}

// errorOptions are the options of every case.
var errorOptions = expr.Options{
	Params: map[string]bool{"method": true, "timeout": true},
	Locals: []string{"row", "index"},
}

func TestConditionErrors(t *testing.T) {
	for _, b := range readErrorBlocks(t, "testdata/condition.errors") {
		t.Run(b.name, func(t *testing.T) {
			_, err := expr.ParseCondition(b.src, errorOptions)
			b.check(t, err)
		})
	}
}

func TestTemplateErrors(t *testing.T) {
	for _, b := range readErrorBlocks(t, "testdata/template.errors") {
		t.Run(b.name, func(t *testing.T) {
			_, err := expr.ParseTemplate(b.src, errorOptions)
			b.check(t, err)
		})
	}
}

func (b errorBlock) check(t *testing.T, err error) {
	t.Helper()
	e := diag.As(err)
	if e == nil {
		t.Fatalf("got error %v, want %s", err, b.code)
	}
	if e.Code != b.code || !strings.Contains(e.Msg, b.msg) {
		t.Errorf("got  %s: %s\nwant %s: %s", e.Code, e.Msg, b.code, b.msg)
	}
	if e.Pos.Line != b.line || e.Pos.Column != b.column {
		t.Errorf("got position %v, want %d:%d", e.Pos, b.line, b.column)
	}
	if !strings.Contains(e.Hint, b.hint) {
		t.Errorf("got hint %q, want it to hold %q", e.Hint, b.hint)
	}
}

// TestLimits has the cases that are too long for a file.
func TestLimits(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "true" + strings.Repeat(")", n) }
	for _, c := range []struct {
		name, src string
		limits    expr.Limits
		column    int // 0: no error
		msg       string
	}{
		{"depth 50", deep(50), expr.Limits{}, 0, ""},
		{"depth 51", deep(51), expr.Limits{}, 51, "50 levels"},
		{"negations", strings.Repeat("!", 51) + "true", expr.Limits{}, 51, "50 levels"},
		{"own depth", deep(3), expr.Limits{Depth: 2}, 3, "2 levels"},
		{"deep and hostile", deep(2000), expr.Limits{}, 51, "50 levels"},
		{"path of 50", "${params" + strings.Repeat(".a", 50) + "}", expr.Limits{}, 0, ""},
		{"path of 51", "${params" + strings.Repeat(".a", 51) + "}", expr.Limits{}, 109, "at most 50"},
		{"4 KiB", "true" + strings.Repeat(" ", 4<<10-4), expr.Limits{}, 0, ""},
		{"4 KiB and 1", "true" + strings.Repeat(" ", 4<<10-3), expr.Limits{}, 1, "4097 bytes"},
		{"long chain", "true" + strings.Repeat("&&true", 680), expr.Limits{}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := expr.ParseCondition(c.src, expr.Options{Limits: c.limits})
			checkLimit(t, err, c.column, c.msg)
		})
	}
}

func checkLimit(t *testing.T, err error, column int, msg string) {
	t.Helper()
	if column == 0 {
		if err != nil {
			t.Fatalf("got error %v, want none", err)
		}
		return
	}
	e := diag.As(err)
	if e == nil || e.Code != diag.LimitExceeded || e.Pos.Column != column || !strings.Contains(e.Msg, msg) || e.Hint == "" {
		t.Errorf("got %#v, want LIMIT_EXCEEDED at column %d with %q and a hint", e, column, msg)
	}
}

func TestTemplateLimits(t *testing.T) {
	long := strings.Repeat("x", 4<<10)
	for _, c := range []struct {
		name, src string
		column    int
		msg       string
	}{
		{"long text without references", strings.Repeat("x", 1<<20), 0, ""},
		{"too long text without references", strings.Repeat("x", 1<<20+1), 1, "1048577 bytes"},
		{"long text with a reference", long + "${method}", 1, "4105 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := expr.ParseTemplate(c.src, errorOptions)
			checkLimit(t, err, c.column, c.msg)
		})
	}
}

func TestOutputLimit(t *testing.T) {
	big := strings.Repeat("x", 600<<10)
	s := &expr.Scope{Params: map[string]any{"big": big, "list": []any{big, big, big}}}
	for _, c := range []struct {
		name, src string
		column    int
	}{
		{"one", "a ${params.big}", 0},
		{"two", "${params.big}${params.big}", 14},
		{"array", "a ${params.list}", 3},
		{"alone", "${params.list}", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmpl, err := expr.ParseTemplate(c.src, expr.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = tmpl.Eval(s)
			checkLimit(t, err, c.column, "1048576 bytes")
		})
	}
	t.Run("text of one alone", func(t *testing.T) {
		tmpl, err := expr.ParseTemplate("${params.list}", expr.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = tmpl.Text(s)
		checkLimit(t, err, 1, "1048576 bytes")
	})
}

func TestPositionFunction(t *testing.T) {
	pos := func(off int) diag.Pos { return diag.Pos{File: "a.yaml", Line: 9, Column: 30 + off} }
	c, err := expr.ParseCondition("true && ${params.x}", expr.Options{Pos: pos})
	if err != nil {
		t.Fatal(err)
	}
	want := diag.Pos{File: "a.yaml", Line: 9, Column: 38}
	if got := c.Refs()[0].Pos; got != want {
		t.Errorf("reference: got %v, want %v", got, want)
	}
	_, err = expr.ParseCondition("true && $x", expr.Options{Pos: pos})
	if e := diag.As(err); e == nil || e.Pos != want {
		t.Errorf("error: got %v, want it at %v", err, want)
	}
}

// A pattern from a value is checked at run time. The error does not show the pattern, because it
// may be a secret.
func TestPatternFromValue(t *testing.T) {
	c, err := expr.ParseCondition("'abc' matches ${params.p}", expr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name    string
		pattern any
		want    bool
		msg     string // of an error
	}{
		{"matches", "^a", true, ""},
		{"does not match", "^b", false, ""},
		{"bad", "s3cret(", false, "missing closing )"},
		{"look-around", "(?=s3cret)", false, "invalid or unsupported Perl syntax"},
		{"missing", nil, false, "found null"},
		{"number", 5, false, "found a number"},
		{"too long", strings.Repeat("a", 5000), false, "5000 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := c.Eval(&expr.Scope{Params: map[string]any{"p": tc.pattern}})
			if tc.msg == "" {
				if err != nil || got != tc.want {
					t.Errorf("got %v, %v; want %v", got, err, tc.want)
				}
				return
			}
			e := diag.As(err)
			if e == nil || e.Code != diag.ParamInvalid || e.Pos.Column != 15 || e.Hint == "" || !strings.Contains(e.Msg, tc.msg) {
				t.Fatalf("got %#v, want PARAM_INVALID at column 15 with %q", e, tc.msg)
			}
			if strings.Contains(e.Msg+e.Hint, "s3cret") {
				t.Errorf("the error shows the pattern: %s; %s", e.Msg, e.Hint)
			}
		})
	}
}

func TestRefMadeByHand(t *testing.T) {
	s := &expr.Scope{Params: map[string]any{"a": map[string]any{"b": 1, "__proto__": 2}}}
	good := expr.Ref{Root: expr.RootParams, Name: "a", Path: []expr.Key{{Name: "b"}}}
	if v, err := good.Value(s); v != 1 || err != nil {
		t.Errorf("got %v, %v; want 1", v, err)
	}
	bad := expr.Ref{Root: expr.RootParams, Name: "a", Path: []expr.Key{{Name: "__proto__"}}}
	if v, err := bad.Value(s); v != nil || diag.CodeOf(err) != diag.SecurityError {
		t.Errorf("got %v, %v; want SECURITY_ERROR", v, err)
	}
}
