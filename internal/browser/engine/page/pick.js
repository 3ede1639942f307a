// Which of several matches a step means, and whether that is ambiguous.

import { isTooDeep } from './depth.js';
import { attr, hasAttr, isTag } from './dom.js';
import { MOST_LEVELS, tooLarge } from './limits.js';
import { Fail } from './look.js';
import { takesText, visuallyHidden } from './ready.js';
import { isVisible } from './visible.js';

// pick returns the first visible match, else the first.
export function pick(els) {
  const el = els.length === 1 ? els[0] : candidates(els)[0] ?? els[0];
  if (el && isTooDeep(el)) throw new Fail('op', tooLarge(`the match is more than ${MOST_LEVELS} levels deep in the page`));
  return el;
}

// ambiguous returns the failure for more than one visible match, or null.
export function ambiguous(els) {
  if (els.length < 2) return null;
  const visible = candidates(els);
  return visible.length < 2 ? null : several(visible);
}

// candidates returns the visible matches. A field that is hidden from view and from the Tab key,
// such as the textarea in which an editor keeps its text for the form, does not count beside
// others.
function candidates(els) {
  const visible = els.filter(isVisible);
  if (visible.length < 2) return visible;
  const shown = visible.filter((el) => !isMirror(el));
  return shown.length ? shown : visible;
}

const isMirror = (el) => attr(el, 'tabindex') === '-1' && !hasAttr(el, 'role') && (isTag(el, 'textarea') || (isTag(el, 'input') && takesText(el))) && visuallyHidden(el);

// several returns the failure for more than one match. Their positions are described only when the
// wait ends.
export const several = (among) => ({ ok: false, reason: 'ambiguous', count: among.length, among });
