// Whether a person can see an element: it is drawn and not clipped. Content that can be scrolled
// into view counts as seen. Opacity, colour and covering elements do not matter.

import { isClipped } from './clipped.js';
import { TEXT, isTag, method, ownerOf, rectOf, rootElementOf, styleOf, textContentOf, typeOf } from './dom.js';
import { byCSS, flatKids } from './flat.js';
import { hiddenBy } from './ready.js';
import { TextIndex, core, hidesWithin } from './text.js';
import { drawnBy, isVisible } from './visible.js';
import { smallestIn } from './words.js';

// unseenBy returns why el cannot be seen, or null: the reason of hiddenBy, or that it is clipped.
export function unseenBy(el) {
  const cut = () => (styleOf(el).display !== 'contents' && isClipped(drawnBy(el) ?? el, rectOf(drawnBy(el) ?? el))) || isIndentedAway(el);
  return hiddenBy(el) ?? (cut() ? 'no part of it can be seen: it is clipped or outside the page' : null);
}

// isIndentedAway reports whether a negative text-indent moves all text of el out of sight, and
// nothing else is drawn in its box.
function isIndentedAway(el) {
  const css = styleOf(el);
  if (!(parseFloat(css.textIndent) < 0) || core(textContentOf(el)) === '' || seesOwnText(el) || drawsBox(css)) return false;
  return !['::before', '::after'].some((part) => !/^(none|normal)$/.test(styleOf(el, part).content)) && !byCSS([el], '*').some(isSeen);
}

// drawsBox reports whether an element with this style shows more than its content.
const drawsBox = (css) => css.backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(css.backgroundColor) || css.boxShadow !== 'none'
  || css.listStyleImage !== 'none' || css.display === 'list-item' || ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(css[`border${side}Width`]) > 0);

export const isSeen = (el) => isVisible(el) && unseenBy(el) === null;

const newRange = method(Document.prototype, 'createRange');

// A SeenIndex is a TextIndex in which only text that can be seen counts as shown.
class SeenIndex extends TextIndex {
  stream(el) {
    const stream = super.stream(el);
    return stream === this.shown && !seesOwnText(el) ? this.hidden : stream;
  }
}

// seesOwnText reports whether any text directly in el can be seen.
function seesOwnText(el) {
  if (isTag(el, 'input')) return isSeen(el);
  if (hidesWithin(el)) return false;
  const range = newRange(ownerOf(el));
  for (const node of flatKids(el)) {
    if (typeOf(node) !== TEXT) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 0 && box.height > 0 && !isClipped(el, box)) return true;
  }
  return false;
}

// seesText reports whether a text that a document shows can be seen.
export function seesText(m, doc) {
  const sees = (el) => {
    const index = new SeenIndex(el);
    return index.els.length > 0 && !index.isHidden(0) && index.passes(m, 0);
  };
  return smallestIn(doc, m).some(sees) || sees(rootElementOf(doc));
}
