// Controls that a page redraws in the middle of a press. The browser sends no click to an
// element that is gone when the button comes up, nor to its replacement.
//
// A control that acts when the button goes down shows it: it disappears, or becomes chosen or
// open, or gets other words. One that stays as it was, apart from the marking of itself or its
// row, has done nothing.

import { chosenLabel } from './calendar.js';
import {
  TEXT, attr, childNodesOf, dataOf, inputValue, isChecked, isConnected, isElement, isTag, matches, outerHTMLOf, ownerOf, queryAll, selectValue, tagOf,
  textContentOf, textareaValue,
  typeOf, viewOf,
} from './dom.js';
import { ancestors, isInside, nearest, up } from './flat.js';
import { fresh } from './look.js';
import { hitAt } from './ready.js';
import { ACTS, DIALOGS } from './roles.js';
import { fold } from './text.js';
import { isVisible } from './visible.js';

export const MOST_REDRAWS = 5000; // changes; a page that makes more shows something, and the watch may never be ended
const FACED = `${ACTS},input:is([type=button],[type=submit],[type=reset],[type=image],[type=checkbox],[type=radio]),[role=checkbox],[role=radio],[role=switch]`;
const CHOSEN = /^(?:is-)?(?:.*[-_])?(?:active|selected|checked|current|pressed|chosen|picked|toggled|opened|open|expanded|on|start|end|range)$/i;
const FACE_PICTURES = 'svg,use,path,img,i,[class*=icon i],[class^=fa],[class*=" fa"]';
const FACE_STATES = ['role', 'type', 'name', 'value', 'href', 'alt', 'aria-label', 'aria-pressed', 'aria-selected', 'aria-checked', 'aria-current', 'aria-expanded'];
const MOST_AROUND = 4; // levels of what a control stands in, such as its row

// controlAt is the control of a press of el; null where it is none.
const controlAt = (el) => nearest(el, FACED);

// pressFace is what a control shows and states, but for how it is marked for a moment.
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

// besideOf is what a page shows that has acted on the button press: another address, what has opened,
// or a message. That a row is chosen may tick its box, and show more of it.
const besideOf = (el) => JSON.stringify([viewOf(ownerOf(el))?.location.href, queryAll(ownerOf(el), ':popover-open').length,
  queryAll(ownerOf(el), `${DIALOGS},[role=menu],[role=listbox]`).filter(isVisible).length,
  queryAll(ownerOf(el), '[role=alert],[role=status]').filter(isVisible).map((n) => fold(textContentOf(n)))]);

// facesBefore notes how the control that p presses stands, in front of the page's handlers.
export function facesBefore(p) {
  const control = p.op === 'press' ? controlAt(p.el) : null;
  if (!control) return;
  fresh();
  p.face = pressFace(control);
  p.html = outerHTMLOf(control);
  p.beside = besideOf(control);
  p.held = heldBy(ownerOf(control));
}

const MOST_HELD = 1000; // fields whose values are compared

// heldBy is what the fields of a document hold.
const heldBy = (doc) => new Map(queryAll(doc, 'input,textarea,select').slice(0, MOST_HELD).map((f) => [f, heldIn(f)]));

const heldIn = (field) => ({ input: inputValue, select: selectValue, textarea: textareaValue }[tagOf(field)](field));

// hasFilled reports whether a field of the page has got another value since the button went down,
// as of a calendar whose day acts then. Fields that were drawn anew have not.
export const hasFilled = (p) => p.held !== null && [...p.held].some(([field, was]) => isConnected(field) && heldIn(field) !== was);

// aroundOf is the n-th element around el.
function aroundOf(el, n) {
  for (; el && n > 0; n--) el = up(el);
  return el;
}

// wordsAround are the words of what el stands in; of a list, those of what it shows.
const piecesOf = (n) => (typeOf(n) === TEXT ? dataOf(n) : isElement(n) && isTag(n, 'select') ? chosenLabel(n) : [...childNodesOf(n)].map(piecesOf).join(' '));
const wordsAround = (el) => fold(piecesOf(el)).split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));

// levelsAround says how many elements around el, which the page has taken away, went with it, up to the
// first that has another such control.
function levelsAround(el, face) {
  let n = 0;
  for (let around = up(el); around && isElement(around) && n < MOST_AROUND; around = up(around)) {
    if (isConnected(around) && isVisible(around)) break;
    if (queryAll(around, tagOf(el)).some((other) => other !== el && pressFace(other) === face)) break;
    n++;
  }
  return n;
}

// drawnAnew returns what has come where el stood, which is gone: the same control, in the same
// surroundings. face: of el before the press.
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
  // What has come with the mark of a row may have moved it.
  if (levels === 0 || was.length <= wordsAround(el).length) return null;
  return queryAll(ownerOf(el), tagOf(el)).slice(0, MOST_REDRAWS).find(isIt) ?? null;
}

// drawnAnewBy says that what is pressed is gone, or hidden, and the same lies in its place, or that it
// lies there as it was with other content: the page has drawn a part of itself again. '' elsewhere.
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

// isSameThere: an element that is no control acts on the button press unless it is drawn
// just as it was.
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
