// Plain elements: those whose role and name all browsers compute in the same way. The engine
// computes these itself, so that on plain pages the browser need not keep its accessibility tree,
// which takes longer than a whole look.

import { isBeyond } from './depth.js';
import {
  ELEMENT, HTML, TEXT, attr, attributeNames, closest, dataOf, firstOf, hasAttr, inputType, isElement, isTag, localName, namespaceOf,
  nextOf, parentOf, queryAll, shadowOf, styleOf, tagOf, typeOf,
} from './dom.js';
import { labelsOf, up } from './flat.js';
import { cache } from './look.js';
import { firstKid, isExposed, trim } from './names.js';
import { fold } from './text.js';

// PLAIN are the elements that have one role, whatever is around them.
const PLAIN = new Set(['a', 'area', 'article', 'button', 'code', 'del', 'em', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ins', 'label', 'main',
  'mark', 'menu', 'nav', 'ol', 'option', 'output', 'p', 's', 'select', 'strong', 'sub', 'sup', 'textarea', 'time', 'ul']);
const PLAIN_INPUTS = new Set(['button', 'checkbox', 'email', 'number', 'password', 'radio', 'range', 'reset', 'search', 'submit', 'tel', 'text', 'url']);
const PROMPTED = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']); // named by a placeholder
const UNPLAIN = new Set(['role', 'contenteditable', 'list', 'switch']);

// isPlain reports whether roleOf surely returns the role of el.
export function isPlain(el) {
  const tag = tagOf(el);
  if (namespaceOf(el) !== HTML || attributeNames(el).some((name) => UNPLAIN.has(name))) return false;
  if (tag === 'li') return isPlainItem(el);
  if (tag === 'table' || PARTS.has(tag)) return isInPlainTable(el) && (tag !== 'th' || isPlainHeader(el));
  return tag === 'input' ? PLAIN_INPUTS.has(inputType(el)) : PLAIN.has(tag);
}

// isPlainItem reports whether the parent of an <li> is a plain list.
function isPlainItem(el) {
  const list = parentOf(el);
  return list !== null && isElement(list) && isTag(list, 'ul', 'ol', 'menu') && isPlain(list);
}

// PARTS maps each part of a table to its possible parents.
const PARTS = new Map([['thead', 'table'], ['tbody', 'table'], ['tfoot', 'table'], ['tr', 'tbody,thead,tfoot'], ['td', 'tr'], ['th', 'tr']]);
const CERTAIN_ROWS = 20; // with this many rows, the browser takes no table for a layout table

// isInPlainTable reports whether el, a table or part of one, is in a table that the browser surely
// takes for a data table, with no attribute that changes its structure.
function isInPlainTable(el) {
  const known = cache.plain;
  if (!known.has(el)) known.set(el, isInOrder(el));
  return known.get(el);
}

function isInOrder(el) {
  const tag = tagOf(el);
  if (namespaceOf(el) !== HTML || attributeNames(el).some((name) => UNPLAIN.has(name) || name === 'aria-owns')) return false;
  if (tag === 'table') return queryAll(el, ':scope>caption,:scope>thead,:scope>tfoot').length > 0 || queryAll(el, ':scope>*>tr').length >= CERTAIN_ROWS;
  const around = parentOf(el);
  return around !== null && isElement(around) && isTag(around, ...PARTS.get(tag).split(',')) && isInPlainTable(around);
}

// isPlainHeader reports whether a header cell declares its scope, or has only header cells beside
// it.
const isPlainHeader = (el) => /^(row|col)(group)?$/i.test(attr(el, 'scope') ?? '') || queryAll(parentOf(el), ':scope>:not(th)').length === 0;

const NAMED_ELSEWHERE = new Set(['role', 'contenteditable', 'aria-labelledby', 'aria-labeledby', 'aria-owns']);
const BY_CONTENT = new Set(['a', 'button', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th']);
const BY_LABEL = new Set(['input', 'output', 'select', 'textarea']);
const BY_NOTHING = new Set(['form', 'nav', 'main', 'article', 'ul', 'ol', 'menu', 'li']);

// plainName returns the name of el if that is certain, else null.
export function plainName(el) {
  const names = attributeNames(el), tag = tagOf(el);
  if (namespaceOf(el) !== HTML || names.some((name) => NAMED_ELSEWHERE.has(name))) return null;
  if (tag === 'a' && !names.includes('href')) return null; // it is no link
  const given = names.includes('aria-label') ? trim(attr(el, 'aria-label')) : '';
  const name = BY_LABEL.has(tag) ? labelName(el, tag) : BY_CONTENT.has(tag) ? plainText(el) : tag === 'table' ? captionOf(el) : BY_NOTHING.has(tag) ? '' : null;
  if (name === null) return null;
  if (given) return fold(given);
  return !names.includes('title') || (name && !names.includes('placeholder')) ? name : null;
}

// captionOf returns the name of a table from its caption, or null if that is not certain.
function captionOf(table) {
  if (hasAttr(table, 'summary') || !isInPlainTable(table)) return null;
  const caption = firstKid(table, 'caption');
  return caption ? plainText(caption) || null : '';
}

// labelName returns the name of a control from its one label, or from its own value, or null.
function labelName(el, tag) {
  const type = tag === 'input' ? inputType(el) : '';
  if (tag === 'input' && !PLAIN_INPUTS.has(type)) return null;
  const labels = labelsOf(el);
  if (labels.length > 1) return null;
  if (labels.length === 1) return isPlainLabel(labels[0]) ? plainText(labels[0], el) || null : null;
  if (['button', 'submit', 'reset'].includes(type)) return fold(attr(el, 'value') ?? '') || null;
  const hint = attr(el, 'placeholder');
  return hint === null ? '' : tag === 'textarea' || PROMPTED.has(type) ? fold(hint) || null : null;
}

function isPlainLabel(label) {
  const around = up(label);
  return isExposed(label) && !attributeNames(label).some(speaks) && !(around && closest(around, 'label'));
}

// RUNNING are inline elements that have no role, so that only their text counts.
const RUNNING = new Set(['b', 'em', 'i', 'small', 'span', 'strong', 'u']);

// plainText returns the text in el, without the control "but", or null if el has anything but
// inline text that is drawn unchanged.
function plainText(el, but = null) {
  const text = rawText(el, but, true);
  if (text === null || !isMarked.test(text)) return text && fold(text);
  return TOUCHED.test(text) ? null : fold(text.replace(/[\u0001-\u0003]/g, ''));
}

function rawText(el, but, top) {
  if (shadowOf(el) || !isDrawnPlainly(el, top)) return null;
  let text = '';
  for (let kid = firstOf(el); kid; kid = nextOf(kid)) {
    const type = typeOf(kid);
    const part = kid === but ? ' ' : type === TEXT ? dataOf(kid) : type === ELEMENT ? partText(kid, but) : '';
    if (part === null) return null;
    text += part;
  }
  return text;
}

function partText(el, but) {
  if (isBeyond(el) || attributeNames(el).some(speaks)) return null;
  const text = isTag(el, 'svg') ? iconText(el) : isTag(el, 'img') ? imageText(el) : isRunning(el) ? rawText(el, but, false) : null;
  if (text === null || styleOf(el).display === 'inline') return text;
  return text.trim() ? ` ${text} ` : null;
}

export const isRunning = (el) => RUNNING.has(localName.call(el)) && namespaceOf(el) === HTML;

// The name of an image is enclosed by two marks; one without a name is a single mark.
const SPOKEN_PARTS = 'title,desc,text,a,image,use,foreignObject,style,[role],[aria-label],[aria-labelledby]';
const iconText = (svg) => (namespaceOf(svg) === SVG && queryAll(svg, SPOKEN_PARTS).length === 0 ? '\u0003' : null);
const imageText = (img) => (isDrawnPlainly(img) ? `\u0001${attr(img, 'alt') ?? ''}\u0002` : null);
// If text touches an image, only the browser knows whether it adds a space.
const isMarked = /[\u0001-\u0003]/;
const TOUCHED = /\S\u0001|\u0002\S|[^\s\u0003]\u0003+[^\s\u0003]/;
const SVG = 'http://www.w3.org/2000/svg';

const speaks = (name) => name === 'role' || name === 'title' || name === 'hidden' || name === 'inert' || name === 'slot' || isARIA(name);
export const isARIA = (name) => name.startsWith('aria-');

// isDrawnPlainly reports whether CSS neither hides nor changes the text of el, nor adds any.
function isDrawnPlainly(el, top) {
  const css = styleOf(el);
  return (top || PLAIN_BOXES.has(css.display)) && css.visibility === 'visible' && css.contentVisibility === 'visible' && css.textTransform === 'none'
    && (css.whiteSpace === 'normal' || css.whiteSpace === 'nowrap')
    && isAbsent(styleOf(el, '::before')) && isAbsent(styleOf(el, '::after'));
}

const PLAIN_BOXES = new Set(['inline', 'inline-block', 'inline-flex']);
const isAbsent = (css) => css.content === 'none' || css.content === 'normal';
