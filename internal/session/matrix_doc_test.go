package session_test

// The generation of docs/libraries.md from the matrix.

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

// whole reports whether every page has run all its cases.
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

// compare compares docs/libraries.md with the matrix, except for the times. With -update it writes
// the page.
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

// TestLibrariesHead checks that docs/libraries.md begins with the text in this file. The matrix
// checks the whole page, but does not always run.
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

A test writes this page: it runs each action on the real library (` + "`" + `make docs-libraries` + "`" + `).

The namespaces ` + "`" + `antd` + "`" + ` and ` + "`" + `element` + "`" + ` have the same names of actions and params, on every version of
the library: ` + "`" + `action run antd:select:choose --label Segment --option School` + "`" + `.
` + "`" + `action describe antd:select:choose` + "`" + ` lists the params. Fields are found by their labels, or by what
an empty field shows in place of one; buttons and items by their texts. ` + "`" + `within` + "`" + ` takes the title of
a dialog, drawer, card or form if two are alike.

A cell shows how the cases of an action ended on that version: in English or Chinese, with
animations, in forms, dialogs and drawers, on tables with fixed columns. It has the time of the
slowest case that succeeds, with all versions at once, and the alias of which a fallback was used,
if any. The effect of an action is read from the application, not from the action.

` + "`" + `make matrix` + "`" + ` runs all of it ten times in both languages, each with the library as a global of the
page and bundled, as in most applications. If it is bundled, the version is detected from the
markup.

## How a question is answered

` + "`" + `dialog:confirm` + "`" + `, ` + "`" + `dialog:cancel` + "`" + ` and ` + "`" + `popconfirm:accept` + "`" + ` choose the button by its whole text, and
by what the library marks as its main button, never by its position. They know the usual words in
English, Chinese, German, French, Spanish and Japanese, and *Cancel* in more languages. If no button
is clear, nothing is pressed: the error lists the buttons, and ` + "`" + `text` + "`" + ` names one.

- **Confirm** presses the button that says yes (*OK*, *Yes, delete*), otherwise the main one,
  otherwise the only one left. That one must say what the question may be about (*Delete*, *Save*)
  or be beside a clear no. *Help*, *Learn more*, *Reset*, *Previous* are not answers, and a type of
  ` + "`" + `submit` + "`" + ` is not a mark.
- **Alternatives** in a question (*Replace report.pdf or keep both?*) leave it open: if two or more
  buttons are among them, none confirms. *Cancel* remains clear beside one that keeps several things
  (*Keep both*).
- **Cancel** presses *Cancel* (also beside *Close ticket* under *Edit ticket?*), otherwise *Close*,
  otherwise the cross of the dialog, otherwise *No*;
  never *Decline* or *Reject*, which answer a request. ` + "`" + `data-dismiss` + "`" + ` and a value of ` + "`" + `cancel` + "`" + ` count
  only if all other buttons say yes. Of two buttons, one that denies the other cancels (*Send* and
  *Don't send*), unless it loses something (*Save* and *Don't save*).
  - Never one that destroys, leaves or declines (*No, delete it*, *Discard*), nor a cross or *Close*
    whose title, name or icon says so.
- **The words of the question** answer it, in any language:
  - If the title or a question of the dialog has the words of a button (*Reject invoice?* with
    *Reject* and *Approve*), that button confirms. A *Cancel* that the question is about does not
    cancel (*Annullare l'ordine?* with *Annulla* and *Indietro*).
  - What may be a no (*Cancel order*, *Resume*) confirms if the question has all of its words. If it
    has only some of them, a main button in other words may be the contrary, so none is pressed.
  - *Continue* is not pressed if the question is whether to cancel, stop or leave something (*Cancel
    subscription?*, in some 25 languages), unless it also asks whether to go on. *Dismiss* confirms
    *Dismiss E-003?*.
- **What destroys or leaves** (*Delete*, *Sign out*, in some 20 languages) is not a yes to another
  question, however the page marks it: *Keep draft?* with *Delete* and *Keep draft* is confirmed by
  *Keep draft*, and *Keep the file?* with *Delete* and *Cancel* by neither.
  - A mark counts if the dialog speaks of destroying or leaving, or only asks whether one is sure.
  - A question does not ask for what it denies (*Close without saving?* with *Save* and *Close*). In
    *Delete file?*, *Keep* and *Back* beside *Delete* cancel.
  - Nor is it a yes in a dialog that asks nothing (*Edit event* with *Delete* and *Cancel*), unless
    its words speak of that, of a loss or of something to confirm, or another button says *No*.
  - Nor is it beside a button that keeps or stays, unless it is asked for (*Are you still there?* with
    *Log out* and *Stay signed in*); the same holds for *Replace* and *Overwrite*.
  - Nor is what a question names only as done, or to be undone, stopped or put off (*Restore deleted
    files?*, *Undo delete?*, *Export before deleting?* with *Delete*). Then only a button that says
    yes or has the verb of the question is pressed.
  - A statement asks for nothing. What is said to happen by itself is not pressed beside a button that
    may prevent it: of *You will be signed out in 60 seconds* with *Sign out* and *Stay signed in*,
    neither; of *Old backups will be deleted* with *Delete* and *Upgrade*, the second if it is the
    main one. A question or title with the verb asks for it, and so does what the user is about to
    do (*This will delete the file*).
- **Another action** than that of the question is not a yes, even if it is the main button: *Bin it*
  for *Keep draft?*, *Turn off* for *Turn on backups?*, *Unlock* for *Lock?*, *Save and leave* for
  *Leave without saving?*.
  - Pressed are the question's verb in any form, one of the same meaning (*Delete* for *Remove
    user?*, in the languages above), *Continue*, *Save* and the like; otherwise give ` + "`" + `text` + "`" + `.
  - The mark counts as above if the question only asks whether one is sure, or who, what or when,
    and if a title is not a question (*New user* with *Create*).
  - *Retry* and *Try again* are one action. *Reload* and *Refresh*, which are no answers otherwise,
    are pressed if a sentence begins with that verb (*Reload to get version 4.2*).
- **Another object** is not a yes either, even with the same verb: *Delete account* for *Delete
  draft?*, *Send to all 900 customers* for *Send to 1 customer?*. Words such as *now*, *it*, *items*
  and *permanently* add nothing; a number may be elsewhere in the dialog, but not as a total:
  *Delete 40 rows* is not a yes to *Delete 2 of 40 rows?*.
- **More** than the question is not a yes: *Save and publish* for *Save changes?*, in the languages
  above, even if no other button is left. It is pressed if the question says so too (*Save and
  publish?*), or if a sentence with the verb does (*This deletes the user and all data*) and no
  other button has that verb. What closes, continues, shows or agrees adds nothing (*Save and
  close*, *Save and continue*).
- **Ambiguous** are a question about cancelling, closing or declining itself (*Cancel order?* with
  *No* and *Cancel*); two buttons that both say no, without one that says yes; *Keep subscription*,
  which may be either; and a button whose accessible name is not what it shows. There only the cross
  cancels.
- **Which question**: without ` + "`" + `title` + "`" + ` exactly one dialog may be open; otherwise the error is
  ` + "`" + `ELEMENT_AMBIGUOUS` + "`" + ` and names them. With ` + "`" + `title` + "`" + ` it is that dialog alone, not one inside or around
  it. A title is the name or first heading of a dialog, or the text that it begins with; a heading
  of the page, or further down in a dialog, is not. ` + "`" + `popconfirm:accept` + "`" + ` without ` + "`" + `text` + "`" + ` expects one
  question beside what was pressed. A ` + "`" + `role=tooltip` + "`" + ` with two buttons is one, too, if there is no
  other. Where no dialog is open, ` + "`" + `dialog:confirm` + "`" + ` and ` + "`" + `dialog:cancel` + "`" + ` without ` + "`" + `title` + "`" + ` answer that
  question.

**Done** means that the dialog, drawer or question that was answered is gone: not renamed, not busy,
not rendered anew. One that saves has six seconds.

- What the page sends by then (POST, PUT, PATCH or DELETE of a script) must be answered, within 18
  seconds. So must what it begins to send within a second, or after an answer that it waits for, if
  it has sent nothing and shows no other dialog. The last request must not be refused or given up. A dialog that then comes back is a
  failure, and so is an answer of 400 or more, also to a beacon to the page's own server or in a tab
  that the press opens.
- It is a failure if the same question is open again by then, or if a message of the page is marked
  as an error or has words that refuse or name an obstacle (*Order has invoices*, *Linked to 3
  invoices*, *Remove them first*).
- So are new plain words that something could not be done (*Order could not be deleted*; but
  *Request rejected* is the success of *Reject request?*), and a new page that answers 400 or more.
- So is what the page opens in the browser by then, also from a timer: a ` + "`" + `confirm` + "`" + ` or ` + "`" + `prompt` + "`" + ` that
  was dismissed, and an ` + "`" + `alert` + "`" + ` with such words.
- If another dialog has opened, ` + "`" + `next` + "`" + ` is its title: the next step of a wizard, or a message that it
  is done. That includes a dialog that comes with the answer of the server. After ` + "`" + `dialog:cancel` + "`" + `
  and ` + "`" + `drawer:close` + "`" + `, one that asks something (*Discard changes?*) is a failure.

**In doubt it fails**: if the page, or the one that follows, shows new words outside of dialogs that
are not known, only these prove that it was done: known words of success, a tick or a class of
success, a row that is gone or has changed, or a dozen new texts. Data in a ` + "`" + `pre` + "`" + ` or ` + "`" + `code` + "`" + ` (from
` + "`" + `{` + "`" + ` or ` + "`" + `[` + "`" + ` on) are no words, unless they name an error.

The row may not have changed to words that refuse, and what was to be deleted only to *Deleted*,
*Archived*, *Moved to trash* and the like. The error lists the new words; without new words there is
no doubt, unless a form of the dialog was posted and led to a page whose texts, rows and controls are
as before. A page that asks to sign in is a failure.

It may have been done all the same: check the page before you confirm again.

## What a form complains of

` + "`" + `form:submit` + "`" + ` presses the button and then searches for a refusal. Without ` + "`" + `text` + "`" + ` that is the button
of a form: one of the type submit, or if a script sends the form, a plain one that says *Save*,
*Send* or the like, or is marked as the main one.

A button that says *Delete*, *Log out*, *Cancel*, *Back* or the like, in the languages below, is
pressed only by its ` + "`" + `text` + "`" + `. One that searches is pressed only if the page has no other text field,
or if ` + "`" + `within` + "`" + ` names the form. If several are left, or none, none is pressed, and the error lists
the buttons.

**In doubt it fails.** If the form still contains something that was typed, on the same address or
after a POST, only these prove that it was accepted:

- known words of success (not *Saved 3 days ago*, *before it can be saved*, *already added* or a
  question) while no other new text refuses or asks for something (*Order saved as draft* with *Add a
  payment method*), or a tick or a class of success. What asks for a further act of a person is no
  success: to enter a code, to approve a payment, to sign in or to order again. That a link was sent
  counts only if the page does not ask to verify an address, and a welcome only after a sign-in.
  Words that an offer is closed, full or sold out (*Inscriptions closes*), that another person has
  changed the record, or that the form will be sent later refuse. Thanks for an interest, and what
  became of a basket or a draft, count only if the first new text has words of success;
- other rows in a table, or fewer in a list; what was typed, elsewhere on the page;
- on a page that comes again, another number, such as a sum; not one that changes by itself: a time, an
  age, what is left of something, a counter of visits, the number of a request, a code;
- five new texts outside of the form after a request, any new text there after one that only reads,
  or a request that was answered while nothing new is said.

Words that refuse do not count where a text quotes them from the form (*Ticket 'Login fails on Safari'
was created*), or where they say that what the pressed button names was done (*Your subscription has
been cancelled* after *Cancel subscription*).

Everything else is a failure, and the error lists what is new:

- words that are not known, in any language and element, a box, a captcha;
- after a request that does more than read, a form that is there again with most of its fields, also
  emptied, and has a field that it did not have, unless its label differs in digits only; and while
  the form still contains what was typed, other words in a label, or another button in place of the
  pressed one (*Save anyway*), unless it is disabled, counts, or says that it is done (*Saved*). Only
  known words of success, a tick or a new row outweigh these;
- a field for a code that was not there before (` + "`" + `autocomplete=one-time-code` + "`" + ` and the like), also
  where the form is gone;
- a field that the browser or a script has found invalid since the press (the event ` + "`" + `invalid` + "`" + `, also
  after a request), unless a form was sent after it or words of success have appeared;
- a page that comes back unchanged (the server says nothing, or no script handled the form yet; with
  the form empty also by a script that was redirected, as Turbo does), a
  button *Create anyway* in place of the form, and a page that is only a line of unknown words.

It is also a failure if the form was posted and is now empty or gone, and the page says little (less
than a dozen new texts, at most one field or those of before) and nothing known as success, and
shows no new row and not what was typed or chosen. A new row must show what was typed if that had
letters, or at least a word of it; on another page without that form it need not where the page says
nothing else. Entries of a list of messages
are no rows, nor is a cell over the whole table. On a page that comes again with more texts, one
that says two words or more beside what was typed (*Bob has another team*) does not count, unless it
is a success, or a row of a list that was there. Examples are a limit, the end of a trial, a sign-in
with another service, terms to accept, a page that says that one was signed out, or one that shows
nothing any more, or nothing but what was there before. A step with a number (*Step 2 of 3*) is not
one of these.

So is a note (a toast, a flash, an alert) on another page, unless one is known as success, by its
words or, where no word refuses, by its class, or the page shows what was typed. The title and the
message of a note are judged together (*OK*, *Customer saved*).

Texts of more than 40,000 characters are not read. On a page that still has too much to be judged, it
fails before the press.

The form may have been sent all the same: check the page and ` + "`" + `requests` + "`" + ` before you send it again. If
such words are a success, or for a form that computes something, press with ` + "`" + `button:click` + "`" + ` instead
of ` + "`" + `form:submit` + "`" + `, and verify.

It also fails on

- a field that is marked as invalid, by ` + "`" + `aria-invalid` + "`" + ` or the usual classes, with the message that
  belongs to it;
- a message (` + "`" + `role=alert` + "`" + `, ` + "`" + `role=status` + "`" + `, a toast, a flash, a shown ` + "`" + `popover` + "`" + `) that is new since the
  press, unless its class, icon or words make it a success:
  - Hints and warnings count if their words refuse. Other words count in an alert, and anywhere
    while **the form stays as it was**: the same fields have the same values, on the same page or
    after a POST.
  - A message that was there before counts if it speaks of an error and appeared again: it was gone
    right after the press, is another element now (the first message only), or is on the new page
    together with the same form;
- new words of refusal in a small box without a role that lies over the page;
- a few words that say plainly that something was not done (*Not saved*), if a script has sent the
  form and the address is the same, also where the page shows what was typed;
- a few new words in the form or next to it, if something was sent and the form stays as it was, and
  an ` + "`" + `alert` + "`" + ` of the browser there, unless they speak of a success. Words of success are known in
  English, Chinese, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Russian,
  Japanese, Korean, Swedish, Danish, Norwegian, Finnish and Turkish;
- a dialog that has opened while the form is still there, unless it speaks of a success: it asks
  first, or refuses. So is a new box without a role that lies over the page, asks something and has
  buttons, while the form keeps its values. The error lists its buttons: answer it with
  ` + "`" + `dialog:confirm` + "`" + ` or ` + "`" + `dialog:cancel` + "`" + `. If such a failure is wrong, press with ` + "`" + `button:click` + "`" + ` and
  verify;
- if nothing was sent, any of these, except on a page that stores the form by itself, says so, or
  goes on to its next step:
  - a new question with answers to press, buttons or links, beside the form, in it or over the page,
    while the form keeps its values, or one that asks whether you are sure in place of the form;
  - a button that asks to be pressed again or to confirm (*Click again to confirm*);
  - a form that stays filled while nothing on the page but its button has changed, unless that
    speaks of a success;
  - a new box over the page that does not say that the form was accepted;
- new words in the form, or beside or above it, that read as a complaint (*Name is required*), while
  the same form is still or again there; and words in red there, whatever they are, unless they
  speak of a success. Neither can be something to press or a row of data. Red words that were there
  before count if they say that something was refused (*Name is already taken*);
- a heading (*Something went wrong*, *Payment not completed*), or words of a dialog (*The session
  has expired*), that are new and say that it was refused or not done (*Nem sikerült elmenteni*), in
  some 25 languages; lists of what was refused (*Pagos rechazados*) and other plain text do not
  count;
- a form to sign in that was not there before: with a password and a button *Sign in*, with nothing
  but a password, or with one field for an address or a name and a button or a heading that says
  *Sign in*, in some 25 languages; a newsletter form in the footer does not count;
- an answer of 400 or more: of the new page, of the page in a tab that the press opens, or to a
  POST, PUT, PATCH or DELETE by script, in a frame or, to the page's own server, by a beacon while
  the address stays; and one that the page gave up before an answer came:
  - Telemetry is excepted: by its host, or by an address such as ` + "`" + `/collect` + "`" + `, but not ` + "`" + `/api/collect` + "`" + `
    or ` + "`" + `/logs/7` + "`" + ` of the page's own server.
  - If another such request succeeded and the page now shows known words of success (*Customer
    saved*), the refused one is a warning that names it, unless the words were there right after the
    press and that request was the last;
- a new page that is only an error of a program or a database, in any language: it begins with the
  name of one (*TypeError: …*, *HTTP Status 500*), has the lines of a stack, or the words of a
  database, and no heading, form or navigation of an application; or a refusal of access;
- an answer in JSON or XML that the browser shows as the page and that refuses at its top: *ok* or
  *success* that is false, *error* or *errors* that are not empty, a status of 400 or more or one
  that says *failed*, a problem of RFC 9457, a message that refuses;
- a short answer in JSON to a script that refuses in the same way, or by *data* or *result* in it:
  also if the page shows a success, where *ok* or *success* is false. The request is the last one of
  its method to its address, and not a GET. Lists, switches and dialogs that are set or confirmed
  fail so, too;
- a form that the browser has not sent, because the button's own click handlers have removed it from
  the page or disabled the button (see ` + "`" + `click` + "`" + `): unless the page has made a request itself,
  telemetry excepted, or a new message or new words speak of a success;
- a ` + "`" + `confirm` + "`" + ` or ` + "`" + `prompt` + "`" + ` that was dismissed while the page stayed (run ` + "`" + `dialog accept` + "`" + ` before), or
  an ` + "`" + `alert` + "`" + ` that speaks of an error;
- a request of the page that has no answer after about half a minute, and a form that still says
  then that it is being sent;
- a press whose only effect is a GET by script that the server refuses;
- a press without effect: no request (telemetry and polling excepted), no other address, tab, dialog
  or download, and what the page shows is as before: texts, values of fields, states of controls,
  pictures. Colours and names of classes are not compared: a field that only shakes or gets a red
  border is no effect.

It waits until the page is at rest, at most 10 seconds, and half a minute while the form says that
it is being sent: by ` + "`" + `aria-busy` + "`" + `, a spinner, a progress bar, a class such as ` + "`" + `is-loading` + "`" + `, or words
such as *Saving…*. It waits 5 seconds for a button that is only disabled.

If nothing was sent and the form keeps its values, a change that comes only after the press, or goes
on by itself (a clock), is no effect, unless words of success come with it; nor is any change beside
a complaint about a missing value that stays.

It does **not** detect

- a press without effect if the page draws something else at the same moment;
- an error that appears more than 500 ms after the last request and change of the page;
- another complaint that is there unchanged, or whose text is written anew into the same element;
- a complaint that is marked neither by its position, its class nor its words;
- an answer of 200 to a script that refuses in other words or another format than those above, or that
  no script reads, while the page says nothing.

Where that matters, check the outcome itself (` + "`" + `verify` + "`" + `).

## What else is checked

- **Uploads** end when no file is in progress. They fail
  - on a file that the list marks as failed (by a title such as *Upload failed*, in red, struck out,
    by ✗ or ⚠, *skipped*, a sign with the class of an error) or drops again without a server having
    it;
  - on a question first (*already exists. Replace?*), a dialog that refuses, a progress bar that
    stays below its end when nothing is in progress, or one of several files that is neither kept,
    listed nor sent;
  - on a full list that stays as it was, a new message of an error or a warning, or a request that
    is refused, unanswered or given up by the page;
  - in doubt, if the field is empty again and something was sent: on new words that are not known as
    success (*Row 2: age is missing*), unless a row, a picture or the name of the file has appeared;
  - in doubt, if the page still processes a file after 15 seconds (*processing*, *75 %*), or if the
    page that a form of files leads to neither names them nor says that it has them.
- **Controls** that are set (a switch, a box, a radio button, a list, a slider, a rating) fail if
  the server refuses a request that the page began with the change, or once another one was answered
  that began so (such as one for a token), even if the control stays as it was set, unless the page
  says that it was stored. They also fail if the page that their change leads to shows another value,
  refuses or asks for a sign-in. Telemetry, and what the page sends later, do not count.
- **Days** that are picked and **fields** that are typed in are checked in the same way, also if the
  page sends them within half a second. A field with a number, a password or an
  address loses the focus and gets it back for that.
  What a page sends of other fields only when they lose the focus is not detected: read it back
  after that.
- **Presses** of ` + "`" + `table:row-action` + "`" + `, ` + "`" + `dropdown:choose` + "`" + `, ` + "`" + `menu:select` + "`" + `, ` + "`" + `tabs:switch` + "`" + ` and
  ` + "`" + `notification:close` + "`" + ` fail if they lead to a page that asks for a sign-in, unless the text speaks
  of signing in or out, or to one that answers 400 or more, also in a tab. They fail if a POST, PUT,
  PATCH or DELETE that begins with them, or once such a request was answered, is refused, unless it
  was sent once more with success or the page says that it was done; telemetry excepted. What begins
  more than three seconds later does not count.
- **A list** shows the option that was chosen: alone, or beside decoration. Decoration has neither
  letters nor digits (a flag, a dot, an arrow), or its words were there before with another option
  (*Sort by: Green*), or a hidden input got the option's text as its value. It is never what makes
  the longer name of another option: *Dark Green* is not *Green*.
  An option that stands in the field, hidden or in the open list, is not what the list shows.
  Of several options with the same text and different values none is chosen: ` + "`" + `ELEMENT_AMBIGUOUS` + "`" + `.
- **Custom elements** that give their role and state only to the browser (ElementInternals) are
  found neither by role nor by label. Find them with css, press them, and verify the outcome.
- **What is drawn** decides if an input is hidden: a box, switch or radio button that the browser
  has set fails if the page still draws it as it was. So do a menu item if another one is still
  marked and the page warns or nothing else has changed, an antd filter whose rows and button stay
  as they were, and a list of several that shows some of the options to be chosen, but not all.
- **Rows** that a server refuses: ` + "`" + `table:sort` + "`" + `, ` + "`" + `table:filter` + "`" + ` and ` + "`" + `pagination:go` + "`" + ` fail if a request
  that began with the press was refused and no rows came, whatever the page shows instead. The rows
  of a list or of cards are its texts and pictures. ` + "`" + `tabs:switch` + "`" + ` and ` + "`" + `tree:expand` + "`" + ` fail if nothing
  came, or words that refuse. ` + "`" + `tabs:switch` + "`" + ` also fails if an answer of 200 brings hardly more than
  such words (*You do not have permission*, *Files could not be loaded*), only a box of an error, or
  a form to sign in; and if the part of the page that it loads shows nothing but a spinner or
  *Loading…* ten seconds after the page came to rest. Which part that is says ` + "`" + `aria-controls` + "`" + `, or
  ` + "`" + `data-bs-target` + "`" + ` or ` + "`" + `href` + "`" + ` with the id of a panel.
  ` + "`" + `pagination:go` + "`" + ` and ` + "`" + `table:sort` + "`" + ` also fail if an answer of 200 is followed by such words in place of
  the rows or beside them, outside of what may be an entry itself.
- **Words about what was sent**: the actions that set a control or choose an entry of a menu, and
  ` + "`" + `table:row-action` + "`" + `, fail if the page has sent something and then has a message that refuses, or says
  plainly, in a few words outside of rows and long lists, that something was not done (*Not saved*).
- **Sorted** is what the rows show: ` + "`" + `table:sort` + "`" + ` fails if numbers or dates are in the order opposite
  to the mark, or in that of their letters (200, 30, 4), and warns with ` + "`" + `not_sorted` + "`" + ` if they are in
  none. Codes with a leading zero and words may have any order.
- **Messages**: if one is there already, ` + "`" + `message:read` + "`" + ` waits until the page is at rest, two seconds
  at most, and returns a newer one if there is one. It cannot say how old the only message is: give
  ` + "`" + `text` + "`" + ` if that matters.
- **Dates** are compared with what the field shows at the end, in any format; a format without a
  year is accepted as it is. In ` + "`" + `components` + "`" + ` a field that takes no text is set in the calendar that
  it opens or contains: days, ranges and months, without a time. A day that is disabled, a calendar
  that does not show its month or does not turn, and a field that does not show the day afterwards
  are ` + "`" + `STEP_FAILED` + "`" + `; the hint says what the field shows then.
- **Menus of buttons** in ` + "`" + `antd` + "`" + ` are not linked with their buttons: while two menus are open,
  choosing is ` + "`" + `ELEMENT_AMBIGUOUS` + "`" + `.

## Libraries without a pack

The namespace ` + "`" + `components` + "`" + ` is tested on parts of these libraries, each as its authors publish it:

| library | what holds |
|---|---|
| Chosen, multiple-select, nice-select, Choices.js, Select2, Selectize, Slim Select, Tom Select | ` + "`" + `select:choose` + "`" + `, ` + "`" + `field:set` + "`" + ` and ` + "`" + `form:fill` + "`" + ` of one and of several options of a ` + "`" + `<select>` + "`" + `, also if no element is around it and its label; nice-select for one option |
| Fomantic UI | the same on a ` + "`" + `<select>` + "`" + ` or a hidden input, also with a search; ` + "`" + `dialog:confirm` + "`" + ` and ` + "`" + `dialog:cancel` + "`" + ` of a modal |
| Materialize | the same on a ` + "`" + `<select>` + "`" + `; ` + "`" + `tabs:switch` + "`" + `; ` + "`" + `dialog:confirm` + "`" + ` and ` + "`" + `dialog:cancel` + "`" + ` of a modal, also if nothing is sent |
| react-datepicker 4, 6, 8 | ` + "`" + `date:pick` + "`" + `, ` + "`" + `date:range` + "`" + `, ` + "`" + `field:set` + "`" + ` and ` + "`" + `form:fill` + "`" + ` of days, months, quarters, years and ranges |
| AG Grid | ` + "`" + `table:sort` + "`" + ` and ` + "`" + `table:read` + "`" + ` of the rows that it draws |

` + "`" + `input:fill` + "`" + ` does not choose in a list that is searched: it fails, or chooses the option itself.
`
