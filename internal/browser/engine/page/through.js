// From a frame outwards: maps a point of a frame that this world cannot enter to the viewport of
// this world. A world inside the frame has found the element; the documents around it make sure
// that an event reaches it.

import { mark } from './describe.js';
import { bodyOf, getter, isConnected, method, now, ownerOf, rectOf, rootElementOf, styleOf, viewOf } from './dom.js';
import { ancestors, up } from './flat.js';
import { contentBox, frameAround, frameAt, viewSize } from './frames.js';
import { disarm, shield } from './guard.js';
import { State, watch } from './poll.js';
import { hiddenBy, hitAt, toMain, unstable, whyMissed } from './ready.js';

// FRACTIONS of a scrolled box at which a point in a frame is tried.
const FRACTIONS = [0.5, 0.85, 0.15];

// through waits until an event at the point x, y of a frame's own viewport (of size view) would
// reach the frame, and returns the point in this window's viewport. moved: it had to wait or
// scroll, so the content of the frame may have moved too. need: any of visible, stable, hit.
// shield: for how many presses the guard is armed here.
export function through(req) {
  disarm();
  const st = new State(req), need = new Set(req.need ?? []);
  let looks = 0, moved = false;
  const look = () => {
    const el = frameAt(req.frame);
    if (!el || !isConnected(el)) return { done: { ok: false, reason: 'gone' } };
    moved ||= looks++ > 0;
    const res = wayThrough(el, req, st, need);
    if (res.missing) return { not: { ok: false, reason: 'missing', ...res } };
    if (req.shield) shield(el, req.shield);
    return { done: { ok: true, point: res.point, view: viewSize(), moved: moved || res.scrolled } };
  };
  return watch(req, look, st);
}

function wayThrough(el, req, st, need) {
  const hidden = need.has('visible') ? hiddenBy(el) : null;
  if (hidden !== null) return { missing: 'visible', detail: `its frame ${mark(el)} is not visible: ${hidden}` };
  const turn = turnedBy(el);
  if (turn) return { missing: 'hit', detail: `its frame is rotated, skewed or mirrored by ${mark(turn)}, so positions in it cannot be computed` };
  const moves = need.has('stable') ? unstable(el, st) : null;
  if (moves !== null) return { missing: 'stable', detail: `its frame ${mark(el)}: ${moves}` };
  const at = () => placeIn(el, req);
  return need.has('hit') ? hitThrough(el, at, st) : { point: toMain(at(), el), scrolled: req.scroll ? reveal(el, at, null) : false };
}

// hitThrough returns the point if a hit test there finds the frame itself; it scrolls if that may
// help.
function hitThrough(el, at, st) {
  let by = null, scrolled = false;
  const fractions = st.scrolls(now()) ? [null, ...FRACTIONS] : [];
  for (const fraction of [undefined, ...fractions]) {
    if (fraction !== undefined) scrolled = reveal(el, at, fraction) || scrolled;
    const hit = hitAt(at(), ownerOf(el));
    if (hit === el) return { point: toMain(at(), el), scrolled };
    by = hit ?? by;
  }
  return { missing: 'hit', detail: by ? whyMissed(by, el) : 'outside of the viewport' };
}

// placeIn converts a point of a frame's viewport to the viewport of the document around it.
function placeIn(el, { x, y, view }) {
  const box = contentBox(el);
  const scale = (at, own, size) => (own > 0 && Math.abs(own - size) >= 1 ? (at * size) / own : at);
  return { x: box.left + scale(x, view.x, box.width), y: box.top + scale(y, view.y, box.height) };
}

// turnedBy returns the element at or around el that rotates, skews or mirrors it, or null.
// Translation and scaling keep boxes upright.
function turnedBy(el) {
  for (let frame = el; frame; frame = frameAround(frame)) {
    for (const n of ancestors(frame)) {
      const css = styleOf(n);
      if (css.rotate !== 'none' && !/^0\w*$/.test(css.rotate)) return n;
      if (css.transform === 'none') continue;
      const m = new DOMMatrixReadOnly(css.transform);
      if (!m.is2D || Math.abs(m.b) > 1e-6 || Math.abs(m.c) > 1e-6 || m.a <= 0 || m.d <= 0) return n;
    }
  }
  return null;
}

const scrollByOf = method(Element.prototype, 'scrollBy');
const scrollTopOf = getter(Element.prototype, 'scrollTop');
const scrollLeftOf = getter(Element.prototype, 'scrollLeft');
const scrollerOf = getter(Document.prototype, 'scrollingElement');

// reveal scrolls everything around el so that the point is in view: with fraction null only the
// boxes that do not show it, to their middle, else all to that fraction. It reports whether
// anything has scrolled.
function reveal(el, at, fraction) {
  let scrolled = false;
  for (let frame = el, point = at; frame; frame = frameAround(frame)) {
    for (let n = up(frame); n; n = up(n)) scrolled = bring(n, point, fraction) || scrolled;
    const inner = point, around = frameAround(frame);
    point = () => {
      const box = contentBox(around), p = inner();
      return { x: box.left + p.x, y: box.top + p.y };
    };
  }
  return scrolled;
}

// bring scrolls one box to show a point, and reports whether it has scrolled.
function bring(n, point, fraction) {
  const doc = ownerOf(n), view = viewOf(doc), root = n === (scrollerOf(doc) ?? rootElementOf(doc));
  if (!root && (n === rootElementOf(doc) || n === bodyOf(doc) || /visible|clip/.test(styleOf(n).overflow))) return false;
  const box = root ? { left: 0, top: 0, width: view.innerWidth, height: view.innerHeight } : rectOf(n), p = point();
  const by = (at, from, size) => (fraction === null && at >= from && at < from + size ? 0 : at - from - size * (fraction ?? 0.5));
  const left = scrollLeftOf(n), top = scrollTopOf(n);
  scrollByOf(n, { left: by(p.x, box.left, box.width), top: by(p.y, box.top, box.height), behavior: 'instant' });
  return scrollLeftOf(n) !== left || scrollTopOf(n) !== top;
}
