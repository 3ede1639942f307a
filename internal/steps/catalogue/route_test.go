package catalogue

import "testing"

func TestTypeOfBody(t *testing.T) {
	const text, page = "text/plain; charset=utf-8", "text/html; charset=utf-8"
	tests := []struct{ file, body, want string }{
		{"", `{"a": 1}`, "application/json"},
		{"", " \n[1, 2]\n", "application/json"},
		{"", `{a: 1}`, text},
		{"", "[x] done", text},
		{"", "5", text},
		{"", "", text},
		{"", "<!doctype html><p>x", page},
		{"", "<title>x", page},
		{"", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"},
		{"", "\x89PNG\r\n\x1a\n", "image/png"},
		{"a/m.json", `{"a":1}`, "application/json"},
		{"m.JSON", "not yet", "application/json"},
		{"m.css", "p{color:red}", "text/css; charset=utf-8"},
		{"m.css", "p::after{content:'\xe9'}", "text/css"},
		{"m.js", "[1].map(f)", "text/javascript; charset=utf-8"},
		{"m.mjs", "export {}", "text/javascript; charset=utf-8"},
		{"m.svg", "<svg/>", "image/svg+xml"},
		{"m.txt", `{"a":1}`, text},
		{"m.html", "x", page},
		{"m.png", "\x89PNG\r\n\x1a\n", "image/png"},
		{"m.unknown", `{"a":1}`, "application/json"},
		{"m", "x", text},
	}
	for _, tt := range tests {
		if got := typeOfBody(tt.file, []byte(tt.body)); got != tt.want {
			t.Errorf("%q with %q: %s, want %s", tt.file, tt.body, got, tt.want)
		}
	}
}
