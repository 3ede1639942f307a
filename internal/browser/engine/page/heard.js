// The events that the listeners of boot.js hear, handed to the press, the watch and the drag that
// are under way. Each of those ignores what is not about it.

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
