package selectors

// The table of kinds. The parser, its hints, the schema and the reference page are derived from
// it. A new kind needs an entry here, a new form if no existing one fits, and a case in the page
// engine (step, in engine/page/select.js).

import "slices"

// A form is the syntax of the text after the name of a kind.
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

// A link says what a part does with the matches of the part before it.
type link uint8

const (
	searches link = iota // searches inside them, or in the document if it is first
	filters              // selects some of them
	moves                // moves from each of them to another element
)

// A kindInfo describes one kind.
type kindInfo struct {
	kind    Kind
	form    form
	link    link
	ops     []Op
	body    string // description of the body, for messages
	short   string // short body, for hints
	doc     string // the matches, for the reference page
	example string // whole selector, for the page and for hints
}

var compared = []Op{Contains, Matches}

// kinds is in the order of the reference page.
var kinds = []kindInfo{
	{kind: CSS, form: codeForm, body: "a CSS selector", short: "#save", example: "css:.ant-modal .ant-btn-primary",
		doc: "a CSS selector; searches open shadow roots too, matching within one root at a time; slotted content counts as inside the elements around its slot"},
	{kind: XPath, form: codeForm, body: "an XPath expression", short: "//button", example: "xpath://tr[td='Ann']",
		doc: "an XPath 1.0 expression"},
	{kind: Class, form: classForm, body: "names of classes", short: "select-dropdown", example: "class:select-dropdown",
		doc: "an element with a class that equals the name or ends with a hyphen and the name, such as `ant-select-dropdown`; with several names, separated by dots, it has such a class for each"},
	{kind: Role, form: roleForm, body: "an ARIA role", short: "button[name='OK']", example: "role:dialog",
		doc: "an element by ARIA role and accessible name, as the browser computes them"},
	{kind: TextKind, form: textForm, ops: compared, body: "a text", short: "OK", example: "text:New order",
		doc: "the smallest element whose rendered text equals the given one"},
	{kind: Says, form: textForm, body: "a text", short: "Save", example: "css:button >> says:Save",
		doc: "an element whose name, or a line of whose text, is the given text; counts, arrows and keyboard shortcuts are ignored"},
	{kind: Label, form: textForm, ops: compared, body: "a text", short: "Name", example: "label:Name",
		doc: "a form control by its label"},
	{kind: Placeholder, form: textForm, ops: compared, body: "a text", short: "Search", example: "placeholder:Search",
		doc: "an element by its placeholder"},
	{kind: Alt, form: textForm, ops: compared, body: "a text", short: "Logo", example: "alt:Logo",
		doc: "an element by its alternative text"},
	{kind: Title, form: textForm, ops: compared, body: "a text", short: "Close", example: "title:Close",
		doc: "an element by its title"},
	{kind: TestID, form: textForm, ops: compared, body: "a text", short: "save", example: "testid:save",
		doc: "an element by its test id: the attribute `data-testid`, unless configured otherwise"},
	{kind: Field, form: textForm, ops: compared, body: "the label of a field", short: "Name", example: "field:Segment >> role:combobox",
		doc: "the field with a label: the smallest element around the label and its control"},
	{kind: Within, form: textForm, ops: compared, body: "a title or heading", short: "Orders", example: "within:Orders >> role:table",
		doc: "the part of the page under a title or heading; the rest of the selector searches inside it"},
	{kind: Row, form: textForm, link: moves, body: "a text in the row", short: "Ann", example: "role:table >> row:Ann",
		doc: "the rows that show the text in a cell, in the tables matched so far; the step `table` reads cells in the same way"},
	{kind: Frame, form: frameForm, body: "the selector of an iframe", short: "#content", example: "frame:title:Chart >> text:Zoom",
		doc: "an iframe, given by a selector; the rest of the selector searches inside it"},
	{kind: HasText, form: textForm, link: filters, ops: []Op{Matches}, body: "a text", short: "Ann", example: "css:tr >> has-text:Ann",
		doc: "those matches so far whose text contains the given one"},
	{kind: Has, form: insideForm, link: filters, body: "a selector in parentheses", short: "(text:OK)", example: "css:tr >> has:(role:img[name='paid'])",
		doc: "those matches so far that contain a match of the selector"},
	{kind: Not, form: insideForm, link: filters, body: "a selector in parentheses", short: "(css:.disabled)", example: "css:li >> not:(css:.disabled)",
		doc: "those matches so far that are not a match of the selector and not inside one"},
	{kind: Is, form: insideForm, link: filters, body: "a selector in parentheses", short: "(css:.active)", example: "role:row >> nth:0 >> is:(css:.active)",
		doc: "those matches so far that also match the selector"},
	{kind: Visible, form: emptyForm, link: filters, body: "nothing", example: "class:select-dropdown >> visible:",
		doc: "those matches so far that are visible, in the sense of the step `is`"},
	{kind: Scroller, form: emptyForm, link: moves, body: "nothing", example: "class:select-option >> nth:0 >> scroller:",
		doc: "for each match so far, the nearest box that can be scrolled down or up: the match itself or a box around it"},
	{kind: Nth, form: indexForm, link: filters, body: "an integer", short: "0", example: "css:li >> nth:0",
		doc: "the n-th match so far, counted from 0; -1 is the last"},
	{kind: Closest, form: insideForm, link: moves, body: "a selector in parentheses", short: "(css:form)", example: "text:Ann >> closest:(role:row)",
		doc: "for each match so far, the nearest match of the selector: the match itself or an element around it"},
	{kind: Next, form: insideForm, link: moves, body: "a selector in parentheses", short: "(css:ul)", example: "text:Orders >> next:(role:table)",
		doc: "for each match so far, the first of its later siblings that matches the selector"},
	{kind: Under, form: insideForm, link: moves, body: "a selector in parentheses", short: "(role:treeitem)", example: "text:Europe >> closest:(role:treeitem) >> under:(role:treeitem)",
		doc: "for each match so far, the matches of the selector one level below it in a tree or menu: inside it, in the group after it, or after it in a flat list with a deeper level"},
	{kind: Linked, form: textForm, link: moves, body: "the name of an attribute", short: "aria-controls", example: "role:combobox[name='City'] >> linked:aria-controls",
		doc: "for each match so far, the elements whose ids are in the given attribute, with or without a `#`, such as `aria-controls`, `list` or `href`"},
	{kind: Any, form: listForm, body: "selectors in parentheses, separated by |", short: "(css:select | role:combobox)", example: "any:(role:table | role:grid)",
		doc: "the matches of all the selectors, each element once, in page order"},
	{kind: Either, form: listForm, body: "selectors in parentheses, separated by |", short: "(css:.own | role:option)", example: "either:(class:own >> role:option | role:option)",
		doc: "the matches of the first selector that has any; unlike a fallback of an alias, a later selector is not reported as something to repair"},
	{kind: Document, form: emptyForm, body: "nothing", example: "document: >> role:alert",
		doc: "the whole page, in spite of a `scope`; only at the beginning"},
	{kind: None, form: wordForm, body: "nothing", example: "none",
		doc: "nothing; the page is not queried"},
}

// infoOf returns the entry of a kind. It returns nil if the kind cannot be written in a selector.
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

// usage returns the beginning of a part of this kind, such as "css:".
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
	Usage   string // the beginning of a part, such as "css:"
	Doc     string // the elements that it matches
	Example string // a complete selector
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

// attrOf returns the attribute that a kind compares. It returns "" if the kind compares none.
func attrOf(k Kind, testID string) string {
	switch k {
	case Placeholder, Alt, Title:
		return string(k)
	case TestID:
		return testID
	}
	return ""
}
