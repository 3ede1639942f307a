package serve_test

import (
	"bufio"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/ops"
)

const asking = `namespace: shop
version: 1.0.0
actions:
  order:pay:
    approval: required
    params: {amount: {type: integer, required: true}, card: {type: string, secret: true, required: true}}
    steps: [{set: {values: {paid: "${amount}"}}}]
    returns: {paid: "${steps.paid}"}
`

// TestApprovals runs an action that a person must approve. The program that runs it sees what is
// asked, but its token answers nothing.
func TestApprovals(t *testing.T) {
	t.Parallel()
	s := start(t, asking)
	runner, err := s.tokens.Add("runner", ops.Run)
	if err != nil {
		t.Fatal(err)
	}
	asRunner := "Authorization: Bearer " + runner
	pay := func() (run, approval string) {
		run = s.do("POST", "/api/v1/actions/shop/order/pay", `{"amount": 7, "card": "4111-1111"}`, asRunner, "Prefer: respond-async").must(202).header.Get("Location")
		res := s.send("GET", run+"/events", "", asRunner)
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		for lines.Scan() {
			if lines.Text() == "event: approval_required" {
				break
			}
		}
		list := s.do("GET", "/api/v1/approvals", "", asRunner).must(200)
		if list.at("approvals.0.action") != "shop:order:pay" || list.at("approvals.0.params.amount") != float64(7) || strings.Contains(list.text, "4111") {
			t.Fatalf("the approvals are %s", list.text)
		}
		return run, list.at("approvals.0.id").(string)
	}
	run, id := pay()
	path := "/api/v1/approvals/" + id
	s.do("POST", path+"/approve", "", asRunner).mustFail(403, "SECURITY_ERROR")
	if a := s.do("GET", path, "").must(200); a.data["state"] != "pending" {
		t.Errorf("after an answer of the runner: %s", a.text)
	}
	if a := s.do("POST", path+"/approve", "").must(200); a.data["state"] != "approved" || a.at("by.channel") != "http" {
		t.Errorf("approved: %s", a.text)
	}
	s.do("POST", path+"/approve", "").mustFail(400, "INVALID_REQUEST")
	s.do("GET", run+"/events", "").must(200) // ends with the run
	if a := s.do("GET", run, "").must(200); a.at("result.data.paid") != float64(7) {
		t.Errorf("the run is %s", a.text)
	}

	run, id = pay()
	s.do("POST", "/api/v1/approvals/"+id+"/deny", `{"reason": "too much"}`).must(200)
	s.do("GET", run+"/events", "").must(200)
	if a := s.do("GET", run, "").must(200); a.at("result.code") != "POLICY_DENIED" {
		t.Errorf("the denied run is %s", a.text)
	}
	s.do("POST", "/api/v1/approvals/none/deny", "").mustFail(400, "INVALID_REQUEST")
}
