// Readiness: visible, enabled, editable, stable, hit. Each check returns null if it passes, and
// otherwise a short reason.

import { areaPoints } from './areas.js';
import { isClipped } from './clipped.js';
import { checkVisibility, isBeyond } from './depth.js';
import { mark } from './describe.js';
import {
  DOCUMENT, ELEMENT, FRAGMENT, TEXT, animationsOf, attr, closest, fromPoint, hasAttr, hostOf, inputType, isConnected, isEditableContent,
  isInput, isTag, labelControl, matches, nextElement, now, ownerOf, queryAll, rectOf, rectsOf, rootOf, scrollIntoView, shadowOf, styleOf,
  typeOf, viewOf,
} from './dom.js';
import { ancestors, byCSS, flatKids, isInside, labelsOf, nearest, up } from './flat.js';
import { frameOffset } from './frames.js';
import { PAINT, motions } from './host.js';
import { spend } from './limits.js';
import { nameOf, roleOf } from './names.js';
import { DIALOGS, OPENERS } from './roles.js';
import { cut, textOf } from './text.js';
import { asksOf } from './turns.js';
import { contentsShown, drawnBy, drawnOf, imageOf, isVisible } from './visible.js';
import { firstText } from './words.js';

// hiddenBy returns why el is not visible, or null. Opacity does not matter.
export function hiddenBy(el) {
  if (!isConnected(el)) return 'detached';
  if (!checkVisibility(el)) return noBox(el);
  if (styleOf(el).visibility !== 'visible') return `visibility: ${styleOf(el).visibility}`;
  const box = rectOf(el);
  return (box.width > 0 && box.height > 0) || drawnBy(el) ? null : 'zero size';
}

function noBox(el) {
  if (isBeyond(el)) return 'not rendered';
  if (isTag(el, 'area')) {
    const image = imageOf(el);
    return image ? hiddenBy(image) : 'no image uses its map';
  }
  if (styleOf(el).display === 'contents') return contentsShown(el) ? null : 'zero size';
  for (const n of ancestors(el)) {
    if (styleOf(n).display === 'none') return n === el ? 'display: none' : `display: none of ${mark(n)}`;
    if (n !== el && isTag(n, 'details') && !hasAttr(n, 'open')) return `inside closed ${mark(n)}`;
    if (n !== el && styleOf(n).contentVisibility === 'hidden') return `content-visibility: hidden of ${mark(n)}`;
  }
  return 'not rendered';
}

export const CONTROLS = ['button', 'input', 'select', 'textarea', 'a[href]', 'area[href]', 'summary', 'option', 'label', 'fieldset', '[role=button]',
  '[role=link]', '[role=checkbox]', '[role=radio]', '[role=switch]', '[role=tab]', '[role=option]', '[role=menuitem]',
  '[role=menuitemcheckbox]', '[role=menuitemradio]', '[role=treeitem]', '[role=combobox]', '[role=textbox]', '[role=searchbox]',
  '[role=slider]', '[role=spinbutton]', '[contenteditable]'].join(',');

// controlOf returns the nearest control at or around el, or null. A label stands for its control.
export function controlOf(el) {
  const near = nearest(el, CONTROLS);
  if (near && isTag(near, 'label')) return labelControl(near) ?? near;
  return near;
}

// disabledBy returns what disables the nearest control at or around el, or null.
export function disabledBy(el) {
  const control = controlOf(el) ?? el;
  if (!isTag(control, 'a') && matches(control, ':disabled')) {
    if (hasAttr(control, 'disabled')) return control === el ? 'disabled' : `disabled by ${mark(control)}`;
    const fieldset = nearest(control, 'fieldset:disabled');
    return fieldset ? `fieldset disabled: ${mark(fieldset)}` : 'disabled';
  }
  for (const from of new Set([control, el])) {
    const aria = nearest(from, '[aria-disabled=true],[aria-disabled=false]');
    if (aria && attr(aria, 'aria-disabled') === 'true') return aria === el ? 'aria-disabled' : `aria-disabled ancestor ${mark(aria)}`;
  }
  const inert = nearest(el, '[inert]');
  if (inert) return `inert: ${mark(inert)}`;
  const styled = styledDisabled(el);
  return styled ? `class ${attr(styled, 'class').split(/\s+/).find(isDisabledClass)} and cursor: not-allowed` : null;
}

export const isDisabledClass = word => /^(?:.*[-_])?disabled[-_]*$/i.test(word) && !/(?:^|[-_])(?:not|non|un)[-_]?disabled$/i.test(word);

// styledDisabled returns the element at or around el that the page disables by style alone, or
// null: it has a disabled class, and its cursor is not-allowed. One of the two is not enough.
function styledDisabled(el) {
  const styled = nearest(el, '[class*=disabled i]');
  return styled && attr(styled, 'class').split(/\s+/).some(isDisabledClass) && styleOf(el).cursor === 'not-allowed' ? styled : null;
}

// busyBy returns what shows that the control at el is busy, or null. A text in data-loading is only
// what the button would then say.
export function busyBy(el) {
  const control = controlOf(el) ?? el;
  if (attr(control, 'aria-busy') === 'true') return 'aria-busy';
  if (/^(|true|1|loading)$/i.test(attr(control, 'data-loading') ?? 'no')) return 'data-loading';
  const word = (attr(control, 'class') ?? '').split(/\s+/).find(isLoadingClass);
  return word ? `class ${word}` : null;
}

const isLoadingClass = (word) => /(?:^|[-_])loading$/i.test(word) && !/(?:^|[-_])(?:not?|non|un|lazy|pre)[-_]?loading$/i.test(word);

// busyButton is busyBy for a button, whose clicks libraries ignore while it is busy. A button that
// opens something does not count: it may show what it is waiting for.
export function busyButton(el) {
  const control = controlOf(el);
  return control && isButton(control) && !matches(control, OPENERS) ? busyBy(control) : null;
}

// isButton reports whether a control is a button. Other controls that are pressed, such as a tab,
// are not.
export function isButton(control) {
  const role = attr(control, 'role');
  if (role) return role === 'button';
  if (isTag(control, 'button') || isInput(control, 'submit', 'button', 'image')) return true;
  return isTag(control, 'a') && (attr(control, 'class') ?? '').split(/\s+/).some((word) => /(?:^|[-_])(?:btn|button)(?:$|[-_])/i.test(word));
}

const NOT_TYPED = ['button', 'checkbox', 'color', 'file', 'hidden', 'image', 'radio', 'range', 'reset', 'submit'];

// takesText reports whether typing puts text into el.
export function takesText(el) {
  if (isTag(el, 'input')) return !NOT_TYPED.includes(inputType(el));
  return isTag(el, 'textarea') || isEditableContent(el);
}

// readonlyBy returns why the text of el cannot be changed, or null.
export function readonlyBy(el) {
  if (isTag(el, 'input', 'textarea') && hasAttr(el, 'readonly')) return 'readonly';
  const aria = nearest(el, '[aria-readonly]');
  return aria && attr(aria, 'aria-readonly') === 'true' ? `aria-readonly${aria === el ? '' : ` of ${mark(aria)}`}` : null;
}

// motionOf returns how an animation moves el or an ancestor: 'begins' if it has yet to start,
// 'runs', or '' if there is none. An animation counts as running until the page has received its
// end event, as the page may ignore presses until then. That event comes with a frame.
export function motionOf(el) {
  let motion = '';
  for (const n of ancestors(el)) {
    for (const a of animationsOf(n)) {
      if (!(a.playState === 'running' || a.pending) || PAINT.test(a.transitionProperty ?? '')) continue;
      if (isToBegin(a)) return 'begins';
      motion = 'runs';
    }
    if (motions.get(n)?.size) motion = 'runs';
  }
  return motion;
}

const SOON = 500; // ms; an animation that begins later may be one that removes el

// isToBegin reports whether an animation has yet to start: it is pending, its delay ends soon, or its
// time is still 0, as it may be for some frames in a busy browser.
function isToBegin(a) {
  const { delay, localTime } = a.effect?.getComputedTiming() ?? {};
  return a.pending || (localTime === 0 && a.playbackRate !== 0) || (typeof localTime === 'number' && localTime < delay && delay - localTime <= SOON);
}

const sameBox = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

// unstable returns why el is not stable, or null. st.box is its bounding box in the previous
// attempt. Only an element that may be moving has to be seen again.
export function unstable(el, st) {
  el = drawnOf(el);
  const box = rectOf(el), before = st.boxOf === el ? st.box : null;
  const again = st.frame !== st.boxFrame; // another frame than in the previous attempt
  const motion = motionOf(el), begins = motion === 'begins' && !st.undrawn;
  st.boxOf = el;
  st.box = begins ? null : box;
  st.boxFrame = st.frame;
  const same = before && sameBox(before, box);
  st.stood = same ? st.stood + (again ? 1 : 0) : 0;
  if (before && !same) return 'it moves';
  return begins || (motion && !(st.stood >= STOOD)) ? 'it is animated' : null;
}

// STOOD is the number of frames after which an element that stays where it is counts as stable though
// it is animated: an animation may never end. In a busy browser, two frames may be of the same moment.
const STOOD = 3;

// spotOf returns {point}, a point of el where a hit test finds it, in coordinates of the main
// viewport, or {covered} with the reason why there is none. It scrolls if that may help.
export function spotOf(el, position, st, goal) {
  const enough = goal ? undefined : (goal = hitGoal(el)); // a shadow host is hit if anything in it is
  let by = null;
  const scrolls = st.scrolls(now()) ? ['center', 'end', 'start'] : [];
  for (const block of [null, ...scrolls]) {
    if (block) {
      scrollTo(drawnOf(el), block);
      st.moved = true;
    }
    for (const p of pointsOf(el, position)) {
      const hit = hitAt(p, ownerOf(el), enough);
      if (hit && goal(hit)) return { point: toMain(p, el) };
      // What covers the middle of el is the reason, not a header at the edge.
      by = (block === 'center' ? hit : by) ?? hit;
    }
  }
  if (scrolls.length) scrollTo(drawnOf(el), 'center'); // so that the next attempt has the same reason
  return { covered: whyMissed(by, el) };
}

// whyMissed returns why a hit test finds the element "by" instead of el; "by" is null outside of
// the viewport.
export function whyMissed(by, el) {
  if (!by) return 'outside of the viewport';
  if (!isInside(el, by)) {
    const cover = coverOf(by, el), name = mark(cover), dialog = ofDialog(cover, el);
    return `covered by ${name}${!dialog || name.includes(dialog) ? '' : `, of the dialog ${dialog}`}`;
  }
  return styleOf(el).pointerEvents === 'none' ? 'pointer-events: none' : `clipped by ${mark(by)}`;
}

export const scrollTo = (el, block) => scrollIntoView(el, { block, inline: block === 'center' ? 'center' : 'nearest', behavior: 'instant' });

// pointsOf returns points to try, in el's own viewport: the centres of its visible boxes, the
// largest first. A link may be broken over several lines.
export function pointsOf(el, position) {
  if (isTag(el, 'area') && imageOf(el)) return areaPoints(el, imageOf(el), position);
  const box = rectOf(el);
  if (position) return [{ x: box.left + position.x, y: box.top + position.y }];
  const view = viewOf(ownerOf(el)) ?? window;
  const points = [];
  for (const r of boxesOf(el)) {
    const left = Math.max(r.left, 0), right = Math.min(r.right, view.innerWidth);
    const top = Math.max(r.top, 0), bottom = Math.min(r.bottom, view.innerHeight);
    if (right > left && bottom > top) points.push({ x: (left + right) / 2, y: (top + bottom) / 2, area: (right - left) * (bottom - top) });
  }
  return points.sort((a, b) => b.area - a.area).slice(0, 3);
}

// boxesOf returns the rectangles that are drawn for el.
export function boxesOf(el) {
  const drawn = (rects) => [...rects].filter((r) => r.width > 0 && r.height > 0);
  const boxes = drawn(rectsOf(el));
  if (boxes.length) return boxes;
  return [...flatKids(el)].flatMap((kid) => { // display: contents, as a slot has it
    if (typeOf(kid) === ELEMENT) return boxesOf(kid);
    if (typeOf(kid) !== TEXT) return [];
    const range = new Range();
    range.selectNodeContents(kid);
    return drawn(range.getClientRects());
  });
}

// toMain converts a point of el's viewport to the main viewport.
export function toMain(p, el) {
  const off = frameOffset(el);
  return { x: p.x + off.x, y: p.y + off.y };
}

// hitAt returns the innermost element at a point of doc's viewport, or null outside of it. If an
// element of an outer document covers the point, it returns that. enough ends the descent into
// shadow trees.
export function hitAt(p, doc, enough) {
  let hit = fromPoint[DOCUMENT](doc, p.x, p.y);
  while (hit && shadowOf(hit) && !enough?.(hit)) {
    spend();
    const inner = fromPoint[FRAGMENT](shadowOf(hit), p.x, p.y);
    if (!inner || inner === hit || !isInside(inner, hit)) break;
    hit = inner;
  }
  const frame = hit && viewOf(doc) !== window && viewOf(doc).frameElement;
  if (!frame) return hit;
  const css = styleOf(frame), box = rectOf(frame);
  const x = p.x + box.left + parseFloat(css.borderLeftWidth) + parseFloat(css.paddingLeft);
  const y = p.y + box.top + parseFloat(css.borderTopWidth) + parseFloat(css.paddingTop);
  const outer = hitAt({ x, y }, ownerOf(frame));
  return outer === frame ? hit : outer;
}

// goalsOf returns the elements that an event may go through to count as a hit of el: el, its labels
// or its label's control, the button or link around it, and what takes their events: the shadow
// host, or the same kind of control around it.
export function goalsOf(el) {
  const goals = new Set([el]);
  if (isTag(el, 'label') && labelControl(el)) goals.add(labelControl(el));
  if (isTag(el, 'input', 'select', 'textarea', 'button', 'meter', 'output', 'progress')) labelsOf(el).forEach((l) => goals.add(l));
  const near = nearest(el, CONTROLS);
  if (near && !isTag(near, 'fieldset') && !matches(near, '[contenteditable]')) goals.add(near);
  // A custom element may take the clicks of its inner control.
  const control = near ?? el, root = rootOf(control);
  if (styleOf(control).pointerEvents !== 'none') return goals;
  if (typeOf(root) === FRAGMENT) goals.add(hostOf(root));
  // A list may take the clicks of its field.
  const around = nearest(up(control), CONTROLS);
  if (around && roleOf(around) === roleOf(control)) goals.add(around);
  return goals;
}

function hitGoal(el) {
  const goals = goalsOf(el);
  return (hit) => {
    for (const n of ancestors(hit)) if (goals.has(n)) return true;
    return false;
  };
}

// coverOf returns what covers el: the layer that hit belongs to, rather than a word in it.
export function coverOf(hit, el) {
  for (const n of ancestors(hit)) {
    if (isInside(el, n)) break;
    if (isTag(n, 'dialog') || /^(alert)?dialog$/.test(attr(n, 'role') ?? '') || /fixed|sticky|absolute/.test(styleOf(n).position)) return n;
  }
  return hit;
}

// ofDialog returns the quoted title of the dialog of a layer, because that says better than the
// element what has to be closed: the dialog around the layer, in it, or beside a layer without text
// that dims the page.
function ofDialog(cover, el) {
  const around = nearest(cover, DIALOGS), beside = textOf(cover) === '' ? up(cover) : cover;
  const open = around ? [around] : byCSS([isTag(beside, 'body') ? cover : beside], DIALOGS);
  const dialog = open.findLast((d) => !isInside(el, d) && isVisible(d));
  const title = dialog && (nameOf(dialog) || firstText(dialog, el));
  return title && JSON.stringify(cut(title, 60));
}

// isToggle reports whether el may be drawn by other elements than its own box.
export const isToggle = (el) => isInput(el, 'checkbox', 'radio') || (isTag(el, 'button') && /^(checkbox|radio|switch)$/.test(attr(el, 'role') ?? ''));

// visuallyHidden reports whether el is hidden from view in one of the usual ways, such as a box of
// one pixel.
export function visuallyHidden(el) {
  if (!isVisible(el)) return true;
  const box = rectOf(el), css = styleOf(el);
  if (box.width <= 1 || box.height <= 1 || css.opacity === '0' || isClipped(el, box)) return true;
  if (/^rect\(0|^rect\(1px, 1px/.test(css.clip) || /inset\((50|100)%/.test(css.clipPath)) return true;
  return box.right + scrollX < 0 || box.bottom + scrollY < 0;
}

// facesOf returns what is pressed instead of a hidden toggle: its labels, or else the box that is
// drawn around it and has the pointer cursor.
export function facesOf(el) {
  const labels = labelsOf(el), beside = nextElement(el);
  if (!labels.length && beside && isTag(beside, 'label') && !hasAttr(beside, 'for') && !labelControl(beside)) return [beside]; // a script of the page toggles the checkbox
  let box = up(el);
  if (labels.length || (hiddenBy(el) !== 'zero size' && (hiddenBy(el) || !isClipped(el, rectOf(el))))) return labels;
  for (let i = 0; i < 2 && box && isVisible(box) && visuallyHidden(box); i++) box = up(box); // climb out of boxes that clip the toggle
  if (!box || !isVisible(box)) return labels;
  const { width, height } = rectOf(box);
  if (width > FACE.width || height > FACE.height || byCSS([box], CONTROLS).some((n) => n !== el)) return [];
  return [box, ...queryAll(box, '*')].some((n) => isVisible(n) && styleOf(n).cursor === 'pointer') ? [box] : [];
}

const FACE = { width: 200, height: 80 }; // the largest size of a switch with its text

// labelSpot returns where to press the visible label of a hidden toggle: not on a link or another
// control in it. It returns null if there is no visible label.
export function labelSpot(el, st) {
  let covered = null;
  for (const label of facesOf(el)) {
    if (!isVisible(label)) continue;
    const goal = (hit) => isInside(hit, label) && [label, el, null].includes(nearest(hit, CONTROLS));
    for (const part of [label, ...queryAll(label, '*')]) {
      if (!isVisible(part)) continue;
      const spot = spotOf(part, null, st, goal);
      if (spot.point) return { ...spot, via: label };
      covered ??= spot;
    }
  }
  return covered;
}

// isAtWork reports whether a page may still set the state of el: it has started timers since the
// counts "before", or shows el as disabled or busy.
export function isAtWork(el, before) {
  return disabledBy(el) !== null || closest(el, '[aria-busy=true]') !== null || Boolean(before && asksOf(el)?.timers > before.timers);
}
