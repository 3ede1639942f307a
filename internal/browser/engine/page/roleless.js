// Controls whose tag and role do not say what they are, such as a list drawn with plain boxes. They
// are recognised by whether they can be clicked.

import { attr, isElement, isTag, matches } from './dom.js';
import { ancestors, byCSS, flatKids, isInside, nearest, up } from './flat.js';
import { otherLabels, upToNext } from './labelrows.js';
import { hasLike } from './sections.js';
import { takesClicks } from './shown.js';
import { isVisible } from './visible.js';

const SAID = 'button,a,label,summary,[role]';

// takesPresses reports whether el looks clickable or can be reached by Tab, although nothing says
// what it is.
const takesPresses = (el) => !matches(el, SAID) && !nearest(el, 'button,a,summary,label') && isVisible(el) && (Number(attr(el, 'tabindex') ?? -1) >= 0 || takesClicks(el));

const hasUnsaid = (el, label) => byCSS([el], '*').some((n) => !isInside(n, label) && !isInside(label, n) && takesPresses(n));

// unsaidAround returns the smallest box around a label, inside limit, that contains such a control,
// or null.
function unsaidAround(label, limit) {
  for (const n of ancestors(label)) {
    if (n === limit || isTag(n, 'body')) return null;
    if (n !== label && hasUnsaid(n, label)) return n;
  }
  return null;
}

// labelRow returns the fields of a label in a row of labels and controls, or in the whole page.
export function labelRow(label, others, row, opt) {
  const found = others.length ? upToNext(label, others, row, opt) : [];
  return found.length ? found : unsaidField(label, others, row);
}

// unsaidField returns the field of a label without a recognisable control: the box in row that is
// the label's alone, or what follows it up to the next label.
function unsaidField(label, others, row) {
  const around = unsaidAround(label, row);
  if (around) return [around];
  const kids = [...flatKids(row)].filter(isElement), at = kids.findIndex((kid) => isInside(label, kid));
  const next = kids.findIndex((kid, i) => i > at && others.some((l) => isInside(l, kid)));
  return kids.slice(at + 1, next < 0 ? kids.length : next).filter((kid) => takesPresses(kid) || hasUnsaid(kid, label));
}

// unsaidRow returns the row of a text if that row contains such a control and is in a box of
// similar rows. Otherwise it returns null.
export function unsaidRow(text, box) {
  const row = unsaidAround(text, box);
  return row && hasLike(row) ? row : null;
}

// withListAround returns field or, if field is in a combobox, the element around both the combobox
// and the label: some libraries give that role to the box of the whole field.
export function withListAround(label, field) {
  const list = nearest(field, '[role=combobox]'), around = list && list !== field && up(list);
  return around && !otherLabels(label, around).length ? around : field;
}
