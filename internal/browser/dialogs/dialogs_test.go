package dialogs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/driver"
)

var (
	one   = Tab{ID: "t1", Session: "s1", Window: "w1"}
	two   = Tab{ID: "t2", Session: "s2", Window: "w1"}
	apart = Tab{ID: "t3", Session: "s3", Window: "w2"}
)

func opening(kind proto.PageDialogType, message, preset string) *proto.PageJavascriptDialogOpening {
	return &proto.PageJavascriptDialogOpening{Type: kind, Message: message, DefaultPrompt: preset}
}

func TestAnswers(t *testing.T) {
	text := "Ann"
	tests := []struct {
		name    string
		policy  Policy
		kind    proto.PageDialogType
		next    *driver.DialogAnswer // set before by the active tab, one
		closing bool
		want    string // "": it stays open
		said    string
	}{
		{"an alert", nil, "alert", nil, false, driver.DialogAccepted, ""},
		{"a confirm", nil, "confirm", nil, false, driver.DialogDismissed, ""},
		{"a prompt", nil, "prompt", nil, false, driver.DialogDismissed, ""},
		{"beforeunload", nil, "beforeunload", nil, false, driver.DialogAccepted, ""},
		{"a prompt by policy", Policy{"prompt": "accept"}, "prompt", nil, false, driver.DialogAccepted, "preset"},
		{"left open by policy", Policy{"confirm": "leave"}, "confirm", nil, false, "", ""},
		{"left open while the tab is closed", Policy{"confirm": "leave"}, "confirm", nil, true, driver.DialogDismissed, ""},
		{"an answer before", Policy{"confirm": "leave"}, "confirm", &driver.DialogAnswer{Accept: true}, false, driver.DialogAccepted, ""},
		{"a text before", nil, "prompt", &driver.DialogAnswer{Accept: true, Text: &text}, false, driver.DialogAccepted, "Ann"},
		{"no text before", nil, "prompt", &driver.DialogAnswer{Accept: true}, false, driver.DialogAccepted, "preset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := new(Dialogs)
			d.Begin(tt.policy, false)
			if tt.next != nil {
				if left, _ := d.Answer(one.Session, *tt.next); left != nil {
					t.Fatalf("%+v is open", left)
				}
			}
			noted, req := d.Opened(one, opening(tt.kind, "Sure?", "preset"), tt.closing)
			if (req == nil) != (tt.want == "") || req != nil && noted.Answer != tt.want || noted.Text != tt.said {
				t.Errorf("answered %q with %q by %+v, want %q with %q", noted.Answer, noted.Text, req, tt.want, tt.said)
			}
			if d.End() {
				t.Error("the answer is kept after it was used")
			}
			if list, more := d.Take(); len(list) != 1 || more != 0 || list[0].Number != 1 {
				t.Errorf("taken: %+v and %d more", list, more)
			}
		})
	}
}

// An answer for the next dialog applies to one tab, and ends with the run that has set it.
func TestAnswerOfARun(t *testing.T) {
	d := new(Dialogs)
	for _, manual := range []bool{false, true} { // the answer of the last one is kept
		kept := manual
		d.Begin(nil, manual)
		d.Answer(one.Session, driver.DialogAnswer{Accept: true})
		if other, _ := d.Opened(two, opening("confirm", "", ""), false); other.Answer != driver.DialogDismissed {
			t.Errorf("the dialog of another tab was %s", other.Answer)
		}
		if unused := d.End(); unused == kept {
			t.Errorf("manual %v: unused %v", manual, unused)
		}
	}
	if next, _ := d.Opened(one, opening("confirm", "", ""), false); next.Answer != driver.DialogAccepted {
		t.Errorf("after a manual answer the dialog was %s", next.Answer)
	}
}

func TestOpenDialogs(t *testing.T) {
	d := new(Dialogs)
	d.Begin(Policy{"prompt": "leave"}, false)
	noted, _ := d.Opened(one, opening("prompt", "Name?", "Bo"), false)
	d.Leave(one, noted, "Bo", []string{one.Session})
	if d.Blocking(one.Session) == nil || d.Blocking(two.Session) != nil || !d.IsOpen(one.Session) || d.IsOpen(two.Session) {
		t.Error("it does not block its own tab alone")
	}
	if d.Beside(apart) != nil || d.Beside(one) != nil {
		t.Error("it may block a tab of another window, or its own twice")
	}
	left := d.Beside(two)
	if left == nil || !d.Probed(left, two.Session, false) || d.Blocking(two.Session) != left || d.Beside(two) != nil {
		t.Errorf("a tab that does not answer is not blocked by %+v", left)
	}
	got, req := d.Answer(two.Session, driver.DialogAnswer{Accept: true})
	if sent, ok := req.(proto.PageHandleJavaScriptDialog); got != left || !ok || !sent.Accept || sent.PromptText != "Bo" {
		t.Errorf("answers %+v by %+v", got, req)
	}
	d.Close(two.Session, driver.DialogDismissed, "") // it has none
	d.Close(one.Session, driver.DialogAccepted, "Bob")
	select {
	case <-left.Closed:
	default:
		t.Error("it is still open")
	}
	if now := d.Dialog(left); now.Answer != driver.DialogAccepted || now.Text != "Bob" || d.Blocking(two.Session) != nil {
		t.Errorf("ended as %+v", now)
	}
	if d.Probed(left, apart.Session, false) {
		t.Error("a dialog that has gone blocks")
	}
}

func TestDialogsThatAreKept(t *testing.T) {
	d := new(Dialogs)
	for i := range MostOfTab + 30 {
		d.Opened(one, opening("alert", fmt.Sprint(i+1, strings.Repeat("x", 3*MaxText)), ""), false)
	}
	d.Opened(two, opening("confirm", "other", ""), false)
	if got := d.Alerts(one.ID); len(got) != MostOfTab || len(got[0]) > MaxText+10 || len(d.Alerts(two.ID)) != 0 {
		t.Errorf("%d alerts, %d bytes in one", len(got), len(got[0]))
	}
	if got := d.History(); len(got) != MostInHistory || got[MostInHistory-1].Tab != two.ID || got[0].Number != MostOfTab+30+2-MostInHistory {
		t.Errorf("the history is %+v", got)
	}
	if got := d.TakeOf(two.ID); len(got) != 1 || len(d.TakeOf(two.ID)) != 0 {
		t.Errorf("of the second tab: %+v", got)
	}
	if list, more := d.Take(); len(list) != MostOfTab || more != 30 {
		t.Errorf("%d dialogs and %d more", len(list), more)
	}
	if list, more := d.Take(); len(list)+more != 0 {
		t.Errorf("again %d and %d", len(list), more)
	}
}
