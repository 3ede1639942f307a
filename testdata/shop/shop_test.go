package shop_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/actionregistry/action/testdata/shop"
)

// visitor is a browser without scripts: it keeps cookies and follows redirects.
type visitor struct {
	t    *testing.T
	base string
	http *http.Client
}

func visit(t *testing.T, edition string) *visitor {
	t.Helper()
	srv := httptest.NewServer(shop.Handler(shop.Options{Delay: -1}))
	t.Cleanup(srv.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t: t, base: srv.URL + edition, http: &http.Client{Jar: jar}}
}

// do sends one request and returns the final address, the status and the body.
func (v *visitor) do(method, path, contentType, body string) (addr string, status int, text string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	res, err := v.http.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return res.Request.URL.String(), res.StatusCode, string(b)
}

func (v *visitor) get(path string) (string, int, string) {
	v.t.Helper()
	return v.do(http.MethodGet, path, "", "")
}

func (v *visitor) login(user, password string) (string, int, string) {
	v.t.Helper()
	form := url.Values{"user": {user}, "password": {password}}
	return v.do(http.MethodPost, "/login", "application/x-www-form-urlencoded", form.Encode())
}

func eachEdition(t *testing.T, run func(t *testing.T, edition string)) {
	for name, edition := range map[string]string{"v1": "", "v2": "/v2"} {
		t.Run(name, func(t *testing.T) { run(t, edition) })
	}
}

func TestSignIn(t *testing.T) {
	eachEdition(t, func(t *testing.T, edition string) {
		v := visit(t, edition)
		if addr, _, _ := v.get("/orders"); addr != v.base+"/login" {
			t.Errorf("orders without a session: at %s, want %s", addr, v.base+"/login")
		}
		addr, status, text := v.login(shop.DefaultUser, "wrong")
		if status != http.StatusUnauthorized || !strings.Contains(text, `role="alert"`) {
			t.Errorf("wrong password: status %d at %s, want %d and an alert in\n%s", status, addr, http.StatusUnauthorized, text)
		}
		addr, status, text = v.login(shop.DefaultUser, shop.DefaultPassword)
		if status != http.StatusOK || addr != v.base+"/orders" {
			t.Errorf("sign-in: status %d at %s, want %d at %s", status, addr, http.StatusOK, v.base+"/orders")
		}
		for _, want := range []string{"New order", "Grace Hopper", `name="app-version"`, "3 orders"} {
			if !strings.Contains(text, want) {
				t.Errorf("the orders page has no %q", want)
			}
		}
		v.do(http.MethodPost, "/logout", "", "")
		if addr, _, _ := v.get("/orders"); addr != v.base+"/login" {
			t.Errorf("orders after the sign-out: at %s, want %s", addr, v.base+"/login")
		}
	})
}

func TestOrders(t *testing.T) {
	eachEdition(t, func(t *testing.T, edition string) {
		v := visit(t, edition)
		v.login(shop.DefaultUser, shop.DefaultPassword)
		_, status, text := v.do(http.MethodPost, "/api/orders", "application/json",
			`{"customer":" Ada <Lovelace> ","product":"Anvil","quantity":2,"express":true,"date":"2026-05-01","notes":"n"}`)
		var made shop.Order
		if err := json.Unmarshal([]byte(text), &made); err != nil || status != http.StatusCreated {
			t.Fatalf("create: status %d, %v, body %s", status, err, text)
		}
		want := shop.Order{ID: 1001, Customer: "Ada <Lovelace>", Product: "Anvil", Quantity: 2, Express: true, Date: "2026-05-01", Notes: "n"}
		if made != want {
			t.Errorf("created %+v, want %+v", made, want)
		}
		if _, _, text := v.get("/orders/1001"); !strings.Contains(text, "Ada &lt;Lovelace&gt;") || !strings.Contains(text, "<title>Order #1001") {
			t.Errorf("the page of the order does not show it:\n%s", text)
		}
		if got := v.search("lovelace"); len(got) != 1 || got[0] != want {
			t.Errorf("search for lovelace: %+v, want only %+v", got, want)
		}
		if got := v.search("no such"); len(got) != 0 {
			t.Errorf("search for nothing: %+v", got)
		}
		if _, status, _ := v.do(http.MethodDelete, "/api/orders/1001", "", ""); status != http.StatusNoContent {
			t.Errorf("delete: status %d, want %d", status, http.StatusNoContent)
		}
		if _, status, _ := v.get("/orders/1001"); status != http.StatusNotFound {
			t.Errorf("the page of a deleted order: status %d, want %d", status, http.StatusNotFound)
		}
	})
}

func (v *visitor) search(words string) []shop.Order {
	v.t.Helper()
	_, status, text := v.get("/api/orders?q=" + url.QueryEscape(words))
	var found []shop.Order
	if err := json.Unmarshal([]byte(text), &found); err != nil || status != http.StatusOK {
		v.t.Fatalf("search for %s: status %d, %v, body %s", words, status, err, text)
	}
	return found
}

func TestRefusedOrders(t *testing.T) {
	v := visit(t, "")
	v.login(shop.DefaultUser, shop.DefaultPassword)
	tests := []struct {
		name, body string
		status     int
		want       string
	}{
		{"not JSON", `{`, http.StatusBadRequest, "not readable"},
		{"no customer", `{"product":"Anvil","quantity":1}`, http.StatusUnprocessableEntity, "Enter a customer"},
		{"unknown customer", `{"customer":"Nobody","product":"Anvil","quantity":1}`, http.StatusUnprocessableEntity, "Nobody is not known"},
		{"no product", `{"customer":"Ada","quantity":1}`, http.StatusUnprocessableEntity, "Choose a product"},
		{"unknown product", `{"customer":"Ada","product":"Zeppelin","quantity":1}`, http.StatusUnprocessableEntity, "no product"},
		{"too many", `{"customer":"Ada","product":"Anvil","quantity":100}`, http.StatusUnprocessableEntity, "1 to 99"},
		{"no date", `{"customer":"Ada","product":"Anvil","quantity":1,"date":"soon"}`, http.StatusUnprocessableEntity, "must be a date"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, status, text := v.do(http.MethodPost, "/api/orders", "application/json", tt.body)
			if status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("status %d, body %s; want status %d, a body with %q", status, text, tt.status, tt.want)
			}
		})
	}
	if got := v.search(""); len(got) != 3 {
		t.Errorf("refused orders were kept: %+v", got)
	}
}

func TestRequestsNeedASession(t *testing.T) {
	v := visit(t, "")
	for _, path := range []string{"/api/orders", "/api/products"} {
		if _, status, _ := v.get(path); status != http.StatusUnauthorized {
			t.Errorf("GET %s: status %d, want %d", path, status, http.StatusUnauthorized)
		}
	}
}

func TestHandlersShareNothing(t *testing.T) {
	one, other := visit(t, ""), visit(t, "")
	one.login(shop.DefaultUser, shop.DefaultPassword)
	other.login(shop.DefaultUser, shop.DefaultPassword)
	one.do(http.MethodDelete, "/api/orders/1000", "", "")
	if got := other.search(""); len(got) != 3 {
		t.Errorf("the other shop has %d orders, want 3", len(got))
	}
}

func TestChineseButtons(t *testing.T) {
	tests := []struct{ edition, open, create string }{
		{"", "新建", "确 定"},
		{"/v2", "新 建", "确定"},
	}
	for _, tt := range tests {
		v := visit(t, tt.edition)
		v.login(shop.DefaultUser, shop.DefaultPassword)
		v.get("/orders?lang=zh")
		_, _, text := v.get("/orders") // the language stays
		for _, want := range []string{">" + tt.open + "<", ">" + tt.create + "<"} {
			if !strings.Contains(text, want) {
				t.Errorf("edition %q: no button %s", tt.edition, want)
			}
		}
	}
}
