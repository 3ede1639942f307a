// Moving the focus to a control and away from it, and what a page makes of a number on blur.

import { compared } from './compare.js';
import { isNumber, isNumberField } from './controls.js';
import { describe } from './describe.js';
import { attr, blurOf, bodyOf, focusOn, isConnected, isHTML, isInput, isTag, matches, ownerOf, positionOf, tabIndexOf } from './dom.js';
import { byCSS, isInside, nearest, up } from './flat.js';
import { deepActive } from './frames.js';
import { Refusal, fresh } from './look.js';
import { disabledBy, takesText } from './ready.js';
import { CHOICES } from './roles.js';
import { asksOf, settled } from './turns.js';
import { isVisible } from './visible.js';

// takeFocus moves the focus to el, or throws a Refusal if el does not get it.
export function takeFocus(el) {
  focusOn(el, { preventScroll: false });
  const active = deepActive();
  if (active !== el && !(active && isInside(active, el))) {
    throw new Refusal(`${describe(el)} does not take the focus`, { focused: active ? describe(active) : '' }, 'soon');
  }
}

const isFocusless = () => [null, bodyOf(document)].includes(deepActive());

let movedTo = null; // the control that has got the focus of a field that was left

// leave moves the focus from el to the control beside it, and waits for the page's reaction.
export async function leave(el) {
  const asks = asksOf(el);
  moveBeside(el);
  await settled(el, asks);
  fresh();
}

// moveBeside moves the focus from el to the control beside it, as Tab does. A page may discard what
// is being edited when the focus goes to no control at all, so el only loses the focus if there is
// none.
export function moveBeside(el) {
  movedTo = controlBeside(el);
  if (movedTo) focusOn(movedTo, { preventScroll: true });
  if (deepActive() === el) blurOf(el);
}

// returnTo gives the focus back to el, a field that was left, unless it or the page has moved on.
export function returnTo(el) {
  if (el && isConnected(el) && (isFocusless() || deepActive() === movedTo)) focusOn(el, { preventScroll: true });
  movedTo = null;
}

// What Tab stops at, without what reacts to the focus alone: tabs, options, menus, date pickers.
const STOPS = 'button,a[href],summary,input,select,textarea,[role=button][tabindex],[role=link][tabindex]';
const REACTING = `${CHOICES},[role=tab],[role=radio],[role^=menuitem],[role=treeitem],[role=gridcell],[aria-haspopup],[popovertarget],[readonly]`;
const PARTS = 'form,dialog,[role=dialog],[role=alertdialog],fieldset,tr,li,[role=row],[role=listitem],table,[role=grid],[role=group]';
const ENDS = 'form,dialog,[role=dialog],[role=alertdialog]';
const ROWS = 'tr,li,[role=row],[role=listitem]';
const CLIMBED = 8; // levels above a field that are searched for a control

// controlBeside returns the control to which the focus may go from el. In the smallest part of the
// page around el that has another control at which Tab stops, that is the next one, otherwise the
// one before. Buttons and links come first: a field would lose the focus later, and the page may
// validate it then. Of fields, the one before comes first, and none of another row is taken: the
// last row of a list may add one when it gets the focus. It returns null if the form or dialog of
// el has no such control.
export function controlBeside(el) {
  let second = null, since = 0, inRow = false;
  for (let n = up(el), i = 0; n && n !== bodyOf(ownerOf(el)) && i < CLIMBED; n = up(n), i++) {
    const stops = byCSS([n], STOPS), first = nextTo(el, stops, (other) => !isField(other));
    if (first) return first;
    if (!inRow) second ??= lastBefore(el, stops, isField) ?? nextTo(el, stops, isField);
    inRow ||= matches(n, ROWS);
    if (matches(n, ENDS) || (second && (matches(n, PARTS) || since++ > 1))) return second;
  }
  return second;
}

const isStop = (other, el) => isHTML(other) && !isInside(other, el) && !isInside(el, other) && tabIndexOf(other) >= 0 && nearest(other, REACTING) === null
  && !isInput(other, 'hidden') && disabledBy(other) === null && isVisible(other);

const isField = (el) => takesText(el) || isTag(el, 'select') || (isTag(el, 'input') && !isInput(el, 'button', 'submit', 'reset', 'image'));

// nextTo returns the first of others after el, or the last before it, that is a stop of that kind.
const nextTo = (el, others, ofKind) => others.slice(countBefore(el, others)).find((other) => ofKind(other) && isStop(other, el)) ?? lastBefore(el, others, ofKind);

const lastBefore = (el, others, ofKind) => others.slice(0, countBefore(el, others)).findLast((other) => ofKind(other) && isStop(other, el)) ?? null;

function countBefore(el, others) {
  const after = others.findIndex((other) => positionOf(el, other) & Node.DOCUMENT_POSITION_FOLLOWING);
  return after < 0 ? others.length : after;
}

// exceeds reports whether a number is outside of the limits that its field declares.
function exceeds(el, value) {
  const spin = nearest(el, '[role=spinbutton]') ?? el;
  const bounds = (name) => [attr(el, name), attr(spin, `aria-value${name}`)].filter((s) => s !== null && isNumber(s)).map(Number);
  return isNumber(value) && (bounds('min').some((n) => Number(value) < n) || bounds('max').some((n) => Number(value) > n));
}

// beyond returns what a number field holds after a blur if the number exceeds its limits, as pages
// then correct it. It returns null if the number is within the limits, or if the field disappears
// on blur.
export async function beyond(el, value) {
  if (!isNumberField(el) || deepActive() !== el || !exceeds(el, value)) return null;
  await leave(el);
  if (!isConnected(el)) return null;
  const left = compared(el, value);
  returnTo(el);
  return left;
}
