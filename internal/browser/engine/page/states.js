// States of elements: those of a role, such as checked, and those for which a step waits.

import { checkTarget } from './controls.js';
import { declaredState } from './declared.js';
import {
  attr, hasAttr, isChecked, isIndeterminate, isInput, isSelected, isTag, parentOf, queryAll, rectOf, styleOf, tagOf,
} from './dom.js';
import { unseenBy } from './drawn.js';
import { Fail } from './look.js';
import { roleOf } from './names.js';
import { disabledBy } from './ready.js';

// stateOf returns a state of the role kind: a boolean, "mixed", a level, or null if el has no such
// state.
export function stateOf(el, name) {
  switch (name) {
    case 'checked':
      return checkedState(el);
    case 'disabled':
      return disabledBy(el) !== null;
    case 'expanded':
      if (isTag(el, 'details')) return hasAttr(el, 'open');
      if (isTag(el, 'summary') && parentOf(el) && isTag(parentOf(el), 'details')) return hasAttr(parentOf(el), 'open');
      return triState(attr(el, 'aria-expanded'));
    case 'selected':
      return isTag(el, 'option') ? isSelected(el) : triState(attr(el, 'aria-selected'));
    case 'pressed':
      return triState(attr(el, 'aria-pressed'));
    case 'level':
      return Number(attr(el, 'aria-level')) || Number(/^h([1-6])$/.exec(tagOf(el))?.[1]) || null;
    default:
      throw new Fail('selector', { message: `unknown attribute ${name} of a role` });
  }
}

const triState = (value) => ({ true: true, false: false, mixed: 'mixed' })[value] ?? null;

// checkedState returns true, false or "mixed", or null for an element that cannot be checked.
export function checkedState(el) {
  if (isInput(el, 'checkbox', 'radio')) return isIndeterminate(el) && isInput(el, 'checkbox') ? 'mixed' : declaredState(el) ?? isChecked(el);
  const role = roleOf(el);
  if (['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return triState(attr(el, 'aria-checked')) ?? false;
  return ['option', 'treeitem'].includes(role) ? triState(attr(el, 'aria-checked')) : drawnState(el);
}

const SWITCH_NAME = /(^|[-_])switch$/, ON_NAME = /(^|[-_])(checked|on|active|selected)$/, OFF_NAME = /(^|[-_])(unchecked|off|inactive)$/;
const KNOB = 'handle,knob,thumb,dot,button,circle'.split(',').map((name) => `:scope > [class*=${name} i]`).join(',');

// drawnState returns whether a switch without a role is on: by its classes, or the side of its
// knob. It returns null if el is no switch, or does not show its state.
function drawnState(el) {
  if (!isTag(el, 'div', 'span') || hasAttr(el, 'role')) return null;
  const names = (attr(el, 'class') ?? '').split(/\s+/);
  if (!names.some((name) => SWITCH_NAME.test(name))) return null;
  if (names.some((name) => ON_NAME.test(name) && !OFF_NAME.test(name))) return true;
  if (names.some((name) => OFF_NAME.test(name))) return false;
  const knob = queryAll(el, KNOB)[0], whole = rectOf(el), part = knob && rectOf(knob);
  if (!part || !part.width || part.width > 0.7 * whole.width) return null;
  const right = part.left + part.width / 2 > whole.left + whole.width / 2;
  return right !== (styleOf(el).direction === 'rtl');
}

// unlike returns how el differs from a state, or null if it is in that state.
export function unlike(el, state) {
  switch (state) {
    case 'attached':
      return null;
    case 'visible':
      return unseenBy(el);
    case 'enabled':
      return disabledBy(el);
    case 'disabled':
      return disabledBy(el) ? null : 'it is enabled';
    case 'checked':
    case 'unchecked': {
      const have = checkedState(checkTarget(el));
      if (have === null) return 'it is not a checkbox, radio button or switch';
      return have === (state === 'checked') ? null : have === 'mixed' ? 'it is mixed' : `it is ${have ? 'checked' : 'not checked'}`;
    }
    default:
      throw new Fail('selector', { message: `unknown state ${state}` });
  }
}
