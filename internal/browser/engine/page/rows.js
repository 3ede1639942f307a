// The rows in which elements are, and the texts that identify a row.
//
// Rows are compared with each other, so that no markup is needed: a text that differs in nearly all
// of them identifies a row, one that only some have (a status) does not. Digits count in the first
// text in which the rows differ at all, and in numbers that look like an id. A counter, a price or
// the minutes since an event may change while the row stays the same.

import { ELEMENT, TEXT, attr, dataOf, hasAttr, localName, nextElement, previousElement, tagOf, typeOf } from './dom.js';
import { flatKids, nearest, up } from './flat.js';
import { cache } from './look.js';
import { NO_TEXT, fold } from './text.js';

export const ROW_AROUND = 'tr,li,article,[role=row],[role=listitem],[role=article],[role=treeitem]';
export const UNSPOKEN = new Set([...NO_TEXT, 'select', 'option', 'svg', 'input']);
export const HEADING_TAGS = new Set(['th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a']);
export const HEADING_ROLES = new Set(['rowheader', 'heading', 'link']);
export const CHANGING_TAGS = new Set(['button', 'time', 'output', 'progress', 'meter']);
export const CHANGING_ROLES = new Set(['button', 'status', 'timer', 'progressbar', 'meter', 'alert', 'log']);
export const ROW_WORDS = 24, ROW_NODES = 200; // texts and nodes of a row that are compared
const WORD = 240; // characters of one text that are compared: its beginning and its end
export const KEYS = 2; // texts that identify a row
const SEPARATING = 4; // most texts that together identify a row
const MOST_DIFFER = 0.8; // share of the rows in which an identifying text must differ
const CLIMBED = 4; // levels above an element that are searched for a text
const BESIDE = 20; // rows that are compared with the one row that was shown

export const withoutDigits = (text) => (/^\W?\p{L}{0,5}[-_ ]?\d{4,}$/u.test(text) ? text : text.replace(/\d+/g, '#'));
const isWorded = (text) => /[\p{L}]/u.test(text) || withoutDigits(text) === text;

// wordsOfRow returns {heads, all, changing, whole}: the headings in row, all its texts, and those
// that are expected to change. whole says that the row was read to its end.
export function wordsOfRow(row) {
  let words = cache.rows.get(row);
  if (!words) cache.rows.set(row, (words = readRowWords(row, ROW_NODES)));
  return words;
}

export function readRowWords(row, most) {
  const words = { heads: [], all: [], changing: [] };
  let left = most, full = false;
  const add = (text, kind) => {
    const word = shortened(fold(text));
    if (!word) return;
    if (kind === 'heads') words.heads.push(word);
    (kind === 'changing' ? words.changing : words.all).push(word);
    full = words.all.length >= most * ROW_WORDS / ROW_NODES;
  };
  const walk = (node, kind) => {
    if (full || left-- <= 0) return;
    if (typeOf(node) === TEXT) return add(endsOf(dataOf(node)), kind);
    if (typeOf(node) !== ELEMENT) return;
    const tag = tagOf(node), role = attr(node, 'role');
    if (UNSPOKEN.has(tag)) return;
    if (tag === 'img') return add(attr(node, 'alt') ?? '', kind);
    if (CHANGING_TAGS.has(tag) || CHANGING_ROLES.has(role) || hasAttr(node, 'aria-live')) kind = 'changing';
    else if (kind === 'all' && (HEADING_TAGS.has(tag) || HEADING_ROLES.has(role))) kind = 'heads';
    for (const kid of flatKids(node)) walk(kid, kind);
  };
  add(attr(row, 'aria-label') ?? '', 'heads');
  for (const kid of flatKids(row)) walk(kid, 'all');
  words.whole = left > 0 && !full;
  return words;
}

// shortened returns a text as rows are compared by it. Names of files, addresses and subjects often
// begin alike, so both ends are kept.
export const shortened = (text) => (text.length <= WORD ? text : `${text.slice(0, WORD / 2)}…${text.slice(1 - WORD / 2)}`);

// endsOf limits how much of a text node is read: one may hold a whole document.
export const endsOf = (data) => (data.length <= 8 * WORD ? data : `${data.slice(0, 4 * WORD)} … ${data.slice(-4 * WORD)}`);

// rowsAround returns a map from each of els, which share a role and name, to its row: an element
// that is marked up as one, else the largest element around it that contains no other of els and
// has siblings of its kind. bare: a row without text counts too.
export function rowsAround(els, bare = false) {
  const owners = new Map(), rows = new Map(); // element -> the one of els in it, or null if there are several
  for (const el of els) {
    for (let n = el; n; n = up(n)) {
      const owned = owners.has(n);
      owners.set(n, owned ? null : el);
      if (owned) break;
    }
  }
  for (const el of els) {
    const around = up(el), marked = around && nearest(around, ROW_AROUND);
    const row = marked || repeated(el, owners, bare);
    if (row) rows.set(el, row);
  }
  return rows;
}

function repeated(el, owners, bare) {
  let row = null;
  for (let n = el; n && owners.get(n) === el; n = up(n)) row = n;
  if (!row || !up(row) || ![previousElement(row), nextElement(row)].some((n) => n && localName.call(n) === localName.call(row))) return null;
  for (let i = 0; row && i < CLIMBED; i++, row = up(row)) {
    if (bare) return row;
    const words = wordsOfRow(row);
    if (!words.whole) return null; // too much text for a row
    if (words.all.length) return row;
  }
  return null;
}

// rowsBeside returns the siblings of row with the same tag.
export function rowsBeside(row) {
  const found = [];
  for (const next of [previousElement, nextElement]) {
    for (let n = next(row); n && found.length < BESIDE; n = next(n)) if (localName.call(n) === localName.call(row)) found.push(n);
  }
  return found;
}

// levels returns how many levels row is above el.
export function levels(el, row) {
  let n = 0;
  for (let at = el; at && at !== row; at = up(at)) n++;
  return n;
}

// keysOf returns {raw, words} for each of rows: the texts that identify it, and whether digits
// count in them.
export function keysOf(rows) {
  const keys = ownKeys(rows);
  addSeparating(rows, keys);
  if (keys.some((key) => key.words.length)) return keys;
  // Only a column that counts distinguishes these rows.
  for (const kind of ['all', 'changing']) {
    const good = differing(rows.map((words) => words[kind]), true, true);
    if (good.length) return keysAt(rows, kind, good, true);
  }
  return keys;
}

// ownKeys returns texts that differ in nearly all of rows.
function ownKeys(rows) {
  for (const kind of ['heads', 'all']) {
    const lead = leading(rows.map((words) => words[kind]));
    if (lead >= 0) return keysAt(rows, kind, [lead], true);
    for (const raw of [false, true]) {
      const good = differing(rows.map((words) => words[kind]), raw);
      if (good.length) return keysAt(rows, kind, good, raw);
    }
  }
  return rows.map(() => ({ raw: false, words: [] }));
}

// addSeparating adds texts to the keys of rows that have the same key, so that they differ: as few
// as possible, and no numbers if other texts suffice.
function addSeparating(rows, keys) {
  const form = (key) => JSON.stringify([key.raw, key.words.map((word) => (key.raw ? word : withoutDigits(word)))]);
  for (const group of Map.groupBy(rows.keys(), (i) => form(keys[i])).values()) {
    if (group.length < 2) continue;
    for (const raw of [false, true]) {
      const { places, texts } = separating(group.map((i) => rows[i].all), raw);
      const seen = Map.groupBy(texts, (text) => text);
      const unique = texts.filter((text) => seen.get(text).length === 1).length;
      if (!raw && unique < group.length) continue;
      group.forEach((i, n) => {
        if (seen.get(texts[n]).length === 1 && places.length) keys[i] = { raw, words: keys[i].words.concat(places.map((at) => rows[i].all[at]).filter((word) => word !== undefined)) };
      });
      break;
    }
  }
}

// separating returns the columns in which rows differ most, taken together, and each row's texts in
// them.
function separating(rows, raw) {
  const form = (word) => (word === undefined ? '' : raw ? word : withoutDigits(word));
  const longest = Math.min(ROW_WORDS, Math.max(...rows.map((words) => words.length)));
  const places = [];
  let texts = rows.map(() => ''), count = 1;
  while (places.length < SEPARATING && count < rows.length) {
    let best = null;
    for (let i = 0; i < longest; i++) {
      const more = texts.map((text, n) => text + '\n' + form(rows[n][i])), different = new Set(more).size;
      if (different > (best?.count ?? count)) best = { i, texts: more, count: different };
    }
    if (!best) break;
    places.push(best.i);
    ({ texts, count } = best);
  }
  return { places, texts };
}

const keysAt = (rows, kind, places, raw) => rows.map((words) => ({ raw, words: places.map((i) => words[kind][i]).filter((word) => word !== undefined) }));

// leading returns the first column in which nearly all rows differ, if its texts are numbered names
// ("Room 11") that differ only in their digits, else -1.
function leading(rows) {
  const [i] = differing(rows, true);
  if (i === undefined) return -1;
  const texts = rows.map((words) => words[i]).filter((word) => word !== undefined);
  return texts.every((text) => NUMBERED.test(text)) && new Set(texts.map(allDigits)).size === 1 ? i : -1;
}

// NUMBERED matches numbered names, and no price, time or amount. One or two digits alone may count
// anything.
const NUMBERED = /^(?:\d{3,}|(?:\p{L}[\p{L}\p{N} _#/-]*|\p{L}+\. ?|#|№ ?)\d+)$/u;
const allDigits = (text) => text.replace(/\d+/g, '#');

// differing returns the columns in which the texts of nearly all rows differ. counting: a column
// that only numbers the rows counts too.
function differing(rows, raw, counting = false) {
  const good = [], longest = Math.min(ROW_WORDS, Math.max(...rows.map((words) => words.length)));
  for (let i = 0; i < longest && good.length < KEYS; i++) {
    const texts = rows.map((words) => words[i]).filter((word) => word !== undefined && (raw || isWorded(word)));
    const different = new Set(raw ? texts : texts.map(withoutDigits));
    if (different.size > 1 && different.size >= MOST_DIFFER * rows.length && (counting || !(raw && isNumbering(texts)))) good.push(i);
  }
  return good;
}

// isNumbering reports whether a column only numbers the rows. Numbers from 100 on are rather ids.
const isNumbering = (texts) => parseInt(texts[0], 10) < 100 && texts.every((text, i) => /^\d{1,3}\.?$/.test(text) && (i === 0 || parseInt(text, 10) === parseInt(texts[i - 1], 10) + 1));
