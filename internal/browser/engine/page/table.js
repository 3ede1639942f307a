// Tables: rows as objects keyed by their header, as a person reads them. A table may consist of
// several elements: header and body apart, or fixed columns beside the rest. Columns and rows that
// one of them hides are shown in another.

import { isCutOut } from './clipped.js';
import { checkVisibility } from './depth.js';
import { describe, mark } from './describe.js';
import {
  TEXT, attr, dataOf, isElement, isTag, matches, ownerOf, queryAll, rectOf, scrollHeightOf, styleOf, textContentOf, topScrolled, typeOf,
} from './dom.js';
import { ancestors, byCSS, flatKids, isInside, nearest, unique, up } from './flat.js';
import { spend } from './limits.js';
import { BUSY, onTop } from './loading.js';
import { Refusal } from './look.js';
import { CASES, roleOf, same, spaced } from './names.js';
import { pointsOf } from './ready.js';
import { DIALOGS } from './roles.js';
import { scrollersOf } from './scrollers.js';
import { SHOWN, cut, fold, readable, textOf } from './text.js';
import { asksOf } from './turns.js';
import { LEAST, isVisible } from './visible.js';

const tableRoles = (css, ...names) => `${css},` + names.map((n) => `[role=${n}]`).join(',');
export const TABLES = tableRoles('table', 'table', 'grid', 'treegrid');
const ROWS = tableRoles('tr', 'row');
const CELLS = tableRoles('td,th', 'cell', 'gridcell', 'columnheader', 'rowheader');

// readTable returns {columns, also, undrawn, rows}: the columns in visual order, and for each row
// its cells by column and, as "at", the 1-based index of the row among the elements of its body,
// for :nth-child. The map "also" leads from other names of columns, with hidden header text, to the
// columns. undrawn: see lacksRows. It throws a Refusal if there is no table, or if it is loading.
export function readTable(el) {
  const parts = tableParts(el);
  if (!parts.length) throw new Refusal(`${describe(el)} is not a table and contains none`, {}, 'always');
  const sign = loadingSigns(parts).find((said) => said !== '');
  if (sign) throw new Refusal(`the table is loading: ${sign}`, { reason: 'loading' }, 'always', { next: 'give the step more time; if the sign never goes away, read the rows with the step extract' });
  const { columns, also, rows } = shownTable(parts);
  const undrawn = lacksRows(parts, rows);
  return { columns, ...(Object.keys(also).length ? { also } : {}), ...(undrawn ? { undrawn } : {}), rows: rows.map(({ at, cells }) => ({ at, cells })) };
}

// lacksRows reports whether a table has more rows than are in the document: aria-rowcount says so,
// and the scrolling box has room for a row before or after them, as in a virtual list.
function lacksRows(parts, rows) {
  const counts = parts.map(({ table }) => nearest(table, '[aria-rowcount]')).filter(Boolean).map((el) => Number(attr(el, 'aria-rowcount')));
  const heads = Math.max(0, ...parts.map(({ head }) => head.length));
  if (!rows.length || !counts.some((n) => n < 0 || n > rows.length + heads)) return false;
  const first = rectOf(rows[0].els[0]), last = rectOf(rows.at(-1).els[0]), [box] = scrollersOf([rows[0].els[0]]);
  if (!box) return false;
  const from = rectOf(box).top - topScrolled(box), to = from + scrollHeightOf(box);
  return to - (last.top + last.height) > 0.9 * last.height || (topScrolled(box) > 0 && first.top - from > (heads + 1.9) * first.height);
}

const DRAWN = 4; // frames in which a page draws the content of a response
const DRAWN_LATE = 1200; // ms for that if the page has started a timer since the last reading
let asksOfTable = null; // asksOf when a table was last read

// noteTable records which timers and frames the page has requested when a table is read.
export function noteTable(el) {
  asksOfTable = asksOf(el);
}

// readOther reads a table that must show other rows than before, and at least one. The text of the
// table is compared first, because attempts follow each other quickly and tables may have thousands
// of rows. drawn: the page has all its data; the table is then read as it is after some frames, or
// later if a timer may change it.
export function readOther(el, { before, drawn }, st) {
  const refuse = (message) => { throw new Refusal(message, { reason: 'same_rows' }, 'always', { next: 'check whether the page should show other rows' }); };
  const text = textContentOf(el) + orderOf(el), over = drawn && st.frame >= DRAWN && (st.spent >= DRAWN_LATE || !(asksOf(el)?.timers > asksOfTable?.timers));
  if (drawn && st.frame < DRAWN / 2) refuse('the page may still be updating the table');
  if (!over && st.sameText === text) refuse('the table still shows the same rows');
  const value = readTable(el), rows = value.rows;
  const isAs = (cells, old) => Object.keys(cells).length === Object.keys(old).length && Object.entries(cells).every(([name, said]) => Object.hasOwn(old, name) && old[name] === said);
  if (rows.length && !(rows.length === before.length && rows.every(({ cells }, i) => isAs(cells, before[i])))) return value;
  if (over) return { ...value, same: true };
  st.sameText = text;
  return refuse(rows.length ? 'the table still shows the same rows' : 'the table shows no rows');
}

// orderOf returns the numbers of the rows in el, in the order of the document.
const orderOf = (el) => queryAll(el, '[aria-rowindex]').map((row) => attr(row, 'aria-rowindex')).join();

// byRow returns the rows that show a text in any cell or, with part.attrs, exactly the given text
// in each named column. A row of a table in several parts has one element in each.
export function byRow(part, within) {
  const one = (text) => String(text).replace(/\s+/g, ' ').trim();
  const want = one(part.value ?? ''), wanted = part.attrs ?? [];
  const inTable = ({ also, rows }) => {
    const column = (name) => (Object.hasOwn(also, name) ? also[name] : name);
    const passes = ({ cells }) => (wanted.length ? wanted.every(({ name, value }) => Object.hasOwn(cells, column(name)) && one(cells[column(name)]) === one(value))
      : Object.values(cells).some((text) => one(text).includes(want)));
    return rows.filter(passes).flatMap((row) => row.els);
  };
  return unique(within.flatMap((el) => inTable(shownTable(tableParts(el)))), true);
}

function shownTable(parts) {
  const all = [], rows = [], pairs = paired(parts), bare = !pairs.some(({ head }) => head.some(Boolean));
  for (const [part, { head: own, body }] of pairs.entries()) {
    const head = bare ? firstCells(body) : own, from = all.length;
    const column = (cell, j, title) => ({ part, of: cell, ...(bare ? { name: String(from + j + 1) } : title), x: rectOf(cell).left, cutOff: isCutOff(cell) && isCutOff(body[0]?.cells[j]) });
    const wide = Math.max(head.length, own.some(Boolean) ? Math.max(0, ...body.map((row) => row.cells.length)) : 0);
    const names = Array.from({ length: wide }, (_, j) => {
      if (head[j]) return isVisible(head[j]) ? column(head[j], j, columnTitle(head[j])) : null;
      if (!own.some(Boolean)) return null;
      const cell = body.find((row) => row.cells[j] && row.cells[j] !== row.cells[j - 1] && isVisible(row.cells[j]))?.cells[j];
      return cell ? column(cell, j, { name: '' }) : null; // a column without a header cell
    });
    all.push(...names.filter(Boolean));
    body.forEach((row, i) => {
      rows[i] ??= { at: row.at, els: [], cells: [] };
      rows[i].els.push(row.el);
      row.cells.forEach((cell, j) => {
        if (!names[j] || !cell) return;
        const text = cellText(cell);
        names[j].holds ||= text !== '';
        rows[i].cells.push({ column: names[j], text });
      });
    });
  }
  // What one part of the table clips, another part for the fixed columns shows.
  const isShown = (c) => !c.cutOff || !all.some((other) => !other.cutOff && other.part !== c.part && other.name === c.name);
  const columns = all.filter(isShown).sort((a, b) => a.x - b.x);
  columns.forEach((c, i) => { if (!c.name && c.holds) c.name = String(i + 1); });
  const keys = uniqueKeys(columns), called = new Set(keys.values());
  return {
    also: {
      ...Object.fromEntries(columns.filter((c) => c.full && keys.has(c) && !called.has(c.full)).map((c) => [c.full, keys.get(c)])),
      ...firstOfOneName(columns, keys, called),
    },
    columns: columns.map((c) => keys.get(c)).filter(Boolean),
    rows: rows.map(({ at, els, cells }) => ({ at, els, cells: Object.fromEntries(cells.filter((c) => keys.get(c.column)).map((c) => [keys.get(c.column), c.text])) })),
  };
}

// columnTitle returns {name, full} of a header cell: name is its visible text, without lists,
// fields, icons and sort marks; full includes text only for screen readers, if that differs.
function columnTitle(cell) {
  const full = textOf(cell), isAside = (el) => matches(el, FIELDS_OF_CELL) || matches(el, ICONS);
  const aside = byCSS([cell], '*').filter((el) => textContentOf(el) !== '' && (isAside(el) || isForReaders(el)));
  if (!aside.length) return { name: unsorted(full) };
  const seen = fold(textBeside(cell, new Set(aside))), spoken = fold(textBeside(cell, new Set(aside.filter(isAside))));
  if (!seen && !spoken) return { name: full };
  return { name: unsorted(seen || spoken), full: seen && spoken !== seen ? unsorted(spoken) : '' };
}

// In icon fonts, the name of an icon is its text.
const ICONS = 'i[aria-hidden=true],[class*=icon i][aria-hidden=true]';
const unsorted = (name) => name.replace(/\s*[\u2190-\u2193\u2195\u21C5\u21F5\u25B2\u25B4\u25BC\u25BE\u2B06\u2B07]+\uFE0F?$/u, '') || name;
const FIELDS_OF_CELL = 'input,textarea,select,[role=combobox],[role=listbox],[role=textbox],[role=searchbox]';

// isForReaders reports whether an element is clipped, as texts for screen readers are.
function isForReaders(el) {
  const css = styleOf(el), box = rectOf(el);
  return isCutOut(el, css) || ((box.width <= LEAST || box.height <= LEAST) && /hidden|clip/.test(css.overflowX + css.overflowY));
}

// textBeside returns the text of an element without that of the elements in aside.
export function textBeside(el, aside) {
  let text = '';
  for (const kid of flatKids(el)) {
    if (typeOf(kid) === TEXT) text += styleOf(el).visibility === 'visible' ? (CASES[styleOf(el).textTransform] ?? same)(dataOf(kid)) : '';
    else if (isElement(kid) && isTag(kid, 'br')) text += ' ';
    else if (isElement(kid) && !aside.has(kid) && checkVisibility(kid, SHOWN)) text += spaced(kid, textBeside(kid, aside));
  }
  return text;
}

// firstCells returns the cells that replace the header of a table without one. Its columns get
// numbers.
function firstCells(body) {
  const cells = [];
  for (const row of body) row.cells.forEach((cell, j) => { cells[j] ??= cell; });
  return [...cells];
}

// cellText returns what a cell shows, with the values of its fields at their positions: innerText
// would include all options of a list.
export function cellText(el) {
  if (matches(el, TEXT_FIELDS) || !byCSS([el], TEXT_FIELDS).length) return readable(el);
  const parts = [...flatKids(el)].map((kid) => {
    if (isElement(kid)) return byCSS([kid], TEXT_FIELDS).length || mayShow(kid) ? cellText(kid) : '';
    return typeOf(kid) === TEXT && styleOf(el).visibility === 'visible' ? fold(dataOf(kid)) : '';
  });
  return parts.filter(Boolean).join(' ');
}

const TEXT_FIELDS = 'input:not([type=hidden],[type=checkbox],[type=radio],[type=file],[type=password]),textarea,select';

// A box around floats has no size but shows them; a box that hides its overflow shows nothing then.
const mayShow = (el) => isVisible(el) || (checkVisibility(el, SHOWN) && !/hidden|clip/.test(styleOf(el).overflowX));

// isCutOff reports whether a cell is outside of a box that hides its overflow, where scrolling
// cannot bring it into view.
function isCutOff(cell) {
  if (!cell) return false;
  const at = rectOf(cell);
  for (const n of ancestors(up(cell))) {
    const overflow = styleOf(n).overflowX;
    if (/auto|scroll/.test(overflow)) return false;
    const box = rectOf(n);
    if (/hidden|clip/.test(overflow) && (at.left >= box.right || at.right <= box.left)) return true;
  }
  return false;
}

// tableParts returns the tables at or in el with their header and body rows.
function tableParts(el) {
  const all = (isElement(el) && matches(el, TABLES) ? [el] : []).concat(byCSS([el], TABLES));
  // A table inside a cell is content of that cell.
  const tables = new Set(all), outer = all.filter((t) => !isInCellOf(t, tables)), places = new Map();
  return outer.map((table) => {
    const own = byCSS([table], ROWS).filter((row) => nearest(up(row), TABLES) === table && isVisible(row));
    const head = headRows(own), heads = new Set(head);
    const hasCells = head.length > 0 || own.some((row) => ownCells(row).length > 1);
    const body = own.filter((row) => !heads.has(row) && !(isNothing(row) || (hasCells && (isNote(row) || isHeadAgain(row, head)))));
    return { table, own, head, body: asShown(body).map((row) => ({ at: indexOf(row, places), row })) };
  }).filter((t) => t.head.length || t.body.length);
}

// asShown returns rows as they are shown. A library that positions each row by a style may leave
// them in the document as they came first. Their numbers count, if they have them: rows that still
// move are between two positions.
function asShown(rows) {
  if (rows.length < 2 || rows.some((row) => styleOf(row).position !== 'absolute')) return rows;
  const numbers = rows.map((row) => Number(attr(row, 'aria-rowindex') ?? NaN)), isNumbered = numbers.every(Number.isInteger);
  if (isNumbered && new Set(numbers).size < rows.length) return rows; // rows of fixed columns have the numbers of others
  const tops = new Map(rows.map((row, i) => [row, isNumbered ? numbers[i] : rectOf(row).top]));
  return [...rows].sort((a, b) => tops.get(a) - tops.get(b));
}

// loadingSigns returns for each table what shows that its rows are still loading, or ''.
function loadingSigns(parts) {
  if (!parts.length) return [];
  const drawn = (el) => isVisible(el) && [...ancestors(el)].every((n) => !isElement(n) || styleOf(n).opacity !== '0');
  const signs = byCSS([ownerOf(parts[0].table)], `${BUSY},${TABLE_BUSY}`).filter(drawn);
  return parts.map((part) => loadingSign(part, signs));
}

function loadingSign({ table, own, head, body }, signs) {
  const busy = nearest(table, '[aria-busy=true]');
  if (busy) return `${mark(busy)} has aria-busy`;
  const rest = own.filter((row) => !head.includes(row)), isAlone = (row) => ownCells(row).length === 1 && isLoadingText(textOf(row));
  if (rest.length && rest.every(isAlone)) return JSON.stringify(cut(textOf(rest[0]), 60));
  const box = rectOf(table), holds = () => body.some(({ row }) => ownCells(row).some((cell) => cellText(cell) !== ''));
  const isOf = (el) => {
    // In a table with text, a sign inside a cell is only about that cell.
    if (isInside(el, table)) return !(nearest(el, CELLS) && holds());
    const dialog = nearest(el, DIALOGS), at = rectOf(el);
    if (isInside(table, el) || (dialog && !isInside(table, dialog)) || !(holdsMiddle(box, at) || holdsMiddle(at, box))) return false;
    return onTop(el) || styleOf(el).pointerEvents === 'none' || !pointsOf(el).length;
  };
  const sign = signs.find(isOf);
  return sign ? `${mark(sign)} is shown` : '';
}

const TABLE_BUSY = '[class*=skeleton i],.spinner-border,.spinner-grow,.placeholder-glow,.MuiLinearProgress-indeterminate,.dataTables_processing,.dt-processing,'
  + '.p-datatable-loading-overlay,.p-datatable-mask,.ag-overlay-loading-wrapper,.k-loading-mask';

const holdsMiddle = (box, of) => {
  const x = (of.left + of.right) / 2, y = (of.top + of.bottom) / 2;
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
};

const LOADING_TEXT = new RegExp('^[\\p{P}\\p{S}\\s]*(?:(?:now )?(?:loading|fetching)(?![\\p{L}-])|please wait|wird geladen|lädt|daten werden geladen|laden|chargement|cargando|carregando|caricamento'
  + '|загрузка|ładowanie|(?:正在)?(?:数据)?(?:加载中|载入中|读取中)|正在(?:加载|载入|读取)|读取中|請稍候|请稍候|載入中|読み込み中|ロード中|로딩|불러오는)', 'iu');
const isLoadingText = (text) => text.length <= 60 && LOADING_TEXT.test(text) && !/fail|error|fehl|erreur|échou|失败|失敗|エラー|실패/i.test(text);

// headRows returns the header rows of a table: those in a thead, else the leading rows of header
// cells alone. A title over all columns is no header if there are others.
function headRows(own) {
  const marked = own.filter((row) => nearest(row, 'thead'));
  if (marked.some((row) => ownCells(row).length)) return marked;
  const first = own.findIndex((row) => ownCells(row).length && !hasHeadersOnly(row));
  const before = own.slice(0, first < 0 ? own.length : first), leading = before.filter(hasHeadersOnly);
  const heads = leading.length ? leading : own.filter(hasHeadersOnly);
  const hasTitles = heads.some((row) => ownCells(row).length > 1) && !heads.some((row) => ownCells(row).some((c) => span(c, 'rowspan') > 1));
  return marked.concat(hasTitles ? heads.filter((row) => !isNote(row)) : heads);
}

const hasHeadersOnly = (row) => {
  const cells = ownCells(row);
  const isHeader = (c) => roleOf(c) === 'columnheader';
  return cells.some(isHeader) && !nearest(row, 'tfoot') && cells.every((c) => isHeader(c) || (textOf(c) === '' && !isTag(row, 'tr')));
};

// isHeadAgain reports whether a row of header cells is the name of a group of rows, or repeats the
// header.
const isHeadAgain = (row, head) => {
  if (!head.length || !hasHeadersOnly(row)) return false;
  const names = ownCells(row).map(textOf);
  const isSame = (other) => names.length === other.length && names.every((name, j) => name === other[j]);
  return (names.length === 1 && ownCells(head.at(-1)).length > 1) || head.some((above) => isSame(ownCells(above).map(textOf)));
};

// isNote reports whether a row is a single cell over all columns: it says that there are no rows,
// or belongs to the row before it.
const isNote = (row) => {
  const cells = ownCells(row);
  return cells.length === 1 && Number(attr(cells[0], 'colspan') ?? attr(cells[0], 'aria-colspan') ?? 1) > 1;
};
// isNothing reports whether a row is the placeholder with which a library says that there are no
// rows.
const isNothing = (row) => matches(row, '[class*=-table-placeholder]') || byCSS([row], '.dataTables_empty,.dt-empty').length > 0;
const ownCells = (row) => byCSS([row], CELLS).filter((c) => nearest(up(c), ROWS) === row);

// indexOf returns the 1-based index of a row among its siblings. places caches the indexes by
// parent.
function indexOf(row, places) {
  const around = up(row);
  if (!places.has(around)) places.set(around, new Map([...flatKids(around)].filter(isElement).map((el, i) => [el, i + 1])));
  return places.get(around).get(row) ?? 0;
}

// isInCellOf reports whether a table is inside a cell of one of tables.
function isInCellOf(table, tables) {
  let inCell = false;
  for (const n of ancestors(up(table))) {
    spend();
    if (inCell && tables.has(n)) return true;
    inCell ||= matches(n, CELLS);
  }
  return false;
}

// grid returns rows as lists of cells; a cell that spans several columns or rows is in each of
// them. first is the number of the first column if the cells give their column by aria-colindex:
// such rows may lack columns, or have them in another order.
function grid(rows, first = null) {
  const out = rows.map(() => []);
  rows.forEach((row, i) => {
    let j = 0;
    for (const [k, cell] of ownCells(row).entries()) {
      const number = first === null ? null : columnNumber(cell) ?? (k ? null : columnNumber(row));
      if (number !== null) j = number - first;
      while (out[i][j]) j++;
      const wide = span(cell, 'colspan'), high = span(cell, 'rowspan');
      for (let y = i; y < Math.min(i + high, rows.length); y++) for (let x = j; x < j + wide; x++) out[y][x] = cell;
      j += wide;
    }
  });
  return out.map((cells) => Array.from(cells)); // without holes
}

const MOST_COLUMNS = 10000;

function columnNumber(el) {
  const said = attr(el, 'aria-colindex'), number = Number(said);
  return said !== null && said.trim() !== '' && Number.isInteger(number) && number >= 0 && number <= MOST_COLUMNS ? number : null;
}

const columnNumbers = (rows) => rows.flatMap((row) => [row, ...ownCells(row)]).map(columnNumber).filter((n) => n !== null);

// firstColumn returns the number of the first column, or null if the cells of a body count by their
// position. aria-colindex counts if the header has it too, or if the body has numbers within its
// columns.
function firstColumn(head, body) {
  const inHead = columnNumbers(head), inBody = columnNumbers(body);
  if (!inBody.length || (head.length && !inHead.length && Math.max(...inBody) > Math.max(...grid(head).map((row) => row.length)))) return null;
  return inHead.includes(0) || inBody.includes(0) ? 0 : 1;
}

const span = (cell, name) => Math.min(Math.max(Number(attr(cell, name) ?? attr(cell, `aria-${name}`) ?? 1) || 1, 1), 1000);

// headCells returns the header cell of each column from a header of several rows: the lowest one
// with a title. Rows below the titles may contain filter fields, or nothing.
function headCells(rows, first) {
  const cells = grid(rows, first), out = [];
  const spans = (i) => cells[i].some((cell, j) => cell && cell === cells[i][j + 1]);
  const hasFields = rows.map((row) => byCSS([row], FIELDS_OF_CELL).length > 0);
  const buttonsName = (i) => i === 0 || (!hasFields[i] && cells.slice(0, i).some((_, above) => spans(above)));
  const isTitle = (cell, i) => {
    if (!isVisible(cell) || !columnTitle(cell).name) return false;
    return buttonsName(i) || cells[i - 1].includes(cell) || fold(textBeside(cell, new Set(byCSS([cell], `${FIELDS_OF_CELL},button,[role=button]`)))) !== '';
  };
  for (let j = 0; j < Math.max(0, ...cells.map((row) => row.length)); j++) {
    const levels = cells.map((row, i) => ({ cell: row[j], i })).filter(({ cell }) => cell).reverse();
    const lowest = levels[0]?.cell ?? null;
    const isAlone = ({ cell, i }) => cells[i][j - 1] !== cell && cells[i][j + 1] !== cell;
    const usable = lowest && !isVisible(lowest) ? levels.filter(isAlone) : levels; // a hidden column below a title that spans several
    out[j] = usable.find(({ cell, i }) => isTitle(cell, i))?.cell ?? lowest;
  }
  return out;
}

// paired returns each body with its header: that of its own table, else of the table before it.
function paired(parts) {
  const out = [];
  let head = [];
  for (const part of parts) {
    if (part.head.length) head = part.head;
    if (!part.body.length) {
      out.push({ head: [], body: [] });
      continue;
    }
    const rows = part.body.map((b) => b.row), first = firstColumn(head, rows), cells = grid(rows, first);
    const names = head.length ? headCells(head, first) : cells[0].map(() => null);
    out.push({ head: names, body: part.body.map((b, i) => ({ at: b.at, el: b.row, cells: cells[i] })) });
    head = [];
  }
  if (head.length && out.every((p) => !p.body.length)) out.push({ head: headCells(head, firstColumn(head, head)), body: [] });
  return out;
}

// firstOfOneName returns the extra name "name (1)" for the first of several columns with the same
// title. A single title that spans columns names the first of them as it is.
function firstOfOneName(columns, keys, called) {
  const names = columns.filter((c) => {
    const key = keys.get(c), next = key && columns.find((other) => keys.get(other) === `${key} (2)`);
    return next && next.of !== c.of && !called.has(`${key} (1)`);
  }).map((c) => keys.get(c));
  return Object.fromEntries(names.map((name) => [`${name} (1)`, name]));
}

// uniqueKeys returns a unique name for each column: from the second one with the same title on, a
// number is added.
function uniqueKeys(columns) {
  const keys = new Map(), count = {};
  for (const c of columns) {
    if (!c.name) continue;
    count[c.name] = (count[c.name] ?? 0) + 1;
    keys.set(c, count[c.name] > 1 ? `${c.name} (${count[c.name]})` : c.name);
  }
  return keys;
}
