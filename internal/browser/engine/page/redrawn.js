// Controls that a page redraws in the middle of a press. The browser sends no click to an element
// that is gone at the release, nor to its replacement.
//
// A control that acts on the button press shows it: it disappears, becomes selected or open, or
// changes its text. One that stays as it was, apart from a highlight of itself or its row, has done
// nothing.

import { chosenLabel } from './calendar.js';
import {
  TEXT, attr, childNodesOf, dataOf, hasAttr, inputValue, isChecked, isConnected, isElement, isSelected, isTag, matches, optionValue, outerHTMLOf,
  ownerOf, queryAll, selectOptions, selectValue, tagOf, textContentOf, textareaValue, typeOf, viewOf,
} from './dom.js';
import { ancestors, isInside, nearest, up } from './flat.js';
import { fresh } from './look.js';
import { hitAt } from './ready.js';
import { ACTS, DIALOGS } from './roles.js';
import { fold } from './text.js';
import { isVisible } from './visible.js';

export const MOST_REDRAWS = 5000; // changes; after more the page shows an effect, and the watch is given up
const FACED = `${ACTS},input:is([type=button],[type=submit],[type=reset],[type=image],[type=checkbox],[type=radio]),[role=checkbox],[role=radio],[role=switch]`;
const CHOSEN = /^(?:is-)?(?:.*[-_])?(?:active|selected|checked|current|pressed|chosen|picked|toggled|opened|open|expanded|on|start|end|range)$/i;
const FACE_PICTURES = 'svg,use,path,img,i,[class*=icon i],[class^=fa],[class*=" fa"]';
const FACE_STATES = ['role', 'type', 'name', 'value', 'href', 'alt', 'aria-label', 'aria-pressed', 'aria-selected', 'aria-checked', 'aria-current', 'aria-expanded'];
const MOST_AROUND = 4; // levels around a control that are compared, such as its row

// controlAt returns the control that a press of el presses, or null if there is none.
const controlAt = (el) => nearest(el, FACED);

// pressFace returns what a control shows and states, as a text. Short-lived marks, such as a hover
// class, are left out.
export function pressFace(el) {
  const text = fold(textContentOf(el)), parts = [tagOf(el), text, ...FACE_STATES.map((name) => attr(el, name))];
  const on = (classes) => classes.filter((word) => CHOSEN.test(word)).sort();
  const classesOf = (n) => (attr(n, 'class') ?? '').split(/\s+/).filter(Boolean);
  parts.push(text === '' && !attr(el, 'aria-label') && !isTag(el, 'input') ? classesOf(el) : on(classesOf(el)), isTag(el, 'input') && isChecked(el));
  for (const n of queryAll(el, '*')) {
    const classes = classesOf(n), picture = matches(n, FACE_PICTURES);
    const says = picture ? [tagOf(n), classes, ...['src', 'd', 'href'].map((name) => attr(n, name))] : [on(classes)];
    const states = FACE_STATES.filter((name) => name.startsWith('aria-') && attr(n, name) !== null).map((name) => [name, attr(n, name)]);
    if (picture || says[0].length || states.length) parts.push(says, states);
  }
  return JSON.stringify(parts);
}

// besideOf returns what changes when a page has acted on the button press: its address, how many
// popovers and dialogs are open, and its messages. A selected row does not count, as it may just
// tick its box and show more.
export const besideOf = (el) => JSON.stringify([viewOf(ownerOf(el))?.location.href, queryAll(ownerOf(el), ':popover-open').length,
  queryAll(ownerOf(el), `${DIALOGS},[role=menu],[role=listbox]`).filter(isVisible).length,
  queryAll(ownerOf(el), '[role=alert],[role=status]').filter(isVisible).map((n) => fold(textContentOf(n)))]);

// facesBefore records how the control that p presses is drawn, and what the fields hold, before the
// page's handlers run.
export function facesBefore(p) {
  if (p.op !== 'press') return;
  const control = controlAt(p.el) ?? nearest(p.el, CHOICES);
  p.held = heldBy(ownerOf(p.el));
  if (!control) return;
  fresh();
  p.face = pressFace(control);
  p.html = outerHTMLOf(control);
  p.beside = besideOf(control);
}

const MOST_HELD = 1000; // fields whose values are compared

// heldBy returns the values of a document's fields, as a map.
const heldBy = (doc) => new Map(queryAll(doc, 'input,textarea,select').slice(0, MOST_HELD).map((f) => [f, heldIn(f)]));

const heldIn = (field) => ({ input: inputValue, select: chosenIn, textarea: textareaValue }[tagOf(field)](field));

// chosenIn returns what a <select> holds. selectValue returns only the first selected option of a
// <select> for several.
const chosenIn = (field) => (hasAttr(field, 'multiple') ? [...selectOptions(field)].filter(isSelected).map(optionValue).join('\n') : selectValue(field));

// hasFilled reports whether the value of a field has changed since the button went down, as in a
// calendar whose days act on the button press. Fields that were replaced do not count.
export const hasFilled = (p) => p.held !== null && [...p.held].some(([field, was]) => isConnected(field) && heldIn(field) !== was);

// hasChosen reports whether the page has answered the button press on an option: a field has
// another value, or the list has closed. Neither shows that a button has done what it is for,
// because a button acts on its click.
export function hasChosen(p) {
  const control = controlAt(p.el);
  if (control && !matches(control, CHOICES)) return false;
  return (p.filled ?? hasFilled(p)) || (p.beside !== null && besideOf(p.el) !== p.beside);
}

const CHOICES = '[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]';

// aroundOf returns the n-th ancestor of el.
function aroundOf(el, n) {
  for (; el && n > 0; n--) el = up(el);
  return el;
}

// wordsAround returns the words in el. A <select> counts with its selected options only.
const piecesOf = (n) => (typeOf(n) === TEXT ? dataOf(n) : isElement(n) && isTag(n, 'select') ? chosenLabel(n) : [...childNodesOf(n)].map(piecesOf).join(' '));
const wordsAround = (el) => fold(piecesOf(el)).split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));

// levelsAround returns how many ancestors of el have left the page together with it, up to the
// first one that contains another such control.
function levelsAround(el, face) {
  let n = 0;
  for (let around = up(el); around && isElement(around) && n < MOST_AROUND; around = up(around)) {
    if (isConnected(around) && isVisible(around)) break;
    if (queryAll(around, tagOf(el)).some((other) => other !== el && pressFace(other) === face)) break;
    n++;
  }
  return n;
}

// drawnAnew returns the element that replaces el at its position: the same control, with the same
// text around it. It returns null if there is none. face is the pressFace of el before the press.
function drawnAnew(el, face, at) {
  const levels = levelsAround(el, face), was = wordsAround(aroundOf(el, levels));
  const isIt = (other) => {
    if (!other || other === el || isInside(el, other) || !isVisible(other) || pressFace(other) !== face) return false;
    const around = aroundOf(other, levels);
    if (!around || tagOf(around) !== tagOf(aroundOf(el, levels))) return false;
    const words = wordsAround(around);
    return was.every((word) => words.includes(word));
  };
  for (const n of ancestors(hitAt(at, ownerOf(el)))) if (tagOf(n) === tagOf(el) && isIt(n)) return n;
  // A highlighted row may have been moved.
  if (levels === 0 || was.length <= wordsAround(el).length) return null;
  return queryAll(ownerOf(el), tagOf(el)).slice(0, MOST_REDRAWS).find(isIt) ?? null;
}

// drawnAnewBy returns the message that the page has redrawn what is pressed: it has gone and the
// same control is at its position, or it is there as before with new content. Otherwise it returns
// ''.
export function drawnAnewBy(p) {
  if (!p.at || (p.beside !== null && besideOf(p.el) !== p.beside)) return '';
  if (p.filled ?? hasFilled(p)) return '';
  const control = controlAt(p.el);
  if (!control) return !isConnected(p.el) && isSameThere(p) ? ANEW : '';
  if (!p.face) return '';
  if (!isConnected(control) || !isVisible(control)) {
    const now = drawnAnew(control, p.face, p.at);
    return !now ? '' : outerHTMLOf(now) === p.html ? ANEW : ANEW_MARKED;
  }
  return !isConnected(p.down) && pressFace(control) === p.face ? ANEW_WITHIN : '';
}

// isSameThere reports whether an element with the same HTML is at the position of the press. An
// element that is not a control counts as redrawn only then.
function isSameThere(p) {
  const was = outerHTMLOf(p.el);
  for (const n of ancestors(hitAt(p.at, ownerOf(p.el)))) {
    if (tagOf(n) === tagOf(p.el)) return outerHTMLOf(n) === was;
  }
  return false;
}

const ANEW = 'the page drew it anew as it was when the button went down on it';
const ANEW_MARKED = 'the page drew it anew when the button went down on it';
const ANEW_WITHIN = 'the page drew its content anew when the button went down on it';
