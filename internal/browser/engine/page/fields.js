// field: finds a control by its label. Class names do not count; the order of the texts and the
// positions of the controls decide.

import {
  DOCUMENT, TEXT, attr, dataOf, hasAttr, isConnected, isElement, isInput, isTag, labelControl, matches, nextElement, now, ownerOf, parentOf, queryAll,
  rectOf, rootOf, typeOf,
} from './dom.js';
import { ancestors, byCSS, flatKids, isInside, labelsOf, nearest, unique, up } from './flat.js';
import { FIELD_CONTROLS, LISTED, hasControl, otherLabels, upToNext } from './labelrows.js';
import { ARIA_LABELS, LABEL_MARKS, ariaLabels, labelTexts, mayRead, passesLabel } from './labels.js';
import { cache, inLook } from './look.js';
import { referenced } from './names.js';
import { hiddenBy, takesText, visuallyHidden } from './ready.js';
import { labelRow, unsaidRow, withListAround } from './roleless.js';
import { roles } from './roles.js';
import { NAME_GIVERS, PRESSED, stands } from './sections.js';
import { core, fold, matcher, textOf } from './text.js';
import { isVisible } from './visible.js';
import { byText, nextText, textsBelow } from './words.js';

// byField returns the smallest elements around a label and its control. Labels are, in this order:
// <label> and <legend>; an aria-label or placeholder of a control or of a group of choices; any
// text before a control; the text that an aria-labelledby refers to.
export function byField(part, within, opt) {
  const search = () => {
    const own = { ...opt, bare: new Set(), beside: new Map() };
    return { els: fieldsIn(part, within, own), bare: own.bare, beside: own.beside };
  };
  const { els, bare, beside } = within.length === 1 ? inLook(cache.fields, within[0], part, search) : search();
  for (const el of bare) opt.bare.add(el);
  for (const [el, more] of beside) opt.beside.set(el, more);
  return els;
}

function fieldsIn(part, within, opt) {
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

function labelledFields(m, part, within, opt) {
  const labels = byCSS(within, 'label,legend').filter((el) => mayRead(m, el) && isVisible(el) && passesField(m, el) && !isStandIn(el));
  const named = labels.filter((el) => !isOption(el));
  return (named.length ? named : labels).flatMap((el) => (isTitleOfChoices(el) ? [up(el)] : withBeside(el, fieldOf(el, controlNamedBy(el), opt), opt)));
}

// isOption reports whether a label is around its radio button. Such a label is one of the answers
// to a field, and may have the words of another field.
const isOption = (el) => isTag(el, 'label') && labelControl(el) !== null && isInput(labelControl(el), 'radio') && isInside(labelControl(el), el);

// isStandIn reports whether a label and its control are hidden and only pass the value of a list on
// to the browser.
const isStandIn = (el) => [el, isTag(el, 'label') && labelControl(el)].every((n) => n && nearest(n, '[aria-hidden=true]') && visuallyHidden(n));

// withBeside records for each field of a label the unnamed controls beside it. They are searched if
// the field does not contain the kind of control that is wanted.
function withBeside(label, fields, opt) {
  for (const field of fields) opt.beside.set(field, (of) => namelessBeside(label, field, of));
  return fields;
}

// namelessBeside returns the elements with unnamed controls that are in a line with a field: after
// it, or between its label and it. A text, or a control with a name, ends the line.
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

// captioned reports whether el shows a text before its first control, or any text if it has no
// control, or has a control with a name.
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

// isChoices reports whether all controls in el are checkboxes and radio buttons, whose labels are
// beside or around them or, if it has no controls, whether it has several toggle buttons.
function isChoices(el) {
  const controls = FIELD_CONTROLS.in([el]).filter((c) => attr(c, 'role') !== 'radiogroup');
  return controls.length > 0 ? controls.every(isChoice) : queryAll(el, '[aria-pressed]').length > 1;
}

const isTitleOfChoices = (legend) => isTag(legend, 'legend') && isTag(up(legend), 'fieldset') && isChoices(up(legend));

const GROUPS = '[role=group],[role=radiogroup],fieldset';
const groupsNamed = (within, passes) => byCSS(within, GROUPS).filter((el) => passes(el) && isVisible(el) && (isChoices(el) || (hasControl(el) && !captioned(el))));

// referredFields returns the controls and groups whose aria-labelledby refers to a matching text
// elsewhere.
function referredFields(m, part, within, opt) {
  const passes = (el) => hasAttr(el, 'aria-labelledby') && [...ariaLabels(el), ownLabel(el)].some((text) => passesLabel(m, text));
  const groups = groupsNamed(within, passes);
  if (groups.length) return groups;
  const controls = FIELD_CONTROLS.in(within).filter((el) => passes(el) && isVisible(el));
  for (const el of controls) opt.bare.add(el);
  return controls;
}

// ownLabel returns the text that aria-labelledby of el refers to, without text inside el: a list is
// often named by both its label and its selected option.
function ownLabel(el) {
  const refs = referenced(el, 'aria-labelledby');
  return refs.filter((ref) => !isInside(ref, el)).map(textOf).join(' ').trim();
}

function passesField(m, label) {
  const control = isTag(label, 'label') ? labelControl(label) : null;
  const texts = control ? labelTexts(label, control) : [textOf(label)];
  return texts.some((text) => passesLabel(m, text));
}

// controlNamedBy returns the control of a label, or another element with the id in its `for`, as
// some libraries have it. If similar forms repeat the id, it returns the nearest element. It
// returns null if there is none.
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
    const around = up(el); // null for a document that is editable as a whole
    if (around && !FIELD_CONTROLS.in([around]).some((other) => !isInside(other, el))) return widened(around, opt);
    opt.bare.add(el); // the element around it has other controls too
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

// titleCell returns the table cell or <dt> around text that shows nothing else, or null.
const TITLE_CELLS = 'td,th,dt,' + roles('cell', 'rowheader');

function titleCell(text) {
  const cell = nearest(text, TITLE_CELLS), pressed = nearest(text, PRESSED);
  return cell && (pressed === null || pressed === cell) && !hasControl(cell) && textOf(cell) === textOf(text) ? cell : null;
}

// behindCell returns the next cell of the row that has a control, as a list: [] if another text
// comes first. For a <dt> it returns its <dd>.
function behindCell(cell) {
  const kids = [...flatKids(up(cell))].filter(isElement);
  for (const kid of kids.slice(kids.indexOf(cell) + 1)) {
    if (isTag(kid, 'dt')) return [];
    if (hasControl(kid)) return isVisible(kid) ? [kid] : [];
    if (textOf(kid) !== '') return [];
  }
  return [];
}

// listOf returns the drop-down list around a text. Such a text is not a label, but says what the
// list is for until an option is selected. It returns null if the text is not in a list.
function listOf(text) {
  const pressed = nearest(text, PRESSED);
  return pressed !== null && (attr(pressed, 'role') === 'combobox' || matches(pressed, LISTED)) ? pressed : null;
}

// outerControls returns the controls in el, itself included, that are inside no other control.
function outerControls(el) {
  const all = FIELD_CONTROLS.is(el) ? [el] : FIELD_CONTROLS.in([el]);
  return all.filter((c) => !all.some((other) => other !== c && isInside(c, other)));
}

// isList reports whether the one control of a field offers a list, so that its value is not, or not
// only, typed.
function isList(field) {
  const [control, ...others] = outerControls(field);
  return control !== undefined && !others.length && (attr(control, 'role') === 'combobox' || matches(control, LISTED) || (isTag(control, 'input') && hasAttr(control, 'readonly')));
}

// widened returns the outermost element around field that has no other text or control: the whole
// of a component of which field may be a part.
function widened(field, opt) {
  const text = textOf(field);
  let whole = field;
  for (let n = up(field); n && !isTag(n, 'body') && outerControls(n).length === 1 && textOf(n) === text; n = up(n)) whole = n;
  opt.bare.add(whole);
  return whole;
}

const KNOWN = 30_000; // ms for which a list is still found by a text that it no longer shows
let knownLists = []; // {ref, text, op, at}

// note remembers the lists among fields, which were just found by a text: the selected option will
// replace that text. Lists that were found by the same text before are forgotten.
function note(fields, { value, op }) {
  knownLists = knownLists.filter((known) => now() - known.at < KNOWN && (known.text !== value || known.op !== op));
  for (const el of fields) if (isList(el)) knownLists.push({ ref: new WeakRef(el), text: value, op, at: now() });
  return fields;
}

// isRenamed reports whether a list now has another placeholder: a page may reuse its elements for
// another field.
const isRenamed = (list, text) => outerControls(list).some((el) => !['', text].includes(fold(attr(el, 'placeholder') ?? '')));

// knownFields returns the lists that were found by this text a short time ago.
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

// fieldOf climbs from a label to the first element that contains its control and has a size. If the
// control is not known, another label on the way ends the climb: of the controls there, the label
// has those up to the next label.
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

// strayBoxes returns the controls in el that only accompany the argument "control", a text field or
// a <select>: checkboxes, such as one that shows the password, and fields with a name of their own,
// such as the unit of a number.
function strayBoxes(control, el) {
  if (!isTag(control, 'textarea', 'select') && !(isTag(control, 'input') && takesText(control))) return [];
  if (hasAttr(control, 'readonly') || hasAttr(control, 'role')) return [];
  if (visuallyHidden(control)) return []; // they belong to the list or the field of tags that is drawn for it
  return FIELD_CONTROLS.in([el]).filter((c) => c !== control && (isChoice(c) || isNamedField(c)) && !isInside(c, control) && isVisible(c));
}

const isNamedField = (c) => isTag(c, 'input', 'select', 'textarea') && !hasAttr(c, 'role') && ARIA_LABELS.some((a) => hasAttr(c, a));

// ownPart returns the part of a row of labels and controls that has the control of label, or the
// one visible element that stands for a hidden control.
function ownPart(label, others, control, row, opt) {
  let part = row;
  while (part !== control && (part === row || others.some((other) => isInside(other, part)))) {
    part = [...flatKids(part)].find((kid) => isInside(control, kid));
  }
  if (FIELD_CONTROLS.is(part)) opt.bare.add(part);
  if (!visuallyHidden(part)) return part;
  const shown = upToNext(label, others, row, opt).filter((el) => el !== part && !visuallyHidden(el));
  return shown.length === 1 ? shown[0] : drawnBehind(control) ?? part;
}

// drawnBehind returns what a page draws for a hidden <select>: the next element, if it can be
// pressed or holds what can be, and is neither a field of its own nor around one with a label. It
// returns null if there is none.
function drawnBehind(select) {
  const next = isTag(select, 'select') ? nextElement(select) : null;
  if (!next || visuallyHidden(next) || isTag(next, 'label', 'input', 'select', 'textarea', 'button') || byCSS([next], 'label[for]').length) return null;
  return hasControl(next) || matches(next, '[tabindex]') || queryAll(next, '[tabindex],button').length ? next : null;
}
