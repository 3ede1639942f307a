package session_test

// Tests of messages with words of refusal, such as "rejected", after a question that has such a word
// too. A message that reports only the action in the question is a success; a message that says more
// is a refusal.

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// answered returns a question. Its first button closes the question and shows a text, which is the
// argument "says", in an element whose attributes are the argument "as".
func answered(title, yes, no, as, says string) string {
	return box("dialog", title, fmt.Sprintf(`<button type=button data-says="%s" onclick="end(this); show('<div %s>' + this.dataset.says + '</div>')">%s</button>`, says, as, yes)+shut(no))
}

var expectedCases = []dialogCase{
	{name: "rejected", html: answered("Reject request?", "Reject", "Back", "role=status", "Request rejected"), pressed: "Reject"},
	{name: "rejected, with a class of an error", html: answered("Reject request?", "Reject", "Back", "class=toast-error", "Request rejected"), pressed: "Reject"},
	{name: "rejected, in red", html: answered("Reject request?", "Reject", "Back", "style=color:red", "Your request was rejected"), pressed: "Reject"},
	{name: "declined", html: answered("Decline payment?", "Decline", "Back", "role=status", "Payment declined"), pressed: "Decline"},
	{name: "access denied, as was meant", html: answered("Deny access?", "Deny", "Back", "class=toast", "Access denied"), pressed: "Deny"},
	{name: "stopped", html: answered("Stop import?", "Stop import", "Back", "role=status", "Import stopped. 3 rows were not imported."), pressed: "Stop import"},
	{name: "cancelled", html: answered("Cancel order?", "Cancel order", "Keep", "role=status", "The order was cancelled"), pressed: "Cancel order"},
	{name: "locked", html: answered("Lock order?", "Lock", "Back", "role=status", "Order can no longer be edited"), pressed: "Lock"},
	{name: "none failed", html: answered("Send emails?", "Send", "Back", "role=status", "2 emails sent, 0 failed"), pressed: "Send"},
	{name: "in German", html: answered("Antrag ablehnen?", "Ablehnen", "Zurück", "role=status", "Der Antrag wurde abgelehnt"), pressed: "Ablehnen"},
	{name: "in French", html: answered("Refuser la demande ?", "Refuser", "Retour", "role=status", "Demande refusée"), pressed: "Refuser"},
	{name: "in Chinese", html: answered("拒绝该申请？", "拒绝", "返回", "role=status", "申请已被拒绝"), pressed: "拒绝"},
	{name: "linked, as was meant", html: answered("Link order?", "Link", "Back", "role=status", "Order is linked to 3 invoices"), pressed: "Link"},

	{name: "rejected for want of rights", html: answered("Reject request?", "Reject", "Back", "role=status", "Rejected: you lack rights"), pressed: "Reject", fails: "you lack rights"},
	{name: "could not be rejected", html: answered("Reject request?", "Reject", "Back", "role=status", "Request could not be rejected"), pressed: "Reject", fails: "could not be rejected"},
	{name: "rejected by the server", html: answered("Reject request?", "Reject", "Back", "role=status", "The server rejected the request"), pressed: "Reject", fails: "The server rejected"},
	{name: "something else was rejected", html: answered("Delete request?", "Delete", "Back", "role=status", "Request rejected"), pressed: "Delete", fails: "Request rejected"},
	{name: "access denied", html: answered("Deny request?", "Deny", "Back", "class=toast", "Access denied"), pressed: "Deny", fails: "Access denied"},
	{name: "one failed", html: answered("Send emails?", "Send", "Back", "role=status", "2 emails sent, 1 failed"), pressed: "Send", fails: "1 failed"},
	{name: "cancelled, where the button beside cancels", html: answered("Import", "Import", "Cancel", "role=status", "The import was cancelled"), pressed: "Import", fails: "was cancelled"},
	{name: "linked", html: answered("Delete order?", "Delete", "Back", "role=status", "Order is linked to 3 invoices"), pressed: "Delete", fails: "linked to 3 invoices"},
	{name: "linked, in German", html: answered("Bestellung löschen?", "Löschen", "Zurück", "class=toast", "Bestellung ist mit 3 Rechnungen verknüpft"), pressed: "Löschen", fails: "verknüpft"},
	{name: "linked, in Chinese", html: answered("删除订单？", "删除", "返回", "role=status", "订单已关联发票"), pressed: "删除", fails: "已关联"},
}

func TestDialogsThatSayWhatWasExpected(t *testing.T) {
	t.Parallel()
	for i := range expectedCases {
		expectedCases[i].action = confirms
	}
	eachDialog(t, serve(t, pages.Handler())+"/asked.html", testkit.Some(t, "expected words", 12, expectedCases))
}
