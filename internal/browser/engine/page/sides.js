// Lists beside each other that show parts of the same rows, such as the fixed columns of a table
// and the pinned pane of a grid. Where one part has no text of its own that identifies its rows,
// the texts of the other parts do.
//
// They are found by structure: lists with equally many rows of one kind, in boxes beside each
// other. Only the rows of such pairs are measured.

import { ELEMENT, attr, getter, isTag, localName, nextElement, parentOf, positionOf, previousElement, rectOf, typeOf } from './dom.js';
import { cache } from './look.js';
import { keysOf, levels, rowsAround, rowsBeside, wordsOfRow } from './rows.js';

const SIDE_LEVELS = 6; // from a list up to what is beside the box around it
const SIDE_DEPTH = 6, SIDE_KIDS = 12; // levels, and children of each, in which a list is sought
const SIDE_BOXES = 8; // boxes beside one, on each side
const MOST_SOUGHT = 4000; // elements of a look
const SIDE_OFF = 2; // px by which the heights of two parts of a row may differ

const kidCount = getter(Element.prototype, 'childElementCount');
const firstInside = getter(Element.prototype, 'firstElementChild');

// partsBeside lists the other parts of a row, in document order.
function partsBeside(row) {
  const list = parentOf(row);
  if (!list || typeOf(list) !== ELEMENT) return [];
  if (!cache.sides.has(list)) cache.sides.set(list, sidesOf(list, row));
  return cache.sides.get(list).map((side) => side.get(row)).filter(Boolean);
}

// sidesOf gives the rows of a list their other parts: a map for each list beside it.
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

// listLike is the first element in box, or box itself, with so many rows like row, and not many
// other children.
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

// rowByRow pairs the rows of two lists that stand beside each other, where each has one in the
// other with its number, or else at its height. A pane that follows the scrolling of another may
// be late: heights count within the lists.
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

// stacked lists rows from top to bottom: a grid may have them in another order.
function stacked(rows) {
  const all = rows.map((row) => ({ row, top: rectOf(row).top })).sort((x, y) => x.top - y.top), [first] = all;
  return all.map(({ row, top }) => ({ row, top: top - first.top }));
}

// wordsOfParts are the texts of a row with those of its other parts, in document order.
export function wordsOfParts(row, read = wordsOfRow) {
  const parts = [row, ...partsBeside(row)].sort((a, b) => (positionOf(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)).map((part) => read(part));
  return { heads: parts.flatMap((w) => w.heads), all: parts.flatMap((w) => w.all), changing: parts.flatMap((w) => w.changing), whole: parts.every((w) => w.whole) };
}

// sideContexts gives those of els whose rows have parts beside them their contexts by all parts.
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
