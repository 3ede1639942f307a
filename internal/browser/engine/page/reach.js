// The documents that this world reaches, and the frames that it cannot enter.

import { isSeen } from './drawn.js';
import { byCSS } from './flat.js';
import { frameDocument, frameKey, isFrame } from './frames.js';

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
