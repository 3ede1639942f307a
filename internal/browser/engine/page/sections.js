// within: finds a part of the page by the title above it.

import { attr, contains, hasAttr, isTag, matches, ownerOf, positionOf, rectOf, tagOf } from './dom.js';
import { ancestors, byCSS, isInside, nearest, up } from './flat.js';
import { markedTexts, passesLabel } from './labels.js';
import { isExposed, nameOf, roleOf } from './names.js';
import { hitAt } from './ready.js';
import { DIALOGS, Kind, roles } from './roles.js';
import { stateOf } from './states.js';
import { matcher, textIndex, textOf } from './text.js';
import { isVisible } from './visible.js';
import { firstText, wordsOf } from './words.js';

// What is pressed, or is a cell, is no title of what stands around it.
export const PRESSED = 'button,a[href],option,th,td,' + roles('button', 'link', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem',
  'cell', 'gridcell', 'columnheader', 'rowheader', 'tooltip', 'combobox');
const PARTS_OF_PAGES = new Kind('fieldset,figure,table,article,section,nav,aside,form,dialog,[aria-modal=true]', 'dialog', 'alertdialog',
  'region', 'group', 'form', 'table', 'grid', 'treegrid', 'tree', 'list', 'listbox', 'menu', 'menubar', 'navigation', 'tabpanel', 'article',
  'complementary', 'toolbar', 'radiogroup', 'search');

// Most parts of a page have no name, and that is seen without reckoning it.
const NAMELESS = new Set(['article', 'aside', 'dialog', 'div', 'form', 'nav', 'ol', 'section', 'span', 'ul']);
export const NAME_GIVERS = ['aria-label', 'aria-labelledby', 'aria-labeledby', 'title'];

function canHaveName(part) {
  const role = attr(part, 'role');
  return !NAMELESS.has(tagOf(part)) || (role !== null && !PARTS_OF_PAGES.roles.has(role)) || NAME_GIVERS.some((name) => hasAttr(part, name));
}

// sections lists, for each title that passes, the parts of the page that it stands
// over, the innermost first. Titles in dialogs go before others, and texts before
// those of buttons and cells, which mostly are not meant.
export function sections(part, within) {
  const m = matcher(part.op, part.value ?? '');
  if (m.want === '') return [];
  const named = PARTS_OF_PAGES.in(within).filter((el) => canHaveName(el) && isVisible(el) && isExposed(el) && passesLabel(m, nameOf(el))).map((el) => [{ scope: el }]);
  const titles = markedTexts(part, within);
  const plain = titles.filter((el) => nearest(el, PRESSED) === null);
  const texts = (plain.length || named.length ? plain : titles).map(sectionsOf);
  const all = named.concat(texts).filter((list) => list.length);
  const modal = all.filter(([first]) => nearest(first.scope, DIALOGS) !== null);
  return modal.concat(all.filter((list) => !modal.includes(list)));
}

// sectionsOf climbs from a title while the text of what is around begins with it.
// It never leaves a dialog, nor a part that stands in a row of its like. Behind a
// heading also what follows it counts, up to the next one: then the climb is over.
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

// standing tells of what is around a title whether no text is shown in it before, and
// whether there is more text in it.
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

// hasLike reports whether el is one of several of its kind: cards, panels, items.
export function hasLike(el) {
  const name = attr(el, 'class'), around = up(el);
  if (!name || !around) return false;
  return byCSS([around], ':scope > ' + tagOf(el)).some((other) => other !== el && attr(other, 'class') === name);
}

// isRival reports whether what is in dialog may be meant as well as what is in another
// one that has it: not where that one lies over it.
export function isRival(dialog, other) {
  return dialog !== null && dialog !== other && (isOnTop(dialog) || !isOnTop(other));
}

// isOnTop reports whether nothing else is at the middle of a dialog.
export function isOnTop(dialog) {
  const { left, top, width, height } = rectOf(dialog);
  const hit = hitAt({ x: left + width / 2, y: top + height / 2 }, ownerOf(dialog));
  return hit !== null && isInside(hit, dialog);
}

// followsHeading reports whether el stands behind a heading and before the next
// one of its rank.
export function followsHeading(el, heading, scope) {
  return stands(el, heading) && !nextHeadings(scope, heading).some((h) => stands(el, h) || isInside(el, h));
}

// stands reports whether a stands behind b, or in it.
export const stands = (a, b) => (positionOf(b, a) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

// nextHeadings lists the headings in scope behind heading, of its rank or above.
function nextHeadings(scope, heading) {
  const rank = (n) => (roleOf(n) === 'separator' ? 7 : stateOf(n, 'level') ?? 2);
  return byCSS([scope], HEADINGS).filter((h) => h !== heading && rank(h) <= rank(heading) && textOf(h) !== '' && stands(h, heading));
}

const TITLE = 60; // characters that a title which is told has at most

// titleOver is the title by which within: finds el and none of the others that it is told
// apart from; null where there is none. The widest part around el goes first.
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

// leadsTo reports whether of all that is meant within a title is el alone.
function leadsTo(title, el, all) {
  const under = ({ scope, after }) => all.filter((n) => isInside(n, scope) && (!after || followsHeading(n, after, scope)));
  const meant = sections({ kind: 'within', value: title }, [ownerOf(el)]).flatMap((list) => list.map(under).find((found) => found.length) ?? []);
  return meant.length > 0 && meant.every((n) => n === el);
}
