// Reverts: values that a run has set and the page has changed back. They are checked before and
// after input, for as long as the page may still change them.

import { isAddress, plainly, rewrites } from './compare.js';
import { isNumberField } from './controls.js';
import { isConnected, isInput, isTag, now, rootElementOf } from './dom.js';
import { ancestors, nearest } from './flat.js';
import { leave, returnTo } from './focus.js';
import {
  QUIET, SETTING, drop, excuseNow, focusedOf, heldBy, heldNow, holdsNumber, isAbout, isExact, isHeld, kept, keptState, lostBy, matched, noteRevert,
  reportOf, revertsOf, standsFor, stillThere, tookOnLeaving,
} from './kept.js';
import { watchLeaving } from './leaving.js';
import { fresh } from './look.js';
import { IDLE } from './poll.js';
import { motionOf } from './ready.js';
import { LONGEST_NAME } from './shown.js';
import { unshownNow } from './taken.js';
import { cut, fold, isSecret, readable } from './text.js';
import { afterTurns, asksOf, framesServed, isHidden, later, markTimers, mayFire, nextFrame, onIdle } from './turns.js';
import { isVisible } from './visible.js';

const LATE = 500; // ms after an input within which a timer of the page may revert it
const LATE_OF_SEVERAL = 1000; // the same for fields that are set together: one may make the page reload others
const IDLE_LATE = 300; // ms within which a page that sends itself messages, one after the other, becomes idle
const AFTER_ANSWER = 300; // ms that a page has to process a response that was waited for

// mayChange reports whether the page has started a timer since the input for k, or has started
// something that has to be awaited when the field of k lost the focus. It assumes so if the timers
// of k's window are not counted.
const mayChange = (k, asks) => k.waits || !k.asks || asks.timers > k.asks.timers;

// drawsOn reports whether the page has kept requesting animation frames since the input for k. A
// page that has done so for most frames since it loaded does not count, as it never stops.
const drawsOn = (k, asks) => k.asks && asks.frames > k.asks.frames && asks.frames > framesServed && k.asks.frames < Math.max(20, k.at / 50);

// isMoving reports whether the control of k, or something around it, is being animated. The page
// may wait for the end of that.
function isMoving(k) {
  const el = k.ref.deref();
  return Boolean(el && isConnected(el) && motionOf(el) !== '');
}

// lookBack checks what the run has set before input is sent to el, because the document may be gone
// afterwards. It returns the list of reverts, or undefined if the run has set nothing.
export function lookBack(el, op) {
  if (!op.keep || !kept.length) return undefined;
  const sets = SETTING.has(op.name), excuses = !sets && !QUIET.has(op.name);
  if (sets) for (const k of heldBy(op.keep)) if (isAbout(k, el)) standsFor(k);
  if (op.name === 'press') watchLeaving(focusedOf(op.keep), el);
  for (const k of heldBy(op.keep)) {
    if (!isAbout(k, el)) noteRevert(k);
    if (excuses) excuseNow(k);
  }
  return revertsOf(op.keep, sets ? el : null);
}

// lookAround is lookBack for input that has no target element.
export function lookAround({ run }) {
  fresh();
  heldBy(run).forEach(noteRevert);
  return revertsOf(run);
}

// filesKept waits until the page shows the names of the files that it has taken out of their
// inputs, for at most "wait" ms. It returns the list of reverts of the run.
export async function filesKept({ run, wait }) {
  for (const until = now() + wait; ;) {
    fresh();
    const gone = kept.filter((k) => k.run === run && k.what === 'files' && k.reverted);
    for (const k of gone) if (!unshownNow(k.want, stillThere(k)).length) k.reverted = null;
    if (gone.every((k) => !k.reverted) || now() >= until) return revertsOf(run);
    await new Promise((resolve) => later(resolve, IDLE));
  }
}

// leavingLast moves the focus away from the field that the run has set last, calls look, and gives
// the focus back. It does so for a field that holds a number, a password or an address (see
// changesOnLeaving) or, if the argument "any" is set, for every field. If look asks for the page's
// timers, the field gets the focus back only after the next call.
async function leavingLast(run, any, look) {
  const el = leftField ?? await leaveLast(run, any);
  leftField = null;
  const asked = await look();
  if (asked) leftField = el;
  else returnTo(el);
  return asked;
}

// changesOnLeaving reports whether a page may make another value of what a field was given when it
// loses the focus: pages round or clamp numbers, trim or shorten passwords, and take the query or the
// alias out of addresses. A search field, or one that has opened a list, keeps the focus, as the list
// would close. Of texts of several lines, only a list of addresses counts.
function changesOnLeaving(el, k) {
  if (isNumberField(el) || holdsNumber(el, k)) return true;
  if (!isExact(el, k) || isInput(el, 'search') || nearest(el, '[role=searchbox],[role=search],[aria-expanded=true]')) return false;
  return isTag(el, 'input') || isSecret(el) || /^\S+(?:\n\S+)*$/.test(String(k.want).trim());
}

// leaveLast moves the focus away from that field, once for each value that it was given. It returns
// the field, or null if there is none.
async function leaveLast(run, any) {
  const k = focusedOf(run), el = k?.ref.deref();
  if (!el || k.what !== 'fill' || k.wasLeft || !(any || changesOnLeaving(el, k))) return null;
  const before = asksOf(el);
  k.left = k.wasLeft = true;
  k.around = [...ancestors(el)].slice(1).map((n) => new WeakRef(n));
  await leave(el);
  const after = before && asksOf(el);
  if (!after || after.timers !== before.timers || after.frames !== before.frames) k.at = now(); // what the page has started may change the value
  return el;
}

// commit moves the focus away from the field that the run has set last and back to it, if
// changesOnLeaving is true for the field: a page may send the value only then.
export async function commit({ run }) {
  fresh();
  returnTo(await leaveLast(run, false));
}

let leftField = null; // the field that leavingLast has left for a look that asks for timers

// noteDiscarded records a revert if the field of k has gone because it lost the focus, and the page
// shows the value nowhere around: the page has then discarded the value.
function noteDiscarded(k) {
  if (!k.around || stillThere(k)) return;
  const around = k.around.map((ref) => ref.deref()).find((n) => n && isConnected(n));
  if (!around) return;
  const shown = readable(around);
  if (!k.secret && !shows(plainly(shown), plainly(String(k.want)))) k.reverted = { holds: cut(fold(shown), LONGEST_NAME) };
}

// shows reports whether a text contains an address, perhaps without its scheme and final slash, or a
// number in any form.
const shows = (text, want) => (isAddress(want) ? text.includes(want.replace(/^https?:\/\/|\/$/g, '')) : numbersIn(text).includes(numbersIn(want)[0]));

// numbersIn returns the numbers in a text, whatever separates their digits.
const numbersIn = (text) => (text.match(/\d+(?:[.,'’\s]\d+)*/g) ?? []).map((s) => Number(s.replace(/[,'’\s]/g, '')));

// reverted returns {reverted}: the controls that no longer hold what the run has set. If it only
// waits for timers of the page, it returns {timer} instead, see markTimers.
export async function reverted({ run, ...how }) {
  const timer = await leavingLast(run, false, () => lateChanges(how, LATE, () => {
    heldBy(run).forEach(noteRevert);
    return kept.some((k) => k.run === run && k.reverted) ? [] : heldBy(run);
  }));
  if (timer) return { timer };
  heldBy(run).forEach(noteDiscarded);
  return { reverted: revertsOf(run) };
}

// lateChanges calls look at each animation frame for as long as the page may still change the
// records that look returns: while it has timers since they were set, requests frames, animates
// them, or (busy) has requests open, up to late ms after they were set. answered: a response was
// waited for. together: the fields are of one form, and the time runs from the last of them, as one
// may change another. always: the page has reverted them before, so that the whole time is waited.
// asks: if it would wait for timers alone, it returns the mark by which they can be looked up.
// timers: the result of that lookup. Before the last look the page becomes idle, so that it has
// handled the messages that it sends itself.
async function lateChanges({ busy = false, answered = false, together = false, always = false, asks: asking = false, timers = null }, late, look) {
  const begin = now();
  let due = true;
  for (let owed = 0; ; owed--) { // frames to wait after an animation, in which the page gets its events
    fresh();
    const asks = asksOf(rootElementOf(document)), at = now(), list = look();
    const last = together ? Math.max(...list.map((k) => k.at)) : 0, recent = list.filter((k) => at < Math.max(k.at, last) + late);
    if (recent.some(isMoving)) owed = 2;
    const known = (k) => (timers && k.asks ? mayFire(timers, asks, Math.max(k.at, last) + late) : null);
    const fires = (k) => known(k) ?? mayChange(k, asks);
    const waits = answered && at < begin + AFTER_ANSWER;
    if (!list.length) return 0;
    if (!(waits || owed > 0 || recent.some((k) => always || busy || drawsOn(k, asks)))) {
      if (!recent.some(fires)) {
        if (!due) return 0;
        due = false;
        // The last timer may be late, but fires before one that is set now.
        if (timers !== null) await new Promise((resolve) => { later(resolve, 0); });
        // The browser's record of timers does not contain idle callbacks.
        if (recent.some((k) => k.asks && asks.idles > k.asks.idles)) await onIdle(late);
        else await (isHidden(document) ? afterTurns() : onIdle(IDLE_LATE));
        continue;
      }
      const id = asking && recent.every((k) => k.asks) && recent.some((k) => known(k) === null && fires(k)) ? markTimers() : 0;
      if (id) return id;
    }
    await nextFrame();
  }
}

// lost returns what the given parts of a run, each [first, last], have set and the page no longer
// holds, whatever a later part has sent. It drops these records, as the caller sets the values
// again. A value that the page has only rewritten is not lost. again: the values have been set a
// second time; the last field then loses the focus too, as a page may revert it at that moment. It
// returns {timer} as reverted does.
export async function lost({ run, parts, again, ...how }) {
  const list = () => kept.filter((k) => k.run === run && parts.some(([from, to]) => k.part >= from && k.part <= to && !(k.freed <= to)));
  const timer = await leavingLast(run, again, () => lateChanges({ ...how, together: true, always: again }, parts.length > 1 ? LATE_OF_SEVERAL : LATE, list));
  if (timer) return { timer };
  const gone = list().flatMap((k) => lossOf(k) ?? []);
  drop(gone.map(({ k }) => k));
  return { lost: gone.map(({ k, holds }) => ({ ...reportOf(k, holds), part: k.part })), reverted: revertsOf(run) };
}

// lossOf returns {k, holds} if the control holds something else than was set, and null if it holds
// the value or has gone.
function lossOf(k) {
  const state = heldNow(k) ?? instead(k);
  if (!state || state.same) return null;
  const el = stillThere(k);
  const took = el && k.what === 'fill' && (k.left ? tookOnLeaving(k, el, String(state.holds)) : rewrites(el, String(state.holds), String(k.want)));
  return took ? null : { k, holds: state.holds };
}

// instead returns {same, holds} for the element that k's query matches after its control has gone,
// or null if that is not known.
function instead(k) {
  const found = k.what === 'read' ? null : matched(k);
  if (!found) return null;
  const els = found.els.filter(isVisible);
  if (els.length !== 1) return els.length ? null : lostBy(k, found);
  return { same: isHeld(els[0], k), holds: keptState(els[0], k.what, k.want) };
}
