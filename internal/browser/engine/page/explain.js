// What a failure reports beside its reason: where the matches are, what the page shows instead, and
// which frames were not searched.

import { describe, element, mark } from './describe.js';
import { attr, isTag, queryAll } from './dom.js';
import { ancestors, up } from './flat.js';
import { MAX_LINES, SHORTEST_LOOK, timed } from './limits.js';
import { Fail, fresh } from './look.js';
import { nearMatches } from './near.js';
import { titleOver } from './sections.js';
import { candidate } from './select.js';
import { core, textIndex } from './text.js';
import { isVisible } from './visible.js';

// withLines replaces the matches of an ambiguous result by lines that describe them.
export function withLines({ among, ...res }) {
  if (!among) return res;
  const line = (el) => {
    const title = among.length <= MAX_LINES ? titleOver(el, among) : null;
    return title === null ? `in ${landmark(up(el))}` : `within ${JSON.stringify(title)}`;
  };
  return { ...res, lines: among.slice(0, MAX_LINES).map((el) => (up(el) ? `${describe(el)} ${line(el)}` : describe(el))) };
}

// landmark returns the nearest element at or around el with an id or class, as a start tag.
function landmark(el) {
  for (const n of ancestors(el)) if (attr(n, 'id') || attr(n, 'class') || isTag(n, 'body')) return describe(n).replace(/ ".*$/s, '>');
  return describe(el);
}

// seen returns near matches of the part that matched nothing, one per line.
export function seen({ part, before }) {
  if (!part) return '';
  if (part.alts) return seen(candidate(part.alts[0].parts, 0, { visible: false, grace: 0, bare: new Set(), beside: new Map() }, before, []));
  return [...new Set(nearMatches(part, before))].join('\n');
}

// nearby is seen, but returns '' if that fails, as it does at frames that this world cannot enter.
function nearby(found) {
  try {
    return seen(found);
  } catch (err) {
    if (err instanceof Fail) return '';
    throw err;
  }
}

// framesAside returns visible frames if the query enters none: their content is on the screen, but
// was not searched.
function framesAside(query) {
  if (leadsInside(query.parts)) return [];
  return queryAll(document, 'iframe,frame').filter(isVisible).slice(0, 3).map(mark);
}

// showsNothing reports whether the page looks empty, as an application does whose scripts have
// failed or are still running.
function showsNothing() {
  return window === top && !queryAll(document, PICTURED).some(isVisible) && core(textIndex(document).shown.text) === '';
}

const PICTURED = 'input,select,textarea,button,img,svg,canvas,video,iframe,frame,object,embed';

const leadsInside = (parts) => parts.some((part) => part.kind === 'frame' || part.alts?.some((alt) => leadsInside(alt.parts)));

// explained adds to a failure what the page shows instead. If that takes too long, it is left out.
export function explained({ hint, of, among, ...res }, req) {
  if (!hint && !of && !among) return res;
  fresh();
  try {
    return timed({ timeout: SHORTEST_LOOK }, () => {
      if (hint) return { ...res, seen: nearby(hint), aside: framesAside(req.query), empty: showsNothing() };
      return of ? { ...res, el: element(of) } : withLines({ ...res, among });
    });
  } catch (err) {
    if (err instanceof Fail || err instanceof RangeError) return res;
    throw err;
  }
}
