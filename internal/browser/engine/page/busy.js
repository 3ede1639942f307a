// Parts of a page that are still loading. A step that reads waits for them. A part is busy while it
// has aria-busy, contains a progress bar without a value, or while the definition's busy selector
// matches in it, around it or over it.

import { describe } from './describe.js';
import { DOCUMENT, ownerOf, rectOf, styleOf, typeOf } from './dom.js';
import { byCSS, isInside } from './flat.js';
import { ARIA_BUSY, onTop } from './loading.js';
import { Fail, cache } from './look.js';
import { once, resolve } from './select.js';
import { isVisible } from './visible.js';

const UNMEASURED = '[role=progressbar]:not([aria-valuenow]), progress:not([value])';
const MOST_READ = 200; // elements of one read that are compared with each sign of loading

// busyBeside returns the element that shows that one of els is loading, or null. If els is empty,
// it checks what was searched; found is the result of resolve.
function busyBeside(req, els, found) {
  if (!req.busy) return null;
  const parts = els.length ? els.slice(0, MOST_READ) : (found.before ?? [document]);
  for (const doc of new Set(parts.map((el) => (typeOf(el) === DOCUMENT ? el : ownerOf(el))))) {
    const signs = signsIn(doc, req.busy.query);
    if (!signs.length) continue;
    for (const part of parts) {
      const sign = signs.find((s) => (typeOf(part) === DOCUMENT ? part === doc && onTop(s.el) : ownerOf(part) === doc && isSignOf(s, part)));
      if (sign) return sign.el;
    }
  }
  return null;
}

// signsIn returns {el, kind} of the elements in a document that show that something is loading. All
// questions of a look have the same query.
export function signsIn(doc, query) {
  const known = cache.signs.get(doc);
  if (known && known.query === query) return known.signs;
  const signs = allSigns(doc, query);
  cache.signs.set(doc, { query, signs });
  return signs;
}

function allSigns(doc, query) {
  const signs = [];
  const add = (els, kind) => els.forEach((el) => isDrawn(el) && signs.push({ el, kind }));
  add(byCSS([doc], ARIA_BUSY), 'aria');
  add(byCSS([doc], UNMEASURED), 'bar');
  if (query) add(resolve(query, { ...once, decided: new Map() }, [doc]).els, 'named');
  return signs;
}

const isDrawn = (el) => isVisible(el) && styleOf(el).opacity !== '0';

function isSignOf({ el, kind }, part) {
  if (el === part) return kind === 'aria';
  if (isInside(el, part)) return true;
  if (kind === 'bar') return false;
  if (isInside(part, el)) return true;
  return kind === 'named' && boxesMeet(rectOf(el), rectOf(part));
}

const boxesMeet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// stillBusy returns the failure of a read of what is still loading, or null.
export function stillBusy(req, els, found) {
  const sign = busyBeside(req, els, found);
  return sign && { ok: false, reason: 'busy', detail: describe(sign) };
}

// unlessBusy throws a Fail if one of els is still loading.
export function unlessBusy(req, els, found) {
  const sign = busyBeside(req, els, found);
  if (sign) throw new Fail('busy', { detail: describe(sign) });
}
