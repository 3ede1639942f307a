// Moving the focus to a control and away from it, and what a page makes of a number on blur.

import { compared } from './compare.js';
import { isNumber, isNumberField } from './controls.js';
import { describe } from './describe.js';
import { attr, blurOf, bodyOf, focusOn, isConnected } from './dom.js';
import { isInside, nearest } from './flat.js';
import { deepActive } from './frames.js';
import { Refusal, fresh } from './look.js';
import { asksOf, settled } from './turns.js';

// takeFocus moves the focus to el, or throws a Refusal if el does not get it.
export function takeFocus(el) {
  focusOn(el, { preventScroll: false });
  const active = deepActive();
  if (active !== el && !(active && isInside(active, el))) {
    throw new Refusal(`${describe(el)} does not take the focus`, { focused: active ? describe(active) : '' }, 'soon');
  }
}

export const isFocusless = () => [null, bodyOf(document)].includes(deepActive());

// leave takes the focus from el, and waits for the page's reaction.
export async function leave(el) {
  const asks = asksOf(el);
  blurOf(el);
  await settled(el, asks);
  fresh();
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
  if (isFocusless()) focusOn(el, { preventScroll: true });
  return left;
}
