// The effects of input in a document: how much of it changes, which fields get another value,
// where the focus goes, and when all of that is over.

import { State, watch } from './act.js';
import { signsIn } from './busy.js';
import {
  attr, contains, firstOf, getAttributeNames, isElement, isTag, listen, method, now, ownerOf, pathOf, queryAll, rootElementOf, rootOf,
  styleOf, tagOf, textContentOf, viewOf,
} from './dom.js';
import { byCSS, isInside, nearest, rootsIn } from './flat.js';
import { deepActive } from './frames.js';
import { PAINT } from './host.js';
import { fresh } from './look.js';
import { unlisten } from './ops.js';
import { CONTROLS, isVisible } from './ready.js';
import { describe } from './select.js';
import { asksOf, markTimers, mayFire } from './turns.js';
import { Stillness, elsewhere, onTop, reach } from './wait.js';

const MOST_CHANGES = 100; // that are counted
const MOST_NOTES = 200;
const notes = new Map(); // by number
export let noted = null; // the note of the last input

// noteInput begins to note what comes of input to el. what: see Page.noting.
export function noteInput(what, el) {
  if (!what || noted?.n === what.n) return;
  noted?.end();
  noted = new Note(what, el);
  notes.set(what.n, noted);
  for (const n of notes.keys()) {
    if (notes.size <= MOST_NOTES) break;
    notes.delete(n);
  }
}

// beginNote begins a note for input to what has the focus.
export function beginNote(arg) {
  fresh();
  noteInput(arg.watch, deepActive() ?? rootElementOf(document));
  return {};
}

const MOST_INSIDE = 50; // elements in what is pressed; in a larger one each change counts

class Note {
  dom = 0;
  values = 0;
  fields = new WeakSet();

  constructor({ n, signs, busy }, el) {
    this.n = n;
    this.at = this.touched = now();
    this.el = isTag(el, 'html', 'body') || queryAll(el, '*').length > MOST_INSIDE ? null : el;
    this.own = this.el && ownState(this.el);
    this.focus = deepActive();
    this.pressed = el;
    this.view = viewOf(ownerOf(el));
    this.known = window === top && this.view === window && !nearest(el, 'canvas,video,audio,embed,object');
    this.asks = asksOf(el);
    this.signs = new Set(signs ? signsIn(ownerOf(el), busy).map((s) => s.el) : []);
    this.observer = new MutationObserver((records) => this.see(records));
    for (const root of new Set([...rootsIn(ownerOf(el)), rootOf(el)])) {
      this.observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true });
    }
    for (const type of VALUED) listen(this.view, type, this.on, { capture: true, passive: true });
    for (const type of TOUCHES) listen(this.view, type, this.touch, { capture: true, passive: true });
  }

  touch = (event) => {
    if (event.isTrusted) this.touched = now();
  };

  on = (event) => {
    const [field] = pathOf(event);
    if (!event.isTrusted || this.fields.has(field)) return;
    this.fields.add(field);
    this.values++;
  };

  see(records) {
    for (const r of records) {
      if (this.dom >= MOST_CHANGES) return this.observer.disconnect();
      if (this.counts(r)) this.dom++;
    }
  }

  counts({ type, target, attributeName, oldValue }) {
    if (this.el && (target === this.el || contains(this.el, target))) return false; // see ownState
    if (isElement(target) && isTag(target, 'head')) return false;
    if (type !== 'attributes') return true;
    const value = attr(target, attributeName);
    if (value === oldValue) return false;
    const around = this.el && contains(target, this.el);
    if (attributeName === 'class') return classWords(value) !== classWords(oldValue);
    return !(around && (attributeName === 'style' || isPassing(attributeName)));
  }

  // changes is what this document has done since the input.
  get changes() {
    this.see(this.observer.takeRecords());
    return this.dom + (this.el && this.own !== ownState(this.el) ? 1 : 0);
  }

  get pending() {
    const asks = this.asks && asksOf(this.pressed);
    return Boolean(asks) && asks.timers > this.asks.timers;
  }

  get moved() {
    const active = deepActive();
    if (!active || active === this.focus || isTag(active, 'html', 'body')) return '';
    return isInside(active, this.pressed) || isInside(this.pressed, active) ? '' : describe(active);
  }

  get seen() {
    return this.final ?? { known: this.known, dom: Math.min(this.changes, MOST_CHANGES), values: this.values, focus: this.moved, pending: this.pending };
  }

  // end fixes what has been seen: other input begins. Nothing of the page is kept.
  end() {
    fresh();
    this.final = this.seen;
    this.observer.disconnect();
    for (const type of VALUED) unlisten(this.view, type, this.on, true);
    for (const type of TOUCHES) unlisten(this.view, type, this.touch, true);
    this.el = this.pressed = this.focus = this.view = null;
    this.signs.clear();
  }
}

const VALUED = ['input', 'change'];
const TOUCHES = ['mouseover', 'mousedown', 'click', 'keydown', 'keyup', 'input']; // of which the page takes notice

// What only shows that the mouse or the focus is there is no effect.
const PASSES = /focus|hover|press|ripple|touch|wave/i;
const isPassing = (name) => name.startsWith('data-') && PASSES.test(name);
const classWords = (list) => (list ?? '').split(/\s+/).filter((word) => word && !PASSES.test(word)).sort().join(' ');

// ownState is what an element shows and says of itself, but for how it is marked while it is
// pressed.
function ownState(el) {
  const inside = queryAll(el, '*').filter((n) => !PASSES.test(attr(n, 'class') ?? ''));
  const said = (n) => getAttributeNames.call(n).filter((name) => name !== 'style' && !isPassing(name) && !(name === 'class' && !classWords(attr(n, name))))
    .map((name) => `${name}=${name === 'class' ? classWords(attr(n, name)) : attr(n, name)}`).join(' ');
  return JSON.stringify([textContentOf(el), [el, ...inside].map((n) => `${tagOf(n)} ${said(n)}`)]);
}

// caused says what has come of the input with the number n.
export function caused({ n }) {
  fresh();
  return notes.get(n)?.seen ?? { known: false };
}

// awaitChange waits until the page has changed since the input with the number n.
export function awaitChange(req) {
  const note = notes.get(req.n);
  const look = () => {
    const { dom, values, focus } = note?.seen ?? { dom: 1 };
    return dom || values || focus ? { done: { ok: true } } : { not: { ok: false, reason: 'same' } };
  };
  return watch(req, look, new State(req));
}

const TIMERS = 500; // ms; timers below that are waited for
const CALM = 50; // ms without a change
let asking = null; // the wait that has asked for timers and goes on when it gets them
const documentAnimations = method(Document.prototype, 'getAnimations');

// calm waits until the documents here have done what the input with the number n has made them
// do: the timers that it has set, animations that have an end, what shows that something is
// loading and did not before, and changes of the last frames. An input of several has the
// note of the last of them. Where timers are all that is left, it asks for what is known of them
// (asks, timers: see markTimers).
export function calm(req) {
  const note = notes.get(req.n) ?? noted, st = new State(req), begin = now();
  const { still, rested } = asking?.n === req.n && !asking.still.over ? asking : { still: new Stillness(0, ({ target }) => !isElement(target) || !isTip(target)), rested: 0 };
  let changedAt = rested, frame = rested ? -2 : 0; // nothing has changed since it asked: it has been at rest for long enough
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

// timersOf is the number of a recent input since which the page has set a timer that is still to fire
// soon; 0: there is none. Where that is not known, it has the timer by which it can be.
export function timersOf({ timers, asks }) {
  fresh();
  const recent = [...notes.values()].filter((note) => now() - note.at < TIMERS && (note.final ?? note).pending).reverse();
  if (!recent.length) return { n: 0 };
  const fires = recent.map((note) => (timers ? mayFire(timers, asksOf(rootElementOf(document)), note.at + TIMERS) : null));
  if (fires[0] !== null) return { n: recent[fires.indexOf(true)]?.n ?? 0 };
  const timer = asks ? markTimers() : 0;
  return timer ? { n: recent[0].n, timer } : { n: recent[0].n };
}

const FRAME_LATE = 100; // ms that the time of a frame may lie behind: an animation has begun at that

// runsIn is an element with an animation that is running and comes to an end; since: of those that
// have begun since then, as far as that can be said.
export function runsIn(doc, since = -Infinity) {
  const from = doc === document ? since - FRAME_LATE : -Infinity; // others have a time of their own
  for (const a of documentAnimations(doc)) {
    if (typeof a.startTime === 'number' && a.startTime < from) continue;
    if (a.playState !== 'running' || !a.effect || a.effect.getComputedTiming().endTime === Infinity) continue;
    const el = a.effect.target;
    if (el && !isTint(a) && isVisible(el) && !isOrnament(el, a) && !isTip(el)) return el;
  }
  return null;
}

// isTint: a transition of colours shows nothing and takes nothing away.
const isTint = ({ transitionProperty: name }) => Boolean(name) && name !== 'opacity' && PAINT.test(name);

// isTip: a tooltip is there because of the mouse, and says at once what it says. One with controls
// in it is more than that, and so is what says more than its tooltip.
function isTip(el) {
  if (isTag(el, 'html', 'body')) return false;
  const inside = nearest(el, TIPS), tip = inside ?? queryAll(el, TIPS)[0];
  return Boolean(tip) && (inside !== null || textContentOf(el) === textContentOf(tip)) && !byCSS([inside ?? el], CONTROLS).length;
}
const TIPS = '[role=tooltip]';

// isOrnament: what fades and has nothing in it, nor can be pressed, such as the wave around a button
// that was pressed, is for the eye alone.
const isOrnament = (el, { transitionProperty }) => PAINT.test(transitionProperty ?? '') && !firstOf(el) && styleOf(el).pointerEvents === 'none';
