// act finds an element, waits until it is ready and performs the operation at that moment, all
// in one evaluation.

import { stillBusy } from './busy.js';
import { OVERDUE, isCalm, isFinal, noteCalm } from './calm.js';
import { sentAs } from './carried.js';
import { isTooDeep } from './depth.js';
import { attr, hasAttr, isConnected, isTag, labelControl, now, queryAll, rectOf } from './dom.js';
import { isSeen, unseenBy } from './drawn.js';
import { noteInput } from './effect.js';
import { ancestors, nearest, rootsIn, up } from './flat.js';
import { deepActive, frameDocument, isFrame } from './frames.js';
import { disarm } from './guard.js';
import { readyOf } from './host.js';
import { SENDING, SETTING, beginPart, keepRead, lookBack, noteAsks, revertsOf } from './kept.js';
import { MOVES, leavesField, movesFocus, takesOver } from './leaving.js';
import { MOST_LEVELS, SHORTEST_LOOK, TOO_DEEP, timed, tooLarge } from './limits.js';
import { Fail, fresh } from './look.js';
import { checkedState } from './names.js';
import { nearMatches } from './near.js';
import { CHECK_ROLES, HELD, OPS, Refusal, aimOf, readBackLater } from './ops.js';
import {
  busyButton, disabledBy, facesOf, hiddenBy, isToggle, isVisible, labelSpot, readonlyBy, spotOf, takesText, toMain, unstable,
  visuallyHidden,
} from './ready.js';
import { titleOver } from './sections.js';
import { Crossing, candidate, core, describe, element, mark, resolve } from './select.js';
import { cut, fold, readable, textIndex } from './text.js';
import { viewSize } from './through.js';
import { UNDRAWN, afterTurns, arrival, asksOf, everyTick, isHidden, later, onFrame } from './turns.js';
import { Unsure } from './verdicts.js';

const PERSIST = 500; // ms that a verdict about a changing page must hold
const RESCROLL = 1000; // ms between attempts to scroll a covered element free
export const IDLE = 100; // ms between looks where nothing tells of a change
const LONGEST = 2 ** 31 - 1; // ms; a longer timer would fire at once
export const MAX_LINES = 10;

// A State lives as long as one act.
export class State {
  decided = new Map(); // alias part -> winner
  verdict = null; // what this look found that may still change, and since when
  verdictBefore = null; // that of the look before
  frame = 0;
  undrawn = false; // whether no frames are drawn
  box = null;
  boxOf = null;
  boxFrame = -1;
  spot = null;
  scrolled = -Infinity;
  meant = null; // what has got the focus in front of the input to it, see Meant
  moved = false; // whether it has been scrolled for a hit
  sameText = null; // of a table that shows no other rows yet

  constructor(req) {
    this.req = req;
    this.start = now();
  }

  get spent() {
    return now() - this.start + (this.req.elapsed ?? 0);
  }

  // scrolls allows scrolling for a hit at once and then from time to time: a page
  // under a mask must not jump about at each look.
  scrolls(at) {
    if (at - this.scrolled < RESCROLL) return false;
    this.scrolled = at;
    return true;
  }

  // persists reports whether a verdict has held long enough to be final.
  persists(verdict) {
    const since = this.verdictBefore?.verdict === verdict ? this.verdictBefore.since : now();
    this.verdict = { verdict, since };
    return now() - since >= PERSIST;
  }

  nextLook() {
    this.verdictBefore = this.verdict;
    this.verdict = null;
  }
}

export let acting = null; // the act that has begun last

export function act(req) {
  const st = new State(req);
  if (req.hold) return watch(req, () => holds(req, st), st);
  disarm();
  return (acting = watch(req, () => lookFor(req, st), st));
}

// holds waits until the query does not lead into the frame numbered req.hold any more.
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

// lookedUp is what a request means: what its query matches, or what has the focus, which
// may be in a frame that this world cannot enter.
function lookedUp(req, st) {
  if (req.query) return resolve(req.query, lookOptions(req, st));
  const el = deepActive();
  if (el && isFrame(el) && !frameDocument(el)) throw new Crossing(el, []);
  return { els: [el].filter(Boolean), won: [] };
}

// lookFor is one look: {done} when it is over, {not} with the failure so far.
function lookFor(req, st) {
  const found = foundBefore(st) ?? lookedUp(req, st);
  if (req.state) return stateLook(req, st, found);
  if (!found.els.length) return { not: nothing(req, found) };
  const el = pick(found.els);
  if (req.strict) {
    const many = ambiguous(found.els);
    if (many) return st.persists('ambiguous') ? { done: many } : { not: many };
  }
  return attempt(req, st, el, found);
}

// foundBefore is what the look before has found, where the focus has been moved to it since, and
// it is still what is meant.
function foundBefore(st) {
  if (!st.meant) return null;
  if (isConnected(st.meant.el) && st.meant.other(true) === null) return st.meant.found;
  st.meant.end();
  st.meant = null;
  fresh(st.req);
  return null;
}

const READ_LATE = new Set(['text', 'value', 'table']); // of what is loading

const wantsVisible = (req) => (req.state ? (req.state.state || 'visible') === 'visible' : (req.need ?? []).includes('visible'));

// pick takes the first visible match, else the first.
export function pick(els) {
  const el = els.length === 1 ? els[0] : candidates(els)[0] ?? els[0];
  if (el && isTooDeep(el)) throw new Fail('op', tooLarge(`what matches is more than ${MOST_LEVELS} levels deep in the page`));
  return el;
}

export function ambiguous(els) {
  if (els.length < 2) return null;
  const visible = candidates(els);
  return visible.length < 2 ? null : several(visible);
}

// candidates are the visible matches. A field that nobody sees or reaches by Tab, such as the
// textarea in which an editor keeps its text for the form, is none beside another one.
function candidates(els) {
  const visible = els.filter(isVisible);
  if (visible.length < 2) return visible;
  const shown = visible.filter((el) => !isMirror(el));
  return shown.length ? shown : visible;
}

const isMirror = (el) => attr(el, 'tabindex') === '-1' && !hasAttr(el, 'role') && (isTag(el, 'textarea') || (isTag(el, 'input') && takesText(el))) && visuallyHidden(el);

// several is the result that there is more than one; where they stand is only told when
// the wait is over.
export const several = (among) => ({ ok: false, reason: 'ambiguous', count: among.length, among });

export function toldApart({ among, ...res }) {
  if (!among) return res;
  const line = (el) => {
    const title = among.length <= MAX_LINES ? titleOver(el, among) : null;
    return title === null ? `in ${place(up(el))}` : `within ${JSON.stringify(title)}`;
  };
  return { ...res, lines: among.slice(0, MAX_LINES).map((el) => (up(el) ? `${describe(el)} ${line(el)}` : describe(el))) };
}

// place names the nearest element around that has a name of its own.
function place(el) {
  for (const n of ancestors(el)) if (attr(n, 'id') || attr(n, 'class') || isTag(n, 'body')) return describe(n).replace(/ ".*$/s, '>');
  return describe(el);
}

function attempt(req, st, el, found) {
  const op = req.op ?? { name: 'none' };
  try {
    const aim = aimOf(el, op);
    const busy = op.name === 'read' && READ_LATE.has(op.what) ? stillBusy(req, [aim], found) : null;
    if (busy) return { not: busy };
    const missing = missingOf(req, st, aim);
    if (missing) return { not: { ok: false, reason: 'missing', ...missing, of: aim } };
    // Nobody is told about what is only read.
    const about = { ok: true, el: op.name === 'read' ? undefined : element(aim), won: found.won, count: found.els.length };
    const sends = SENDING.has(op.name);
    if (op.keep) beginPart(op.part);
    if (sends) about.reverted = lookBack(aim, op);
    const turn = MOVES.has(op.name) && takesOver(aim, op, st, found);
    if (MOVES.has(op.name) && leavesField(aim, op, st)) return { not: { ok: false, reason: 'missing', missing: 'stable', detail: 'the page still looks at the field before it', of: aim } };
    if (turn && movesFocus(aim)) return { not: { ok: false, reason: 'missing', missing: 'stable', detail: 'the page still looks at what has lost the focus', of: aim }, turn };
    if (sends) noteInput(op.watch, aim);
    if (sends && op.keep) noteAsks(aim);
    if (op.keep && SETTING.has(op.name)) about.as = sentAs(aim);
    readBackLater({ el: aim, op: op.name, on: op.on, keep: op.keep, query: req.query, asks: HELD.has(op.name) ? asksOf(aim) : null });
    const res = { ...about, ...OPS[op.name](aim, op, st) };
    if (arrival?.meant !== st.meant) st.meant?.end();
    if (about.reverted) res.reverted = revertsOf(op.keep, SETTING.has(op.name) ? aim : null);
    if (op.name === 'read') keepRead(req, st, aim, { what: op.what, attr: op.attr, value: res.value });
    return { done: req.inner ? { ...placed(res, aim, op), moved: st.moved } : res };
  } catch (err) {
    if (!(err instanceof Refusal)) throw err;
    if (!err.late || (err.late === 'soon' && st.persists('op'))) return { done: err.result };
    return { not: err.result };
  }
}

// placed adds what the documents around a frame (req.inner) need to find a place in
// it. That there are any is told by the caller: to ask the window for its parent here
// would make a window of this world in a process that may get the page's next document,
// whose engine would then not be installed.
function placed(res, el, op) {
  const box = rectOf(el);
  if (op.name === 'scroll') res.point = toMain({ x: box.left + box.width / 2, y: box.top + box.height / 2 }, el);
  return res.point || op.what === 'box' ? { ...res, view: viewSize() } : res;
}

// missingOf is the first readiness that el lacks, in the order of the contract.
function missingOf(req, st, el) {
  const need = new Set(req.need ?? []), op = req.op ?? { name: 'none' };
  const presses = op.name === 'press' || op.name === 'check';
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

// aim finds the point to press and says why there is none.
function aim(el, drawn, op, st, mustHit) {
  const throughLabel = drawn !== el && labelSpot(el, st);
  if (throughLabel?.point) st.spot = throughLabel;
  else st.spot = spotOf(el, op.position, st, mustHit ? undefined : () => true);
  if (st.spot.point) return null;
  return throughLabel ? throughLabel.covered : st.spot.covered;
}

// stateLook waits for a state instead of readiness.
function stateLook(req, st, found) {
  const state = req.state.state || 'visible', text = fold(req.state.text ?? '');
  const els = text ? found.els.filter((el) => fold(readable(el)).includes(text)) : found.els;
  const visible = els.filter(state === 'visible' || state === 'hidden' ? isSeen : isVisible);
  const gone = { done: { ok: true, el: null, won: found.won, count: els.length } };
  const left = state === 'detached' ? els[0] : state === 'hidden' ? visible[0] : null;
  if (left) return unmet(state === 'hidden' ? 'it is still visible' : 'it is still there', left);
  if (state === 'detached' || state === 'hidden') {
    // While a document is still read, what is not there yet is not gone.
    return readyOf(document) === 'loading' ? { not: { ok: false, reason: 'state', detail: 'the document is still loading' } } : gone;
  }
  if (!found.els.length) return { not: nothing(req, found) };
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

// Which element it is, is only told when the wait is over.
const unmet = (detail, el) => ({ not: { ok: false, reason: 'state', detail, of: el } });

// unlike says in what el differs from a state, null when it is in it.
export function unlike(el, state) {
  switch (state) {
    case 'attached':
      return null;
    case 'visible':
      return unseenBy(el);
    case 'enabled':
      return disabledBy(el);
    case 'disabled':
      return disabledBy(el) ? null : 'it is enabled';
    case 'checked':
    case 'unchecked': {
      const have = checkedState(checkTarget(el));
      if (have === null) return 'it is no checkbox, radio button or switch';
      return have === (state === 'checked') ? null : have === 'mixed' ? 'it is mixed' : `it is ${have ? 'checked' : 'not checked'}`;
    }
    default:
      throw new Fail('selector', { message: `unknown state ${state}` });
  }
}

export function checkTarget(el) {
  const near = nearest(el, `label,input,${CHECK_ROLES},[aria-checked]`);
  return (near && isTag(near, 'label') ? labelControl(near) : near) ?? el;
}

// nothing tells that nothing matched, and what there is instead.
function nothing(req, found) {
  if (!req.query) return { ok: false, reason: 'op', code: 'STEP_FAILED', message: 'nothing on the page has the focus', details: {} };
  return { ok: false, reason: 'none', hint: found };
}

// seen lists near matches of the part that matched nothing.
export function seen({ part, before }) {
  if (!part) return '';
  if (part.alts) return seen(candidate(part.alts[0].parts, 0, { visible: false, grace: 0, bare: new Set(), beside: new Map() }, before, []));
  return [...new Set(nearMatches(part, before))].join('\n');
}

// nearby is seen where frames may stand in the way.
function nearby(found) {
  try {
    return seen(found);
  } catch (err) {
    if (err instanceof Fail) return '';
    throw err;
  }
}

// framesAside lists visible frames where the query leads into none: what is in them is
// on the screen, and was not looked at.
function framesAside(query) {
  if (leadsInside(query.parts)) return [];
  return queryAll(document, 'iframe,frame').filter(isVisible).slice(0, 3).map(mark);
}

// showsNothing reports whether the page is empty to the eye, as an application is whose
// scripts have failed or are not done.
function showsNothing() {
  return window === top && !queryAll(document, PICTURED).some(isVisible) && core(textIndex(document).shown.text) === '';
}

const PICTURED = 'input,select,textarea,button,img,svg,canvas,video,iframe,frame,object,embed';

const leadsInside = (parts) => parts.some((part) => part.kind === 'frame' || part.alts?.some((alt) => leadsInside(alt.parts)));

const pending = new Map(); // id -> stop

// watch looks until a look is done or the time is over. The first look is made at
// once; a later one when the page changed, when a frame may bring what is missing,
// and from time to time, for CSS and properties change without a mutation. Looks
// take at most a fifth of the time.
export function watch(req, look, st) {
  const begin = now();
  const guarded = () => {
    fresh(req);
    st.nextLook();
    try {
      return timed(req, look);
    } catch (err) {
      if (err instanceof Fail) return mayPassBy(err, st) ? { not: err.result } : { done: err.result };
      if (err instanceof RangeError) return { done: tooLarge(TOO_DEEP) };
      return { done: { ok: false, reason: 'op', code: 'INTERNAL', message: String(err?.stack ?? err), details: {} } };
    }
  };
  const report = (res) => ({ ...explained(res, req), ms: Math.round((now() - begin) * 100) / 100 });
  const go = (first, turns) => {
    if (first.turn && turns > 0) return afterTurns().then(() => go(guarded(), turns - 1));
    if (first.done || !(req.timeout > 0)) return Promise.resolve(report(first.done ?? first.not));
    return new Promise((resolve) => wait(req, guarded, st, (res) => resolve(report(res)), begin, first.not));
  };
  return go(guarded(), MOST_TURNS);
}

const MOST_TURNS = 4; // times that a look is repeated for the page has another focus

// explained adds to a failure what the page shows instead. What is too large for that is
// left out.
function explained({ hint, of, among, ...res }, req) {
  if (!hint && !of && !among) return res;
  fresh();
  try {
    return timed({ timeout: SHORTEST_LOOK }, () => {
      if (hint) return { ...res, seen: nearby(hint), aside: framesAside(req.query), empty: showsNothing() };
      return of ? { ...res, el: element(of) } : toldApart({ ...res, among });
    });
  } catch (err) {
    if (err instanceof Fail || err instanceof RangeError) return res;
    throw err;
  }
}

// mayPassBy: a hidden frame is waited for like a hidden element.
const mayPassBy = (fail, st) => fail.late && (fail.result.reason === 'missing' || !st.persists(fail.result.reason));

function wait(req, look, st, finish, begin, latest) {
  let dirty = false, lookedAt = now(), cost = lookedAt - begin, over = false, changedAt = 0, sure = 0;
  const observer = new MutationObserver(() => {
    dirty = true;
    changedAt = now();
  });
  const observe = () => {
    for (const root of rootsIn(document)) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  const stop = (res) => {
    if (over) return;
    over = true;
    observer.disconnect();
    clearInterval(ticker);
    clearTimeout(deadline);
    clearTimeout(sure);
    pending.delete(req.id);
    finish(res);
  };
  const lookAgain = () => {
    dirty = false;
    const from = now();
    const res = look();
    lookedAt = now();
    cost = lookedAt - from;
    if (res.done) stop(res.done);
    else latest = res.not;
    if (!over && req.calm && isFinal(latest) && isCalm(req, st, begin, changedAt)) calmNow();
    if (!over) observe();
  };
  // A timer of the page that is overdue runs before one that is set now.
  const calmNow = () => {
    if (sure < 0) {
      noteCalm();
      stop({ ...latest, calm: true });
    }
    if (sure) return;
    sure = later(() => {
      sure = -1;
      if (!over) lookAgain();
      sure = 0;
    }, OVERDUE);
  };
  const tick = () => {
    const quiet = now() - lookedAt;
    const keen = latest.reason === 'missing';
    if (quiet >= IDLE || ((dirty || keen) && quiet >= 4 * cost)) lookAgain();
  };
  let drawn = now();
  const frames = () => {
    if (over) return;
    drawn = now();
    st.frame++;
    tick();
    onFrame(frames);
  };
  const ticker = everyTick(() => {
    st.undrawn = now() - drawn > (isHidden(document) ? IDLE : UNDRAWN);
    if (st.undrawn) st.frame++;
    tick();
  }, IDLE);
  const deadline = later(() => {
    lookAgain();
    stop(latest);
  }, Math.min(Math.max(0, req.timeout - (now() - begin)), LONGEST));
  pending.get(req.id)?.();
  pending.set(req.id, () => stop({ ok: false, reason: 'cancelled' }));
  observe();
  onFrame(frames);
}

export function cancel({ id }) {
  pending.get(id)?.();
  return {};
}
