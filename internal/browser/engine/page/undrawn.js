// Whether a page draws the state of a toggle whose input is hidden. A press changes the input even
// if the application refuses the change; what is drawn for it then stays as it was.
//
// The marks of a state around the input (words, classes, attributes) are compared before and after
// the press. If none has changed, only CSS rules for the state of the input itself could draw it.
// Marks of the mouse and the focus do not count. A change is reported as refused only if a box is
// drawn for the input, or a mark contradicts it.

import { byState } from './bystate.js';
import {
  animationsOf, attr, attributeNames, closest, isConnected, isElement, isInput, isSVG, isTag, matches, nextElement, now, queryAll, rectOf,
  rootOf, styleOf, textContentOf,
} from './dom.js';
import { byCSS, labelsOf, up } from './flat.js';
import { last } from './last.js';
import { fresh } from './look.js';
import { CONTROLS, isAtWork, visuallyHidden } from './ready.js';
import { checkedState } from './states.js';
import { fold } from './text.js';
import { asksOf, nextFrame } from './turns.js';
import { isVisible } from './visible.js';

const MOST_PARTS = 40; // elements around an input that are compared
const MOST_LEVELS = 3; // levels around an input without a label that may be drawn for it
const MOST_AROUND = 6; // levels around a toggle whose classes count

const RIPPLES = /ripple|wave/i;
const PASSING = /focus|hover|press|touch|invalid|error|animat|transition|(?:^|[-_])(?:ng|enter|leave)(?:$|[-_])/i; // marks of the press itself, or of a complaint
const PASSING_DATA = /focus|hover|active|press|invalid|error|touch|data-v-/;
const MARKED = /(?:^|[-_])(?:checked|active|selected|chosen|on)$/i;
const STATES = ['aria-checked', 'aria-pressed', 'aria-selected', 'src', 'd', 'href', 'points', 'style', 'hidden'];

// The styles that make up the look of parts, apart from what the mouse and the focus change.
const LOOK = ['display', 'visibility', 'opacity', 'content', 'backgroundColor', 'backgroundImage', 'backgroundPosition', 'transform', 'translate', 'scale',
  'rotate', 'left', 'right', 'top', 'width', 'height', 'marginLeft', 'fill', 'strokeDashoffset', 'clipPath', 'maskImage', 'borderTopWidth', 'fontWeight'];
const MOVING = /^(?:color|border.*color|box-shadow|outline.*|filter|stroke|text-decoration.*)$/;

// refused maps the inputs whose change the page has not drawn to what it drew before.
const refused = new WeakMap();

// faceBefore returns what is drawn for el, or null if el draws itself or nothing is drawn for it.
export function faceBefore(el) {
  if (!isInput(el, 'checkbox', 'radio') || !visuallyHidden(el)) return null;
  const around = wrapperOf(el), roots = rootsOf(el, around), parts = [];
  for (const root of roots) for (const part of [root, ...byCSS([root], '*')]) if (part !== el && !parts.includes(part) && !RIPPLES.test(attr(part, 'class') ?? '')) parts.push(part);
  if (!parts.length) return null;
  parts.length = Math.min(parts.length, MOST_PARTS);
  const marks = parts.map(marksOf);
  for (let n = up(around ?? el), i = 0; n && isElement(n) && i < MOST_AROUND; n = up(n), i++) marks.push(markWords(n));
  return { parts, marks: JSON.stringify([roots.map((root) => fold(textContentOf(root))), marks]), look: lookOf(parts), boxed: parts.some(isBox) };
}

const controlsIn = (el) => byCSS([el], CONTROLS).filter((n) => !isTag(n, 'label'));

// wrapperOf returns the label around el, or the outermost element around el alone, or null.
function wrapperOf(el) {
  const label = closest(el, 'label');
  if (label) return label;
  let around = null;
  for (let n = up(el), i = 0; n && isElement(n) && i < MOST_LEVELS; n = up(n), i++) {
    if (isTag(n, 'form', 'fieldset', 'body', 'html', 'tr', 'td') || controlsIn(n).some((other) => other !== el)) break;
    around = n;
  }
  return around;
}

// rootsOf returns what is drawn for el: its wrapper and labels, or what follows it up to the next
// control.
function rootsOf(el, around) {
  const roots = [...new Set([around, ...labelsOf(el)].filter(Boolean))];
  for (let n = around ? null : nextElement(el); n && !matches(n, 'input') && !controlsIn(n).length; n = nextElement(n)) if (!roots.includes(n)) roots.push(n);
  return roots.filter(isVisible);
}

// marksOf returns the classes and attributes of an element that may mark a state.
function marksOf(el) {
  const marks = markWords(el);
  for (const name of attributeNames(el)) if (STATES.includes(name) || (name.startsWith('data-') && !PASSING_DATA.test(name))) marks.push(`${name}=${attr(el, name)}`);
  return marks;
}

const markWords = (el) => (attr(el, 'class') ?? '').split(/\s+/).filter((word) => word && !PASSING.test(word)).sort();

// lookOf returns the styles of parts and of their ::before and ::after, as a text.
function lookOf(parts) {
  const looks = [];
  for (const part of parts) {
    for (const pseudo of [undefined, '::before', '::after']) {
      const css = styleOf(part, pseudo);
      looks.push(pseudo && /^(none|normal)$/.test(css.content) ? '' : LOOK.map((name) => css[name]).join('|'));
    }
  }
  return looks.join('\n');
}

const TRANSPARENT = /^(?:transparent|rgba\(.*, 0\)|.* \/ 0%?\))$/;

// isPainted reports whether a style paints anything: a colour, an image, a shadow or a border.
const isPainted = (css) => !TRANSPARENT.test(css.backgroundColor) || css.backgroundImage !== 'none' || css.boxShadow !== 'none'
  || ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(css[`border${side}Width`]) > 0 && !TRANSPARENT.test(css[`border${side}Color`]));

// isBox reports whether a part is drawn like the box, button or track of a toggle: by itself,
// without words, or by CSS beside its words. An image does not count, as one image may stand for
// several states (the star of a rating), nor does a part that paints nothing.
function isBox(part) {
  if (!isVisible(part) || isSVG(part) || isTag(part, 'img', 'canvas', 'video') || queryAll(part, 'svg,img').length) return false;
  const isSized = (width, height) => width >= 8 && width <= 80 && height >= 8 && height <= 48;
  const { width, height } = rectOf(part);
  return (fold(textContentOf(part)) === '' && isSized(width, height) && isPainted(styleOf(part))) || ['::before', '::after'].some((pseudo) => {
    const css = styleOf(part, pseudo);
    return !/^(none|normal)$/.test(css.content) && isSized(parseFloat(css.width), parseFloat(css.height)) && (css.content !== '""' || isPainted(css));
  });
}

// contradicted reports whether a mark says the opposite of the state "on": a data-state around el,
// or the mark of the selected one on another radio button.
function contradicted(el, on) {
  for (let n = up(el), i = 0; n && isElement(n) && i < MOST_LEVELS && controlsIn(n).every((other) => other === el); n = up(n), i++) {
    if (attr(n, 'data-state') === (on ? 'unchecked' : 'checked')) return true;
  }
  return on && isInput(el, 'radio') && othersOf(el).some((other) => marksMore(other, el));
}

// othersOf returns the other radio buttons in the group of el.
function othersOf(el) {
  const name = attr(el, 'name'), group = closest(el, '[role=radiogroup],fieldset'), root = group ?? rootOf(el);
  return queryAll(root, 'input[type=radio]').filter((n) => n !== el && (name ? attr(n, 'name') === name : group !== null)).slice(0, MOST_PARTS);
}

// marksMore reports whether another radio button is drawn as selected, and el is not.
function marksMore(other, el) {
  const isMarked = (n) => {
    const around = wrapperOf(n);
    return around !== null && [around, ...byCSS([around], '*')].slice(0, MOST_PARTS).flatMap(markWords).some((word) => MARKED.test(word));
  };
  return visuallyHidden(other) && isMarked(other) && !isMarked(el);
}

// isUndrawn reports whether el has the state "on" and what is drawn for it does not show that. The
// argument "before" is how that looked before the press.
function isUndrawn(el, before, on) {
  if (!before || !isConnected(el) || checkedState(el) !== on) return false;
  const after = faceBefore(el);
  if (!after) return false;
  const same = after.marks === before.marks;
  if ((same || !isInput(el, 'radio')) && contradicted(el, on)) return true;
  if (!same || !before.boxed || !after.boxed) return false;
  const draws = byState(el);
  return draws === false || (draws === null && after.look === before.look && !after.parts.some(isTurning));
}

// isTurning reports whether a transition is changing the look of a part.
const isTurning = (part) => animationsOf(part, { subtree: true }).some((a) => a.playState === 'running' && a.transitionProperty && !MOVING.test(a.transitionProperty));

// stillUndrawn reports whether el has the state "on" and the page still does not draw that state,
// after an earlier press.
export function stillUndrawn(el, on) {
  const was = refused.get(el);
  if (!was || was.on !== on) return false;
  const undrawn = isUndrawn(el, was.face, on);
  if (!undrawn) refused.delete(el);
  return undrawn;
}

// undrawnBy reports whether the page does not draw the state that press p has set.
export function undrawnBy(p) {
  if (!p.drawn || p.op !== 'check' || last.el !== p.el || !isUndrawn(p.el, p.drawn, last.on)) return false;
  refused.set(p.el, { face: p.drawn, on: last.on });
  return true;
}

// drawnLate waits until the page draws what the last check has set, for at most "wait" ms since the
// last sign that the page is working on that.
export async function drawnLate({ wait }) {
  const { el, on } = last, latest = now() + 10 * wait;
  let asks = el && asksOf(el), until = now() + wait;
  while (el && stillUndrawn(el, on)) {
    if (now() > Math.min(until, latest)) return { undrawn: true };
    await nextFrame();
    fresh();
    if (isAtWork(el, asks)) until = now() + wait;
    asks = asksOf(el);
  }
  return { undrawn: false };
}
