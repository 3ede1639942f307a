// Input that is sent to whatever is there, a key or a press at a point, and its effects.

import { describe } from './describe.js';
import {
  TEXT, attr, childNodesOf, clientX, clientY, contains, dataOf, getAttributeNames, getter, inputValue, isChecked, isConnected, isElement,
  isInput, isTag, keyOf, listen, localName, matches, outerHTMLOf, ownerOf, pathOf, preventEvent, queryAll, rootElementOf, rootOf, selectAll,
  selectValue, submitterForm, tagOf, textareaValue, typeOf, unlisten, viewOf, wasPrevented,
} from './dom.js';
import { grabbed } from './drag.js';
import { noteInput } from './effect.js';
import { isInside, nearest } from './flat.js';
import { deepActive } from './frames.js';
import { guardAround, leaves, newPress, noteRelease } from './guard.js';
import { fresh } from './look.js';
import { blockedSubmit, byInvalid, deafness, ignoredClick, isLink, lostClick, sinceWhen } from './lost.js';
import { CONTROLS, busyButton, controlOf, disabledBy, goalsOf, takesText } from './ready.js';
import { MOST_REDRAWS, facesBefore, pressFace } from './redrawn.js';
import { fold } from './text.js';
import { afterTurns, asksOf, later, settled } from './turns.js';
import { isSubmitter, sendingOf, unsentBy } from './unsent.js';

// watched is the current watch of input without a target element: a key, or a press at a point.
export let watched = null;

// watchInput begins a watch. held: the input is the release of what has been grabbed. enter: the
// input is text, in which only the Enter key may submit a form.
export function watchInput(arg) {
  const el = deepActive() ?? rootElementOf(document);
  const held = arg?.held ? grabbed?.from ?? null : null;
  guardAround(held ?? el);
  noteInput(arg?.watch, el);
  watched?.observer?.disconnect();
  watched?.redraws?.disconnect();
  watched = { el, asks: asksOf(el), changed: false, held, from: held, key: null, clicked: false, change: null, submit: null, invalid: null,
    enter: Boolean(arg?.enter), typed: false, released: null, up: false,
    press: null, // the press of the mouse button
    judged: false, // whether the press is of a control, which has to get a click
    keyed: null, // the press of a control by a key
    redraws: null, // the observer of the page's changes at a key press
    records: [], // the records of that observer
    by: null, // what tried to submit the form of the invalid field
    button: null, // the default button of the form of el
    sending: null, // the form that a click should submit
    unsent: false, // whether Enter is kept from submitting a form
    value: '', // the value of the field when Enter was sent
    observer: null, // the observer of the page's reactions to Enter
  };
  if (arg?.unsent) holdForm(el, watched);
  if (!held && pressedByKey(el)) redrawsAround(el, watched);
  if (defaultButton(el)) {
    const mine = watched;
    mine.button = defaultButton(el);
    mine.value = inputValue(el);
    mine.observer = new MutationObserver((list) => { mine.changed ||= answersIn(mine, list); });
    for (const root of new Set([ownerOf(el), rootOf(el)])) {
      mine.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  }
  return {};
}

// holdForm keeps the browser from submitting the form of a field by Enter, as long as w is under
// way. The browser does so after the keypress event, unless that was prevented; the page has
// handled the keydown before.
function holdForm(el, w) {
  w.unsent = true;
  const view = viewOf(ownerOf(el));
  const hold = (event) => {
    if (watched !== w) unlisten(view, 'keypress', hold, true);
    else if (event.isTrusted && keyOf(event) === 'Enter' && isTag(pathOf(event)[0], 'input')) preventEvent(event);
  };
  listen(view, 'keypress', hold, { capture: true });
}

// answersIn reports whether a change of the page may be its reaction to Enter. A change of the
// default button's attributes is not.
const answersIn = (w, list) => list.some(({ type, target }) => type !== 'attributes' || target !== w.button);

// disabledDefault returns the default button of a field's form if it is disabled, else null: Enter
// then does not submit the form.
function disabledDefault(field) {
  const button = defaultButton(field);
  return button && disabledBy(button) ? button : null;
}

function defaultButton(field) {
  if (!isTag(field, 'input') || !takesText(field)) return null;
  const form = submitterForm.input(field), root = rootOf(field);
  if (!form || !selectAll[typeOf(root)]) return null;
  for (const el of selectAll[typeOf(root)](root, 'button,input')) {
    if (isSubmitter(el) && submitterForm[tagOf(el)](el) === form) return el;
  }
  return null;
}

// nothingCame returns why Enter in a field has done nothing: the form was not submitted and the
// page has not changed, so it has not handled the key otherwise. It returns '' if something came of
// it.
function nothingCame(w) {
  if (!w.observer || w.changed || w.from !== w.el || !isConnected(w.el)) return '';
  if (inputValue(w.el) !== w.value || deepActive() !== w.el) return '';
  const button = disabledDefault(w.el);
  return button ? `its form is not sent while the default button ${describe(button)} is disabled` : '';
}

const phaseOf = getter(Event.prototype, 'eventPhase');

// onWatched records each event of the current watch.
export function onWatched(event) {
  const w = watched;
  if (w.press && event.isTrusted) leaves(w.press, event);
  switch (event.type) {
    case 'keydown':
      keyDown(w, event);
      break;
    case 'keyup':
      w.up = !w.from; // a key that was held down before
      if (w.up) keyDown(w, event);
      w.released = event;
      break;
    case 'pointerdown': // if that disables the element, there is no mousedown
    case 'mousedown':
      w.from = pathOf(event)[0];
      w.key = null;
      if (!w.held && !w.press) aimAt(w, event);
      break;
    case 'pointerup':
      if (!w.press) break;
      if (!pathOf(event).some((n) => w.press.goals.has(n))) noteRelease(w.press, event);
      w.press.ups++;
      break;
    case 'click':
      w.clicked = true;
      w.sending = sendingOf(event);
      clickOn(w.press ?? w.keyed, event);
      break;
    case 'input':
      w.typed = true;
      break;
    case 'change':
    case 'focusout':
      w.change = event;
      break;
    case 'submit':
      w.submit = event;
      w.invalid = null;
      break;
    case 'invalid':
      if (w.invalid || !mayStop(w)) break;
      w.invalid = event.target;
      w.by = w.key && isCommand(w.key) ? rootElementOf(ownerOf(w.from)) : w.from;
  }
}

// aimAt begins the press of a mouse button on what is at its point.
function aimAt(w, event) {
  fresh();
  const down = pathOf(event)[0], near = nearest(down, CONTROLS), field = near && controlOf(near);
  w.judged = field !== null && !takesText(field) && !matches(near, 'select,option,fieldset,[contenteditable]');
  const el = w.judged ? near : down;
  w.press = { ...newPress(el, 'press', goalsOf(el), 1), main: true, down, at: { x: clientX(event), y: clientY(event) } };
  facesBefore(w.press);
  if (w.judged) barredBefore(w.press);
}

function barredBefore(p) {
  p.barred = disabledBy(p.el);
  p.busy = busyButton(p.el);
}

function clickOn(p, event) {
  if (!p || !pathOf(event).some((n) => p.goals.has(n))) return;
  if (!p.last) p.deaf = deafness(p);
  p.last = event;
  p.clicks++;
}

// lostAtPoint is lostClick for a press at a point. Only a control has to get a click.
function lostAtPoint(w) {
  const p = w.press;
  p.submit = w.submit;
  if (w.judged) return lostClick(p);
  return !w.clicked && (!isConnected(p.el) || p.vanished) ? lostClick(p) : '';
}

// pressedByKey returns the control at el that Enter presses, or null.
function pressedByKey(el) {
  const control = nearest(el, 'button,input,a[href],area[href],summary');
  return control && !takesText(control) ? control : null;
}

const MOST_LIKE = 200; // controls that are searched for the redrawn one

// redrawsAround observes for w how the page around el changes.
function redrawsAround(el, w) {
  const observer = w.redraws = new MutationObserver((more) => {
    w.records = w.records.concat(more);
    if (w.records.length <= MOST_REDRAWS) return;
    observer.disconnect();
    w.redraws = null;
    w.records = [];
  });
  for (const root of new Set([ownerOf(el), rootOf(el)])) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true, characterDataOldValue: true });
  }
}

// keyPress returns the press of the control with the focus by a key, or null if the browser presses
// none.
function keyPress(w, event) {
  fresh();
  const key = keyOf(event), control = pressedByKey(w.from);
  if (w.up || !control || !(key === 'Enter' || (key === ' ' && !isLink(control))) || withKey.some((held) => held(event))) return null;
  w.redraws?.takeRecords();
  w.records = [];
  const p = { ...newPress(control, 'press', new Set([control]), 1), down: w.from, key: true, html: outerHTMLOf(control), face: pressFace(control), state: stateBeside(control) };
  barredBefore(p);
  return p;
}

// stateBeside returns what a page may change without a change of its tree, as a text.
const stateBeside = (el) => JSON.stringify([viewOf(ownerOf(el))?.location.href, queryAll(ownerOf(el), ':popover-open').length,
  queryAll(ownerOf(el), 'input,select,textarea').slice(0, 1000).map((field) => [valueIn(field), isInput(field, 'checkbox', 'radio') && isChecked(field)])]);

const valueIn = (field) => ({ input: inputValue, select: selectValue, textarea: textareaValue }[tagOf(field)]?.(field));

// redrawnByKey returns the message that the page has redrawn the pressed control, so that no click
// has followed, and shows no other effect of the key. Otherwise it returns ''.
function redrawnByKey(w) {
  const p = w.keyed;
  if (!w.redraws || isConnected(p.el)) return '';
  const come = new Set(), gone = new Set();
  for (const { addedNodes, removedNodes } of w.records) {
    for (const n of removedNodes) if (!come.delete(n)) gone.add(n);
    for (const n of addedNodes) if (!gone.delete(n)) come.add(n);
  }
  const drawn = [...come].filter(isConnected), was = [outerHTMLOf(p.el), p.html];
  const like = drawn.filter(isElement).flatMap((n) => [n, ...queryAll(n, CSS.escape(localName.call(p.el)))])
    .filter((n) => was.includes(outerHTMLOf(n)) || pressFace(n) === p.face);
  const shape = like.length ? shapeOf([...gone], p.el) : '';
  const anew = like.slice(0, MOST_LIKE).find((n) => shapeOf(drawn, n) === shape);
  if (!anew || stateBeside(anew) !== p.state) return '';
  const has = deepActive(); // a moved focus is an effect of the key
  if (has && !isTag(has, 'body', 'html') && !isInside(anew, has) && !isInside(has, anew)) return '';
  if (w.records.some((r) => changes(r, anew))) return '';
  return `the page drew it anew${was.includes(outerHTMLOf(anew)) ? ' as it was' : ''} when the key went down on it`;
}

// shapeOf returns the HTML of nodes, without the marks of the elements around el, such as a
// selected row.
function shapeOf(nodes, el) {
  const shape = (n) => {
    if (!isElement(n)) return typeOf(n) === TEXT ? fold(dataOf(n)) : '';
    if (n === el) return '<>';
    if (!contains(n, el)) return outerHTMLOf(n);
    return `<${tagOf(n)}${stated(n)}>${[...childNodesOf(n)].map(shape).join('')}`;
  };
  return nodes.map(shape).join('');
}

const isStated = (name) => /^(aria-(?!selected|current|activedescendant)|open$|hidden$|inert$)/.test(name);
const stated = (el) => getAttributeNames.call(el).filter(isStated).map((name) => ` ${name}=${attr(el, name)}`).join('');

// changes reports whether a mutation record is a visible change, apart from changes of el and of
// the marks of its ancestors.
function changes({ type, target, oldValue, attributeName }, el) {
  if (type === 'childList' || !isConnected(target)) return false;
  if (type === 'characterData') return dataOf(target) !== oldValue;
  if (contains(el, target) || attr(target, attributeName) === oldValue) return false;
  return !contains(target, el) || isStated(attributeName);
}

function keyDown(w, event) {
  w.from = pathOf(event)[0];
  w.key = event;
  w.typed = false;
  w.released = null;
  w.keyed = w.held ? null : keyPress(w, event);
  if (!w.observer || !w.enter || keyOf(event) !== 'Enter') return;
  w.observer.takeRecords(); // changes from before Enter are no reaction to it
  w.changed = false;
  w.value = inputValue(w.el);
}

// mayStop reports whether a field that is now found invalid may stop the form that the input
// submits. It may not if a handler of another event validates the field: of a blur, of typing, or
// of the release of another key.
function mayStop(w) {
  if (w.change && phaseOf(w.change) !== 0) return false;
  if (!w.key) return true;
  const enter = keyOf(w.key) === 'Enter';
  if (w.typed || w.enter && !enter) return false;
  return enter || !w.released || phaseOf(w.released) === 0;
}

const withKey = ['ctrlKey', 'altKey', 'metaKey'].map((name) => getter(KeyboardEvent.prototype, name));

// isCommand reports whether a key acts on the page, and not on the control that has the focus.
const isCommand = (key) => keyOf(key) === 'Enter' || /^F\d+$/.test(keyOf(key)) || withKey.some((held) => held(key));

// inputSeen ends the watch and reports what stopped the input: an invalid field, or a control that
// was disabled before its click.
export async function inputSeen() {
  const w = watched;
  if (!w) return {};
  await afterTurns();
  if (!w.invalid && byInvalid(w.el)) await settled(w.el, w.asks);
  await new Promise((resolve) => later(resolve, 0)); // until then the navigation of a form has been reported
  if (watched === w) watched = null;
  fresh();
  if (!w.from) return {};
  w.changed ||= answersIn(w, w.observer?.takeRecords() ?? []);
  w.observer?.disconnect();
  w.records = w.records.concat(w.redraws?.takeRecords() ?? []);
  w.redraws?.disconnect();
  const taken = w.key && wasPrevented(w.key);
  const enter = w.key && keyOf(w.key) === 'Enter';
  const open = !taken && !w.clicked && !w.held && !w.submit; // whether nothing has followed
  const p = w.key ? w.keyed : w.press;
  let lost = '';
  if (p && !w.key) lost = lostAtPoint(w);
  else if (p && !w.submit) lost = lostByKey(p, open);
  return {
    invalid: blockedSubmit({ el: w.by ?? w.from, invalid: w.invalid, submit: w.submit }),
    lost,
    anew: open && p && w.key ? redrawnByKey(w) : '',
    unsent: open && enter && !w.up && !w.unsent ? nothingCame(w) : '',
    notSent: w.invalid ? null : unsentBy(w.sending, w.submit),
    sent: w.unsent && Boolean(w.submit),
    desc: describe(w.judged || w.key ? p?.el ?? w.from : nearest(w.from, 'button,input') ?? w.from),
  };
}

// lostByKey returns why a key that pressed a control did nothing, or ''. open: no click has
// followed.
function lostByKey(p, open) {
  if (p.deaf && !(isLink(p.el) && !wasPrevented(p.last))) return ignoredClick(p);
  const disabled = open && isConnected(p.el) && disabledBy(p.el);
  return disabled ? `${disabled}${sinceWhen(p)}` : '';
}
