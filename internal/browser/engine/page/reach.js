// The documents that this world reaches, and the frames that it cannot enter.

import { element, mark } from './describe.js';
import { isSeen } from './drawn.js';
import { byCSS } from './flat.js';
import { frameDocument, frameKey, isFrame } from './frames.js';
import { Fail } from './look.js';
import { hiddenBy } from './ready.js';
import { isVisible } from './visible.js';

// A Crossing ends a look at a frame that this world cannot enter. path leads to the
// frame's part in the query: the index of a part; under an alias also that of the
// candidate and on; for the selector of a frame -1 and on.
export class Crossing extends Fail {
  constructor(el, won) {
    super('enter', { frame: frameKey(el), hidden: !isVisible(el), path: [], won });
  }
  under(...steps) {
    this.result.path.unshift(...steps);
    return this;
  }
}

// documentIn is the document that a frame shows, as a list: [] where the step wants
// nothing of a hidden frame.
export function documentIn(el, opt, won) {
  const hidden = opt.frames ? hiddenBy(el) : null;
  if (hidden !== null && opt.frames === 'gone') return [];
  if (hidden !== null) throw new Fail('missing', { missing: 'visible', detail: `its frame ${mark(el)} is not visible: ${hidden}`, el: element(el) }, true);
  const doc = frameDocument(el);
  if (!doc) throw new Crossing(el, won);
  return [doc];
}

// reach lists the documents that this world reaches, its own first, and the numbers of
// the frames that it cannot enter. What is in a hidden frame is not on the page.
export function reach() {
  const docs = [document], frames = [];
  for (const doc of docs) {
    for (const el of byCSS([doc], 'iframe,frame')) {
      if (!isFrame(el) || !isSeen(el)) continue;
      const inner = frameDocument(el);
      if (inner) docs.push(inner);
      else frames.push(frameKey(el));
    }
  }
  return { docs, frames };
}

// elsewhere is the answer where the frames are not those that are known.
export function elsewhere(frames, known) {
  if (frames.length === known.length && frames.every((key) => known.includes(key))) return null;
  return { done: { ok: false, reason: 'frames', frames } };
}
