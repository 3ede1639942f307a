// A look is one synchronous reading of the page: this module holds its caches and its failures.

// A Fail ends a look with a result. late: a change of the page may still make the look pass; the
// failure is final once it has lasted for a while.
export class Fail {
  constructor(reason, fields, late = false) {
    this.result = { ok: false, reason, ...fields };
    this.late = late;
  }
}

// flatDocs are the documents in which this look has found no shadow trees. There the flat tree is
// the DOM tree, and the browser's own methods climb it many times as fast. The set is emptied
// before the page runs again.
export const flatDocs = new Set();

// The caches of one look. fresh empties them for a request.
export let cache, mayAsk; // mayAsk: the Go side can query the browser for this look (verdicts.js)
export let treeKept = false; // whether the browser keeps the accessibility tree of the document, so that it can be read here
export const fresh = (req) => {
  cache = { roots: new Map(), signs: new Map(), titled: new Map(), fields: new Map(), text: new Map(), words: new Map(), names: new Map(), asked: new Map(), unsure: new Set(), roles: new Map(), plain: new Map(), docs: new Map(), rows: new Map(), sides: new Map(), sought: 0, levels: new Map(), parts: new Map(), quickParts: new Map() };
  flatDocs.clear();
  mayAsk = Boolean(req?.asks);
  treeKept ||= Boolean(req?.kept);
};
fresh();

// inLook returns what "find" finds for a part of a selector below one element or document. Within
// a look, in which the page does not change, it calls find once for equal parts: the questions of a
// look mostly begin alike.
export function inLook(kept, scope, part, find) {
  const key = `${part.op ?? ''} ${part.value ?? ''}`;
  if (!kept.has(scope)) kept.set(scope, new Map());
  const known = kept.get(scope);
  if (!known.has(key)) known.set(key, find());
  return known.get(key);
}

export function noteFlat(doc) {
  if (flatDocs.size === 0) queueMicrotask(() => flatDocs.clear());
  flatDocs.add(doc);
}

// A Refusal is a failure of the operation. late: a change of the page may still make it pass, so it
// is tried again ("always": until the time is over, "soon": for half a second). more.code is its
// code if that is not STEP_FAILED, and more.next the next step if that is not another value or
// another step.
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
