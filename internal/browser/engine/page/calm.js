// Waits that end early. When the element is missing and nothing on the page is under way that
// could bring it, the page's answer is final. The Go side checks the open requests.

import { ARIA_BUSY, signsIn } from './busy.js';
import { checkVisibility } from './depth.js';
import { now } from './dom.js';
import { noted, runsIn } from './effect.js';
import { byCSS } from './flat.js';
import { readyOf } from './host.js';
import { controlOf, isButton } from './ready.js';
import { busyOverlay, onTop, reach } from './wait.js';

const CALM_AFTER = 1100; // ms since the last input, or since the wait began: a page may show by nothing that a timer is to bring something
const CALM_FOR = 400; // ms of the wait without a change
const INPUT_BEFORE = 5000; // ms; the page has had its time for input before that
export const OVERDUE = 20; // ms for timers of the page that are due, and for what they draw
const CALM_AGAIN = { within: 1000, for: 150 }; // ms; a wait soon after another that has found the page calm
let foundCalm = null; // the last such wait, with the note of the input before it

export function noteCalm() {
  foundCalm = { at: now(), note: noted };
}

// Failures that a calm page does not take back by itself. One that is covered or moves may be
// about to become free. A list of the browser's own that lacks an option says so (final).
const FINAL = new Set(['none', 'state']);
const FINAL_LACKS = new Set(['visible', 'enabled', 'editable']);

// isFinal reports whether a failure may be final. A button that is disabled is not: what enables
// it is often more than the page shows.
export function isFinal({ reason, missing, of, ok, rows, final }) {
  if (reason === 'missing') return FINAL_LACKS.has(missing) && !(missing === 'enabled' && isButton(controlOf(of) ?? of));
  return FINAL.has(reason) || Boolean(final) || (ok && rows?.length === 0);
}

// isCalm reports whether nothing is under way here: the page has had time since the last input,
// nothing changes, moves or is loading.
export function isCalm(req, st, begin, changedAt) {
  const at = now(), quiet = at - Math.max(begin, changedAt);
  if (foundCalm?.note === noted && begin - foundCalm.at < CALM_AGAIN.within) {
    if (quiet < CALM_AGAIN.for) return false;
  } else {
    const input = noted && begin - noted.touched < INPUT_BEFORE ? noted.touched : begin - (req.elapsed ?? 0);
    if (quiet < CALM_FOR || at - input < CALM_AFTER) return false;
  }
  const { docs } = reach();
  if (docs.some((doc) => readyOf(doc) !== 'complete') || docs.some((doc) => runsIn(doc)) || busyOverlay(docs)) return false;
  if (byCSS(docs, ARIA_BUSY).some((el) => checkVisibility(el))) return false; // such as a list that has no height yet
  return !docs.some((doc) => signsIn(doc, req.calm.query).some((s) => onTop(s.el)));
}
