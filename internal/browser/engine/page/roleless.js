// Controls that have neither a tag nor a role that says what they are, such as a list that is
// drawn with plain boxes. They are recognised by what can be pressed in them.

import { attr, isElement, isTag, matches } from './dom.js';
import { ancestors, byCSS, flatKids, isInside, nearest, up } from './flat.js';
import { otherLabels, upToNext } from './labelrows.js';
import { hasLike } from './sections.js';
import { takesClicks } from './shown.js';
import { isVisible } from './visible.js';

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

// withListAround is a field, or what is around the combobox that it is in with its label: some
// libraries give that role to the box of the whole field.
export function withListAround(label, field) {
  const list = nearest(field, '[role=combobox]'), around = list && list !== field && up(list);
  return around && !otherLabels(label, around).length ? around : field;
}
