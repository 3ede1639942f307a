// What shows a person that something is loading. busy.js says whether a read has to wait for it.

import { attr, isTag, ownerOf, styleOf } from './dom.js';
import { byCSS, isInside } from './flat.js';
import { hitAt, pointsOf } from './ready.js';
import { isVisible } from './visible.js';

export const ARIA_BUSY = '[aria-busy=true]';

export const BUSY = '[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value]),'
  + '.loading,.spinner,.ant-spin-spinning,.el-loading-mask,.MuiCircularProgress-root,.v-progress-circular--indeterminate';

// busyOverlay is something that tells a person to wait.
export function busyOverlay(docs) {
  return byCSS(docs, BUSY).find((el) => isVisible(el) && styleOf(el).opacity !== '0' && (attr(el, 'aria-busy') === 'true' || onTop(el))) ?? null;
}

// onTop: a spinner that something lies over, or that is scrolled away, is no sign.
export const onTop = (el) => !isTag(el, 'html', 'body') && pointsOf(el).some((p) => isInside(hitAt(p, ownerOf(el)) ?? ownerOf(el), el));
