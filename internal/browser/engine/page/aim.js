// The element that an operation acts on if the query has matched another one: the control of a
// label, the checkbox beside a text. Operations that make no sense for an element are refused.

import { CHECK_ROLES, checkTarget, isSlid, labelled } from './controls.js';
import { describe } from './describe.js';
import { attr, inputType, isInput, isTag, labelControl, queryAll } from './dom.js';
import { nearest, rootsIn } from './flat.js';
import { MAX_LINES } from './limits.js';
import { Refusal } from './look.js';
import { roleOf } from './names.js';
import { takesText } from './ready.js';
import { checkedState } from './states.js';

// aimOf returns the element that op acts on when el was matched: a label's control, or the checkbox
// around a text. It throws a Refusal if the operation makes no sense.
export function aimOf(el, op) {
  switch (op.name) {
    case 'check':
      return checkable(el, op.on);
    case 'fill':
    case 'type':
      return typable(el, op.name);
    case 'checked':
      return checkTarget(el);
    case 'holds':
      return labelled(el);
    case 'select':
      return selectable(el);
    case 'focus':
      return labelled(el);
    case 'files':
      return fileInput(el);
    case 'kind':
      return isGroup(el) ? el : labelled(el);
    default:
      return el;
  }
}

// checkable returns the checkbox, radio button or switch that el is, labels or is in. The argument
// "on" is the state that the check sets.
function checkable(el, on) {
  const near = nearest(el, `label,input,button,a[href],${CHECK_ROLES},[aria-checked]`);
  const aim = (near && isTag(near, 'label') ? labelControl(near) : near) ?? el;
  if (checkedState(aim) === null) {
    throw new Refusal(`${describe(el)} is not a checkbox, radio button or switch; use click`, {}, 'soon');
  }
  if (!on && checkedState(aim) === true && /radio$/.test(isTag(aim, 'input') ? inputType(aim) : roleOf(aim))) {
    throw new Refusal(`${describe(aim)} is a radio button, which cannot be unchecked; check another one of its group`);
  }
  return aim;
}

const OTHER_STEP = {
  checkbox: 'check or uncheck', radio: 'check', file: 'upload', submit: 'click', button: 'click', reset: 'click', image: 'click',
};

// typable returns the text field that el is or labels; fill also accepts ranges, colours and
// sliders.
function typable(el, step) {
  const aim = labelled(el);
  const type = isTag(aim, 'input') ? inputType(aim) : '';
  if (takesText(aim) || (step === 'fill' && (['range', 'color'].includes(type) || isSlid(aim)))) return aim;
  if (type === 'hidden') throw new Refusal(`${describe(aim)} is a hidden field, which takes no input; name the field that the page shows`);
  if (isTag(aim, 'select')) throw new Refusal(`${describe(aim)} is a list of options; use select`);
  if (OTHER_STEP[type]) throw new Refusal(`${describe(aim)} is a ${type} input; use ${OTHER_STEP[type]}`);
  if (isTag(aim, 'button', 'a')) throw new Refusal(`${describe(aim)} takes no text; use click`);
  if (/^(slider|spinbutton|scrollbar)$/.test(roleOf(aim))) throw new Refusal(`${describe(aim)} takes no text and does not expose its number; press arrow keys on it, or drag it`, {}, 'soon');
  throw new Refusal(`${describe(aim)} is not a field that takes text; name the field itself`, {}, 'soon');
}

// selectable returns the <select> that el is or labels.
function selectable(el) {
  const aim = labelled(el);
  if (isTag(aim, 'select')) return aim;
  const what = isTag(aim, 'option') ? 'select its list' : 'use click on it and then on the option';
  throw new Refusal(`${describe(aim)} is not a <select>; ${what}`, {}, 'soon');
}

export const isGroup = (el) => isTag(el, 'fieldset') || /^(radio)?group$/.test(attr(el, 'role') ?? '');

// fileInput returns the file input that el is, labels or contains, or el itself if there is none.
function fileInput(el) {
  if (isInput(el, 'file')) return el;
  const near = nearest(el, 'label');
  const control = near && isTag(near, 'label') ? labelControl(near) : null;
  if (control && isInput(control, 'file')) return control;
  const inside = rootsIn(el).flatMap((root) => queryAll(root, 'input')).filter((n) => isInput(n, 'file'));
  if (inside.length > 1) {
    throw new Refusal(`${describe(el)} contains ${inside.length} file inputs, expected one`, { count: inside.length }, 'soon',
      { code: 'ELEMENT_AMBIGUOUS', next: `name one of them: ${inside.slice(0, MAX_LINES).map(describe).join('; ')}` });
  }
  return inside[0] ?? el;
}
