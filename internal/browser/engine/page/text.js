// Text: what a person reads on the page, and how it is compared.

import { checkVisibility, isBeyond } from './depth.js';
import {
  ELEMENT, HTML, TEXT, assignedTo, attr, dataOf, firstOf, hasAttr, innerTextOf, inputType, inputValue, isInput, isMultiple, isSVG,
  isSelected, isTag, namespaceOf, nextOf, optionText, queryAll, rootElementOf, rootOf, selectOptions, shadowOf, styleOf, tagOf,
  textContentOf, textareaValue, typeOf,
} from './dom.js';
import { hasShadow, hasSlot, nearest, up } from './flat.js';
import { LONGEST_TEXT, spend, tooLarge } from './limits.js';
import { Fail, cache } from './look.js';

// Direction marks and line-break opportunities, which are invisible.
export const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\u00ad]/g;
const CJK = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\u3000-\\u303f\\uff00-\\uffef]';
export const isCJK = new RegExp(`^${CJK}$`, 'u');
const CJK_GAP = new RegExp(`(?<=${CJK}) (?=${CJK})`, 'gu');
const MAYBE_CJK = /[\u1100-\uffff]/;

// fold makes texts comparable: it collapses white space, trims it, and removes it between two CJK
// characters, where component libraries insert it.
const isFolded = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const LONG = 10000; // characters; matching the pattern takes stack space for each word
export function fold(text) {
  if (text.length < LONG && isFolded.test(text)) return text;
  const s = text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
  return MAYBE_CJK.test(s) ? s.replace(CJK_GAP, '') : s;
}

// matcher returns a test of folded texts against a wanted value, for an operator of the contract.
// needs is what a text must contain for a pattern to match it: a word of each list.
export function matcher(op, value, needs = null) {
  if (op === '~') {
    const p = pattern(String(value).replace(INVISIBLE, ''), needs); // folded texts do not contain them
    return { isPattern: true, loose: p.folds ? null : (s) => looser(compiled(p)).test(s), test: p.folds ? (s) => passes(p, lower(s)) : (s) => passes(p, s) };
  }
  const want = fold(String(value));
  if (op === '*') return { want, part: true, test: (s) => s.includes(want) };
  return { want, test: (s) => s === want };
}

const patterns = new Map();
const UNCOMPILED = 20000; // characters in which a pattern's words are sought before it is compiled

// pattern returns the record of a pattern in JavaScript. If it begins with (?i) (folds), its letters
// are in lower case, for texts in lower case.
function pattern(source, needs) {
  let p = patterns.get(source);
  if (!p) patterns.set(source, (p = { source, needs, folds: source.startsWith('(?i)'), left: UNCOMPILED, re: null }));
  if (!p.needs) compiled(p);
  return p;
}

// passes reports whether s matches p. It compiles p only if s contains what p needs, or after many
// texts.
function passes(p, s) {
  if (p.re) return p.re.test(s);
  p.left -= s.length + 1;
  return (p.left < 0 || p.needs.every((words) => words.some((word) => s.includes(word)))) && compiled(p).test(s);
}

function compiled(p) {
  if (p.re) return p.re;
  try {
    return (p.re = new RegExp(hasty(p.folds ? p.source.slice(4) : p.source), 'u'));
  } catch (err) {
    throw new Fail('selector', { message: `the pattern is invalid: ${err.message.slice(err.message.lastIndexOf(': ') + 2)}` });
  }
}

// hasty returns a long pattern as one that V8 compiles without optimizing it, which it does beyond 20
// KiB. Most patterns are compared with a few texts only, and compiling one then takes half the time.
// What is repeated zero times costs nothing after that.
const UNUSED = `(?:${'a'.repeat(20600)}){0}`;
const hasty = (source) => (source.length < 500 ? source : `(?:${source})${UNUSED}`);

// lower returns s in lower case, for each character alone.
const LOWER = { ſ: 's', ς: 'σ', µ: 'μ' };
export function lower(s) {
  if (isFolded.test(s)) return s.toLowerCase(); // only ASCII
  const lowered = s.includes('İ') ? s.split('İ').map((part) => part.toLowerCase()).join('İ') : s.toLowerCase();
  return lowered.replace(/[ſςµ]/g, (c) => LOWER[c]);
}

export const NO_TEXT = new Set(['script', 'style', 'noscript', 'template', 'head', 'iframe', 'object', 'canvas', 'video', 'audio', 'textarea', 'title', 'desc']);
export const BUTTON_INPUTS = ['submit', 'button', 'reset'];
export const DEEPEST = 500; // levels of the tree that fit on the stack

// A Stream joins text nodes as they are rendered, folded. Reading styles is expensive, so the nodes
// between two texts are kept, and their styles are read only if no white space separates the texts.
class Stream {
  text = '';
  end = ''; // last character of text, kept apart so that the string text is not flattened
  gap = false;
  crossed = [[], [], []]; // by the cost of the test: blank texts, blocks by tag, others

  constructor(parts) {
    this.parts = parts;
  }

  cross(node, tag) {
    if (!this.gap && this.end) this.crossed[tag === undefined ? 0 : PHRASING.has(tag) ? 2 : 1].push(node);
  }

  add(data) {
    const body = fold(data);
    if (!body) return;
    if (this.end && (this.gap || /^\s/.test(data) || this.crossed.some((nodes) => nodes.some(this.parts)))) {
      if (!(isCJK.test(this.end) && isCJK.test(body[0]))) this.text += ' ';
    }
    this.text += body;
    this.end = body.at(-1);
    this.gap = /\s$/.test(data);
    for (const nodes of this.crossed) nodes.length = 0;
  }
}

export const PHRASING = new Set(['span', 'a', 'b', 'i', 'em', 'strong', 'small', 'code', 'label', 'button', 'input', 'img',
  'svg', 'select', 'u', 's', 'sub', 'sup', 'mark']);
export const isBlock = (el) => !isBeyond(el) && !/^(inline|contents|none|ruby)/.test(styleOf(el).display);
// Styles are expensive where nothing is drawn: there the tag alone decides.
const partsHidden = (node) => typeOf(node) === TEXT || !PHRASING.has(tagOf(node)) || isBlock(node);
const partsShown = (node) => (typeOf(node) === TEXT ? drawsIn(up(node)) : checkVisibility(node) && isBlock(node));
export const SHOWN = { visibilityProperty: true };

// isRendered reports whether el is drawn. An element with display: contents has no box, and counts
// if it is in a drawn one.
export function isRendered(el) {
  if (checkVisibility(el, SHOWN)) return true;
  const around = up(el);
  return around !== null && !isBeyond(el) && styleOf(el).display === 'contents' && isRendered(around) && !hidesWithin(around);
}

// drawsIn reports whether text directly in el is drawn.
export const drawsIn = (el) => isRendered(el) && !hidesWithin(el) && styleOf(el).visibility === 'visible';

// hidesWithin reports whether an element is drawn without its content, as a closed <details> is.
export function hidesWithin(el) {
  if (isBeyond(el)) return false;
  if (isTag(el, 'details') && !hasAttr(el, 'open') && styleOf(el, '::details-content').contentVisibility !== 'visible') return true;
  return styleOf(el).contentVisibility === 'hidden';
}

// isOnlyDefined reports whether el is in a part of an SVG that is defined for use elsewhere and not
// used. The browser has boxes for it, but draws none.
export function isOnlyDefined(el) {
  const around = isSVG(el) ? nearest(el, DEFINES) : null;
  if (!around) return false;
  for (let n = el; n; n = n === around ? null : up(n)) {
    const id = attr(n, 'id');
    if (id && queryAll(rootOf(el), 'use').some((use) => [attr(use, 'href'), attr(use, 'xlink:href')].includes('#' + id))) return false;
  }
  return true;
}

const DEFINES = 'defs,symbol,clipPath,mask,pattern,marker';

// noneAround returns the outermost element at or around el in which nothing has a box, or null.
export function noneAround(el) {
  const chain = [];
  for (let n = el; n && !checkVisibility(n); n = up(n)) chain.push(n);
  return chain.findLast((n) => isBeyond(n) || styleOf(n).display !== 'contents') ?? null;
}

export const TOO_LONG = `the page has a text of more than ${LONGEST_TEXT / 1e6} million characters, which is not searched`;

// A TextIndex holds the text of every element of a document (or below one element) as slices of one
// string, from one walk over the flat tree. Text that is not rendered makes a second string, which
// holds the texts of the elements that show none. So an element that exists but is hidden can be
// reported.
export class TextIndex {
  shown = new Stream(partsShown);
  hidden = new Stream(partsHidden);
  unread = false; // whether some of the document is too deep to be read
  none = null; // the ancestor of the current element in which nothing has a box
  els = [];
  positions = null; // element -> index, made at the first call of position
  last = []; // index of the last element below
  from = []; // slice of shown
  to = [];
  hiddenFrom = []; // slice of hidden
  hiddenTo = [];

  constructor(top) {
    if (top) this.walk(top, 0);
  }

  walk(el, depth) {
    const tag = tagOf(el);
    if (NO_TEXT.has(tag)) return;
    if (depth > DEEPEST) {
      this.unread = true;
      return;
    }
    spend();
    this.cross(el, tag);
    const i = this.els.push(el) - 1;
    this.from.push(this.shown.text.length);
    this.hiddenFrom.push(this.hidden.text.length);
    if (tag === 'input') {
      if (isInput(el, ...BUTTON_INPUTS)) this.stream(el).add(buttonText(el));
    } else {
      this.walkKids(el, tag, depth);
    }
    this.to[i] = this.shown.text.length;
    this.hiddenTo[i] = this.hidden.text.length;
    this.last[i] = this.els.length - 1;
    if (this.none === el) this.none = null;
    this.cross(el, tag);
  }

  walkKids(el, tag, depth) {
    const shadow = shadowOf(el);
    const assigned = tag === 'slot' ? assignedTo(el) : [];
    let stream = null; // the stream of the texts directly in el
    const visit = (node) => {
      const type = typeOf(node);
      if (type === ELEMENT) this.walk(node, depth + 1);
      else if (type !== TEXT) return;
      else if (dataOf(node).length > LONGEST_TEXT) throw new Fail('op', tooLarge(TOO_LONG), true);
      else if (/\S/.test(dataOf(node))) (stream ??= this.stream(el)).add(dataOf(node));
      else this.cross(node);
    };
    if (assigned.length) assigned.forEach(visit);
    else for (let n = firstOf(shadow ?? el); n; n = nextOf(n)) visit(n);
  }

  stream(el) {
    if (this.none || isOnlyDefined(el)) return this.hidden;
    if (checkVisibility(el, SHOWN)) return hidesWithin(el) ? this.hidden : this.shown;
    this.none = noneAround(el);
    return this.none || !drawsIn(el) ? this.hidden : this.shown;
  }

  cross(node, tag) {
    if (tag === 'br') {
      this.shown.gap = this.hidden.gap = true;
    } else {
      if (!this.none) this.shown.cross(node, tag);
      this.hidden.cross(node, tag);
    }
  }

  isHidden(i) {
    return this.from[i] === this.to[i];
  }

  at(i) {
    const text = this.isHidden(i) ? this.hidden.text.slice(this.hiddenFrom[i], this.hiddenTo[i]) : this.shown.text.slice(this.from[i], this.to[i]);
    return text.trim();
  }

  length(i) {
    return this.to[i] - this.from[i] || this.hiddenTo[i] - this.hiddenFrom[i];
  }

  // position returns the index of el, or -1 if it is not in the index.
  position(el) {
    this.positions ??= new Map(this.els.map((e, i) => [e, i]));
    return this.positions.get(el) ?? -1;
  }

  // smallest returns the elements from index first to last whose text passes, without those that
  // contain another such element that is shown or hidden as they are.
  smallest(m, first, last) {
    if (m.want === '') return [];
    const found = [];
    const done = [-1, -1]; // the last match among shown and among hidden elements
    for (let i = last; i >= first; i--) {
      const kind = this.isHidden(i) ? 1 : 0;
      if (done[kind] >= i && done[kind] <= this.last[i]) continue;
      if (!this.fits(m, this.length(i)) || !this.passes(m, i)) continue;
      done[kind] = i;
      found.push(this.els[i]);
    }
    return found.reverse();
  }

  // A slice may begin with the space before its element.
  fits(m, length) {
    return m.want === undefined || (length >= m.want.length && (m.part || length <= m.want.length + 1));
  }

  // Text may match as it is in the document, or as text-transform shows it.
  passes(m, i) {
    const text = this.at(i);
    if (m.test(text)) return true;
    const loose = m.isPattern ? m.loose?.(text) : looseTest(m, text);
    return loose && !this.isHidden(i) && m.test(fold(rendered(this.els[i])));
  }
}

export function looseTest(m, text) {
  const s = text.toLowerCase(), want = m.want.toLowerCase();
  return m.part ? s.includes(want) : s === want;
}

const looser = (re) => (re.loose ??= new RegExp(re.source, 'iu'));

export const isListBox = (el) => isMultiple(el) || Number(attr(el, 'size') ?? 1) > 1;

export const buttonText = (el) => inputValue(el) || (hasAttr(el, 'value') ? '' : { submit: 'Submit', reset: 'Reset' }[inputType(el)] ?? '');

export function textIndex(doc) {
  let index = cache.text.get(doc);
  if (!index) cache.text.set(doc, (index = new TextIndex(rootElementOf(doc))));
  return index;
}

// rendered returns the text of el as it is shown, with its line breaks.
export function rendered(el) {
  if (isInput(el, ...BUTTON_INPUTS)) return buttonText(el);
  if (hasShadow(el) || hasSlot(el)) {
    const own = new TextIndex(el);
    return own.els.length ? own.at(0) : '';
  }
  return innerTextIn(el) ?? textContentOf(el);
}

// SVG and other foreign elements have no innerText.
function innerTextIn(el) {
  try {
    return innerTextOf(el);
  } catch {
    return null;
  }
}

// textOf returns the folded text of one element.
export const textOf = (el) => fold(rendered(el));

const PRESERVES = /^(pre|pre-wrap|break-spaces)$/; // white-space

const passwords = new WeakSet(); // fields that have been seen as password fields

// isSecret reports whether el is a password field: the page draws dots in it, or a browser would
// fill in a password. It stays one when the page shows its letters. autocomplete=new-password does
// not count, as pages give it to other fields to switch suggestions off.
export function isSecret(el) {
  if (!isTag(el, 'input', 'textarea')) return false;
  if (isInput(el, 'password')) passwords.add(el);
  return passwords.has(el) || /\bcurrent-password\b/.test(attr(el, 'autocomplete') ?? '') || isNamedPassword(el) || isDotted(el);
}

// isNamedPassword reports whether a text field is named like a password: a field that can show its
// password may start as one.
const isNamedPassword = (el) => isInput(el, 'text') && ['name', 'id'].some((name) => /^(?:(?:user|login|old|current|new|confirm|repeat)[-_]?)?(?:password|passwd|pwd|passphrase|passwort|kennwort|mdp|mot[-_]?de[-_]?passe|contrase(?:ñ|n)a|clave|senha|wachtwoord|has(?:ł|l)o|parola|heslo|salasana|lozinka)$/iu.test(attr(el, name) ?? ''));

const isDotted = (el) => !['none', '', undefined].includes(styleOf(el).webkitTextSecurity);

// readable returns the text of el as a person reads it: with the values of fields, with line
// breaks, and with white space as it is drawn, so that code keeps its indentation. The gap between
// columns is one space. A password is never read.
export function readable(el) {
  const tag = tagOf(el);
  if (tag === 'select') return [...selectOptions(el)].filter(isSelected).map((o) => fold(optionText(o))).join(', ');
  if (tag === 'textarea') return isSecret(el) ? '' : textareaValue(el);
  if (tag === 'input' && !isInput(el, ...BUTTON_INPUTS)) {
    return isInput(el, 'checkbox', 'radio', 'file', 'hidden', 'image') || isSecret(el) ? '' : inputValue(el);
  }
  const text = rendered(el).replace(INVISIBLE, '');
  if (namespaceOf(el) !== HTML || !isRendered(el)) return lineByLine(text, (l) => l.replace(/\s+/g, ' ').trim()).trim();
  if (PRESERVES.test(styleOf(el).whiteSpace)) return text.replaceAll('\u00a0', ' ').replace(/^(?:[^\S\n]*\n)+|\s+$/g, '');
  // innerText is already collapsed where it is drawn collapsed.
  return lineByLine(text, (l) => l.replace(/ ?[^\S ]\s*/g, ' ').trimEnd()).replace(/^\n+|\s+$/g, '');
}

function lineByLine(text, change) {
  return text.split('\n').map(change).join('\n').replace(/\n{3,}/g, '\n\n');
}

// cut shortens a text to n characters for a message.
export const cut = (s, n) => (s.length > n ? s.slice(0, n - 1).replace(/[\ud800-\udbff]$/, '') + '…' : s);

// endOf returns the end of s, with an ellipsis if that is not all of s: a cut secret is found by it.
export const endOf = (s, n) => (s.length > n ? '…' + s.slice(1 - n).replace(/^[\udc00-\udfff]/, '') : s);

// core returns a text without what may differ in how it is written: case, white space, marks of
// labels.
export const core = (text) => text.replace(INVISIBLE, '').replace(/[\s*＊:：]+/g, '').toLowerCase().toUpperCase();
