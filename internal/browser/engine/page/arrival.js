// The text that is on its way to a field: what waits for it, and what keeps it from a field that the
// page has given to another record.

import { listen, ownerOf, pathOf, preventEvent, stopEvent, unlisten, viewOf } from './dom.js';
import { meantBy } from './meant.js';

const ARRIVING = ['beforeinput', 'input'];

// The text that is on its way to a field. What reads the field back is sent along with it,
// and waits here until it has come: input and evaluations reach the page in any order.
export let arrival = null;

// st: of the act.
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
  const mine = { of: el, meant, other: null }; // other: what the page has made of el in front of the text, which is kept from it
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
