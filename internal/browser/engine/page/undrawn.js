// Whether a page draws the state of a toggle whose input nobody sees. The browser changes the
// input at a press, also where the application refuses the change; what is drawn for it then
// stays as it was.
//
// What marks a state around the input (words, classes, attributes) is compared before and after the
// press. Where nothing of that has changed, only rules of CSS for the state of the input itself could draw it.
// Marks of the mouse and the focus do not count. A page is said not to have taken a change only
// where a box is drawn for the input, or a mark contradicts it.

import {
  animationsOf, attr, attributeNames, closest, isConnected, isElement, isInput, isSVG, isTag, matches, nextElement, now, ownerOf, queryAll,
  rectOf, rootOf, selectAll, styleOf, textContentOf, typeOf,
} from './dom.js';
import { byCSS, labelsOf, up } from './flat.js';
import { last } from './last.js';
import { fresh } from './look.js';
import { CONTROLS, isAtWork, visuallyHidden } from './ready.js';
import { checkedState } from './states.js';
import { fold } from './text.js';
import { asksOf, nextFrame } from './turns.js';
import { isVisible } from './visible.js';

const MOST_PARTS = 40; // of what is around an input that are compared
const MOST_LEVELS = 3; // of what is drawn around an input without a label
const MOST_AROUND = 6; // levels whose classes count
const MOST_RULES = 20000; // of style sheets that are read

const RIPPLES = /ripple|wave/i;
const PASSING = /focus|hover|press|touch|invalid|error|animat|transition|(?:^|[-_])(?:ng|enter|leave)(?:$|[-_])/i; // marks of the press itself, or of a complaint
const PASSING_DATA = /focus|hover|active|press|invalid|error|touch|data-v-/;
const MARKED = /(?:^|[-_])(?:checked|active|selected|chosen|on)$/i;
const STATES = ['aria-checked', 'aria-pressed', 'aria-selected', 'src', 'd', 'href', 'points', 'style', 'hidden'];

// How parts look, apart from what the mouse and the focus change.
const LOOK = ['display', 'visibility', 'opacity', 'content', 'backgroundColor', 'backgroundImage', 'backgroundPosition', 'transform', 'translate', 'scale',
  'rotate', 'left', 'right', 'top', 'width', 'height', 'marginLeft', 'fill', 'strokeDashoffset', 'clipPath', 'maskImage', 'borderTopWidth', 'fontWeight'];
const MOVING = /^(?:color|border.*color|box-shadow|outline.*|filter|stroke|text-decoration.*)$/;

// refused holds the inputs whose change the page has not drawn, with what it drew before.
const refused = new WeakMap();

// faceBefore is what is drawn for el; null where that draws itself, or nothing else is there.
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

// wrapperOf is the outermost element that is drawn for el alone: its label, or what is around it; null where none is.
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

// rootsOf lists what is drawn for el: its wrapper and labels, or what stands behind it up to the next control.
function rootsOf(el, around) {
  const roots = [...new Set([around, ...labelsOf(el)].filter(Boolean))];
  for (let n = around ? null : nextElement(el); n && !matches(n, 'input') && !controlsIn(n).length; n = nextElement(n)) if (!roots.includes(n)) roots.push(n);
  return roots.filter(isVisible);
}

// marksOf lists what of an element may mark a state.
function marksOf(el) {
  const marks = markWords(el);
  for (const name of attributeNames(el)) if (STATES.includes(name) || (name.startsWith('data-') && !PASSING_DATA.test(name))) marks.push(`${name}=${attr(el, name)}`);
  return marks;
}

const markWords = (el) => (attr(el, 'class') ?? '').split(/\s+/).filter((word) => word && !PASSING.test(word)).sort();

// lookOf says how parts, and what CSS draws before and behind their content, look.
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

// isPainted: a style paints something of its own: a colour, a picture, a shadow, or the line of a border.
const isPainted = (css) => !TRANSPARENT.test(css.backgroundColor) || css.backgroundImage !== 'none' || css.boxShadow !== 'none'
  || ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(css[`border${side}Width`]) > 0 && !TRANSPARENT.test(css[`border${side}Color`]));

// isBox: a part is drawn like the box, button or track of a toggle: itself, without words, or by CSS beside its words. A
// picture may stand for more than one state, as a star of a rating; what paints nothing is only there to be pressed.
function isBox(part) {
  if (!isVisible(part) || isSVG(part) || isTag(part, 'img', 'canvas', 'video') || queryAll(part, 'svg,img').length) return false;
  const isSized = (width, height) => width >= 8 && width <= 80 && height >= 8 && height <= 48;
  const { width, height } = rectOf(part);
  return (fold(textContentOf(part)) === '' && isSized(width, height) && isPainted(styleOf(part))) || ['::before', '::after'].some((pseudo) => {
    const css = styleOf(part, pseudo);
    return !/^(none|normal)$/.test(css.content) && isSized(parseFloat(css.width), parseFloat(css.height)) && (css.content !== '""' || isPainted(css));
  });
}

// contradicted reports whether a mark says the contrary of on: the state of what is around el, or the mark of the
// chosen one on another radio button.
function contradicted(el, on) {
  for (let n = up(el), i = 0; n && isElement(n) && i < MOST_LEVELS && controlsIn(n).every((other) => other === el); n = up(n), i++) {
    if (attr(n, 'data-state') === (on ? 'unchecked' : 'checked')) return true;
  }
  return on && isInput(el, 'radio') && othersOf(el).some((other) => marksMore(other, el));
}

// othersOf lists the other radio buttons of the group of el.
function othersOf(el) {
  const name = attr(el, 'name'), group = closest(el, '[role=radiogroup],fieldset'), root = group ?? rootOf(el);
  return queryAll(root, 'input[type=radio]').filter((n) => n !== el && (name ? attr(n, 'name') === name : group !== null)).slice(0, MOST_PARTS);
}

// marksMore: what is drawn for another radio button has the mark of a chosen one, and what is drawn for el has none.
function marksMore(other, el) {
  const isMarked = (n) => {
    const around = wrapperOf(n);
    return around !== null && [around, ...byCSS([around], '*')].slice(0, MOST_PARTS).flatMap(markWords).some((word) => MARKED.test(word));
  };
  return visuallyHidden(other) && isMarked(other) && !isMarked(el);
}

// byState reports whether a rule of CSS draws something by the state of el itself; null where a sheet cannot be read.
function byState(el) {
  const root = rootOf(el), doc = ownerOf(el), sheets = new Set([doc, root].flatMap((at) => [...(at.styleSheets ?? []), ...(at.adoptedStyleSheets ?? [])]));
  let left = MOST_RULES, unread = false;
  const draws = (rules) => {
    for (const rule of rules) {
      if (left-- <= 0) return (unread = true);
      const text = rule.selectorText;
      if (text?.includes(':checked') && statesOf(text).some((part) => isMeant(el, part))) return true;
      if (rule.cssRules?.length && draws(rule.cssRules)) return true;
      if (rule.styleSheet && draws(rule.styleSheet.cssRules)) return true;
    }
    return false;
  };
  for (const sheet of sheets) {
    try {
      if (!sheet.disabled && draws(sheet.cssRules)) return unread ? null : true;
    } catch {
      unread = true; // of another origin
    }
  }
  return unread ? null : false;
}

// statesOf lists the beginnings of the selectors of a rule that end with the part that has :checked.
function statesOf(text) {
  const parts = [];
  let depth = 0, from = 0, seen = false;
  const end = (to) => {
    if (seen) parts.push(text.slice(from, to).trim());
    seen = false;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (text.startsWith(':checked', i)) seen = true;
    else if (depth === 0 && (/[\s>+~,]/.test(c) || text.startsWith('::', i))) {
      end(i);
      if (c === ',') from = i + 1;
    }
  }
  end(text.length);
  return parts;
}

// isMeant: el is what such a beginning names, in whatever state, or it is what the part in parentheses names whose state is asked for.
function isMeant(el, part) {
  if (part.includes('&')) return true;
  const any = (text) => text.replaceAll(':not(:checked)', ':is(*)').replaceAll(':checked', ':is(*)');
  const inside = part.includes(':has(') || /\([^()]*:checked[^,()]*[\s>+~]+[^\s,()]/.test(part);
  try {
    if (!inside) return matches(el, any(part));
    if (!matches(el, any(compoundIn(part)))) return false;
    return selectAll[typeOf(rootOf(el))](rootOf(el), any(part)).length > 0;
  } catch {
    return true; // not known here
  }
}

// compoundIn is the part of a selector without combinators that has :checked.
function compoundIn(text) {
  const at = text.indexOf(':checked');
  let from = at, depth = 0;
  for (; from > 0; from--) {
    const c = text[from - 1];
    if (c === ')') depth++;
    else if (c === '(' && --depth < 0) break;
    else if (depth === 0 && /[\s>+~,]/.test(c)) break;
  }
  const not = text.slice(from, at) === '' && text.slice(0, from).endsWith(':not(');
  return not ? compoundIn(`${text.slice(0, from - 5)}:checked`) : text.slice(from, at + 8);
}

// isUndrawn reports whether what is drawn for el, which stood as before says, does not show its state on.
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

// isTurning: a part changes its look step by step.
const isTurning = (part) => animationsOf(part, { subtree: true }).some((a) => a.playState === 'running' && a.transitionProperty && !MOVING.test(a.transitionProperty));

// stillUndrawn reports whether el, which has its state on, is one whose change the page has refused.
export function stillUndrawn(el, on) {
  const was = refused.get(el);
  if (!was || was.on !== on) return false;
  const undrawn = isUndrawn(el, was.face, on);
  if (!undrawn) refused.delete(el);
  return undrawn;
}

// undrawnBy reports whether the page does not draw what the press p has set.
export function undrawnBy(p) {
  if (!p.drawn || p.op !== 'check' || last.el !== p.el || !isUndrawn(p.el, p.drawn, last.on)) return false;
  refused.set(p.el, { face: p.drawn, on: last.on });
  return true;
}

// drawnLate waits until the page draws what the last check has set: ms at most since the last sign that it works on that.
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
