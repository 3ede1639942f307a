// Near matches: the elements most similar to one that was not found. They are for the reader of an
// error, who may have misread or misspelt a word.

import { describe } from './describe.js';
import { attr, dataOf, isElement, parentOf, tagOf } from './dom.js';
import { byCSS, rootsIn } from './flat.js';
import { FIELD_CONTROLS } from './labelrows.js';
import { byRole } from './byrole.js';
import { NO_TEXT, fold, lower, textOf } from './text.js';
import { spokenName } from './verdicts.js';
import { isVisible } from './visible.js';
import { byText, nextText, squeeze, textsBelow } from './words.js';

const NEAREST = 5;
const COMPARED = 5000; // elements or texts that are compared
const ALIKE = 0.5; // likeness from which a text is reported

// nearMatches returns descriptions of the elements in the list "before" that are similar to what
// the selector part did not find.
export function nearMatches(part, before) {
  const scope = before.slice(0, 1), want = part.op === '~' ? '' : part.value ?? '';
  switch (part.kind) {
    case 'role':
      return part.attrs?.length ? mostAlike(byRole({ ...part, attrs: [] }, before).filter(isVisible), nameIn(part), spokenName) : [];
    case 'text':
    case 'says':
    case 'has-text':
    case 'within':
    case 'row':
      return want ? nearTexts(want, scope) : [];
    case 'label':
      return mostAlike(byCSS(scope, 'label').filter(isVisible), want, textOf);
    case 'field':
      return mostAlike([...byCSS(scope, 'label,legend'), ...FIELD_CONTROLS.in(scope).filter(captionIn)].filter(isVisible), want, (el) => captionIn(el) || textOf(el));
    case 'placeholder':
    case 'testid': {
      const name = part.attr || part.kind;
      return mostAlike(byCSS(before, `[${CSS.escape(name)}]`), want, (el) => attr(el, name));
    }
  }
  return [];
}

const nameIn = (part) => String(part.attrs.find((a) => a.name === 'name' && a.op !== '~')?.value ?? '');
const captionIn = (control) => attr(control, 'aria-label') || attr(control, 'placeholder') || '';

// mostAlike returns descriptions of those of els whose texts are most like the wanted one. Equally
// similar ones stay in document order.
function mostAlike(els, want, read) {
  const told = els.slice(0, COMPARED).map((el) => ({ el, like: likeness(want, read(el)) }));
  return told.sort((a, b) => b.like - a.like).slice(0, NEAREST).map(({ el }) => describe(el));
}

// nearTexts returns descriptions of the elements in scope that contain the wanted text in any case,
// or else a similar text.
function nearTexts(want, scope) {
  const word = fold(want).toLowerCase();
  const having = word ? byText({ kind: 'text', op: '~', value: `(?i)${escapePattern(lower(word))}` }, scope) : [];
  const shown = having.filter(isVisible);
  if (having.length) return mostAlike(shown.length ? shown : having, want, textOf);
  const found = new Map(); // likeness by element
  for (const root of scope.flatMap(rootsIn)) {
    const walk = textsBelow(root);
    let left = COMPARED;
    for (let node = nextText(walk); node && left-- > 0; node = nextText(walk)) {
      const el = parentOf(node), like = likeness(want, dataOf(node));
      if (like >= ALIKE && isElement(el) && !NO_TEXT.has(tagOf(el)) && isVisible(el)) found.set(el, Math.max(like, found.get(el) ?? 0));
    }
  }
  return [...found].sort((a, b) => b[1] - a[1]).slice(0, NEAREST).map(([el]) => describe(el));
}

const escapePattern = (s) => s.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

// likeness returns 1 for texts that are equal apart from case and white space, and 0 for texts that
// have no two successive letters in common.
function likeness(a, b) {
  const [short, long] = [squeeze(a), squeeze(b)].sort((s, t) => s.length - t.length);
  if (!short || long.length > 20 * short.length + 100) return 0;
  if (long.includes(short)) return (2 * short.length) / (short.length + long.length);
  const pairs = new Map();
  for (let i = 1; i < long.length; i++) pairs.set(long.slice(i - 1, i + 1), (pairs.get(long.slice(i - 1, i + 1)) ?? 0) + 1);
  let common = 0;
  for (let i = 1; i < short.length; i++) {
    const pair = short.slice(i - 1, i + 1), left = pairs.get(pair) ?? 0;
    if (left > 0) common++;
    pairs.set(pair, left - 1);
  }
  return (2 * common) / Math.max(1, short.length + long.length - 2);
}
