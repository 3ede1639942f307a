package rules

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

func TestConsents(t *testing.T) {
	const a, b, c = "https://a.test/x", "https://b.test/y", "http://a.test/"
	all := Guard{LeaveOrigin: true, Submit: true, Download: true}
	for _, tt := range []struct {
		name    string
		guard   Guard
		consent driver.Consent
		move    Move
		risk    any // nil: permitted
	}{
		{"no guard", Guard{}, driver.Consent{}, Move{From: a, To: b, Main: true, Form: true}, nil},
		{"the same origin", all, driver.Consent{}, Move{From: a, To: "https://A.test:443/z", Main: true}, nil},
		{"another origin", all, driver.Consent{}, Move{From: a, To: b, Main: true}, "leave_origin"},
		{"another scheme", all, driver.Consent{}, Move{From: a, To: c, Main: true}, "leave_origin"},
		{"a frame", all, driver.Consent{}, Move{From: a, To: b}, nil},
		{"a blank page", all, driver.Consent{}, Move{From: "about:blank", To: b, Main: true}, nil},
		{"the approved origin", all, driver.Consent{Origins: []string{"https://b.test"}}, Move{From: a, To: b, Main: true}, nil},
		{"a redirect to a third origin", all, driver.Consent{Origins: []string{"https://b.test"}}, Move{From: a, To: "https://c.test/", Main: true, Redirect: true}, "leave_origin"},
		{"a form", all, driver.Consent{}, Move{From: a, To: a, Main: true, Form: true}, "submit"},
		{"a form in a frame", all, driver.Consent{}, Move{From: a, To: a, Form: true}, "submit"},
		{"an approved form", all, driver.Consent{Submit: true}, Move{From: a, To: a, Main: true, Form: true}, nil},
		{"an approved form at its address", all, driver.Consent{Submit: true, Form: a + "?n=1#f"}, Move{From: a, To: a + "?n=1", Main: true, Form: true, Post: true}, nil},
		{"an approved form at another address", all, driver.Consent{Submit: true, Form: a}, Move{From: a, To: a + "z", Main: true, Form: true, Post: true}, "submit"},
		{"an approved form with another query", all, driver.Consent{Submit: true, Form: a + "?n=1"}, Move{From: a, To: a + "?n=2", Main: true, Form: true, Post: true}, "submit"},
		{"an approved form by GET", all, driver.Consent{Submit: true, Form: a + "?n=1"}, Move{From: a, To: a + "?q=2", Main: true, Form: true}, nil},
		{"an approved form after a redirect", all, driver.Consent{Submit: true, Form: a}, Move{From: a, To: a + "z", Main: true, Form: true, Post: true, Redirect: true}, nil},
		{"an approved form to another origin", all, driver.Consent{Submit: true}, Move{From: a, To: b, Main: true, Form: true}, "leave_origin"},
		{"a form, only origins are guarded", Guard{LeaveOrigin: true}, driver.Consent{}, Move{From: a, To: a, Main: true, Form: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Consents
			c.Set(tt.guard)
			c.Permit(tt.consent)
			err := c.Document(tt.move)
			if (err == nil) != (tt.risk == nil) || err != nil && (diag.CodeOf(err) != diag.PolicyDenied || diag.As(err).Details["risk"] != tt.risk) {
				t.Errorf("got %v, want %v", err, tt.risk)
			}
			if n := len(c.TakeUnapproved()); (n == 1) != (err != nil) {
				t.Errorf("%d refusals are recorded", n)
			}
		})
	}
}

// TestConsentIsForOneForm: an approved form may be redirected, and is the only one.
func TestConsentIsForOneForm(t *testing.T) {
	var c Consents
	c.Set(Guard{Submit: true})
	c.Permit(driver.Consent{Submit: true})
	form := Move{From: "https://a.test/", To: "https://a.test/", Main: true, Form: true}
	again := form
	again.Redirect = true
	for i, tt := range []struct {
		move Move
		ok   bool
	}{{form, true}, {again, true}, {form, false}} {
		if err := c.Document(tt.move); (err == nil) != tt.ok {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if err := c.Download("x"); err != nil {
		t.Errorf("downloads are not guarded: %v", err)
	}
	if !c.Set(Guard{Download: true}) || c.Set(Guard{Download: true}) {
		t.Error("Set does not say whether the guard has changed")
	}
	if err := c.Download("x"); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("a download: %v", err)
	}
}
