// Controls that have neither a tag nor a role that says what they are, such as a list or a
// switch drawn with plain boxes. They are recognised by what can be pressed in them.

import { attr, hasAttr, isElement, isTag, matches, queryAll, rectOf, styleOf } from './dom.js';
import { otherLabels, upToNext } from './fields.js';
import { ancestors, byCSS, flatKids, isInside, nearest, up } from './flat.js';
import { isVisible } from './ready.js';
import { takesClicks } from './refs.js';
import { hasLike } from './sections.js';

const SAID = 'button,a,label,summary,[role]';

// takesPresses reports whether a person sees of el that it can be pressed, or comes to it with
// the Tab key, although nothing says what it is.
const takesPresses = (el) => !matches(el, SAID) && !nearest(el, 'button,a,summary,label') && isVisible(el) && (Number(attr(el, 'tabindex') ?? -1) >= 0 || takesClicks(el));

const hasUnsaid = (el, label) => byCSS([el], '*').some((n) => !isInside(n, label) && !isInside(label, n) && takesPresses(n));

// unsaidAround is the smallest box around a label, inside of limit, that has such a control.
function unsaidAround(label, limit) {
  for (const n of ancestors(label)) {
    if (n === limit || isTag(n, 'body')) return null;
    if (n !== label && hasUnsaid(n, label)) return n;
  }
  return null;
}

// labelRow is what a label stands at in a row of labels and controls, or in the whole page.
export function labelRow(label, others, row, opt) {
  const found = others.length ? upToNext(label, others, row, opt) : [];
  return found.length ? found : unsaidField(label, others, row);
}

// unsaidField is the field of a label that has such a control and none of those that say what
// they are, in a part of row that is the label's alone; or what stands there up to the next label.
function unsaidField(label, others, row) {
  const around = unsaidAround(label, row);
  if (around) return [around];
  const kids = [...flatKids(row)].filter(isElement), at = kids.findIndex((kid) => isInside(label, kid));
  const next = kids.findIndex((kid, i) => i > at && others.some((l) => isInside(l, kid)));
  return kids.slice(at + 1, next < 0 ? kids.length : next).filter((kid) => takesPresses(kid) || hasUnsaid(kid, label));
}

// unsaidRow is the row of a text that has such a control, in a box of rows that are alike, of
// which another one has the controls that say what they are. null where there is none.
export function unsaidRow(text, box) {
  const row = unsaidAround(text, box);
  return row && hasLike(row) ? row : null;
}

const SWITCH_NAME = /(^|[-_])switch$/, ON_NAME = /(^|[-_])(checked|on|active|selected)$/, OFF_NAME = /(^|[-_])(unchecked|off|inactive)$/;
const KNOB = 'handle,knob,thumb,dot,button,circle'.split(',').map((name) => `:scope > [class*=${name} i]`).join(',');

// drawnState is whether a switch without a role is on: by its classes, or by the side on which
// its knob is. null for what is none, and for one that does not show it.
export function drawnState(el) {
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

// withListAround is a field, or what is around the combobox that it is in with its label: some
// libraries give that role to the box of the whole field.
export function withListAround(label, field) {
  const list = nearest(field, '[role=combobox]'), around = list && list !== field && up(list);
  return around && !otherLabels(label, around).length ? around : field;
}
