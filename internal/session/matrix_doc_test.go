package session_test

// docs/libraries.md: the matrix as a page.

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/testdata/libraries"
)

const librariesPage = "../../docs/libraries.md"

// whole reports whether every page ran every one of its cases.
func (m *matrix) whole() bool {
	want := make(map[string]map[string]bool)
	for _, c := range matrixCases(words("en")) {
		for _, p := range libraries.Pages() {
			if !c.isFor(p) {
				continue
			}
			if want[c.action] == nil {
				want[c.action] = make(map[string]bool)
			}
			want[c.action][p.Name] = true
		}
	}
	for action, pages := range want {
		for page := range pages {
			if m.cells[action][page] == nil {
				return false
			}
		}
	}
	return true
}

var measured = regexp.MustCompile(`\d+ ms`)

// compare holds docs/libraries.md against the matrix, but for the times; with
// -update it writes the page.
func (m *matrix) compare(t *testing.T) {
	page := m.markdown()
	if *update {
		if err := os.WriteFile(librariesPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(librariesPage)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(measured.ReplaceAllString(page, ""), "\n")
	want := strings.Split(measured.ReplaceAllString(string(have), ""), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/libraries.md differs from the matrix; run make docs-libraries (-page +matrix):\n%s", diff)
	}
}

// TestLibrariesHead: the text of docs/libraries.md is the one in this file, from which the page is
// written; the matrix, which holds all of it, runs as a whole only at times.
func TestLibrariesHead(t *testing.T) {
	t.Parallel()
	have, err := os.ReadFile(librariesPage)
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(have), "\n## antd")
	if diff := cmp.Diff(librariesHead, text); diff != "" {
		t.Errorf("docs/libraries.md begins otherwise than librariesHead:\n%s", diff)
	}
}

func (m *matrix) markdown() string {
	var b strings.Builder
	b.WriteString(librariesHead)
	for _, library := range []string{"antd", "element"} {
		var pages []libraries.Page
		for _, p := range libraries.Pages() {
			if p.Library == library {
				pages = append(pages, p)
			}
		}
		if len(pages) > 0 {
			m.table(&b, library, pages)
		}
	}
	return b.String()
}

func (m *matrix) table(b *strings.Builder, library string, pages []libraries.Page) {
	fmt.Fprintf(b, "\n## %s\n\n| action |", library)
	for _, p := range pages {
		fmt.Fprintf(b, " %s |", p.Version)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(pages)))
	var actions []string
	for action := range m.cells {
		actions = append(actions, action)
	}
	slices.Sort(actions)
	for _, action := range actions {
		fmt.Fprintf(b, "| `%s` |", action)
		for _, p := range pages {
			fmt.Fprintf(b, " %s |", m.cells[action][p.Name])
		}
		b.WriteString("\n")
	}
}

func (c *cell) String() string {
	if c == nil {
		return ""
	}
	s := "ok"
	if c.refused {
		s = "`VERSION_INCOMPATIBLE`"
	}
	s += fmt.Sprintf(", %d ms", c.ms)
	if won := slices.Compact(slices.Sorted(slices.Values(c.won))); len(won) > 0 {
		s += ", fallback of " + strings.Join(won, " and ")
	}
	return s
}

const librariesHead = `# Component libraries

This page is written by a test, which runs each action on the real library (` + "`make docs-libraries`" + `).

The namespaces ` + "`antd`" + ` and ` + "`element`" + ` name their actions and params alike, whatever version of the library the
page runs: ` + "`action run antd:select:choose --label Segment --option School`" + `. ` + "`action describe antd:select:choose`" + ` tells
the params. Fields are found by their labels, or by what an empty field shows in place of one, buttons and items by their texts;
` + "`within`" + ` takes the title of a dialog, drawer, card or form where two are alike.

A cell says how the cases of an action went on that version: in English or Chinese, with animations, in forms, dialogs
and drawers, on tables with fixed columns; the time of the slowest case that succeeds, all versions at once; and where an alias was met by a fallback,
which one. What an action did is read from the application, not from the action. ` + "`make matrix`" + ` runs all of it ten
times in both languages, each with the library as a global of the page and bundled, as most applications have it: then its version
is known by its markup.

## How a question is answered

` + "`dialog:confirm`" + `, ` + "`dialog:cancel`" + ` and ` + "`popconfirm:accept`" + ` choose the button by what it says, whole, and by what the
library marks as its main button; never by where it stands. They know the usual words in English, Chinese, German, French, Spanish
and Japanese, and *Cancel* in more languages. When no button is clear, nothing is pressed: the error lists the buttons,
and ` + "`text`" + ` names one.

- **Confirm** presses the button that says yes (*OK*, *Yes, delete*), else the main one, else the only one left. That one must
  say what the question may be about (*Delete*, *Save*) or stand beside a clear no. *Help*, *Learn more*, *Reset*, *Previous* are
  no answers, and a type of ` + "`submit`" + ` is no mark.
- **Alternatives** in a question (*Replace report.pdf or keep both?*) leave it open: where two or more buttons are among them,
  none confirms. *Cancel* stays clear beside one that keeps several things (*Keep both*).
- **Cancel** presses *Cancel*, else *Close*, else the cross of the dialog, else *No*; never *Decline* or *Reject*, which
  answer a request. ` + "`data-dismiss`" + ` and a value of ` + "`cancel`" + ` count only where all other buttons say yes.
- **What repeats the question** answers it, in any language: where the title or a question of the dialog has the words of a
  button (*Reject invoice?* with *Reject* and *Approve*), that button confirms, and no *Cancel* that is asked about
  (*Annullare l'ordine?* with *Annulla* and *Indietro*) cancels. What may be a no (*Cancel order*, *Resume*) confirms
  where the question has all of its words; where it has only some of them, a main button in other words may be the contrary, so
  none is pressed. Nor is *Continue* where it asks whether to cancel, stop or leave something (*Cancel subscription?*, in some 25 languages),
  unless it also asks whether to go on. *Dismiss* confirms *Dismiss E-003?*.
- **What destroys or leaves** (*Delete*, *Sign out*, in some 20 languages) is no yes to another question, however the page marks it:
  *Keep draft?* with *Delete* and *Keep draft* is confirmed by *Keep draft*, and *Keep the file?* with *Delete* and *Cancel* by none. A mark
  counts where the dialog speaks of destroying or leaving, or only asks whether one is sure. What a question denies it does not ask for
  (*Close without saving?* with *Save* and *Close*). In *Delete file?*, *Keep* and *Back* beside *Delete* cancel.
- **Another action** than the one that is asked for is no yes, either, though it be the main button: *Bin it* for *Keep draft?*, *Turn off* for
  *Turn on backups?*, *Unlock* for *Lock?*, *Save and leave* for *Leave without saving?*. Pressed are its verb in any form, one of the
  same sense (*Delete* for *Remove user?*, in the languages above), *Continue*, *Save* and the like; else give ` + "`text`" + `. The mark counts as before
  where the question only asks whether one is sure, or who, what or when, and where a title is no question (*New user* with *Create*).
- **Another object** is no yes either, though the verb is the same: *Delete account* for *Delete draft?*, *Send to all 900 customers* for
  *Send to 1 customer?*. Words such as *now*, *it*, *items* and *permanently* add nothing; a number may stand elsewhere in the dialog.
- **More** than is asked is no yes: *Save and publish* for *Save changes?*, in the languages above, though no other
  button be left. It is pressed where the question says so too (*Save and publish?*), or where a sentence that has the
  verb does (*This deletes the user and all data*) and no other button has that verb. What closes, goes on, shows or
  agrees adds nothing (*Save and close*, *Save and continue*).
- **In doubt** is a question about cancelling, closing or declining itself (*Cancel order?* with *No* and *Cancel*); two
  buttons that both say no, without one that says yes; *Keep subscription*, which may be either; and a button
  whose accessible name is not what it shows. There only the cross cancels.
- **Which question**: without ` + "`title`" + ` exactly one dialog may be open, else the error is ` + "`ELEMENT_AMBIGUOUS`" + ` and names them.
  With ` + "`title`" + ` it is that dialog alone, not one inside or around it. A title is the name or first heading of a dialog, or the
  text that it begins with; a heading of the page, or further down in a dialog, is none. ` + "`popconfirm:accept`" + ` without ` + "`text`" + `
  expects one question; a ` + "`role=tooltip`" + ` with two buttons is one, too, where there is no other.
- **Done** means that the dialog, drawer or question which was answered is gone: not renamed, not busy, not rendered anew. One that
  saves has six seconds. What the page sends by then, or begins to send within a second where it has sent nothing and shows no
  other dialog (POST, PUT, PATCH or DELETE of a script), has to be answered, for which it has 18 seconds, and the last of it not
  refused or given up: a dialog that then comes back, and an answer of 400 or more, also to a beacon to the page's own server
  or in a tab that the press opens, are failures.
  So are the same question where it is open again by then, a message of the page that is marked as an error, or whose words refuse or
  say what stands in the way (*Order has invoices*, *Linked to 3 invoices*, *Remove them first*), new plain words that something could
  not be done (*Order could not be deleted*; but *Request rejected* is the success of *Reject request?*), and a new page that answers 400 or
  more; and what the page opens in the browser by then, also from a timer: a ` + "`confirm`" + ` or ` + "`prompt`" + ` that was dismissed, and an
  ` + "`alert`" + ` with such words. Where another dialog has come, ` + "`next`" + ` is its title: a wizard's next step, a message that it is done.
- **In doubt it fails**, too: where the page, or the one that comes, says something new outside of dialogs, in words that are not
  known, only these show that it was done: words of success that are known, a tick or a class of success, a row that is gone or
  has changed (not to words that refuse; what was to be deleted only to *Deleted*, *Archived*, *Moved to trash* and the like), or a
  dozen new texts. The error lists the new words; with none there is no doubt. A
  page that asks to sign in is a failure. It may have been done all the same: see the page before you confirm again. A dialog
  that comes with the answer of the server is in ` + "`next`" + `, too.
  After ` + "`dialog:cancel`" + ` and ` + "`drawer:close`" + ` one that asks something (*Discard changes?*) is a failure.

## What a form complains of

` + "`form:submit`" + ` presses the button and then looks for a refusal. Without ` + "`text`" + ` that is the button of a form: one of the type
submit, or where a script sends the form, a plain one that says *Save*, *Send* or the like, or is marked as the main one. A button that
says *Delete*, *Log out*, *Cancel*, *Back* or the like, in the languages below, is only pressed by its ` + "`text`" + `, and one that searches only
where the page has no other text field, or the form is named by ` + "`within`" + `. Where several are left, or none, none is pressed, and the
error lists the buttons.

**In doubt it fails**: where the form still holds something that was typed, on the same address or after a POST, only these show that
it was taken: words of success that are known (none are *Saved 3 days ago*, *before it can be saved* or a question), a tick or a class of success, other rows in a table or fewer in a list, what was typed in
another place of the page, five new texts outside of the form after a request, any there after one that only reads, or
a request that was answered while nothing new is said. Anything else that is new (words that are not known, in whatever language and
element, a box, a captcha, another field) is a failure that lists it, as is a field that the browser or a script has found invalid
since the press (the event ` + "`invalid`" + `, also after a request), unless a form was sent after it or words of success have
come, a page that
comes again as it was (the server says nothing, or no script had taken the form yet), a button *Create anyway* in place of the form, and a page that is nothing
but a line of unknown words. So it is where the form was posted and is empty now, or gone, and the page says little (less than a dozen
new texts, at most one field or those of before) and nothing that is known for success, shows no new row (on another
page: none with what was typed, beside a sentence) and not what was typed: a limit, the end of
a trial, a sign-in by another service, a page that shows nothing any more. A step with a number (*Step 2 of 3*) is none of these.
So is a note (a toast, a flash, an alert) on another page, unless one is known for success or the page shows what was typed.
The form may have been sent all the same: see the page and ` + "`requests`" + ` before you send it again. Where such words are a success, or
for a form that computes something, press with ` + "`button:click`" + ` instead of ` + "`form:submit`" + `, and verify.

It also fails on

- a field that is marked as invalid, by ` + "`aria-invalid`" + ` or the usual classes, with the message that belongs to it;
- a message (` + "`role=alert`" + `, ` + "`role=status`" + `, a toast, a flash, a shown ` + "`popover`" + `) that is new since the press, unless its class, icon or
  words make it a success. Hints and warnings count when their words refuse. Other words count in an alert, and anywhere while **the
  form stays as it was**: the same fields hold what they held, on the same page or after a POST. One that was there before counts
  when it speaks of an error and came again: it was gone right after the press, is another element now (the first
  message only), or stands on the new page together with the same form;
- new words of refusal in a small box without a role that lies over the page;
- a few new words in the form or next to it, where something was sent and the form stays as it was, and an ` + "`alert`" + ` of the browser
  there, unless they speak of a success. Words of success are known in English, Chinese, German, French, Spanish,
  Italian, Portuguese, Dutch, Polish, Czech, Russian, Japanese, Korean, Swedish, Danish, Norwegian, Finnish and Turkish;
- a dialog that has come while the form is still there, unless it speaks of a success: it asks first, or refuses. So is a new box without
  a role that lies over the page, asks something and has buttons, while the form holds what it held. The error lists its
  buttons: answer it with ` + "`dialog:confirm`" + ` or ` + "`dialog:cancel`" + `. Where such a fail is wrong, press with ` + "`button:click`" + ` and verify;
- where nothing was sent: a new question that has answers to press, buttons or links, beside the form, in it or over the page, while
  the form holds what it held, or one that asks whether you are sure in place of the form; a button that asks to be pressed
  again or to confirm (*Click again to confirm*); a form that stays filled while nothing on the page but its button has changed, unless
  that speaks of a success; and a new box over the page that does not say that it was taken. A page that stores the form by itself,
  says so, or goes on to its next step is none of these;
- new words in the form, or beside or above it, that read as a complaint (*Name is required*), while the same form is still or
  again there; and words in red there, whatever they are, unless they speak of a success. What can be pressed, and rows of data, are none.
  Red words that were there before count when they say that something was refused (*Name is already taken*);
- a heading (*Something went wrong*, *Payment not completed*), or words of a dialog (*The session has expired*), that are new and say
  that it was refused or not done (*Nem sikerült elmenteni*), in some 25 languages; lists of what was refused (*Pagos rechazados*) and other plain text are none;
- a form to sign in that was not there before: with a password, or with one field for an address or a name and a button or a heading
  that says *Sign in*, in some 25 languages; a letter of news in the footer is none;
- an answer of 400 or more: of the new page, of the page in a tab that the press opens, or to a POST, PUT, PATCH or DELETE by
  script, in a frame or, to the page's own server, by a beacon while the address stays
  (telemetry excepted: by its host, or by an address such as ` + "`/collect`" + `, but not ` + "`/api/collect`" + ` or ` + "`/logs/7`" + ` of the page's own
  server), and one that the page gave up before an answer came. Where another such request was taken and the page has
  come to say words of success that are known (*Customer saved*), the refused one is a warning that names it, unless the
  words were there right after the press and that request was the last;
- a new page that is nothing but an error of a program or a database, whatever it is written in: it begins with the name of one
  (*TypeError: …*, *HTTP Status 500*), has the lines of a stack, or the words of a database, and no heading, form or navigation of an
  application; or a refusal of access;
- an answer in JSON or XML that the browser shows as the page and that refuses at its top: *ok* or *success* that is false, *error* or
  *errors* that hold something, a status of 400 or more or one that says *failed*, a problem of RFC 9457, a message that refuses;
- a form that the browser has not sent, because the button's own click handlers have taken it off the page or disabled the button
  (see ` + "`click`" + `): unless the page has made a request itself, telemetry excepted, or a new message or new words speak of a success;
- a ` + "`confirm`" + ` or ` + "`prompt`" + ` that was dismissed while the page stayed (say ` + "`dialog accept`" + ` before), an ` + "`alert`" + ` that speaks of an error;
- a request of the page that has no answer after about half a minute, and a form that still says by then that it is being sent;
- a press of which nothing comes but a GET by script that the server refuses;
- a press of which nothing comes: no request (telemetry and polling excepted), no other address, tab, dialog or download, and what
  the page shows is as before: texts, what fields hold, states of controls, pictures. Colours and names of classes are not
  compared: a field that only shakes or gets a red border is a press of which nothing comes.

It waits until the page is at rest, at most 10 seconds where it never is, and half a minute while the form says that it is being
sent: by ` + "`aria-busy`" + `, a spinner, a progress bar, a class such as ` + "`is-loading`" + `, or words such as *Saving…*. A button that is only disabled is waited for 5 seconds.
Where nothing was sent and the form holds what it held, a change that comes only after the press, or goes on by itself (a clock), is no effect,
unless words of success come with it; nor is any change beside a complaint about a missing value that stays.
It does **not** see: a press without effect where the page draws something else in the same moment; an error that comes more than 500 ms after
the last request and change of the page; another complaint that stands there unchanged, or whose text is written anew into
the same element; one that neither its place, its class nor its words mark; an answer of 200 to a script whose body says that it was
refused (*ok: false*) while the page says nothing: the browser keeps no bodies for us. Where that matters, check the outcome itself (` + "`verify`" + `).

## What else is checked

- **Uploads** end when no file is under way. They fail on a file that the list marks as failed (by a title
  such as *Upload failed*, in red, struck out, by ✗ or ⚠, *skipped*, a sign with the class of an error) or drops again without a server having it, on a question first (*already exists.
  Replace?*), a dialog that refuses, a progress bar that stays below its end when nothing is under way, on one of several that is neither kept, listed nor sent, on a full list that stays as it was, on a new message of an
  error or a warning, and on a request that is refused, unanswered or given up by the page. Where the field is empty again and
  something was sent, they fail in doubt: on new words that are not known for success (*Row 2: age is missing*), unless a row, a picture
  or the name of the file has come. So they do where the page still works on a file after 15 seconds (*processing*, *75 %*), and where the
  page that a form of files leads to neither names them nor says that it has them.
- **Controls** that are set (a switch, a box, a radio button, a list, a slider, a rating) fail where a request that the page has
  begun with the change is refused by the server, though the control stays as it was set, unless the page says that it was
  stored, and where the page that their change leads to shows another value, refuses or asks for a sign-in.
  Telemetry, and what the page sends later, are no failure. So do days that are picked and fields that are typed in, also
  where the page sends them within half a second. A field for a number is left and entered again for that; what a
  page sends of others only once they are left is not seen: read it back after that.
- **Presses** of ` + "`table:row-action`" + `, ` + "`dropdown:choose`" + `, ` + "`menu:select`" + `, ` + "`tabs:switch`" + ` and ` + "`notification:close`" + ` fail where
  they lead to a page that asks for a sign-in, unless the text speaks of signing in or out, or to one that answers 400 or
  more, also in a tab. They fail where a POST, PUT, PATCH or DELETE that begins with them is refused, unless it was sent
  once more with success or the page says that it was done; telemetry excepted.
- **What is drawn** decides where an input is hidden: a box, switch or radio button that the browser has set fails
  where the page still draws it as it was. So do an item of a menu that still marks another one where the page warns
  or nothing else has changed, an antd filter whose rows and button stay as they were, and a list of several that
  shows some of the options that were to be chosen, and not all.
- **Rows** that a server refuses: ` + "`table:sort`" + `, ` + "`table:filter`" + ` and ` + "`pagination:go`" + ` fail where a request that began with the press was
  refused and no rows came, whatever the page shows instead; ` + "`tabs:switch`" + ` and ` + "`tree:expand`" + ` where nothing came, or words that refuse.
- **Sorted** is what the rows show: ` + "`table:sort`" + ` fails where numbers or dates are in the order opposite to the mark, also
  where they are in that of their letters (200, 30, 4), and warns with ` + "`not_sorted`" + ` where they are in none. Codes with a
  leading zero and words may have any order.
- **Messages**: where one stands already, ` + "`message:read`" + ` waits until the page is at rest, two seconds at most, and returns a newer one if
  there is one. It cannot say how old the only message is: give ` + "`text`" + ` where that matters.
- **Dates** are compared with what the field shows at the end, in whatever format; a format without a year is taken as it is. In
  ` + "`components`" + ` a field that takes no text is set in the calendar that it opens: days, ranges and months, without a time. A day that is
  disabled, a calendar that does not say its month or does not turn, and a field that does not show the day afterwards are ` + "`STEP_FAILED`" + `.
- **Menus of buttons** in ` + "`antd`" + ` are not linked with their buttons: while two menus are open, choosing is ` + "`ELEMENT_AMBIGUOUS`" + `.
`
