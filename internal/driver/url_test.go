package driver

import "testing"

func TestURLPattern(t *testing.T) {
	const url = "https://shop.test/order/7?x=1"
	for pattern, want := range map[string]bool{
		"order/7": true, "order/8": false, "*/order/*": true, "https://*/order/*": true, "https://*/7*": false,
		"https://**/7*": true, "/order/\\d+/": true, "/^order/": false, "*.test": false, "*x=1": true,
	} {
		p, err := ParseURLPattern(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
		} else if got := p.Match(url); got != want {
			t.Errorf("%s matches: %v, want %v", pattern, got, want)
		}
	}
	for _, bad := range []string{"", "/(/"} {
		if _, err := ParseURLPattern(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// TestURLPatternOfAPage checks that a page whose query contains an address is not at that address.
func TestURLPatternOfAPage(t *testing.T) {
	for _, tt := range []struct {
		pattern, url string
		want         bool
	}{
		{"/dashboard", "https://a.example/help?next=/dashboard", false},
		{"/dashboard", "https://a.example/#/help?next=/dashboard", false},
		{"https://a.example/dashboard", "https://a.example/help?next=https://a.example/dashboard", false},
		{"/dashboard", "https://a.example/dashboard?tab=1", true},
		{"/dashboard", "https://a.example/?tab=1#/dashboard", true},
		{"/dashboard", "https://a.example/#/dashboard", true},
		{"/help?next=/dashboard", "https://a.example/help?next=/dashboard", true},
		{"tab=1", "https://a.example/dashboard?tab=1", true},
		{"dashboard", "https://a.example/help?next=/dashboard", true},
		{"*/dashboard", "https://a.example/help?next=/dashboard", true},
	} {
		p, err := ParseURLPattern(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.MatchPage(tt.url); got != tt.want {
			t.Errorf("%s at %s: %v, want %v", tt.pattern, tt.url, got, tt.want)
		}
	}
}
