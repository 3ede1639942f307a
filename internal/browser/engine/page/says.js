// says: finds a button, tab or item by all of its words, so that one word of a longer phrase does
// not match.

import { isBeyond } from './depth.js';
import { TEXT, dataOf, isElement, matches, styleOf, tagOf, typeOf } from './dom.js';
import { ancestors, byCSS, flatKids, isInside, unique, up } from './flat.js';
import { nameOf, same } from './names.js';
import { textBeside } from './table.js';
import { PHRASING, fold, matcher, rendered } from './text.js';
import { smallestIn } from './words.js';

const SAYERS = 'button,a,summary,input,option,[role=button],[role=link],[role=tab],[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem]';
const SHORTCUTS = /(?:\b(?:ctrl|control|alt|option|shift|cmd|command|meta)\s*\+\s*)+\S{1,9}|[⌘⌥⇧⌃]\s*\S{1,9}/giu;

// bySays returns the smallest elements whose text is all that a line of their unit says, apart from
// marks that are no words: counts, arrows, keys. A control is a unit, and so is a block. Matches
// without any mark come first; the elements in the argument "within" may also match by their name.
export function bySays(part, within) {
  const want = fold(String(part.value ?? '')), m = matcher('*', part.value ?? '');
  if (!want) return [];
  const said = within.flatMap((scope) => smallestIn(scope, m).map((el) => ({ el, how: saidBy(el, scope, want) })));
  const named = within.filter((el) => isElement(el) && matches(el, SAYERS + ',th,[role=columnheader]') && fold(nameOf(el)) === want);
  const exact = said.filter(({ how }) => how === 'plainly').map(({ el }) => el);
  const inside = new Set(exact.flatMap((el) => [...ancestors(el)]));
  const plain = [...exact, ...named.filter((el) => !inside.has(el) && !exact.includes(el))];
  const found = plain.length ? plain : said.filter(({ how }) => how).map(({ el }) => el);
  return unique(found, within.length > 1 || named.length > 0);
}

// saidBy returns how the line of el in its unit says the text "want": 'plainly', 'marked', or '' if
// it does not. Text with a text-transform is compared without case.
function saidBy(el, scope, want) {
  let unit = el;
  while (unit !== scope && !isUnit(unit)) {
    const around = up(unit);
    if (!around || isBeyond(around)) break;
    unit = around;
  }
  const written = styleOf(el).textTransform === 'none' ? same : (text) => text.toLowerCase();
  const wanted = written(want), text = written(rendered(unit));
  const lines = isRow(unit) && hasWords(unit) ? [fold(text)] : text.split('\n').map(fold);
  if (lines.includes(wanted)) return 'plainly';
  const marks = byCSS([unit], MARKS).filter((mark) => mark !== el);
  if (marks.length && !marks.some((mark) => isInside(el, mark))) lines.push(fold(written(textBeside(unit, new Set(marks)))));
  return lines.some((line) => isSaid(line, wanted)) ? 'marked' : '';
}

// MARKS are what may be beside the text of a control: keys, icon fonts, badges.
const MARKS = 'kbd,[class*="material-icons"],[class*="material-symbols"],i[translate=no],i[class~=icon],[class~=badge],[class~="MuiBadge-badge"]';

// isUnit reports whether text beside el is no part of its phrase.
function isUnit(el) {
  if (isBeyond(el) || matches(el, SAYERS)) return true;
  const { display } = styleOf(el);
  if (/^(inline|contents|ruby)/.test(display)) return false;
  const around = PHRASING.has(tagOf(el)) ? up(el) : null;
  return !(around && isElement(around) && isRow(around) && hasWords(around));
}

const isRow = (el) => /flex|grid/.test(styleOf(el).display);

// hasWords reports whether el has text directly in it.
function hasWords(el) {
  for (const n of flatKids(el)) if (typeOf(n) === TEXT && /[\p{L}\p{N}]/u.test(dataOf(n))) return true;
  return false;
}

// isSaid reports whether a line is the text "want" with nothing but marks around it.
function isSaid(line, want) {
  if (line === want) return true;
  const i = line.indexOf(want);
  if (i < 0 || !/\p{L}/u.test(want)) return false;
  const before = line.slice(0, i), after = line.slice(i + want.length);
  return isMark(before) && isMark(after) && !clings(before.at(-1), want[0]) && !clings(after[0], want.at(-1));
}

const isMark = (text) => !/\p{L}/u.test(text.replace(SHORTCUTS, ''));

// clings reports whether a character beside a word makes it another word: C++, 10.
const clings = (mark, end) => Boolean(mark) && (/[\p{L}#+&@/\\%$€£¥_'’-]/u.test(mark) || (/\p{N}/u.test(mark) && !/\p{L}/u.test(end)));
