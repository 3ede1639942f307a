// The last operation of an act on an element, for what is read back later: the value of a field,
// the state of a checkbox, the files of an input.

// {el, op, on, keep, query, asks}: asks is asksOf before the operation. The operation adds what the
// read-back needs: secret, editor, keyed.
export let last = { el: null, op: 'none', asks: null };

// readBackLater makes act the last operation.
export function readBackLater(act) {
  last = act;
}
