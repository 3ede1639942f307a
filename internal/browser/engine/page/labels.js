// The texts of labels: what names a control, and whether a label's text passes a matcher.

import { checkVisibility } from './depth.js';
import {
  DOCUMENT, attr, attributeNames, dataOf, hasAttr, isInput, isTag, labelControl, matches, ownerOf, parentOf, typeOf,
} from './dom.js';
import { byCSS, hasShadow, hasSlot } from './flat.js';
import { compute, isExposed, pseudoText, referenced, roleOf } from './names.js';
import { isARIA, isRunning } from './plain.js';
import { SHOWN, core, fold, matcher, textOf } from './text.js';
import { isVisible } from './visible.js';
import { byText, nextText, textsBelow } from './words.js';

const LABELLED = 'input:not([type=hidden]),select,textarea,button,meter,output,progress,[contenteditable],[aria-label],[aria-labelledby]';
const CONTROL_ROLES = new Set(['button', 'checkbox', 'combobox', 'grid', 'listbox', 'menuitemcheckbox', 'menuitemradio', 'meter',
  'progressbar', 'radio', 'radiogroup', 'searchbox', 'slider', 'spinbutton', 'switch', 'textbox', 'tree', 'treegrid', 'group']);

// byLabel returns the form controls that a matching <label>, aria-label or aria-labelledby names.
export function byLabel(part, within) {
  const m = matcher(part.op, part.value ?? '');
  if (m.want === '') return [];
  const labelled = labelledControls(within, m);
  return byCSS(within, LABELLED).filter((el) => labelled.has(el) || (ARIA_LABELS.some((a) => hasAttr(el, a)) && isFormControl(el) && ariaLabels(el).some(m.test)));
}

export const ARIA_LABELS = ['aria-label', 'aria-labelledby'];

const isFormControl = (el) =>
  matches(el, 'input,select,textarea,button,meter,output,progress,[contenteditable]') || CONTROL_ROLES.has(roleOf(el));

// labelledControls returns the controls of the <label>s whose text passes: the rendered text, or
// the accessible name (with text from CSS, without text hidden from assistive technology).
function labelledControls(within, m) {
  const found = new Set();
  for (const root of new Set(within.map((n) => (typeOf(n) === DOCUMENT ? n : ownerOf(n))))) {
    for (const label of byCSS([root], 'label')) {
      const control = isTag(label, 'label') ? labelControl(label) : null;
      if (control && mayRead(m, label) && labelTexts(label, control).some(m.test)) found.add(control);
    }
  }
  return found;
}

// mayRead reports whether any text of a label can pass. It compares the first words that are drawn
// in the label, as all its texts contain them: to read all texts is expensive.
export function mayRead(m, label) {
  if (m.want === undefined || m.part || hasShadow(label) || hasSlot(label)) return true;
  const walk = textsBelow(label);
  for (let node = nextText(walk); node; node = nextText(walk)) {
    const words = core(dataOf(node)).replace(DRAWN_BOX, '');
    if (words) return !readsAsIs(node, label) || core(m.want).includes(words);
  }
  return true;
}

// DRAWN_BOX matches the box that some pages draw as a character before the text of a checkbox.
const DRAWN_BOX = /^[\s[\]()\u25a0\u25a1\u25cb\u25cf\u25ef\u25fb\u25fc\u2610-\u2612\u2713\u2714\u2717\u2718]+/;

// readsAsIs reports whether every text that is read of a label contains this text node unchanged.
function readsAsIs(node, label) {
  for (let n = parentOf(node); ; n = parentOf(n)) {
    if ((n !== label && !isRunning(n)) || attributeNames(n).some((name) => name === 'role' || isARIA(name))) return false;
    if (n === label) return checkVisibility(parentOf(node), SHOWN);
  }
}

// labelTexts returns the texts by which a label of control may be found.
export function labelTexts(label, control) {
  const shown = textOf(label), before = pseudoText(label, '::before'), after = pseudoText(label, '::after');
  const spoken = fold(compute(label, { seen: new Set([control]), from: true, hidden: !isExposed(label) }));
  const texts = [shown, spoken, fold(shown + after.trim()), fold(before.trim() + shown + after.trim())];
  return isInput(control, 'checkbox') || isInput(control, 'radio') ? [...texts, shown.replace(DRAWN_BOX, '')] : texts;
}

// ariaLabels returns the texts of el's aria-labelledby and aria-label.
export function ariaLabels(el) {
  const names = [];
  const refs = referenced(el, 'aria-labelledby');
  if (refs.length) {
    names.push(refs.map(textOf).join(' ').trim());
    names.push(fold(refs.map((r) => compute(r, { seen: new Set([el]), ref: true, hidden: !isExposed(r) })).join(' ')));
  }
  if (hasAttr(el, 'aria-label')) names.push(fold(attr(el, 'aria-label')));
  return names;
}

// Marks that forms add to the text of a label.
export const LABEL_MARKS = [':', '：', ' :', '*', ' *', ': *', ' : *', '： *', ':*', '*:', ' *:'];
const unmarked = (text) => text.replace(/^[\s*＊:：]+|[\s*＊:：]+$/g, '');
export const passesLabel = (m, text) => m.test(text) || m.test(unmarked(text));

// markedTexts returns the visible texts that equal the value or, if there are none, those with marks
// after it.
export function markedTexts(part, within) {
  for (const mark of part.op ? [''] : ['', ...LABEL_MARKS]) {
    const found = byText({ ...part, value: part.value + mark }, within).filter(isVisible);
    if (found.length) return found;
  }
  return [];
}
