// The effects of input in a document: how much of it changes, which fields change their value, and
// where the focus goes.

import { signsIn } from './busy.js';
import { describe } from './describe.js';
import {
  attr, contains, getAttributeNames, isElement, isTag, listen, now, ownerOf, pathOf, queryAll, rootElementOf, rootOf, tagOf, textContentOf,
  unlisten, viewOf,
} from './dom.js';
import { isInside, nearest, rootsIn } from './flat.js';
import { deepActive } from './frames.js';
import { fresh } from './look.js';
import { asksOf } from './turns.js';

const MOST_CHANGES = 100; // changes that are counted
const MOST_NOTES = 200;
export const notes = new Map(); // number of the input -> its Note
export let noted = null; // the note of the last input

// noteInput starts a Note of the effects of input to el. what: see Noting in documents/effect.go.
export function noteInput(what, el) {
  recent = recent.filter(isRecent);
  if (!what) recent.push({ touched: now(), asks: asksOf(el) });
  if (!what || noted?.n === what.n) return;
  noted?.end();
  noted = new Note(what, el);
  recent.push(noted);
  notes.set(what.n, noted);
  for (const n of notes.keys()) {
    if (notes.size <= MOST_NOTES) break;
    notes.delete(n);
  }
}

const REACTS = 1100; // ms after an input within which a timer of the page may react to it
let recent = []; // {touched, asks} of such inputs: their notes, if they have any

const isRecent = (note) => now() - note.touched < REACTS;

// isStirring reports whether the page has set a timer since a recent input, so that something may
// still change.
export function isStirring() {
  recent = recent.filter(isRecent);
  const asks = recent.length > 0 && asksOf(rootElementOf(document));
  return Boolean(asks) && recent.some((note) => note.asks && asks.timers > note.asks.timers);
}

// beginNote starts a Note for input to whatever has the focus.
export function beginNote(arg) {
  fresh();
  noteInput(arg.watch, deepActive() ?? rootElementOf(document));
  return {};
}

const MOST_INSIDE = 50; // elements inside the target; in a larger target every change counts

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
    if (this.el && (target === this.el || contains(this.el, target))) return false; // changes inside the target are compared by ownState
    if (isElement(target) && isTag(target, 'head')) return false;
    if (type !== 'attributes') return true;
    const value = attr(target, attributeName);
    if (value === oldValue) return false;
    const around = this.el && contains(target, this.el);
    if (attributeName === 'class') return classWords(value) !== classWords(oldValue);
    return !(around && (attributeName === 'style' || isPassing(attributeName)));
  }

  // changes counts the changes of this document since the input.
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

  // end stores what has been seen so far, before other input begins, and releases all elements.
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
const TOUCHES = ['mouseover', 'mousedown', 'click', 'keydown', 'keyup', 'input']; // events to which the page reacts

// Marks that only show where the mouse or the focus is are no effect.
const PASSES = /focus|hover|press|ripple|touch|wave/i;
const isPassing = (name) => name.startsWith('data-') && PASSES.test(name);
const classWords = (list) => (list ?? '').split(/\s+/).filter((word) => word && !PASSES.test(word)).sort().join(' ');

// ownState returns what an element shows and declares as a text, without the marks of being
// pressed.
function ownState(el) {
  const inside = queryAll(el, '*').filter((n) => !PASSES.test(attr(n, 'class') ?? ''));
  const said = (n) => getAttributeNames.call(n).filter((name) => name !== 'style' && !isPassing(name) && !(name === 'class' && !classWords(attr(n, name))))
    .map((name) => `${name}=${name === 'class' ? classWords(attr(n, name)) : attr(n, name)}`).join(' ');
  return JSON.stringify([textContentOf(el), [el, ...inside].map((n) => `${tagOf(n)} ${said(n)}`)]);
}

// caused returns the effects of the input with the number n.
export function caused({ n }) {
  fresh();
  return notes.get(n)?.seen ?? { known: false };
}
