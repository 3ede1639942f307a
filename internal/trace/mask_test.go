package trace

import (
	"bytes"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/diag"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMaskString(t *testing.T) {
	tests := []struct {
		name    string
		secrets []any
		in      string
		want    string
	}{
		{"no secret", nil, "plain", "plain"},
		{"plain", []any{"hunter2"}, "pw is hunter2!", "pw is ***!"},
		{"inside a word", []any{"hunter2"}, "xhunter2x", "x***x"},
		{"several", []any{"hunter2"}, "hunter2hunter2", "******"},
		{"longest first", []any{"pass", "password"}, "password pass", "*** ***"},
		{"query escape", []any{"a b&c=d"}, "?q=a+b%26c%3Dd&x", "?q=***&x"},
		{"path escape", []any{"a b/c?d"}, "/a%20b%2fc%3Fd/", "/***/"},
		{"lower-case hex", []any{"a/b/c"}, "a%2fb%2Fc", "***"},
		{"encoded twice", []any{"a/b/c"}, "next=%2Fx%3Fk%3Da%252Fb%252fc", "next=%2Fx%3Fk%3D***"},
		{"fully percent-encoded", []any{"key1"}, "%6b%65%79%31", "***"},
		{"percent in the secret", []any{"a%41b"}, "a%41b a%2541b", "*** ***"},
		{"utf-8 percent", []any{"clé-é"}, "cl%C3%A9-%c3%a9", "***"},
		{"json", []any{`a"b\c`}, `{"k":"a\"b\\c"}`, `{"k":"***"}`},
		{"json in json", []any{`a"b\c`}, `"{\"k\":\"a\\\"b\\\\c\"}"`, `"{\"k\":\"***\"}"`},
		{"json unicode", []any{"a<b>ü"}, `a\u003cb\u003E\u00fc`, "***"},
		{"json surrogates", []any{"key😀"}, `key\ud83d\ude00`, "***"},
		{"html", []any{`a<"&'b`}, "a&lt;&quot;&amp;&#39;b a&lt;&#34;&amp;&#x27;b", "*** ***"},
		{"html twice", []any{`a<b&c`}, "a&amp;lt;b&amp;amp;c", "***"},
		{"folded space", []any{" top \n secret\n"}, "top secret, top\tsecret, top%0Asecret, top\\nsecret", "***, ***, ***, ***"},
		{"in capitals", []any{"tok-qwertzu-é"}, "KEY TOK-QWERTZU-É APPLIED, TOK%2DQWERTZU-é", "KEY *** APPLIED, TOK%2DQWERTZU-é"},
		{"in small letters", []any{"ÉCLAIR-KEY-9"}, "éclair-key-9", "***"},
		{"a name beside it", []any{"lovelace"}, "Ada Lovelace LOVELACE", "Ada Lovelace ***"},
		{"an ordinary word in capitals", []any{"admin"}, "Admin admin ADMIN", "Admin *** ADMIN"},
		{"short alone", []any{"42"}, "42", "***"},
		{"short between signs", []any{"42"}, "pin=42&x", "pin=***&x"},
		{"short in a number", []any{"42"}, "1427 a42 42b", "1427 a42 42b"},
		{"short beside letters of another script", []any{"42"}, "第42章", "第42章"},
		{"short after an escape", []any{"42"}, "a%3D42 b\\n42 \\u003d42", "a%3D*** b\\n*** \\u003d***"},
		{"number", []any{12345}, "id 12345", "id ***"},
		{"nested", []any{map[string]any{"k": []any{"alpha", map[string]any{"z": "beta"}}}}, "alpha beta k z", "*** *** k z"},
		{"booleans and null are none", []any{true, nil, ""}, "true null", "true null"},
		{"only white space is none", []any{" \n"}, "a b", "a b"},
		{"cut at its end", []any{"hunter2-and-more"}, `heading "Your key: hunter2-an…"`, `heading "Your key: ***…"`},
		{"cut after three characters", []any{"hunter2"}, "hun… hunt…", "hun… ***…"},
		{"cut in an escape", []any{"key/with/slashes"}, "a%2Fkey%2Fwith%2… a&#4… key\\u002fwith\\u00…", "a%2F***… a&#4… ***…"},
		{"cut at its beginning", []any{"hunter2-and-more"}, "first…nd-more last, …ore", "first…*** last, …ore"},
		{"cut by a page with dots", []any{"hunter2-and-more"}, "hunter2-... hunter2-a....", "***... ***...."},
		{"cut by a page in the middle", []any{"hunter2-and-more"}, "hunt...more hunt … more hunt[...]more hunt⋯more", "***...*** *** … *** ***[...]*** ***⋯***"},
		{"its last part", []any{strings.Repeat("hunter2-", 50)}, "…" + strings.Repeat("hunter2-", 40), "…***"},
		{"dots alone", []any{"more.than"}, "Loading... more. And .... moth", "Loading... more. And .... moth"},
		{"another text that is cut", []any{"hunter2"}, "hunting…, a hunter…", "hunting…, a ***…"},
		{"a plus that a form decodes", []any{"Qx7+Lm9"}, "token Qx7 Lm9, Qx7+Lm9, Qx7%2BLm9", "token ***, ***, ***"},
		{"unfinished escapes", []any{"a/b/c"}, "a%2 a%2Fb% a\\u00 a&lt &#;", "a%2 a%2Fb% a\\u00 a&lt &#;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m Masker
			m.Add(tt.secrets...)
			if got := m.String(tt.in); got != tt.want {
				t.Errorf("String(%q) with %q = %q, want %q", tt.in, tt.secrets, got, tt.want)
			}
		})
	}
}

// TestMaskEncodings checks that every secret is masked, in each of its encodings.
func TestMaskEncodings(t *testing.T) {
	encoders := map[string]func(string) string{
		"plain":       func(s string) string { return s },
		"query":       url.QueryEscape,
		"path":        url.PathEscape,
		"query twice": func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
		"lower query": func(s string) string {
			return lowerHex(url.PathEscape(s))
		},
		"html": html.EscapeString,
		"json": func(s string) string {
			b, _ := json.Marshal(s)
			return string(b[1 : len(b)-1])
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[ -~éü中😀]{4,20}`).Filter(func(s string) bool {
			return len(strings.Join(strings.Fields(s), " ")) >= shortBytes
		}).Draw(t, "secret")
		s = strings.TrimSpace(s)
		var m Masker
		m.Add(s)
		for name, encode := range encoders {
			if got := m.String("[" + encode(s) + "]"); got != "["+Mask+"]" {
				t.Fatalf("%s: String(%q) = %q, want [***]", name, "["+encode(s)+"]", got)
			}
		}
	})
}

// TestMaskOfCutTexts checks that at most three characters of a secret remain, wherever the text is
// cut.
func TestMaskOfCutTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := []rune(rapid.StringMatching(`[A-Za-z0-9/+=&"-]{5,40}`).Draw(t, "secret"))
		k := rapid.IntRange(shortBytes, len(r)-1).Draw(t, "characters left")
		var m Masker
		m.Add(string(r))
		for name, encode := range map[string]func(string) string{"plain": func(s string) string { return s }, "query": url.QueryEscape, "html": html.EscapeString} {
			begin, end := encode(string(r[:k])), encode(string(r[len(r)-k:]))
			for cut := begin; len(cut) > len(encode(string(r[:k-1]))); cut = cut[:len(cut)-1] {
				if got := m.String("[" + cut + "…"); k > shortBytes && got != "["+Mask+"…" {
					t.Fatalf("%s: String(%q) = %q, want [***…", name, "["+cut+"…", got)
				}
			}
			if got := m.String("…" + end + "]"); got != "…"+Mask+"]" {
				t.Fatalf("%s: String(%q) = %q, want …***]", name, "…"+end+"]", got)
			}
		}
	})
}

// TestMaskOfACutEscape checks that an escape is masked completely, even if it begins with the last
// character of the secret.
func TestMaskOfACutEscape(t *testing.T) {
	var m Masker
	m.Add(`""""&a`)
	for _, cut := range []string{"&", "&a", "&am", "&amp", "&amp;", "&amp;a"} {
		if got := m.String("[" + strings.Repeat("&#34;", 4) + cut + "…"); got != "["+Mask+"…" {
			t.Errorf("cut behind %s: %q", cut, got)
		}
	}
}

func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

func TestMaskValue(t *testing.T) {
	var m Masker
	m.Add("hunter2", 9876543)
	type row struct {
		Name string `json:"name"`
	}
	in := map[string]any{
		"list":        []any{"hunter2", 1, true, nil, 9876543.0, int64(9876543)},
		"hunter2":     1,
		"***":         2,
		"texts":       []string{"a hunter2"},
		"struct":      row{Name: "hunter2"},
		"deep":        map[string]any{"k": map[string]any{"hunter2": "x"}},
		"nil":         map[string]any(nil),
		"unprintable": func() {},
	}
	want := map[string]any{
		"list":        []any{"***", 1, true, nil, "***", "***"},
		"***#2":       1,
		"***":         2,
		"texts":       []string{"a ***"},
		"struct":      map[string]any{"name": "***"},
		"deep":        map[string]any{"k": map[string]any{"***": "x"}},
		"nil":         map[string]any(nil),
		"unprintable": "***",
	}
	got := m.Value(in)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Value (-want +got):\n%s", diff)
	}
	if in["list"].([]any)[0] != "hunter2" {
		t.Error("Value changed its argument")
	}
}

func TestMaskKeysAreDeterministic(t *testing.T) {
	var m Masker
	m.Add("alpha", "omega")
	in := map[string]any{"alpha": 1, "omega": 2}
	want := map[string]any{"***": 1, "***#2": 2}
	for range 20 {
		if diff := cmp.Diff(any(want), m.Value(in)); diff != "" {
			t.Fatalf("Value (-want +got):\n%s", diff)
		}
	}
}

func TestMaskError(t *testing.T) {
	var m Masker
	m.Add("hunter2")
	cause := diag.New(diag.StepFailed, "field holds %q", "hunter2").
		WithHint("do not use hunter2").WithNote(diag.Pos{Line: 1}, "hunter2").WithDetail("value", "hunter2").
		Because(diag.New(diag.Internal, "hunter2"))
	got := m.Error(cause)
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "hunter2") || got.Err != nil {
		t.Errorf("Error left the secret: %s, cause %v", b, got.Err)
	}
	if cause.Msg != `field holds "hunter2"` {
		t.Errorf("Error changed its argument: %q", cause.Msg)
	}
	if m.Error(nil) != nil {
		t.Error("Error(nil) is not nil")
	}
}

// TestMaskHostile checks that the cost is linear in the length of the text, even for a secret with
// many spellings.
func TestMaskHostile(t *testing.T) {
	var m Masker
	m.Add(strings.Repeat(`\`, 30)+"x", strings.Repeat("%25", 20)+"x", strings.Repeat("&amp;", 20)+"x")
	in := strings.Repeat(`\`, 150) + strings.Repeat("%25", 100) + strings.Repeat("&amp;", 100)
	if got := m.String(in); got != in {
		t.Errorf("String changed a text without the secret: %q", got)
	}
}

func TestMaskerConcurrent(t *testing.T) {
	var m Masker
	m.Add("hunter2")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.Add("secret" + strings.Repeat("x", i))
			if got := m.String("hunter2"); got != Mask {
				t.Errorf("String = %q, want %q", got, Mask)
			}
		}()
	}
	wg.Wait()
}

func TestNilMasker(t *testing.T) {
	var m *Masker
	if got := m.Value("x"); got != "x" {
		t.Errorf("Value = %v, want x", got)
	}
}

func TestRecorder(t *testing.T) {
	var buf bytes.Buffer
	var m Masker
	m.Add("hunter2")
	r := NewRecorder(&buf)
	index := 0
	r.Record(m.Until(nil), Entry{
		Event: "step", Action: "shop:user:login", Path: "steps[0]", Index: &index, Step: "fill", Status: "failed",
		Selector: "text:hunter2", Input: map[string]any{"value": "hunter2"}, Output: map[string]any{"value": "hunter2"},
		Decision: "hunter2 == ''", Error: diag.New(diag.StepFailed, "holds hunter2"), DurationMS: 3,
	})
	r.Record(m.Until(nil), Entry{Event: "end", Action: "shop:user:login"})
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	if len(lines) != 2 || strings.Contains(buf.String(), "hunter2") || strings.Count(buf.String(), Mask) != 5 {
		t.Errorf("trace has %d lines, want 2 with 5 masks:\n%s", len(lines), buf.String())
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("not JSON: %s", l)
		}
	}
	if r.Err() != nil {
		t.Errorf("Err = %v, want nil", r.Err())
	}
	failing := NewRecorder(failingWriter{})
	failing.Record(m.Until(nil), Entry{})
	if failing.Err() == nil {
		t.Error("Err = nil after a failed write")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }

func BenchmarkMask(b *testing.B) {
	var m Masker
	m.Add("hunter2 & co", "tok-€-123", "42")
	page := strings.Repeat(`<a href="/orders?id=1427&amp;q=caf%C3%A9" title="Edit \"it\"">Order 42 of Ada</a> `, 12_000)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		m.String(page)
	}
}

// TestLinesOfSecrets checks that the lines of a key are masked one by one, but not its frame.
func TestLinesOfSecrets(t *testing.T) {
	var m Masker
	m.Add("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\r\nAASCBKcwggSjAgEAAoIBAQC7VJTU\nshort\n-----END KEY-----\n", []string{"one line of a list\nand its second line"})
	const shown = "-----BEGIN KEY-----<br>MIIEvQIBADANBgkqhkiG9w0BAQEF<li>AASCBKcwggSjAgEAAoIBAQC7VJTU</li>short, and its second line"
	if got, want := m.String(shown), "-----BEGIN KEY-----<br>***<li>***</li>short, ***"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
