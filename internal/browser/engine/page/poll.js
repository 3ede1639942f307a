// Repeats a check of the page until it succeeds or the time is over.

import { OVERDUE, isCalm, isFinal, noteCalm } from './calm.js';
import { now } from './dom.js';
import { explained } from './explain.js';
import { rootsIn } from './flat.js';
import { TOO_DEEP, timed, tooLarge } from './limits.js';
import { Fail, fresh } from './look.js';
import { UNDRAWN, afterTurns, everyTick, isHidden, later, onFrame } from './turns.js';

const PERSIST = 500; // ms that a verdict about a changing page must hold
const RESCROLL = 1000; // ms between attempts to scroll a covered element free
export const IDLE = 100; // ms between attempts when nothing reports a change
const LONGEST = 2 ** 31 - 1; // ms; a longer timer would fire at once

// State is what the attempts of one act share.
export class State {
  decided = new Map(); // alias part -> winner
  verdict = null; // {verdict, since}: a failure of this attempt that may still pass
  verdictBefore = null; // the verdict of the previous attempt
  frame = 0;
  undrawn = false; // whether no frames are drawn
  box = null;
  boxOf = null;
  boxFrame = -1;
  spot = null;
  scrolled = -Infinity;
  left = false; // whether a field has lost the focus before the input
  meant = null; // the Meant of an element that got the focus before its input
  moved = false; // whether the element was scrolled to be hit
  sameText = null; // the failure of a table that still shows the same rows

  constructor(req) {
    this.req = req;
    this.start = now();
  }

  get spent() {
    return now() - this.start + (this.req.elapsed ?? 0);
  }

  // scrolls reports whether the element may be scrolled now to be hit: at once, and then once a
  // second. A page under a mask must not jump at each attempt.
  scrolls(at) {
    if (at - this.scrolled < RESCROLL) return false;
    this.scrolled = at;
    return true;
  }

  // persists reports whether consecutive attempts have had this verdict for long enough to make it
  // final.
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

const pending = new Map(); // id -> stop

// watch calls look until it returns {done} or the time is over, and resolves to the result. The
// first attempt is made at once. Later ones follow when the page has changed, at animation frames
// while the element is not ready, and from time to time, because CSS and properties change without
// a mutation. Attempts take at most a fifth of the time.
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

const MOST_TURNS = 4; // attempts that are repeated at once because the focus has moved

// mayPassBy reports whether a failure may still pass. A hidden frame is waited for like a hidden
// element.
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
  // The page's timers that are overdue run before one that is set now.
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

// cancel ends the wait of the request id, if it is still pending.
export function cancel({ id }) {
  pending.get(id)?.();
  return {};
}
