// Finds a text from the text nodes in which it may begin, so that the text of the whole document
// need not be computed. The result is that of a TextIndex, which is computed for the few candidates
// only.

import { checkVisibility } from './depth.js';
import {
  DOCUMENT, closest, contains, dataOf, isElement, isInput, isTag, method, ownerOf, parentOf, positionOf, queryAll, tagOf, typeOf,
} from './dom.js';
import { inOrder, isFlat, isInside, unique } from './flat.js';
import { LONGEST_TEXT, spend, tooLarge } from './limits.js';
import { Fail, cache } from './look.js';
import {
  BUTTON_INPUTS, DEEPEST, INVISIBLE, NO_TEXT, SHOWN, TOO_LONG, TextIndex, buttonText, core, drawsIn, hidesWithin, isOnlyDefined, matcher,
  noneAround, textIndex, textOf,
} from './text.js';
import { isVisible } from './visible.js';

// squeeze returns a text without white space and case. Results are cached, as a page has mostly the
// same texts in every look.
const squeezed = new Map(), MOST_SQUEEZED = 5000, LONGEST_SQUEEZED = 200;

export function squeeze(text) {
  let short = squeezed.get(text);
  if (short !== undefined) return short;
  short = text.replace(INVISIBLE, '').replace(/\s+/g, '').toLowerCase().toUpperCase();
  if (text.length > LONGEST_SQUEEZED) return short;
  if (squeezed.size >= MOST_SQUEEZED) squeezed.clear();
  squeezed.set(text, short);
  return short;
}

const walkTree = method(Document.prototype, 'createTreeWalker');
export const nextInTree = TreeWalker.prototype.nextNode, nextText = (walk) => nextInTree.call(walk);
export const textsBelow = (node) => walkTree(typeOf(node) === DOCUMENT ? node : ownerOf(node), node, NodeFilter.SHOW_TEXT);

const SHOWS = 0, HIDES = 1, NO_WORDS = 2; // how an element treats the text in it
const WORDLESS = [...NO_TEXT, 'input'].join(',');
const MOST_TESTED = 60; // candidates; with more of them the text of the whole document is faster
const FREE = 500; // elements that may be read in addition to one for each text node
const READING = 20; // cost of reading an element, compared with passing a text node

// Words holds the text nodes of a document without shadow trees, blank ones left out.
class Words {
  nodes = [];
  squeezed = [];
  kinds = new Map(); // element -> how it treats its text
  found = new Map(); // by the matcher
  left = 0; // what a search may still spend

  constructor(doc) {
    const walk = textsBelow(doc);
    for (let node = nextText(walk); node; node = nextText(walk)) {
      const data = dataOf(node);
      if (data.length > LONGEST_SQUEEZED && this.kindOf(parentOf(node)) === NO_WORDS) continue; // style sheets
      if (data.length > LONGEST_TEXT) throw new Fail('op', tooLarge(TOO_LONG), true);
      spend();
      const text = squeeze(data);
      if (!text) continue;
      this.nodes.push(node);
      this.squeezed.push(text);
    }
  }

  kind(i) {
    const el = parentOf(this.nodes[i]);
    let kind = this.kinds.get(el);
    if (kind === undefined) this.kinds.set(el, (kind = this.kindOf(el)));
    return kind;
  }

  kindOf(el) {
    for (let n = closest(el, WORDLESS); n; n = parentOf(n)) {
      if (isElement(n) && (NO_TEXT.has(tagOf(n)) || isTag(n, 'input'))) return NO_WORDS;
    }
    if (isOnlyDefined(el)) return HIDES;
    if (checkVisibility(el, SHOWN)) return hidesWithin(el) ? HIDES : SHOWS;
    return noneAround(el) || !drawsIn(el) ? HIDES : SHOWS;
  }

  // smallest returns what TextIndex.smallest finds in the whole document, as a map from each
  // element to whether its text is hidden. It returns null if there are too many candidates.
  smallest(m) {
    const key = (m.part ? '*' : '=') + m.want;
    if (!this.found.has(key)) this.found.set(key, this.search(m));
    return this.found.get(key);
  }

  search(m) {
    const want = squeeze(m.want), tested = new Map(), found = new Map();
    this.left = READING * (this.nodes.length + FREE); // a search may cost no more than reading the whole text
    const test = (first, last) => {
      const el = around(this.nodes[first], this.nodes[last]);
      if (!tested.has(el)) {
        tested.set(el, new TextIndex(el));
        this.left -= READING * tested.get(el).els.length;
      }
      const index = tested.get(el);
      if (index.els.length && index.isHidden(0) === (this.kind(first) === HIDES) && index.passes(m, 0)) found.set(el, index.isHidden(0));
    };
    for (let i = 0; i < this.nodes.length; i++) {
      for (const length of overlaps(this.squeezed[i], want, m.part)) {
        const last = this.reach(i, want, length, m.part);
        if (last >= 0) test(i, last);
        if (tested.size > MOST_TESTED || this.left < 0) return null;
      }
    }
    for (const [el, hidden] of [...found]) {
      for (let n = parentOf(el); n; n = parentOf(n)) if (found.get(n) === hidden) found.delete(n);
    }
    return found;
  }

  // reach returns the index of the node in which the text "want" ends, if its first "length"
  // characters are at the end of node i; otherwise -1.
  reach(i, want, length, part) {
    const kind = this.kind(i);
    if (kind === NO_WORDS) return -1;
    let last = i;
    for (let j = i + 1; length < want.length && j < this.nodes.length; j++) {
      this.left--;
      const other = this.kind(j);
      if (other !== kind) {
        if (other === SHOWS) return -1; // an element that shows text has no hidden text
        continue;
      }
      const rest = want.slice(length), text = this.squeezed[j];
      if (!rest.startsWith(text) && !(part && text.startsWith(rest))) return -1;
      length += text.length;
      last = j;
    }
    return length < want.length ? -1 : last;
  }

  // firstWhere returns the index of the first text node whose position relative to el passes; all
  // later ones must pass too.
  firstWhere(el, passes) {
    let from = 0, to = this.nodes.length;
    while (from < to) {
      const i = (from + to) >> 1;
      if (passes(positionOf(el, this.nodes[i]))) to = i;
      else from = i + 1;
    }
    return from;
  }

  // shownBefore and shownAfter return the shown text node before or after el, or null.
  shownBefore(el) {
    for (let i = this.firstWhere(el, (p) => !(p & Node.DOCUMENT_POSITION_PRECEDING)) - 1; i >= 0; i--) if (this.kind(i) === SHOWS) return this.nodes[i];
    return null;
  }

  shownAfter(el) {
    const isAfter = (p) => p & Node.DOCUMENT_POSITION_FOLLOWING && !(p & Node.DOCUMENT_POSITION_CONTAINED_BY);
    for (let i = this.firstWhere(el, isAfter); i < this.nodes.length; i++) if (this.kind(i) === SHOWS) return this.nodes[i];
    return null;
  }

  shows(el) {
    const first = this.firstWhere(el, (p) => !(p & Node.DOCUMENT_POSITION_PRECEDING));
    for (let i = first; i < this.nodes.length && contains(el, this.nodes[i]); i++) if (this.kind(i) === SHOWS) return true;
    return false;
  }
}

// overlaps returns how many characters of want a text may hold if want begins in it: all of them,
// or as many as are at its end. Without part, want has to begin where the text does.
function overlaps(text, want, part) {
  if (!part) return want.startsWith(text) ? [text.length] : [];
  const list = text.includes(want) ? [want.length] : [];
  for (let n = Math.min(text.length, want.length - 1); n > 0; n--) {
    if (text[text.length - n] === want[0] && text.endsWith(want.slice(0, n))) list.push(n);
  }
  return list;
}

// around returns the innermost element that contains two nodes.
function around(first, last) {
  let el = parentOf(first);
  while (first !== last && !contains(el, last)) el = parentOf(el);
  return el;
}

// wordsOf returns the Words of a document, or null if it also shows text outside its own text
// nodes.
export function wordsOf(doc) {
  if (cache.words.has(doc)) return cache.words.get(doc);
  const simple = isFlat(doc) && !queryAll(doc, 'input').some((el) => isInput(el, ...BUTTON_INPUTS) && buttonText(el));
  const words = simple ? new Words(doc) : null;
  cache.words.set(doc, words);
  return words;
}

// smallestIn returns the elements in scope, itself included, whose text passes, without those that
// contain another such element that is shown or hidden as they are; in document order.
export function smallestIn(scope, m) {
  if (m.want === '') return [];
  const whole = typeOf(scope) === DOCUMENT, doc = whole ? scope : ownerOf(scope);
  const found = m.isPattern ? null : wordsOf(doc)?.smallest(m);
  if (found) {
    spend();
    return inOrder([...found.keys()].filter((el) => whole || contains(scope, el)));
  }
  const index = textIndex(doc), at = whole ? 0 : index.position(scope);
  const inside = at < 0 ? [] : index.smallest(m, at, whole ? index.els.length - 1 : index.last[at]);
  if (!inside.length && index.unread) throw new Fail('op', tooLarge(`nothing matches in the first ${DEEPEST} levels of the page; deeper elements are not searched`), true);
  return inside;
}

// textTest returns a function that reports whether the text of an element passes.
export function textTest(m) {
  const holders = new Map(); // by document: the elements that contain a match, shown and hidden
  const holdersIn = (doc) => {
    const found = m.isPattern || m.want === '' ? null : wordsOf(doc)?.smallest(m);
    if (!found) return null;
    const sets = [new Set(), new Set()];
    for (const [el, hidden] of found) for (let n = el; n; n = parentOf(n)) sets[hidden ? 1 : 0].add(n);
    return sets;
  };
  return (el) => {
    const doc = ownerOf(el);
    if (!holders.has(doc)) holders.set(doc, holdersIn(doc));
    const sets = holders.get(doc);
    if (sets) return sets[0].has(el) || (sets[1].has(el) && !wordsOf(doc).shows(el));
    const index = textIndex(doc), at = index.position(el);
    return at >= 0 && index.passes(m, at);
  };
}

// byText returns the smallest elements whose text passes.
export function byText(part, within) {
  const m = matcher(part.op, part.value ?? '', part.needs);
  return unique(within.flatMap((scope) => smallestIn(scope, m)), within.length > 1);
}

// firstText returns the first shown text in part, or '' if that is in el.
export function firstText(part, el) {
  const walk = textsBelow(part);
  for (let node = nextText(walk); node; node = nextText(walk)) {
    const around = parentOf(node);
    if (core(dataOf(node)) && isVisible(around)) return isInside(around, el) ? '' : textOf(around);
  }
  return '';
}
