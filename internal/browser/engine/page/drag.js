// Drags and holds: a mouse button goes down on an element and comes up wherever it has to. As with
// a press, a button press that would hit another element never reaches the page. The listeners run
// before the page's own, and do nothing while nothing is grabbed.

import { describe } from './describe.js';
import {
  ELEMENT, hasAttr, isConnected, isEditableContent, isTag, ownerOf, pathOf, preventEvent, stopEvent, styleOf, targetOf, typeOf, viewOf,
  wasPrevented,
} from './dom.js';
import { ancestors } from './flat.js';
import { guardAround } from './guard.js';
import { watchDrags } from './host.js';
import { fresh } from './look.js';
import { isThereYet, lostByLeaving } from './lost.js';
import { disabledBy, goalsOf } from './ready.js';
import { later, nextFrame } from './turns.js';

export let grabbed = null;

// grab begins a drag of el or, if el is null, of whatever is at the point.
export function grab(el) {
  release();
  if (el) guardAround(el);
  const views = new Set([window, el && viewOf(ownerOf(el))].filter(Boolean));
  views.forEach(watchDrags);
  grabbed = {
    el, goals: el && goalsOf(el),
    disabled: Boolean(el && disabledBy(el)),
    from: null, // the target of the button press
    press: null, // the event of the button press
    stood: null, // whether el was still there when another field lost the focus
    down: false, missed: null, up: false,
    start: null, over: null, drop: null, // the events of a native drag
    ended: false, changed: false,
    observer: new MutationObserver(() => { if (grabbed) grabbed.changed = true; }),
  };
  for (const view of views) {
    grabbed.observer.observe(view.document, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  return {};
}

// grabPoint is grab for a drag from a point, or a drop that comes from another document.
export const grabPoint = () => grab(null);

function release() {
  grabbed?.observer.disconnect();
  grabbed = null;
}

// onDrag handles each mouse and drag event while something is grabbed.
export function onDrag(event) {
  const g = grabbed;
  if (!g || !event.isTrusted) return;
  const path = pathOf(event);
  switch (event.type) {
    case 'pointerdown':
    case 'mousedown':
      if (g.missed || (g.goals && !path.some((n) => g.goals.has(n)))) {
        g.missed ??= path[0];
        break;
      }
      g.down = true;
      g.from = path[0];
      if (event.type === 'mousedown') g.press = event;
      return;
    case 'pointerup':
    case 'mouseup':
      g.up ||= !g.missed;
      break;
    case 'dragstart':
      g.start = event;
      break;
    case 'dragover':
      g.over = event;
      break;
    case 'drop':
      g.drop = event;
      break;
    case 'dragend':
      g.ended = true;
  }
  if (!g.missed) return;
  stopEvent(event);
  preventEvent(event);
  if (event.type === 'mouseup') later(release); // after the click, which follows in this task
}

// noteStood records whether the grabbed element was still there when another field lost the focus.
export function noteStood(event) {
  if (grabbed?.from && event.type === 'blur') grabbed.stood ??= isThereYet(grabbed.el);
}

export function onDragChange(event) {
  if (grabbed?.down && event.isTrusted) grabbed.changed = true;
}

// grip returns what became of the button press, and whether the browser has started a native drag.
export function grip() {
  const g = grabbed;
  if (!g) return { down: false, missed: null, native: false };
  fresh();
  return {
    down: g.down,
    missed: g.missed ? { desc: describe(g.missed) } : null,
    native: g.start !== null && !wasPrevented(g.start),
    drags: dragSource(g),
    lost: g.el && g.down ? lostGrip(g) : '',
  };
}

const NOT_DRAGGED = ['input', 'textarea', 'select', 'option', 'audio', 'video'];

// dragSource returns whether the browser will start a native drag when the mouse moves on: 'sure'
// for elements that the page has made draggable, 'maybe' for links and images, '' for others.
function dragSource(g) {
  if (!g.press || g.start || wasPrevented(g.press)) return '';
  let found = '';
  for (const n of ancestors(g.from)) {
    if (typeOf(n) !== ELEMENT) continue;
    if (isTag(n, ...NOT_DRAGGED) || isEditableContent(n)) return '';
    const drag = styleOf(n).webkitUserDrag;
    if (drag === 'element') return 'sure';
    if (drag !== 'none' && (isTag(n, 'img') || (isTag(n, 'a') && hasAttr(n, 'href')))) found = 'maybe';
  }
  return found;
}

// lostGrip returns why the button press no longer holds the element: the page has disabled it, or
// has removed it because another field lost the focus. It returns '' if the press still holds the
// element.
function lostGrip(g) {
  const disabled = !g.disabled && isConnected(g.el) && disabledBy(g.el);
  return disabled ? `${disabled} since the button went down on it` : lostByLeaving(g.stood, g.el);
}

// letGo ends the drag and returns what the page has seen, once its handlers have run.
export async function letGo() {
  const g = grabbed;
  if (!g) return { down: false, up: false, dropped: false };
  await nextFrame();
  g.changed ||= g.observer.takeRecords().length > 0;
  fresh();
  const over = g.over && targetOf(g.over);
  const result = {
    down: g.down, up: g.up, dropped: g.drop !== null,
    accepted: g.over !== null && wasPrevented(g.over),
    over: over && typeOf(over) === ELEMENT ? describe(over) : '',
    changed: g.changed, drags: dragSource(g),
  };
  if (grabbed === g) release();
  return result;
}
