// Limits for pages that are so deep or large that reading them would crash the renderer, or take
// longer than the step has. Chromium recurses through the levels of a page to compute styles, and
// its stack is finite.

import { now, parentOf } from './dom.js';
import { Fail } from './look.js';

export const MOST_LEVELS = 3000; // levels for which the browser computes styles safely
const MANY_LEVELS = 500; // levels above which the browser takes too long to compute names
const SAMPLED = 128; // the depth of every 128th element is measured
export const LONGEST_TEXT = 8_000_000; // characters of one text node that are searched
export const LONGEST_LOOK = 10_000, SHORTEST_LOOK = 3000; // ms that one look may take

const limit = (code, message, next) => ({ ok: false, reason: 'op', code, message, details: {}, next });
export const tooLarge = (message) => limit('LIMIT_EXCEEDED', message, 'name a part of the page nearer to its top, with css: or an id');
export const TOO_DEEP = 'the page is nested too deeply, or its texts are too long, to be read';

let lookEnds = Infinity, spent = 0;

// timed limits the time of a look; otherwise a large page would stay blocked after the step has
// ended.
export function timed(req, look) {
  lookEnds = now() + Math.min(Math.max(req?.timeout || LONGEST_LOOK, SHORTEST_LOOK), LONGEST_LOOK);
  try {
    return look();
  } finally {
    lookEnds = Infinity;
  }
}

// spend throws if the time of the look is over. It is called in every loop that may run long.
export function spend() {
  if (++spent % 64 || now() < lookEnds) return;
  throw new Fail('op', limit('TIMEOUT', 'the page is too large to be searched in time', 'name a part of the page with css: or an id, or give the step more time'));
}

// levelsOf returns roughly how many levels deep the deepest of a list of elements is. In document
// order the depth grows by at most one per element, so a sample is off by at most SAMPLED levels.
export function levelsOf(all) {
  let deepest = 0;
  for (let i = SAMPLED - 1; i < all.length; i += SAMPLED) {
    let level = 0;
    for (let n = all[i]; n && level < MOST_LEVELS; n = parentOf(n)) level++;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

export const nestedDocs = new WeakSet(); // documents with more than MANY_LEVELS levels
export const deepDocs = new WeakSet(); // documents with about MOST_LEVELS levels or more
export let anyDeep = false;

// noteDepth records how deep a document is.
export function noteDepth(doc, levels) {
  const note = (set, is) => (is ? set.add(doc) : set.delete(doc));
  note(nestedDocs, levels > MANY_LEVELS);
  note(deepDocs, levels >= MOST_LEVELS - SAMPLED);
  anyDeep ||= deepDocs.has(doc);
}
export const LONGEST_READ = 1_000_000; // characters of one text that are read: no more are shown
export const MAX_LINES = 10;
