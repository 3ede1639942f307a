// Passes the events that the listeners of boot.js receive to the current press, watch and drag.
// Each of them ignores events that do not concern it.

import { noteStood } from './drag.js';
import { guardForm, guardPress } from './guard.js';
import { noteRefused } from './refused.js';
import { onWatched, watched } from './watch.js';

// onPress handles each mouse event of the listeners in boot.js.
export function onPress(event) {
  if (watched && event.isTrusted) onWatched(event);
  guardPress(event);
}

// onForm handles each form and key event of the listeners in boot.js.
export function onForm(event) {
  noteRefused(event);
  if (watched) onWatched(event);
  noteStood(event);
  guardForm(event);
}
