// Refs: which number stands for which element, and whether that still is what a
// reader was shown.
//
// The numbers are of this document; the Go side knows which ref stands for which
// of them. An element keeps its number for as long as it lives. Nothing here
// keeps it alive.

const LONGEST_NAME = 1000; // characters of a name that are shown and compared
const numbers = new WeakMap(); // element -> number
const elements = new Map(); // number -> {el, doc, tag, alive}, the first two weak
const firstSeen = new WeakMap(); // element -> the walk that met it, or the top of a hidden tree, first
let lastNumber = 0, walks = 0, sweepAt = 1000;
const partial = new Set(); // walks that did not see all of the page

// numberOf is the number of el, a new one when it has none. walk is that of the
// walk that shows it, 0 for none.
function numberOf(el, walk = 0) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = ++lastNumber;
    numbers.set(el, n);
    elements.set(n, { el: new WeakRef(el), doc: weakly(ownerOf(el)), tag: tagOf(el), alive: walk });
    if (elements.size > sweepAt) sweep();
  } else if (walk) {
    elements.get(n).alive = walk;
  }
  return n;
}

const documents = new WeakMap(); // document -> its WeakRef

function weakly(doc) {
  let ref = documents.get(doc);
  if (!ref) documents.set(doc, (ref = new WeakRef(doc)));
  return ref;
}

// sweep forgets numbers of elements that are gone with their documents. Others
// stay: a ref of an element that was rendered anew is still to be told.
function sweep() {
  for (const [n, e] of elements) {
    if (!e.el.deref() && (!e.doc.deref() || n < lastNumber - 50000)) elements.delete(n);
  }
  sweepAt = 2 * elements.size + 1000;
}

// shownRole is the role that a reader is told: the browser's where it can be
// asked, "clickable" for what takes clicks and has no role.
function shownRole(el) {
  return roleShown(el, roleOf(el));
}

// roleShown is shownRole where our own reckoning is known. The browser has roles
// for its own use, which are no ARIA roles, and none for some inputs.
function roleShown(el, own) {
  let role = own;
  if (asksBrowser(el) && (own !== 'generic' || hasAttr(el, 'role') || tagOf(el).includes('-'))) {
    role = plainRole(browserRole(el) ?? '');
    if (!Object.hasOwn(NATIVE, role) || (role === 'generic' && INTERACTIVE.has(own))) role = own;
  }
  if (role !== '' && role !== 'generic' && role !== 'none') return role;
  if (isTag(el, 'input') && !isInput(el, 'hidden')) return isInput(el, 'file', 'image') ? 'button' : 'textbox';
  return isEditableHost(el) ? 'textbox' : role;
}

const isEditableHost = (el) => {
  const edits = attr(el, 'contenteditable');
  return edits !== null && edits !== 'false' && isEditableContent(el);
};

// shownName is the name that a reader is told.
function shownName(el, role) {
  if (role === 'clickable') return cut(textOf(el), LONGEST_NAME);
  if (role === 'iframe') return cut(nameOf(el), LONGEST_NAME);
  if (UNNAMED.has(role)) return '';
  return cut(asksBrowser(el) ? fold(browserName(el) ?? '') : nameOf(el), LONGEST_NAME);
}

// numbered is the element with that number, null when it is gone.
const numbered = (n) => elements.get(n)?.el.deref() ?? null;

// shownAs is what the Go side keeps of an element to which it gives a ref.
function shownAs(el) {
  const role = shownRole(el);
  return { number: numberOf(el), role, name: shownName(el, role) };
}

// byRef finds the element of a ref. part.index is its number here; part.role and
// the attribute "name" are what it was when the ref was given out. That it was found
// anew is told as a winner whose alias is the ref.
function byRef(part, within, won) {
  const was = { role: part.role, name: String(part.attrs?.[0]?.value ?? '') };
  const entry = elements.get(part.index);
  let el = entry?.el.deref() ?? null;
  if (el && isInPage(el)) {
    const is = identity(el, was.role);
    if (is.role !== was.role || is.name !== was.name) throw new Fail('stale', { message: part.value, detail: 'changed', el: is });
  } else {
    el = entry ? renderedAnew(entry, was) : null;
    if (!el) throw new Fail('stale', { message: part.value, detail: 'gone' });
    if (!numbers.has(el)) numbers.set(el, part.index);
    Object.assign(entry, { el: new WeakRef(el), alive: walks });
    won.push({ alias: '@' + part.value, index: 0, source: '@' + part.value });
  }
  return within.some((n) => typeOf(n) === DOCUMENT || (n !== el && isInside(el, n))) ? [el] : [];
}

// An element that only takes clicks is told by its words alone: a cursor comes
// and goes.
function identity(el, wanted) {
  let role = shownRole(el);
  if (wanted === 'clickable' && !INTERACTIVE.has(role)) role = wanted;
  return { role, name: shownName(el, role) };
}

// A document of a frame that shows another one is not in the page.
function isInPage(el) {
  if (!isConnected(el)) return false;
  for (let doc = ownerOf(el); doc !== document; ) {
    const frame = viewOf(doc)?.frameElement;
    if (!frame || !isConnected(frame)) return false;
    doc = ownerOf(frame);
  }
  return true;
}

// renderedAnew finds the one element that stands where another stood before it was
// rendered again: the only one of its role and name in the frame, of the same tag,
// and not there yet when the other was last seen. null when that is not certain.
function renderedAnew(entry, was) {
  const doc = entry.doc.deref();
  if (!doc || !viewOf(doc) || !was.name || was.role === 'clickable' || !entry.alive || partial.has(entry.alive)) return null;
  const all = byCSS([doc], '*').filter((el) => tagOf(el) === entry.tag || roleOf(el) === was.role);
  const equals = all.filter((el) => isExposed(el) && shownRole(el) === was.role && shownName(el, was.role) === was.name);
  if (equals.length !== 1 || tagOf(equals[0]) !== entry.tag) return null;
  for (const n of ancestors(equals[0])) {
    if ((n === equals[0] || hiddenTops.has(n)) && (firstSeen.get(n) ?? Infinity) <= entry.alive) return null;
  }
  return equals[0];
}

// hiddenTops are elements with which a walk left out everything below.
const hiddenTops = new WeakSet();
