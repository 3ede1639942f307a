// The last operation of an act on an element. What is read back later is about it: the value of a
// field, the state of a box, the files of an input.

// {el, op, on, keep, query, asks}: asks is what the page had asked for before it. What performs it
// adds what the read-back needs: secret, editor, keyed.
export let last = { el: null, op: 'none', asks: null };

export function readBackLater(act) {
  last = act;
}
