// Whether a page is calm: nothing is under way that could bring what a wait needs. If the element
// is still missing then, that result is final, and the wait ends early. The Go side checks the open
// requests.

import { signsIn } from './busy.js';
import { checkVisibility } from './depth.js';
import { firstOf, isTag, method, now, queryAll, styleOf, textContentOf } from './dom.js';
import { noted } from './effect.js';
import { byCSS, nearest } from './flat.js';
import { PAINT, readyOf } from './host.js';
import { ARIA_BUSY, busyOverlay, onTop } from './loading.js';
import { reach } from './reach.js';
import { CONTROLS, controlOf, isButton } from './ready.js';
import { isVisible } from './visible.js';

const CALM_AFTER = 1100; // ms since the last input, or since the wait began: a page need not show that a timer will change it
const CALM_FOR = 400; // ms without a change during the wait
const INPUT_BEFORE = 5000; // ms; earlier input no longer counts
export const OVERDUE = 20; // ms for overdue timers of the page, and for what they draw
const CALM_AGAIN = { within: 1000, for: 150 }; // ms; a wait soon after another that has found the page calm
let foundCalm = null; // the last such wait, with the note of the input before it

export function noteCalm() {
  foundCalm = { at: now(), note: noted };
}

// Failures that a calm page does not undo by itself. An element that is covered or moves may be
// about to become free. A native list that lacks an option is marked as final.
const FINAL = new Set(['none', 'state']);
const FINAL_LACKS = new Set(['visible', 'enabled', 'editable']);

// isFinal reports whether a failure may be final. A disabled button is not: what enables it often
// does not show on the page.
export function isFinal({ reason, missing, of, ok, rows, final }) {
  if (reason === 'missing') return FINAL_LACKS.has(missing) && !(missing === 'enabled' && isButton(controlOf(of) ?? of));
  return FINAL.has(reason) || Boolean(final) || (ok && rows?.length === 0);
}

// isCalm reports whether nothing is under way in these documents: the page has had time since the
// last input, and nothing changes, moves or loads.
export function isCalm(req, st, begin, changedAt) {
  // A fallback that matches may not win yet: the wait has not looked for it.
  if (st.spent < (req.grace ?? 0) && req.query?.parts.some((part) => part.kind === 'alias' && part.alts.length > 1)) return false;
  const at = now(), quiet = at - Math.max(begin, changedAt);
  if (foundCalm?.note === noted && begin - foundCalm.at < CALM_AGAIN.within) {
    if (quiet < CALM_AGAIN.for) return false;
  } else {
    const input = noted && begin - noted.touched < INPUT_BEFORE ? noted.touched : begin - (req.elapsed ?? 0);
    if (quiet < CALM_FOR || at - input < CALM_AFTER) return false;
  }
  const { docs } = reach();
  if (docs.some((doc) => readyOf(doc) !== 'complete') || docs.some((doc) => runsIn(doc)) || busyOverlay(docs)) return false;
  if (byCSS(docs, ARIA_BUSY).some((el) => checkVisibility(el))) return false; // also of elements without a size, such as a list that is still empty
  return !docs.some((doc) => signsIn(doc, req.calm.query).some((s) => onTop(s.el)));
}

const FRAME_LATE = 100; // ms by which the time of a frame, at which animations start, may lag

// runsIn returns a visible element with a running animation that will end, or null. since: only
// animations that started after that, if their start is known.
export function runsIn(doc, since = -Infinity) {
  const from = doc === document ? since - FRAME_LATE : -Infinity; // other documents have their own time
  for (const a of documentAnimations(doc)) {
    if (typeof a.startTime === 'number' && a.startTime < from) continue;
    if (a.playState !== 'running' || !a.effect || a.effect.getComputedTiming().endTime === Infinity) continue;
    const el = a.effect.target;
    if (el && !isTint(a) && isVisible(el) && !isOrnament(el, a) && !isTip(el)) return el;
  }
  return null;
}

// isTint reports whether an animation is a colour transition, which neither shows nor removes
// anything.
const isTint = ({ transitionProperty: name }) => Boolean(name) && name !== 'opacity' && PAINT.test(name);

// isTip reports whether el is a tooltip or contains nothing else: it depends on the mouse and has
// its text at once. An element with controls, or with other text, is no tooltip.
export function isTip(el) {
  if (isTag(el, 'html', 'body')) return false;
  const inside = nearest(el, TIPS), tip = inside ?? queryAll(el, TIPS)[0];
  return Boolean(tip) && (inside !== null || textContentOf(el) === textContentOf(tip)) && !byCSS([inside ?? el], CONTROLS).length;
}
const TIPS = '[role=tooltip]';

// isOrnament reports whether an element is empty, cannot be clicked and only fades, as the ripple
// on a pressed button does.
const isOrnament = (el, { transitionProperty }) => PAINT.test(transitionProperty ?? '') && !firstOf(el) && styleOf(el).pointerEvents === 'none';

const documentAnimations = method(Document.prototype, 'getAnimations');
