// The field that loses the focus when another control is used, and what the page then does with its
// value.

import { plainly, readNumber } from './compare.js';
import { handleOf, isNumberField, isSlid, valueOf } from './controls.js';
import { attr, blurOf, bodyOf, focusOn, isConnected, isTag, listen, now, ownerOf, pathOf, tagOf, unlisten, viewOf } from './dom.js';
import { byCSS, isInside, nearest, up } from './flat.js';
import { moveBeside } from './focus.js';
import { deepActive } from './frames.js';
import { excuseIfChanged, focusedOf, heldBy, holdsNumber, isExact, isHeld, noteRevert, revertsOf, standsFor, tookOnLeaving } from './kept.js';
import { fresh } from './look.js';
import { Meant, recordOf } from './meant.js';
import { nameOf } from './names.js';
import { disabledBy, takesText } from './ready.js';
import { CHOICES } from './roles.js';
import { isSecret } from './text.js';
import { asksOf } from './turns.js';
import { isVisible } from './visible.js';

// A press takes the focus from a field before its click. If the page changes a number, a password
// or an address at that moment, the click did not cause the change. What a pressed option changes
// is known only after the click.
let leaving = null;

// watchLeaving watches the field of record k while pressed is pressed: what the page changes in it
// before the click counts as a revert.
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
    } else if (pathOf(event)[0] === el && mine.held === null) { // the change event of a field comes before its blur
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
  // An empty address field may have turned the address into a tag, at any position.
  const other = isNumber ? mine.emptied || readNumber(plainly(holds), false) : !mine.emptied || isSecret(el);
  if (isHeld(el, k) || tookOnLeaving(k, el, holds) || !other) return;
  k.reverted = { holds };
}

// leftByPress returns the reverts of the run after a press, or undefined if the press took the
// focus from no watched field.
export function leftByPress() {
  const mine = leaving;
  if (!mine) return undefined;
  mine.end();
  leaving = null;
  if (mine.emptied && isConnected(mine.el) && valueOf(mine.el) !== '') mine.k.reverted = null; // the click has set it
  return revertsOf(mine.k.run);
}

const BLUR_TIME = 20; // ms that a page has to reject the value of a field that has lost the focus
export const MOVES = new Set(['fill', 'type', 'select', 'focus']); // operations that move the focus

// leavesField moves the focus to el before its input, if another control of the run has it: a
// change that the page then makes to that control is not a result of the input. It reports whether
// the page has started something that has to be waited for.
export function leavesField(el, op, st) {
  if (st.leaves === undefined) st.leaves = leaveField(el, op.keep, Math.min(BLUR_TIME, (st.req.timeout ?? 0) / 2));
  if (st.leaves && now() >= st.leaves.until) {
    st.leaves.field.left = false;
    st.leaves = null;
  }
  return st.leaves !== null;
}

// takesOver records what el is if the focus has to be moved to it, because the page may then give
// el to another record. It reports whether it has done so.
export function takesOver(el, op, st, found) {
  const active = deepActive();
  if (st.meant?.el === el || !st.req.query || !active || active === bodyOf(ownerOf(active)) || isInside(active, el)) return false;
  st.meant?.end();
  st.meant = new Meant(el, op, st, found);
  return true;
}

// movesFocus moves the focus to el and reports whether el now has it.
export function movesFocus(el) {
  const isThere = () => isInside(deepActive(), el);
  if (!isThere()) focusOn(isSlid(el) ? handleOf(el) : el, { preventScroll: true });
  return isThere();
}

// mayLeave reports whether leavesToEnable would take the focus from a field.
export const mayLeave = (el) => fieldBefore(el) !== null;

// leavesToEnable moves the focus from the field that has it to the control beside it, because el is
// disabled. A page may validate a field when the field loses the focus, and a person's press takes
// the focus even if the button is disabled. It reports whether a field had the focus.
export function leavesToEnable(el, op) {
  const active = fieldBefore(el);
  if (active) leaveBy(() => moveBeside(active), op);
  return active !== null;
}

// leavesFirst takes the focus from the field that has it before a mouse button goes down on el. It
// does so if el is in another row of the same list of fields, or if the press starts a drag or a
// hold, because the blur may make the page give el to another record. Otherwise the page could act
// on the button before it has handled the blur, and the input could not be undone. The focus goes
// where the press would move it. It reports whether a field had the focus.
export function leavesFirst(el, op) {
  const active = op.name === 'press' || op.name === 'grab' ? fieldBefore(el) : null;
  if (!active || (op.name === 'press' && !isBesideRecord(active, recordOf(active), recordOf(el)))) return false;
  leaveBy(() => {
    for (let n = el; n && deepActive() === active && n !== bodyOf(ownerOf(el)); n = up(n)) if (!disabledBy(n)) focusOn(n, { preventScroll: true });
    if (deepActive() === active) blurOf(active);
  }, op);
  return true;
}

// fieldBefore returns the field outside of el that has the focus. It returns null if there is none,
// or if the field or el belongs to a list that may close when the field loses the focus.
function fieldBefore(el) {
  const active = deepActive();
  if (!active || !(takesText(active) || isTag(active, 'select')) || isInside(active, el) || isInside(el, active)) return null;
  return nearest(active, CHOICES) || nearest(el, CHOICES) ? null : active;
}

// isBesideRecord reports whether "other" is another record in the list of row, which is the row of
// field: whether both have the same fields. The suggestions for a field have none, and the rows of
// a form in a table have fields of another kind or with other names.
function isBesideRecord(field, row, other) {
  if (row === null || other === null || row === other || up(row) !== up(other)) return false;
  const own = fieldsIn(row), others = fieldsIn(other), at = own.indexOf(field);
  return at >= 0 && own.length === others.length && own.every((el, i) => kindOf(el) === kindOf(others[i])) && isNamedLike(field, others[at]);
}

const fieldsIn = (row) => byCSS([row], FIELDS).filter(isVisible);
const FIELDS = 'input:not([type=hidden]),select,textarea,[contenteditable]:not([contenteditable=false])';
const kindOf = (el) => `${tagOf(el)} ${attr(el, 'type') ?? ''}`;

// isNamedLike reports whether two fields could have one column: their names share a word, or one
// has none, and their name attributes begin alike.
function isNamedLike(el, other) {
  const wordsOf = (s) => s.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [words, others] = [el, other].map((n) => wordsOf(nameOf(n)));
  const [key, otherKey] = [el, other].map((n) => wordsOf(attr(n, 'name') ?? '')[0]);
  return (!words.length || !others.length || words.some((word) => others.includes(word))) && (!key || !otherKey || key === otherKey);
}

// leaveBy calls move, which moves the focus from a field, and checks what the run has set there.
function leaveBy(move, op) {
  const k = focusedOf(op.keep);
  if (k) k.left = true;
  move();
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

// noteLeft checks k, which has lost the focus, and excuses changes of what was set before it, as
// that may depend on k.
export function noteLeft(k) {
  noteRevert(k);
  for (const other of heldBy(k.run)) if (other.at < k.at) excuseIfChanged(other);
}
