// The press guard: while a press is armed, its trusted mouse events reach only the element that is
// pressed, or what stands for it.
//
// The listeners are added to the window before the page's own scripts run, so they get each event
// first and can stop it. They do nothing while no press is armed.

import { arrival } from './arrival.js';
import { describe } from './describe.js';
import {
  FRAGMENT, attr, clientX, clientY, closedRoots, isConnected, isInput, method, ownerOf, pathOf, preventEvent, queryAll, rootOf, stopEvent,
  typeOf, viewOf, wasPrevented,
} from './dom.js';
import { ancestors, isFlat, nearest, rootsIn } from './flat.js';
import { frameDocument, isFrame } from './frames.js';
import { WATCHED, guard, hearForms } from './host.js';
import { excuseChanged, focusedOf, keep } from './kept.js';
import { last } from './last.js';
import { leftByPress, noteLeft } from './leaving.js';
import { fresh } from './look.js';
import { blockedSubmit, deafness, disabledWord, hasOpened, ignoredAtWork, isExpanded, lostClick, maybeBlocked, whatStops } from './lost.js';
import { meantBy } from './meant.js';
import { unlikeMark } from './preview.js';
import { boxesOf, busyBy, busyButton, goalsOf, hitAt, isAtWork } from './ready.js';
import { facesBefore, hasFilled } from './redrawn.js';
import { forgetRefused } from './refused.js';
import { checkedState } from './states.js';
import { afterTurns, asksOf, later, settled } from './turns.js';
import { faceBefore, undrawnBy } from './undrawn.js';
import { sendingOf, unsentBy } from './unsent.js';
import { isVisible } from './visible.js';

let press = null;

// disarm drops a press that was armed but not sent, so that it does not stop later events.
export function disarm() {
  press?.meant?.end();
  press = null;
}

// arm arms the guard for a press of el at the point in st.spot, which it returns. If that point is
// on a label of el, the label may be hit too.
export function arm(el, op, st) {
  const { via, point } = st.spot;
  guardAround(el);
  const goals = goalsOf(el);
  if (via) goals.add(via);
  begin(el, op.name, goals, op.count || 1);
  press.shown = via ?? el;
  press.meant = meantBy(el, op, st);
  press.approved = st.approved ?? null;
  press.expect = press.approved ? st.req.expect : '';
  press.main = !op.button || op.button === 'left';
  return { point };
}

// guardAround adds the listeners to every window and shadow root in which events of el are seen.
// Some events do not leave a shadow tree.
export function guardAround(el) {
  guard(window);
  const view = viewOf(ownerOf(el));
  if (view && view !== window) guard(view);
  const root = rootOf(el);
  if (typeOf(root) === FRAGMENT) hearForms(root, WATCHED);
  if (!isFlat(ownerOf(el))) { // a button may validate fields in other shadow trees
    for (const other of rootsIn(ownerOf(el))) if (other !== root && typeOf(other) === FRAGMENT) hearForms(other, ['invalid']);
  }
  for (const frame of queryAll(ownerOf(el), 'iframe')) { // a form in a frame may have its button outside
    const inner = isFrame(frame) && frameDocument(frame) && viewOf(frameDocument(frame));
    if (inner) hearForms(inner, ['invalid', 'submit']);
  }
}

const SHIELDED = 5000; // ms after which a shield ends by itself

// shield guards a press of an element in a frame, from the documents around that frame: they
// receive none of its events unless something covers the frame.
export function shield(frame, count) {
  guard(window);
  const view = viewOf(ownerOf(frame));
  if (view && view !== window) guard(view);
  begin(frame, 'press', new Set(), count);
  const mine = press;
  later(() => { if (press === mine) press = null; }, SHIELDED);
}

function begin(el, op, goals, count) {
  forgetRefused();
  press = newPress(el, op, goals, count);
  press.field = op === 'check' ? focusedOf(last.keep) : null;
}

// newPress returns the state of a press of el, before any event.
export function newPress(el, op, goals, count) {
  return {
    el, op, goals, count,
    shown: el, // the element that is pressed for el, such as its label
    main: false, // whether a click has to follow
    asks: asksOf(el), // the page's timer and frame counts before the press
    field: null, // the record of the run's field that loses the focus
    then: null, // the same counts just before the click
    down: null, // the target of the button press
    at: null, // the position of the button press
    drawn: null, // what was drawn for a toggle at the button press: see undrawn.js
    face: '', html: '', beside: null, // the control and its surroundings at the button press: see facesBefore
    left: false, // whether another field has lost the focus, or reported its change
    held: null, // the values of the page's fields at the button press
    filled: null, // whether another field's value has changed when the focus is about to move
    before: null, // what whatStops returned when another field lost the focus
    after: null, // what it returned after the page's handlers of that blur
    idle: false, // whether el did not look busy at that moment
    deaf: '', // why el ignores the click, or '' if it shows no reason
    busy: null, // what made el look busy before the press
    turned: null, // what makes it look busy at the click
    barred: null, // what disabled el before the press
    key: false, // whether a key presses el
    vanished: false, // whether el was hidden at the release
    ups: 0,
    clicks: 0,
    captured: false, // whether the page captured the pointer
    covered: null, // what the page put over el at the press, such as the list that it opens
    expanded: isExpanded(el), // whether el was expanded before the press
    stopped: false, // whether the remaining events are stopped
    missed: null, // the other element that an event would have hit
    approved: null, // what a person has approved, if that was necessary
    expect: '', // its mark: see preview.js
    meant: null, // whether the element is still the one that was meant: see Meant
    other: null, // a description of el if it no longer is what was meant
    stirred: false, // whether the page changed any text when the button went down
    acted: false, // whether that text was in the record that is pressed
    afresh: false, // whether the press may then be repeated
    invalid: null, // the first field that failed its validation
    submit: null, // the last submit event
    over: false,
    last: null, // the click event
    sending: null, // what the click should submit: see sendingOf
    done: null, // called when the press is over
  };
}

// hitsInside reports whether an event hits the target inside a closed shadow root, which the
// event's path does not show.
function hitsInside(event, host) {
  if (!closedRoots?.has(host)) return false;
  const isGoal = (el) => {
    for (const n of ancestors(el)) if (press.goals.has(n)) return true;
    return false;
  };
  return isGoal(hitAt({ x: clientX(event), y: clientY(event) }, ownerOf(host), isGoal));
}

// guardPress handles each mouse event: it stops those that do not hit what is pressed, and records
// the others.
export function guardPress(event) {
  if (!press || !event.isTrusted) return;
  const path = pathOf(event);
  const hit = path.some((n) => press.goals.has(n)) || hitsInside(event, path[0]);
  judge(press);
  if (press.stirred && press.other && press.left && /up$/.test(event.type)) { // the page may change more until the release
    if (event.type === 'pointerup') countUp(press);
    return;
  }
  if (press.stopped || press.other || !(hit || mayPass(event))) {
    stopEvent(event);
    preventEvent(event);
    press.stopped = true;
    if (press.other) {
      if (event.type === 'pointerup') countUp(press);
      return;
    }
    // Once the page has removed the element, covered it, or opened something under the press, later
    // events that hit something else are not misses.
    if (!press.down || (isConnected(press.el) && !press.covered && !press.vanished && !hasOpened(press))) press.missed ??= path[0];
  } else if (event.type === 'pointerdown' || event.type === 'mousedown') {
    if (!press.down) noteFaces(press);
    press.down = path[0];
    press.at = { x: clientX(event), y: clientY(event) };
  } else if (hit && /click$|contextmenu/.test(event.type)) {
    if (!press.last && event.type === 'click') {
      press.deaf = deafness(press);
      press.turned = busyButton(press.el);
    }
    press.last = event;
    press.sending = sendingOf(event);
    if (press.field) leftFor(press);
    if (/^(aux)?click$/.test(event.type)) press.clicks++;
  }
  if (event.type === 'pointerup') countUp(press);
}

// countUp counts the releases of press p. After the last one the press is over, once its click has
// been dispatched.
function countUp(p) {
  if (++p.ups < p.count) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => press?.done?.();
  port2.postMessage(0); // the click follows in this task, the message after it
  p.over = true;
}

// judge checks before an event whether p still presses what was meant. After a click its name may
// change. A press that the page has seen may be repeated only if the button went down on what was
// meant, and the blur of another field changed that afterwards; otherwise the page may have acted
// on it already.
function judge(p) {
  if (p.other || p.clicks > 0 || p.last) return;
  if (p.expect && isConnected(p.approved)) {
    p.other = unlikeMark(p.approved, p.expect, true);
    if (p.other) return;
  }
  if (!p.meant) return;
  if (p.down && !p.left && p.meant.says()) {
    p.stirred = true;
    p.acted ||= p.meant.saysOfIt();
  }
  p.other = p.meant.other(p.left);
  p.afresh = p.other !== null && (!p.down || (p.left && !p.stirred && !p.meant.choice));
}

// noteFaces records how the control that p presses is drawn, before the page's handlers run.
function noteFaces(p) {
  facesBefore(p);
  if (p.op !== 'check') return;
  fresh();
  p.drawn = faceBefore(p.el);
}

// leftFor checks the field from which a check has taken the focus, before the page's click handlers
// run. In a group of radio buttons the browser has already unset the previous one.
function leftFor(p) {
  fresh();
  const left = p.field.ref.deref();
  if (left && isInput(left, 'radio') && isInput(p.el, 'radio') && attr(left, 'name') === attr(p.el, 'name')) return;
  p.then = asksOf(p.el);
  p.field.left = true;
  noteLeft(p.field);
  p.field.left = false;
}

// mayPass reports whether an event that misses the target is left to the page: the release of a
// press whose pointer the page has captured (a drag), or whose element the page has removed or
// covered. A page that covers what is pressed does so on purpose and waits for the release; one
// that moves the element away does not.
function mayPass(event) {
  if (!press.down) return false;
  if (event.type === 'pointerup') {
    noteRelease(press, event);
  }
  return press.captured || (/up$/.test(event.type) && (press.covered || press.vanished || !isConnected(press.el) || hasOpened(press)));
}

// noteRelease records what has become of the pressed element, when the release does not hit it.
export function noteRelease(p, event) {
  p.captured = hasCapture(event.target, event.pointerId);
  p.vanished = isConnected(p.el) && !isVisible(p.shown);
  if (p.ups + 1 >= p.count && isUnder(p, event)) p.covered = pathOf(event)[0];
}

// isUnder reports whether the pressed element still lies at the point of event, below something
// else.
function isUnder(p, event) {
  if (!isConnected(p.el) || ownerOf(event.target) !== ownerOf(p.el)) return false;
  const x = clientX(event), y = clientY(event);
  for (const goal of p.goals) {
    for (const r of boxesOf(goal)) if (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom) return true;
  }
  return false;
}

const hasCapture = method(Element.prototype, 'hasPointerCapture');

// guardForm records for the press what an event reports about a field or its form.
export function guardForm(event) {
  if (!press) return;
  if (event.type === 'submit') {
    press.submit = event;
    press.invalid = null; // earlier invalid fields did not stop the submit
  } else if (event.type === 'invalid') {
    if (press.last || !press.left) press.invalid ??= event.target;
  } else if (event.isTrusted) {
    leaves(press, event);
  }
}

const LEAVING = new Set(['change', 'blur', 'focusout', 'focus']);

// leaves records that the press has taken the focus from another field. The page may now validate
// that field, and may remove what is pressed.
export function leaves(p, event) {
  if (!p.down || p.last || !LEAVING.has(event.type)) return;
  const other = !pathOf(event).some((n) => p.goals.has(n)) && event.target !== viewOf(ownerOf(p.el));
  if (event.type !== 'focus' && other && p.before === null) { // a change event comes before its blur
    judge(p);
    p.filled = hasFilled(p);
    p.before = whatStops(p);
    p.idle = !busyBy(p.el);
    p.able = !disabledWord(p.el);
  }
  if (event.type === 'focus' && p.before !== null) p.after ??= whatStops(p);
  p.left ||= other && event.type !== 'focus';
}

// pressed waits for the end of the press, for at most "wait" ms, and returns what became of the
// press. wait is 0 when the events are known to be over, as even the shortest timer then waits for
// a frame.
export async function pressed({ wait = 1000 } = {}) {
  const p = press;
  if (!p) return { reached: false, missed: null, invalid: null, gone: false, checked: null };
  if (!p.over && wait > 0) await eventsOver(p, wait);
  if (p.main && p.op === 'press') await maybeBlocked(p);
  if (unsentBy(p.sending, p.submit)) await settled(p.el, p.asks); // the page may submit the form by script
  if (press === p) press = null;
  p.meant?.end();
  if (p.op === 'check') await checkSettled(p);
  fresh();
  const gone = !isConnected(p.el) || p.vanished || (p.clicks === 0 && p.down !== null && !isConnected(p.down));
  if (p.op === 'check' && last.el === p.el) {
    if (gone) keep(p.el, 'check', last.on); // the caller reads the element that replaces it
    else if (checkedState(p.el) === last.on) keep(p.el, 'check');
  }
  const reached = p.last !== null || (p.down !== null && !p.missed); // a disabled or removed element gets no click
  return {
    reached,
    down: p.down !== null,
    lost: lostClick(p),
    ignored: ignoredAtWork(p),
    clicks: p.clicks,
    ups: p.ups,
    missed: p.missed ? { desc: describe(p.missed) } : null,
    other: p.other,
    afresh: p.afresh,
    acted: p.acted,
    pinned: Boolean(p.meant?.pinned),
    covered: p.covered && (p.expanded || !isExpanded(p.el)) ? describe(p.covered) : '',
    invalid: blockedSubmit(p),
    submitted: p.submit !== null,
    notSent: p.invalid || p.op !== 'press' ? null : unsentBy(p.sending, p.submit),
    closing: window.closed, // the page closes its tab
    saves: Boolean(p.last) && !wasPrevented(p.last) && nearest(p.el, 'a[download][href],area[download][href]') !== null,
    gone,
    checked: gone ? null : checkedState(p.el),
    undrawn: undrawnBy(p),
    works: p.op === 'check' && (gone || isAtWork(p.el, p.asks)),
    reverted: leftByPress(),
  };
}

// checkSettled waits for the page's reaction to a check, and excuses what has changed with it. If
// the click has started nothing, it does not excuse later changes of the field that lost the focus.
async function checkSettled(p) {
  const excuses = () => {
    fresh();
    if (last.el === p.el) excuseChanged(p.el);
  };
  await afterTurns();
  if (p.field) excuses();
  const asks = p.then && asksOf(p.el), begun = !asks || asks.timers !== p.then.timers || asks.frames !== p.then.frames;
  await settled(p.el, p.asks);
  if (!p.field || begun) excuses();
}

// missed reports whether an event of the press would have hit something else.
export const missed = () => Boolean(press?.missed);

// dropped is called when all input is sent. Events that have not come by then are no longer waited
// for: they were lost on the way, or the page took them.
export function dropped() {
  arrival?.end();
  if (press && !press.down && !press.last) press.done?.();
}

function eventsOver(p, wait) {
  return new Promise((resolve) => {
    const timer = later(resolve, wait);
    p.done = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
