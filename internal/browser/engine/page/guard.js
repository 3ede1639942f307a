// The press guard: between arming and reading back, no trusted mouse event of the press reaches
// anything but the element that is pressed.
//
// The listeners are on the window before the page's own scripts run, so they see an event first
// and can stop it. They do nothing while no press is armed.

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
import { blockedSubmit, deafness, disabledWord, hasOpened, isExpanded, lostClick, maybeBlocked, whatStops } from './lost.js';
import { meantBy } from './meant.js';
import { boxesOf, busyBy, goalsOf, hitAt, isAtWork } from './ready.js';
import { facesBefore, hasFilled } from './redrawn.js';
import { forgetRefused } from './refused.js';
import { checkedState } from './states.js';
import { afterTurns, asksOf, later, settled } from './turns.js';
import { faceBefore, undrawnBy } from './undrawn.js';
import { sendingOf, unsentBy } from './unsent.js';
import { isVisible } from './visible.js';

let press = null;

// disarm drops a press that was armed and not sent: it must not stop later events.
export function disarm() {
  press?.meant?.end();
  press = null;
}

// arm begins a press of el at the spot that st has found, and returns that: through its label
// where it is one's.
export function arm(el, op, st) {
  const { via, point } = st.spot;
  guardAround(el);
  const goals = goalsOf(el);
  if (via) goals.add(via);
  begin(el, op.name, goals, op.count || 1);
  press.shown = via ?? el;
  press.meant = meantBy(el, op, st);
  press.main = !op.button || op.button === 'left';
  return { point };
}

// guardAround adds the listeners where the events of el are seen. Some of them do not
// leave a shadow tree.
export function guardAround(el) {
  guard(window);
  const view = viewOf(ownerOf(el));
  if (view && view !== window) guard(view);
  const root = rootOf(el);
  if (typeOf(root) === FRAGMENT) hearForms(root, WATCHED);
  if (!isFlat(ownerOf(el))) { // a button may check fields of components of their own
    for (const other of rootsIn(ownerOf(el))) if (other !== root && typeOf(other) === FRAGMENT) hearForms(other, ['invalid']);
  }
  for (const frame of queryAll(ownerOf(el), 'iframe')) { // a form in one may have its button around it
    const inner = isFrame(frame) && frameDocument(frame) && viewOf(frameDocument(frame));
    if (inner) hearForms(inner, ['invalid', 'submit']);
  }
}

const SHIELDED = 5000; // ms after which a shield that nobody took away ends

// shield guards a press of what is in a frame, in the documents around it: they see
// no event of the press unless something lies over the frame.
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

export function newPress(el, op, goals, count) {
  return {
    el, op, goals, count,
    shown: el, // what is pressed in its place
    main: false, // whether a click has to follow
    asks: asksOf(el), // of the page, before it
    field: null, // that the run has set, and that loses the focus
    then: null, // asks in front of the click
    down: null, // what the button press hit of el
    at: null, // where it was
    drawn: null, // what is drawn for a toggle then: see undrawn.js
    face: '', html: '', beside: null, // the control and what is beside it then: see facesBefore
    left: false, // whether another field has lost the focus, or reported its change
    held: null, // what the fields of the page hold then
    filled: null, // whether another field holds something else when the focus is about to leave
    before: null, // how el stood when another field was left: see whatStops
    after: null, // and behind the handlers of that
    idle: false, // whether el did not show then that it is at work
    deaf: '', // why el ignores the click, as far as it says so
    busy: null, // what showed before the press that el is at work
    barred: null, // what disabled it then
    key: false, // whether a key presses it
    vanished: false, // whether el had no box any more at the release
    ups: 0,
    clicks: 0,
    captured: false, // whether the page took the pointer over
    covered: null, // what the page put over el at the press, such as the list that it opens
    expanded: isExpanded(el), // before it
    stopped: false, // whether the rest of the events is stopped
    missed: null, // what an event would have hit instead
    meant: null, // see Meant
    other: null, // what el has become, where that is not what was meant
    stirred: false, // whether the page has changed its words when the button went down
    acted: false, // whether those of the record that is pressed were among them
    afresh: false, // whether the press may then be made once more
    invalid: null, // the first field that failed its validation
    submit: null, // the last submit event
    over: false,
    last: null, // the click event
    sending: null, // what that is to send: see sendingOf
    done: null, // called when it is over
  };
}

// hitsInside: an event does not tell what it hits inside of a closed shadow root.
function hitsInside(event, host) {
  if (!closedRoots?.has(host)) return false;
  const isGoal = (el) => {
    for (const n of ancestors(el)) if (press.goals.has(n)) return true;
    return false;
  };
  return isGoal(hitAt({ x: clientX(event), y: clientY(event) }, ownerOf(host), isGoal));
}

// guardPress stops an event of the mouse that does not hit what is pressed.
export function guardPress(event) {
  if (!press || !event.isTrusted) return;
  const path = pathOf(event);
  const hit = path.some((n) => press.goals.has(n)) || hitsInside(event, path[0]);
  judge(press);
  if (press.stirred && press.other && press.left && /up$/.test(event.type)) { // it may repeat until the release
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
    // What follows on an element that the page removed, or put something over, under
    // the press is no miss; nor where that has opened something.
    if (!press.down || (isConnected(press.el) && !press.covered && !press.vanished && !hasOpened(press))) press.missed ??= path[0];
  } else if (event.type === 'pointerdown' || event.type === 'mousedown') {
    if (!press.down) noteFaces(press);
    press.down = path[0];
    press.at = { x: clientX(event), y: clientY(event) };
  } else if (hit && /click$|contextmenu/.test(event.type)) {
    if (!press.last && event.type === 'click') press.deaf = deafness(press);
    press.last = event;
    press.sending = sendingOf(event);
    if (press.field) leftFor(press);
    if (/^(aux)?click$/.test(event.type)) press.clicks++;
  }
  if (event.type === 'pointerup') countUp(press);
}

function countUp(p) {
  if (++p.ups < p.count) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => press?.done?.();
  port2.postMessage(0); // the click follows in this task, the message after it
  p.over = true;
}

// judge finds out, in front of an event, whether what p presses is still what was meant. After
// a click it may be called otherwise. A press that the page has seen is made once more only
// where its button went down on what was meant, and leaving another field has changed that: not
// where the page may have acted then already.
function judge(p) {
  if (!p.meant || p.other || p.clicks > 0 || p.last) return;
  if (p.down && !p.left && p.meant.says()) {
    p.stirred = true;
    p.acted ||= p.meant.saysOfIt();
  }
  p.other = p.meant.other(p.left);
  p.afresh = p.other !== null && (!p.down || (p.left && !p.stirred && !p.meant.choice));
}

// noteFaces notes what is drawn for what p presses, in front of the page's handlers.
function noteFaces(p) {
  facesBefore(p);
  if (p.op !== 'check') return;
  fresh();
  p.drawn = faceBefore(p.el);
}

// leftFor looks at the field that a check has left, in front of the click's handlers. Of
// radio buttons of one group the browser has unset the other by then.
function leftFor(p) {
  fresh();
  const left = p.field.ref.deref();
  if (left && isInput(left, 'radio') && isInput(p.el, 'radio') && attr(left, 'name') === attr(p.el, 'name')) return;
  p.then = asksOf(p.el);
  p.field.left = true;
  noteLeft(p.field);
  p.field.left = false;
}

// The release of a press that the page took over (a drag with captured pointer) or
// whose element the page removed or covered belongs to the page. A page that puts
// something over what is pressed means that, and waits for the release; one that
// moves it away does not.
function mayPass(event) {
  if (!press.down) return false;
  if (event.type === 'pointerup') {
    letsGo(press, event);
  }
  return press.captured || (/up$/.test(event.type) && (press.covered || press.vanished || !isConnected(press.el) || hasOpened(press)));
}

// letsGo notes what has become of what is pressed, where the release does not hit it.
export function letsGo(p, event) {
  p.captured = hasCapture(event.target, event.pointerId);
  p.vanished = isConnected(p.el) && !isVisible(p.shown);
  if (p.ups + 1 >= p.count && isUnder(p, event)) p.covered = pathOf(event)[0];
}

// isUnder: what is pressed still lies at the place of event, below something else.
function isUnder(p, event) {
  if (!isConnected(p.el) || ownerOf(event.target) !== ownerOf(p.el)) return false;
  const x = clientX(event), y = clientY(event);
  for (const goal of p.goals) {
    for (const r of boxesOf(goal)) if (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom) return true;
  }
  return false;
}

const hasCapture = method(Element.prototype, 'hasPointerCapture');

// guardForm notes for the press what an event says about a field or its form.
export function guardForm(event) {
  if (!press) return;
  if (event.type === 'submit') {
    press.submit = event;
    press.invalid = null; // what was found before did not stop it
  } else if (event.type === 'invalid') {
    if (press.last || !press.left) press.invalid ??= event.target;
  } else if (event.isTrusted) {
    leaves(press, event);
  }
}

const LEAVING = new Set(['change', 'blur', 'focusout', 'focus']);

// leaves notes that the press has taken the focus from another field. A page may check
// that field now, and may take away what is pressed.
export function leaves(p, event) {
  if (!p.down || p.last || !LEAVING.has(event.type)) return;
  const other = !pathOf(event).some((n) => p.goals.has(n)) && event.target !== viewOf(ownerOf(p.el));
  if (event.type !== 'focus' && other && p.before === null) { // its change comes in front of its blur
    judge(p);
    p.filled = hasFilled(p);
    p.before = whatStops(p);
    p.idle = !busyBy(p.el);
    p.able = !disabledWord(p.el);
  }
  if (event.type === 'focus' && p.before !== null) p.after ??= whatStops(p);
  p.left ||= other && event.type !== 'focus';
}

// pressed ends the press and tells what became of it, after at most wait ms: 0 where
// the events are known to be over, for even the shortest timer waits for a frame then.
export async function pressed({ wait = 1000 } = {}) {
  const p = press;
  if (!p) return { reached: false, missed: null, invalid: null, gone: false, checked: null };
  if (!p.over && wait > 0) await eventsOver(p, wait);
  if (p.main && p.op === 'press') await maybeBlocked(p);
  if (unsentBy(p.sending, p.submit)) await settled(p.el, p.asks); // the page may send it itself
  if (press === p) press = null;
  p.meant?.end();
  if (p.op === 'check') await checkSettled(p);
  fresh();
  const gone = !isConnected(p.el) || p.vanished || (p.clicks === 0 && p.down !== null && !isConnected(p.down));
  if (p.op === 'check' && last.el === p.el) {
    if (gone) keep(p.el, 'check', last.on); // what stands in its place is read by the caller
    else if (checkedState(p.el) === last.on) keep(p.el, 'check');
  }
  const reached = p.last !== null || (p.down !== null && !p.missed); // a disabled or removed element gets no click
  return {
    reached,
    down: p.down !== null,
    lost: lostClick(p),
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

// checkSettled waits for what the page makes of a check, and excuses what has changed with it.
// Of the field that was left, a click that has begun nothing changes nothing later.
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

// dropped is told when the input is over, of which something may have been dropped on the
// way, or taken by the page: what has not come by then is not waited for.
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
