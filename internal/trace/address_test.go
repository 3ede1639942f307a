package trace

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAddAddress(t *testing.T) {
	const site = "https://shop.test"
	tests := []struct {
		name, secret, address string
		in, want              string
	}{
		{"before the fragment", "Qx7aLm9#rest-of-it", site + "/p?token=Qx7aLm9#rest-of-it", site + "/p?token=Qx7aLm9", site + "/p?token=***"},
		{"the fragment", "Qx7aLm9#rest-of-it", site + "/p?token=Qx7aLm9#rest-of-it", "#rest-of-it rest-of-it", "#*** ***"},
		{"short before the fragment", "Qx#rest-of-it", site + "/p?token=Qx#rest-of-it", site + "/p?token=Qx Qx token=Qx9", site + "/p?token=*** *** token=Qx9"},
		{"one letter before the fragment", "1#rest-of-it", site + "/?token=1#rest-of-it", site + "/?token=1&n=1 1 of 1", site + "/?token=***&n=1 1 of 1"},
		{"a short fragment", "Qx7aLm9#1", site + "/?token=Qx7aLm9#1", "#1 1 of #12", "#*** 1 of #12"},
		{"in the path, before the query", "Qx7aLm9?rest", site + "/at/Qx7aLm9?rest/end", site + "/at/Qx7aLm9", site + "/at/***"},
		{"parameters", "Qx7aLm9&next=Zk42bb", site + "/?token=Qx7aLm9&next=Zk42bb&x=1", "token Qx7aLm9, next Zk42bb", "token ***, *** ***"},
		{"parts of the path", "Qx7aLm9/Zk42bb", site + "/at/Qx7aLm9/Zk42bb/", "Zk42bb of Qx7aLm9", "*** of ***"},
		{"a slash in the query stays", "Qx7a/Zk42", site + "/?token=Qx7a/Zk42", "Zk42 of Qx7a", "Zk42 of Qx7a"},
		{"backslashes of a path", `Qx\Zk42bb`, site + `/at/Qx\Zk42bb`, site + "/at/Qx/Zk42bb", site + "/at/***"},
		{"what a server decodes", "50%2Boff%20now", site + "/?t=50%2Boff%20now", "it says 50+off now", "it says ***"},
		{"an invalid escape", "50%zz%41Qx7", site + "/?t=50%zz%41Qx7", "50%zzAQx7", "***"},
		{"percent at the end", "Qx7aLm9%#rest", site + "/?t=Qx7aLm9%#rest", site + "/?t=Qx7aLm9%", site + "/?t=***"},
		{"not ascii", "clé#über", site + "/?t=clé#über", site + "/?t=cl%C3%A9 #%C3%BCber", site + "/?t=*** #***"},
		{"spaces", "top secret#key of all", site + "/?t=top secret#key of all", site + "/?t=top%20secret top+secret #key%20of%20all", site + "/?t=*** *** #***"},
		{"encoded before", "Qx7aLm9#rest", site + "/?t=Qx7aLm9%23rest", "Qx7aLm9 and rest, Qx7aLm9%23rest", "Qx7aLm9 and rest, ***"},
		{"a base url", site + "/app?lang=de#/login", site + "/app?lang=de#/login", site + "/app?lang=de " + site + "/app " + site + "/ login lang", "*** *** " + site + "/ login lang"},
		{"the host of a base url", "HTTPS://Shop.Test/Qx?a", "HTTPS://Shop.Test/Qx?a", site + "/Qx", "***"},
		{"a long token in a base url", site + "/?token=0123456789abcdef", site + "/?token=0123456789abcdef", "0123456789abcdef", "***"},
		{"a short secret", "a/b", site + "/a/b", "a b", "a b"},
		{"no secret in it", "hunter2#x", site + "/?t=hunter", "hunter", "hunter"},
		{"signs alone", "Qx7a==#--", site + "/?t=Qx7a==#--", "-- == Qx7a", "-- == ***"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m Masker
			m.Add(tt.secret)
			m.AddAddress(tt.address, nil)
			if got := m.String(tt.in); got != tt.want {
				t.Errorf("String(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if got := m.String(tt.secret); got != Mask {
				t.Errorf("the secret itself is %q, want %q", got, Mask)
			}
		})
	}
}

// TestAddAddressTwice checks that an address that was opened before adds nothing.
func TestAddAddressTwice(t *testing.T) {
	var memory Memory
	m := memory.Masker()
	m.Add("Qx7aLm9#rest&of=it")
	const address = "https://shop.test/?t=Qx7aLm9#rest&of=it"
	m.AddAddress(address, nil)
	n := m.Len()
	m.AddAddress(address, nil)
	if got := m.Len(); got != n {
		t.Errorf("found %d secrets after the second time, want %d", got, n)
	}
	if got := memory.String("https://shop.test/?t=Qx7aLm9"); got != "https://shop.test/?t=***" {
		t.Errorf("the memory shows %q", got)
	}
	var none *Masker
	none.AddAddress(address, nil)
}

// TestPartsOfAddresses checks that nothing of a secret can be read in the address without its
// fragment, nor in the fragment, wherever the secret is in the address.
func TestPartsOfAddresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[Q-Z]{4,9}([#?&/=][Q-Z]{1,9}){1,4}`).Draw(t, "secret")
		before := rapid.SampledFrom([]string{"/", "/at/", "/?t=", "/a?b=1&t=", "/#", "/#/at/", "/x?y#z="}).Draw(t, "before")
		address := "https://shop.test" + before + secret
		var m Masker
		m.Add(secret)
		m.AddAddress(address, nil)
		sent, fragment, _ := strings.Cut(address, "#")
		path, query, _ := strings.Cut(sent, "?")
		for _, shown := range []string{address, sent, "#" + fragment, path, "?" + query} {
			if got := m.String(shown); strings.ContainsAny(got, "QRSTUVWXYZ") {
				t.Fatalf("%q is shown as %q", shown, got)
			}
		}
	})
}
