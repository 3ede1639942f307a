// Place: what a person names by what stands beside it. field: is what a label
// stands at, within: what a title stands over. Neither asks for class names; both
// follow from the order of the text and from where controls are.

const roles = (...names) => names.map((n) => `[role=${n}]`).join(',');

// A Kind of element is told by a selector or by its role. To look for each role by a
// selector of its own takes the browser several times as long as to look for all roles.
class Kind {
  constructor(css, ...names) {
    this.css = css;
    this.roles = new Set(names);
  }
  is(el) {
    return this.roles.has(attr(el, 'role')) || matches(el, this.css);
  }
  in(within) {
    return byCSS(within, this.css + ',[role]').filter((el) => !hasAttr(el, 'role') || this.is(el));
  }
}

const FIELD_CONTROLS = new Kind('input:not([type=hidden]),select,textarea,[contenteditable]:not([contenteditable=false])',
  'combobox', 'listbox', 'switch', 'checkbox', 'radio', 'radiogroup', 'slider', 'spinbutton', 'textbox', 'searchbox', 'tree');

// byField finds the smallest element around a label and its control. Labels are,
// in this order: <label> and <legend>; what names a control, or a group of choices, by
// aria-label or placeholder; any text before a control; what names one by aria-labelledby.
function byField(part, within, opt) {
  const m = matcher(part.op, part.value ?? '');
  if (m.want === '') return [];
  const labelled = unique(labelledFields(m, part, within, opt), true);
  if (labelled.length) return labelled;
  for (const look of [namedFields, plainFields, referredFields]) {
    const found = unique(look(m, part, within, opt), true);
    if (found.length) return note(found, part);
  }
  return knownFields(part, within, opt);
}

// inBare is step for a field that is no more than its control: what is looked for in
// it is the control too.
function inBare(part, opt, within, won) {
  const bare = within.filter((el) => opt.bare.has(el)), rest = within.filter((el) => !opt.bare.has(el));
  const around = step(part, opt, unique(bare.map(up).filter(Boolean), true), won);
  return unique([...step(part, opt, bare, won), ...around.filter((el) => bare.some((b) => isInside(el, b))), ...(rest.length ? step(part, opt, rest, won) : [])], true);
}

// Marks that forms put around the text of a label.
const LABEL_MARKS = [':', '：', ' :', '*', ' *'];
const unmarked = (text) => text.replace(/^[*＊]\s*|\s*[*＊:：]+$/g, '');
const passesLabel = (m, text) => m.test(text) || m.test(unmarked(text));

function labelledFields(m, part, within, opt) {
  const labels = byCSS(within, 'label,legend').filter((el) => mayRead(m, el) && isVisible(el) && passesField(m, el));
  return labels.flatMap((el) => (isTitleOfChoices(el) ? [up(el)] : withBeside(el, fieldOf(el, controlNamedBy(el), opt), opt)));
}

// withBeside notes what stands beside each field of a label and has no name of its own. It is
// looked in where the field has not the kind of control that is looked for.
function withBeside(label, fields, opt) {
  for (const field of fields) opt.beside.set(field, () => namelessBeside(label, field, opt));
  return fields;
}

// namelessBeside lists what has controls without a name and stands in a line with a field:
// behind it, or between its label and it. A text, or a control with a name, ends the row.
function namelessBeside(label, field, opt) {
  const [control, ...more] = outerControls(field);
  if (!control || more.length || !up(field)) return [];
  const kids = [...flatKids(up(field))], at = kids.indexOf(field), first = kids.findIndex((kid) => isInside(label, kid));
  const isEnd = (kid) => (isElement(kid) ? isTag(kid, 'br', 'hr') || (isVisible(kid) && captioned(kid)) : typeOf(kid) === TEXT && core(dataOf(kid)) !== '');
  const before = first < 0 || first >= at ? [] : kids.slice(first + 1, at);
  const near = before.slice(before.findLastIndex(isEnd) + 1), after = kids.slice(at + 1), end = after.findIndex(isEnd);
  const found = near.concat(end < 0 ? after : after.slice(0, end)).filter((kid) => isElement(kid) && hasControl(kid) && isInRow(kid, control));
  for (const el of found) if (FIELD_CONTROLS.is(el)) opt.bare.add(el);
  return found;
}

// captioned reports whether a text is shown in el before its first control, or where it has
// none, or one of its controls has a name.
function captioned(el) {
  const controls = outerControls(el), walk = textsBelow(el);
  if (!controls.every(lacksName)) return true;
  for (let node = nextText(walk); node; node = nextText(walk)) {
    const around = parentOf(node);
    if (core(dataOf(node)) && isVisible(around)) return !controls.length || !stands(around, controls[0]);
  }
  return false;
}

const lacksName = (control) => !labelsOf(control).length && ![...NAME_GIVERS, 'placeholder'].some((name) => hasAttr(control, name));

function isInRow(el, other) {
  const a = rectOf(el), b = rectOf(other), middle = (r) => (r.top + r.bottom) / 2;
  return isVisible(el) && ((middle(a) > b.top && middle(a) < b.bottom) || (middle(b) > a.top && middle(b) < a.bottom));
}

const isChoice = (el) => isInput(el, 'checkbox', 'radio') || /^(checkbox|radio|switch)$/.test(attr(el, 'role') ?? '');

// isChoices reports whether all controls in el are boxes and radio buttons, whose labels stand
// beside them as well as around them; or, if it has none, whether there are several buttons that
// stay pressed.
function isChoices(el) {
  const controls = FIELD_CONTROLS.in([el]).filter((c) => attr(c, 'role') !== 'radiogroup');
  return controls.length > 0 ? controls.every(isChoice) : queryAll(el, '[aria-pressed]').length > 1;
}

const isTitleOfChoices = (legend) => isTag(legend, 'legend') && isTag(up(legend), 'fieldset') && isChoices(up(legend));

const GROUPS = '[role=group],[role=radiogroup],fieldset';
const groupsNamed = (within, passes) => byCSS(within, GROUPS).filter((el) => passes(el) && isVisible(el) && (isChoices(el) || (hasControl(el) && !captioned(el))));

// referredFields are what aria-labelledby names, where the text that it refers to stands
// elsewhere.
function referredFields(m, part, within, opt) {
  const passes = (el) => hasAttr(el, 'aria-labelledby') && ariaLabels(el).some((text) => passesLabel(m, text));
  const groups = groupsNamed(within, passes);
  if (groups.length) return groups;
  const controls = FIELD_CONTROLS.in(within).filter((el) => passes(el) && isVisible(el));
  for (const el of controls) opt.bare.add(el);
  return controls;
}

function passesField(m, label) {
  const control = isTag(label, 'label') ? labelControl(label) : null;
  const texts = control ? labelTexts(label, control) : [textOf(label)];
  return texts.some((text) => passesLabel(m, text));
}

// controlNamedBy is what a label names: its control, or another element that its
// `for` points to, as some libraries have it. Where forms that are alike give the same
// ids to their controls it is the one that is nearest.
function controlNamedBy(label) {
  if (!isTag(label, 'label')) return null;
  const id = attr(label, 'for');
  if (!id) return labelControl(label);
  const same = queryAll(rootOf(label), '#' + CSS.escape(id));
  for (const n of same.length > 1 ? ancestors(label) : []) {
    const near = [...same].find((el) => isInside(el, n));
    if (near) return near;
  }
  return labelControl(label) ?? same[0] ?? null;
}

function namedFields(m, part, within, opt) {
  const groups = groupsNamed(within, (el) => hasAttr(el, 'aria-label') && passesLabel(m, fold(attr(el, 'aria-label'))));
  if (groups.length) return groups;
  const named = FIELD_CONTROLS.in(within).filter((el) => ['aria-label', 'placeholder'].some((a) => hasAttr(el, a) && passesLabel(m, fold(attr(el, a)))));
  return named.map((el) => {
    const around = up(el); // a document that is edited as a whole has none
    if (around && !FIELD_CONTROLS.in([around]).some((other) => !isInside(other, el))) return widened(around, opt);
    opt.bare.add(el); // it shares what is around it with others
    return el;
  });
}

function plainFields(m, part, within, opt) {
  for (const mark of part.op ? [''] : ['', ...LABEL_MARKS]) {
    const texts = byText({ ...part, value: part.value + mark }, within).filter((el) => isVisible(el) && (nearest(el, PRESSED) === null || listOf(el) || titleCell(el)));
    const found = texts.flatMap((el) => (listOf(el) ? [listOf(el)] : titleCell(el) ? withBeside(el, behindCell(titleCell(el)), opt) : fieldOf(el, null, opt)));
    if (found.length) return found.map((el) => (isList(el) ? widened(el, opt) : el));
  }
  return [];
}

// titleCell is the cell or the <dt> that has text for all that it shows; null where a text
// stands in none.
const TITLE_CELLS = 'td,th,dt,' + roles('cell', 'rowheader');

function titleCell(text) {
  const cell = nearest(text, TITLE_CELLS), pressed = nearest(text, PRESSED);
  return cell && (pressed === null || pressed === cell) && !hasControl(cell) && textOf(cell) === textOf(text) ? cell : null;
}

// behindCell is the next cell of a row that has a control, where no other text comes
// before it, and so the <dd> behind a <dt>.
function behindCell(cell) {
  const kids = [...flatKids(up(cell))].filter(isElement);
  for (const kid of kids.slice(kids.indexOf(cell) + 1)) {
    if (isTag(kid, 'dt')) return [];
    if (hasControl(kid)) return isVisible(kid) ? [kid] : [];
    if (textOf(kid) !== '') return [];
  }
  return [];
}

// listOf is the list in which a text stands that is no label: what the list is for, in the
// place of what is chosen.
function listOf(text) {
  const pressed = nearest(text, PRESSED);
  return pressed !== null && attr(pressed, 'role') === 'combobox' ? pressed : null;
}

// outerControls are the controls of el, itself included, that are in no other one.
function outerControls(el) {
  const all = FIELD_CONTROLS.is(el) ? [el] : FIELD_CONTROLS.in([el]);
  return all.filter((c) => !all.some((other) => other !== c && isInside(c, other)));
}

// isList: what is chosen is not typed, or not only.
function isList(field) {
  const [control, ...others] = outerControls(field);
  return control !== undefined && !others.length && (attr(control, 'role') === 'combobox' || (isTag(control, 'input') && hasAttr(control, 'readonly')));
}

// widened is what is around field and has no text and no control but those in it: the whole
// of a component, of which it may be a part.
function widened(field, opt) {
  const text = textOf(field);
  let whole = field;
  for (let n = up(field); n && !isTag(n, 'body') && outerControls(n).length === 1 && textOf(n) === text; n = up(n)) whole = n;
  opt.bare.add(whole);
  return whole;
}

const KNOWN = 30_000; // ms for which a list is known by a text that it does not show any more
let knownLists = []; // {ref, text, op, at}

// note keeps in mind the lists among fields that were found by a text just now: what is
// chosen takes its place. Those that were found by it before are meant no more.
function note(fields, { value, op }) {
  knownLists = knownLists.filter((known) => now() - known.at < KNOWN && (known.text !== value || known.op !== op));
  for (const el of fields) if (isList(el)) knownLists.push({ ref: new WeakRef(el), text: value, op, at: now() });
  return fields;
}

// isRenamed: a page may use its elements again, for another field.
const isRenamed = (list, text) => outerControls(list).some((el) => !['', text].includes(fold(attr(el, 'placeholder') ?? '')));

// knownFields are the lists that have been found by a text a moment ago.
function knownFields({ value, op }, within, opt) {
  const found = [];
  for (const list of knownLists) {
    const el = list.ref.deref();
    if (list.text !== value || list.op !== op || now() - list.at >= KNOWN || !el || !isConnected(el) || !isVisible(el)) continue;
    if (!within.some((n) => (typeOf(n) === DOCUMENT ? ownerOf(el) === n : isInside(el, n))) || isRenamed(el, value)) continue;
    list.at = now();
    opt.bare.add(el);
    found.push(el);
  }
  return found;
}

// markedTexts are the texts that are equal, or else those with a mark behind.
function markedTexts(part, within) {
  for (const mark of part.op ? [''] : ['', ...LABEL_MARKS]) {
    const found = byText({ ...part, value: part.value + mark }, within).filter(isVisible);
    if (found.length) return found;
  }
  return [];
}

// fieldOf climbs from a label until its control is inside, and to a box with a size.
// Where nothing says which control that is, another label on the way ends the climb:
// of the controls there the label has those up to the next one.
function fieldOf(label, control, opt) {
  for (const n of ancestors(label)) {
    if (control) {
      if (!isInside(control, n)) continue;
      const others = otherLabels(label, n).concat(strayBoxes(control, n));
      if (others.length || isTag(n, 'body')) return [ownPart(label, others, control, n, opt)];
      if (hiddenBy(n) !== 'zero size') return [withListAround(label, n)];
      continue;
    }
    const others = isTag(n, 'body') ? [] : otherLabels(label, n);
    if (isTag(n, 'body') || others.length) return isTag(label, 'label') ? labelRow(label, others, n, opt) : [];
    if (FIELD_CONTROLS.in([n]).length && hiddenBy(n) !== 'zero size') return [unsaidRow(label, n) ?? n];
  }
  return [];
}

// otherLabels are those in el that belong to other controls than what label stands at.
const otherLabels = (label, el) => byCSS([el], 'label').filter((l) => l !== label && isVisible(l) && !isInside(l, label) && !isInside(label, l) && !wrapsControl(l));

// strayBoxes are the boxes in el beside a control that is typed in or lists options: they
// show the password, or say that a value is none. So are fields with a name of their own,
// such as the unit of a number.
function strayBoxes(control, el) {
  if (!isTag(control, 'textarea', 'select') && !(isTag(control, 'input') && takesText(control))) return [];
  if (hasAttr(control, 'readonly') || hasAttr(control, 'role')) return [];
  return FIELD_CONTROLS.in([el]).filter((c) => c !== control && (isChoice(c) || isNamedField(c)) && !isInside(c, control) && isVisible(c));
}

const isNamedField = (c) => isTag(c, 'input', 'select', 'textarea') && !hasAttr(c, 'role') && ARIA_LABELS.some((a) => hasAttr(c, a));

// ownPart is the part of a row of labels and controls that has the control of label, or
// what stands there in the place of a control that is hidden.
function ownPart(label, others, control, row, opt) {
  let part = row;
  while (part !== control && (part === row || others.some((other) => isInside(other, part)))) {
    part = [...flatKids(part)].find((kid) => isInside(control, kid));
  }
  if (FIELD_CONTROLS.is(part)) opt.bare.add(part);
  if (!visuallyHidden(part)) return part;
  const shown = upToNext(label, others, row, opt).filter((el) => el !== part && !visuallyHidden(el));
  return shown.length === 1 ? shown[0] : part;
}

// upToNext lists what stands between a label and the next one in a row of labels and
// their controls. A row that begins with a control may have its labels behind.
function upToNext(label, others, row, opt) {
  const kids = [...flatKids(row)].filter(isElement);
  const isLabelled = (kid) => [label, ...others].some((l) => isInside(l, kid));
  const first = kids.find((kid) => isLabelled(kid) || hasControl(kid));
  const after = kids.slice(kids.findIndex((kid) => isInside(label, kid)) + 1);
  const next = after.findIndex(isLabelled);
  if (hasControl(first)) return [];
  const found = after.slice(0, next < 0 ? after.length : next).filter(hasControl);
  found.filter((el) => FIELD_CONTROLS.is(el)).forEach((el) => opt.bare.add(el));
  return found;
}

const hasControl = (el) => FIELD_CONTROLS.is(el) || FIELD_CONTROLS.in([el]).length > 0;
const wrapsControl = (label) => FIELD_CONTROLS.in([label]).length > 0;

// What is pressed, or is a cell, is no title of what stands around it.
const PRESSED = 'button,a[href],option,th,td,' + roles('button', 'link', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem',
  'cell', 'gridcell', 'columnheader', 'rowheader', 'tooltip', 'combobox');
const DIALOGS = 'dialog,' + roles('dialog', 'alertdialog') + ',[aria-modal=true]';
const PARTS_OF_PAGES = new Kind('fieldset,figure,table,article,section,nav,aside,form,dialog,[aria-modal=true]', 'dialog', 'alertdialog',
  'region', 'group', 'form', 'table', 'grid', 'treegrid', 'tree', 'list', 'listbox', 'menu', 'menubar', 'navigation', 'tabpanel', 'article',
  'complementary', 'toolbar', 'radiogroup', 'search');

// Most parts of a page have no name, and that is seen without reckoning it.
const NAMELESS = new Set(['article', 'aside', 'dialog', 'div', 'form', 'nav', 'ol', 'section', 'span', 'ul']);
const NAME_GIVERS = ['aria-label', 'aria-labelledby', 'aria-labeledby', 'title'];

function canHaveName(part) {
  const role = attr(part, 'role');
  return !NAMELESS.has(tagOf(part)) || (role !== null && !PARTS_OF_PAGES.roles.has(role)) || NAME_GIVERS.some((name) => hasAttr(part, name));
}

// sections lists, for each title that passes, the parts of the page that it stands
// over, the innermost first. Titles in dialogs go before others, and texts before
// those of buttons and cells, which mostly are not meant.
function sections(part, within) {
  const m = matcher(part.op, part.value ?? '');
  if (m.want === '') return [];
  const named = PARTS_OF_PAGES.in(within).filter((el) => canHaveName(el) && isVisible(el) && isExposed(el) && passesLabel(m, nameOf(el))).map((el) => [{ scope: el }]);
  const titles = markedTexts(part, within);
  const plain = titles.filter((el) => nearest(el, PRESSED) === null);
  const texts = (plain.length || named.length ? plain : titles).map(sectionsOf);
  const all = named.concat(texts).filter((list) => list.length);
  const modal = all.filter(([first]) => nearest(first.scope, DIALOGS) !== null);
  return modal.concat(all.filter((list) => !modal.includes(list)));
}

// sectionsOf climbs from a title while the text of what is around begins with it.
// It never leaves a dialog, nor a part that stands in a row of its like. Behind a
// heading also what follows it counts, up to the next one: then the climb is over.
function sectionsOf(title) {
  const { begins, more } = standing(title), found = [];
  const heading = nearest(title, HEADINGS);
  for (let n = up(title); n; n = up(n)) {
    if (isTag(n, 'body') || !begins(n) || (heading && !isInside(n, heading) && nextHeadings(n, heading).length)) {
      if (heading) found.push({ scope: n, after: heading });
      break;
    }
    found.push({ scope: n });
    if (matches(n, DIALOGS) || (hasLike(n) && more(n))) break;
  }
  return found;
}

// standing tells of what is around a title whether no text is shown in it before, and
// whether there is more text in it.
function standing(title) {
  const doc = ownerOf(title), words = wordsOf(doc);
  if (words?.shows(title)) {
    const before = words.shownBefore(title), after = words.shownAfter(title);
    return { begins: (n) => before === null || !contains(n, before), more: (n) => after !== null && contains(n, after) };
  }
  const index = textIndex(doc), at = index.position(title);
  const begins = (n) => {
    const i = index.position(n);
    return at >= 0 && i >= 0 && index.shown.text.slice(index.from[i], index.from[at]).trim() === '';
  };
  return { begins, more: (n) => index.length(index.position(n)) > index.length(at) };
}

const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role=heading],[role=separator]';

// hasLike reports whether el is one of several of its kind: cards, panels, items.
function hasLike(el) {
  const name = attr(el, 'class'), around = up(el);
  if (!name || !around) return false;
  return byCSS([around], ':scope > ' + tagOf(el)).some((other) => other !== el && attr(other, 'class') === name);
}

// inSections looks for the rest of a selector under each title, in the innermost
// part that has it. What is in a dialog goes before what is behind it, be that
// another dialog.
function inSections(parts, i, opt, within, won) {
  const all = sections(parts[i], within);
  let best = null, failed = null;
  for (const shown of [true, false]) {
    const hits = [];
    for (const list of all) {
      const dialog = nearest(list[0].scope, DIALOGS);
      if (hits.some((hit) => hit.dialog && !isRival(dialog, hit.dialog))) continue;
      const hit = firstWith(list, parts, i, opt, shown);
      if (!hit.els.length) {
        failed ??= hit;
        continue;
      }
      if (hits.length && hits[0].dialog && isOnTop(dialog) && !isOnTop(hits[0].dialog)) hits.length = 0;
      hits.push({ ...hit, dialog });
    }
    if (hits.length) {
      best = { ...hits[0], els: unique(hits.flatMap((hit) => hit.els), hits.length > 1) };
      break;
    }
  }
  if (!best) return failed ? { ...failed, won } : { els: [], won, part: parts[i], before: within };
  won.push(...best.won);
  return { ...best, won };
}

// isRival reports whether what is in dialog may be meant as well as what is in another
// one that has it: not where that one lies over it.
function isRival(dialog, other) {
  return dialog !== null && dialog !== other && (isOnTop(dialog) || !isOnTop(other));
}

// isOnTop reports whether nothing else is at the middle of a dialog.
function isOnTop(dialog) {
  const { left, top, width, height } = rectOf(dialog);
  const hit = hitAt({ x: left + width / 2, y: top + height / 2 }, ownerOf(dialog));
  return hit !== null && isInside(hit, dialog);
}

function firstWith(list, parts, i, opt, shown) {
  let last = null;
  for (const { scope, after } of list) {
    if (!after && matches(scope, TABLES)) opt.bare.add(scope); // its own caption or name is over itself
    last = after ? behind(after, parts, i + 1, opt, scope) : resolveParts(parts, opt, [scope], [], i + 1);
    if (shown ? last.els.some(isVisible) : last.els.length) return last;
  }
  return { ...last, els: [] };
}

// behind looks in what stands behind a heading: no part after the first sees more.
function behind(heading, parts, i, opt, scope) {
  const keep = (els) => els.filter((el) => followsHeading(el, heading, scope));
  if (parts[i].kind === 'within') {
    const got = resolveParts(parts, opt, [scope], [], i);
    return { ...got, els: keep(got.els) };
  }
  const won = [], first = keep(partOf(parts, i, opt, [scope], won));
  return first.length ? resolveParts(parts, opt, first, won, i + 1) : { els: [], won, part: parts[i], before: [scope] };
}

// followsHeading reports whether el stands behind a heading and before the next
// one of its rank.
function followsHeading(el, heading, scope) {
  return stands(el, heading) && !nextHeadings(scope, heading).some((h) => stands(el, h) || isInside(el, h));
}

// stands reports whether a stands behind b, or in it.
const stands = (a, b) => (positionOf(b, a) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

// nextHeadings lists the headings in scope behind heading, of its rank or above.
function nextHeadings(scope, heading) {
  const rank = (n) => (roleOf(n) === 'separator' ? 7 : stateOf(n, 'level') ?? 2);
  return byCSS([scope], HEADINGS).filter((h) => h !== heading && rank(h) <= rank(heading) && textOf(h) !== '' && stands(h, heading));
}

const TITLE = 60; // characters that a title which is told has at most

// titleOver is the title by which within: finds el and none of the others that it is told
// apart from; null where there is none. The widest part around el goes first.
function titleOver(el, others) {
  const around = [];
  for (const n of ancestors(up(el))) {
    if (others.some((other) => other !== el && isInside(other, n))) break;
    around.unshift(n);
  }
  const named = around.find((n) => PARTS_OF_PAGES.is(n) && canHaveName(n) && nameOf(n) !== '');
  const heading = byCSS([ownerOf(el)], HEADINGS).findLast((h) => isVisible(h) && stands(el, h));
  const titles = [named && nameOf(named), around.length ? firstText(around[0], el) : '', heading && textOf(heading)];
  return titles.find((title) => title && title.length <= TITLE && leadsTo(title, el, others)) ?? null;
}

// firstText is the text that is shown first in part, where that is not in el.
function firstText(part, el) {
  const walk = textsBelow(part);
  for (let node = nextText(walk); node; node = nextText(walk)) {
    const around = parentOf(node);
    if (core(dataOf(node)) && isVisible(around)) return isInside(around, el) ? '' : textOf(around);
  }
  return '';
}

// leadsTo reports whether of all that is meant within a title is el alone.
function leadsTo(title, el, all) {
  const under = ({ scope, after }) => all.filter((n) => isInside(n, scope) && (!after || followsHeading(n, after, scope)));
  const meant = sections({ kind: 'within', value: title }, [ownerOf(el)]).flatMap((list) => list.map(under).find((found) => found.length) ?? []);
  return meant.length > 0 && meant.every((n) => n === el);
}
