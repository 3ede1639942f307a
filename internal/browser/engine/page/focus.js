// Moving the focus to a control and away from it, and what a number becomes when its field is left.

import { compared } from './compare.js';
import { isNumber, isNumberField } from './controls.js';
import { describe } from './describe.js';
import { attr, blurOf, bodyOf, focusOn, isConnected } from './dom.js';
import { isInside, nearest } from './flat.js';
import { deepActive } from './frames.js';
import { Refusal, fresh } from './look.js';
import { asksOf, settled } from './turns.js';

export function takeFocus(el) {
  focusOn(el, { preventScroll: false });
  const active = deepActive();
  if (active !== el && !(active && isInside(active, el))) {
    throw new Refusal(`${describe(el)} does not take the focus`, { focused: active ? describe(active) : '' }, 'soon');
  }
}

export const isFocusless = () => [null, bodyOf(document)].includes(deepActive());

// leave takes the focus from el, and waits for what the page makes of that.
export async function leave(el) {
  const asks = asksOf(el);
  blurOf(el);
  await settled(el, asks);
  fresh();
}

// exceeds reports whether a number is outside of the limits that its field shows.
function exceeds(el, value) {
  const spin = nearest(el, '[role=spinbutton]') ?? el;
  const bounds = (name) => [attr(el, name), attr(spin, `aria-value${name}`)].filter((s) => s !== null && isNumber(s)).map(Number);
  return isNumber(value) && (bounds('min').some((n) => Number(value) < n) || bounds('max').some((n) => Number(value) > n));
}

// beyond is what the field of a number holds when it has been left, where the number is
// outside of its limits: pages then bring it within. null where that makes no difference, or
// the field goes when it is left.
export async function beyond(el, value) {
  if (!isNumberField(el) || deepActive() !== el || !exceeds(el, value)) return null;
  await leave(el);
  if (!isConnected(el)) return null;
  const left = compared(el, value);
  if (isFocusless()) focusOn(el, { preventScroll: true });
  return left;
}
