// Whether a page is calm: nothing is under way that could bring what a wait lacks. When the element
// is missing then, the page's answer is final, and the wait ends early. The Go side checks the open
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

const CALM_AFTER = 1100; // ms since the last input, or since the wait began: a page may show by nothing that a timer is to bring something
const CALM_FOR = 400; // ms of the wait without a change
const INPUT_BEFORE = 5000; // ms; the page has had its time for input before that
export const OVERDUE = 20; // ms for timers of the page that are due, and for what they draw
const CALM_AGAIN = { within: 1000, for: 150 }; // ms; a wait soon after another that has found the page calm
let foundCalm = null; // the last such wait, with the note of the input before it

export function noteCalm() {
  foundCalm = { at: now(), note: noted };
}

// Failures that a calm page does not take back by itself. One that is covered or moves may be
// about to become free. A list of the browser's own that lacks an option says so (final).
const FINAL = new Set(['none', 'state']);
const FINAL_LACKS = new Set(['visible', 'enabled', 'editable']);

// isFinal reports whether a failure may be final. A button that is disabled is not: what enables
// it is often more than the page shows.
export function isFinal({ reason, missing, of, ok, rows, final }) {
  if (reason === 'missing') return FINAL_LACKS.has(missing) && !(missing === 'enabled' && isButton(controlOf(of) ?? of));
  return FINAL.has(reason) || Boolean(final) || (ok && rows?.length === 0);
}

// isCalm reports whether nothing is under way here: the page has had time since the last input,
// nothing changes, moves or is loading.
export function isCalm(req, st, begin, changedAt) {
  const at = now(), quiet = at - Math.max(begin, changedAt);
  if (foundCalm?.note === noted && begin - foundCalm.at < CALM_AGAIN.within) {
    if (quiet < CALM_AGAIN.for) return false;
  } else {
    const input = noted && begin - noted.touched < INPUT_BEFORE ? noted.touched : begin - (req.elapsed ?? 0);
    if (quiet < CALM_FOR || at - input < CALM_AFTER) return false;
  }
  const { docs } = reach();
  if (docs.some((doc) => readyOf(doc) !== 'complete') || docs.some((doc) => runsIn(doc)) || busyOverlay(docs)) return false;
  if (byCSS(docs, ARIA_BUSY).some((el) => checkVisibility(el))) return false; // such as a list that has no height yet
  return !docs.some((doc) => signsIn(doc, req.calm.query).some((s) => onTop(s.el)));
}

const FRAME_LATE = 100; // ms that the time of a frame may lie behind: an animation has begun at that

// runsIn is an element with an animation that is running and comes to an end; since: of those that
// have begun since then, as far as that can be said.
export function runsIn(doc, since = -Infinity) {
  const from = doc === document ? since - FRAME_LATE : -Infinity; // others have a time of their own
  for (const a of documentAnimations(doc)) {
    if (typeof a.startTime === 'number' && a.startTime < from) continue;
    if (a.playState !== 'running' || !a.effect || a.effect.getComputedTiming().endTime === Infinity) continue;
    const el = a.effect.target;
    if (el && !isTint(a) && isVisible(el) && !isOrnament(el, a) && !isTip(el)) return el;
  }
  return null;
}

// isTint: a transition of colours shows nothing and takes nothing away.
const isTint = ({ transitionProperty: name }) => Boolean(name) && name !== 'opacity' && PAINT.test(name);

// isTip: a tooltip is there because of the mouse, and says at once what it says. One with controls
// in it is more than that, and so is what says more than its tooltip.
export function isTip(el) {
  if (isTag(el, 'html', 'body')) return false;
  const inside = nearest(el, TIPS), tip = inside ?? queryAll(el, TIPS)[0];
  return Boolean(tip) && (inside !== null || textContentOf(el) === textContentOf(tip)) && !byCSS([inside ?? el], CONTROLS).length;
}
const TIPS = '[role=tooltip]';

// isOrnament: what fades and has nothing in it, nor can be pressed, such as the wave around a button
// that was pressed, is for the eye alone.
const isOrnament = (el, { transitionProperty }) => PAINT.test(transitionProperty ?? '') && !firstOf(el) && styleOf(el).pointerEvents === 'none';

const documentAnimations = method(Document.prototype, 'getAnimations');
