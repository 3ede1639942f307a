// act finds the element that a request names, waits until it is ready and performs the operation on
// it. The last check and the operation run in the same task, so the page cannot change between
// them.

import { aimOf } from './aim.js';
import { arrival } from './arrival.js';
import { stillBusy } from './busy.js';
import { sentAs } from './carried.js';
import { element } from './describe.js';
import { isConnected, rectOf } from './dom.js';
import { isSeen } from './drawn.js';
import { isStirring, noteInput } from './effect.js';
import { deepActive, frameDocument, isFrame, viewSize } from './frames.js';
import { disarm } from './guard.js';
import { readyOf } from './host.js';
import { SENDING, SETTING, beginPart, keepRead, noteAsks, revertsOf } from './kept.js';
import { readBackLater } from './last.js';
import { MOVES, leavesField, leavesFirst, leavesToEnable, mayLeave, movesFocus, takesOver } from './leaving.js';
import { Fail, Refusal, fresh } from './look.js';
import { HELD, OPS } from './ops.js';
import { ambiguous, pick } from './pick.js';
import { State, watch } from './poll.js';
import { Crossing } from './reach.js';
import { unlikeMark } from './preview.js';
import {
  busyButton, disabledBy, facesOf, hiddenBy, isToggle, labelSpot, readonlyBy, spotOf, toMain, unstable, visuallyHidden,
} from './ready.js';
import { lookBack } from './reverts.js';
import { resolve } from './select.js';
import { checkedState, unlike } from './states.js';
import { cut, fold, readable } from './text.js';
import { asksOf } from './turns.js';
import { Unsure } from './verdicts.js';
import { isVisible } from './visible.js';

export let acting = null; // the act that has begun last

// act starts the act of a request and resolves to its result. A request whose field hold is set
// only waits until its query leads elsewhere.
export function act(req) {
  const st = new State(req);
  if (req.hold) return watch(req, () => holds(req, st), st);
  disarm();
  return (acting = watch(req, () => tryOnce(req, st), st));
}

// holds reports a change as soon as the query no longer leads into the frame numbered req.hold.
function holds(req, st) {
  try {
    lookedUp(req, st);
  } catch (err) {
    if (err instanceof Crossing && err.result.frame === req.hold) return { not: { ok: false, reason: 'held' } };
    if (!(err instanceof Fail) || err instanceof Unsure) throw err;
  }
  return { done: { ok: false, reason: 'changed' } };
}

const lookOptions = (req, st) => ({
  visible: wantsVisible(req), union: ['hidden', 'detached'].includes(req.state?.state), decided: st.decided,
  frames: wantsVisible(req) ? 'visible' : req.state?.state === 'hidden' ? 'gone' : '', grace: (req.grace ?? 0) - st.spent,
});

// lookedUp returns {els, won}: what the request's query matches or, without a query, the element
// that has the focus. It throws a Crossing if that is in a frame that this world cannot enter.
function lookedUp(req, st) {
  if (req.query) return resolve(req.query, lookOptions(req, st));
  const el = deepActive();
  if (el && isFrame(el) && !frameDocument(el)) throw new Crossing(el, []);
  return { els: [el].filter(Boolean), won: [] };
}

// tryOnce makes one attempt: it returns {done} with the result, or {not} with the reason why the
// element is not ready yet.
function tryOnce(req, st) {
  const found = foundBefore(st) ?? lookedUp(req, st);
  if (req.state) return checkState(req, st, found);
  if (!found.els.length) return { not: noMatch(req, found) };
  const el = pick(found.els);
  if (req.strict) {
    const many = ambiguous(found.els);
    if (many) return st.persists('ambiguous') ? { done: many } : { not: many };
  }
  return attempt(req, st, el, found);
}

// foundBefore returns what the previous attempt found, if that attempt moved the focus to the
// element and the element still shows the same record. Otherwise it returns null, and the query is
// resolved again.
function foundBefore(st) {
  if (!st.meant) return null;
  if (isConnected(st.meant.el) && st.meant.other(true) === null) return st.meant.found;
  st.meant.end();
  st.meant = null;
  fresh(st.req);
  return null;
}

const READ_LATE = new Set(['text', 'value', 'table']); // what to read only once it has loaded

const wantsVisible = (req) => (req.state ? (req.state.state || 'visible') === 'visible' : (req.need ?? []).includes('visible'));

// attempt performs the operation on el if it is ready: {done} with the result, or {not} with what
// is missing.
function attempt(req, st, el, found) {
  const op = req.op ?? { name: 'none' };
  try {
    const aim = aimOf(el, op);
    const busy = op.name === 'read' && READ_LATE.has(op.what) ? stillBusy(req, [aim], found) : null;
    if (busy) return { not: busy };
    const missing = missingOf(req, st, aim);
    if (missing?.missing === 'enabled' && SENDING.has(op.name) && !st.left && !isStirring() && mayLeave(aim)) {
      if (!req.leave) return { done: { ok: false, reason: 'missing', ...missing, of: aim, leaves: true } };
      st.left = leavesToEnable(aim, op);
    }
    if (missing) return { not: { ok: false, reason: 'missing', ...missing, of: aim } };
    if (!st.left && (st.left = leavesFirst(aim, op))) return { not: { ok: false, reason: 'missing', missing: 'stable', detail: 'the page is still handling the blur of the previous field', of: aim }, turn: true };
    // A read does not report its element.
    const about = { ok: true, el: op.name === 'read' ? undefined : element(aim), won: found.won, count: found.els.length };
    const sends = SENDING.has(op.name), unlike = sends && req.expect ? unlikeMark(el, req.expect, st.approved === el) : null;
    if (unlike !== null) {
      throw new Refusal(`${unlike} is not what was approved: the page has changed it since`, { reason: 'changed' }, '',
        { code: 'POLICY_DENIED', next: 'check the page with snapshot, then run the step again: it asks again' });
    }
    if (sends && req.expect) st.approved = el;
    if (op.keep) beginPart(op.part);
    if (sends) about.reverted = lookBack(aim, op);
    const turn = MOVES.has(op.name) && takesOver(aim, op, st, found);
    if (MOVES.has(op.name) && leavesField(aim, op, st)) return { not: { ok: false, reason: 'missing', missing: 'stable', detail: 'the page is still handling the blur of the previous field', of: aim } };
    // Moving the focus may submit the form of the field that loses it, and this document may go at
    // once.
    if (turn && movesFocus(aim) && (op.name !== 'focus' || st.meant.other(true) !== null)) return { not: { ok: false, reason: 'missing', missing: 'stable', detail: 'the page is still handling the blur of the previous field', of: aim }, turn };
    if (sends) noteInput(op.watch, aim);
    if (sends && op.keep) noteAsks(aim);
    if (op.keep && SETTING.has(op.name)) about.as = sentAs(aim);
    readBackLater({ el: aim, op: op.name, on: op.on, keep: op.keep, query: req.query, asks: HELD.has(op.name) ? asksOf(aim) : null });
    const res = { ...about, ...OPS[op.name](aim, op, st) };
    if (arrival?.meant !== st.meant) st.meant?.end();
    if (about.reverted) res.reverted = revertsOf(op.keep, SETTING.has(op.name) ? aim : null);
    if (op.name === 'read') keepRead(req, st, aim, { what: op.what, attr: op.attr, value: res.value });
    return { done: req.inner ? { ...withPoint(res, aim, op), moved: st.moved } : res };
  } catch (err) {
    if (!(err instanceof Refusal)) throw err;
    if (!err.late || (err.late === 'soon' && st.persists('op'))) return { done: err.result };
    return { not: err.result };
  }
}

// withPoint adds what the documents around a frame (req.inner) need to find a point in it. The
// caller says whether there are any: reading window.parent here would create a window of this world
// in a process that may get the page's next document, whose engine would then not be installed.
function withPoint(res, el, op) {
  const box = rectOf(el);
  if (op.name === 'scroll') res.point = toMain({ x: box.left + box.width / 2, y: box.top + box.height / 2 }, el);
  return res.point || op.what === 'box' ? { ...res, view: viewSize() } : res;
}

// missingOf returns the first requirement that el does not meet, as {missing, detail}, in the order
// in which the contract lists them. It returns null if el is ready.
function missingOf(req, st, el) {
  const need = new Set(req.need ?? []), op = req.op ?? { name: 'none' };
  const presses = op.name === 'press' || op.name === 'check' || op.what === 'preview';
  st.spot = null;
  if (op.name === 'check' && checkedState(el) === op.on) return null;
  const hidden = presses && isToggle(el) && visuallyHidden(el);
  const drawn = hidden ? facesOf(el).find(isVisible) ?? el : el;
  const lacks = (missing, detail) => (detail === null ? null : { missing, detail });
  return (need.has('visible') && lacks('visible', hiddenBy(drawn)))
    || (need.has('enabled') && lacks('enabled', disabledBy(el) ?? (need.has('hit') ? busyNow(el) : null)))
    || (need.has('editable') && lacks('editable', readonlyBy(el)))
    || (need.has('stable') && lacks('stable', unstable(drawn, st)))
    || (aims(op, need) && lacks('hit', aim(el, drawn, op, st, need.has('hit'))))
    || null;
}

const busyNow = (el) => {
  const by = busyButton(el);
  return by && `it is busy: ${by}`;
};

const aims = (op, need) => need.has('hit') || ['point', 'dropzone', 'press', 'check'].includes(op.name);

// aim chooses the point to press and stores it in st.spot. It returns null, or what covers every
// point of el.
function aim(el, drawn, op, st, mustHit) {
  const throughLabel = drawn !== el && labelSpot(el, st);
  if (throughLabel?.point) st.spot = throughLabel;
  else st.spot = spotOf(el, op.position, st, mustHit ? undefined : () => true);
  if (st.spot.point) return null;
  return throughLabel ? throughLabel.covered : st.spot.covered;
}

// checkState is tryOnce for a request that waits for a state, such as hidden, and sends no input.
function checkState(req, st, found) {
  const state = req.state.state || 'visible', text = fold(req.state.text ?? '');
  const els = text ? found.els.filter((el) => fold(readable(el)).includes(text)) : found.els;
  const visible = els.filter(state === 'visible' || state === 'hidden' ? isSeen : isVisible);
  const gone = { done: { ok: true, el: null, won: found.won, count: els.length } };
  const left = state === 'detached' ? els[0] : state === 'hidden' ? visible[0] : null;
  if (left) return unmet(state === 'hidden' ? 'it is still visible' : 'it is still there', left);
  if (state === 'detached' || state === 'hidden') {
    // While the document is still loading, an element that is missing may yet come.
    return readyOf(document) === 'loading' ? { not: { ok: false, reason: 'state', detail: 'the document is still loading' } } : gone;
  }
  if (!found.els.length) return { not: noMatch(req, found) };
  const el = visible[0] ?? els[0];
  if (!el) return unmet(`its text is ${JSON.stringify(cut(fold(readable(pick(found.els))), 120))}`, pick(found.els));
  if (req.strict) {
    const many = ambiguous(els);
    if (many) return st.persists('ambiguous') ? { done: many } : { not: many };
  }
  const detail = unlike(el, state);
  if (detail !== null) return unmet(detail, el);
  const busy = stillBusy(req, [el], found);
  if (busy) return { not: busy };
  keepRead(req, st, el, { what: 'state', state, text, value: text || state });
  return { done: { ok: true, el: element(el), won: found.won, count: els.length } };
}

// The element is described only when the wait ends.
const unmet = (detail, el) => ({ not: { ok: false, reason: 'state', detail, of: el } });

// noMatch returns the failure for a query without a match. Its hint is worked out when the wait
// ends.
function noMatch(req, found) {
  if (!req.query) return { ok: false, reason: 'op', code: 'STEP_FAILED', message: 'nothing on the page has the focus', details: {} };
  return { ok: false, reason: 'none', hint: found };
}
