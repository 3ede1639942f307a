package selectors

// The table of kinds, from which the parser, its hints, the schema and the reference page
// are derived. A new kind is an entry here, its form where no form fits, and its row in the
// page engine (step, in engine/page/select.js).

import "slices"

// A form says how the body of a kind is written.
type form uint8

const (
	codeForm   form = iota // CSS or XPath
	textForm               // a text, plain or in double quotes
	roleForm               // a role and its attributes
	classForm              // names separated by dots
	indexForm              // an integer
	frameForm              // one part
	insideForm             // a selector in parentheses
	listForm               // selectors in parentheses, separated by " | "
	emptyForm              // nothing
	wordForm               // the name alone, without a colon
)

// A link says what a kind does with the matches before it.
type link uint8

const (
	searches link = iota // looks inside them, or in the document if it is first
	filters              // keeps some of them
	moves                // goes on from each of them to another element
)

// A kindInfo describes one kind.
type kindInfo struct {
	kind    Kind
	form    form
	link    link
	ops     []Op
	body    string // what the body is, for messages
	short   string // a short body, for hints
	doc     string // what it matches, for the reference page
	example string // a whole selector, for the page and for hints
}

var compared = []Op{Contains, Matches}

// kinds is in the order of the reference page.
var kinds = []kindInfo{
	{kind: CSS, form: codeForm, body: "a CSS selector", short: "#save", example: "css:.ant-modal .ant-btn-primary",
		doc: "a CSS selector; searches open shadow roots too, matching within one root at a time; slotted content counts as inside the elements around its slot"},
	{kind: XPath, form: codeForm, body: "an XPath expression", short: "//button", example: "xpath://tr[td='Ann']",
		doc: "an XPath 1.0 expression"},
	{kind: Class, form: classForm, body: "names of classes", short: "select-dropdown", example: "class:select-dropdown",
		doc: "an element with a class that is this or ends in a hyphen and this, such as `ant-select-dropdown`; of several names, separated by dots, it has one such class each"},
	{kind: Role, form: roleForm, body: "an ARIA role", short: "button[name='OK']", example: "role:dialog",
		doc: "ARIA role and accessible name, as the browser computes them"},
	{kind: TextKind, form: textForm, ops: compared, body: "a text", short: "OK", example: "text:New order",
		doc: "the smallest element whose rendered text is equal"},
	{kind: Says, form: textForm, body: "a text", short: "Save", example: "css:button >> says:Save",
		doc: "an element that says it: by its name, or by all the words of a line in it, ignoring counts, arrows and keys"},
	{kind: Label, form: textForm, ops: compared, body: "a text", short: "Name", example: "label:Name",
		doc: "a form control by its label"},
	{kind: Placeholder, form: textForm, ops: compared, body: "a text", short: "Search", example: "placeholder:Search",
		doc: "by its placeholder"},
	{kind: Alt, form: textForm, ops: compared, body: "a text", short: "Logo", example: "alt:Logo",
		doc: "by its alternative text"},
	{kind: Title, form: textForm, ops: compared, body: "a text", short: "Close", example: "title:Close",
		doc: "by its title"},
	{kind: TestID, form: textForm, ops: compared, body: "a text", short: "save", example: "testid:save",
		doc: "by its test id, the attribute `data-testid` unless configured"},
	{kind: Field, form: textForm, ops: compared, body: "the label of a field", short: "Name", example: "field:Segment >> role:combobox",
		doc: "the field of a label: the smallest element around the label and its control"},
	{kind: Within, form: textForm, ops: compared, body: "a title or heading", short: "Orders", example: "within:Orders >> role:table",
		doc: "the part of the page under a title or heading; the rest of the selector searches inside it"},
	{kind: Row, form: textForm, link: moves, body: "a text in the row", short: "Ann", example: "role:table >> row:Ann",
		doc: "of the tables matched so far, the rows that show it in a cell, as the step `table` reads them"},
	{kind: Frame, form: frameForm, body: "the selector of an iframe", short: "#content", example: "frame:title:Chart >> text:Zoom",
		doc: "an iframe, given by a selector; the rest of the selector searches inside it"},
	{kind: HasText, form: textForm, link: filters, ops: []Op{Matches}, body: "a text", short: "Ann", example: "css:tr >> has-text:Ann",
		doc: "of the matches so far, those whose text contains it"},
	{kind: Has, form: insideForm, link: filters, body: "a selector in parentheses", short: "(text:OK)", example: "css:tr >> has:(role:img[name='paid'])",
		doc: "of the matches so far, those that contain a match of the selector"},
	{kind: Not, form: insideForm, link: filters, body: "a selector in parentheses", short: "(css:.disabled)", example: "css:li >> not:(css:.disabled)",
		doc: "of the matches so far, those that neither are a match of the selector nor are inside one"},
	{kind: Is, form: insideForm, link: filters, body: "a selector in parentheses", short: "(css:.active)", example: "role:row >> nth:0 >> is:(css:.active)",
		doc: "of the matches so far, those that are a match of the selector themselves"},
	{kind: Visible, form: emptyForm, link: filters, body: "nothing", example: "class:select-dropdown >> visible:",
		doc: "of the matches so far, those that are visible, as the step `is` means it"},
	{kind: Scroller, form: emptyForm, link: moves, body: "nothing", example: "class:select-option >> nth:0 >> scroller:",
		doc: "for each of the matches so far, the nearest box that it is or is inside, and that can be scrolled down or up"},
	{kind: Nth, form: indexForm, link: filters, body: "an integer", short: "0", example: "css:li >> nth:0",
		doc: "the n-th of the matches so far, from 0; -1 is the last"},
	{kind: Closest, form: insideForm, link: moves, body: "a selector in parentheses", short: "(css:form)", example: "text:Ann >> closest:(role:row)",
		doc: "for each of the matches so far, the nearest match of the selector that it is or is inside"},
	{kind: Next, form: insideForm, link: moves, body: "a selector in parentheses", short: "(css:ul)", example: "text:Orders >> next:(role:table)",
		doc: "for each of the matches so far, the first match of the selector among the siblings after it"},
	{kind: Under, form: insideForm, link: moves, body: "a selector in parentheses", short: "(role:treeitem)", example: "text:Europe >> closest:(role:treeitem) >> under:(role:treeitem)",
		doc: "for each of the matches so far, the matches of the selector that are one level below it in a tree or menu: inside it, in the group behind it, or after it in a flat list and further in"},
	{kind: Linked, form: textForm, link: moves, body: "the name of an attribute", short: "aria-controls", example: "role:combobox[name='City'] >> linked:aria-controls",
		doc: "for each of the matches so far, the elements whose ids one of its attributes names, such as `aria-controls`, `list` or `for`"},
	{kind: Any, form: listForm, body: "selectors in parentheses, separated by |", short: "(css:select | role:combobox)", example: "any:(role:table | role:grid)",
		doc: "what any of the selectors matches, each element once, in the order of the page"},
	{kind: Either, form: listForm, body: "selectors in parentheses, separated by |", short: "(css:.own | role:option)", example: "either:(class:own >> role:option | role:option)",
		doc: "what the first of the selectors that has any match matches; unlike the fallbacks of an alias that is nothing to repair"},
	{kind: Document, form: emptyForm, body: "nothing", example: "document: >> role:alert",
		doc: "the whole page, where a `scope` says otherwise; only at the beginning"},
	{kind: None, form: wordForm, body: "nothing", example: "none",
		doc: "nothing, without asking the page"},
}

// infoOf returns the entry of a kind, nil if it cannot be written.
func infoOf(k Kind) *kindInfo {
	if i := slices.IndexFunc(kinds, func(x kindInfo) bool { return x.kind == k }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

func linkOf(k Kind) link {
	if x := infoOf(k); x != nil {
		return x.link
	}
	return searches
}

// usage is how a kind is begun.
func (x *kindInfo) usage() string {
	if x.form == wordForm {
		return string(x.kind)
	}
	return string(x.kind) + ":"
}

// Kinds returns the kinds that can be written, in the order of the reference page.
func Kinds() []Kind {
	names := make([]Kind, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].kind
	}
	return names
}

// A KindDoc documents one kind, for the reference page and the schema.
type KindDoc struct {
	Usage   string // how it is begun: "css:"
	Doc     string // what it matches
	Example string // a whole selector
}

// KindDocs documents the kinds in the order of the reference page.
func KindDocs() []KindDoc {
	docs := make([]KindDoc, len(kinds))
	for i := range kinds {
		x := &kinds[i]
		docs[i] = KindDoc{x.usage(), x.doc, x.example}
	}
	return docs
}
