package hosts

import (
	"net/url"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ host, want string }{
		{"Example.TEST", "example.test"},
		{"example.test.", "example.test"},
		{"a_b.test", "a_b.test"},
		{"-a.test", "-a.test"},
		{"MÜNCHEN.test", "xn--mnchen-3ya.test"},
		{"xn--mnchen-3ya.test", "xn--mnchen-3ya.test"},
		{"faß.test", "xn--fa-hia.test"},
		{"ｅｘａｍｐｌｅ。test", "example.test"},
		{"ex%61mple.test", "example.test"},
		{"1.2.3.test", "1.2.3.test"},
		{"127.0.0.1", "127.0.0.1"},
		{"127.0.0.1.", "127.0.0.1"},
		{"127.1", "127.0.0.1"},
		{"127.0.1", "127.0.0.1"},
		{"2130706433", "127.0.0.1"},
		{"0x7f000001", "127.0.0.1"},
		{"0x7F.1", "127.0.0.1"},
		{"0177.0.0.01", "127.0.0.1"},
		{"１２７.0.0.1", "127.0.0.1"},
		{"①②⑦.0.0.1", "127.0.0.1"},
		{"%31%32%37.0.0.1", "127.0.0.1"},
		{"0", "0.0.0.0"},
		{"0x", "0.0.0.0"},
		{"[::1]", "[::1]"},
		{"[0:0:0:0:0:0:0:1]", "[::1]"},
		{"[2001:DB8::A]", "[2001:db8::a]"},
		{"[::ffff:127.0.0.1]", "[::ffff:7f00:1]"},
		{"[::127.0.0.1]", "[::7f00:1]"},
		{"", ""}, {".", ""}, {"a..test", ""}, {"a b.test", ""}, {"a/b", ""}, {"a:80", ""}, {"%zz", ""}, {"a%00b", ""},
		{"256.0.0.1", ""}, {"1.2.3.4.5", ""}, {"1.2.3.0x", "1.2.3.0"}, {"4294967296", ""}, {"x.09", ""}, {"08", ""}, {"1.256.1.1", ""},
		{"[::1", ""}, {"[::1]x", ""}, {"[127.0.0.1]", ""}, {"[fe80::1%25eth0]", ""}, {"[fe80::1%eth0]", ""},
	} {
		got, ok := Canonical(tt.host)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Canonical(%q) = %q, %v; want %q", tt.host, got, ok, tt.want)
		}
	}
}

// local lists names and addresses of this machine.
const local = "localhost LOCALHOST. a.localhost b.a.localhost 127.0.0.1 127.1 0x7f.1 2130706433 0177.0.0.1 127.9.9.9 0 0.0.0.0 " +
	"[::1] [::] [::ffff:127.0.0.1] [::ffff:0.0.0.0] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] [2002:7f00:1::1]"

func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern               string
		allows, denies, other string // denies: in addition to those in allows
	}{
		{"example.test", "example.test EXAMPLE.test.", "", "a.example.test xexample.test example.test.evil 10.0.0.1"},
		{"*.Example.test.", "a.example.test b.a.example.test.", "", "example.test aexample.test"},
		{"münchen.test", "xn--mnchen-3ya.test MÜNCHEN.test", "", "munchen.test"},
		{"*.münchen.test", "a.xn--mnchen-3ya.test", "", "münchen.test"},
		{"10.0.0.1", "10.0.0.1 10.1 0xa000001 10.0.0.1.", "[::ffff:10.0.0.1] [::10.0.0.1] [64:ff9b::10.0.0.1] [2002:a00:1::7]", "10.0.0.2 [::ffff:10.0.0.2] localhost 0"},
		{"[::ffff:10.0.0.1]", "[::ffff:a00:1]", "10.0.0.1 [64:ff9b::10.0.0.1]", "10.0.0.2"},
		{"2001:DB8::1", "[2001:db8::1] [2001:db8:0::1]", "", "[2001:db8::2] 10.0.0.1"},
		{"[2001:db8::1]", "[2001:db8::1]", "", "localhost"},
		{"127.0.0.1", "127.0.0.1 127.1", local, "alocalhost localhost.test 128.0.0.1 127.0.0.1.test [::2]"},
		{"::1", "[::1]", local, "alocalhost [::2]"},
		{"0", "0 0.0.0.0", local, "0.0.0.1"},
		{"[::]", "[::]", local, "[::2]"},
		{"::ffff:127.0.0.1", "[::ffff:7f00:1]", local, "[::2]"},
		{"localhost", "localhost localhost.", local, "alocalhost example.test"},
		{"a.localhost", "a.localhost", "", "localhost b.a.localhost 127.0.0.1"},
		{"*.localhost", "a.localhost b.a.localhost", "", "localhost 127.0.0.1"},
	} {
		p, err := Parse(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		check := func(list string, allows, denies bool) {
			for _, host := range strings.Fields(list) {
				canonical, ok := Canonical(host)
				if !ok {
					t.Fatal(host)
				}
				if p.Allows(canonical) != allows && (list != local || p.Allows(canonical) && !strings.Contains(" "+tt.allows+" ", " "+canonical+" ") && !strings.Contains(tt.allows, host)) {
					t.Errorf("%s allows %s: %v", tt.pattern, host, !allows)
				}
				if p.Denies(canonical) != denies {
					t.Errorf("%s denies %s: %v", tt.pattern, host, !denies)
				}
			}
		}
		check(tt.allows, true, true)
		check(tt.denies, false, true)
		check(tt.other, false, false)
	}
	if (Pattern{}).Allows("") || (Pattern{}).Denies("example.test") {
		t.Error("the zero pattern matches")
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, hint string }{
		{"https://x.test/", "without scheme"},
		{"x.test/a", "without scheme"},
		{"10.0.0.0/8", "networks are not supported"},
		{"fc00::/7", "networks are not supported"},
		{"[fc00::]/7", "networks are not supported"},
		{"x.test:8080", "omit the port"},
		{"[::1]:80", "omit the port"},
		{"127.0.0.1:80", "omit the port"},
		{"fe80::1%eth0", "zone"},
		{"*", "*.example.test"},
		{"*.", "write a name"},
		{"x.*.test", "*.example.test"},
		{"*x.test", "*.example.test"},
		{"*.127.0.0.1", "no names below"},
		{"*.::1", "no names below"},
		{"", "write a name"},
		{"a b", "write a name"},
		{"256.1.1.1", "write a name"},
		{"u@x.test", "without scheme"},
	} {
		if p, err := Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.hint) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", tt.text, p, err, tt.hint)
		}
	}
}

// TestInBoth checks that two lists together allow only the hosts that each of them allows.
func TestInBoth(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"x.test", "x.test", "x.test"},
		{"x.test", "y.test", ""},
		{"*.x.test", "a.x.test", "a.x.test"},
		{"a.x.test", "*.x.test", "a.x.test"},
		{"*.x.test", "*.a.x.test", "*.a.x.test"},
		{"*.x.test", "x.test", ""},
		{"*.x.test", "ax.test", ""},
		{"*.x.test y.test", "z.test *.x.test", "*.x.test"},
	} {
		var got []string
		for _, p := range InBoth(MustParse(strings.Fields(tt.a)...), MustParse(strings.Fields(tt.b)...)) {
			got = append(got, p.String())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("InBoth(%s, %s) = %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, host := range append(strings.Fields(local), "xn--mnchen-3ya.test", "faß.test", "①.1", "%31", "xn--") {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		once, ok := Canonical(host)
		if !ok {
			return
		}
		if twice, ok := Canonical(once); !ok || twice != once {
			t.Errorf("Canonical(%q) = %q, and of that %q, %v", host, once, twice, ok)
		}
		if u, err := url.Parse("http://" + once + "/"); err != nil {
			return // url.Parse is stricter than the standard
		} else if same, ok := OfURL(u); !ok || same != once {
			t.Errorf("OfURL of %q is %q, %v", once, same, ok)
		}
	})
}
