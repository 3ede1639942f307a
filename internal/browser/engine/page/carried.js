// Controls that a run has set, in the document that replaced theirs: a change of one of them may
// have submitted the form, or changed the page's address.

import { compared } from './compare.js';
import { checkTarget, isSlid, labelled } from './controls.js';
import { describe } from './describe.js';
import { attr, inputType, isInput, isSelected, isTag, optionLabel, optionText, optionValue, selectOptions, tagOf } from './dom.js';
import { keep } from './kept.js';
import { Refusal } from './look.js';
import { takesText } from './ready.js';
import { checkedState } from './states.js';
import { fold, isSecret } from './text.js';

const quotable = (s) => s !== null && s !== '' && !/["\\\n\r\f]/.test(s);

// sentAs returns {css, name, value}: a selector that finds el in another document by its name or
// id, and what a form submits for it.
export function sentAs(el) {
  const name = attr(el, 'name'), id = attr(el, 'id'), value = attr(el, 'value'), box = isInput(el, 'checkbox', 'radio');
  const by = ['name', 'id'].find((a) => quotable(attr(el, a)));
  let css = by ? `${tagOf(el)}[${by}="${attr(el, by)}"]` : '';
  if (css && box) css += `[type="${inputType(el)}"]${quotable(value) ? `[value="${value}"]` : ''}`;
  return { css, name: name ?? id ?? '', value: box ? value ?? 'on' : '' };
}

// carried returns whether a control holds what the run has set in another document, and records it
// if so.
export function carried(el, { what, value, names, values, on }) {
  const aim = what === 'check' ? checkTarget(el) : labelled(el);
  const fits = what === 'check' ? checkedState(aim) !== null : what === 'select' ? isTag(aim, 'select') : takesText(aim) || isInput(aim, 'range', 'color') || isSlid(aim);
  if (!fits) throw new Refusal(`${describe(aim)} is not the kind of control that the step has set`);
  const state = what === 'check' ? { same: checkedState(aim) === on, holds: checkedState(aim) === true ? 'checked' : 'unchecked' }
    : what === 'select' ? chosenAs(aim, values, names) : heldAs(aim, value);
  if (state.same) keep(aim, what, what === 'fill' ? value : undefined);
  return { held: { connected: true, same: state.same, value: state.holds, secret: isSecret(aim) } };
}

function chosenAs(el, values, names) {
  const chosen = [...selectOptions(el)].filter(isSelected);
  const called = (o, name) => optionValue(o) === name || [optionLabel(o), optionText(o)].some((text) => fold(text) === fold(name));
  const same = JSON.stringify(chosen.map(optionValue)) === JSON.stringify(values)
    || (chosen.length === names.length && chosen.every((o) => names.some((name) => called(o, name))));
  return { same, holds: chosen.map((o) => fold(optionLabel(o))).join(', ') };
}

function heldAs(el, value) {
  const is = compared(el, value);
  return { same: is.same || is.alike, holds: is.value };
}
