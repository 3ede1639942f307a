// The text that is on its way to a field: waits for it, and stops it if the page has given the
// field to another record.

import { listen, ownerOf, pathOf, preventEvent, stopEvent, unlisten, viewOf } from './dom.js';
import { meantBy } from './meant.js';

const ARRIVING = ['beforeinput', 'input'];

// The text that is on its way. The read-back of the field is sent together with the text and waits
// here until the text has come, as input and evaluations reach the page in any order.
export let arrival = null;

// awaitInput begins to wait for the text that act st sends to el.
export function awaitInput(el, st) {
  arrival?.end();
  const view = viewOf(ownerOf(el)), meant = st.meant ?? meantBy(el, st.req.op, st);
  const on = (event) => {
    if (!event.isTrusted || !pathOf(event).includes(el)) return;
    if (event.type === 'beforeinput') {
      mine.other ??= meant?.other(false) ?? null;
      if (mine.other === null) return;
      stopEvent(event);
      preventEvent(event);
    }
    mine.end();
  };
  const mine = { of: el, meant, other: null }; // other: what el has become before the text came, which is then stopped
  mine.over = new Promise((resolve) => {
    mine.end = () => {
      for (const type of ARRIVING) unlisten(view, type, on, true);
      meant?.end();
      resolve();
    };
  });
  for (const type of ARRIVING) listen(view, type, on, { capture: true });
  arrival = mine;
}
