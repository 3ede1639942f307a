// Operations: what is done at the moment when an element is ready. An operation returns what it
// adds to the result, or throws a Refusal.

import { MAX_LINES, checkTarget } from './act.js';
import { calendarParts } from './calendar.js';
import { carried } from './carried.js';
import { compared } from './compare.js';
import {
  attr, blurOf, bodyOf, dispatch, focusOn, hasAttr, inputType, inputValue, isConnected, isEditableContent, isInput, isMultiple,
  isSelected, isTag, labelControl, listen, matches, method, optionLabel, optionText, optionValue, ownerOf, pathOf, queryAll, rectOf,
  rootElementOf, selectOptions, selectValue, setInputValue, setSelected, styleOf, tagOf, textareaValue, viewOf,
} from './dom.js';
import { grab } from './drag.js';
import { fileInput, takeFiles } from './files.js';
import { ancestors, isInside, nearest, up } from './flat.js';
import { deepActive, frameOffset } from './frames.js';
import { arm, isAtWork } from './guard.js';
import { watchDrags } from './host.js';
import { keep } from './kept.js';
import { fresh } from './look.js';
import { checkedState, roleOf } from './names.js';
import { limited, read } from './read.js';
import { goalsOf, hiddenBy, scrollTo, takesText } from './ready.js';
import { pinned } from './refs.js';
import { FOCUSABLE } from './roles.js';
import { mustScroll, scrollIt, wayOf } from './scroll.js';
import { describe } from './select.js';
import { noteTable, readOther } from './table.js';
import { cut, fold, isSecret, readable } from './text.js';
import { afterTurns, asksOf, awaitInput, settled } from './turns.js';
import { awaitKeys } from './typing.js';
import { stillUndrawn } from './undrawn.js';

// A Refusal is a failure of the operation. late: the page may still change so
// that it passes; it is then tried again ("always" until the time is over,
// "soon" for half a second). more.code is its code, where that is not STEP_FAILED, and
// more.next what to do next, where that is not another value or another step.
export class Refusal extends Error {
  constructor(message, details, late = '', more = {}) {
    super(message);
    this.details = details;
    this.late = late;
    this.more = more;
  }
  get result() {
    return { ok: false, reason: 'op', code: 'STEP_FAILED', message: this.message, details: this.details ?? {}, ...this.more };
  }
}

// What pressed and held read back.
export let last = { el: null, op: 'none', asks: null };

export function readBackLater(act) {
  last = act;
}

export const HELD = new Set(['fill', 'select', 'type']); // what a field holds is read back after them

export const OPS = {
  none: () => ({}),
  point: (el, op, st) => ({ point: st.spot.point }),
  press: arm,
  check(el, op, st) {
    if (checkedState(el) === op.on) {
      keep(el, 'check');
      return { already: true, undrawn: stillUndrawn(el, op.on) };
    }
    return arm(el, op, st);
  },
  grab(el, op, st) {
    grab(el);
    return { point: st.spot.point };
  },
  dropzone(el, op, st) {
    const view = viewOf(ownerOf(el));
    if (view !== window) watchDrags(view);
    return { point: st.spot.point };
  },
  hover(el, op, st) {
    awaitHover(el);
    return { point: st.spot.point };
  },
  kind: (el) => ({ mode: kindOf(el) }),
  scrollBy(el, op) {
    const way = wayOf(op.scroll);
    return scrollIt(mustScroll(el, way), op.scroll, way);
  },
  focus(el) {
    takeFocus(el);
    return {};
  },
  type(el, op, st) {
    const active = deepActive();
    if (!active || !isInside(active, el) || st.meant?.el === el) {
      takeFocus(el);
      caretToEnd(el);
    }
    awaitKeys(el);
    return {};
  },
  fill: (el, op, st) => fill(el, String(op.value), st),
  holds(el, op) {
    const held = { ...compared(el, String(op.value)), connected: true };
    if (held.same || held.alike) keep(el, 'fill', String(op.value));
    return { held };
  },
  carried: (el, op) => carried(el, op),
  select: (el, op) => choose(el, op.values, op.by ?? ''),
  checked(el, op) {
    const already = checkedState(el) === op.on;
    if (already) keep(el, 'check');
    return { already, works: isAtWork(el, null) };
  },
  read(el, op, st) {
    if (op.what === 'ref') return { ref: pinned(el) };
    if (op.what === 'calendar') return calendarParts(el, op);
    if (op.what === 'table' && !op.before) noteTable(el);
    const value = op.before ? readOther(el, op, st) : read(el, op.what, op.attr), secret = isSecret(el) && op.what !== 'box';
    return op.limit ? { ...limited(value, op.limit), secret } : { value, secret };
  },
  files: (el) => (isInput(el, 'file') ? { mode: 'input', takes: takeFiles(el) } : { mode: 'press' }),
  scroll(el) {
    if (!inViewport(el)) scrollTo(el, 'center');
    if (inViewport(el)) return {};
    const why = hiddenBy(el);
    if (why !== null) throw new Refusal(`${describe(el)}: ${why}`, { missing: 'visible' }, 'always', { code: 'ELEMENT_NOT_INTERACTABLE', next: 'make it visible first, or name another element' });
    throw new Refusal(`${describe(el)} could not be scrolled into view`, {}, 'always', { next: 'a box around it hides it: look at a screenshot' });
  },
};

// aimOf is the element that an operation means where another one was matched: a
// label's control, the checkbox around a text. It throws a Refusal where the
// operation makes no sense.
export function aimOf(el, op) {
  switch (op.name) {
    case 'check':
      return checkable(el, op.on);
    case 'fill':
    case 'type':
      return typable(el, op.name);
    case 'checked':
      return checkTarget(el);
    case 'holds':
      return labelled(el);
    case 'select':
      return selectable(el);
    case 'focus':
      return labelled(el);
    case 'files':
      return fileInput(el);
    case 'kind':
      return isGroup(el) ? el : labelled(el);
    default:
      return el;
  }
}

export function labelled(el) {
  if (isEditableContent(el)) return editingHost(el);
  const near = nearest(el, 'label,' + FOCUSABLE);
  return (near && isTag(near, 'label') && labelControl(near)) || el;
}

function editingHost(el) {
  let host = el;
  for (let n = up(el); n && isEditableContent(n); n = up(n)) host = n;
  return host;
}

export const CHECK_ROLES = '[role=checkbox],[role=radio],[role=switch],[role=menuitemcheckbox],[role=menuitemradio]';

function checkable(el, on) {
  const near = nearest(el, `label,input,button,a[href],${CHECK_ROLES},[aria-checked]`);
  const aim = (near && isTag(near, 'label') ? labelControl(near) : near) ?? el;
  if (checkedState(aim) === null) {
    throw new Refusal(`${describe(el)} is no checkbox, radio button or switch; use click`, {}, 'soon');
  }
  if (!on && checkedState(aim) === true && /radio$/.test(isTag(aim, 'input') ? inputType(aim) : roleOf(aim))) {
    throw new Refusal(`${describe(aim)} is a radio button, which cannot be unchecked; check another one of its group`);
  }
  return aim;
}

const OTHER_STEP = {
  checkbox: 'check or uncheck', radio: 'check', file: 'upload', submit: 'click', button: 'click', reset: 'click', image: 'click',
};

function typable(el, step) {
  const aim = labelled(el);
  const type = isTag(aim, 'input') ? inputType(aim) : '';
  if (takesText(aim) || (step === 'fill' && (['range', 'color'].includes(type) || isSlid(aim)))) return aim;
  if (type === 'hidden') throw new Refusal(`${describe(aim)} is a hidden field, which nobody can ${step}`);
  if (isTag(aim, 'select')) throw new Refusal(`${describe(aim)} is a list of options; use select`);
  if (OTHER_STEP[type]) throw new Refusal(`${describe(aim)} is a ${type} input; use ${OTHER_STEP[type]}`);
  if (isTag(aim, 'button', 'a')) throw new Refusal(`${describe(aim)} takes no text; use click`);
  if (/^(slider|spinbutton|scrollbar)$/.test(roleOf(aim))) throw new Refusal(`${describe(aim)} takes no text and does not tell its number; press arrow keys on it, or drag it`, {}, 'soon');
  throw new Refusal(`${describe(aim)} is not a field that takes text; name the field itself`, {}, 'soon');
}

function selectable(el) {
  const aim = labelled(el);
  if (isTag(aim, 'select')) return aim;
  const what = isTag(aim, 'option') ? 'select its list' : 'use click on it and then on the option';
  throw new Refusal(`${describe(aim)} is not a <select>; ${what}`, {}, 'soon');
}

const isGroup = (el) => isTag(el, 'fieldset') || /^(radio)?group$/.test(attr(el, 'role') ?? '');

// kindOf tells how fill_form sets a control.
function kindOf(el) {
  if (isGroup(el)) return 'group';
  if (checkedState(el) !== null) return 'check';
  if (isTag(el, 'select')) return 'select';
  if (takesText(el) || isInput(el, 'range', 'color') || isSlid(el)) return 'fill';
  throw new Refusal(`${describe(el)} is no field that takes text, a check or an option; use click, or the step that fits it`, {}, 'soon');
}

function takeFocus(el) {
  focusOn(el, { preventScroll: false });
  const active = deepActive();
  if (active !== el && !(active && isInside(active, el))) {
    throw new Refusal(`${describe(el)} does not take the focus`, { focused: active ? describe(active) : '' }, 'soon');
  }
}

const setRange = {
  input: method(HTMLInputElement.prototype, 'setSelectionRange'),
  textarea: method(HTMLTextAreaElement.prototype, 'setSelectionRange'),
};
const selectInput = {
  input: method(HTMLInputElement.prototype, 'select'),
  textarea: method(HTMLTextAreaElement.prototype, 'select'),
};
export const RANGED = ['text', 'search', 'url', 'tel', 'password'];

function caretToEnd(el) {
  const view = viewOf(ownerOf(el));
  if (isTag(el, 'textarea') || isInput(el, ...RANGED)) {
    const end = valueOf(el).length;
    setRange[tagOf(el)](el, end, end);
  } else {
    const selection = view.getSelection();
    if (!isTag(el, 'input')) selection.selectAllChildren(el);
    else selectInput.input(el);
    selection.modify('move', 'forward', 'documentboundary');
  }
}

export const valueOf = (el) => (isTag(el, 'textarea') ? textareaValue(el) : isTag(el, 'select') ? selectValue(el) : inputValue(el));

// FORMATS of the types whose value is set whole, as a person picks it.
export const FORMATS = {
  date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www', color: '#rrggbb',
  range: 'a number',
};

// isSlid: a slider or spin button that is no <input> and holds no text shows its number
// to readers and takes arrow keys.
const SLID_BY = { slider: ['ArrowRight', 'ArrowLeft'], spinbutton: ['ArrowUp', 'ArrowDown'] };
export const isSlid = (el) => !isTag(el, 'input') && !takesText(el) && Object.hasOwn(SLID_BY, roleOf(el)) && slidTo(el) !== undefined;

// slidTo is the number that a slider shows, as a text: it says it, or its one handle is placed by
// it between the bounds that it says. undefined where neither is so.
export function slidTo(el) {
  const said = attr(el, 'aria-valuenow'), [min, max] = ['aria-valuemin', 'aria-valuemax'].map((name) => attr(el, name));
  if (isNumber(said)) return said;
  const handles = queryAll(el, '[tabindex="0"]'), [, percent] = (handles.length === 1 && /(?:^|;)\s*(?:left|bottom):\s*([\d.]+)%/.exec(attr(handles[0], 'style') ?? '')) || [];
  return said === null && percent && isNumber(min) && isNumber(max) ? String(Number((Number(min) + (Number(percent) / 100) * (max - min)).toFixed(6))) : undefined;
}

const isNumber = (s) => s !== null && s.trim() !== '' && Number.isFinite(Number(s));

// handleOf is what takes the keys of a slider.
export const handleOf = (el) => (hasAttr(el, 'tabindex') ? el : queryAll(el, '[tabindex="0"]')[0] ?? el);

function slide(el, value) {
  const bound = (name) => (isNumber(attr(el, name)) ? Number(attr(el, name)) : NaN);
  const min = bound('aria-valuemin'), max = bound('aria-valuemax');
  if (!isNumber(value) || Number(value) < min || Number(value) > max) {
    const range = Number.isFinite(min + max) ? ` from ${min} to ${max}` : '';
    throw new Refusal(`${describe(el)} takes a number${range} and no ${JSON.stringify(cut(value, 60))}`, { expected: 'a number' });
  }
  takeFocus(handleOf(el));
  return { mode: 'slide', now: Number(slidTo(el)), keys: SLID_BY[roleOf(el)] };
}

// isNumberField: an input for a number, of the browser's own or as libraries draw it.
export const isNumberField = (el) => isInput(el, 'number') || (isTag(el, 'input') && nearest(el, '[role=spinbutton]') !== null);

// exceeds reports whether a number is outside of the limits that its field shows.
function exceeds(el, value) {
  const spin = nearest(el, '[role=spinbutton]') ?? el;
  const bounds = (name) => [attr(el, name), attr(spin, `aria-value${name}`)].filter((s) => s !== null && isNumber(s)).map(Number);
  return isNumber(value) && (bounds('min').some((n) => Number(value) < n) || bounds('max').some((n) => Number(value) > n));
}

export const isFocusless = () => [null, bodyOf(document)].includes(deepActive());

// leave takes the focus from el, and waits for what the page makes of that.
export async function leave(el) {
  const asks = asksOf(el);
  blurOf(el);
  await settled(el, asks);
  fresh();
}

// beyond is what the field of a number holds when it has been left, where the number is
// outside of its limits: pages then bring it within. null where that makes no difference, or
// the field goes when it is left.
export async function beyond(el, value) {
  if (!isNumberField(el) || deepActive() !== el || !exceeds(el, value)) return null;
  await leave(el);
  if (!isConnected(el)) return null;
  const left = compared(el, value);
  if (isFocusless()) focusOn(el, { preventScroll: true });
  return left;
}

function fill(el, value, st) {
  if (isSlid(el)) return slide(el, value);
  const type = isTag(el, 'input') ? inputType(el) : '';
  const limit = isTag(el, 'input', 'textarea') ? Number(attr(el, 'maxlength') ?? -1) : -1;
  if (Object.hasOwn(FORMATS, type)) return setWhole(el, type, value);
  if (type === 'number' && value !== '' && !/^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(value)) {
    throw new Refusal(`${describe(el)} takes a number and no ${JSON.stringify(cut(value, 60))}`, { expected: 'a number' });
  }
  if (limit >= 0 && (isTag(el, 'textarea') || [...RANGED, 'email'].includes(type)) && value.length > limit) {
    throw new Refusal(`${describe(el)} takes at most ${limit} characters, the value has ${value.length}`, { maxlength: limit });
  }
  takeFocus(el);
  last.secret = isSecret(el);
  last.editor = editorOf(el);
  if (last.editor) return { mode: 'editor' };
  awaitInput(el, st); // in front of the key, at which the page may change its fields
  if (value !== '' && isTag(el, 'input', 'textarea')) pressUnnamed(el);
  if (isTag(el, 'input', 'textarea')) selectInput[tagOf(el)](el);
  else viewOf(ownerOf(el)).getSelection().selectAllChildren(el);
  return { mode: 'insert', empty: read(el, 'value') === '', settle: !isTag(el, 'input', 'textarea') };
}

// Text that comes at once, as from a software keyboard, comes between the events of a key that
// has no name: a page may read its field when a key is let go, and nothing else.
const UNNAMED_KEY = 229;

function tellKey(el, type) {
  const init = { key: 'Unidentified', keyCode: UNNAMED_KEY, which: UNNAMED_KEY, bubbles: true, cancelable: true, composed: true, view: viewOf(ownerOf(el)) };
  dispatch(el, new KeyboardEvent(type, init));
}

function pressUnnamed(el) {
  tellKey(el, 'keydown');
  last.keyed = true;
  if (deepActive() !== el) takeFocus(el);
}

// releaseUnnamed follows the text to its field, where that still has the focus.
export async function releaseUnnamed(el, mine, coming) {
  mine.keyed = false;
  if (coming) await afterTurns(1);
  if (isConnected(el) && deepActive() === el) tellKey(el, 'keyup');
}

const KEYHOLE = 400; // square pixels; what is smaller shows no text to edit
const isKeyhole = (box) => box.width * box.height <= KEYHOLE;

// editorOf is the box of an editor that draws its text by itself, where el only
// takes its keys; null where el holds its own text.
export function editorOf(el) {
  if (!isTag(el, 'textarea')) return null;
  let tiny = false;
  for (const n of ancestors(el)) {
    const box = rectOf(n);
    tiny ||= isKeyhole(box) && (n === el || styleOf(n).overflow !== 'visible');
    if (n !== el && box.width >= 50 && box.height >= 15) return tiny ? n : null;
  }
  return null;
}

// showsOnly reports whether an editor shows text, or a part with its end, and
// nothing else but the numbers of lines.
export function showsOnly(editor, text) {
  const bared = (s) => s.replace(/[\s\u200b-\u200d\ufeff]/g, '');
  const lines = text.split('\n').map(bared).filter(Boolean);
  let shown = bared(readable(editor));
  if (lines.length && !shown.includes(lines.at(-1))) return false;
  for (const line of lines.sort((a, b) => b.length - a.length)) shown = shown.replace(line, () => '');
  return /^\d*$/.test(shown);
}

function setWhole(el, type, value) {
  const before = inputValue(el);
  takeFocus(el);
  setInputValue(el, type === 'color' ? value.toLowerCase() : value);
  const holds = inputValue(el);
  if (!fitsType(type, holds, value)) {
    setInputValue(el, before);
    const details = { expected: FORMATS[type] };
    for (const a of ['min', 'max', 'step']) if (hasAttr(el, a)) details[a] = attr(el, a);
    const bounds = type === 'range' ? ` from ${attr(el, 'min') || 0} to ${attr(el, 'max') || 100} in steps of ${attr(el, 'step') || 1}` : '';
    throw new Refusal(`${describe(el)} takes ${FORMATS[type]}${bounds} and no ${JSON.stringify(cut(value, 60))}`, details);
  }
  changed(el);
  return { mode: 'done', value: holds };
}

// An input that cannot take a value holds none, or the nearest that it can.
function fitsType(type, holds, value) {
  if (type === 'range') return value !== '' && Number(holds) === Number(value);
  if (type === 'color') return holds === value.toLowerCase();
  return (holds === '') === (value === '');
}

export function changed(el) {
  dispatch(el, new Event('input', { bubbles: true, composed: true }));
  dispatch(el, new Event('change', { bubbles: true }));
}

// choose selects exactly the wanted options.
function choose(el, values, by) {
  const options = [...selectOptions(el)];
  if (values.length > 1 && !isMultiple(el)) throw new Refusal(`${describe(el)} takes one option, not ${values.length}`);
  const chosen = values.map((v) => option(el, options, String(v), by));
  if (!options.some((o) => isSelected(o) !== chosen.includes(o))) return { values: chosenValues(el), already: true };
  focusOn(el);
  if (!isConnected(el)) throw new Refusal(`${describe(el)} was rendered anew when it got the focus`, {}, 'always', { next: 'run the step again' });
  for (const o of options) if (isSelected(o) !== chosen.includes(o)) setSelected(o, chosen.includes(o));
  const selected = chosenValues(el); // a handler may take it back
  changed(el);
  return { values: selected };
}

export const chosenValues = (el) => [...selectOptions(el)].filter(isSelected).map(optionValue);

// option is the one that value names: by names which of its properties that is, '' any.
function option(el, options, value, by) {
  const want = fold(value);
  const byValue = (o) => optionValue(o) === value, byLabel = (o) => fold(optionLabel(o)) === want, byText = (o) => fold(optionText(o)) === want;
  const ways = by === 'value' ? [byValue] : by === 'label' ? [byLabel, byText] : [byValue, byLabel, byText];
  let found = options.filter((o) => ways.some((way) => way(o)));
  if (found.length > 1 && found.some((o) => attr(o, 'hidden') === null)) found = found.filter((o) => attr(o, 'hidden') === null);
  if (!found.length) throw noOption(options, value, by);
  found = found.some((o) => !matches(o, ':disabled')) ? found.filter((o) => !matches(o, ':disabled')) : found;
  const [first] = found;
  if (matches(first, ':disabled')) throw new Refusal(`option ${JSON.stringify(fold(optionLabel(first)))} is disabled`, {}, 'always', { final: true });
  if (found.every((o) => optionValue(o) === optionValue(first) && fold(optionLabel(o)) === fold(optionLabel(first)))) return first;
  const list = found.slice(0, MAX_LINES).map((o) => ({ label: cut(fold(optionLabel(o)), 80), value: cut(optionValue(o), 80) }));
  const lines = list.map((o) => `${JSON.stringify(o.label)} (value ${JSON.stringify(o.value)})`).join(', ');
  throw new Refusal(`${found.length} options of ${describe(el)} match ${JSON.stringify(cut(value, 80))}: ${lines}`, { options: list, count: found.length }, 'soon',
    { code: 'ELEMENT_AMBIGUOUS', next: 'name it by its value, and say so with by: value' });
}

function noOption(options, value, by) {
  const list = options.slice(0, 50).map((o) => cut(by === 'value' ? optionValue(o) : fold(optionLabel(o)), 80));
  const all = list.length ? list.join(', ') + (options.length > list.length ? `, … (${options.length} in all)` : '') : 'none';
  return new Refusal(`no option matched ${JSON.stringify(cut(value, 80))}; available: ${all}`, { options: list, count: options.length }, 'always',
    { final: true, next: `name one of them by its ${by || 'value, label or text'}` });
}

// An element is hovered when it, or what counts as it, sees the mouse. What shows up
// under the mouse then may take the hover from it again.
const HOVER_EVENTS = ['pointerover', 'mouseover', 'pointermove', 'mousemove'];
export const unlisten = method(EventTarget.prototype, 'removeEventListener');
let hovering = null;

function awaitHover(el) {
  hovering?.end();
  const view = viewOf(ownerOf(el)), goals = goalsOf(el);
  const on = (event) => {
    if (event.isTrusted && pathOf(event).some((n) => goals.has(n))) hovering.reached = true;
  };
  for (const type of HOVER_EVENTS) listen(view, type, on, { capture: true, passive: true });
  hovering = { el, reached: false, end: () => HOVER_EVENTS.forEach((type) => unlisten(view, type, on, true)) };
}

export function hovered() {
  const h = hovering;
  if (!h) return { reached: false };
  h.end();
  hovering = null;
  return { reached: h.reached || matches(h.el, ':hover') };
}

function inViewport(el) {
  const box = rectOf(el), off = frameOffset(el);
  const left = box.left + off.x, top = box.top + off.y;
  return left < innerWidth && left + box.width > 0 && top < innerHeight && top + box.height > 0 && clipped(el, box) === false;
}

// clipped reports whether a scrolled box around el shows no part of it.
function clipped(el, box) {
  for (let n = up(el); n; n = up(n)) {
    if (n === rootElementOf(ownerOf(n)) || n === bodyOf(ownerOf(n)) || styleOf(n).overflow === 'visible') continue;
    const r = rectOf(n);
    if (box.left >= r.right || box.right <= r.left || box.top >= r.bottom || box.bottom <= r.top) return true;
  }
  return false;
}
