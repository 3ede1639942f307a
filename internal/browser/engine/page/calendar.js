// Calendars: the months that one shows, the cell of a day, and the buttons that change the month,
// found by the numbers of the days, the words of the caption, and the positions of the buttons.

import { valueOf } from './controls.js';
import { checkVisibility } from './depth.js';
import {
  ELEMENT, attr, dataOf, hasAttr, isInput, isSelected, isTag, matches, optionText, ownerOf, parentOf, rectOf, selectOptions, selectValue, styleOf,
  tagOf, textContentOf, typeOf,
} from './dom.js';
import { ancestors, byCSS, inOrder, isInside, nearest, rootsIn, up } from './flat.js';
import { nameOf } from './names.js';
import { numberOf } from './numbers.js';
import { disabledBy, hitAt, isDisabledClass } from './ready.js';
import { pinned } from './refs.js';
import { NO_TEXT, SHOWN, core, fold } from './text.js';
import { isVisible } from './visible.js';
import { nextText, textsBelow } from './words.js';

const MOST_UP = 9; // levels around the days that are searched for the caption and the buttons
const CALENDAR_HEADS = 'th:not([colspan]:not([colspan="1"])),[role=columnheader],[role=rowheader],[class*=weekday i],[class*=week-day i],[class*=dayname i],[class*=day-name i],[class*=weeknumber i],[class*=week-number i]';
const NO_CAPTION = `option,${[...NO_TEXT].join(',')}`;
const LISTED = 'option,[role=menu]', LISTS = '[role=listbox]', OPTION = '[role=option]';
const DATED = ['data-date', 'data-day', 'data-iso', 'data-value', 'data-timestamp', 'data-time', 'data-ts', 'datetime', 'title', 'aria-label'];

// Names of months.

const MONTH_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'sk', 'hu', 'ro', 'tr', 'ru', 'uk', 'el', 'id', 'vi', 'zh', 'ja', 'ko'];
const monthNames = new Map(); // language -> Map of a folded name to its month

const plainWord = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\./g, '').trim();

/** @type {Intl.DateTimeFormatOptions[]} */
const MONTH_FORMS = [{ month: 'long' }, { month: 'short' }, { month: 'long', day: 'numeric' }, { month: 'short', day: 'numeric' }];

function namesOfMonths(lang) {
  if (monthNames.has(lang)) return monthNames.get(lang);
  const names = new Map();
  for (const form of MONTH_FORMS) {
    const format = new Intl.DateTimeFormat(lang, { ...form, timeZone: 'UTC' });
    for (let m = 1; m <= 12; m++) {
      const name = plainWord(format.formatToParts(new Date(Date.UTC(2023, m - 1, 15))).find((p) => p.type === 'month')?.value ?? '');
      if (!/\p{L}/u.test(name) || /\d/.test(name) || /^[a-z]$/.test(name)) continue;
      names.set(name, m);
      if (form === MONTH_FORMS[0] && /^[a-z]{5,}$/.test(name)) {
        for (const short of [name.slice(0, 3), name.slice(0, 4)]) if (!names.has(short)) names.set(short, m);
      }
    }
  }
  monthNames.set(lang, names);
  return names;
}

function isLanguage(tag) {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

function languagesOf(el) {
  const said = nearest(el, '[lang]'), own = [said && attr(said, 'lang'), navigator.language].filter((l) => l && isLanguage(l));
  return [...new Set([...own.slice(0, 1), 'en', ...own.slice(1), ...MONTH_LANGUAGES])];
}

const HAN_MONTHS = ['十二', '十一', '十', '九', '八', '七', '六', '五', '四', '三', '二', '一'];
const plainDigits = (text) => text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (c) => String(c.charCodeAt(0) & 15))
  .replace(/(十二|十一|[一二三四五六七八九十])\s*月/g, (_, n) => `${12 - HAN_MONTHS.indexOf(n)}月`);

// monthWords returns the months that a text names, in the first language that knows any.
function monthWords(text, langs) {
  const words = plainWord(plainDigits(text).replace(/(\d)(st|nd|rd|th|er|º|ª)(?!\p{L})/giu, '$1 ')).match(/\p{L}+/gu) ?? [];
  for (const lang of langs) {
    const names = namesOfMonths(lang), found = words.filter((w) => names.has(w)).map((w) => names.get(w));
    if (found.length) return found;
  }
  return [];
}

const validMonth = (y, m) => y >= 1000 && y <= 2999 && m >= 1 && m <= 12;
const lengthOf = (y, m) => new Date(Date.UTC(y, m, 0)).getUTCDate();
const monthText = ({ y, m }) => (m ? `${y}-${String(m).padStart(2, '0')}` : String(y));

// monthYears returns the months with their years, {y, m}, that a caption names, each once.
function monthYears(text, langs) {
  const t = plainDigits(text), found = [];
  const add = (y, m) => validMonth(y, m) && !found.some((f) => f.y === y && f.m === m) && found.push({ y, m });
  const cjk = [...t.matchAll(/(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]/g)];
  for (const [, y, m] of cjk) add(+y, +m);
  if (found.length) return found;
  const word = plainWord(t);
  for (const lang of langs) {
    const names = namesOfMonths(lang);
    for (const [, name, year] of word.matchAll(/(?<!\p{L})(\p{L}+)(?:\s*,?\s+|\s+(?:de|of|del)\s+)(\d{4})(?!\d)/gu)) if (names.has(name)) add(+year, names.get(name));
    for (const [, year, name] of word.matchAll(/(?<!\d)(\d{4})[\s,.]+(\p{L}+)/gu)) if (names.has(name) && !found.length) add(+year, names.get(name));
    if (found.length) return found;
  }
  const years = [...new Set([...t.matchAll(/(?<!\d)(1[89]\d\d|2[01]\d\d)(?!\d)/g)].map(([, y]) => +y))];
  if (years.length === 1) {
    const counted = [...t.matchAll(/(?<!\d)(\d{1,2})\s*[月월]/g)].map(([, m]) => +m), named = counted.length ? counted : monthWords(t, langs);
    for (const m of new Set(named)) add(years[0], m);
    if (found.length) return found;
  }
  for (const [, y, m] of t.matchAll(/(?<!\d)(\d{4})\s*[-/.]\s*(\d{1,2})(?!\s*[-/.]?\d)/g)) add(+y, +m);
  for (const [, m, y] of t.matchAll(/(?<![\d/.-])(\d{1,2})\s*[-/.]\s*(\d{4})(?!\d)/g)) add(+y, +m);
  return found;
}

const QUARTER = '[qtkк]\\s?([1-4])|([1-4])\\s?q|([1-4])(?:er|e|eme|\\.|-[ий])?\\s?(?:trim(?:estre|\\.)?|quartal|kvartal|kv\\.|kvt\\.?|кв\\.|квартал|분기|季度?)|第([1-4一二三四])季度?';
const WHOLE_QUARTER = new RegExp(`^(?:${QUARTER})$`, 'iu'), SOME_QUARTER = new RegExp(`(?<![\\p{L}\\d])(?:${QUARTER})(?![\\p{L}\\d])`, 'iu');

// quarterOf returns the quarter, 1 to 4, that a text names by a pattern, or null.
function quarterOf(text, pattern = WHOLE_QUARTER) {
  const [, ...groups] = pattern.exec(plainDigits(text).trim().replace(/\u00e8/g, 'e')) ?? [], n = groups.find(Boolean);
  if (!n) return null;
  return Number(n) || '一二三四'.indexOf(n) + 1;
}

const yearsIn = (text) => [...new Set([...plainDigits(text).matchAll(/(?<!\d)(1[89]\d\d|2[01]\d\d)(?!\d)/g)].map(([, y]) => +y))];

// namesQuarter reports whether a text names a quarter of a year, or the day or month that it begins with.
function namesQuarter(text, { y, q }, langs) {
  const named = quarterOf(text, SOME_QUARTER), m = q * 3 - 2;
  if (named !== null) return named === q && yearsIn(text).includes(y);
  return namesDay(text, { y, m, d: 1 }, langs) || namesDay(text, { y, m, d: 0 }, langs);
}

// namesDay reports whether a text may name a day (a month if d is 0), in any format.
function namesDay(text, { y, m, d }, langs) {
  const whole = plainDigits(text), years = yearsIn(whole);
  const pieces = [whole, ...whole.split(/\s+[-\u2013\u2014~]\s+|\s*[\u2013\u2014~\u2192]\s*|\s(?:to|bis|au|al|a|tot)\s|至|到/).filter((_, i, all) => all.length > 1)];
  return pieces.some((piece, i) => (i > 0 || pieces.length === 1) && pieceNames(piece, { y, m, d }, langs, years));
}

function pieceNames(piece, { y, m, d }, langs, years) {
  const text = piece.replace(/\d{1,2}:\d\d(:\d\d)?(\.\d+)?/g, ' ').replace(/(\d)(st|nd|rd|th|er|º|ª)(?!\p{L})/giu, '$1 ');
  const numbers = [...text.matchAll(/\d+/g)].map(([n]) => n), short = String(y).slice(-2);
  const own = yearsIn(text), inYear = own.length ? own.includes(y) : years.length ? years.includes(y) : null;
  const rest = numbers.filter((n) => n.length <= 2).map(Number);
  const named = monthWords(text, langs);
  if (named.length) {
    if (!named.includes(m) || inYear === false) return false;
    if (d === 0) return inYear === true;
    if (inYear) return rest.includes(d);
    return rest.includes(d) && (rest.length === 1 || (rest.length === 2 && numbers.includes(short)));
  }
  if (/[月월]/.test(text)) {
    const month = Number(/(\d{1,2})\s*[月월]/.exec(text)?.[1]), day = Number(/[月월]\s*(\d{1,2})/.exec(text)?.[1]);
    return inYear !== false && month === m && (d === 0 || day === d);
  }
  const [a, b, c] = numbers.map(Number);
  if (numbers.length >= 2 && numbers[0].length === 4) return a === y && b === m && (d === 0 ? numbers.length === 2 || numbers.length === 3 : c === d);
  if (numbers.length === 1 && numbers[0].length === 8 && d) return [`${y}MD`, 'MDY', 'DMY'].some((f) => f.replace('MD', padded(m) + padded(d)).replace('DM', padded(d) + padded(m)).replace(/Y$/, y) === numbers[0]);
  if (d === 0) return numbers.length === 2 && a === m && (b === y || numbers[1] === short);
  if (numbers.length < 3 || !(c === y || numbers[2] === short)) return false;
  return (a === d && b === m) || (a === m && b === d && !/^\D*\d+\./.test(text));
}

const padded = (n) => String(n).padStart(2, '0');

// Cells.

// labelsIn returns {el, text} of each element that shows only a number or the name of a month or
// quarter.
function labelsIn(el) {
  const found = [], seen = new Set();
  for (const root of rootsIn(el)) {
    const walk = textsBelow(root);
    for (let node = nextText(walk); node; node = nextText(walk)) {
      const data = dataOf(node);
      if (data.length > 24) continue;
      const text = plainDigits(data).trim(), around = parentOf(node);
      if (!text || !around || typeOf(around) !== ELEMENT || NO_TEXT.has(tagOf(around)) || seen.has(around)) continue;
      if (!/^\d{1,2}\s*日?$|^\d{4}\s*[年년]?$|^\d{1,2}\s*[月월]$|^\p{L}[\p{L}.]{1,14}$/u.test(text) && quarterOf(text) === null) continue;
      seen.add(around);
      found.push({ el: around, text });
    }
  }
  return found;
}

const CELL = 'td,[role=gridcell]';

// boxOfOnly returns the largest box that shows nothing but a label.
function boxOfOnly(el, text) {
  let out = el;
  for (let n = up(el); n && plainDigits(textContentOf(n)).trim() === text; n = up(n)) out = n;
  return out;
}

const FEWEST_CELLS = 9; // of a grid, which may be in one cell of a table

// isListed reports whether an element is an option of a list. Some calendars are list boxes, whose
// options are drawn in columns: these are no lists. lists remembers which list boxes are.
function isListed(el, lists) {
  if (nearest(el, LISTED)) return true;
  const list = nearest(el, LISTS);
  if (!list) return nearest(el, OPTION) !== null;
  if (!lists.has(list)) lists.set(list, !hasColumns(byCSS([list], OPTION).slice(0, 3)));
  return lists.get(list);
}

// hasColumns reports whether some of these elements are side by side.
function hasColumns(els) {
  const boxes = els.map((el) => rectOf(el));
  return boxes.some((box, i) => i > 0 && box.width > 0 && Math.abs(box.top - boxes[i - 1].top) < 4 && Math.abs(box.left - boxes[i - 1].left) > 8);
}

// cellsOf returns the cell of each label that is a number: its table cell, unless that contains a
// whole grid, or else the largest box that shows nothing else.
function cellsOf(labels, number) {
  const lists = new Map();
  const all = labels.flatMap(({ el, text }) => {
    const n = number(text);
    if (n === null || nearest(el, CALENDAR_HEADS) || isListed(el, lists) || nearest(el, '[inert]') || !isVisible(el)) return [];
    return [{ n, el, text, cell: nearest(el, CELL) }];
  });
  const held = new Map();
  for (const { cell } of all) held.set(cell, (held.get(cell) ?? 0) + 1);
  return all.map((c) => (c.cell && held.get(c.cell) < FEWEST_CELLS ? c : { ...c, cell: boxOfOnly(c.el, c.text) }))
    .filter(({ cell }, i, cells) => i === 0 || cells[i - 1].cell !== cell);
}

// drawnIn reports whether cells form a grid whose numbers of rows and columns are in these ranges.
function drawnIn(cells, rows, columns) {
  const places = (side) => cells.map(({ el }) => { const box = rectOf(el); return side === 'top' ? box.top + box.height / 2 : box.left + box.width / 2; })
    .sort((a, b) => a - b).filter((at, i, all) => i === 0 || at - all[i - 1] > 8).length;
  const down = places('top'), across = places('left');
  return down >= rows[0] && down <= rows[1] && across >= columns[0] && across <= columns[1];
}

// countsIn splits a list of cells into runs of consecutive numbers. A run starts with a number that
// passes the test "first", and has at most as many cells as the argument "most" says.
function countsIn(cells, first, most) {
  const runs = [];
  let run = [];
  for (const cell of cells) {
    if (run.length ? cell.n === run.at(-1).n + 1 : first(cell.n)) {
      run.push(cell);
    } else {
      runs.push(run);
      run = first(cell.n) ? [cell] : [];
    }
    if (run.length > most) run = [];
  }
  return [...runs, run];
}

const FEWEST_WEEKS = 4; // rows of a month

// withoutWeeks returns the cells except those of a column of week numbers, which grow by one from row
// to row. The days of a column grow by seven.
function withoutWeeks(cells) {
  if (cells.length < 28) return cells;
  const placed = cells.map((cell) => { const box = rectOf(cell.el); return { cell, x: (box.left + box.right) / 2, y: box.top }; }).sort((a, b) => a.x - b.x);
  const weeks = new Set(), columns = [];
  for (const [i, at] of placed.entries()) {
    if (i > 0 && at.x - placed[i - 1].x < 4) columns.at(-1).push(at);
    else columns.push([at]);
  }
  for (const column of columns) {
    let run = [];
    for (const { cell } of column.sort((a, b) => a.y - b.y)) {
      const last = run.at(-1)?.n;
      run = cell.n === last + 1 || (last >= 52 && cell.n === 1) ? [...run, cell] : [cell];
      if (run.length >= FEWEST_WEEKS) run.forEach((week) => weeks.add(week));
    }
  }
  return cells.filter((cell) => !weeks.has(cell));
}

function aroundBoth(a, b) {
  for (const n of ancestors(a)) if (isInside(b, n)) return n;
  return null;
}

const aroundAll = (els) => els.reduce((a, b) => a && aroundBoth(a, b));

function gridsIn(el) {
  const labels = labelsIn(el), langs = languagesOf(el);
  const dayOf = (text) => (/^\d{1,2}\s*日?$/.test(text) ? parseInt(text, 10) : null);
  const days = countsIn(withoutWeeks(cellsOf(labels, dayOf)), (n) => n === 1, 31)
    .filter((run) => run.length >= 28 && drawnIn(run.slice(0, 28), [4, 5], [7, 7])).map((cells) => ({ unit: 'day', cells }));
  const months = [];
  for (const lang of langs) {
    const names = namesOfMonths(lang);
    const monthOf = (text) => (/^\d{1,2}\s*[月월]$/.test(text) ? parseInt(text, 10) : names.get(plainWord(text)) ?? null);
    const runs = countsIn(cellsOf(labels, monthOf), (n) => n === 1, 12).filter((run) => run.length === 12 && drawnIn(run, [2, 6], [2, 6]));
    months.push(...runs.map((cells) => ({ unit: 'month', cells })));
    if (months.length) break;
  }
  const yearOf = (text) => (/^\d{4}\s*[年년]?$/.test(text) ? parseInt(text, 10) : null);
  const years = countsIn(cellsOf(labels, yearOf), (n) => n >= 1000 && n <= 2999, 400)
    .filter((run) => run.length >= 9 && drawnIn(run, [2, 200], [2, 8])).map((cells) => ({ unit: 'year', cells }));
  const quarters = countsIn(cellsOf(labels, quarterOf), (n) => n === 1, 4)
    .filter((run) => run.length === 4 && drawnIn(run, [1, 2], [2, 4]) && run.every(isPressable)).map((cells) => ({ unit: 'quarter', cells }));
  return [...days, ...months, ...years, ...quarters].map((g) => ({ ...g, el: aroundAll(g.cells.map(({ cell }) => cell)), box: boxAround(g.cells), langs, at: null }));
}

// isPressable reports whether a cell is drawn as something that takes a press. The quarters of a
// chart are not.
const isPressable = ({ el, cell }) => styleOf(el).cursor === 'pointer' || nearest(el, 'button,[role=button],[role=option],[role=gridcell],[tabindex],td') !== null && !nearest(el, 'svg') && isInside(el, cell);

// onTopOf leaves out the grids over which a panel with a grid of another unit lies, such as the days
// under a choice of years.
function onTopOf(grids) {
  const isUnder = (g) => {
    const tops = [g.cells[0], g.cells[g.cells.length >> 1], g.cells.at(-1)].map(({ cell }) => {
      const { left, right, top, bottom } = rectOf(cell);
      return hitAt({ x: (left + right) / 2, y: (top + bottom) / 2 }, ownerOf(cell));
    });
    const over = (top, o) => o.unit !== g.unit && (isInside(top, o.el) || isInside(o.el, top)) && !isInside(g.el, top);
    return tops.filter((top) => top && !isInside(top, g.el) && grids.some((o) => over(top, o))).length > 1;
  };
  return grids.length > 1 ? grids.filter((g) => !isUnder(g)) : grids;
}

// dateOf returns the month {y, m} of a cell whose attributes name its full date, or null.
function dateOf({ cell, n }, langs) {
  const near = [cell, ...byCSS([cell], '*').slice(0, 6)];
  const agree = (y, m, d) => (validMonth(y, m) && d === n ? { y, m } : null);
  for (const el of near) {
    for (const name of DATED) {
      const said = attr(el, name);
      if (!said) continue;
      const iso = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(said);
      if (iso) {
        const found = agree(+iso[1], +iso[2], +iso[3]);
        if (found) return found;
      } else if (/^-?\d{11,13}$/.test(said)) {
        const at = new Date(Number(said)), found = agree(at.getFullYear(), at.getMonth() + 1, at.getDate()) ?? agree(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
        if (found) return found;
      } else if (/label|title/.test(name)) {
        const y = yearsIn(said), words = monthWords(said, langs), cjk = /(\d{1,2})\s*[月월]\s*(\d{1,2})/.exec(plainDigits(said));
        if (y.length === 1 && cjk) return agree(y[0], +cjk[1], +cjk[2]);
        if (y.length === 1 && new Set(words).size === 1 && namesDay(said, { y: y[0], m: words[0], d: n }, langs)) return { y: y[0], m: words[0] };
      }
    }
  }
  return null;
}

// captionText returns the texts around the cells in el, including the values of fields and lists.
function captionText(el, all, cells) {
  const inCell = (n) => cells.some((c) => isInside(n, c)), parts = [];
  const isOther = (at, text) => /^\s*\d{1,2}\s*$/.test(text) && all.some((g) => isInside(at, g.el)); // a day of a neighbouring month
  for (const root of rootsIn(el)) {
    const walk = textsBelow(root);
    for (let node = nextText(walk); node; node = nextText(walk)) {
      const at = parentOf(node);
      if (!at || typeOf(at) !== ELEMENT || !core(dataOf(node)) || nearest(at, NO_CAPTION) || nearest(at, CALENDAR_HEADS) || inCell(at) || isOther(at, dataOf(node)) || !checkVisibility(at, SHOWN)) continue;
      parts.push({ at, text: dataOf(node) });
    }
  }
  for (const field of byCSS([el], 'input:not([type=hidden]),select')) {
    if (isVisible(field) && !inCell(field)) parts.push({ at: field, text: isTag(field, 'select') ? chosenLabel(field) : valueOf(field) });
  }
  const order = inOrder([...new Set(parts.map(({ at }) => at))]);
  return order.flatMap((at) => parts.filter((p) => p.at === at).map((p) => p.text)).join(' ');
}

export const chosenLabel = (select) => [...selectOptions(select)].filter((o) => isSelected(o)).map((o) => optionText(o)).join(' ');

function nameAround(el) {
  const named = [...ancestors(el)].slice(0, 3).find((n) => /^(grid|table|application|group)$/.test(attr(n, 'role') ?? tagOf(n)) && (hasAttr(n, 'aria-label') || hasAttr(n, 'aria-labelledby')));
  return named ? nameOf(named) : '';
}

// datedGrids sets the field "at" of each grid: {y, m} for days, {y} for the others, null if the date
// cannot be read.
function datedGrids(all) {
  const cells = all.flatMap((g) => g.cells.map(({ cell }) => cell));
  const read = (g, text) => (g.unit === 'day' ? monthYears(text, g.langs) : yearsIn(text).map((y) => ({ y })));
  for (const g of all) {
    if (g.unit === 'year') {
      g.at = { y: g.cells[0].n };
      continue;
    }
    const told = g.unit === 'day' ? g.cells.map((c) => dateOf(c, g.langs)).filter(Boolean) : [];
    const same = told.length >= 20 && told.every((t) => t.y === told[0].y && t.m === told[0].m) ? told[0] : null;
    const named = read(g, nameAround(g.el));
    let caption = named.length === 1 ? named[0] : null;
    for (let n = g.el, i = 0; !caption && n && i < MOST_UP && !isTag(n, 'body', 'html'); n = up(n), i++) {
      const found = read(g, captionText(n, all, cells)), inside = all.filter((o) => o.unit === g.unit && isInside(o.el, n));
      if (!found.length) continue;
      if (found.length === inside.length) caption = found[inside.indexOf(g)];
      break;
    }
    g.at = same && caption && (same.y !== caption.y || same.m !== caption.m) ? null : same ?? caption;
    if (g.at && g.unit === 'day' && g.cells.length !== lengthOf(g.at.y, g.at.m)) g.at = null;
  }
}

// Buttons.

const BACKWARDS = /prev|[-_]left(?![a-z])|\bback(wards?)?\b|zur(\u00fc|ue)ck|vorherig|vorig|voriger|pr[e\u00e9]c[e\u00e9]d|anterior|atr[a\u00e1]s|poprzedni|f\u00f6reg\u00e5ende|edellinen|forrige|\u043f\u0440\u0435\u0434\u044b\u0434|\u043d\u0430\u0437\u0430\u0434|上|前|이전|arrow-?_?left|left-?_?arrow|chevron-?_?left|navigate_before|^\s*[\u2039<\u25c0\u25c4\u2190\u276e\u00ab]+\s*$/i;
const FORWARDS = /next|[-_]right(?![a-z])|\bforwards?\b|n(\u00e4|ae)chst|weiter|volgend|suivant|siguiente|pr[o\u00f3]xim|successiv|prossim|nast[e\u0119]pn|n\u00e4sta|seuraava|neste|n\u00e6ste|\u0441\u043b\u0435\u0434\u0443|\u0432\u043f\u0435\u0440|下|次|后|後|翌|다음|arrow-?_?right|right-?_?arrow|chevron-?_?right|navigate_next|^\s*[\u203a>\u25b6\u25ba\u2192\u276f\u00bb]+\s*$/i;
const OF_YEARS = /year|jahr|ann[e\u00e9]e|\ba[n\u00f1]o|\bano\b|decade|jahrzehnt|super|double|fast|d-arrow|年|년|\u00ab|\u00bb|<<|>>/i;
const OF_MONTHS = /month|monat|mois|\bmes\b|m\u00eas|月|월/i;
const DONE_WORDS = /^(ok|okay|apply|done|confirm|select|set|save|\u00fcbernehmen|anwenden|fertig|best\u00e4tigen|appliquer|valider|confirmer|aceptar|aplicar|listo|confirmar|applica|conferma|确定|确认|確定|確認|完成|应用|適用|決定|完了|확인)$/i;
const BUTTONS = 'button,[role=button],a,[class*=prev i],[class*=next i],[data-direction],[data-action],[class*=btn i]';
const ARROW = /^\s*[\u2039\u203a<>\u25b6\u25ba\u25b8\u25b7\u25c0\u25c4\u25c2\u25c1\u2190\u2192\u276e\u276f\u00ab\u00bb\u27e8\u27e9]+\s*$/;

function directionOf(el) {
  const inner = [el, ...byCSS([el], '*').slice(0, 4)];
  const sources = [nameOf(el), attr(el, 'title') ?? '', textContentOf(el), ['data-direction', 'data-action', 'slot', 'data-testid', 'id'].map((a) => attr(el, a) ?? '').join(' '), ...inner.map((n) => attr(n, 'class') ?? ''), ...inner.map((n) => attr(n, 'data-testid') ?? '')];
  for (const text of sources) {
    const back = BACKWARDS.test(text), on = FORWARDS.test(text);
    if (back !== on) return { way: back ? -1 : 1, years: sources.some((s) => OF_YEARS.test(s)) && !sources.slice(0, 3).some((s) => OF_MONTHS.test(s)) };
  }
  return null;
}

const isOver = (el) => /^(dialog|alertdialog)$/.test(attr(el, 'role') ?? '') || hasAttr(el, 'popover') || isTag(el, 'dialog') || /^(fixed|absolute)$/.test(styleOf(el).position);

// amongDays reports whether an element is a day of any month, or is positioned among the days of a
// grid. Such an element does not change the month, whatever its class is.
function amongDays(el, grids) {
  if (/^\d{1,2}\s*日?$/.test(plainDigits(textContentOf(el)).trim())) return true;
  const { left, right, top, bottom } = rectOf(el), x = (left + right) / 2, y = (top + bottom) / 2;
  return grids.some((grid) => isInside(el, grid.el) && (matches(el, 'td,[role=gridcell]') || grid.cells.some((c) => isInside(c.cell, el) || isInside(el, c.cell))
    || (x > grid.box.left && x < grid.box.right && y > grid.box.top && y < grid.box.bottom)));
}

const boxAround = (cells) => {
  const boxes = cells.map(({ cell }) => rectOf(cell));
  return { left: Math.min(...boxes.map((r) => r.left)), right: Math.max(...boxes.map((r) => r.right)), top: Math.min(...boxes.map((r) => r.top)), bottom: Math.max(...boxes.map((r) => r.bottom)) };
};

// boxesAround returns the ancestors of the days, up to the box that lies over the page. It stops
// before an ancestor that would include a form or another field.
function boxesAround(inner) {
  const all = [];
  let over = null;
  for (let n = inner, i = 0; n && i < MOST_UP && !isTag(n, 'body', 'html', 'form', 'main', 'fieldset'); n = up(n), i++) {
    if (i > 0 && byCSS([n], 'label,legend,textarea').some(isVisible)) break;
    all.push(n);
    if (i > 1 && isOver(n) && over && attr(over, 'role') === 'dialog') break;
    if (isOver(n)) over = n;
    if (attr(n, 'role') === 'dialog') break;
  }
  return all;
}

// isMark reports whether an element shows a picture or an arrow and no word, and can be clicked.
const isMark = (el) => !isTag(el, 'input', 'select') && (ARROW.test(textContentOf(el)) ? !byCSS([el], '*').some((n) => ARROW.test(textContentOf(n)))
  : styleOf(el).cursor === 'pointer' && core(textContentOf(el)) === '' && !(up(el) && styleOf(up(el)).cursor === 'pointer'));

// partsAround returns {head, turns, boxes}. turns are the buttons that change the month: those near
// the caption whose direction shows in their words, class or arrow, or else in their position.
function partsAround(inner, grids) {
  const all = boxesAround(inner);
  const sized = (el) => { const box = rectOf(el); return box.width > 0 && box.height > 0; };
  const marks = (n) => byCSS([n], 'div,span,i,svg,th,td,li').filter(isMark);
  const clicked = (pressable) => pressable.filter((el) => isVisible(el) && sized(el) && !amongDays(el, grids) && !byCSS([el], 'table,[role=grid],select,input').length);
  const waysOf = (pressable) => {
    const ways = clicked(pressable).map((el) => ({ el, by: directionOf(el) })).filter(({ by }) => by);
    return ways.filter(({ el }) => !ways.some((o) => o.el !== el && isInside(el, o.el) && isTag(o.el, 'button')) && !(!isTag(el, 'button') && byCSS([el], 'button').length));
  };
  let found = [];
  for (const [n, pressable] of all.flatMap((n) => [[n, () => byCSS([n], BUTTONS)], [n, () => marks(n)]])) {
    const turns = waysOf(pressable());
    if (turns.length > 1) return { head: n, turns, boxes: all };
    if (turns.length) found = turns;
  }
  for (const n of found.length ? [] : all) {
    const top = Math.min(...grids.map((g) => g.box.top)), row = clicked([...new Set([...byCSS([n], BUTTONS), ...marks(n)])]).filter((el) => rectOf(el).bottom <= top + 4);
    const plain = row.filter((el) => !/\d{4}|\p{L}{3}/u.test(textContentOf(el)) && !row.some((o) => o !== el && isInside(el, o)));
    if (plain.length === 2 || plain.length === 4) {
      const sorted = plain.sort((a, b) => rectOf(a).left - rectOf(b).left), half = sorted.length / 2;
      return { head: n, boxes: all, turns: sorted.map((el, i) => ({ el, by: { way: i < half ? -1 : 1, years: half === 2 && (i === 0 || i === 3) } })) };
    }
  }
  return { head: all.at(-1) ?? inner, turns: found, boxes: all };
}

const isOff = (el) => disabledBy(el) !== null || [...ancestors(el)].slice(0, 3).some((n) => /^(true|)$/.test(attr(n, 'data-disabled') ?? 'no') || hasAttr(n, 'data-unavailable')
  || (attr(n, 'class') ?? '').split(/\s+/).some((word) => isDisabledClass(word) || /(^|[-_])unavailable$/.test(word)));

const cellOff = ({ el, cell }) => [el, ...[...ancestors(el)].slice(0, 6)].filter((n) => isInside(n, cell)).some((n) => disabledBy(n) !== null || attr(n, 'aria-disabled') === 'true'
  || (hasAttr(n, 'data-disabled') && attr(n, 'data-disabled') !== 'false') || (hasAttr(n, 'data-unavailable') && attr(n, 'data-unavailable') !== 'false') || styleOf(n).pointerEvents === 'none'
  || (attr(n, 'class') ?? '').split(/\s+/).some((word) => isDisabledClass(word) || /(^|[-_])(unavailable|not-available|unselectable|locked)$/i.test(word)));

// isChosen reports whether a cell is marked as the one that is chosen.
const isChosen = ({ el, cell }) => [el, ...[...ancestors(el)].slice(0, 6)].filter((n) => isInside(n, cell)).some((n) => ['aria-selected', 'aria-checked', 'aria-pressed'].some((a) => attr(n, a) === 'true')
  || /^(true|)$/.test(attr(n, 'data-selected') ?? 'no') || (attr(n, 'class') ?? '').split(/\s+/).some((word) => CHOSEN.test(word)));

const CHOSEN = /^(?:.*[-_])?(?<!(?:not|non|un)[-_]?)(?:selected|active|chosen|picked|checked|current-day)(?:[-_](?:day|date))?[-_]*$/i;

const pressedAt = ({ el, cell }) => {
  const inner = nearest(el, 'button,[role=button],a,[role=gridcell]');
  return inner && isInside(inner, cell) ? inner : el;
};

const NEAR_MONTHS = 4; // up to this many months are turned one by one

// readCalendar returns the cell of a day, month, quarter or year, or what to use next to reach it.
function readCalendar(el, { attr: day, but }) {
  const [y, m = 0, d = 0] = String(day).replace(/-Q\d$/, '').split('-').map(Number), q = Number(/-Q(\d)$/.exec(day)?.[1] ?? 0), langs = languagesOf(el);
  const wanted = q ? 'quarter' : d ? 'day' : m ? 'month' : 'year';
  const whole = isTag(el, 'html', 'body');
  const out = { says: !whole && saysDay(el, { y, m, d, q }, langs), unit: '', shows: [], state: '', away: 0, reason: '', final: false, disabled: false, chosen: false, shown: [], cell: null, turn: null, zoom: null, list: null, option: '', box: null, done: null };
  const all = onTopOf(gridsIn(el).filter((g) => !(but ?? []).includes(numberOf(g.el))));
  out.shown = all.map((g) => numberOf(g.el));
  if (!all.length) return out;
  const unit = ['day', 'month', 'year', 'quarter'].find((u) => all.some((g) => g.unit === u)), mine = all.filter((g) => g.unit === unit);
  out.unit = unit;
  datedGrids(all);
  const shown = mine.filter((g) => g.at), cells = all.flatMap((g) => g.cells.map(({ cell }) => cell));
  const { head, turns, boxes } = partsAround(aroundAll(mine.map((g) => g.el)), mine);
  out.done = byCSS([boxes.at(-1) ?? head], 'button,[role=button],a').find((b) => isVisible(b) && DONE_WORDS.test(fold(textContentOf(b)))) ?? null;
  if (shown.length < mine.length) return { ...out, reason: 'unread' };
  out.shows = shown.map((g) => (unit === 'year' ? `${g.cells[0].n}-${g.cells.at(-1).n}` : monthText(g.at)));
  out.state = `${unit} ${out.shows.join(' ')}`;
  const last = (g) => g.cells.at(-1).n;
  const off = { day: (g) => (y - g.at.y) * 12 + m - g.at.m, month: (g) => y - g.at.y, quarter: (g) => y - g.at.y, year: (g) => (y < g.at.y ? y - g.at.y : y > last(g) ? y - last(g) : 0) }[unit];
  out.away = shown.map(off).reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
  const there = shown.find((g) => off(g) === 0);
  if (unit === 'day' && wanted !== 'day') return { ...out, reason: 'a day, as YYYY-MM-DD' };
  if (unit === 'month' && (wanted === 'year' || q)) return { ...out, reason: 'a month, as YYYY-MM' };
  if (unit === 'quarter' && !q) return { ...out, reason: 'a quarter, as YYYY-Q1' };
  if (there) {
    const cell = there.cells.find((c) => c.n === { day: d, month: m, year: y, quarter: q }[unit]);
    if (!cell) return { ...out, reason: 'unread' };
    return { ...out, cell: pressedAt(cell), final: unit === wanted, disabled: cellOff(cell), chosen: unit === wanted && isChosen(cell) };
  }
  const far = Math.abs(out.away), way = Math.sign(out.away), able = turns.filter(({ by, el: b }) => by.way === way && !isOff(b));
  const near = shown.find((g) => Math.abs(off(g)) === far), own = able.filter(({ el: b }) => isInside(b, panelAround(near, mine)));
  const byYear = (own.length ? own : able).filter(({ by }) => by.years), byOne = (own.length ? own : able).filter(({ by }) => !by.years);
  const chosen = (unit !== 'day' || far >= 12) && byYear.length ? byYear : byOne.length ? byOne : byYear;
  out.away = far;
  out.turn = (way < 0 ? chosen[0] : chosen.at(-1))?.el ?? null;
  if (unit === 'day') Object.assign(out, fieldsOf(head, { y, m, far }, near.at, { turns: out.turn !== null, years: byYear.length > 0 }));
  if (far > NEAR_MONTHS && !out.list && !out.box && unit !== 'year' && !(unit === 'day' && byYear.length && far % 12 < NEAR_MONTHS && far < 60)) out.zoom = zoomOf(head, shown[0], turns, cells, y);
  return out;
}

// panelAround returns the largest element that contains the days of one month only.
function panelAround(grid, all) {
  let panel = grid.el;
  for (let n = up(panel); n && !all.some((g) => g !== grid && isInside(g.el, n)); n = up(n)) panel = n;
  return panel;
}

// fieldsOf returns the field that leads directly from the month shown to another: {list, option}
// for a <select> of years or months, {box} for a field that holds the year, or {} if there is none.
function fieldsOf(head, { y, m, far }, shown, { turns, years }) {
  if (y !== shown.y && ((far >= 12 && !years) || !turns)) {
    const list = listIn(head, (text) => (/^\d{4}\s*[年년]?$/.test(text) ? parseInt(text, 10) : null), y, shown.y);
    if (list) return list;
    const boxes = byCSS([head], 'input[type=number],input[inputmode=numeric]').filter((f) => valueOf(f) === String(shown.y) && isVisible(f) && disabledBy(f) === null && !hasAttr(f, 'readonly'));
    const fits = (f) => !(y < Number(attr(f, 'min') || y)) && !(y > Number(attr(f, 'max') || y));
    if (boxes.length === 1 && fits(boxes[0])) return { box: boxes[0] };
  }
  if (m === shown.m || (turns && (far <= NEAR_MONTHS || y !== shown.y))) return {};
  const langs = languagesOf(head);
  return listIn(head, (text) => (/^\d{1,2}\s*[月월]$/.test(text) ? parseInt(text, 10) : yearsIn(text).length ? null : monthWords(text, langs)[0] ?? null), m, shown.m) ?? {};
}

// listIn returns {list, option}: the <select> in head that shows one number and offers the wanted
// one or, for years, a nearer one. It returns null if there is not exactly one.
function listIn(head, read, wanted, shown) {
  const numberIn = (text) => read(plainDigits(text).trim()), farFrom = (n) => (n === null ? Infinity : Math.abs(n - wanted)), isYear = wanted > 12;
  const all = byCSS([head], 'select').flatMap((list) => {
    if (numberIn(chosenLabel(list)) !== shown || !isVisible(list) || disabledBy(list) !== null) return [];
    const options = [...selectOptions(list)].filter((o) => disabledBy(o) === null).map((o) => ({ n: numberIn(optionText(o)), option: optionText(o).trim() }));
    const best = options.reduce((a, o) => (farFrom(o.n) < farFrom(a.n) ? o : a), { n: shown, option: '' });
    return best.n === wanted || (isYear && best.n !== shown) ? [{ list, option: best.option }] : [];
  });
  return all.length === 1 ? all[0] : null;
}

// zoomOf returns the button that shows the caption and often opens a choice of months, or null. One
// with the year alone opens a choice of years, which does not help to another month of year.
function zoomOf(head, shown, turns, cells, year) {
  const named = new RegExp(`(^|\\D)${shown.at.y}(\\D|$)`);
  const all = byCSS([head], 'button,[role=button]').filter((b) => isVisible(b) && !isOff(b) && named.test(plainDigits(textContentOf(b))) && !cells.some((c) => isInside(b, c)) && !turns.some((t) => t.el === b));
  const isYear = (b) => /^\D?\d{4}\s*[年년]?$/.test(fold(textContentOf(b)));
  return all.length === 1 && !(shown.at.y === year && shown.unit === 'day' && isYear(all[0])) ? all[0] : null;
}

// saysDay reports whether an element shows a day, or a field in it holds the day.
function saysDay(el, day, langs) {
  const inOrAt = (css) => [...(matches(el, css) ? [el] : []), ...byCSS([el], css)], fields = inOrAt('input,textarea,select').filter((f) => !isInput(f, 'checkbox', 'radio', 'password'));
  const texts = [...fields.map((f) => (isTag(f, 'select') ? selectValue(f) : valueOf(f))), ...inOrAt('button,[role=button],[role=combobox]').map((b) => textContentOf(b))];
  return texts.some((text) => text && text.length < 200 && (day.q ? namesQuarter : namesDay)(text, day, langs));
}

// calendarParts returns the result of readCalendar, with refs in place of its elements.
export function calendarParts(el, op) {
  const out = readCalendar(el, op), refs = {};
  for (const name of ['cell', 'turn', 'zoom', 'list', 'box', 'done']) {
    if (out[name]) refs[name] = pinned(out[name]);
    delete out[name];
  }
  return { value: out, refs };
}
