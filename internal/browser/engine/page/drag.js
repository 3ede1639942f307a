// Drags and holds: a button goes down on an element and comes up wherever it has to. As with a
// press, a button that would go down on another element never reaches the page. The listeners
// precede the page's own, and do nothing while nothing is grabbed.

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

// grab begins a drag of el, or of whatever is at a point where el is null.
export function grab(el) {
  release();
  if (el) guardAround(el);
  const views = new Set([window, el && viewOf(ownerOf(el))].filter(Boolean));
  views.forEach(watchDrags);
  grabbed = {
    el, goals: el && goalsOf(el),
    disabled: Boolean(el && disabledBy(el)),
    from: null, // what the button press hit
    press: null, // its event
    stood: null, // whether el was still there when another field lost the focus
    down: false, missed: null, up: false,
    start: null, over: null, drop: null, // the events of a drag of the browser
    ended: false, changed: false,
    observer: new MutationObserver(() => { if (grabbed) grabbed.changed = true; }),
  };
  for (const view of views) {
    grabbed.observer.observe(view.document, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  return {};
}

// grabPoint is grab where a point is dragged, or what is dropped comes from another
// document.
export const grabPoint = () => grab(null);

function release() {
  grabbed?.observer.disconnect();
  grabbed = null;
}

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
  if (event.type === 'mouseup') later(release); // behind the click, which follows in this task
}

// noteStood notes, when another field loses the focus, whether what was grabbed still stands.
export function noteStood(event) {
  if (grabbed?.from && event.type === 'blur') grabbed.stood ??= isThereYet(grabbed.el);
}

export function onDragChange(event) {
  if (grabbed?.down && event.isTrusted) grabbed.changed = true;
}

// grip tells what became of the button press, and whether the browser drags.
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

// dragSource tells whether the browser is still to drag something when the mouse moves on
// from where the button went down: 'sure' for what the page has made draggable, 'maybe'
// for links and images, '' for nothing.
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

// lostGrip says why the button press does not hold what was grabbed: the page has disabled
// it, or has taken it away because another field lost the focus; '' where it does.
function lostGrip(g) {
  const disabled = !g.disabled && isConnected(g.el) && disabledBy(g.el);
  return disabled ? `${disabled} since the button went down on it` : lostByLeaving(g.stood, g.el);
}

// letGo ends the drag and tells what the page saw, after its handlers.
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
