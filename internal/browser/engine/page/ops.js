// Operations: what is done as soon as an element is ready. Each returns the fields that it adds to
// the result, or throws a Refusal.

import { isGroup } from './aim.js';
import { awaitInput } from './arrival.js';
import { calendarParts } from './calendar.js';
import { carried } from './carried.js';
import { compared } from './compare.js';
import { FORMATS, RANGED, SLID_BY, chosenValues, editorOf, handleOf, isNumber, isSlid, slidTo, valueOf } from './controls.js';
import { noteSaid } from './declared.js';
import { describe } from './describe.js';
import {
  attr, bodyOf, changed, dispatch, focusOn, hasAttr, inputType, inputValue, isConnected, isInput, isMultiple, isSelected, isTag, listen,
  matches, method, optionLabel, optionText, optionValue, ownerOf, pathOf, rectOf, rootElementOf, selectOptions, setInputValue, setSelected,
  styleOf, tagOf, unlisten, viewOf,
} from './dom.js';
import { grab } from './drag.js';
import { takeFiles } from './files.js';
import { isInside, up } from './flat.js';
import { takeFocus } from './focus.js';
import { deepActive, frameOffset } from './frames.js';
import { arm } from './guard.js';
import { watchDrags } from './host.js';
import { keep } from './kept.js';
import { last } from './last.js';
import { MAX_LINES } from './limits.js';
import { Refusal } from './look.js';
import { roleOf } from './names.js';
import { previewOf } from './preview.js';
import { limited, read } from './read.js';
import { goalsOf, hiddenBy, isAtWork, scrollTo, takesText } from './ready.js';
import { pinned } from './refs.js';
import { mustScroll, scrollIt, wayOf } from './scroll.js';
import { checkedState } from './states.js';
import { noteTable, readOther } from './table.js';
import { cut, fold, isSecret } from './text.js';
import { afterTurns } from './turns.js';
import { awaitKeys } from './typing.js';
import { stillUndrawn } from './undrawn.js';

export const HELD = new Set(['fill', 'select', 'type']); // the value of the field is read back after these

export const OPS = {
  none: () => ({}),
  point: (el, op, st) => ({ point: st.spot.point }),
  press: arm,
  check(el, op, st) {
    if (checkedState(el) === op.on) {
      keep(el, 'check');
      return { already: true, undrawn: stillUndrawn(el, op.on) };
    }
    noteSaid(el);
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
    if (op.what === 'preview') return { value: previewOf(el) };
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
    throw new Refusal(`${describe(el)} could not be scrolled into view`, {}, 'always', { next: 'an element around it clips it: take a screenshot to see which' });
  },
};

// kindOf returns how fill_form sets a control: "group", "check", "select" or "fill".
function kindOf(el) {
  if (isGroup(el)) return 'group';
  if (checkedState(el) !== null) return 'check';
  if (isTag(el, 'select')) return 'select';
  if (takesText(el) || isInput(el, 'range', 'color') || isSlid(el)) return 'fill';
  throw new Refusal(`${describe(el)} is not a text field, a checkbox or a list of options; use click, or the step for this kind of control`, {}, 'soon');
}

const setRange = {
  input: method(HTMLInputElement.prototype, 'setSelectionRange'),
  textarea: method(HTMLTextAreaElement.prototype, 'setSelectionRange'),
};
const selectInput = {
  input: method(HTMLInputElement.prototype, 'select'),
  textarea: method(HTMLTextAreaElement.prototype, 'select'),
};

// caretToEnd moves the caret to the end of a field.
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

// slide prepares a slider for the arrow keys that set it to value.
function slide(el, value) {
  const bound = (name) => (isNumber(attr(el, name)) ? Number(attr(el, name)) : NaN);
  const min = bound('aria-valuemin'), max = bound('aria-valuemax');
  if (!isNumber(value) || Number(value) < min || Number(value) > max) {
    const range = Number.isFinite(min + max) ? ` from ${min} to ${max}` : '';
    throw new Refusal(`${describe(el)} takes a number${range}, not ${JSON.stringify(cut(value, 60))}`, { expected: 'a number' });
  }
  takeFocus(handleOf(el));
  return { mode: 'slide', now: Number(slidTo(el)), keys: SLID_BY[roleOf(el)] };
}

// fill prepares a field for the text that replaces its value, or sets the value at once if its type
// is in FORMATS.
function fill(el, value, st) {
  if (isSlid(el)) return slide(el, value);
  const type = isTag(el, 'input') ? inputType(el) : '';
  const limit = isTag(el, 'input', 'textarea') ? Number(attr(el, 'maxlength') ?? -1) : -1;
  if (Object.hasOwn(FORMATS, type)) return setWhole(el, type, value);
  if (type === 'number' && value !== '' && !/^-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(value)) {
    throw new Refusal(`${describe(el)} takes a number, not ${JSON.stringify(cut(value, 60))}`, { expected: 'a number' });
  }
  if (limit >= 0 && (isTag(el, 'textarea') || [...RANGED, 'email'].includes(type)) && value.length > limit) {
    throw new Refusal(`${describe(el)} takes at most ${limit} characters, the value has ${value.length}`, { maxlength: limit });
  }
  takeFocus(el);
  last.secret = isSecret(el);
  last.editor = editorOf(el);
  if (last.editor) return { mode: 'editor' };
  awaitInput(el, st); // before the key events: the page may change its fields at those
  if (value !== '' && isTag(el, 'input', 'textarea')) pressUnnamed(el);
  if (isTag(el, 'input', 'textarea')) selectInput[tagOf(el)](el);
  else viewOf(ownerOf(el)).getSelection().selectAllChildren(el);
  return { mode: 'insert', empty: read(el, 'value') === '', settle: !isTag(el, 'input', 'textarea') };
}

// Text that is inserted at once, as a software keyboard does, comes between a keydown and a keyup
// of a key without a name: some pages read a field only on keyup.
const UNNAMED_KEY = 229;

function dispatchKey(el, type) {
  const init = { key: 'Unidentified', keyCode: UNNAMED_KEY, which: UNNAMED_KEY, bubbles: true, cancelable: true, composed: true, view: viewOf(ownerOf(el)) };
  dispatch(el, new KeyboardEvent(type, init));
}

// pressUnnamed sends the keydown before the text.
function pressUnnamed(el) {
  dispatchKey(el, 'keydown');
  last.keyed = true;
  if (deepActive() !== el) takeFocus(el);
}

// releaseUnnamed sends the keyup after the text, if the field still has the focus.
export async function releaseUnnamed(el, mine, coming) {
  mine.keyed = false;
  if (coming) await afterTurns(1);
  if (isConnected(el) && deepActive() === el) dispatchKey(el, 'keyup');
}

// setWhole sets the value of an input at once, and throws a Refusal if the input does not accept
// it.
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
    throw new Refusal(`${describe(el)} takes ${FORMATS[type]}${bounds}, not ${JSON.stringify(cut(value, 60))}`, details);
  }
  changed(el);
  return { mode: 'done', value: holds };
}

// fitsType reports whether an input has accepted a value. An input that cannot take a value is
// empty afterwards, or has the nearest value that it can take.
function fitsType(type, holds, value) {
  if (type === 'range') return value !== '' && Number(holds) === Number(value);
  if (type === 'color') return holds === value.toLowerCase();
  return (holds === '') === (value === '');
}

// choose selects the wanted options and deselects all others. It returns the values that are
// selected afterwards.
function choose(el, values, by) {
  const options = [...selectOptions(el)];
  if (values.length > 1 && !isMultiple(el)) throw new Refusal(`${describe(el)} takes one option, not ${values.length}`);
  const chosen = values.map((v) => option(el, options, String(v), by));
  if (!options.some((o) => isSelected(o) !== chosen.includes(o))) return { values: chosenValues(el), already: true };
  focusOn(el);
  if (!isConnected(el)) throw new Refusal(`${describe(el)} was replaced by the page when it got the focus`, {}, 'always', { next: 'run the step again' });
  for (const o of options) if (isSelected(o) !== chosen.includes(o)) setSelected(o, chosen.includes(o));
  const selected = chosenValues(el); // before the events: a handler may change the selection
  changed(el);
  return { values: selected };
}

// option returns the option that value names. by says which property to compare: "value", "label",
// or '' for value, label and text. It throws a Refusal if no option matches, or if several do.
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
    { code: 'ELEMENT_AMBIGUOUS', next: 'name the option by its value, and set `by: value`' });
}

function noOption(options, value, by) {
  const list = options.slice(0, 50).map((o) => cut(by === 'value' ? optionValue(o) : fold(optionLabel(o)), 80));
  const all = list.length ? list.join(', ') + (options.length > list.length ? `, … (${options.length} in all)` : '') : 'none';
  return new Refusal(`no option matched ${JSON.stringify(cut(value, 80))}; available: ${all}`, { options: list, count: options.length }, 'always',
    { final: true, next: `name one of them by its ${by || 'value, label or text'}` });
}

// An element counts as hovered when it, or what stands for it, has received a mouse event. Content
// that then appears under the mouse may take the hover away again.
const HOVER_EVENTS = ['pointerover', 'mouseover', 'pointermove', 'mousemove'];
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

// hovered ends the wait for the events of a hover, and returns whether the mouse has reached the
// element.
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

// clipped reports whether a box around el that clips its content hides all of el's bounding box.
function clipped(el, box) {
  for (let n = up(el); n; n = up(n)) {
    if (n === rootElementOf(ownerOf(n)) || n === bodyOf(ownerOf(n)) || styleOf(n).overflow === 'visible') continue;
    const r = rectOf(n);
    if (box.left >= r.right || box.right <= r.left || box.top >= r.bottom || box.bottom <= r.top) return true;
  }
  return false;
}
