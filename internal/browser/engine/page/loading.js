// Signs that something is loading. busy.js decides whether a read has to wait for one.

import { attr, isTag, ownerOf, styleOf } from './dom.js';
import { byCSS, isInside } from './flat.js';
import { hitAt, pointsOf } from './ready.js';
import { isVisible } from './visible.js';

export const ARIA_BUSY = '[aria-busy=true]';

export const BUSY = '[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value]),'
  + '.loading,.spinner,.ant-spin-spinning,.el-loading-mask,.MuiCircularProgress-root,.v-progress-circular--indeterminate';

// busyOverlay returns a visible sign that the user has to wait, or null.
export function busyOverlay(docs) {
  return byCSS(docs, BUSY).find((el) => isVisible(el) && styleOf(el).opacity !== '0' && (attr(el, 'aria-busy') === 'true' || onTop(el))) ?? null;
}

// onTop reports whether el is in view and not covered. Otherwise a spinner is no sign of loading.
export const onTop = (el) => !isTag(el, 'html', 'body') && pointsOf(el).some((p) => isInside(hitAt(p, ownerOf(el)) ?? ownerOf(el), el));
