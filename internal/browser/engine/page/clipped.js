// Whether any part of an element's box can be seen: ancestors may clip it, its own clip may leave
// nothing, its back may face the viewer, or it may lie beyond the ends of the page.

import {
  bodyOf, byId, isSVG, leftScrolled, matches, ownerOf, queryAll, rectOf, rootElementOf, rootOf, styleOf, tagOf, topScrolled, typeOf, viewOf,
} from './dom.js';
import { up } from './flat.js';
import { spend } from './limits.js';
import { LEAST } from './visible.js';

const isKept = (from, to, whole) => to - from > (whole > LEAST ? LEAST : 0);

// isClipped reports whether nothing of box, a rectangle in el, can be seen.
export function isClipped(el, box) {
  const doc = ownerOf(el), view = viewOf(doc), whole = { width: box.width, height: box.height };
  let { left, top, right, bottom } = box, out = ''; // out: the position of an element whose containing block is further up
  if (whole.width <= LEAST && whole.height <= LEAST) return true;
  if (view.innerWidth <= LEAST || view.innerHeight <= LEAST) return true; // the frame is too small to show anything
  for (let n = el; n; n = up(n)) {
    spend();
    const css = styleOf(n), paints = containsPaint(n, css), transforms = paints || css.transform !== 'none' || css.filter !== 'none';
    if (out === 'fixed' ? transforms : transforms || css.position !== 'static') out = '';
    if (isCutOut(n, css) || isCutOutBy(n, css.clipPath) || (css.backfaceVisibility === 'hidden' && isTurned(n))) return true;
    const picture = tagOf(n) === 'svg' && !(up(n) && isSVG(up(n))); // an <svg> clips its content and does not scroll
    if (!out && n !== bodyOf(doc) && n !== rootElementOf(doc) && (css.display !== 'inline' || picture) && css.display !== 'contents') {
      const scrolls = (overflow, reach) => !picture && scrollsTo(overflow, reach);
      const around = rectOf(n), cutsX = paints || css.overflowX !== 'visible', cutsY = paints || css.overflowY !== 'visible';
      if (scrolls(css.overflowX, css.direction === 'rtl' ? around.right - left - leftScrolled(n) : right - around.left + leftScrolled(n))) [left, right] = [around.left, around.right];
      else if (cutsX) [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
      if (scrolls(css.overflowY, bottom - around.top + topScrolled(n))) [top, bottom] = [around.top, around.bottom];
      else if (cutsY) [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
      if ((cutsX && !isKept(left, right, whole.width)) || (cutsY && !isKept(top, bottom, whole.height))) return true;
    }
    if (css.position === 'fixed' || css.position === 'absolute') out = css.position;
  }
  if (out === 'fixed') return right <= 0 || bottom <= 0 || left >= view.innerWidth || top >= view.innerHeight;
  return bottom + view.scrollY <= 0 || (right + view.scrollX <= 0 && styleOf(rootElementOf(doc)).direction !== 'rtl');
}

// isTurned reports whether the back of el faces the viewer, as one side of a flipping card does.
function isTurned(el) {
  let turn = new DOMMatrix();
  for (let n = el, in3D = true; n && in3D; n = up(n), in3D = n && styleOf(n).transformStyle === 'preserve-3d') turn = turnOf(styleOf(n)).multiply(turn);
  return turn.m33 < 0;
}

function turnOf({ transform, rotate }) {
  const own = transform === 'none' ? new DOMMatrix() : new DOMMatrix(transform);
  const [, axis, angle] = /^(?:([xyz]|[-\d. ]+) )?([-\d.]+)deg$/.exec(rotate) ?? [];
  if (!angle || !axis || axis === 'z') return own;
  const [x, y, z] = { x: [1, 0, 0], y: [0, 1, 0] }[axis] ?? axis.split(' ').map(Number);
  return new DOMMatrix().rotateAxisAngle(x, y, z, Number(angle)).multiply(own);
}

// scrollsTo reports whether content that reaches this far into a box can be scrolled to. A box with
// hidden overflow may be scrolled by the page, as virtual lists are.
const scrollsTo = (overflow, reach) => /auto|scroll/.test(overflow) || (overflow === 'hidden' && reach > 0);

// isCutOut reports whether clip or clip-path leaves nothing of an element.
export function isCutOut(el, css) {
  if (css.clip !== 'auto' && (css.position === 'absolute' || css.position === 'fixed')) {
    const [top, right, bottom, left] = css.clip.match(/-?[\d.]+|auto/g).map(parseFloat);
    if (right - left <= LEAST || bottom - top <= LEAST) return true;
  }
  const [, shape, says] = /^(\w+)\((.*)\)/s.exec(css.clipPath) ?? [];
  if (shape === 'circle' || shape === 'ellipse') return /^(?:\S+ )?0(?:px|%)?(?: |$)/.test(says.replace(/(?:^| )at .*/, ''));
  if (shape === 'polygon') return isWithoutArea(says.replace(/^\w+, /, '').split(/, */).map((point) => point.split(' ')));
  if (shape === 'path') return outlinesOf(says).every(isWithoutArea);
  if (shape !== 'inset') return false;
  const [top, right = top, bottom = top, left = right] = says.replace(/ round.*/, '').match(/calc\([^)]*\)|\S+/g);
  const leaves = (whole, ...sides) => sides.reduce((left, side) => left - lengthIn(side, whole), whole) > 0;
  const box = rectOf(el);
  return !leaves(box.height, top, bottom) || !leaves(box.width, left, right);
}

// lengthIn returns how much a side of a shape takes off a box: 20px, 50%, calc(100% - 20px).
function lengthIn(side, whole) {
  let sum = 0;
  for (const [, sign, number, unit] of side.matchAll(/([+-] )?(-?[\d.]+)(px|%)?/g)) sum += (sign === '- ' ? -1 : 1) * Number(number) * (unit === '%' ? whole / 100 : 1);
  return sum;
}

// isWithoutArea reports whether a polygon with these corners has no area: they are at most two
// points, or on one line.
function isWithoutArea(points) {
  const [from, ...rest] = [...new Set(points.map(String))].map((point) => point.split(','));
  if (rest.length < 2) return true;
  const unitOf = (length) => /^-?[\d.e-]+(px|%)?$/.exec(length)?.[1] ?? (Number(length) === 0 ? '' : null);
  for (const axis of [0, 1]) if (rest.every((point) => point[axis] === from[axis])) return true;
  if (new Set([from, ...rest].flat().filter((length) => parseFloat(length) !== 0).map(unitOf)).size > 1) return false;
  const [x, y] = from.map(parseFloat), [dx, dy] = [parseFloat(rest[0][0]) - x, parseFloat(rest[0][1]) - y];
  return rest.every((point) => Math.abs(dx * (parseFloat(point[1]) - y) - dy * (parseFloat(point[0]) - x)) < 1e-6);
}

// outlinesOf returns the corners of each part of an SVG path with absolute coordinates. The control
// points of a curve, which lies between them, count as corners.
function outlinesOf(path) {
  const outlines = [];
  let x = 0, y = 0;
  for (const [, command, given] of path.matchAll(/([A-Z])([^A-Z"]*)/g)) {
    const numbers = (given.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    if (command === 'M') outlines.push([]);
    if (command === 'H') numbers.splice(1, 0, y);
    if (command === 'V') numbers.splice(0, 0, x);
    if (command === 'A') outlines.at(-1)?.push([x - numbers[0], y], [x, y - numbers[1]]); // two more points, as an arc has an area
    const points = command === 'A' ? [numbers.slice(-2)] : numbers.map((_, i) => numbers.slice(i, i + 2)).filter((_, i) => i % 2 === 0);
    outlines.at(-1)?.push(...points);
    [x, y] = points.at(-1) ?? [x, y];
  }
  return outlines;
}

// containsPaint reports whether a box clips its content by containment. A box that is laid out only
// near the window has no size of its own before.
const containsPaint = (el, css) => /paint|strict|content/.test(css.contain)
  || (css.contentVisibility === 'auto' && el.computedStyleMap().get('height')?.toString() !== 'auto');

// isCutOutBy reports whether clip-path refers to an empty <clipPath> of the document.
function isCutOutBy(el, path) {
  const id = /^url\("#([^"]+)"\)/.exec(path)?.[1], by = id ? byId[typeOf(rootOf(el))]?.(rootOf(el), id) : null;
  return Boolean(by) && matches(by, 'clipPath') && !queryAll(by, '*').length;
}
