// Waiting until the documents have finished their reaction to input.

import { signsIn } from './busy.js';
import { isTip, runsIn } from './calm.js';
import { describe } from './describe.js';
import { isElement, now, rootElementOf } from './dom.js';
import { noted, notes } from './effect.js';
import { onTop } from './loading.js';
import { fresh } from './look.js';
import { State, watch } from './poll.js';
import { elsewhere, reach } from './reach.js';
import { asksOf, markTimers, mayFire } from './turns.js';
import { Stillness } from './wait.js';

// awaitChange waits until the page has changed since the input with the number n.
export function awaitChange(req) {
  const note = notes.get(req.n);
  const look = () => {
    const { dom, values, focus } = note?.seen ?? { dom: 1 };
    return dom || values || focus ? { done: { ok: true } } : { not: { ok: false, reason: 'same' } };
  };
  return watch(req, look, new State(req));
}

const TIMERS = 500; // ms; timers with a shorter delay are waited for
const CALM = 50; // ms without a change
let asking = null; // the wait that has requested timers, and continues when it gets them

// calm waits until the documents have finished their reaction to the input with the number n: until
// no timer that was set since is due, no animation with an end runs, no new sign of loading shows,
// and the last frames have brought no change. For input in several parts, the Note of the last part
// counts. If only timers are left, it requests the browser's record of them (asks, timers: see
// markTimers).
export function calm(req) {
  const note = notes.get(req.n) ?? noted, st = new State(req), begin = now();
  const { still, rested } = asking?.n === req.n && !asking.still.over ? asking : { still: new Stillness(0, ({ target }) => !isElement(target) || !isTip(target)), rested: 0 };
  let changedAt = rested, frame = rested ? -2 : 0; // no change since the request: the page has been at rest for long enough
  asking = null;
  const look = () => {
    const { docs, frames } = reach();
    still.look(docs);
    const other = elsewhere(frames, req.frames ?? []);
    if (other) return other;
    const open = (seen) => ({ not: { ok: false, reason: 'open', seen } });
    const runs = docs.map((doc) => runsIn(doc, note?.at)).find(Boolean);
    if (runs) return open(`an animation of ${describe(runs)}`);
    const sign = docs.flatMap((doc) => signsIn(doc, req.query)).find((s) => !note?.signs.has(s.el) && (s.kind === 'aria' || onTop(s.el)));
    if (sign) return open(`${describe(sign.el)}, which shows that something is loading`);
    if (still.changedAt !== changedAt) {
      changedAt = still.changedAt;
      frame = st.frame;
    }
    const rests = st.frame - frame >= 2 && now() - changedAt >= CALM;
    if (!rests && now() - begin < TIMERS) return open('changes of the page');
    const known = note && req.timers ? mayFire(req.timers, asksOf(rootElementOf(document)), note.at + TIMERS) : null;
    if (!note || now() - note.at >= TIMERS || !(known ?? (note.final ?? note).pending)) return { done: { ok: true } };
    const timer = req.asks && known === null ? markTimers() : 0;
    if (!timer) return open('a timer that the page has set');
    asking = rests ? { n: req.n, still, rested: changedAt } : null;
    return { done: { ok: false, reason: 'timers', timer } };
  };
  return watch(req, look, st).finally(() => asking?.still === still || still.stop());
}

// timersOf returns {n}, the number of a recent input since which the page has set a timer that will
// fire soon, or 0. If that is not known, timer is the mark with which it can be looked up.
export function timersOf({ timers, asks }) {
  fresh();
  const recent = [...notes.values()].filter((note) => now() - note.at < TIMERS && (note.final ?? note).pending).reverse();
  if (!recent.length) return { n: 0 };
  const fires = recent.map((note) => (timers ? mayFire(timers, asksOf(rootElementOf(document)), note.at + TIMERS) : null));
  if (fires[0] !== null) return { n: recent[fires.indexOf(true)]?.n ?? 0 };
  const timer = asks ? markTimers() : 0;
  return timer ? { n: recent[0].n, timer } : { n: recent[0].n };
}
