// The operation that was performed last: what its result is read back from.

// What pressed and held read back.
export let last = { el: null, op: 'none', asks: null };

export function readBackLater(act) {
  last = act;
}
