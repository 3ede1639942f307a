// Waiting for the page's reaction to input: for one frame, or only for the current task if the page
// has requested nothing that a frame could bring.
//
// A window numbers its animation frames, timers and idle callbacks, whichever world requests them.
// The next number shows how many the page has requested; no function of the page is replaced or
// called.

import { getter, listen, now, ownerOf, rootElementOf, viewOf } from './dom.js';
import { readyOf } from './host.js';

let framesOfOurs = 0, timersOfOurs = 0, idlesOfOurs = 0; // requested by the engine
export let framesServed = 0; // how many of the page's requested frames are known to be over

// later is setTimeout, and counts the engine's own timers.
export function later(fn, ms) {
  timersOfOurs++;
  return setTimeout(fn, ms);
}

// everyTick is setInterval, and counts the engine's own timers.
export function everyTick(fn, ms) {
  timersOfOurs++;
  return setInterval(fn, ms);
}

// onFrame is requestAnimationFrame. The callbacks of a frame run in order.
export function onFrame(fn) {
  framesOfOurs++;
  const before = requestAnimationFrame((time) => {
    framesServed = Math.max(framesServed, before);
    fn(time);
  }) - framesOfOurs;
}

// onIdle resolves when the page is idle, after the idle callbacks that the page has requested
// before, and after ms at the latest.
export const onIdle = (ms) => new Promise((resolve) => {
  idlesOfOurs++;
  requestIdleCallback(resolve, { timeout: ms });
});

// asksOf returns how many frames, timers and idle callbacks the page has requested so far; timers
// includes the idle callbacks. It returns null for another window, where they are not counted.
export function asksOf(el) {
  if (viewOf(ownerOf(el)) !== window) return null;
  const frame = requestAnimationFrame(() => {}), timer = later(() => {}, 0), idle = requestIdleCallback(() => {});
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  cancelIdleCallback(idle);
  const idles = idle - ++idlesOfOurs;
  return { frames: frame - ++framesOfOurs, timers: timer - timersOfOurs + idles, idles };
}

// The timer that marks a state of the browser's record of timers (timers.go). What the record says
// of the page's other timers holds from then on.
let timerMark = null;

// markTimers sets that timer and returns its number, or 0 if timers have no numbers or are not
// counted.
export function markTimers() {
  const asks = asksOf(rootElementOf(document)), id = later(() => {}, 0);
  clearTimeout(id);
  if (!asks || typeof id !== 'number') return 0;
  timerMark = { id, at: now(), timers: asks.timers };
  return id;
}

const DUE_LATE = 30; // ms for a due timer to fire, and for the page to draw its changes

// mayFire reports whether a timer of a record will still fire, and is due by the time "until". id
// is the number of the record's mark, due the delays of its timers, again whether some of them
// repeat. It returns null if that is not known, because the page has set another timer since.
export function mayFire({ id, due, again }, asks, until) {
  if (timerMark?.id !== id || !asks || asks.timers > timerMark.timers) return null;
  return (again && now() < until) || due.some((ms) => timerMark.at + ms <= until && !hasFired(timerMark.at + ms));
}

const DUE_ABOUT = 10; // ms by which a timer may be due later than its record says
let tick = null; // the running timer of hasFired
let ticked = -Infinity; // when the last one of them that has fired was set

// hasFired reports whether a timer that was due at a time has fired, and the page has had the time to
// draw its changes. Timers fire in the order in which they are due, so in a busy page the timer has
// fired once another one has, which was set after that time.
function hasFired(at) {
  if (ticked < at + DUE_ABOUT && tick === null && now() >= at + DUE_ABOUT) {
    const set = now();
    tick = later(() => {
      tick = null;
      ticked = set;
    }, 0);
  }
  return ticked >= at + DUE_ABOUT && now() >= at + DUE_LATE;
}

export const isHidden = getter(Document.prototype, 'hidden');
export const UNDRAWN = 1000; // ms for which a visible document is waited for to draw a frame

// nextFrame resolves after the handlers of the next animation frame. If no frames are drawn, in a
// hidden document or a window without any, a timer replaces it.
export function nextFrame() {
  return new Promise((resolve) => {
    const timer = later(resolve, isHidden(document) ? 100 : UNDRAWN);
    onFrame(() => {
      clearTimeout(timer);
      later(resolve, 0);
    });
  });
}

const LOADING = 3000; // ms for which the load event of a document is waited for
let awaited = false;

// loaded resolves in the first frame after the load event of the document, since scripts that run
// before that event may draw most of it. It returns null if the document has loaded, or was waited
// for before.
export function loaded() {
  if (awaited || readyOf(document) === 'complete') return null;
  awaited = true;
  return new Promise((resolve) => {
    const timer = later(resolve, LOADING);
    listen(window, 'load', () => {
      clearTimeout(timer);
      resolve(nextFrame());
    }, { capture: true, once: true });
  });
}

// afterTurns resolves once the messages that the page's handlers have sent, and the replies to
// them, are handled. If the handlers have yet to run, the caller passes one more turn.
export function afterTurns(turns = 2) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    let left = turns;
    port1.onmessage = () => {
      if (--left > 0) return port2.postMessage(0);
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

// settled resolves when the page's handlers of input to el are over, and after the next frame if a
// frame or timer has been requested since the counts "before", the result of asksOf before the
// input.
export async function settled(el, before, turns) {
  await afterTurns(turns);
  const after = before && asksOf(el);
  if (after && after.frames === before.frames && after.frames <= framesServed && after.timers === before.timers) return;
  await nextFrame();
}
