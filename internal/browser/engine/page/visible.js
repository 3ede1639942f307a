// Whether an element is visible: it has a box, or what is drawn for it has one. Opacity does not
// count. hiddenBy (ready.js) returns the reason why one is not.

import { checkVisibility, isBeyond } from './depth.js';
import { ELEMENT, TEXT, attr, dataOf, hasAttr, isConnected, matches, queryAll, rectOf, rootOf, styleOf, tagOf, typeOf } from './dom.js';
import { flatKids, nearest } from './flat.js';
import { spend } from './limits.js';
import { DIALOGS } from './roles.js';
import { SHOWN, drawsIn, fold } from './text.js';

export const LEAST = 1; // px; text only for screen readers is put into a box of this size

// drawnBy returns the element that is drawn for a dialog without a size of its own, or null.
// Libraries fix the panel of such a dialog to the window. A box of one pixel only catches the
// focus.
export function drawnBy(el) {
  if (!hasAttr(el, 'role') || !matches(el, DIALOGS)) return null;
  const own = rectOf(el);
  if (own.width > 0 && own.height > 0) return null;
  for (let level = [el], depth = 0; depth < 3; depth++) {
    level = level.flatMap((n) => [...flatKids(n)].filter((kid) => typeOf(kid) === ELEMENT));
    for (const kid of level) {
      const box = rectOf(kid);
      if (box.width > LEAST && box.height > LEAST && checkVisibility(kid, SHOWN)) return kid;
    }
  }
  return null;
}

// contentsShown reports whether an element with display: contents, which has no box, shows
// anything.
export function contentsShown(el) {
  for (const kid of flatKids(el)) {
    if (typeOf(kid) === ELEMENT ? isVisible(kid) : typeOf(kid) === TEXT && fold(dataOf(kid)) !== '' && drawsIn(el)) return true;
  }
  return false;
}

// isVisible reports whether hiddenBy returns null, without computing a reason.
export function isVisible(el) {
  spend();
  if (checkVisibility(el, SHOWN)) {
    const box = rectOf(el);
    return (box.width > 0 && box.height > 0) || drawnBy(el) !== null;
  }
  if (tagOf(el) === 'area') return imageOf(el) !== null && isVisible(imageOf(el));
  return isConnected(el) && !checkVisibility(el) && !isBeyond(el) && tagOf(el) !== 'option' && styleOf(el).display === 'contents' && contentsShown(el);
}

// imageOf returns the first visible image that uses the map of area, else the first one that uses
// it, or null.
export function imageOf(area) {
  const map = nearest(area, 'map'), name = map && attr(map, 'name');
  if (!name) return null;
  const images = queryAll(rootOf(area), 'img[usemap],object[usemap]').filter((el) => attr(el, 'usemap') === '#' + name);
  return images.find(isVisible) ?? images[0] ?? null;
}

// areasOf returns the areas of image, if image is visible and is the one that imageOf returns for
// them.
export function areasOf(image) {
  const use = attr(image, 'usemap') ?? '';
  if (use.length < 2 || use[0] !== '#') return [];
  const map = queryAll(rootOf(image), 'map').find((el) => attr(el, 'name') === use.slice(1));
  const areas = map ? queryAll(map, 'area') : [];
  return areas.length && imageOf(areas[0]) === image && isVisible(image) ? areas : [];
}

// drawnOf returns what is drawn for el: the image of an area, else el.
export const drawnOf = (el) => (tagOf(el) === 'area' && imageOf(el)) || el;
