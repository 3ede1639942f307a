// Limits: pages so deep or so large that reading them would end the renderer, or take
// longer than the step has. Chromium recurses through the levels of a page when it
// computes styles, and its stack is finite.

const MOST_LEVELS = 3000; // levels for which the browser computes styles safely
const MANY_LEVELS = 500; // levels from which the browser's own names take too long
const SAMPLED = 128; // one element in so many has its depth measured
const LONGEST_TEXT = 8_000_000; // characters of one text node that are searched
const LONGEST_LOOK = 10_000, SHORTEST_LOOK = 3000; // ms that one look may take

const limit = (code, message, next) => ({ ok: false, reason: 'op', code, message, details: {}, next });
const tooLarge = (message) => limit('LIMIT_EXCEEDED', message, 'name a part of the page nearer to its top, with css: or an id');
const TOO_DEEP = 'the page is nested too deeply, or its texts are too long, to be read';

let lookEnds = Infinity, spent = 0;

// timed bounds the time of a look; without a bound, a large page would stay blocked after
// the step has given up.
function timed(req, look) {
  lookEnds = now() + Math.min(Math.max(req?.timeout || LONGEST_LOOK, SHORTEST_LOOK), LONGEST_LOOK);
  try {
    return look();
  } finally {
    lookEnds = Infinity;
  }
}

// spend is called wherever a look may repeat something many times.
function spend() {
  if (++spent % 64 || now() < lookEnds) return;
  throw new Fail('op', limit('TIMEOUT', 'the page is too large to be searched in time', 'name a part of the page with css: or an id, or give the step more time'));
}

// levelsOf is about how many levels deep the elements of a list are, in document order.
// From one to the next the depth grows by at most one, so a sample is off by at most
// SAMPLED levels.
function levelsOf(all) {
  let deepest = 0;
  for (let i = SAMPLED - 1; i < all.length; i += SAMPLED) {
    let level = 0;
    for (let n = all[i]; n && level < MOST_LEVELS; n = parentOf(n)) level++;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

const nestedDocs = new WeakSet(); // documents of more than MANY_LEVELS
const deepDocs = new WeakSet(); // documents of about MOST_LEVELS, or more
let anyDeep = false;

function noteDepth(doc, levels) {
  const note = (set, is) => (is ? set.add(doc) : set.delete(doc));
  note(nestedDocs, levels > MANY_LEVELS);
  note(deepDocs, levels >= MOST_LEVELS - SAMPLED);
  anyDeep ||= deepDocs.has(doc);
}

// isNested reports whether a document is so deep that the browser takes too long over
// names: it reads what is in an element again for each one around it.
const isNested = (doc) => rootsIn(doc).length > 0 && nestedDocs.has(doc);

// isBeyond reports whether el must not be asked for its style: it is too deep, or it is
// in a part of a deep page for which the browser has computed no styles and would
// compute all of them.
const isBeyond = (el) => anyDeep && deepDocs.has(ownerOf(el)) && levelOf(el) === Infinity;

// levelOf is the level of an element of a deep page, Infinity beyond what may be asked.
function levelOf(el) {
  const levels = cache.levels, chain = [];
  let n = el;
  for (; n && !levels.has(n); n = up(n)) chain.push(n);
  for (let around = n, level = n ? levels.get(n) : 0; chain.length; around = n) {
    n = chain.pop();
    level = level >= MOST_LEVELS || (around && skipsContent(around, n)) ? Infinity : level + 1;
    levels.set(n, level);
  }
  return levels.get(el);
}

// skipsContent reports whether the browser computes no styles of kid, a child of el.
function skipsContent(el, kid) {
  if (tagOf(el) === 'details' && !hasAttr(el, 'open')) return tagOf(kid) !== 'summary';
  return getComputedStyle(el).contentVisibility === 'hidden';
}

// isTooDeep reports whether el is too deep in a document that may not have been measured.
function isTooDeep(el) {
  let n = el;
  for (let i = 0; i < MOST_LEVELS && n; i++) n = parentOf(n);
  return n !== null || isBeyond(el);
}
