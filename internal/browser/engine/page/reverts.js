// What a page has taken back of what a run has set: looks before and after input, and waits for as
// long as the page may still change it.

import { rewrites } from './compare.js';
import { isNumberField } from './controls.js';
import { focusOn, isConnected, now, rootElementOf } from './dom.js';
import { isFocusless, leave } from './focus.js';
import {
  QUIET, SETTING, drop, excuseNow, focusedOf, heldBy, heldNow, holdsNumber, isAbout, isHeld, kept, keptState, lostBy, matched, noteRevert,
  reportOf, revertsOf, standsFor, stillThere, tookOnLeaving,
} from './kept.js';
import { watchLeaving } from './leaving.js';
import { fresh } from './look.js';
import { IDLE } from './poll.js';
import { motionOf } from './ready.js';
import { unshownNow } from './taken.js';
import { asksOf, framesServed, later, markTimers, mayFire, nextFrame, onIdle } from './turns.js';
import { isVisible } from './visible.js';

const LATE = 500; // ms after an input within which the page's timers may take it back
const LATE_OF_SEVERAL = 1000; // the same where fields are set together: one may have others loaded anew
const AFTER_ANSWER = 300; // ms that a page has to make something of an answer that was waited for

// mayChange reports whether the page has begun a timer since the input for k. Of another
// window than this one it is not known.
const mayChange = (k, asks) => k.waits || !k.asks || asks.timers > k.asks.timers;

// drawsOn reports whether the page has gone on asking for frames since the input for k, as a
// chain of them does. One that has asked for most frames since it began does so for ever.
const drawsOn = (k, asks) => k.asks && asks.frames > k.asks.frames && asks.frames > framesServed && k.asks.frames < Math.max(20, k.at / 50);

// isMoving reports whether something moves what k was set in: its end may be waited for.
function isMoving(k) {
  const el = k.ref.deref();
  return Boolean(el && isConnected(el) && motionOf(el) !== '');
}

// lookBack looks at what the run has set, before input is sent to el, and lists what has
// been reverted: the document may be gone afterwards. undefined where there is nothing.
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

// lookAround is lookBack before input that is sent to no element.
export function lookAround({ run }) {
  fresh();
  heldBy(run).forEach(noteRevert);
  return revertsOf(run);
}

// filesKept waits, for at most wait ms, until the page shows the files that it has taken out
// of their inputs, and lists what the run has lost then.
export async function filesKept({ run, wait }) {
  for (const until = now() + wait; ;) {
    fresh();
    const gone = kept.filter((k) => k.run === run && k.what === 'files' && k.reverted);
    for (const k of gone) if (!unshownNow(k.want, stillThere(k)).length) k.reverted = null;
    if (gone.every((k) => !k.reverted) || now() >= until) return revertsOf(run);
    await new Promise((resolve) => later(resolve, IDLE));
  }
}

// leavingLast leaves the field that the run has set last, where that is one for a number, holds one,
// or any, and gives the focus back behind the look: pages take a number over, round it or bring it
// within its limits when its field is left. A look that asks for the page's timers goes on with the
// field left.
async function leavingLast(run, any, look) {
  const el = leftField ?? await leaveLast(run, any);
  leftField = null;
  const asked = await look();
  if (asked) leftField = el;
  else returnTo(el);
  return asked;
}

// leaveLast takes the focus from that field, once for each value that it was given, and returns
// it; null where there is none.
async function leaveLast(run, any) {
  const k = focusedOf(run), el = k?.ref.deref();
  if (!el || k.what !== 'fill' || k.wasLeft || !(any || isNumberField(el) || holdsNumber(el, k))) return null;
  const before = asksOf(el);
  k.left = k.wasLeft = true;
  await leave(el);
  const after = before && asksOf(el);
  if (!after || after.timers !== before.timers || after.frames !== before.frames) k.at = now(); // what it has begun may change it
  return el;
}

const returnTo = (el) => {
  if (el && isConnected(el) && isFocusless()) focusOn(el, { preventScroll: true });
};

// commit leaves the field that the run has set last, where it is one for a number, as a page may
// send it then alone, and goes back to it.
export async function commit({ run }) {
  fresh();
  returnTo(await leaveLast(run, false));
}

let leftField = null; // that was left by a look that asks

// reverted lists the controls that do not hold any more what the run has set. It asks for the
// page's timers (timer, see markTimers) where what they do is all that it waits for.
export async function reverted({ run, ...how }) {
  const timer = await leavingLast(run, false, () => lateChanges(how, LATE, () => {
    heldBy(run).forEach(noteRevert);
    return kept.some((k) => k.run === run && k.reverted) ? [] : heldBy(run);
  }));
  return timer ? { timer } : { reverted: revertsOf(run) };
}

// lateChanges looks frame by frame at controls for as long as the page may still change them:
// where it has begun a timer since they were set, asks for frames, moves them, or waits for an
// answer (busy), until late ms after that. answered: one was waited for. together: they are
// fields of one form, of which the last one counts for all: what one has begun may change
// another. always: the page has changed them once, and may do so by what it began before.
// asks: where timers are all that is waited for, it returns the mark by which they can be known;
// timers is what is known of them.
async function lateChanges({ busy = false, answered = false, together = false, always = false, asks: asking = false, timers = null }, late, look) {
  const begin = now();
  let due = timers !== null; // the last of them may be late, but not later than one that is set now
  for (let owed = 0; ; owed--) { // frames after the end of a motion, in which the page gets its events
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
        // What is called when the page is idle stands in no record of timers.
        await (recent.some((k) => k.asks && asks.idles > k.asks.idles) ? onIdle(late) : new Promise((resolve) => { later(resolve, 0); }));
        continue;
      }
      const id = asking && recent.every((k) => k.asks) && recent.some((k) => known(k) === null && fires(k)) ? markTimers() : 0;
      if (id) return id;
    }
    await nextFrame();
  }
}

// lost lists what does not hold what these parts of a run ([first, last]) have set, whatever a
// later part has sent, and forgets it: it is to be set anew. A page that writes the value in
// other words has taken it. again: they have been set anew, and the last one is left too, as
// that may be when the page takes it back. It asks like reverted.
export async function lost({ run, parts, again, ...how }) {
  const list = () => kept.filter((k) => k.run === run && parts.some(([from, to]) => k.part >= from && k.part <= to && !(k.freed <= to)));
  const timer = await leavingLast(run, again, () => lateChanges({ ...how, together: true, always: again }, parts.length > 1 ? LATE_OF_SEVERAL : LATE, list));
  if (timer) return { timer };
  const gone = list().flatMap((k) => lossOf(k) ?? []);
  drop(gone.map(({ k }) => k));
  return { lost: gone.map(({ k, holds }) => ({ ...reportOf(k, holds), part: k.part })), reverted: revertsOf(run) };
}

// lossOf is what k holds instead; null where it holds what was set, or is not there any more.
function lossOf(k) {
  const state = heldNow(k) ?? instead(k);
  if (!state || state.same) return null;
  const el = stillThere(k);
  const took = el && k.what === 'fill' && (k.left ? tookOnLeaving(k, el, String(state.holds)) : rewrites(el, String(state.holds), String(k.want)));
  return took ? null : { k, holds: state.holds };
}

// instead is what stands in the place of a control that has gone, while its field is there.
function instead(k) {
  const found = k.what === 'read' ? null : matched(k);
  if (!found) return null;
  const els = found.els.filter(isVisible);
  if (els.length !== 1) return els.length ? null : lostBy(k, found);
  return { same: isHeld(els[0], k), holds: keptState(els[0], k.what, k.want) };
}
