// Waits without an element: for a text, and for a page that has come to rest.
//
// Each covers the documents that this world can enter. If it finds a frame of another origin, or no
// longer finds one of req.frames, the wait ends and returns the frames: the Go side then repeats
// the wait in those and here.

import { describe } from './describe.js';
import { bodyOf, isElement, now, parentOf } from './dom.js';
import { seesText } from './drawn.js';
import { rootsIn } from './flat.js';
import { busyOverlay } from './loading.js';
import { State, watch } from './poll.js';
import { elsewhere, reach } from './reach.js';
import { cut, fold, looseTest, matcher, rendered, textIndex } from './text.js';
import { later } from './turns.js';

// waitText waits until a text is shown anywhere, as rendered.
export function waitText(req) {
  const m = matcher('*', req.text);
  const look = () => {
    const { docs, frames } = reach();
    if (docs.some((doc) => showsText(m, doc))) return { done: { ok: true } };
    return elsewhere(frames, req.frames ?? []) ?? { not: { ok: false, reason: 'none', seen: cut(textIndex(document).shown.text, 200) } };
  };
  return watch(req, look, new State(req));
}

// showsText reports whether a document shows a text that m matches, where it can be seen.
function showsText(m, doc) {
  const { text } = textIndex(doc).shown;
  const shows = m.test(text) || (looseTest(m, text) && bodyOf(doc) !== null && m.test(fold(rendered(bodyOf(doc)))));
  return shows && seesText(m, doc);
}

const STILL_KEPT = 2000; // ms that a Stillness is kept after the last look

// A Stillness records changes from the first to the last look of one wait: frames in several worlds
// must be at rest at the same time.
export class Stillness {
  changedAt = now();
  where = null;
  over = false;
  known = new WeakSet(); // documents

  // counts selects the mutation records that count.
  constructor(wait, counts = () => true) {
    this.wait = wait;
    this.observer = new MutationObserver((records) => {
      const last = records.findLast(counts);
      if (last) this.changed(last.target);
    });
  }

  changed(at) {
    this.changedAt = now();
    this.where = isElement(at) ? at : parentOf(at);
  }

  look(docs) {
    clearTimeout(this.end);
    this.end = later(() => this.stop(), STILL_KEPT);
    for (const doc of docs) {
      if (!this.known.has(doc)) this.changedAt = now();
      this.known.add(doc);
      for (const root of rootsIn(doc)) this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  }

  stop() {
    this.over = true;
    clearTimeout(this.end);
    this.observer.disconnect();
    if (stillness === this) stillness = null;
  }
}

let stillness = null;

// waitStable waits until no document has changed for req.quiet ms and nothing shows that the page
// is busy. Calls with the same req.wait are one wait: the time runs from the first of them, or from
// the last change since.
export function waitStable(req) {
  if (!stillness || stillness.wait !== req.wait) {
    stillness?.stop();
    stillness = new Stillness(req.wait);
  }
  const quiet = req.quiet ?? 500, still = stillness;
  const look = () => {
    const { docs, frames } = reach();
    still.look(docs);
    const other = elsewhere(frames, req.frames ?? []);
    if (other) return other;
    const busy = busyOverlay(docs), at = still.where;
    if (busy) return { not: { ok: false, reason: 'busy', seen: `${describe(busy)} is shown` } };
    if (now() - still.changedAt >= quiet) return { done: { ok: true } };
    return { not: { ok: false, reason: 'changing', seen: at && isElement(at) ? `${describe(at)} changes` : '' } };
  };
  return watch(req, look, new State(req));
}
