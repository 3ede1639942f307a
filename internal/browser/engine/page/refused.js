// The fields that the browser or a script has found invalid since the last press, and since a form
// was last submitted.

let refused = new WeakSet();
export const wasRefused = (el) => refused.has(el);

export function forgetRefused() {
  refused = new WeakSet();
}

// noteRefused records a trusted invalid event of a field, and forgets all on a submit.
export function noteRefused(event) {
  if (event.isTrusted && event.type === 'invalid') refused.add(event.target);
  else if (event.isTrusted && event.type === 'submit') forgetRefused();
}
