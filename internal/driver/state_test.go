package driver

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestParseState checks that files from Playwright can be read.
func TestParseState(t *testing.T) {
	const text = `{
  "cookies": [{"name": "sid", "value": "1", "domain": ".a.test", "path": "/", "expires": 1896177600.5, "httpOnly": true, "secure": false, "sameSite": "Lax",
    "partitionKey": "https://b.test", "_crHasCrossSiteAncestor": true}],
  "origins": [{"origin": "https://a.test", "localStorage": [{"name": "k", "value": "v"}],
    "indexedDB": [{"name": "db", "version": 2, "stores": [{"name": "s", "autoIncrement": false, "keyPathArray": ["a", "b"], "indexes": [], "records": [{"value": null}, {"valueEncoded": {"d": "x"}}]}]}],
    "opfs": []}],
  "more": {"skipped": [1]}
}`
	s, err := ParseState("s.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c := s.Cookies[0]
	if c.Name != "sid" || c.Expires != 1896177600.5 || !c.HTTPOnly || c.Partition != "https://b.test" || !c.CrossSite {
		t.Errorf("the cookie is %+v", c)
	}
	store := s.Origins[0].IndexedDB[0].Stores[0]
	if strings.Join(store.KeyPathArray, ",") != "a,b" || string(store.Records[0].Value) != "null" || string(store.Records[1].ValueEncoded) != `{"d": "x"}` {
		t.Errorf("the store is %+v", store)
	}
}

func TestParseStateRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "s.json:1:1: found invalid JSON: unexpected end"},
		{"no JSON", "{\n  cookies: []}", "s.json:2:3: found invalid JSON"},
		{"cut off", "{\"cookies\": [\n{\"name\": \"a\"", "s.json:2:12: found invalid JSON: unexpected end"},
		{"a list", "[]", "s.json:1:1: found a list, expected an object"},
		{"something else", "{\"a\": 1}", "s.json:1:1: found neither cookies nor origins"},
		{"more behind", "{\"cookies\": []}\n{}", "s.json:2:1: found invalid JSON: invalid character '{' after"},
		{"cookies is no list", "{\n \"cookies\": {}}", "s.json:2:13: cookies is an object, expected a list"},
		{"a cookie is no object", "{\"cookies\": [\n 7]}", "s.json:2:2: the cookie 1 is a number, expected an object"},
		{"a field of a cookie", "{\"cookies\": [{\"name\": \"ok\", \"domain\": \"a.test\"},\n{\"name\": \"b\", \"expires\": \"soon\"}]}", "s.json:2:31: the cookie 2 (\"b\"): expires is text, expected a number"},
		{"no domain", "{\"cookies\": [{\"name\": \"a\"}]}", "s.json:1:14: the cookie 1 (\"a\") has no domain"},
		{"no name", "{\"cookies\": [{\"domain\": \"a.test\"}]}", "the cookie 1 has neither a name nor a value"},
		{"same site", "{\"cookies\": [{\"name\": \"a\", \"domain\": \"a.test\", \"sameSite\": \"lax\"}]}", "has the sameSite \"lax\", expected Strict, Lax or None"},
		{"no origin", "{\"origins\": [{\"origin\": \"a.test\"}]}", "the origin 1 is \"a.test\", expected one such as https://example.test"},
		{"a field of an origin", "{\"origins\": [{\"origin\": \"https://a.test\", \"localStorage\": 3}]}", "the origin 1 (\"https://a.test\"): localStorage is a number, expected a list"},
		{"masked", "{\"cookies\": [],\n\"masked\": true}", "s.json:2:11: found a state in which secrets are masked"},
		{"a database", "{\"origins\": [{\"origin\": \"https://a.test\", \"indexedDB\": [{\"name\": \"d\"}]}]}", "has a database without a name or a version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseState("s.json", []byte(tt.text))
			if diag.CodeOf(err) != diag.StepFailed || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{"cookies":[{"name":"a","domain":"b"}],"origins":[{"origin":"https://a.test"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := ParseState("s", data); err != nil && diag.As(err) == nil {
			t.Errorf("the error %v has no code", err)
		}
	})
}
