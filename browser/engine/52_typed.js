// Typing: what arrives is counted, and what the field holds afterwards is compared with
// what it held before, with the text put in at the caret.

// What is typed is counted as it arrives: a field that is full or refuses a
// character makes no input event.
const KEY_EVENTS = ['beforeinput', 'input'];
let typing = null;

const selectionStart = { input: getter(HTMLInputElement.prototype, 'selectionStart'), textarea: getter(HTMLTextAreaElement.prototype, 'selectionStart') };
const selectionEnd = { input: getter(HTMLInputElement.prototype, 'selectionEnd'), textarea: getter(HTMLTextAreaElement.prototype, 'selectionEnd') };
const validityOf = getter(HTMLInputElement.prototype, 'validity'), isBadInput = getter(ValidityState.prototype, 'badInput');

function awaitKeys(el) {
  typing?.end();
  const view = viewOf(ownerOf(el));
  const on = (event) => {
    if (event.isTrusted && !/^insert(LineBreak|Paragraph)$/.test(event.inputType)) typing[event.type].push(event);
  };
  for (const type of KEY_EVENTS) listen(view, type, on, { capture: true, passive: true });
  const tag = tagOf(el), before = read(el, 'value');
  typing = {
    el, before, beforeinput: [], input: [], secret: isInput(el, 'password'),
    // null where the field does not say where its caret is
    from: selectionStart[tag]?.(el) ?? null, to: selectionEnd[tag]?.(el) ?? null,
    end: () => KEY_EVENTS.forEach((type) => unlisten(view, type, on, true)),
  };
}

// typed reports how many of the characters of text the element has taken: all of
// them, where the focus has moved on or the text stands in it by other means. kept is
// whether it holds them then, and nothing else that was not there.
async function typed({ text, commands = false }) {
  const t = typing;
  if (!t) return { taken: 0, wanted: 0, text: '', kept: true };
  await settled(t.el, last.asks);
  t.end();
  typing = null;
  fresh();
  const wanted = [...text].filter((c) => c >= ' ').length;
  const holds = read(t.el, 'value'), active = deepActive();
  const moved = !isConnected(t.el) || !active || !isInside(active, t.el);
  const counts = isTag(t.el, 'textarea') || isInput(t.el, ...RANGED, 'email', 'number') || !isTag(t.el, 'input');
  let taken = t.input.length;
  if (!isTag(t.el, 'input', 'textarea')) taken += t.beforeinput.filter(wasPrevented).length; // editors that render by themselves
  const stands = bare(text) !== '' && bare(holds).includes(bare(text));
  if (moved || stands || (!counts && holds !== t.before)) taken = wanted;
  const secret = t.secret || isInput(t.el, 'password');
  const stays = moved || commands || !counts || holdsTyped(t, text, holds);
  excuseChanged(t.el);
  if (hasCommands(text)) excuse(); // as the keys Enter and Tab do
  if (stays && !moved && counts && !hasCommands(text)) keep(t.el, 'fill', holds);
  else forgetKept(t.el);
  return { taken: Math.min(taken, wanted), wanted, text: secret ? '' : holds, secret, kept: stays };
}

// holdsTyped compares what a field holds with what typing text makes of what it held.
function holdsTyped(t, text, holds) {
  const el = t.el;
  if (isTag(el, 'textarea') && editorOf(el)) return true; // it only passes the keys on
  if (isInput(el, 'number') && isBadInput(validityOf(el))) return true; // a number that is half there
  const printed = (c) => c >= ' ' || (isTag(el, 'textarea') && c === '\n');
  // A field may hold a control character, or leave it out.
  const wholes = [printed, (c) => printed(c) || !hasCommands(c)].map((stays) => [...text].filter(stays).join(''));
  const is = (want) => sameValue(el, holds, want) || alike(el, holds, want) || (holds === '' && want === '');
  const holdsAt = (from, to) => wholes.some((whole) => is(t.before.slice(0, from) + whole + t.before.slice(to)));
  if (!isTag(el, 'input', 'textarea')) {
    if (!bare(holds).includes(bare(text)) && !hasCommands(text)) return shownBeside(el, text);
    return bare(holds).length <= bare(t.before).length + bare(text).length;
  }
  const end = t.before.length;
  const places = t.from !== null ? [[t.from, t.to]] : [[end, end], [0, 0]];
  places.push([0, end]); // a page may select what was there, or show a mask in its place
  return places.some(([from, to]) => holdsAt(from, to)) || hasCommands(text) || (holds === '' && shownBeside(el, text));
}

// hasCommands: Enter and Tab in a text do whatever the page makes of them.
const hasCommands = (text) => /[\r\n\t]/.test(text);

const TAG_DEPTH = 4; // boxes around a field in which what it has taken may be shown

// shownBeside reports whether a field has made something of the text, such as a tag in
// front of it.
function shownBeside(el, text) {
  const want = bare(text);
  let n = up(el);
  for (let i = 0; want !== '' && n && n !== bodyOf(ownerOf(el)) && i < TAG_DEPTH; i++, n = up(n)) {
    if (bare(readable(n)).includes(want)) return true;
  }
  return false;
}
