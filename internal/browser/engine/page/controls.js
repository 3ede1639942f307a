// Controls: which one an element stands for, its kind, and its value.

import { describe } from './describe.js';
import {
  attr, hasAttr, innerTextOf, inputValue, isEditableContent, isInput, isMultiple, isSelected, isTag, labelControl, optionValue, queryAll,
  rectOf, selectOptions, selectValue, styleOf, textContentOf, textareaValue,
} from './dom.js';
import { ancestors, nearest, up } from './flat.js';
import { Refusal } from './look.js';
import { roleOf } from './names.js';
import { takesText } from './ready.js';
import { FOCUSABLE } from './roles.js';
import { shownName } from './shown.js';
import { fold, readable } from './text.js';

// labelled returns the control of the label around el, the editing host around it, or el itself.
export function labelled(el) {
  if (isEditableContent(el)) return editingHost(el);
  const near = nearest(el, 'label,' + FOCUSABLE);
  return (near && isTag(near, 'label') && labelControl(near)) || el;
}

function editingHost(el) {
  let host = el;
  for (let n = up(el); n && isEditableContent(n); n = up(n)) host = n;
  return host;
}

export const CHECK_ROLES = '[role=checkbox],[role=radio],[role=switch],[role=menuitemcheckbox],[role=menuitemradio]';

export const valueOf = (el) => (isTag(el, 'textarea') ? textareaValue(el) : isTag(el, 'select') ? selectValue(el) : inputValue(el));

// isSlid reports whether el is a slider or spin button that is not an <input> and holds no text. It
// exposes its number to assistive technology and is set by arrow keys.
export const SLID_BY = { slider: ['ArrowRight', 'ArrowLeft'], spinbutton: ['ArrowUp', 'ArrowDown'] };
export const isSlid = (el) => !isTag(el, 'input') && !takesText(el) && Object.hasOwn(SLID_BY, roleOf(el)) && slidTo(el) !== undefined;

// slidTo returns the number of a slider as a text: its aria-valuenow, or the position of its one
// handle between its bounds. It returns undefined if neither is known.
export function slidTo(el) {
  const said = attr(el, 'aria-valuenow'), [min, max] = ['aria-valuemin', 'aria-valuemax'].map((name) => attr(el, name));
  if (isNumber(said)) return said;
  const handles = queryAll(el, '[tabindex="0"]'), [, percent] = (handles.length === 1 && /(?:^|;)\s*(?:left|bottom):\s*([\d.]+)%/.exec(attr(handles[0], 'style') ?? '')) || [];
  return said === null && percent && isNumber(min) && isNumber(max) ? String(Number((Number(min) + (Number(percent) / 100) * (max - min)).toFixed(6))) : undefined;
}

export const isNumber = (s) => s !== null && s.trim() !== '' && Number.isFinite(Number(s));

// handleOf returns the element that takes the keys of a slider.
export const handleOf = (el) => (hasAttr(el, 'tabindex') ? el : queryAll(el, '[tabindex="0"]')[0] ?? el);

// isNumberField reports whether el is an input for a number, native or drawn by a library.
export const isNumberField = (el) => isInput(el, 'number') || (isTag(el, 'input') && nearest(el, '[role=spinbutton]') !== null);
export const RANGED = ['text', 'search', 'url', 'tel', 'password'];

// FORMATS of the input types whose value is set at once, as a picker does.
export const FORMATS = {
  date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www', color: '#rrggbb',
  range: 'a number',
};

export const chosenValues = (el) => [...selectOptions(el)].filter(isSelected).map(optionValue);

const TINY = 400; // square pixels; a smaller box shows no text to edit
const isTiny = (box) => box.width * box.height <= TINY;

// editorOf returns the box of an editor that draws its text by itself, if el only receives the keys
// of that editor. It returns null if el holds its own text.
export function editorOf(el) {
  if (!isTag(el, 'textarea')) return null;
  let tiny = false;
  for (const n of ancestors(el)) {
    const box = rectOf(n);
    tiny ||= isTiny(box) && (n === el || styleOf(n).overflow !== 'visible');
    if (n !== el && box.width >= 50 && box.height >= 15) return tiny ? n : null;
  }
  return null;
}

// showsOnly reports whether an editor shows text, or a part of it that includes the end, and
// nothing else but line numbers.
export function showsOnly(editor, text) {
  const bared = (s) => s.replace(/[\s\u200b-\u200d\ufeff]/g, '');
  const lines = text.split('\n').map(bared).filter(Boolean);
  let shown = bared(readable(editor));
  if (lines.length && !shown.includes(lines.at(-1))) return false;
  for (const line of lines.sort((a, b) => b.length - a.length)) shown = shown.replace(line, () => '');
  return /^\d*$/.test(shown);
}

// checkTarget returns the checkbox, radio button or switch that el is, labels or is in, or el
// itself.
export function checkTarget(el) {
  const near = nearest(el, `label,input,${CHECK_ROLES},[aria-checked]`);
  return (near && isTag(near, 'label') ? labelControl(near) : near) ?? el;
}

// valueRead returns the value of an element that has one, as a text or, for a multiple list, a list
// of texts. It throws a Refusal for others.
export function valueRead(el) {
  if (isTag(el, 'select')) return isMultiple(el) ? chosenValues(el) : selectValue(el);
  if (isTag(el, 'input', 'textarea')) return valueOf(el);
  if (isEditableContent(el)) return innerTextOf(el).replace(/\n$/, '');
  if (isTag(el, 'option')) return optionValue(el);
  if (isTag(el, 'output')) return textContentOf(el);
  const chosen = roleOf(el) === 'combobox' ? chosenText(el) : null;
  if (chosen) return chosen;
  const own = isTag(el, 'button', 'data', 'li', 'meter', 'progress', 'param') ? attr(el, 'value') : null;
  const value = own ?? attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow');
  if (value === null) throw new Refusal(`${describe(el)} has no value; read its text`, {}, 'soon');
  return value;
}

// chosenText returns the text of a combobox that is not a field, or null if its list is inside it
// or it shows only its name.
export function chosenText(el) {
  const text = queryAll(el, 'input,textarea,[role=option],[role=listbox]').length ? '' : fold(readable(el).replaceAll('\u200b', ''));
  return text && text !== shownName(el, 'combobox') ? text : null;
}
