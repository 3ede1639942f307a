// The role and the name of an element as a snapshot or an error shows them.

import { HTML, attr, attributeNames, hasAttr, isEditableContent, isInput, isTag, namespaceOf, rectOf, styleOf, tagOf } from './dom.js';
import { up } from './flat.js';
import { nameOf, roleOf } from './names.js';
import { INTERACTIVE, STRUCTURAL, UNNAMED } from './roles.js';
import { isScroller } from './scrollers.js';
import { cut, textOf } from './text.js';
import { askedName, askedRole, asksBrowser, spokenName, toldRole, verdictOf } from './verdicts.js';

export const isDetailed = (el) => namespaceOf(el) === HTML;
const HANDLERS = new Set(['onclick', 'onmousedown', 'onpointerdown', 'ondblclick']);
const PLACED = new Set(['href', 'id', 'name']);
const NAMING = new Set(['aria-label', 'aria-labelledby', 'aria-labeledby', 'title', 'role', 'tabindex']);
const BARE = new Set(['document', 'list', 'listitem', 'row', 'rowgroup', 'none', '']);

// shownRole returns the role that is reported: the browser's if it can be read, and "clickable" for
// what takes clicks and has no role.
export function shownRole(el) {
  return roleShown(el, roleOf(el));
}

// roleShown is shownRole for an element whose computed role is known. The browser has internal
// roles, and none for some inputs.
export function roleShown(el, own) {
  let role = own;
  if (asksBrowser(el) && (own !== 'generic' || hasAttr(el, 'role') || tagOf(el).includes('-'))) {
    role = askedRole(el, own);
    role = toldRole(role, own);
  } else if (!asksBrowser(el)) {
    role = toldRole(verdictOf(el)?.role, own);
  }
  if (role !== '' && role !== 'generic' && role !== 'none') return role;
  if (isTag(el, 'input') && !isInput(el, 'hidden')) return isInput(el, 'file', 'image') ? 'button' : 'textbox';
  return isEditableHost(el) ? 'textbox' : role;
}

const isEditableHost = (el) => {
  const edits = attr(el, 'contenteditable');
  return edits !== null && edits !== 'false' && isEditableContent(el);
};

// clickableName returns the text of el, or a name that contains it and says more, such as the date
// of a day in a calendar.
export function clickableName(el) {
  const text = textOf(el);
  const name = !text || hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby') ? nameOf(el) : '';
  return name.includes(text) ? name : text;
}

export const LONGEST_NAME = 1000; // characters of a name that are shown and compared

// shownName returns the name that is reported.
export function shownName(el, role) {
  if (role === 'clickable') return cut(clickableName(el), LONGEST_NAME);
  if (role === 'iframe') return cut(nameOf(el), LONGEST_NAME);
  if (isNameless(el, role)) return '';
  return cut(asksBrowser(el) ? askedName(el) : spokenName(el), LONGEST_NAME);
}

// givenRole returns the role that a snapshot would show.
export function givenRole(el) {
  const role = shownRole(el);
  if (isTag(el, 'iframe')) return 'iframe';
  return INTERACTIVE.has(role) || STRUCTURAL.has(role) || !takesClicks(el) ? role : 'clickable';
}

// takesClicks is isClickable without knowledge of what is around el.
export function takesClicks(el) {
  const around = up(el);
  const pointed = styleOf(el).cursor === 'pointer' && !(around && styleOf(around).cursor === 'pointer');
  return isClickable(el, tagOf(el), pointed);
}

// isNameless reports whether el surely has no name that is shown.
export const isNameless = (el, role) => UNNAMED.has(role) || (BARE.has(role) && !attributeNames(el).some((name) => NAMING.has(name)));

// isClickable reports whether an element without a role takes clicks, as far as the isolated world
// can see. pointed: the element itself sets the pointer cursor.
export function isClickable(el, tag, pointed) {
  if (tag === 'html' || tag === 'body' || tag === 'label' || !isDetailed(el)) return false;
  const names = attributeNames(el);
  if (pointed || names.some((name) => HANDLERS.has(name))) return true;
  if (tag === 'a') return !names.some((name) => PLACED.has(name)); // otherwise it is a link or its target
  if (!names.includes('tabindex') || Number(attr(el, 'tabindex')) < 0) return false;
  // A box may be focusable only to be scrolled by keys, or to catch the focus.
  const box = rectOf(el);
  return box.width > 0 && box.height > 0 && !isScroller(el, 'x') && !isScroller(el, 'y');
}
