// What a run has set in controls, and what it has read back from the controls that it sets by
// presses.

import { TAG_DEPTH, alike, bare, compared, isAddress, plainly, readNumber, rewrites, sameValue } from './compare.js';
import { chosenValues, isNumberField, labelled } from './controls.js';
import { describe } from './describe.js';
import { attr, bodyOf, isConnected, isInput, isTag, matches, now, ownerOf, queryAll, rootOf, styleOf, tagOf, textContentOf } from './dom.js';
import { ancestors, labelsOf, up } from './flat.js';
import { deepActive } from './frames.js';
import { last } from './last.js';
import { Fail } from './look.js';
import { pick } from './pick.js';
import { read } from './read.js';
import { isFull } from './scrollers.js';
import { resolve } from './select.js';
import { LONGEST_NAME } from './shown.js';
import { checkedState, unlike } from './states.js';
import { lessNames, namesIn, unshownNow } from './taken.js';
import { cut, fold, isSecret, readable } from './text.js';
import { asksOf } from './turns.js';
import { isVisible } from './visible.js';

const MOST_KEPT = 1000;

// Records {run, part, ref, root, query, what, want, value, traits, desc, secret, at, asks, excused,
// freed, reverted}. freed: the part of the run whose input excused the record. left: the field has
// lost the focus. waits: the page has begun something at that moment. wasLeft: leaveLast has moved
// the focus away from the field. around: weak references to the elements around the field at that
// moment. Records of a read also have key, decided and seen.
export let kept = [];
let part = 0; // the current part of the run; parts are numbered in order
let askedBefore = null; // the page's timer and frame counts before the last input

// beginPart sets the current part of the run.
export function beginPart(number = 0) {
  part = number;
}

// noteAsks records which timers and frames the page has requested before an input to el.
export function noteAsks(el) {
  askedBefore = asksOf(el);
}

export const SETTING = new Set(['fill', 'type', 'check', 'select', 'files']);
export const QUIET = new Set(['focus', 'hover', 'scrollBy', 'point']);
export const SENDING = new Set(['press', 'grab', 'dropzone', 'hover', 'focus', 'scrollBy', 'point', ...SETTING]);

// keep records that a run has set el to the value "want". The argument "what" says how: fill,
// check, select, files or editor. by is the act that did it. A new record replaces older ones of
// el.
export function keep(el, what, want, by = last) {
  const { keep: run, secret, query } = by;
  if (!run) return;
  forgetKept(el);
  noteKept(run, el, { ref: new WeakRef(el), query, what, want, value: what === 'check' ? want ?? checkedState(el) : keptState(el, what, want), secret: Boolean(secret) });
}

// keepRead records what a run has read back from a control that it sets by presses and keys. The
// query must still match, and give the same result, when it is checked again.
export function keepRead(req, st, el, seen) {
  if (!req.keep || !el) return;
  beginPart(req.part);
  const key = JSON.stringify([req.query, seen.what, seen.attr]);
  kept = kept.filter((k) => k.key !== key);
  noteKept(req.keep, el, { ref: new WeakRef(el), key, query: req.query, decided: new Map(st?.decided), what: 'read', want: seen, seen: isVisible(el), value: seen.value, secret: false });
}

function noteKept(run, el, k) {
  kept = kept.filter((old) => old.run === run).slice(-MOST_KEPT);
  kept.push({
    run, part, root: new WeakRef(rootOf(el) ?? document), traits: traitsOf(el), desc: describe(el), at: now(), asks: askedBefore, excused: false, reverted: null,
    ...k, secret: k.secret || isSecret(el),
  });
}

// forgetKept drops the records of el, after a change that cannot be compared later.
export const forgetKept = (el) => {
  kept = kept.filter((k) => k.what === 'read' || k.ref.deref() !== el);
};

// keptState returns the state of el in the form in which a record of the kind "what" holds it.
export function keptState(el, what, want) {
  if (what === 'check') return checkedState(el);
  if (what === 'files') return namesIn(el);
  if (what === 'editor') return bare(readable(el)).includes(bare(want.trim().split('\n').at(-1))) ? want : cut(readable(el), LONGEST_NAME);
  return what === 'select' ? chosenValues(el) : compared(el, '').value;
}

// isHeld reports whether el still holds what was set. Files also count as held if the page has
// taken them out of the input and shows their names.
export function isHeld(el, k) {
  if (k.what === 'files') return unshownNow(k.want, el).length === 0;
  const state = keptState(el, k.what, k.want);
  if (JSON.stringify(state) === JSON.stringify(k.value)) return true;
  return k.what === 'fill' && (sameValue(el, state, k.want) || alike(el, state, k.want));
}

const traitsOf = (el) => [tagOf(el), attr(el, 'type'), attr(el, 'id'), attr(el, 'name'), attr(el, 'placeholder'), attr(el, 'aria-label'),
  ...labelsOf(el).map((label) => fold(textContentOf(label)))];

// stillThere returns the element of record k, or the one element of the page that replaces it. It
// returns null if there is none, or several.
export function stillThere(k) {
  const el = k.ref.deref();
  if (el && isConnected(el)) return el;
  if (k.what === 'files') return null;
  const alike = (n) => JSON.stringify(traitsOf(n)) === JSON.stringify(k.traits);
  const root = k.root.deref();
  const named = k.traits.slice(2).some(Boolean);
  const twins = (named ? queryAll(root && isConnected(root) ? root : document, k.traits[0]) : matched(k)?.els ?? []).filter(alike);
  return twins.length === 1 ? twins[0] : null;
}

// standsFor returns stillThere(k) or, if that no longer holds what was set, the one element that
// holds it and that k's query matches now. A page may reuse the elements of a list for other
// records.
export function standsFor(k) {
  const el = stillThere(k);
  if (!el || k.what === 'files' || !k.query || isHeld(el, k)) return el;
  const els = matched(k)?.els.map((n) => labelled(n)) ?? [];
  if (els.length !== 1 || els[0] === el || tagOf(els[0]) !== tagOf(el) || !isHeld(els[0], k)) return el;
  k.ref = new WeakRef(els[0]);
  return els[0];
}

// matched resolves the query of k now. It returns null if k has no query, or if that fails.
export function matched(k) {
  if (!k.query) return null;
  try {
    return resolve(k.query, { visible: false, decided: new Map(k.decided), frames: '', grace: 0 });
  } catch (err) {
    if (err instanceof Fail) return null;
    throw err;
  }
}

// heldNow returns {same, holds}: what the control of k holds now, and whether that is what was set.
// It returns null if the control has gone.
export function heldNow(k) {
  if (k.what === 'read') return readAgain(k);
  const el = standsFor(k);
  // An input that replaces one with files is empty: the page shows the files, or has lost them.
  if (k.what === 'files') {
    const lacking = unshownNow(k.want, el);
    return { same: !lacking.length, holds: lessNames(k.want.names, lacking) };
  }
  return el && { same: isHeld(el, k), holds: keptState(el, k.what, k.want) };
}

// readAgain reads again what k was read from. If the field is still there but no longer shows the
// value, that counts as lost.
function readAgain(k) {
  const { what, attr, state, text } = k.want, found = matched(k);
  if (!found) return null;
  const els = shownAsBefore(k, found.els);
  if (!els.length) return what === 'value' || what === 'attr' ? null : lostBy(k, found);
  if (what === 'count') return { same: true };
  if (what === 'state') {
    const like = els.filter((el) => !text || fold(readable(el)).includes(text));
    const why = like.length ? unlike(like.find(isVisible) ?? like[0], state) : '';
    return { same: why === null, holds: why };
  }
  const el = pick(els), holds = read(el, what, attr);
  const same = typeof holds === 'string' ? plainly(holds) === plainly(k.value) || alike(el, holds, k.value) : JSON.stringify(holds) === JSON.stringify(k.value);
  return { same, holds };
}

const shownAsBefore = (k, els) => (k.seen ? els.filter(isVisible) : els);

// lostBy returns {same: false, holds} with the text that the field or section of k shows instead,
// or null if that has gone or is hidden.
export function lostBy(k, found) {
  const { parts } = k.query, from = found.els.length ? parts.length - 1 : parts.indexOf(found.part);
  const place = Math.max(0, parts.findLastIndex((part) => part.kind === 'field' || part.kind === 'within'));
  if (from <= place) return null;
  const around = shownAsBefore(k, matched({ ...k, query: { parts: parts.slice(0, from) } })?.els ?? []);
  return around.length ? { same: false, holds: cut(fold(around.map(readable).join(' ')), LONGEST_NAME) } : null;
}

// excuseNow excuses k: input of the current part may have caused any later change of it.
export function excuseNow(k) {
  k.excused = true;
  k.freed ??= part;
}

// heldBy returns the records of a run that are neither excused nor reverted.
export const heldBy = (run) => kept.filter((k) => k.run === run && !k.excused && !k.reverted);

// noteRevert records a revert if the control of k no longer holds what was set. A page that only
// rewrites the value when its field loses the focus has accepted it.
export function noteRevert(k) {
  const state = heldNow(k);
  if (!state || state.same) return;
  if (k.left && tookOnLeaving(k, k.ref.deref(), String(state.holds))) k.excused = true;
  else k.reverted = { holds: state.holds };
}

export const isAbout = (k, el) => k.what !== 'read' && k.ref.deref() === el;

// revertsOf returns the reports of a run's reverts, without those of the control "but".
export const revertsOf = (run, but = null) => kept.filter((k) => k.run === run && k.reverted && !(but && isAbout(k, but))).map((k) => reportOf(k, k.reverted.holds));

// reportOf returns what a result reports about record k. The argument "holds" is what the control
// holds now. The value of a password field is left out.
export const reportOf = (k, holds) => ({
  desc: k.desc, secret: k.secret, set: k.secret ? '' : shownState(k.what === 'files' ? k.want.names : k.value), holds: k.secret ? '' : shownState(holds),
  ...(k.what === 'files' ? { files: k.want.names, lacking: lessNames(k.want.names, holds), sent: k.want.sent } : {}),
});

// excuseChanged excuses the records that have changed along with the input to el, as their controls
// may depend on it. A change that comes later, from a timer, is not excused. Neither are files that
// the page no longer shows after text was entered elsewhere: a timer may have fired meanwhile.
export function excuseChanged(el, by = last) {
  for (const k of heldBy(by.keep)) if (!isAbout(k, el) && !(k.what === 'files' && TEXT.has(by.op))) excuseIfChanged(k);
}
const TEXT = new Set(['fill', 'type']);

export const excuseIfChanged = (k) => {
  const now = heldNow(k);
  if (!now || !now.same) excuseNow(k);
};

const REUSED = 'tr,li,[role=row],[role=listitem],[role=treeitem],[role=option],[role=article]';

// isReusable reports whether el may belong to another row after its list has been scrolled. Virtual
// lists draw only the rows in view, and reuse their elements at other positions.
function isReusable(el) {
  let placed = false;
  for (const n of ancestors(el)) {
    if (matches(n, REUSED)) return true;
    if (isFull(n, 'y') || isFull(n, 'x')) return placed;
    placed ||= n !== el && (styleOf(n).position === 'absolute' || styleOf(n).transform !== 'none');
  }
  return false;
}

// excuse excuses every record. It is called after input that may change any control, now or later.
// by.rows: only the records of controls in rows.
export function excuse(by = {}) {
  part = by.part ?? part;
  if (!by.rows) return kept.forEach(excuseNow);
  for (const k of kept) {
    const el = k.ref.deref();
    if (!el || !isConnected(el) || isReusable(el)) excuseNow(k);
  }
}

// drop removes the records in gone.
export function drop(gone) {
  kept = kept.filter((k) => !gone.includes(k));
}

// forget removes all records.
export function forget() {
  kept = [];
}

// holdsNumber reports whether a text field was given a number, such as a price or an amount. An
// account number with leading zeros is not a number, but pages may treat it as one.
export const holdsNumber = (el, k) => isTag(el, 'input') && (readNumber(plainly(String(k.want)), true) !== null || /^0\d+$/.test(String(k.want).trim()));

// isExact reports whether any change of what k holds, however small, makes it another value: it is a
// password or an address.
export const isExact = (el, k) => isSecret(el) || isInput(el, 'email', 'url') || isAddress(plainly(String(k.want)));

const shownState = (state) => (typeof state === 'boolean' ? (state ? 'checked' : 'unchecked') : Array.isArray(state) ? state.join(', ') : String(state));

// tookOnLeaving reports whether a field that has lost the focus has accepted its value: it has
// rewritten it in another form, or has cleared itself and shows the value as a tag nearby.
export function tookOnLeaving(k, el, holds) {
  if (k.what !== 'fill' || !el) return false;
  return rewrites(el, holds, String(k.want)) || (holds === '' && bare(String(k.want)) !== '' && !isNumberField(el) && isTagBeside(el, bare(String(k.want))));
}

function isTagBeside(el, want) {
  let n = up(el);
  for (let i = 0; n && n !== bodyOf(ownerOf(el)) && i < TAG_DEPTH; i++, n = up(n)) {
    if (queryAll(n, '*').some((one) => isVisible(one) && bare(readable(one)) === want)) return true;
  }
  return false;
}

// focusedOf returns the record of the run's control that has the focus, or null.
export function focusedOf(run) {
  const active = run && kept.length && deepActive();
  return (active && heldBy(run).find((k) => isAbout(k, active))) || null;
}
