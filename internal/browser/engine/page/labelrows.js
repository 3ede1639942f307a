// Rows of labels and controls: which controls a field can have, and which of a row belong to a
// label.

import { isElement } from './dom.js';
import { byCSS, flatKids, isInside } from './flat.js';
import { Kind } from './roles.js';
import { isVisible } from './visible.js';

// LISTED is a button that opens a list of options and shows the selected one: not one that only
// opens the list of a text field.
export const LISTED = ':is(button,[role=button])[aria-haspopup=listbox]:not([tabindex="-1"],[role=combobox] + *)';
export const FIELD_CONTROLS = new Kind('input:not([type=hidden]),select,textarea,[contenteditable]:not([contenteditable=false]),' + LISTED,
  'combobox', 'listbox', 'switch', 'checkbox', 'radio', 'radiogroup', 'slider', 'spinbutton', 'textbox', 'searchbox', 'tree');

// otherLabels returns the labels in el that belong to other controls than label does.
export const otherLabels = (label, el) => byCSS([el], 'label').filter((l) => l !== label && isVisible(l) && !isInside(l, label) && !isInside(label, l) && !wrapsControl(l));

// upToNext returns the elements with controls between a label and the next one in a row. It returns
// none if the row begins with a control, as its labels may then follow their controls.
export function upToNext(label, others, row, opt) {
  const kids = [...flatKids(row)].filter(isElement);
  const isLabelled = (kid) => [label, ...others].some((l) => isInside(l, kid));
  const first = kids.find((kid) => isLabelled(kid) || hasControl(kid));
  const after = kids.slice(kids.findIndex((kid) => isInside(label, kid)) + 1);
  const next = after.findIndex(isLabelled);
  if (hasControl(first)) return [];
  const found = after.slice(0, next < 0 ? after.length : next).filter(hasControl);
  found.filter((el) => FIELD_CONTROLS.is(el)).forEach((el) => opt.bare.add(el));
  return found;
}

export const hasControl = (el) => FIELD_CONTROLS.is(el) || FIELD_CONTROLS.in([el]).length > 0;
const wrapsControl = (label) => FIELD_CONTROLS.in([label]).length > 0;
