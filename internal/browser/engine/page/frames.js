// Frames: their documents, the focus inside them, and the numbers by which the Go side names those
// that this world cannot enter.

import {
  DOCUMENT, FRAGMENT, activeIn, bodyOf, documentOf, isEditableContent, isTag, offsetHeight, offsetWidth, ownerOf, rectOf, rootElementOf,
  shadowOf, styleOf, tagOf, viewOf,
} from './dom.js';

// deepActive returns the element with the focus, through shadow roots and same-origin frames, or
// null if only the body has it.
export function deepActive(doc = document) {
  let el = activeIn[DOCUMENT](doc);
  for (;;) {
    if (!el || (el === bodyOf(doc) && !isEditableContent(el)) || el === rootElementOf(doc)) return null;
    const shadow = shadowOf(el);
    const inner = shadow && activeIn[FRAGMENT](shadow);
    if (inner) {
      el = inner;
    } else if (isFrame(el) && frameDocument(el)) {
      return deepActive(frameDocument(el)) ?? el;
    } else {
      return el;
    }
  }
}

// frameOffset returns the position of el's document in the main viewport.
export function frameOffset(el) {
  let x = 0, y = 0;
  for (let view = viewOf(ownerOf(el)); view && view !== window; ) {
    const frame = view.frameElement;
    if (!frame) break;
    const box = contentBox(frame);
    x += box.left;
    y += box.top;
    view = viewOf(ownerOf(frame));
  }
  return { x, y };
}

// contentBox returns where the document of a frame is drawn, in the viewport of the frame element's
// own document: inside its borders and padding, with its scale.
export function contentBox(frame) {
  const box = rectOf(frame), css = styleOf(frame);
  const scale = (drawn, own) => (own === 0 || Math.abs(drawn - own) < 1 ? 1 : drawn / own);
  const sx = scale(box.width, offsetWidth(frame)), sy = scale(box.height, offsetHeight(frame));
  const px = (side) => parseFloat(css[`border${side}Width`]) + parseFloat(css[`padding${side}`]);
  return {
    left: box.left + sx * px('Left'), width: box.width - sx * (px('Left') + px('Right')),
    top: box.top + sy * px('Top'), height: box.height - sy * (px('Top') + px('Bottom')),
  };
}

export const isFrame = (el) => isTag(el, 'iframe', 'frame');

// frameDocument returns the document of a same-origin frame, or null for any other.
export const frameDocument = (frame) => documentOf[tagOf(frame)](frame);

// A frame that this world cannot enter gets a number, by which the Go side names it. An element
// keeps its number, whatever it shows.
const frameKeys = new WeakMap(), keyedFrames = new Map();

// frameKey returns the number of a frame element, a new one if it has none.
export function frameKey(el) {
  let key = frameKeys.get(el);
  if (key === undefined) {
    for (const [k, ref] of keyedFrames) if (!ref.deref()) keyedFrames.delete(k);
    frameKeys.set(el, (key = ++frameCount));
    keyedFrames.set(key, new WeakRef(el));
  }
  return key;
}
let frameCount = 0;

export const frameAt = (key) => keyedFrames.get(key)?.deref() ?? null;

// frameAround returns the frame element that shows el's document, or null if that is this window's.
export const frameAround = (el) => (viewOf(ownerOf(el)) === window ? null : viewOf(ownerOf(el))?.frameElement ?? null);

export const viewSize = () => ({ x: innerWidth, y: innerHeight });
