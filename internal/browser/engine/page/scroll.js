// Scrolling a box or the page, and waiting for long lists that load more while they are scrolled.

import { describe } from './describe.js';
import { TEXT, dataOf, firstOf, isTag, method, nextOf, now, ownerOf, rectOf, styleOf, textContentOf, typeOf, viewOf } from './dom.js';
import { isSeen } from './drawn.js';
import { ancestors, byCSS, isInside } from './flat.js';
import { frameDocument, isFrame } from './frames.js';
import { SHORTEST_LOOK, timed } from './limits.js';
import { Fail, Refusal, fresh } from './look.js';
import { State, watch } from './poll.js';
import { hitAt } from './ready.js';
import { extentOf, isAtEnd, isFull, isScroller, mayFollowWheel, placeOf, rootBox, wheeled } from './scrollers.js';
import { once, resolve } from './select.js';
import { afterTurns, asksOf, nextFrame } from './turns.js';

const scrollBox = method(Element.prototype, 'scrollTo');

const AXIS = { up: 'y', down: 'y', left: 'x', right: 'x' };
const FORWARD = { up: -1, down: 1, left: -1, right: 1 };

// wayOf returns the axes along which a scroll moves, each with its sign.
export function wayOf(s) {
  if (s.direction) return [[AXIS[s.direction], FORWARD[s.direction]]];
  if (s.to) return ['x', 'y'].filter((axis) => s.to[axis] !== 0 || axis === 'y').map((axis) => [axis, s.to[axis] > 0 ? 1 : -1]);
  return ['x', 'y'].filter((axis) => s[axis]).map((axis) => [axis, Math.sign(s[axis])]);
}

// pageBox returns what scrolls when a person scrolls the page: the document, else the outermost box
// at the middle of the viewport with more content than fits.
function pageBox(way) {
  const root = rootBox(document), full = (el) => way.some(([axis]) => isFull(el, axis));
  if (full(root)) return root;
  const middle = hitAt({ x: innerWidth / 2, y: innerHeight / 2 }, document);
  return (middle ? [...ancestors(middle)].filter(full).at(-1) : null) ?? root;
}

// boxAt returns what a mouse wheel at a point of doc's viewport scrolls: the innermost box that can
// move that way, else the innermost that scrolls at all; null if there is none. A frame that this
// world cannot enter throws a Refusal.
function boxAt(at, doc, way) {
  const hit = hitAt(at, doc);
  let last = null;
  if (hit && isFrame(hit)) {
    const inner = frameDocument(hit), css = styleOf(hit), box = rectOf(hit);
    if (!inner) throw new Refusal(`${describe(hit)} is a frame of another origin`, {}, 'soon');
    const left = box.left + parseFloat(css.borderLeftWidth) + parseFloat(css.paddingLeft);
    const top = box.top + parseFloat(css.borderTopWidth) + parseFloat(css.paddingTop);
    last = boxAt({ x: at.x - left, y: at.y - top }, inner, way);
  }
  const boxes = [last, ...(hit ? ancestors(hit) : []), rootBox(doc)].filter((n) => n && way.some(([axis]) => isFull(n, axis)));
  return boxes.find((n) => way.some(([axis, sign]) => isFull(n, axis) && !isAtEnd(n, axis, sign))) ?? boxes[0] ?? null;
}

const boxOf = (el) => (isTag(el, 'html', 'body') ? rootBox(ownerOf(el)) : el);

// mustScroll returns the scrolling box of el, or throws a Refusal if it does not scroll.
export function mustScroll(el, way) {
  const box = boxOf(el);
  if (!way.length || way.some(([axis]) => isScroller(box, axis))) return box;
  if (box !== rootBox(ownerOf(box)) && way.some(([axis]) => mayFollowWheel(box, axis))) {
    wheeled.add(box);
    return box;
  }
  throw noScroller(el, way);
}

// noScroller returns the Refusal for an element that does not scroll.
function noScroller(el, way) {
  const full = (n) => n !== el && way.some(([axis]) => isFull(n, axis));
  const near = byCSS([el], '*').find(full) ?? [...ancestors(el)].find(full);
  const named = near && (near === rootBox(ownerOf(near)) ? 'the page itself' : describe(near));
  return new Refusal(`${describe(el)} does not scroll; ${named ? `the nearest that does is ${named}` : 'nothing around it or in it does'}`,
    named ? { nearest: named } : {}, 'soon');
}

const FILLED_LATE = 60, EMPTY_LATE = 500; // ms for a list to draw if its rows fill the view, and if they do not
const BANDS = 10; // positions along a view that are tested for rows
const EDGE = 8; // px from the side at which rows begin

// A Drawing observes how a list draws after a scroll. A virtual list draws in the scroll event, or
// some frames or a timer later: until then it shows the old rows or, where the view has moved on,
// nothing.
class Drawing {
  static last = null;

  constructor(box, way) {
    const before = Drawing.last;
    before?.stop();
    this.box = box;
    this.axis = way[0]?.[0] ?? 'y';
    this.began = now();
    this.asked = asksOf(box);
    // What the previous scroll has requested may still come.
    this.since = before && before.box === box && this.began - before.began < EMPTY_LATE ? before.asked : this.asked;
    this.changed = false;
    this.observer = new MutationObserver(() => { this.changed = true; });
    this.observer.observe(box, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['style'] });
    Drawing.last = this;
  }

  stop() {
    this.observer.disconnect();
  }

  // awaits reports whether the page has requested a frame or timer that could draw.
  awaits() {
    const asks = asksOf(this.box);
    return !asks || !this.since || asks.frames !== this.since.frames || asks.timers !== this.since.timers;
  }

  // over resolves when the list seems to have drawn. It does not wait if the page has requested no
  // frame and no timer, or has drawn in the event.
  async over() {
    if (!this.changed) await afterTurns();
    if (!this.awaits()) return;
    const ends = now() + EMPTY_LATE, late = now() + FILLED_LATE;
    for (;;) {
      fresh();
      const filled = this.fills();
      if (now() >= ends || (filled && (this.changed || now() >= late))) return;
      await nextFrame();
    }
  }

  // fills reports whether something is drawn all along the view, apart from narrow gaps between
  // rows.
  fills() {
    const frame = viewOf(ownerOf(this.box)), root = this.box === rootBox(ownerOf(this.box));
    const view = root ? { left: 0, top: 0, width: frame.innerWidth, height: frame.innerHeight } : rectOf(this.box);
    const [long, wide] = this.axis === 'x' ? [view.width, view.height] : [view.height, view.width];
    const places = [0.1, 0.5, 0.9, Math.min(0.5, EDGE / wide)]; // rows may be as wide as their text
    let blank = 0;
    for (let i = 0; i < BANDS; i++) {
      const along = (i + 0.5) / BANDS;
      blank = places.some((across) => {
        const [x, y] = this.axis === 'x' ? [along, across] : [across, along];
        const hit = hitAt({ x: view.left + x * view.width, y: view.top + y * view.height }, ownerOf(this.box));
        return !hit || (hit !== this.box && (!isInside(hit, this.box) || !this.isHolder(hit, long)));
      }) ? 0 : blank + 1;
      if (blank > 1) return false;
    }
    return true;
  }

  // isHolder reports whether el only contains the rows: it is as long as the view, and has no text
  // directly in it.
  isHolder(el, long) {
    const box = rectOf(el);
    if ((this.axis === 'x' ? box.width : box.height) < long) return false;
    for (let n = firstOf(el); n; n = nextOf(n)) if (typeOf(n) === TEXT && /\S/.test(dataOf(n))) return false;
    return !isReplaced(el);
  }
}

const isReplaced = (el) => isTag(el, 'img', 'canvas', 'video', 'svg', 'iframe', 'object', 'embed');

const WHEEL_FRAMES = 10;
let scrolling = null; // the last scroll, which scrolled reads back

// scrollIt scrolls a box, or returns the movement of the wheel that has to do it.
export function scrollIt(box, s, way) {
  const from = placeOf(box), to = s.to ? { ...s.to } : { ...from };
  if (s.direction) {
    const [[axis, sign]] = way;
    to[axis] += sign * (s.percent ? (extentOf(box, axis) * s.amount) / 100 : s.amount);
  } else if (!s.to) {
    for (const [axis] of way) to[axis] += s[axis];
  }
  const fromStart = way.every(([axis, sign]) => isAtEnd(box, axis, -sign));
  scrolling = { box, from, way, how: s, fromStart, drawing: new Drawing(box, way) };
  if (wheeled.has(box)) return { wheel: { x: to.x - from.x, y: to.y - from.y } };
  scrollBox(box, { left: to.x, top: to.y, behavior: 'instant' });
  return {};
}

// scrollPage scrolls the page or the box that scrolls instead of it, or what is at the point s.at.
export function scrollPage(s) {
  fresh();
  const way = wayOf(s);
  if (!s.at) {
    scrollIt(pageBox(way), s, way);
    return scrolled();
  }
  try {
    const box = boxAt(s.at, document, way);
    if (!box) return { fixed: 'nothing there scrolls in that direction' };
    scrollIt(box, s, way);
  } catch (err) {
    if (err instanceof Refusal) return { fixed: err.message };
    throw err;
  }
  return scrolled();
}

// scrolled returns what became of the last scroll. With on.stop the box is scrolled on, at most
// on.most times and for at most on.ms, until that query matches.
export async function scrolled(on) {
  const began = now(), { fromStart, from } = scrolling;
  let res = await scrolledOnce(), times = res.moved ? 1 : 0;
  while (on?.stop && res.moved && !res.end && !stopsAt(on.stop) && times < on.most && now() - began < on.ms) {
    const next = await scrolledOn();
    if (!next) break;
    res = next;
    times++;
  }
  return { ...res, by: { x: res.x - from.x, y: res.y - from.y }, times, fromStart };
}

// scrolledOn scrolls once more by the same distance. A box that follows the wheel is scrolled
// directly; if it draws nothing then, it is scrolled back, and the result is null.
async function scrolledOn() {
  const { box, way, how } = scrolling, from = placeOf(box), follows = wheeled.has(box);
  wheeled.delete(box);
  try {
    scrollIt(box, how, way);
    const { drawing } = scrolling, res = await scrolledOnce();
    if (!follows || (drawing.changed && drawing.fills())) return res;
    scrollBox(box, { left: from.x, top: from.y, behavior: 'instant' });
    return null;
  } finally {
    if (follows) wheeled.add(box);
  }
}

// stopsAt reports whether query matches something visible. If that cannot be decided here, it
// returns true, and the Go side checks.
function stopsAt(query) {
  fresh();
  try {
    return timed({ timeout: SHORTEST_LOOK }, () => resolve(query, { ...once, decided: new Map() }).els.some(isSeen));
  } catch (err) {
    if (err instanceof Fail || err instanceof RangeError) return true;
    throw err;
  }
}

// scrolledOnce returns what became of one scroll, once the page's handlers have run. Handlers of
// the wheel may take some frames.
async function scrolledOnce() {
  const { box, from, way, drawing } = scrolling;
  let at = from, frames = wheeled.has(box) ? WHEEL_FRAMES : 1;
  const moved = () => Math.abs(at.x - from.x) >= 0.5 || Math.abs(at.y - from.y) >= 0.5;
  for (; frames > 0 && !moved(); frames--) {
    await nextFrame();
    fresh();
    at = placeOf(box);
  }
  if (moved()) {
    if (wheeled.has(box)) await nextFrame(); // the page draws after that
    await drawing.over();
    fresh();
    at = placeOf(box);
  }
  drawing.stop();
  const end = way.every(([axis, sign]) => isAtEnd(box, axis, sign));
  const fixed = wheeled.has(box) && !moved() && !end;
  if (fixed) wheeled.delete(box);
  return {
    ...at,
    fixed: fixed ? noScroller(box, way).message : '',
    moved: moved(),
    end,
    desc: box === rootBox(ownerOf(box)) ? 'the page' : describe(box),
  };
}

// more waits until a long list has req.count matches of the query, or more than before: with
// req.direction, until the matching box (or that of the page) can be scrolled on; with
// req.changing, until the text of the matches changes; with neither, until their number is not
// req.known.
export function more(req) {
  const st = new State(req);
  let first = null;
  const grown = (els) => {
    if (req.direction) return (!req.query || els.length > 0) && goesOn(els[0], req.direction);
    if (!req.changing) return els.length !== req.known;
    const says = els.map(textContentOf).join('\n');
    first ??= says;
    return says !== first;
  };
  const look = () => {
    const { els, won } = req.query ? resolve(req.query, { ...once, visible: false, decided: st.decided }) : { els: [], won: [] };
    const saw = { ok: true, count: els.length, won, enough: req.count > 0 && els.length >= req.count };
    saw.grown = grown(els);
    return saw.enough || saw.grown ? { done: saw } : { not: saw };
  };
  return watch(req, look, st);
}

function goesOn(el, direction) {
  const way = wayOf({ direction }), [[axis, sign]] = way;
  const on = el ? boxOf(el) : pageBox(way);
  return (isFull(on, axis) || mayFollowWheel(on, axis)) && !isAtEnd(on, axis, sign);
}
