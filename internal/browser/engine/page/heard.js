// Passes the events that the listeners of boot.js receive to the current press, watch and drag.
// Each of them ignores events that do not concern it.

import { noteStood } from './drag.js';
import { guardForm, guardPress } from './guard.js';
import { noteRefused } from './refused.js';
import { onWatched, watched } from './watch.js';

export function onPress(event) {
  if (watched && event.isTrusted) onWatched(event);
  guardPress(event);
}

export function onForm(event) {
  noteRefused(event);
  if (watched) onWatched(event);
  noteStood(event);
  guardForm(event);
}
