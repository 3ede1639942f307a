// Waiting for the page's reaction to input: for one frame, or only for the current task where
// the page has requested nothing that a frame could bring.
//
// A window numbers its animation frames, timers and idle callbacks, whichever world requests
// them. The next number shows what the page has requested; no function of the page is replaced
// or called.

import { getter, now, ownerOf, rootElementOf, viewOf } from './dom.js';

let framesOfOurs = 0, timersOfOurs = 0, idlesOfOurs = 0; // requested from here
export let framesServed = 0; // how many of the page's requests are known to be over

// later is setTimeout.
export function later(fn, ms) {
  timersOfOurs++;
  return setTimeout(fn, ms);
}

// everyTick is setInterval.
export function everyTick(fn, ms) {
  timersOfOurs++;
  return setInterval(fn, ms);
}

// onFrame is requestAnimationFrame. The callbacks of a frame run in their order.
export function onFrame(fn) {
  framesOfOurs++;
  const before = requestAnimationFrame((time) => {
    framesServed = Math.max(framesServed, before);
    fn(time);
  }) - framesOfOurs;
}

// onIdle resolves when the page is idle, behind what it has asked for then itself, and after ms at
// the latest.
export const onIdle = (ms) => new Promise((resolve) => {
  idlesOfOurs++;
  requestIdleCallback(resolve, { timeout: ms });
});

// asksOf returns how many frames and timers the page has requested so far, a call when it is
// idle (idles) counted as a timer, too; null for a window that is not this one, where nothing is counted.
export function asksOf(el) {
  if (viewOf(ownerOf(el)) !== window) return null;
  const frame = requestAnimationFrame(() => {}), timer = later(() => {}, 0), idle = requestIdleCallback(() => {});
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  cancelIdleCallback(idle);
  const idles = idle - ++idlesOfOurs;
  return { frames: frame - ++framesOfOurs, timers: timer - timersOfOurs + idles, idles };
}

// The timer by which the browser's record of timers is read (timers.go): what it says of the others
// counts from then on.
let timerMark = null;

// markTimers sets that timer and returns its number; 0 where it has none, or timers are not counted.
export function markTimers() {
  const asks = asksOf(rootElementOf(document)), id = later(() => {}, 0);
  clearTimeout(id);
  if (!asks || typeof id !== 'number') return 0;
  timerMark = { id, at: now(), timers: asks.timers };
  return id;
}

const DUE_LATE = 30; // ms that a timer may fire after it is due, and a page draw what it changes

// mayFire reports whether one of the timers of a record (id is that of its mark, due when they
// are due, again whether some fire until they are removed) is still to fire, and due by until; null where nothing is known of that: the page has
// set another since.
export function mayFire({ id, due, again }, asks, until) {
  if (timerMark?.id !== id || !asks || asks.timers > timerMark.timers) return null;
  return (again && now() < until) || due.some((ms) => timerMark.at + ms <= until && now() < timerMark.at + ms + DUE_LATE);
}

export const isHidden = getter(Document.prototype, 'hidden');
export const UNDRAWN = 1000; // ms after which a document that is shown is not waited for to draw a frame

// nextFrame resolves after the next frame's handlers; a timer stands in where no
// frames are drawn: in a hidden document, and where a window that is shown has none.
export function nextFrame() {
  return new Promise((resolve) => {
    const timer = later(resolve, isHidden(document) ? 100 : UNDRAWN);
    onFrame(() => {
      clearTimeout(timer);
      later(resolve, 0);
    });
  });
}

// afterTurns resolves behind the messages that the page's handlers have sent, and those
// that are sent by these; with one turn more where the handlers are still to come.
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

// settled resolves when the page's handlers of input to el are over, and the frame
// after it, where one of them or an earlier script has asked for a frame or a timer
// since before, which is what asksOf told in front of the input.
export async function settled(el, before, turns) {
  await afterTurns(turns);
  const after = before && asksOf(el);
  if (after && after.frames === before.frames && after.frames <= framesServed && after.timers === before.timers) return;
  await nextFrame();
}
