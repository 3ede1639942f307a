// The field that loses the focus when another control is used, and what the page then makes of
// its value.

import { isAddress, plainly, readNumber } from './compare.js';
import { handleOf, isNumberField, isSlid, valueOf } from './controls.js';
import { blurOf, bodyOf, focusOn, isConnected, isInput, isTag, listen, now, ownerOf, pathOf, unlisten, viewOf } from './dom.js';
import { isInside, nearest, up } from './flat.js';
import { deepActive } from './frames.js';
import { excuseIfChanged, focusedOf, heldBy, holdsNumber, isHeld, noteRevert, revertsOf, standsFor, tookOnLeaving } from './kept.js';
import { fresh } from './look.js';
import { Meant, recordOf } from './meant.js';
import { disabledBy, takesText } from './ready.js';
import { CHOICES } from './roles.js';
import { isSecret } from './text.js';
import { asksOf } from './turns.js';

// A press takes the focus from a field in front of its click: a number, a password or an
// address that the page changes then does not change by the click. What an option does that
// has been pressed is known behind it.
let leaving = null;

// isExact: a change of what k holds makes another value of it, however small.
const isExact = (el, k) => isSecret(el) || isInput(el, 'email', 'url') || isAddress(plainly(String(k.want)));

export function watchLeaving(k, pressed) {
  const el = k?.ref.deref();
  if (!el || k.what !== 'fill' || isInside(pressed, el) || !(isNumberField(el) || holdsNumber(el, k) || isExact(el, k)) || nearest(el, CHOICES) || nearest(pressed, CHOICES)) return;
  leaving?.end();
  const view = viewOf(ownerOf(el)), mine = { k, el, held: null, emptied: false };
  const on = (event) => {
    if (!event.isTrusted || leaving !== mine) return;
    if (event.type === 'click') {
      mine.end();
      if (mine.held) noteLeaving(mine);
    } else if (pathOf(event)[0] === el && mine.held === null) { // the change of a field comes in front of its blur
      fresh();
      mine.held = isHeld(el, k);
    }
  };
  mine.end = () => LEFT_BY.forEach((type) => unlisten(view, type, on, true));
  for (const type of LEFT_BY) listen(view, type, on, { capture: true, passive: true });
  leaving = mine;
}

const LEFT_BY = ['change', 'blur', 'click'];

function noteLeaving(mine) {
  const { k, el } = mine;
  fresh();
  if (k.reverted || !isConnected(el) || standsFor(k) !== el) return;
  const holds = valueOf(el);
  mine.emptied = holds === '';
  const isNumber = isNumberField(el) || holdsNumber(el, k);
  // A field for addresses that is empty may have made something of it, anywhere.
  const other = isNumber ? mine.emptied || readNumber(plainly(holds), false) : !mine.emptied || isSecret(el);
  if (isHeld(el, k) || tookOnLeaving(k, el, holds) || !other) return;
  k.reverted = { holds };
}

// leftByPress lists the reverts of the run of a press that is over; undefined where it has
// left no such field.
export function leftByPress() {
  const mine = leaving;
  if (!mine) return undefined;
  mine.end();
  leaving = null;
  if (mine.emptied && isConnected(mine.el) && valueOf(mine.el) !== '') mine.k.reverted = null; // the click has set it
  return revertsOf(mine.k.run);
}

const BLUR_TIME = 20; // ms that a page has to reject a field that has lost the focus
export const MOVES = new Set(['fill', 'type', 'select', 'focus']); // operations that take the focus from it

// leavesField moves the focus to el by itself, in front of the input to it, where another
// control of the run has it: what the page makes of that one then does not come of the
// input. It reports whether the page has begun something that is to be waited for.
export function leavesField(el, op, st) {
  if (st.leaves === undefined) st.leaves = leaveField(el, op.keep, Math.min(BLUR_TIME, (st.req.timeout ?? 0) / 2));
  if (st.leaves && now() >= st.leaves.until) {
    st.leaves.field.left = false;
    st.leaves = null;
  }
  return st.leaves !== null;
}

// takesOver notes what el is, if the focus is to be moved to it from elsewhere, and reports
// whether that is so: the page may then make another one of it.
export function takesOver(el, op, st, found) {
  const active = deepActive();
  if (st.meant?.el === el || !st.req.query || !active || active === bodyOf(ownerOf(active)) || isInside(active, el)) return false;
  st.meant?.end();
  st.meant = new Meant(el, op, st, found);
  return true;
}

// movesFocus moves the focus to el, and reports whether it has got it.
export function movesFocus(el) {
  const isThere = () => isInside(deepActive(), el);
  if (!isThere()) focusOn(isSlid(el) ? handleOf(el) : el, { preventScroll: true });
  return isThere();
}

// leavesToEnable takes the focus from a field, in front of the input to el, which is disabled:
// a page may check a field when it is left, as a press by a person does also on a disabled
// button. It reports whether it has.
export function leavesToEnable(el, op) {
  const active = fieldBefore(el);
  if (active) leaveFor(el, active, op);
  return active !== null;
}

// leavesFirst takes the focus from a field, in front of a button that goes down on el, where the
// page may give el to another record then: one in another row of the same list, or what a drag or
// a hold begins on. The page could act on the button before it has left the field, and the input
// could not be taken back. It reports whether it has.
export function leavesFirst(el, op) {
  const active = op.name === 'press' || op.name === 'grab' ? fieldBefore(el) : null;
  if (!active || (op.name === 'press' && !isBesideRecord(recordOf(active), recordOf(el)))) return false;
  leaveFor(el, active, op);
  return true;
}

// fieldBefore is the field outside of el that has the focus; null where that is none, or one of
// a list that may close when it is left.
function fieldBefore(el) {
  const active = deepActive();
  if (!active || !(takesText(active) || isTag(active, 'select')) || isInside(active, el) || isInside(el, active)) return null;
  return nearest(active, CHOICES) || nearest(el, CHOICES) ? null : active;
}

const isBesideRecord = (row, other) => row !== null && other !== null && row !== other && up(row) === up(other);

function leaveFor(el, active, op) {
  const k = focusedOf(op.keep);
  if (k) k.left = true;
  if (!disabledBy(el)) focusOn(el, { preventScroll: true });
  if (deepActive() === active) blurOf(active);
  fresh();
  if (!k) return;
  noteLeft(k);
  k.at = now();
}

function leaveField(el, run, wait) {
  const k = focusedOf(run), before = asksOf(el);
  if (!k || isInside(k.ref.deref(), el)) return null;
  k.left = true;
  focusOn(isSlid(el) ? handleOf(el) : el, { preventScroll: true });
  noteLeft(k);
  const after = before && asksOf(el);
  k.left = !after || after.timers !== before.timers || after.frames !== before.frames;
  if (!k.left) return null;
  k.at = now();
  k.waits = true;
  return { field: k, until: k.at + wait };
}

// noteLeft looks at what has become of k, which has lost the focus, and of what was set
// before it: that may depend on it.
export function noteLeft(k) {
  noteRevert(k);
  for (const other of heldBy(k.run)) if (other.at < k.at) excuseIfChanged(other);
}
