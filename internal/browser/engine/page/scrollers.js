// The boxes that scroll, and the range of their positions.
//
// A box is scrolled if a person could scroll it. overflow: hidden counts as fixed, unless the page
// moves the content with the mouse wheel, as virtual lists do. The range may lie below 0, as in
// right-to-left text.

import { bodyOf, getter, isTag, leftScrolled, ownerOf, rootElementOf, scrollHeightOf, scrollWidthOf, styleOf, topScrolled } from './dom.js';
import { ancestors, unique } from './flat.js';

const clientWidthOf = getter(Element.prototype, 'clientWidth'), clientHeightOf = getter(Element.prototype, 'clientHeight');
const scrollingBoxOf = getter(Document.prototype, 'scrollingElement');
export const placeOf = (box) => ({ x: leftScrolled(box), y: topScrolled(box) });
export const extentOf = (box, axis) => (axis === 'x' ? clientWidthOf(box) : clientHeightOf(box));
const roomOf = (box, axis) => (axis === 'x' ? scrollWidthOf(box) : scrollHeightOf(box)) - extentOf(box, axis);
export const rootBox = (doc) => scrollingBoxOf(doc) ?? rootElementOf(doc);

// wheeled are boxes with hidden overflow that may follow the wheel.
export const wheeled = new WeakSet();
export const mayFollowWheel = (box, axis) => styleOf(box)[axis === 'x' ? 'overflowX' : 'overflowY'] === 'hidden' && roomOf(box, axis) >= 1;

// isScroller reports whether a person could scroll el along an axis if it had enough content.
export function isScroller(el, axis) {
  const doc = ownerOf(el), overflow = axis === 'x' ? 'overflowX' : 'overflowY';
  if (el !== rootBox(doc)) return /auto|scroll/.test(styleOf(el)[overflow]) || wheeled.has(el);
  const own = styleOf(rootElementOf(doc))[overflow];
  return !/hidden|clip/.test(own === 'visible' && bodyOf(doc) ? styleOf(bodyOf(doc))[overflow] : own);
}

export const isFull = (el, axis) => isScroller(el, axis) && roomOf(el, axis) >= 1;

// scrollersOf returns, for each of els, the nearest box at or around it that a person can scroll
// vertically, without the page itself.
export const scrollersOf = (els) => unique(els.map((el) => [...ancestors(el)].find((n) => n !== rootBox(ownerOf(n)) && !isTag(n, 'body') && isFull(n, 'y'))).filter(Boolean), true);

// rangeOf returns the smallest and largest scroll position of a box.
function rangeOf(box, axis) {
  const css = styleOf(box), room = Math.max(0, roomOf(box, axis));
  const flex = /flex/.test(css.display) ? css.flexDirection : '';
  const back = axis === 'y' ? flex === 'column-reverse' : (css.direction === 'rtl') !== (flex === 'row-reverse');
  return back ? [-room, 0] : [0, room];
}

// isAtEnd allows one pixel, because positions are fractional on some screens.
export function isAtEnd(box, axis, sign) {
  const [from, to] = rangeOf(box, axis), at = placeOf(box)[axis];
  return sign < 0 ? at <= from + 1 : at >= to - 1;
}
