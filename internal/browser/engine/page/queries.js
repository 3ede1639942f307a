// Queries that only read the page, each in one look: how many elements match, the text of one, the
// fields of rows. Those that wait repeat the look.

import { stillBusy, unlessBusy } from './busy.js';
import { checkTarget, labelled } from './controls.js';
import { describe, element } from './describe.js';
import { hasHue, liesOver } from './digest.js';
import { attr } from './dom.js';
import { isSeen } from './drawn.js';
import { seen, withLines } from './explain.js';
import { byCSS, isInside } from './flat.js';
import { deepActive } from './frames.js';
import { disarm } from './guard.js';
import { keepRead } from './kept.js';
import { TOO_DEEP, timed, tooLarge } from './limits.js';
import { Fail, Refusal, fresh } from './look.js';
import { pick } from './pick.js';
import { State, watch } from './poll.js';
import { read } from './read.js';
import { disabledBy, hitAt, readonlyBy, takesText } from './ready.js';
import { shownAs } from './refs.js';
import { once, resolve } from './select.js';
import { checkedState } from './states.js';
import { cellText } from './table.js';
import { readable } from './text.js';
import { askedName, asksBrowser, assured } from './verdicts.js';
import { isVisible } from './visible.js';

// oneLook runs a look for a request; its failures are results. It repeats the look only while what
// it reads is loading.
export function oneLook(req, look) {
  if (!(req.busy?.most > 0)) return lookOnce(req, look);
  return watch({ ...req, timeout: req.busy.most }, () => {
    const res = lookOnce(req, look);
    return res.reason === 'busy' ? { not: res } : { done: res };
  }, new State(req));
}

function lookOnce(req, look) {
  fresh(req);
  try {
    return timed(req, () => withLines(assured(look)));
  } catch (err) {
    if (err instanceof Fail || err instanceof Refusal) return withLines(err.result);
    if (err instanceof RangeError) return tooLarge(TOO_DEEP);
    throw err;
  }
}

// count returns how many elements match.
export function count(req) {
  return oneLook(req, () => {
    const decided = new Map(), { els, won } = resolve(req.query, { ...once, decided });
    if (els.length) keepRead(req, { decided }, pick(els), { what: 'count', value: els.length });
    return { ok: true, count: els.length, won };
  });
}

// find returns what matches, with a ref of the picked match.
export function find(req) {
  return oneLook(req, () => {
    const found = resolve(req.query, { ...once, decided: new Map() }), { els, won } = found;
    unlessBusy(req, els, found);
    if (!els.length) return { ok: true, count: 0, visible: false, el: null, won };
    const el = pick(els);
    const ref = shownAs(el), about = element(el);
    if (asksBrowser(el)) about.name = askedName(el);
    return { ok: true, count: els.length, visible: isVisible(el), el: about, won, ref };
  });
}

// is returns whether the picked match is in a state.
export function is(req) {
  const { query, state } = req;
  return oneLook(req, () => {
    const found = resolve(query, { ...once, decided: new Map() });
    if (!found.els.length) return state === 'visible' ? { ok: true, value: false } : { ok: false, reason: 'none', seen: seen(found) };
    return { ok: true, value: inState((state === 'visible' && found.els.find(isSeen)) || pick(found.els), state) };
  });
}

function inState(el, state) {
  switch (state) {
    case 'visible':
      return isSeen(el);
    case 'hidden':
      return !isSeen(el);
    case 'enabled':
      return disabledBy(el) === null;
    case 'disabled':
      return disabledBy(el) !== null;
    case 'checked': {
      const have = checkedState(checkTarget(el));
      if (have === null) throw new Refusal(`${describe(el)} is not a checkbox, radio button or switch`);
      return have === true;
    }
    case 'editable': {
      const aim = labelled(el);
      return takesText(aim) && readonlyBy(aim) === null && disabledBy(aim) === null;
    }
    case 'focused': {
      const active = deepActive();
      return active !== null && isInside(active, el);
    }
    default:
      throw new Refusal(`unknown state ${JSON.stringify(state)}`);
  }
}

// looks answers several questions in one look, none of which waits: how many elements match, how
// many of them are visible, the text or an attribute of the first. If a question fails, or leads
// into a frame that this world cannot enter, that is its answer; the Go side then repeats it in the
// frame.
export function looks(req) {
  return oneLook(req, () => ({ ok: true, answers: req.questions.map((q) => answerTo(q, req)) }));
}

export function looksInFrame(req) {
  return oneLook(req, () => ({ ok: true, answers: [answerOf(req, req)] }));
}

function answerTo(question, req) {
  try {
    return answerOf(question, req);
  } catch (err) {
    // Verdicts of the browser are collected for all questions together, and all wait for what is
    // loading.
    if (err instanceof Fail && !['names', 'tree', 'busy'].includes(err.result.reason)) return err.result;
    throw err;
  }
}

function answerOf({ query, what, attr, ...rows }, req) {
  const found = resolve(query, { ...once, decided: new Map() }), { els, won } = found, [first] = els;
  unlessBusy(req, els, found);
  switch (what) {
    case 'count':
      return { ok: true, won, value: els.length };
    case 'visible':
      return { ok: true, won, value: els.filter(isSeen).length };
    case 'rows':
      return { ok: true, won, value: wantedRows(els, rows).map((el) => readRow(el, rows.fields, rows.shown)) };
    default:
      return { ok: true, won, value: first ? read(first, what, attr) : null };
  }
}

// extract waits for the first row and reads all rows in that look.
export function extract(req) {
  const st = new State(req);
  const look = () => {
    const { els: all, won, ...rest } = resolve(req.query, { visible: false, decided: st.decided, grace: (req.grace ?? 0) - st.spent });
    const els = wantedRows(all, req);
    const busy = stillBusy(req, els, els.length ? {} : rest);
    if (busy) return { not: busy };
    if (!els.length) return { not: { ok: true, rows: [], count: 0, won } };
    const rows = assured(() => els.map((el) => readRow(el, req.fields, req.shown)));
    return { done: { ok: true, rows, count: els.length, won } };
  };
  return watch(req, () => {
    try {
      return look();
    } catch (err) {
      if (err instanceof Refusal) return { done: err.result };
      throw err;
    }
  }, st);
}

/** @type {(els: Element[], rows: { shown?: boolean, hue?: string, over?: boolean }) => Element[]} */
const wantedRows = (els, { shown, hue, over }) => els.filter((el) => (!shown || isVisible(el)) && (!hue || hasHue(el, hue)) && (!over || liesOver(el)));

function readRow(row, fields, shown) {
  const out = {};
  for (const f of fields) {
    const els = f.query ? resolve(f.query, { ...once, decided: new Map() }, [row]).els : [row];
    const there = shown ? els.filter(isVisible) : els, what = f.what || 'text';
    const values = (f.all ? there : there.slice(0, 1)).map((el) => (shown && what === 'text' ? cellText(el) : read(el, what, f.attr)));
    out[f.name] = f.all ? values : values[0] ?? null;
  }
  return out;
}

// versionFrom reads the raw version text that a page shows: from the meta tag named meta, or from
// the match of query; if attribute is given, that is read instead of the text.
export function versionFrom(req) {
  const { query, meta, attribute } = req;
  return oneLook(req, () => {
    if (meta !== undefined && meta !== '') {
      const tag = byCSS([document], 'meta[name]').find((m) => attr(m, 'name') === meta);
      return { ok: true, text: tag ? attr(tag, 'content') ?? '' : '', attr: '' };
    }
    const el = resolve(query, { ...once, visible: false, decided: new Map() }).els[0];
    if (!el) return { ok: true, text: '', attr: '' };
    const name = attribute ?? lastAttribute(query);
    return { ok: true, text: readable(el), attr: name ? attr(el, name) ?? '' : '' };
  });
}

// lastAttribute returns the attribute in which the CSS of a query ends, as in "css:[data-v]", or
// ''.
function lastAttribute(query) {
  const part = query.parts.at(-1);
  return part?.kind === 'css' ? /\[\s*([\w-]+)\s*(?:[~|^$*]?=[^\]]*)?\]\s*$/.exec(part.value)?.[1] ?? '' : '';
}

// at returns what is at a point of the viewport, and the size of the viewport.
export function at({ x, y }) {
  disarm();
  fresh();
  const inside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const el = inside ? hitAt({ x, y }, document) : null;
  return { inside, desc: el ? describe(el) : '', width: innerWidth, height: innerHeight };
}
