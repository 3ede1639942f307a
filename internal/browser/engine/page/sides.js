// Lists side by side that show parts of the same rows, such as the fixed columns of a table, or the
// pinned pane of a grid. If one part has no text that identifies its rows, the texts of the other
// parts do.
//
// They are found by structure: lists with equally many rows of one kind, in boxes side by side.
// Only the rows of such pairs are measured.

import { ELEMENT, attr, getter, isTag, localName, nextElement, parentOf, positionOf, previousElement, rectOf, typeOf } from './dom.js';
import { cache } from './look.js';
import { keysOf, levels, rowsAround, rowsBeside, wordsOfRow } from './rows.js';

const SIDE_LEVELS = 6; // levels above a list whose siblings are searched
const SIDE_DEPTH = 6, SIDE_KIDS = 12; // levels, and children in each, that are searched for a list
const SIDE_BOXES = 8; // siblings that are searched on each side
const MOST_SOUGHT = 4000; // elements that one look may search
const SIDE_OFF = 2; // px by which the positions of two parts of a row may differ

const kidCount = getter(Element.prototype, 'childElementCount');
const firstInside = getter(Element.prototype, 'firstElementChild');

// partsBeside returns the other parts of a row.
function partsBeside(row) {
  const list = parentOf(row);
  if (!list || typeOf(list) !== ELEMENT) return [];
  if (!cache.sides.has(list)) cache.sides.set(list, sidesOf(list, row));
  return cache.sides.get(list).map((side) => side.get(row)).filter(Boolean);
}

// sidesOf returns, for each list beside this one, a map from its rows to their other parts.
function sidesOf(list, row) {
  const rows = rowsLike(list, row), sides = [];
  if (rows.length < 2) return sides;
  for (let n = list, i = 0; n && i < SIDE_LEVELS && !isTag(n, 'body') && !sides.length; n = parentOf(n), i++) {
    if (typeOf(n) !== ELEMENT) break;
    for (const next of [previousElement, nextElement]) {
      for (let box = next(n), k = 0; box && k < SIDE_BOXES; box = next(box), k++) {
        const other = listLike(box, row, rows.length, SIDE_DEPTH), side = other && rowByRow(list, rows, other, rowsLike(other, row));
        if (side) sides.push(side);
      }
    }
  }
  return sides;
}

function rowsLike(list, row) {
  const rows = [];
  for (let n = firstInside(list); n; n = nextElement(n)) if (isRowLike(n, row)) rows.push(n);
  return rows;
}

const isRowLike = (n, row) => localName.call(n) === localName.call(row) && attr(n, 'role') === attr(row, 'role');

// listLike returns the first element at or in box with exactly count rows like row, and not many
// other children, or null.
function listLike(box, row, count, depth) {
  if (++cache.sought > MOST_SOUGHT) return null;
  const kids = kidCount(box);
  if (kids >= count && kids <= 2 * count) {
    cache.sought += kids;
    if (rowsLike(box, row).length === count) return box;
  }
  if (!depth) return null;
  for (let n = firstInside(box), i = 0; n && i < SIDE_KIDS; n = nextElement(n), i++) {
    const found = kidCount(n) ? listLike(n, row, count, depth - 1) : null;
    if (found) return found;
  }
  return null;
}

const ROW_KEYS = ['aria-rowindex', 'row-index', 'data-row-key'];

// rowByRow returns a map that pairs the rows of two lists that are side by side: rows with the same
// index attribute, or else at the same height. It returns null if they do not all pair. A pane that
// follows the scrolling of another may lag, so heights are measured within each list.
function rowByRow(list, rows, other, others) {
  const box = rectOf(list), beside = rectOf(other);
  if (Math.min(box.bottom, beside.bottom) - Math.max(box.top, beside.top) < Math.min(box.height, beside.height) / 2) return null;
  for (const key of ROW_KEYS) {
    const byKey = new Map(others.map((row) => [attr(row, key), row])), pairs = new Map(rows.map((row) => [row, byKey.get(attr(row, key))]));
    if (!byKey.has(null) && new Set(pairs.values()).size === rows.length && ![...pairs.values()].includes(undefined)) return pairs;
  }
  const a = stacked(rows), b = stacked(others);
  if (a.some(({ top }, i) => Math.abs(top - b[i].top) > SIDE_OFF)) return null;
  return new Map(a.map(({ row }, i) => [row, b[i].row]));
}

// stacked returns rows from top to bottom, as a grid may have them in another order.
function stacked(rows) {
  const all = rows.map((row) => ({ row, top: rectOf(row).top })).sort((x, y) => x.top - y.top), [first] = all;
  return all.map(({ row, top }) => ({ row, top: top - first.top }));
}

// wordsOfParts returns the texts of a row with those of its other parts, in document order.
export function wordsOfParts(row, read = wordsOfRow) {
  const parts = [row, ...partsBeside(row)].sort((a, b) => (positionOf(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)).map((part) => read(part));
  return { heads: parts.flatMap((w) => w.heads), all: parts.flatMap((w) => w.all), changing: parts.flatMap((w) => w.changing), whole: parts.every((w) => w.whole) };
}

// sideContexts returns the contexts of those of els whose rows have other parts, from the texts of
// all parts.
export function sideContexts(els, beside) {
  const found = new Map(), rows = new Map();
  for (const [el, row] of rowsAround(els, true)) if (partsBeside(row).length) rows.set(el, row);
  const all = new Set(rows.values());
  if (beside && all.size === 1) for (const row of rowsBeside([...all][0])) all.add(row);
  if (all.size < 2) return found;
  const keys = keysOf([...all].map((row) => wordsOfParts(row)));
  const byRow = new Map([...all].map((row, i) => [row, keys[i]]));
  for (const [el, row] of rows) {
    const context = byRow.get(row);
    if (context.words.length) found.set(el, { up: levels(el, row), sides: true, ...context });
  }
  return found;
}
