package startup

import "testing"

func TestSplitProxy(t *testing.T) {
	for in, want := range map[string]string{
		"127.0.0.1:8080":                "127.0.0.1:8080 ",
		"http://127.0.0.1:8080":         "http://127.0.0.1:8080 ",
		"ann:p%40w@127.0.0.1:8080":      "127.0.0.1:8080 ann:p%40w",
		"socks5://ann:pw@[::1]:1080":    "socks5://[::1]:1080 ann:pw",
		"http://ann@proxy.example:3128": "http://proxy.example:3128 ann",
	} {
		address, user := splitProxy(in)
		if got := address + " " + user.String(); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
