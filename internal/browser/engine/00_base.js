// Base: reaching the DOM safely.
//
// A form's fields and a document's named elements shadow DOM properties in every
// world (<form><input name="id"></form> makes form.id an element). Everything is
// therefore read through the prototypes' own getters and methods, captured here.
// They also work on nodes of same-origin frames, where instanceof does not.

const getter = (proto, name) => {
  const get = Object.getOwnPropertyDescriptor(proto, name).get;
  return (node) => get.call(node);
};
const setter = (proto, name) => {
  const set = Object.getOwnPropertyDescriptor(proto, name).set;
  return (node, value) => set.call(node, value);
};
const method = (proto, name) => {
  const fn = proto[name];
  return (node, ...args) => fn.apply(node, args);
};

const ELEMENT = 1, TEXT = 3, DOCUMENT = 9, FRAGMENT = 11;

// The element that a walk is at, and what is asked of it again and again. The page does
// not run meanwhile.
const here = { el: null, css: null, names: null };
function beAt(el) {
  here.css = el && getComputedStyle(el);
  here.names = el && getAttributeNames.call(el);
  here.el = el;
}

// What a walk asks of each node is written out: functions that getter makes share
// their code, and with it the compiler's guess of what they call.
const native = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;
const nodeType = native(Node.prototype, 'nodeType'), typeOf = (node) => nodeType.call(node);
const parentNode = native(Node.prototype, 'parentNode'), parentOf = (node) => parentNode.call(node);
const firstChild = native(Node.prototype, 'firstChild'), firstOf = (node) => firstChild.call(node);
const nextSibling = native(Node.prototype, 'nextSibling'), nextOf = (node) => nextSibling.call(node);
const characters = native(CharacterData.prototype, 'data'), dataOf = (node) => characters.call(node);
const localName = native(Element.prototype, 'localName');
const shadowRoot = native(Element.prototype, 'shadowRoot'), shadowOf = (el) => shadowRoot.call(el) ?? closedRoots?.get(el) ?? null;
let closedRoots = null; // host -> closed root that the Go side has handed in; null while there are none
const elementVisibility = Element.prototype.checkVisibility, checkVisibility = (el, o) => !isBeyond(el) && elementVisibility.call(el, o);
const getAttribute = Element.prototype.getAttribute, attr = (el, name) => getAttribute.call(el, name);
const hasAttribute = Element.prototype.hasAttribute, hasAttr = (el, name) => hasAttribute.call(el, name);
const getAttributeNames = Element.prototype.getAttributeNames, attributeNames = (el) => (el === here.el ? here.names : getAttributeNames.call(el));
const namespaceURI = native(Element.prototype, 'namespaceURI'), namespaceOf = (el) => namespaceURI.call(el);
const ownerDocument = native(Node.prototype, 'ownerDocument'), ownerOf = (node) => ownerDocument.call(node);
const connected = native(Node.prototype, 'isConnected'), isConnected = (node) => connected.call(node);
const assignedSlot = native(Element.prototype, 'assignedSlot'), slotOf = (el) => assignedSlot.call(el);
const textSlot = native(Text.prototype, 'assignedSlot'), textSlotOf = (text) => textSlot.call(text);
const typeOfInput = native(HTMLInputElement.prototype, 'type'), inputType = (el) => typeOfInput.call(el);
const innerText = native(HTMLElement.prototype, 'innerText'), innerTextOf = (el) => innerText.call(el);
const getRootNode = Node.prototype.getRootNode, rootOf = (node) => getRootNode.call(node);
const nodeContains = Node.prototype.contains, contains = (node, other) => nodeContains.call(node, other);
const comparePosition = Node.prototype.compareDocumentPosition, positionOf = (node, other) => comparePosition.call(node, other);
const elementMatches = Element.prototype.matches, matches = (el, css) => elementMatches.call(el, css);
const elementClosest = Element.prototype.closest, closest = (el, css) => elementClosest.call(el, css);
const boundingRect = Element.prototype.getBoundingClientRect, rectOf = (el) => boundingRect.call(el);

const textContentOf = getter(Node.prototype, 'textContent');

const idOf = getter(Element.prototype, 'id');
const htmlOf = getter(Element.prototype, 'innerHTML');
const rectsOf = method(Element.prototype, 'getClientRects');
const animationsOf = method(Element.prototype, 'getAnimations');
const scrollIntoView = method(Element.prototype, 'scrollIntoView');
const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');
const focusHTML = method(HTMLElement.prototype, 'focus'), blurOf = method(HTMLElement.prototype, 'blur');
const focusSVG = method(SVGElement.prototype, 'focus');
const editableContent = getter(HTMLElement.prototype, 'isContentEditable');
const assignedTo = method(HTMLSlotElement.prototype, 'assignedNodes');
const hostOf = getter(ShadowRoot.prototype, 'host');
const documentOf = {
  iframe: getter(HTMLIFrameElement.prototype, 'contentDocument'),
  frame: getter(HTMLFrameElement.prototype, 'contentDocument'),
};
const dispatch = method(EventTarget.prototype, 'dispatchEvent');
const listen = method(EventTarget.prototype, 'addEventListener');
const pathOf = method(Event.prototype, 'composedPath');

const rootElementOf = getter(Document.prototype, 'documentElement');
const bodyOf = getter(Document.prototype, 'body');
const viewOf = getter(Document.prototype, 'defaultView');
const activeIn = {
  [DOCUMENT]: getter(Document.prototype, 'activeElement'),
  [FRAGMENT]: getter(ShadowRoot.prototype, 'activeElement'),
};
const fromPoint = {
  [DOCUMENT]: method(Document.prototype, 'elementFromPoint'),
  // Over slotted text a root's own elementFromPoint answers the host.
  [FRAGMENT]: (root, x, y) => allFromPoint(root, x, y)[0] ?? null,
};
const allFromPoint = method(ShadowRoot.prototype, 'elementsFromPoint');
const byId = {
  [DOCUMENT]: method(Document.prototype, 'getElementById'),
  [FRAGMENT]: method(DocumentFragment.prototype, 'getElementById'),
};
const selectAll = {
  [ELEMENT]: method(Element.prototype, 'querySelectorAll'),
  [DOCUMENT]: method(Document.prototype, 'querySelectorAll'),
  [FRAGMENT]: method(DocumentFragment.prototype, 'querySelectorAll'),
};
// An array, for the iterator of a NodeList takes five times as long.
function queryAll(root, css) {
  const list = selectAll[typeOf(root)](root, css), all = [];
  for (let i = 0, n = list.length; i < n; i++) all.push(list[i]);
  return all;
}

const inputValue = getter(HTMLInputElement.prototype, 'value');
const setInputValue = setter(HTMLInputElement.prototype, 'value');
const textareaValue = getter(HTMLTextAreaElement.prototype, 'value');
const selectValue = getter(HTMLSelectElement.prototype, 'value');
const selectOptions = getter(HTMLSelectElement.prototype, 'options');
const isMultiple = getter(HTMLSelectElement.prototype, 'multiple');
const optionValue = getter(HTMLOptionElement.prototype, 'value');
const optionText = getter(HTMLOptionElement.prototype, 'text');
const optionLabel = getter(HTMLOptionElement.prototype, 'label');
const isSelected = getter(HTMLOptionElement.prototype, 'selected');
const setSelected = setter(HTMLOptionElement.prototype, 'selected');
const isChecked = getter(HTMLInputElement.prototype, 'checked');
const isIndeterminate = getter(HTMLInputElement.prototype, 'indeterminate');
const labelControl = getter(HTMLLabelElement.prototype, 'control');

// tagOf is the local name of el. An <input> inside <svg> is no input: names of
// elements whose own properties are read count in HTML only.
const HTML = 'http://www.w3.org/1999/xhtml';
const OWN_PROPERTIES = new Set(['input', 'textarea', 'select', 'option', 'button', 'label', 'iframe', 'frame', 'slot']);
function tagOf(el) {
  const tag = localName.call(el);
  return OWN_PROPERTIES.has(tag) && namespaceOf(el) !== HTML ? `foreign:${tag}` : tag;
}

// handIn makes the closed root of a host known: from now on it is read like an open one.
function handIn(root) {
  closedRoots ??= new WeakMap();
  closedRoots.set(hostOf(root), root);
}

const isSVG = (el) => namespaceOf(el) === 'http://www.w3.org/2000/svg';

function focusOn(el, options) {
  if (namespaceOf(el) === HTML) focusHTML(el, options);
  else if (isSVG(el)) focusSVG(el, options);
}

const now = () => performance.now();
const isElement = (node) => node !== null && typeOf(node) === ELEMENT;
const isTag = (el, ...tags) => tags.includes(tagOf(el));
const isInput = (el, ...types) => tagOf(el) === 'input' && types.includes(inputType(el));
const styleOf = (el, pseudo) => (el === here.el && !pseudo ? here.css : getComputedStyle(el, pseudo));

// A Fail ends a look: nothing that comes later can make it good.
// late: unless the page changes; it is final when it has held for a while.
class Fail {
  constructor(reason, fields, late = false) {
    this.result = { ok: false, reason, ...fields };
    this.late = late;
  }
}

// flatDocs are the documents that this look has found to have no shadow trees: there the
// flat tree is the tree, and the browser climbs it many times as fast. They are
// forgotten before the page runs again.
const flatDocs = new Set();

// What one look has found out; emptied by fresh, with the request that it is for.
let cache, mayAsk; // mayAsk: the Go side can ask the browser for this look (15_told.js)
let treeKept = false; // whether the browser keeps the tree of the document, so that it can be asked in here
const fresh = (req) => {
  cache = { roots: new Map(), text: new Map(), words: new Map(), names: new Map(), asked: new Map(), unsure: new Set(), roles: new Map(), plain: new Map(), docs: new Map(), rows: new Map(), sides: new Map(), sought: 0, levels: new Map(), parts: new Map(), quickParts: new Map() };
  flatDocs.clear();
  mayAsk = Boolean(req?.asks);
  treeKept ||= Boolean(req?.kept);
};
fresh();

// up is the parent in the flat tree: through slots and out of shadow roots. It
// stays within the document.
function up(node) {
  const slot = typeOf(node) === ELEMENT ? slotOf(node) : typeOf(node) === TEXT ? textSlotOf(node) : null;
  if (slot) return slot;
  const parent = parentOf(node);
  if (parent === null) return null;
  if (typeOf(parent) === ELEMENT) return parent;
  return typeOf(parent) === FRAGMENT ? hostOr(parent, null) : null;
}

// A DocumentFragment that is no shadow root has no host.
function hostOr(fragment, otherwise) {
  try {
    return hostOf(fragment);
  } catch {
    return otherwise;
  }
}

function* ancestors(el) {
  for (let n = el; n; n = up(n)) yield n;
}

function isFlat(doc) {
  return flatDocs.has(doc) || rootsIn(doc).length === 1;
}

function noteFlat(doc) {
  if (flatDocs.size === 0) queueMicrotask(() => flatDocs.clear());
  flatDocs.add(doc);
}

// nearest is closest() in the flat tree, el itself included.
function nearest(el, css) {
  if (el && flatDocs.has(ownerOf(el))) return closest(el, css);
  for (const n of ancestors(el)) if (matches(n, css)) return n;
  return null;
}

function isInside(node, el) {
  if (node && el && flatDocs.has(ownerOf(node))) return contains(el, node);
  for (const n of ancestors(node)) if (n === el) return true;
  return false;
}

// flatKids are the children that are rendered below el.
function* flatKids(el) {
  const shadow = shadowOf(el);
  if (!shadow && tagOf(el) === 'slot') {
    const assigned = assignedTo(el);
    if (assigned.length) {
      yield* assigned;
      return;
    }
  }
  for (let n = firstOf(shadow ?? el); n; n = nextOf(n)) yield n;
}

// rootsIn lists scope and every open shadow root below it, outer ones first.
function rootsIn(scope) {
  const known = cache.roots.get(scope);
  if (known) return known;
  if (typeOf(scope) === ELEMENT && isConnected(scope) && rootsIn(ownerOf(scope)).length === 1) return [scope]; // the document has none
  const found = [scope];
  if (typeOf(scope) === ELEMENT && shadowOf(scope)) found.push(shadowOf(scope));
  let deepest = 0;
  for (let i = 0; i < found.length; i++) {
    const all = selectAll[typeOf(found[i])](found[i], '*');
    deepest = Math.max(deepest, levelsOf(all));
    for (let j = 0, n = all.length; j < n; j++) {
      const shadow = shadowOf(all[j]);
      if (shadow) found.push(shadow);
    }
  }
  cache.roots.set(scope, found);
  if (typeOf(scope) === DOCUMENT) noteDepth(scope, deepest);
  if (found.length === 1 && typeOf(scope) === DOCUMENT) noteFlat(scope);
  return found;
}

function hasShadow(el) {
  return rootsIn(el).length > 1;
}

// hasSlot reports whether what is drawn in el may stand elsewhere in the document: in a slot
// of the shadow tree that el is in.
function hasSlot(el) {
  if (flatDocs.has(ownerOf(el)) || typeOf(rootOf(el)) !== FRAGMENT) return false;
  return tagOf(el) === 'slot' || queryAll(el, 'slot').length > 0;
}

// slottedIn lists the elements that are drawn in slots in el and stand elsewhere.
function slottedIn(el) {
  const found = [];
  if (!hasSlot(el)) return found;
  const slots = [...(tagOf(el) === 'slot' ? [el] : []), ...queryAll(el, 'slot')];
  for (const slot of slots) {
    for (const node of tagOf(slot) === 'slot' ? assignedTo(slot) : []) {
      if (typeOf(node) === ELEMENT) found.push(node, ...slottedIn(node));
    }
  }
  return found;
}

// inOrder sorts elements of one document as they stand in it; a shadow tree
// comes after its host and before the host's own children.
function inOrder(els) {
  if (els.length < 2 || els.some((e) => ownerOf(e) !== ownerOf(els[0]))) return els;
  if (els.length > MANY_SORTED && isFlat(ownerOf(els[0]))) {
    const wanted = new Set(els), sorted = queryAll(ownerOf(els[0]), '*').filter((el) => wanted.has(el));
    if (sorted.length === els.length) return sorted;
  }
  return els.sort(compareOrder);
}

// From so many on, to go through the document is faster than to compare: the browser counts
// through the siblings of two elements to know which comes first.
const MANY_SORTED = 200;

function compareOrder(a, b) {
  const as = hostChain(a), bs = hostChain(b);
  for (let i = 0; i < as.length && i < bs.length; i++) {
    if (as[i] === bs[i]) continue;
    return positionOf(as[i], bs[i]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }
  return as.length - bs.length;
}

// hostChain lists the hosts around el from the document inwards, then el.
function hostChain(el) {
  const chain = [el];
  for (let root = rootOf(el); typeOf(root) === FRAGMENT; root = rootOf(chain[0])) {
    const host = hostOr(root, null);
    if (!host) break;
    chain.unshift(host);
  }
  return chain;
}

// deepActive is the element with the focus, looked for through shadow roots and
// same-origin frames; null when it is only the body.
function deepActive(doc = document) {
  let el = activeIn[DOCUMENT](doc);
  for (;;) {
    if (!el || (el === bodyOf(doc) && !isEditableContent(el)) || el === rootElementOf(doc)) return null;
    const shadow = shadowOf(el);
    const inner = shadow && activeIn[FRAGMENT](shadow);
    if (inner) {
      el = inner;
    } else if (isFrame(el) && frameDocument(el)) {
      return deepActive(frameDocument(el)) ?? el;
    } else {
      return el;
    }
  }
}

// labelsOf lists the <label>s of a control. The labels property is not used: it
// is null for input types that a page may switch to.
function labelsOf(el) {
  const found = [];
  const root = rootOf(el);
  if (idOf(el) && (typeOf(root) === DOCUMENT || typeOf(root) === FRAGMENT)) {
    for (const l of queryAll(root, `label[for=${JSON.stringify(idOf(el))}]`)) {
      if (isTag(l, 'label') && labelControl(l) === el) found.push(l);
    }
  }
  const around = closest(el, 'label');
  if (around && isTag(around, 'label') && !found.includes(around) && labelControl(around) === el) found.push(around);
  return inOrder(found);
}

// frameOffset is where el's document begins in the main viewport.
function frameOffset(el) {
  let x = 0, y = 0;
  for (let view = viewOf(ownerOf(el)); view && view !== window; ) {
    const frame = view.frameElement;
    if (!frame) break;
    const box = contentBox(frame);
    x += box.left;
    y += box.top;
    view = viewOf(ownerOf(frame));
  }
  return { x, y };
}

// contentBox is where the document of a frame is drawn, in the viewport of the frame
// element's own document: within its borders and padding, scaled as it is.
function contentBox(frame) {
  const box = rectOf(frame), css = styleOf(frame);
  const scale = (drawn, own) => (own === 0 || Math.abs(drawn - own) < 1 ? 1 : drawn / own);
  const sx = scale(box.width, offsetWidth(frame)), sy = scale(box.height, offsetHeight(frame));
  const px = (side) => parseFloat(css[`border${side}Width`]) + parseFloat(css[`padding${side}`]);
  return {
    left: box.left + sx * px('Left'), width: box.width - sx * (px('Left') + px('Right')),
    top: box.top + sy * px('Top'), height: box.height - sy * (px('Top') + px('Bottom')),
  };
}

const isFrame = (el) => isTag(el, 'iframe', 'frame');

// frameDocument is the document of a frame of this origin, null of any other.
const frameDocument = (frame) => documentOf[tagOf(frame)](frame);

// A frame that this world cannot enter has a number here, by which it is named to
// the outside. An element keeps its number, whatever it shows.
const frameKeys = new WeakMap(), keyedFrames = new Map();

function frameKey(el) {
  let key = frameKeys.get(el);
  if (key === undefined) {
    for (const [k, ref] of keyedFrames) if (!ref.deref()) keyedFrames.delete(k);
    frameKeys.set(el, (key = ++frameCount));
    keyedFrames.set(key, new WeakRef(el));
  }
  return key;
}
let frameCount = 0;

const frameAt = (key) => keyedFrames.get(key)?.deref() ?? null;
