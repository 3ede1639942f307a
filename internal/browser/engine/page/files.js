// File inputs: which files an input accepts, which it was given, and what the page makes of them.

import { COMPLAINING, addedBy, complaintOf, inFull, namesAny, saidBefore, sayingsIn, showsError } from './answers.js';
import { describe, element } from './describe.js';
import {
  ELEMENT, animationsOf, attr, changed, getter, isConnected, isElement, isInput, listen, matches, now, ownerOf, pathOf, rectOf, rootOf,
  setInputValue, styleOf, targetOf, typeOf, unlisten, viewOf, wasPrevented,
} from './dom.js';
import { grabbed } from './drag.js';
import { ancestors, nearest, rootsIn, up } from './flat.js';
import { PAINT } from './host.js';
import { excuseChanged, keep } from './kept.js';
import { last } from './last.js';
import { Refusal, fresh } from './look.js';
import { disabledBy } from './ready.js';
import { LONGEST_NAME } from './shown.js';
import {
  fileInputs, filesIn, heldNames, isPictureOf, lackingOf, lessNames, listFiles, listings, namesIn, picturesIn, presented, sourceOf,
  takesFolder,
} from './taken.js';
import { cut } from './text.js';
import { asksOf, later, nextFrame } from './turns.js';
import { isVisible } from './visible.js';

const takesSeveral = getter(HTMLInputElement.prototype, 'multiple');

const FILE_EVENTS = ['input', 'change'];
const UPLOAD_TIME = 2000; // ms in which the files of a folder may arrive

let giving = null;

// takeFiles prepares for the files of an input, and returns what the input accepts. The files are
// read at the input's own events, as a page may empty it as soon as it has seen them.
export function takeFiles(el) {
  const why = disabledBy(el);
  if (why !== null) throw new Refusal(`${describe(el)}: ${why}`, { missing: 'enabled' }, 'always', { code: 'ELEMENT_NOT_INTERACTABLE', next: 'do what enables it first' });
  giving?.end();
  const on = (event) => {
    if (targetOf(event) !== el && !pathOf(event).includes(el)) return;
    if (!giving || giving.el !== el) return;
    giving.seen ??= listFiles(el, giving.files);
    if (event.type === 'change') giving.done?.();
  };
  // A change event does not leave a shadow root, and an input may be in no document.
  const places = [...new Set([viewOf(ownerOf(el)), rootOf(el)])].filter(Boolean);
  for (const place of places) for (const type of FILE_EVENTS) listen(place, type, on, true);
  watchFiles(el, () => places.forEach((place) => FILE_EVENTS.forEach((type) => unlisten(place, type, on, true))));
  return { several: takesSeveral(el) || takesFolder(el), folder: takesFolder(el), accept: attr(el, 'accept') ?? '', el: element(el) };
}

// watchFiles starts to record what a page makes of the files that el is given.
function watchFiles(el, end) {
  const observer = new MutationObserver((list) => {
    mine.changes.push(...list);
    mine.changed?.();
  });
  for (const root of rootsIn(ownerOf(el))) observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  const mine = {
    el, was: isConnected(el), asks: asksOf(el), pictures: new Set(picturesIn(document).map(sourceOf)), seen: null, looks: new WeakMap(), moves: false, files: [], done: null, changes: [], changed: null, observer,
    said: saidBefore(el), says: '', held: new Map(fileInputs().map((n) => [n, namesIn(n)])), dropped: !isInput(el, 'file'), sent: 0, end,
  };
  giving?.observer.disconnect();
  giving = mine;
}

// watchDrop is watchFiles for files that are to be dropped on the element of the last act.
export function watchDrop({ files, sent }) {
  giving?.end();
  watchFiles(last.el, () => {});
  Object.assign(giving, { files, sent });
}

// filesFor returns the input into which files are put, or null.
export const filesFor = () => giving?.el ?? null;

// dropFiles empties the input, which is not possible over the protocol.
export function dropFiles() {
  if (!giving || !listFiles(giving.el).length) return;
  setInputValue(giving.el, '');
  changed(giving.el);
}

// filesGiven returns what the input has been given, once the page's handlers have run: seen (null
// if no handler ran), what it holds now, and what the page says against the files.
export async function filesGiven({ wait = false, names = [], sent = 0 } = {}) {
  const g = giving;
  if (!g) return { seen: null, holds: [] };
  g.sent = sent;
  if (wait && !g.seen) {
    await new Promise((resolve) => {
      g.done = resolve;
      later(resolve, UPLOAD_TIME);
    });
  }
  await nextFrame();
  fresh();
  g.end();
  const holds = isConnected(g.el) ? listFiles(g.el) : []; // an input outside of the document shows nothing
  last.asks = g.asks;
  excuseChanged(g.el);
  if (!g.files.length) listFiles(g.el, g.files);
  if (holds.length) keep(g.el, 'files', whatIsShown(g, names));
  return { seen: g.seen, holds, apart: !g.was && !isConnected(g.el), complaint: complaintOf(g, names, holds.length > 0) };
}

// filesShown waits until the page shows the files that it has taken out of an input (fewer than
// known are lacking) or refuses them, for at most "wait" ms. says is what else the page says of the
// files. With a wait of 0, the watch ends.
export async function filesShown({ wait = 0, names = [], known = 1 } = {}) {
  const g = giving;
  if (!g) return { lacking: names, complaint: '', says: '' };
  if (!wait) {
    g.observer.disconnect();
    g.end();
    giving = null;
    return { lacking: names, complaint: '', says: g.says };
  }
  const until = now() + wait;
  let lacking = names, complaint = '';
  const look = (late) => {
    g.moves = false;
    lacking = unshownBy(g, names, heldNames(g.el, whatIsShown(g, names)), late ? null : until);
    complaint = complaintOf(g, names, isConnected(g.el) && filesIn(g.el).length > 0);
    return lacking.length < known || complaint !== '';
  };
  while (!look(now() >= until) && now() < until) {
    if (g.moves) {
      await nextFrame();
      continue;
    }
    await new Promise((resolve) => {
      g.changed = resolve;
      listen(document, 'load', resolve, true); // a picture has no size before it is loaded
      later(resolve, until - now());
    });
    unlisten(document, 'load', g.changed, true);
  }
  const shown = lessNames(names, lacking);
  if (shown.length && !complaint) keep(g.el, 'files', whatIsShown(g, shown));
  return { lacking, complaint, says: g.says };
}

// unshownBy returns the files that no input holds, and that the page has shown neither by name nor
// as a picture since it was given them. Names in complaints do not count. The element that shows a
// file must be at rest, or still move after the time "until"; null means that this time is over.
function unshownBy(g, names, held, until) {
  g.changes.push(...g.observer.takeRecords());
  fresh();
  const what = whatIsShown(g, names), shown = listings(held), pictures = new Set();
  const isDone = () => lackingOf(what, shown, pictures.size).length === 0;
  const note = (el, found) => {
    if (found.length && isAtRest(g, el, until)) shown.add(el, found);
    return isDone();
  };
  const pictured = (n) => {
    if (!pictures.has(n) && isPictureOf(n, what) && isAtRest(g, n, until)) pictures.add(n);
    return isDone();
  };
  const listed = ({ el, text }) => {
    if (!namesAny(inFull(text, names), names)) return false;
    const found = nearest(el, COMPLAINING) || showsError(el, names) ? [] : presented(text, what);
    if (!found.length) g.says = cut(text, LONGEST_NAME);
    return note(el, found);
  };
  const looked = new Set();
  isDone() || g.changes.some((change) => {
    const around = typeOf(change.target) === ELEMENT ? change.target : up(change.target);
    if (!around || !isConnected(around) || nearest(around, COMPLAINING)) return false;
    if (change.type === 'attributes') {
      return around !== g.el && isVisible(around) && (note(around, presented(attr(around, change.attributeName) ?? '', what)) || pictured(around));
    }
    return addedBy(change, around).some((n) => {
      if (looked.has(n) || !isConnected(n) || !isVisible(n) || matches(n, COMPLAINING)) return false;
      looked.add(n);
      return sayingsIn(n).some(listed) || pictured(n) || picturesIn(n).some(pictured);
    });
  });
  return lackingOf(what, shown, pictures.size);
}

// Lists remove a file with an animation, and its name stays until that has ended. Libraries mark
// the entry with a class, even if no style moves it.
const TAKEN_OUT = /^(?:.*[-_])?(?:leave|exit)-(?:from|to|active|start|prepare)$|^ng-leave$/;
const LITTLE = 0.05; // opacity

// isAtRest reports whether el, which shows a file, will stay: it and its ancestors look as in the
// previous frame, and none of their animations ends by the time "until".
function isAtRest(g, el, until) {
  const parts = [];
  let moves = false;
  for (const n of ancestors(el)) {
    let pulses = false;
    if (!isElement(n)) continue;
    if ((attr(n, 'class') ?? '').split(/\s+/).some((word) => TAKEN_OUT.test(word))) {
      g.moves = true;
      return false;
    }
    for (const a of animationsOf(n)) {
      const { endTime, localTime } = a.effect?.getComputedTiming() ?? {};
      if (!(a.playState === 'running' || a.pending)) continue;
      pulses ||= !Number.isFinite(endTime);
      if (pulses) continue;
      const frames = a.effect.getKeyframes(), last = frames.at(-1) ?? {};
      if (vanishes(last)) {
        g.moves = true;
        return false;
      }
      const isPaint = Object.keys(last).every((name) => IN_KEYFRAMES.has(name) || name !== 'opacity' && PAINT.test(hyphened(name)));
      if (!isPaint && until !== null && now() + (endTime - (localTime ?? 0)) / (a.playbackRate || 1) <= until) moves = true;
    }
    if (up(n) && !pulses) parts.push(`${styleOf(n).opacity} ${rectOf(n).height}`);
  }
  const look = parts.join(), same = g.looks.get(el) === look;
  g.looks.set(el, look);
  if (until === null) return true;
  if (moves || !same) g.moves = true;
  return !moves && same;
}

const IN_KEYFRAMES = new Set(['offset', 'computedOffset', 'easing', 'composite']);

const hyphened = (name) => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

// vanishes reports whether a keyframe makes an element invisible.
const vanishes = ({ opacity, height, maxHeight, scale }) => (opacity !== undefined && Number(opacity) < LITTLE) ||
  [height, maxHeight, scale].some((size) => size !== undefined && /^0(?:px|%)?$/.test(size));

// whatIsShown returns what is needed to recognise files that a page shows, beyond what it showed
// before.
const whatIsShown = (g, names) => ({ names, files: g.files, pictures: g.pictures, said: g.said.text, held: g.held, dropped: g.dropped, sent: g.sent });

// takesDrop reports whether what is dragged over the page may be dropped there.
export const takesDrop = () => Boolean(grabbed?.over) && wasPrevented(grabbed.over);
