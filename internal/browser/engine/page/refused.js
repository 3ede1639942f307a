// The fields that the browser or a script has found invalid since the last press, and since a form
// was last sent.

let refused = new WeakSet();
export const wasRefused = (el) => refused.has(el);

export function forgetRefused() {
  refused = new WeakSet();
}

// noteRefused notes what an event of the browser says about a field or its form.
export function noteRefused(event) {
  if (event.isTrusted && event.type === 'invalid') refused.add(event.target);
  else if (event.isTrusted && event.type === 'submit') forgetRefused();
}
