// Context: what distinguishes an element from others with its role and name, such as the name at
// the start of its row (rows.js), or the heading before it. A page may reuse an element for another
// row: it keeps its role and name, but is no longer what the reader of the snapshot saw.

import { ELEMENT, TEXT, attr, dataOf, hasAttr, isTag, localName, parentOf, selectAll, tagOf, textContentOf, typeOf } from './dom.js';
import { flatKids, nearest, up } from './flat.js';
import {
  CHANGING_ROLES, CHANGING_TAGS, HEADING_ROLES, HEADING_TAGS, KEYS, ROW_NODES, UNSPOKEN, endsOf, keysOf, levels, readRowWords, rowsAround,
  rowsBeside, shortened, withoutDigits, wordsOfRow,
} from './rows.js';
import { sideContexts, wordsOfParts } from './sides.js';
import { fold } from './text.js';

// contextsOf returns a map from elements to their contexts: how many levels up the row is, and the
// texts that identify it. els share a role and name; those without a context are missing in the
// map. beside: there may be more elements with this role and name than els.
export function contextsOf(els, beside = false) {
  const found = rowContexts(els, beside);
  if (found.size < els.length) for (const [el, context] of sideContexts(els, beside)) found.set(el, context);
  for (const place of Object.keys(HEADS)) {
    const rest = els.filter((el) => !found.has(el)), heads = rest.length > 1 ? HEADS[place](rest) : new Map();
    if (heads.size < (Number(place) === ANY_BEFORE ? LEAST_BY_TEXT : 2)) continue;
    const keys = keysOf([...heads.values()].map((all) => ({ heads: all, all, changing: [] })));
    [...heads.keys()].forEach((el, i) => {
      if (keys[i].words.length) found.set(el, { up: Number(place), ...keys[i] });
    });
  }
  return found;
}

function rowContexts(els, beside) {
  const found = new Map(), rows = rowsAround(els), words = new Map();
  for (const row of rows.values()) if (!words.has(row)) words.set(row, wordsOfRow(row));
  if (beside && words.size === 1) for (const row of rowsBeside([...words.keys()][0])) words.set(row, wordsOfRow(row));
  if (words.size < 2) return found;
  const keys = keysOf([...words.values()]);
  const byRow = new Map([...words.keys()].map((row, i) => [row, keys[i]]));
  for (const [el, row] of rows) {
    const context = byRow.get(row);
    if (context.words.length) found.set(el, { up: levels(el, row), ...context });
  }
  return found;
}

// HEADS are the kinds of headings that identify elements without a row, or in rows that are alike.
// Their keys are used in a context instead of a number of levels.
const BEFORE = -1, ABOVE = -2, ANY_BEFORE = -3;
const HEADS = {
  [BEFORE]: (els) => headsOf(els, (el, kids) => headsBefore(el, kids)),
  [ABOVE]: (els) => headsOf(els, headAbove),
  [ANY_BEFORE]: (els) => headsOf(els, (el, kids) => headsBefore(el, kids, true)),
};
const LEAST_BY_TEXT = 3; // with only two elements, the texts before them may be unrelated
const NAMING_TAGS = new Set([...HEADING_TAGS, 'dt', 'legend', 'summary', 'strong', 'b']);

function headsOf(els, heads) {
  const found = new Map(), kids = new Map();
  for (const el of els) {
    const words = heads(el, kids);
    if (words.length) found.set(el, words);
  }
  return found;
}

// headsBefore returns the headings between el and the previous element that looks like el, nearest
// first: <h3>Bob</h3> <p>…</p> <button>Delete</button> <h3>Cyd</h3> …, names in a row of their own,
// in a cell that spans rows, or in the item around a list. plain: any text counts. kids caches the
// children of parents and their indexes.
function headsBefore(el, kids, plain = false) {
  const heads = [];
  let left = ROW_NODES;
  const add = (text) => {
    const word = shortened(fold(text));
    if (word) heads.push(word);
    return true;
  };
  // back reads a node from its end. It stops at an element that looks like el: nothing before that
  // belongs to el.
  const back = (node, naming) => {
    if (left-- <= 0) return false;
    if (typeOf(node) === TEXT) return naming ? add(endsOf(dataOf(node))) : true;
    if (typeOf(node) !== ELEMENT) return true;
    const tag = tagOf(node), role = attr(node, 'role');
    if (looksLike(node, el)) return false;
    if (UNSPOKEN.has(tag) || CHANGING_TAGS.has(tag) || CHANGING_ROLES.has(role) || hasAttr(node, 'aria-live')) return true;
    naming ||= NAMING_TAGS.has(tag) || HEADING_ROLES.has(role) || hasAttr(node, 'rowspan');
    const inside = [...flatKids(node)];
    for (let i = inside.length - 1; i >= 0; i--) if (!back(inside[i], naming)) return false;
    return true;
  };
  for (let n = el, around = up(el); around; n = around, around = up(n)) {
    if (!kids.has(around)) {
      const list = [...flatKids(around)];
      kids.set(around, { list, places: new Map(list.map((kid, i) => [kid, i])) });
    }
    const { list, places } = kids.get(around), item = isTag(around, 'li') || attr(around, 'role') === 'treeitem';
    for (let i = places.get(n) - 1; i >= 0; i--) if (!back(list[i], plain || (item && typeOf(list[i]) === TEXT))) return heads;
  }
  return heads;
}

// looksLike is a quick test for the same role and name.
const looksLike = (a, b) => localName.call(a) === localName.call(b) && ['role', 'type', 'aria-label'].every((name) => attr(a, name) === attr(b, name)) && fold(textContentOf(a)) === fold(textContentOf(b));

// headAbove returns the text of the first cell in el's column, as names may be above their buttons.
function headAbove(el) {
  const cell = nearest(el, 'td,th'), row = cell && parentOf(cell), table = row && nearest(row, 'table'), first = table && selectAll[ELEMENT](table, 'tr')[0];
  if (!first || first === row || !isTag(row, 'tr')) return [];
  const cells = [...flatKids(row)].filter((n) => typeOf(n) === ELEMENT), heads = [...flatKids(first)].filter((n) => typeOf(n) === ELEMENT);
  const head = heads.length === cells.length && heads[cells.indexOf(cell)], word = head ? shortened(fold(endsOf(textContentOf(head)))) : '';
  return word ? [word] : [];
}

// leftRow returns the texts of el's row now, if it is no longer the row of context, or null.
export function leftRow(el, context) {
  const form = context.raw ? (text) => text : withoutDigits;
  const heads = context.up in HEADS ? HEADS[context.up]([el]).get(el) ?? [] : null;
  if (heads) return isThere(context.words, heads, form) ? null : heads.slice(0, KEYS);
  let row = el;
  for (let i = 0; row && i < context.up; i++) row = up(row);
  if (!row) return [];
  const read = (part) => readRowWords(part, 4 * ROW_NODES), words = context.sides ? wordsOfParts(row, read) : read(row);
  if (isThere(context.words, [...words.all, ...words.changing], form)) return null;
  return (words.heads.length ? words.heads : words.all).slice(0, KEYS);
}

function isThere(wanted, words, form) {
  const there = new Set(words.map(form));
  return wanted.every((word) => there.has(form(word)));
}
