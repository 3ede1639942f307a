// What a press of an element, or Enter in it, would do, as far as the document shows it, and whether
// an element is still the one that a person has approved.

import { chosenValues, valueOf } from './controls.js';
import { describe, element } from './describe.js';
import { hashOf } from './digest.js';
import {
  attr, formControls, getter, inputType, isChecked, isInput, isTag, labelControl, matches, ownerOf, queryAll, submitterForm, tagOf, textContentOf,
} from './dom.js';
import { labelsOf, nearest } from './flat.js';
import { fresh } from './look.js';
import { recordOf } from './meant.js';
import { numberOf } from './numbers.js';
import { hitAt } from './ready.js';
import { wordsOfRow } from './rows.js';
import { filesIn } from './taken.js';
import { cut, fold } from './text.js';
import { isSubmitter } from './unsent.js';

const LONGEST = 500; // characters of each text that a mark contains
const baseOf = getter(Node.prototype, 'baseURI'), addressOf = getter(Document.prototype, 'URL');
const NAMING = ['aria-label', 'title', 'alt', 'placeholder', 'name', 'type'];
const TYPING = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date', 'time', 'datetime-local', 'month', 'week', 'checkbox', 'radio', 'range', 'color', 'file']);

// previewOf returns what input to el would do.
export function previewOf(el) {
  const would = effectsOf(el);
  return { ...would, el: element(el), mark: markOf(el, would), origin: originOf(addressOf(ownerOf(el))) };
}

// effectsOf returns {leads, submits, implicit, saves, form} of el. form is a hash of what the form
// that would be sent holds, or "".
function effectsOf(el) {
  const label = nearest(el, 'label'), control = label && isTag(label, 'label') ? labelControl(label) : null;
  const none = { leads: '', submits: false, implicit: false, saves: false, form: '' };
  for (const at of [el, control].filter(Boolean)) {
    const button = nearest(at, 'button,input');
    if (button && sends(button)) return { ...none, ...sent(button) };
    const link = nearest(at, 'a[href],area[href]');
    if (link) return { ...none, leads: resolved(attr(link, 'href'), link), saves: attr(link, 'download') !== null };
  }
  const form = isTag(el, 'input') && TYPING.has(inputType(el)) ? formOf(el) : null;
  if (form) return { ...none, implicit: !isDialog(null, form), form: heldBy(form), leads: actionOf(queryAll(form, 'button,input').find((b) => isSubmitter(b)) ?? null, form) };
  return { ...none, ...inside(el) };
}

// inside returns what a press of el would do if it hit a link or a button in it.
function inside(el) {
  const button = queryAll(el, 'button,input').find(sends);
  if (button) return sent(button);
  const links = queryAll(el, 'a[href],area[href]');
  const own = originOf(addressOf(ownerOf(el)));
  const link = links.find((a) => originOf(resolved(attr(a, 'href'), a)) !== own) ?? links[0];
  return link ? { leads: resolved(attr(link, 'href'), link), saves: links.some((a) => attr(a, 'download') !== null) } : {};
}

const formOf = (el) => submitterForm[tagOf(el)]?.(el) ?? null;
const isDialog = (button, form) => /^dialog$/i.test((button && attr(button, 'formmethod')) ?? attr(form, 'method') ?? '');

function sends(button) {
  const form = isSubmitter(button) ? formOf(button) : null;
  return form !== null && !isDialog(button, form);
}

const sent = (button) => ({ submits: true, leads: actionOf(button), form: heldBy(formOf(button), button) });

// heldBy returns a hash of what a form would send, hidden fields included, by its button if that is
// not null.
function heldBy(form, button = null) {
  const held = [...formControls(form)].filter((el) => isTag(el, 'input', 'select', 'textarea') && !isInput(el, 'submit', 'button', 'reset', 'image'))
    .map((el) => [
      attr(el, 'name'), isTag(el, 'select') ? chosenValues(el) : valueOf(el), isInput(el, 'checkbox', 'radio') && isChecked(el), matches(el, ':disabled'),
      filesIn(el).map(numberOfFile),
    ]);
  return hashOf(JSON.stringify([held, button && [attr(button, 'name'), attr(button, 'value'), attr(button, 'formmethod'), attr(button, 'formenctype')]]));
}

const fileNumbers = new WeakMap();
let lastFile = 0;

// numberOfFile returns a number that another file of the same name does not have.
function numberOfFile(file) {
  if (!fileNumbers.has(file)) fileNumbers.set(file, ++lastFile);
  return fileNumbers.get(file);
}

function actionOf(button, form = formOf(button)) {
  const to = (button && attr(button, 'formaction')) ?? attr(form, 'action') ?? '';
  return to.trim() === '' ? addressOf(ownerOf(form)) : resolved(to, form);
}

// resolved returns a web address as the browser would open it, or "".
function resolved(text, el) {
  try {
    const u = new URL(text, baseOf(el));
    return /^https?:$/.test(u.protocol) ? u.href : '';
  } catch {
    return '';
  }
}

function originOf(address) {
  try {
    return new URL(address).origin;
  } catch {
    return 'null';
  }
}

// ownWords returns the texts by which a person knows el.
function ownWords(el) {
  const text = isInput(el, 'submit', 'button', 'reset') ? attr(el, 'value') ?? '' : isTag(el, 'select', 'textarea') ? '' : textContentOf(el);
  return [tagOf(el), ...NAMING.map((name) => attr(el, name) ?? ''), text, ...labelsOf(el).map(textContentOf)].map((s) => fold(cut(s, LONGEST)));
}

const factsOf = (el, { leads, submits, implicit, saves }) => [ownWords(el), leads, submits, implicit, saves];

// markOf returns the mark of el: its number, a line break, and what it shows and does. The last two
// facts are those that a press may change: the form, as fields are formatted when they lose the
// focus, and the words of the record around el.
function markOf(el, would) {
  const row = recordOf(el);
  return `${numberOf(el)}\n${JSON.stringify([...factsOf(el, would), would.form ?? '', row ? wordsOfRow(row).all : null])}`;
}

// unlikeMark returns a description of el if its mark is another one, otherwise null. brief: the press
// has begun, so what it may change does not count.
export function unlikeMark(el, mark, brief) {
  fresh();
  const now = markOf(el, effectsOf(el));
  if (now === mark) return null;
  if (brief) {
    const [number, ...facts] = partsOf(now), [was, ...before] = partsOf(mark);
    if (number === was && JSON.stringify(facts.slice(0, -2)) === JSON.stringify(before.slice(0, -2))) return null;
  }
  return describe(el);
}

const partsOf = (mark) => [mark.slice(0, mark.indexOf('\n')), ...JSON.parse(mark.slice(mark.indexOf('\n') + 1))];

// previewAt returns what a press at a point would do; frame: what is there is in a frame that this
// world cannot enter.
export function previewAt({ x, y }) {
  fresh();
  const el = hitAt({ x, y }, document);
  if (!el) return { nothing: true };
  return { ...previewOf(el), frame: isTag(el, 'iframe', 'frame', 'object', 'embed') };
}
