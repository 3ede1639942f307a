// A look is one synchronous reading of the page: its caches, and how it ends early.

// A Fail ends a look: nothing that comes later can make it good.
// late: unless the page changes; it is final when it has held for a while.
export class Fail {
  constructor(reason, fields, late = false) {
    this.result = { ok: false, reason, ...fields };
    this.late = late;
  }
}

// flatDocs are the documents that this look has found to have no shadow trees: there the
// flat tree is the tree, and the browser climbs it many times as fast. They are
// forgotten before the page runs again.
export const flatDocs = new Set();

// What one look has found out; emptied by fresh, with the request that it is for.
export let cache, mayAsk; // mayAsk: the Go side can ask the browser for this look (verdicts.js)
export let treeKept = false; // whether the browser keeps the tree of the document, so that it can be asked in here
export const fresh = (req) => {
  cache = { roots: new Map(), text: new Map(), words: new Map(), names: new Map(), asked: new Map(), unsure: new Set(), roles: new Map(), plain: new Map(), docs: new Map(), rows: new Map(), sides: new Map(), sought: 0, levels: new Map(), parts: new Map(), quickParts: new Map() };
  flatDocs.clear();
  mayAsk = Boolean(req?.asks);
  treeKept ||= Boolean(req?.kept);
};
fresh();

export function noteFlat(doc) {
  if (flatDocs.size === 0) queueMicrotask(() => flatDocs.clear());
  flatDocs.add(doc);
}

// A Refusal is a failure of the operation. late: the page may still change so
// that it passes; it is then tried again ("always" until the time is over,
// "soon" for half a second). more.code is its code, where that is not STEP_FAILED, and
// more.next what to do next, where that is not another value or another step.
export class Refusal extends Error {
  constructor(message, details, late = '', more = {}) {
    super(message);
    this.details = details;
    this.late = late;
    this.more = more;
  }
  get result() {
    return { ok: false, reason: 'op', code: 'STEP_FAILED', message: this.message, details: this.details ?? {}, ...this.more };
  }
}
