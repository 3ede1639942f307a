// The documents that this world can enter, and the frames that it cannot.

import { element, mark } from './describe.js';
import { isSeen } from './drawn.js';
import { byCSS } from './flat.js';
import { frameDocument, frameKey, isFrame } from './frames.js';
import { Fail } from './look.js';
import { hiddenBy } from './ready.js';
import { isVisible } from './visible.js';

// A Crossing ends a look at a frame that this world cannot enter. path is the path to the frame's
// part in the query: the index of a part, then for an alias the index of the candidate and so on;
// -1 stands for the selector of a frame.
export class Crossing extends Fail {
  constructor(el, won) {
    super('enter', { frame: frameKey(el), hidden: !isVisible(el), path: [], won });
  }
  under(...steps) {
    this.result.path.unshift(...steps);
    return this;
  }
}

// documentIn returns the document of a frame as a list, or [] if the frame is hidden and the step
// wants nothing from a hidden frame. It throws a Crossing if this world cannot enter the frame.
export function documentIn(el, opt, won) {
  const hidden = opt.frames ? hiddenBy(el) : null;
  if (hidden !== null && opt.frames === 'gone') return [];
  if (hidden !== null) throw new Fail('missing', { missing: 'visible', detail: `its frame ${mark(el)} is not visible: ${hidden}`, el: element(el) }, true);
  const doc = frameDocument(el);
  if (!doc) throw new Crossing(el, won);
  return [doc];
}

// reach returns the documents that this world can enter, its own first, and the numbers of the
// frames that it cannot. The content of a hidden frame does not count as part of the page.
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

// elsewhere returns the result for frames that are not the known ones, or null.
export function elsewhere(frames, known) {
  if (frames.length === known.length && frames.every((key) => known.includes(key))) return null;
  return { done: { ok: false, reason: 'frames', frames } };
}
