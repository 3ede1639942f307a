// Controls that a run has set, and what it has read from those that it sets by presses.
//
// A change that comes while the run sends no input is the page's own, and counts as a revert.
// Setting another control excuses changes that its read-back sees. Losing the focus excuses
// nothing in the field that is left. Scrolling and hovering excuse changes in rows, which are
// then redrawn. Any other input excuses every change after it.

import { alike, bare, compared, plainly, readNumber, rewrites, sameValue } from './compare.js';
import { chosenValues, isNumberField, labelled } from './controls.js';
import { describe } from './describe.js';
import { attr, focusOn, isConnected, isTag, matches, now, queryAll, rootElementOf, rootOf, styleOf, tagOf, textContentOf } from './dom.js';
import { ancestors, labelsOf } from './flat.js';
import { isFocusless, leave } from './focus.js';
import { last } from './last.js';
import { focusedOf, tookOnLeaving, watchLeaving } from './leaving.js';
import { Fail, fresh } from './look.js';
import { pick } from './pick.js';
import { IDLE } from './poll.js';
import { read } from './read.js';
import { motionOf } from './ready.js';
import { isFull } from './scrollers.js';
import { resolve } from './select.js';
import { LONGEST_NAME } from './shown.js';
import { checkedState, unlike } from './states.js';
import { lessNames, namesIn, unshownNow } from './taken.js';
import { cut, fold, isSecret, readable } from './text.js';
import { asksOf, framesServed, later, markTimers, mayFire, nextFrame, onIdle } from './turns.js';
import { isVisible } from './visible.js';

const LATE = 500; // ms after an input within which the page's timers may take it back
const LATE_OF_SEVERAL = 1000; // the same where fields are set together: one may have others loaded anew
const AFTER_ANSWER = 300; // ms that a page has to make something of an answer that was waited for
const MOST_KEPT = 1000;

// {run, part, ref, root, query, what, want, value, traits, desc, secret, at, asks, excused, freed, reverted};
// freed: the part of the run whose input has excused it; waits, left: of one that has lost the
// focus; wasLeft: by leaveLast; key, decided, seen: of what was read
export let kept = [];
let part = 0; // of the run: parts are numbered in their order
let askedBefore = null; // what the page had asked for before the last input

// beginPart notes the part of the run that acts now.
export function beginPart(number = 0) {
  part = number;
}

// noteAsks notes what the page has asked for before an input to el.
export function noteAsks(el) {
  askedBefore = asksOf(el);
}

export const SETTING = new Set(['fill', 'type', 'check', 'select', 'files']);
const QUIET = new Set(['focus', 'hover', 'scrollBy', 'point']);
export const SENDING = new Set(['press', 'grab', 'dropzone', 'hover', 'focus', 'scrollBy', 'point', ...SETTING]);

// keep notes that a run has set el in an act (by), what: how. The value that was set last
// counts.
export function keep(el, what, want, by = last) {
  const { keep: run, secret, query } = by;
  if (!run) return;
  forgetKept(el);
  noteKept(run, el, { ref: new WeakRef(el), query, what, want, value: what === 'check' ? want ?? checkedState(el) : keptState(el, what, want), secret: Boolean(secret) });
}

// keepRead notes what a run reads back of a control that it has set by presses and keys:
// what the query matches must still be found, and be, what was seen in el.
export function keepRead(req, st, el, seen) {
  if (!req.keep || !el) return;
  beginPart(req.part);
  const key = JSON.stringify([req.query, seen.what, seen.attr]);
  kept = kept.filter((k) => k.key !== key);
  noteKept(req.keep, el, { ref: new WeakRef(el), key, query: req.query, decided: new Map(st?.decided), what: 'read', want: seen, seen: isVisible(el), value: seen.value, secret: false });
}

function noteKept(run, el, k) {
  kept = kept.filter((old) => old.run === run).slice(-MOST_KEPT);
  kept.push({
    run, part, root: new WeakRef(rootOf(el) ?? document), traits: traitsOf(el), desc: describe(el), at: now(), asks: askedBefore, excused: false, reverted: null,
    ...k, secret: k.secret || isSecret(el),
  });
}

// forgetKept is for el when it was changed in a way that nothing compares.
export const forgetKept = (el) => {
  kept = kept.filter((k) => k.what === 'read' || k.ref.deref() !== el);
};

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

function keptState(el, what, want) {
  if (what === 'check') return checkedState(el);
  if (what === 'files') return namesIn(el);
  if (what === 'editor') return bare(readable(el)).includes(bare(want.trim().split('\n').at(-1))) ? want : cut(readable(el), LONGEST_NAME);
  return what === 'select' ? chosenValues(el) : compared(el, '').value;
}

// isHeld reports whether el still is as it was set. Files are held, too, where the page has
// taken them out of the input and shows them.
export function isHeld(el, k) {
  if (k.what === 'files') return unshownNow(k.want, el).length === 0;
  const state = keptState(el, k.what, k.want);
  if (JSON.stringify(state) === JSON.stringify(k.value)) return true;
  return k.what === 'fill' && (sameValue(el, state, k.want) || alike(el, state, k.want));
}

const traitsOf = (el) => [tagOf(el), attr(el, 'type'), attr(el, 'id'), attr(el, 'name'), attr(el, 'placeholder'), attr(el, 'aria-label'),
  ...labelsOf(el).map((label) => fold(textContentOf(label)))];

// stillThere is the element of k, or the one that the page has put in its place; null where
// none is known to be that.
function stillThere(k) {
  const el = k.ref.deref();
  if (el && isConnected(el)) return el;
  if (k.what === 'files') return null;
  const alike = (n) => JSON.stringify(traitsOf(n)) === JSON.stringify(k.traits);
  const root = k.root.deref();
  const named = k.traits.slice(2).some(Boolean);
  const twins = (named ? queryAll(root && isConnected(root) ? root : document, k.traits[0]) : matched(k)?.els ?? []).filter(alike);
  return twins.length === 1 ? twins[0] : null;
}

// standsFor is stillThere, or what k's query means now, where that holds what was set and the
// element of k does not: the page has given the elements of its list to other records.
export function standsFor(k) {
  const el = stillThere(k);
  if (!el || k.what === 'files' || !k.query || isHeld(el, k)) return el;
  const els = matched(k)?.els.map((n) => labelled(n)) ?? [];
  if (els.length !== 1 || els[0] === el || tagOf(els[0]) !== tagOf(el) || !isHeld(els[0], k)) return el;
  k.ref = new WeakRef(els[0]);
  return els[0];
}

// matched is what the query of k matches now; null where that cannot be told.
function matched(k) {
  if (!k.query) return null;
  try {
    return resolve(k.query, { visible: false, decided: new Map(k.decided), frames: '', grace: 0 });
  } catch (err) {
    if (err instanceof Fail) return null;
    throw err;
  }
}

// heldNow tells what k holds now and whether that is what it held; null where it is not
// there any more.
function heldNow(k) {
  if (k.what === 'read') return readAgain(k);
  const el = standsFor(k);
  // What takes the place of an input for files is empty: the page shows them, or has thrown them away.
  if (k.what === 'files') {
    const lacking = unshownNow(k.want, el);
    return { same: !lacking.length, holds: lessNames(k.want.names, lacking) };
  }
  return el && { same: isHeld(el, k), holds: keptState(el, k.what, k.want) };
}

// readAgain reads what k was read from. A field that is there and shows it no more has
// lost it.
function readAgain(k) {
  const { what, attr, state, text } = k.want, found = matched(k);
  if (!found) return null;
  const els = shownAsBefore(k, found.els);
  if (!els.length) return what === 'value' || what === 'attr' ? null : lostBy(k, found);
  if (what === 'count') return { same: true };
  if (what === 'state') {
    const like = els.filter((el) => !text || fold(readable(el)).includes(text));
    const why = like.length ? unlike(like.find(isVisible) ?? like[0], state) : '';
    return { same: why === null, holds: why };
  }
  const el = pick(els), holds = read(el, what, attr);
  const same = typeof holds === 'string' ? plainly(holds) === plainly(k.value) || alike(el, holds, k.value) : JSON.stringify(holds) === JSON.stringify(k.value);
  return { same, holds };
}

const shownAsBefore = (k, els) => (k.seen ? els.filter(isVisible) : els);

// lostBy tells what the part of the page in which k was read shows instead; null where that
// is gone, or hidden.
function lostBy(k, found) {
  const { parts } = k.query, from = found.els.length ? parts.length - 1 : parts.indexOf(found.part);
  const place = Math.max(0, parts.findLastIndex((part) => part.kind === 'field' || part.kind === 'within'));
  if (from <= place) return null;
  const around = shownAsBefore(k, matched({ ...k, query: { parts: parts.slice(0, from) } })?.els ?? []);
  return around.length ? { same: false, holds: cut(fold(around.map(readable).join(' ')), LONGEST_NAME) } : null;
}

// excuseNow: input of the current part may have caused what becomes of k.
function excuseNow(k) {
  k.excused = true;
  k.freed ??= part;
}

export const heldBy = (run) => kept.filter((k) => k.run === run && !k.excused && !k.reverted);

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

// noteRevert notes that k holds something else. A page that writes its value in other words
// when its field is left has taken it.
export function noteRevert(k) {
  const state = heldNow(k);
  if (!state || state.same) return;
  if (k.left && tookOnLeaving(k, k.ref.deref(), String(state.holds))) k.excused = true;
  else k.reverted = { holds: state.holds };
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

export const isAbout = (k, el) => k.what !== 'read' && k.ref.deref() === el;

export const revertsOf = (run, but = null) => kept.filter((k) => k.run === run && k.reverted && !(but && isAbout(k, but))).map((k) => reportOf(k, k.reverted.holds));

const reportOf = (k, holds) => ({
  desc: k.desc, secret: k.secret, set: k.secret ? '' : shownState(k.what === 'files' ? k.want.names : k.value), holds: k.secret ? '' : shownState(holds),
  ...(k.what === 'files' ? { files: k.want.names, lacking: lessNames(k.want.names, holds), sent: k.want.sent } : {}),
});

// excuseChanged: what has changed along with the input to el may depend on it. What changes
// later, in a timer, does not hold what was asked for.
export function excuseChanged(el, by = last) {
  for (const k of heldBy(by.keep)) if (!isAbout(k, el)) excuseIfChanged(k);
}

export const excuseIfChanged = (k) => {
  const now = heldNow(k);
  if (!now || !now.same) excuseNow(k);
};

const REUSED = 'tr,li,[role=row],[role=listitem],[role=treeitem],[role=option],[role=article]';

// isReusable reports whether el may be that of another row when a list has been scrolled: lists
// that draw only what is in view use their elements again, at other places.
function isReusable(el) {
  let placed = false;
  for (const n of ancestors(el)) {
    if (matches(n, REUSED)) return true;
    if (isFull(n, 'y') || isFull(n, 'x')) return placed;
    placed ||= n !== el && (styleOf(n).position === 'absolute' || styleOf(n).transform !== 'none');
  }
  return false;
}

// excuse is called after input that may change any control, also later; rows: those in rows alone.
export function excuse(by = {}) {
  part = by.part ?? part;
  if (!by.rows) return kept.forEach(excuseNow);
  for (const k of kept) {
    const el = k.ref.deref();
    if (!el || !isConnected(el) || isReusable(el)) excuseNow(k);
  }
}

// forget ends what is kept.
export function forget() {
  kept = [];
}

// holdsNumber: a text field was given a number, such as a price or an amount.
// An account that begins with zeros is none, but pages take it for one.
export const holdsNumber = (el, k) => isTag(el, 'input') && (readNumber(plainly(String(k.want)), true) !== null || /^0\d+$/.test(String(k.want).trim()));

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
  kept = kept.filter((k) => !gone.some((one) => one.k === k));
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

const shownState = (state) => (typeof state === 'boolean' ? (state ? 'checked' : 'unchecked') : Array.isArray(state) ? state.join(', ') : String(state));
