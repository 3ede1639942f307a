// Whether an element is still the one that a step means. A page that patches a list in place reuses
// its elements for other records, mostly when a field loses the focus, and sometimes when a mouse
// button goes down.
//
// Only a change of the page's text can do that. As long as there is none, nothing is read again.

import { aimOf } from './aim.js';
import { describe } from './describe.js';
import {
  ELEMENT, TEXT, attr, bodyOf, contains, dataOf, isConnected, isEditableContent, isInput, isTag, localName, matches, nextElement, ownerOf,
  previousElement, queryAll, rootOf, textContentOf, typeOf,
} from './dom.js';
import { nearest, up } from './flat.js';
import { deepActive } from './frames.js';
import { SHORTEST_LOOK, timed } from './limits.js';
import { Fail, Refusal, fresh } from './look.js';
import { nameOf } from './names.js';
import { takesText } from './ready.js';
import { PINNED } from './refs.js';
import { CHOICES } from './roles.js';
import { ROW_AROUND, withoutDigits, wordsOfRow } from './rows.js';
import { resolve } from './select.js';
import { LONGEST_NAME } from './shown.js';
import { cut, fold } from './text.js';

const NAMING = ['alt', 'aria-label', 'aria-labelledby', 'for', 'id', 'title', 'value'];
const NAMED = 'input,select,textarea,img[alt],[aria-label],[aria-labelledby],[title]';
const CLIMBED = 4; // levels above an element that are searched for its record
const MOST_OTHERS = 500; // texts that are remembered

export class Meant {
  others = new Set(); // texts that were removed or replaced outside the element
  changed = false; // whether the page has changed any text since the last check
  observer = new MutationObserver((records) => this.see(records));

  // el is the target of op: what the query of st has found, or the control that it stands for.
  constructor(el, op, st, found = null) {
    this.el = el;
    this.op = op;
    this.found = found;
    this.query = st.req.query;
    this.decided = new Map(st.decided);
    this.pinned = hasPin(this.query.parts);
    this.name = nameIn(el);
    this.row = recordOf(el);
    this.words = this.row && wordsOfRow(this.row).all;
    this.choice = nearest(el, CHOICES) !== null;
    // Such a field may lose the focus, or its value be taken, when a mouse button goes down
    // elsewhere.
    const active = deepActive();
    this.field = active !== null && active !== el && !this.choice && (takesText(active) || isTag(active, 'select'));
    for (const root of new Set([rootOf(el), ownerOf(el)])) {
      this.observer.observe(root, { subtree: true, childList: true, characterData: true, characterDataOldValue: true, attributeFilter: NAMING, attributeOldValue: true });
    }
  }

  end() {
    this.observer.disconnect();
  }

  see(records) {
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      if (type === 'childList') {
        const gone = [...removedNodes].filter(saysAnything);
        if (!gone.length && ![...addedNodes].some(saysAnything)) continue;
        for (const n of gone) this.note(target, textContentOf(n));
      } else if (type === 'characterData') {
        if (oldValue === dataOf(target)) continue;
        this.note(target, oldValue);
      } else {
        if (oldValue === attr(target, attributeName) || (attributeName === 'value' && !isInput(target, 'button', 'submit', 'reset'))) continue;
        this.note(target, oldValue ?? '');
      }
      this.changed = true;
    }
  }

  note(target, text) {
    if (text.length <= LONGEST_NAME && this.others.size < MOST_OTHERS && !contains(this.el, target)) this.others.add(fold(text));
  }

  // says reports whether the page has changed any text since the last check.
  says() {
    this.see(this.observer.takeRecords());
    return this.changed;
  }

  // saysOfIt reports whether the text of the element's own record has changed, while the element is
  // still in it.
  saysOfIt() {
    fresh();
    return this.row !== null && isConnected(this.el) && !this.isInRecord() && !this.hasLeftRecord();
  }

  // other returns a description of what the element has become, or null if it still shows what was
  // meant or has left the page. left: another field has lost the focus since.
  other(left) {
    if (!this.says() || !isConnected(this.el)) return null;
    this.changed = false;
    fresh();
    if (!this.isOther(left && !this.choice)) return null;
    return this.row && !this.isInRecord() ? `${describe(this.el)} in ${JSON.stringify(cut(wordsOfRow(this.row).all.join(' '), 60))}` : describe(this.el);
  }

  isOther(left) {
    const { els, stale } = this.matches(), name = nameIn(this.el), caused = left || this.field;
    const taken = name !== this.name && this.others.has(name); // another element had this name
    const renamed = this.name !== '' && name !== '' && (taken || loses(this.name.split(' '), name.split(' ')));
    if (stale) return caused || this.others.size > 0;
    if (els?.includes(this.el)) return this.pinned && renamed && (caused || taken);
    if (els?.length) return renamed ? caused || this.others.size > 0 : !this.isInRecord();
    if (renamed) return caused || taken;
    return !isConcealed(this.el) && this.hasLeftRecord();
  }

  // matches returns what the query matches now, as {els, stale}. els is null if the query fails;
  // stale says that a ref in it is out of date.
  matches() {
    const aim = (el) => {
      try {
        return aimOf(el, this.op);
      } catch (err) {
        if (err instanceof Refusal) return el;
        throw err;
      }
    };
    try {
      const opt = { visible: false, decided: new Map(this.decided), frames: '', grace: 0 };
      return { els: timed({ timeout: SHORTEST_LOOK }, () => resolve(this.query, opt)).els.map(aim), stale: false };
    } catch (err) {
      if (err instanceof Fail) return { els: null, stale: err.result.reason === 'stale' };
      if (err instanceof RangeError) return { els: null, stale: false };
      throw err;
    }
  }

  // isInRecord reports whether the element is still in its record, and the record has the same
  // text.
  isInRecord() {
    return this.row !== null && contains(this.row, this.el) && String(wordsOfRow(this.row).all) === String(this.words);
  }

  hasLeftRecord() {
    return this.row !== null && (!contains(this.row, this.el) || loses(this.words, wordsOfRow(this.row).all));
  }
}

// meantBy returns a new Meant of el, or null if op acts on whatever has the focus.
export const meantBy = (el, op, st) => (st.req.query ? new Meant(el, op, st) : null);

const hasPin = (parts) => parts.some((part) => (part.kind === 'ref' && part.index >= PINNED) ||
  [part.has, part.frame, ...(part.alts ?? [])].some((inner) => inner && hasPin(inner.parts)));

// isConcealed reports whether el is hidden from assistive technology, as everything around an open
// menu is.
const isConcealed = (el) => nearest(el, '[aria-hidden=true],[inert]') !== null;

// saysAnything reports whether a node that was added or removed has text or a name. Ripples and
// spinners have none.
function saysAnything(node) {
  if (/\S/.test(textContentOf(node) ?? '')) return typeOf(node) === TEXT || typeOf(node) === ELEMENT;
  return typeOf(node) === ELEMENT && (matches(node, NAMED) || queryAll(node, NAMED).length > 0);
}

// nameIn returns the accessible name of el, or its text. A placeholder does not count as a name:
// pages change it when a field gets the focus.
function nameIn(el) {
  const name = fold(cut(nameOf(el), LONGEST_NAME));
  if (isTag(el, 'input', 'select', 'textarea') || isEditableContent(el)) return name === fold(attr(el, 'placeholder') ?? '') ? '' : name;
  return name || fold(cut(textContentOf(el), LONGEST_NAME));
}

// recordOf returns the row or list item that el is in, or null if there is none.
export function recordOf(el) {
  const around = up(el), row = around && nearest(around, ROW_AROUND);
  if (row || !around) return row;
  for (let n = around, i = 0; n && n !== bodyOf(ownerOf(el)) && i < CLIMBED; n = up(n), i++) {
    if (![previousElement(n), nextElement(n)].some((other) => other && isLike(other, n))) continue;
    const words = wordsOfRow(n);
    return words.whole && words.all.length ? n : null;
  }
  return null;
}

const isLike = (a, b) => localName.call(a) === localName.call(b) && attr(a, 'class') === attr(b, 'class');

// loses reports whether a word of the text "before" is missing in the text "now". Digits do not
// count.
function loses(before, now) {
  const there = new Set(now.map(withoutDigits));
  return before.some((word) => !there.has(withoutDigits(word)));
}
