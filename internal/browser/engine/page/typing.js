// Typing: counts the characters that arrive, and compares what the field then holds with its old
// value plus the text at the caret.

import { TAG_DEPTH, alike, bare, sameValue } from './compare.js';
import { FORMATS, RANGED, editorOf, valueOf } from './controls.js';
import { describe } from './describe.js';
import {
  ELEMENT, attr, bodyOf, getter, inputType, isBadInput, isConnected, isInput, isTag, keyOf, listen, ownerOf, pathOf, queryAll, tagOf,
  typeOf, unlisten, validityOf, viewOf, wasPrevented,
} from './dom.js';
import { isInside, nearest, up } from './flat.js';
import { beyond } from './focus.js';
import { deepActive } from './frames.js';
import { excuse, excuseChanged, forgetKept, keep } from './kept.js';
import { last } from './last.js';
import { fresh } from './look.js';
import { read } from './read.js';
import { hiddenBy, takesText } from './ready.js';
import { isSecret, readable } from './text.js';
import { settled } from './turns.js';

// Characters are counted where they arrive: a field that is full, or refuses a character, has no
// input event.
const KEY_EVENTS = ['keydown', 'keypress', 'beforeinput', 'input'];
let typing = null;

const selectionStart = { input: getter(HTMLInputElement.prototype, 'selectionStart'), textarea: getter(HTMLTextAreaElement.prototype, 'selectionStart') };
const selectionEnd = { input: getter(HTMLInputElement.prototype, 'selectionEnd'), textarea: getter(HTMLTextAreaElement.prototype, 'selectionEnd') };

// awaitKeys begins to count the characters that are typed into el.
export function awaitKeys(el) {
  typing?.end();
  const view = viewOf(ownerOf(el));
  const on = (event) => {
    if (!event.isTrusted) return;
    if (event.type === 'keydown' && COMMAND_KEYS.has(keyOf(event)) && pathOf(event).includes(el)) typing.led ??= heldByField(el);
    if (isKey(event) ? [...keyOf(event)].length > 1 : /^insert(LineBreak|Paragraph)$/.test(event.inputType)) return;
    const at = deepActive() ?? pathOf(event)[0];
    typing[event.type].push({ event, at, own: pathOf(event).includes(el) || isInside(at, el) });
  };
  for (const type of KEY_EVENTS) listen(view, type, on, { capture: true, passive: true });
  const tag = tagOf(el), before = read(el, 'value');
  typing = {
    el, before, led: null, keydown: [], keypress: [], beforeinput: [], input: [], secret: isSecret(el),
    // null for a field without a readable caret position
    from: selectionStart[tag]?.(el) ?? null, to: selectionEnd[tag]?.(el) ?? null,
    end: () => KEY_EVENTS.forEach((type) => unlisten(view, type, on, true)),
  };
}

const COMMAND_KEYS = new Set(['Enter', 'Tab']);

// heldByField returns the value of a field, and its part that was typed: a page or the browser may
// complete the text and select what it has added.
function heldByField(el) {
  const tag = tagOf(el), value = isTag(el, 'input', 'textarea') ? valueOf(el) : null;
  const selected = value !== null && selectionEnd[tag](el) === value.length ? selectionStart[tag](el) : null;
  return { value, own: value?.slice(0, selected ?? value.length) };
}

// ledTo returns what a field held at the first Enter or Tab of a text if that was not what was
// typed before that key, else null.
function ledTo(t, text) {
  const first = text.split(/[\r\n\t]/, 1)[0], { value = null, own } = t.led ?? {};
  if (value === null || isInput(t.el, ...PARTED) || holdsTyped(t, first, value) || holdsTyped(t, first, own)) return null;
  return value;
}

const isKey = (event) => /^key/.test(event.type);

// typed returns how many of the characters of text the element has taken: all of them if the field
// contains the text in another way. kept says whether the field holds the text, and nothing else
// that is new. away describes the element that got the rest, if the page moved the focus before the
// end of the text.
export async function typed({ text, commands = false }) {
  const t = typing;
  if (!t) return { taken: 0, wanted: 0, text: '', kept: true };
  await settled(t.el, last.asks);
  t.end();
  typing = null;
  fresh();
  const wanted = [...text].filter((c) => c >= ' ').length;
  const typedIn = read(t.el, 'value');
  // A number below the minimum may be the beginning of a larger one.
  if (!hasCommands(text) && !(Math.abs(typedIn) < Math.abs(attr(t.el, 'aria-valuemin') ?? attr(t.el, 'min') ?? 0)) && await beyond(t.el, typedIn)) fresh();
  const holds = read(t.el, 'value'), active = deepActive();
  const moved = !isConnected(t.el) || !active || !isInside(active, t.el);
  const counts = isTag(t.el, 'textarea') || isInput(t.el, ...RANGED, 'email', 'number') || !isTag(t.el, 'input');
  const count = (events, what) => events.filter(what).length;
  let taken = count(t.input, (k) => k.own);
  if (!isTag(t.el, 'input', 'textarea')) taken += count(t.beforeinput, (k) => k.own && wasPrevented(k.event)); // editors that draw their text themselves
  const stands = bare(text) !== '' && bare(holds).includes(bare(text));
  const parted = isInput(t.el, ...PARTED), whole = parted && holdsParts(t, text, holds);
  if (stands || whole || (!counts && holds !== t.before)) taken = wanted;
  const secret = t.secret || isSecret(t.el);
  const free = commands || hasCommands(text); // the page may move the focus
  let shown = holds, away = null;
  if (moved && free) taken = wanted;
  if (taken < wanted && !free) {
    const passed = passedOn(t, text);
    if (passed !== null) {
      taken = wanted;
      shown = passed;
    } else {
      away = t.input.findLast((k) => !k.own)?.at ?? (moved ? active ?? bodyOf(document) : null);
      // Keys that the page handles elsewhere count, as in a list.
      const handled = (k) => wasPrevented(k.event);
      if (away && !t.input.some((k) => !k.own) && taken + count([...t.keydown, ...t.keypress, ...t.beforeinput], handled) >= wanted) {
        taken = wanted;
        away = null;
      }
    }
  }
  const stays = commands || (parted && !hasCommands(text) ? whole : moved || !counts || holdsTyped(t, text, holds));
  const led = commands || !hasCommands(text) ? null : ledTo(t, text);
  excuseChanged(t.el);
  if (hasCommands(text)) excuse(); // Enter and Tab may change any control
  if (stays && !moved && counts && !hasCommands(text)) keep(t.el, 'fill', holds);
  else forgetKept(t.el);
  return { taken: Math.min(taken, wanted), wanted, text: secret ? '' : led ?? shown, secret, kept: stays && led === null, away: away ? describe(away) : '', format: parted ? FORMATS[inputType(t.el)] : '' };
}

// PARTED are the input types whose parts each take their own keys, in the order of the locale.
const PARTED = ['date', 'month', 'week', 'datetime-local', 'time'];

// holdsParts reports whether a date or time field holds text: as it is, or with its parts in the
// order in which the field shows them. If it held a value before, only some parts may have changed.
// A text that begins with the year has one meaning only.
function holdsParts(t, text, holds) {
  if (sameValue(t.el, holds, text)) return true;
  if (holds === '') return false;
  const numbers = (s) => s.match(/\d+/g) ?? [], sorted = (list) => [...list].sort().join(' ');
  const have = numbers(holds), had = numbers(t.before), typed = numbers(text).map((n) => n.padStart(2, '0'));
  if (/^\s*\d{4,}[-/.]/.test(text)) return typed.join() === have.join();
  const half = /([ap])\.?m?\.?\s*$/i.exec(text), hour = inputType(t.el) === 'time' ? 0 : 3;
  const shown = [...have];
  if (half && have[hour]) {
    if ((half[1].toLowerCase() === 'p') !== (Number(have[hour]) >= 12)) return false;
    shown[hour] = String(Number(have[hour]) % 12 || 12).padStart(2, '0');
  }
  const changed = shown.filter((_, i) => have[i] !== had[i]);
  return [shown, changed].some((parts) => parts.length && (sorted(parts) === sorted(typed) || sorted(parts.join('')) === sorted(numbers(text).join(''))));
}

// passedOn returns the whole text if the page moved the focus during typing without losing any of
// it: from box to box, each with a part of the text, or to a field that replaced the first.
// Otherwise it returns null.
function passedOn(t, text) {
  const ats = [t.el, ...[...t.keydown, ...t.input].filter((k) => !k.own).map((k) => k.at)];
  const fields = [...new Set(ats)].filter((n) => typeOf(n) === ELEMENT && takesText(n));
  if (fields.length < 2) return null;
  const last = fields.at(-1), active = deepActive();
  const next = !isConnected(last) && active && takesText(active) ? active : last, holds = read(next, 'value');
  const gone = !isConnected(t.el) || hiddenBy(t.el) !== null || layerOf(next) !== layerOf(t.el);
  if (gone && (bare(holds).includes(bare(text)) || shownBeside(next, text))) return holds;
  const boxes = fields.filter((n) => n === t.el || read(n, 'value') !== '');
  return boxes.length > 1 && fillBoxes(boxes, text) ? boxes.map((n) => read(n, 'value')).join('') : null;
}

const LAYER = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]';
const layerOf = (el) => nearest(el, LAYER) ?? null;

const LARGEST_BOX = 6; // characters of a box for a part of a text

// fillBoxes reports whether boxes, each full but the last, hold text in order. A box without
// maxlength is for a single character.
function fillBoxes(boxes, text) {
  const letters = (s) => s.replace(/[^\p{L}\p{N}]/gu, '');
  const sizeOf = (el) => Number(attr(el, 'maxlength') ?? 1);
  const alikes = boxes.every((el) => isTag(el, 'input') && inputType(el) === inputType(boxes[0]));
  const full = (el, i) => read(el, 'value').length === sizeOf(el) || (i === boxes.length - 1 && read(el, 'value').length < sizeOf(el));
  return alikes && boxes.every((el, i) => sizeOf(el) <= LARGEST_BOX && full(el, i)) && letters(boxes.map((el) => read(el, 'value')).join('')) === letters(text);
}

const HALF_NUMBER = /^[-+]?\d*[.,]?\d*(?:e[-+]?)?$/i;

// holdsTyped reports whether a field holds what typing text makes of its old value.
function holdsTyped(t, text, holds) {
  const el = t.el;
  if (isTag(el, 'textarea') && editorOf(el)) return true; // the textarea of an editor only receives keys
  if (isInput(el, 'number') && isBadInput(validityOf(el))) return HALF_NUMBER.test(text); // the rest of the number may follow
  const printed = (c) => c >= ' ' || (isTag(el, 'textarea') && c === '\n');
  // A field may hold a control character, or omit it.
  const wholes = [printed, (c) => printed(c) || !hasCommands(c)].map((stays) => [...text].filter(stays).join(''));
  const is = (want) => sameValue(el, holds, want) || alike(el, holds, want) || (holds === '' && want === '');
  const holdsAt = (from, to) => wholes.some((whole) => is(t.before.slice(0, from) + whole + t.before.slice(to)));
  if (!isTag(el, 'input', 'textarea')) {
    if (!bare(holds).includes(bare(text)) && !hasCommands(text)) return shownBeside(el, text);
    return bare(holds).length <= bare(t.before).length + bare(text).length;
  }
  const end = t.before.length;
  const places = t.from !== null ? [[t.from, t.to]] : [[end, end], [0, 0]];
  places.push([0, end]); // a page may select the old value, or replace it by a mask
  return places.some(([from, to]) => holdsAt(from, to)) || hasCommands(text) || (holds === '' && shownBeside(el, text)) || partsAway(el, text, holds);
}

// partsAway reports whether a field shows each part of a list as a tag beside itself, and holds the
// last part.
function partsAway(el, text, holds) {
  const parts = text.split(/[,;]/).map(bare), last = parts.pop();
  if (!parts.length || !parts.every(Boolean) || bare(holds) !== last) return false;
  let n = up(el);
  for (let i = 0; n && n !== bodyOf(ownerOf(el)) && i < TAG_DEPTH; i++, n = up(n)) {
    const shown = new Set(queryAll(n, '*').map((one) => bare(readable(one))));
    if (parts.every((part) => shown.has(part))) return true;
  }
  return false;
}

// hasCommands reports whether a text contains Enter or Tab, with which a page may do anything.
const hasCommands = (text) => /[\r\n\t]/.test(text);

// shownBeside reports whether the text is shown beside a field, for example as tags, one for each
// part of a list.
function shownBeside(el, text) {
  const parts = text.split(/[,;]/).map(bare).filter(Boolean);
  const wanted = parts.every((part) => part.length > 2) ? parts : [bare(text)].filter(Boolean); // short parts may be found anywhere
  let n = up(el);
  for (let i = 0; wanted.length && n && n !== bodyOf(ownerOf(el)) && i < TAG_DEPTH; i++, n = up(n)) {
    const shown = bare(readable(n));
    if (wanted.every((part) => shown.includes(part))) return true;
  }
  return false;
}
