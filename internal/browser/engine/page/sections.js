// within: finds a section of the page by its title.

import { TEXT, attr, childNodesOf, contains, dataOf, hasAttr, isTag, matches, ownerOf, positionOf, rectOf, tagOf, typeOf } from './dom.js';
import { ancestors, byCSS, isInside, nearest, up } from './flat.js';
import { markedTexts, passesLabel } from './labels.js';
import { isExposed, nameOf, roleOf } from './names.js';
import { cache, inLook } from './look.js';
import { hitAt } from './ready.js';
import { DIALOGS, Kind, roles } from './roles.js';
import { stateOf } from './states.js';
import { core, fold, matcher, textIndex, textOf } from './text.js';
import { isVisible } from './visible.js';
import { byText, firstText, wordsOf } from './words.js';

// Text in a button or a cell is no title of what is around it.
export const PRESSED = 'button,a[href],option,th,td,' + roles('button', 'link', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem',
  'cell', 'gridcell', 'columnheader', 'rowheader', 'tooltip', 'combobox');
const PARTS_OF_PAGES = new Kind('fieldset,figure,table,article,section,nav,aside,form,dialog,[aria-modal=true]', 'dialog', 'alertdialog',
  'region', 'group', 'form', 'table', 'grid', 'treegrid', 'tree', 'list', 'listbox', 'menu', 'menubar', 'navigation', 'tabpanel', 'article',
  'complementary', 'toolbar', 'radiogroup', 'search');

// Most sections of a page have no name, which is known without computing it.
const NAMELESS = new Set(['article', 'aside', 'dialog', 'div', 'form', 'nav', 'ol', 'section', 'span', 'ul']);
export const NAME_GIVERS = ['aria-label', 'aria-labelledby', 'aria-labeledby', 'title'];

function canHaveName(part) {
  const role = attr(part, 'role');
  return !NAMELESS.has(tagOf(part)) || (role !== null && !PARTS_OF_PAGES.roles.has(role)) || NAME_GIVERS.some((name) => hasAttr(part, name));
}

// sections returns, for each title that passes, the sections that it is a title of, innermost
// first. Titles in dialogs come first, and titles in buttons and cells count only if there are no
// others.
export function sections(part, within) {
  return within.length === 1 ? inLook(cache.titled, within[0], part, () => sectionsIn(part, within)) : sectionsIn(part, within);
}

function sectionsIn(part, within) {
  const m = matcher(part.op, part.value ?? '');
  if (m.want === '') return [];
  const named = PARTS_OF_PAGES.in(within).filter((el) => canHaveName(el) && isVisible(el) && isExposed(el) && passesLabel(m, nameOf(el))).map((el) => [{ scope: el }]);
  const titles = markedTexts(part, within);
  if (!titles.length && !named.length) return dialogsFirst(bareTitles(part, within, m).map((el) => [{ scope: el }, ...sectionsOf(el)]));
  const plain = titles.filter((el) => nearest(el, PRESSED) === null);
  const texts = (plain.length || named.length ? plain : titles).map(sectionsOf);
  return dialogsFirst(named.concat(texts).filter((list) => list.length));
}

function dialogsFirst(all) {
  const modal = all.filter(([first]) => nearest(first.scope, DIALOGS) !== null);
  return modal.concat(all.filter((list) => !modal.includes(list)));
}

// bareTitles returns the elements that begin with text of their own that passes, and that have other
// text too, such as that of a button beside the title.
function bareTitles(part, within, m) {
  if (part.op) return [];
  const firstKid = (el) => [...childNodesOf(el)].find((kid) => typeOf(kid) !== TEXT || core(dataOf(kid)) !== '');
  return byText({ ...part, op: '*' }, within).filter((el) => {
    const first = firstKid(el);
    return first && typeOf(first) === TEXT && isVisible(el) && passesLabel(m, fold(dataOf(first)));
  });
}

// sectionsOf returns the ancestors of a title whose text begins with it. It does not leave a
// dialog, nor an element that has siblings like it. A heading also has a section of what follows
// it, up to the next heading, and the climb ends there.
function sectionsOf(title) {
  const { begins, more } = standing(title), found = [];
  const heading = nearest(title, HEADINGS);
  for (let n = up(title); n; n = up(n)) {
    if (isTag(n, 'body') || !begins(n) || (heading && !isInside(n, heading) && nextHeadings(n, heading).length)) {
      if (heading) found.push({ scope: n, after: heading });
      break;
    }
    found.push({ scope: n });
    if (matches(n, DIALOGS) || (hasLike(n) && more(n))) break;
  }
  return found;
}

// standing returns two tests of an ancestor of a title: begins, whether no text is shown in it
// before the title, and more, whether it shows other text.
function standing(title) {
  const doc = ownerOf(title), words = wordsOf(doc);
  if (words?.shows(title)) {
    const before = words.shownBefore(title), after = words.shownAfter(title);
    return { begins: (n) => before === null || !contains(n, before), more: (n) => after !== null && contains(n, after) };
  }
  const index = textIndex(doc), at = index.position(title);
  const begins = (n) => {
    const i = index.position(n);
    return at >= 0 && i >= 0 && index.shown.text.slice(index.from[i], index.from[at]).trim() === '';
  };
  return { begins, more: (n) => index.length(index.position(n)) > index.length(at) };
}

const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role=heading],[role=separator]';

// hasLike reports whether el has siblings with the same tag and class, as cards, panels and items
// do.
export function hasLike(el) {
  const name = attr(el, 'class'), around = up(el);
  if (!name || !around) return false;
  return byCSS([around], ':scope > ' + tagOf(el)).some((other) => other !== el && attr(other, 'class') === name);
}

// isRival reports whether a match in a dialog is as likely to be meant as a match in "other". It is
// not if other covers the dialog.
export function isRival(dialog, other) {
  return dialog !== null && dialog !== other && (isOnTop(dialog) || !isOnTop(other));
}

// isOnTop reports whether a hit test at the centre of a dialog finds that dialog.
export function isOnTop(dialog) {
  const { left, top, width, height } = rectOf(dialog);
  const hit = hitAt({ x: left + width / 2, y: top + height / 2 }, ownerOf(dialog));
  return hit !== null && isInside(hit, dialog);
}

// followsHeading reports whether el is after a heading and before the next one of its rank.
export function followsHeading(el, heading, scope) {
  return stands(el, heading) && !nextHeadings(scope, heading).some((h) => stands(el, h) || isInside(el, h));
}

// stands reports whether a is after b in the document, or in it.
export const stands = (a, b) => (positionOf(b, a) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

// nextHeadings returns the headings in scope after heading, of the same or a higher rank.
function nextHeadings(scope, heading) {
  const rank = (n) => (roleOf(n) === 'separator' ? 7 : stateOf(n, 'level') ?? 2);
  return byCSS([scope], HEADINGS).filter((h) => h !== heading && rank(h) <= rank(heading) && textOf(h) !== '' && stands(h, heading));
}

const TITLE = 60; // characters of the longest title that is reported

// titleOver returns a title by which the selector kind "within" finds el and none of the others, or
// null. Titles of larger sections come first.
export function titleOver(el, others) {
  const around = [];
  for (const n of ancestors(up(el))) {
    if (others.some((other) => other !== el && isInside(other, n))) break;
    around.unshift(n);
  }
  const named = around.find((n) => PARTS_OF_PAGES.is(n) && canHaveName(n) && nameOf(n) !== '');
  const heading = byCSS([ownerOf(el)], HEADINGS).findLast((h) => isVisible(h) && stands(el, h));
  const titles = [named && nameOf(named), around.length ? firstText(around[0], el) : '', heading && textOf(heading)];
  return titles.find((title) => title && title.length <= TITLE && leadsTo(title, el, others)) ?? null;
}

// leadsTo reports whether el is the only element of the list "all" that is found within a title.
function leadsTo(title, el, all) {
  const under = ({ scope, after }) => all.filter((n) => isInside(n, scope) && (!after || followsHeading(n, after, scope)));
  const meant = sections({ kind: 'within', value: title }, [ownerOf(el)]).flatMap((list) => list.map(under).find((found) => found.length) ?? []);
  return meant.length > 0 && meant.every((n) => n === el);
}
