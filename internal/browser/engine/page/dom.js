// Safe access to the DOM.
//
// A form's fields and a document's named elements shadow DOM properties in every world
// (<form><input name="id"></form> makes form.id an element). Everything is therefore read
// through the prototypes' own getters and methods, captured here. They also work on nodes of
// same-origin frames, where instanceof does not.

export const getter = (proto, name) => {
  const get = Object.getOwnPropertyDescriptor(proto, name).get;
  return (node) => get.call(node);
};
const setter = (proto, name) => {
  const set = Object.getOwnPropertyDescriptor(proto, name).set;
  return (node, value) => set.call(node, value);
};
export const method = (proto, name) => {
  const fn = proto[name];
  return (node, ...args) => fn.apply(node, args);
};

export const ELEMENT = 1, TEXT = 3, DOCUMENT = 9, FRAGMENT = 11;

// The element that a walk is at, with what is read of it repeatedly. The page does not run during a
// walk.
export const here = { el: null, css: null, names: null };

// beAt makes el the element that a walk is at; null ends the walk.
export function beAt(el) {
  here.css = el && getComputedStyle(el);
  here.names = el && getAttributeNames.call(el);
  here.el = el;
}

// What a walk reads of each node is written out: functions that getter makes share their code, and
// with it the compiler's assumption about what they call.
const native = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;
export const nodeType = native(Node.prototype, 'nodeType'), typeOf = (node) => nodeType.call(node);
export const parentNode = native(Node.prototype, 'parentNode'), parentOf = (node) => parentNode.call(node);
export const firstChild = native(Node.prototype, 'firstChild'), firstOf = (node) => firstChild.call(node);
export const nextSibling = native(Node.prototype, 'nextSibling'), nextOf = (node) => nextSibling.call(node);
export const characters = native(CharacterData.prototype, 'data'), dataOf = (node) => characters.call(node);
export const localName = native(Element.prototype, 'localName');
export const shadowRoot = native(Element.prototype, 'shadowRoot'), shadowOf = (el) => shadowRoot.call(el) ?? closedRoots?.get(el) ?? null;
export let closedRoots = null; // host -> closed shadow root passed in by the Go side; null if there are none
export const getAttribute = Element.prototype.getAttribute, attr = (el, name) => getAttribute.call(el, name);
export const hasAttribute = Element.prototype.hasAttribute, hasAttr = (el, name) => hasAttribute.call(el, name);
export const getAttributeNames = Element.prototype.getAttributeNames, attributeNames = (el) => (el === here.el ? here.names : getAttributeNames.call(el));
export const namespaceURI = native(Element.prototype, 'namespaceURI'), namespaceOf = (el) => namespaceURI.call(el);
export const ownerDocument = native(Node.prototype, 'ownerDocument'), ownerOf = (node) => ownerDocument.call(node);
export const connected = native(Node.prototype, 'isConnected'), isConnected = (node) => connected.call(node);
export const assignedSlot = native(Element.prototype, 'assignedSlot'), slotOf = (el) => assignedSlot.call(el);
export const textSlot = native(Text.prototype, 'assignedSlot'), textSlotOf = (text) => textSlot.call(text);
export const typeOfInput = native(HTMLInputElement.prototype, 'type'), inputType = (el) => typeOfInput.call(el);
export const innerText = native(HTMLElement.prototype, 'innerText'), innerTextOf = (el) => innerText.call(el);
export const getRootNode = Node.prototype.getRootNode, rootOf = (node) => getRootNode.call(node);
export const nodeContains = Node.prototype.contains, contains = (node, other) => nodeContains.call(node, other);
export const comparePosition = Node.prototype.compareDocumentPosition, positionOf = (node, other) => comparePosition.call(node, other);
export const elementMatches = Element.prototype.matches, matches = (el, css) => elementMatches.call(el, css);
export const elementClosest = Element.prototype.closest, closest = (el, css) => elementClosest.call(el, css);
export const boundingRect = Element.prototype.getBoundingClientRect, rectOf = (el) => boundingRect.call(el);

export const textContentOf = getter(Node.prototype, 'textContent');

export const idOf = getter(Element.prototype, 'id');
export const htmlOf = getter(Element.prototype, 'innerHTML');
export const rectsOf = method(Element.prototype, 'getClientRects');
export const animationsOf = method(Element.prototype, 'getAnimations');
export const scrollIntoView = method(Element.prototype, 'scrollIntoView');
export const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
export const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');
export const focusHTML = method(HTMLElement.prototype, 'focus'), blurOf = method(HTMLElement.prototype, 'blur');
export const tabIndexOf = getter(HTMLElement.prototype, 'tabIndex');
const focusSVG = method(SVGElement.prototype, 'focus');
const editableContent = getter(HTMLElement.prototype, 'isContentEditable');
export const assignedTo = method(HTMLSlotElement.prototype, 'assignedNodes');
export const hostOf = getter(ShadowRoot.prototype, 'host');
export const documentOf = {
  iframe: getter(HTMLIFrameElement.prototype, 'contentDocument'),
  frame: getter(HTMLFrameElement.prototype, 'contentDocument'),
};
export const dispatch = method(EventTarget.prototype, 'dispatchEvent');
export const listen = method(EventTarget.prototype, 'addEventListener');
export const pathOf = method(Event.prototype, 'composedPath');

export const rootElementOf = getter(Document.prototype, 'documentElement');
export const bodyOf = getter(Document.prototype, 'body');
export const viewOf = getter(Document.prototype, 'defaultView');
export const activeIn = {
  [DOCUMENT]: getter(Document.prototype, 'activeElement'),
  [FRAGMENT]: getter(ShadowRoot.prototype, 'activeElement'),
};
export const fromPoint = {
  [DOCUMENT]: method(Document.prototype, 'elementFromPoint'),
  // Over slotted text, elementFromPoint of a shadow root returns the host.
  [FRAGMENT]: (root, x, y) => allFromPoint(root, x, y)[0] ?? null,
};
const allFromPoint = method(ShadowRoot.prototype, 'elementsFromPoint');
export const byId = {
  [DOCUMENT]: method(Document.prototype, 'getElementById'),
  [FRAGMENT]: method(DocumentFragment.prototype, 'getElementById'),
};
export const selectAll = {
  [ELEMENT]: method(Element.prototype, 'querySelectorAll'),
  [DOCUMENT]: method(Document.prototype, 'querySelectorAll'),
  [FRAGMENT]: method(DocumentFragment.prototype, 'querySelectorAll'),
};
// An array, because the iterator of a NodeList takes five times as long.
export function queryAll(root, css) {
  const list = selectAll[typeOf(root)](root, css), all = [];
  for (let i = 0, n = list.length; i < n; i++) all.push(list[i]);
  return all;
}

export const inputValue = getter(HTMLInputElement.prototype, 'value');
export const setInputValue = setter(HTMLInputElement.prototype, 'value');
export const textareaValue = getter(HTMLTextAreaElement.prototype, 'value');
export const selectValue = getter(HTMLSelectElement.prototype, 'value');
export const selectOptions = getter(HTMLSelectElement.prototype, 'options');
export const isMultiple = getter(HTMLSelectElement.prototype, 'multiple');
export const optionValue = getter(HTMLOptionElement.prototype, 'value');
export const optionText = getter(HTMLOptionElement.prototype, 'text');
export const optionLabel = getter(HTMLOptionElement.prototype, 'label');
export const isSelected = getter(HTMLOptionElement.prototype, 'selected');
export const setSelected = setter(HTMLOptionElement.prototype, 'selected');
export const isChecked = getter(HTMLInputElement.prototype, 'checked');
export const isIndeterminate = getter(HTMLInputElement.prototype, 'indeterminate');
export const labelControl = getter(HTMLLabelElement.prototype, 'control');

// tagOf returns the local name of el. The names of elements with their own properties count in HTML
// only: an <input> inside <svg> is "foreign:input".
export const HTML = 'http://www.w3.org/1999/xhtml';
const OWN_PROPERTIES = new Set(['input', 'textarea', 'select', 'option', 'button', 'label', 'iframe', 'frame', 'slot']);
export function tagOf(el) {
  const tag = localName.call(el);
  return OWN_PROPERTIES.has(tag) && namespaceOf(el) !== HTML ? `foreign:${tag}` : tag;
}

// handIn registers the closed shadow root of a host, which is then read like an open one.
export function handIn(root) {
  closedRoots ??= new WeakMap();
  closedRoots.set(hostOf(root), root);
}

export const isSVG = (el) => namespaceOf(el) === 'http://www.w3.org/2000/svg';

export function focusOn(el, options) {
  if (namespaceOf(el) === HTML) focusHTML(el, options);
  else if (isSVG(el)) focusSVG(el, options);
}

export const now = () => performance.now();
export const isHTML = (el) => namespaceOf(el) === HTML;
export const isElement = (node) => node !== null && typeOf(node) === ELEMENT;
export const isTag = (el, ...tags) => tags.includes(tagOf(el));
export const isInput = (el, ...types) => tagOf(el) === 'input' && types.includes(inputType(el));
export const styleOf = (el, pseudo) => (el === here.el && !pseudo ? here.css : getComputedStyle(el, pseudo));

// Foreign elements, such as SVG, have no isContentEditable.
export function isEditableContent(el) {
  try {
    return editableContent(el);
  } catch {
    return false;
  }
}

export const stopEvent = method(Event.prototype, 'stopImmediatePropagation');
export const preventEvent = method(Event.prototype, 'preventDefault');
export const wasPrevented = getter(Event.prototype, 'defaultPrevented');
export const clientX = getter(MouseEvent.prototype, 'clientX'), clientY = getter(MouseEvent.prototype, 'clientY');
export const submitterForm = { button: getter(HTMLButtonElement.prototype, 'form'), input: getter(HTMLInputElement.prototype, 'form') };
export const formControls = getter(HTMLFormElement.prototype, 'elements');
export const submitType = getter(HTMLButtonElement.prototype, 'type');

export function validationMessage(el) {
  const protos = { input: HTMLInputElement, select: HTMLSelectElement, textarea: HTMLTextAreaElement, button: HTMLButtonElement };
  const proto = protos[tagOf(el)]?.prototype;
  return proto ? getter(proto, 'validationMessage')(el) : 'invalid';
}

export const unlisten = method(EventTarget.prototype, 'removeEventListener');
export const leftScrolled = getter(Element.prototype, 'scrollLeft'), topScrolled = getter(Element.prototype, 'scrollTop');
export const scrollWidthOf = getter(Element.prototype, 'scrollWidth'), scrollHeightOf = getter(Element.prototype, 'scrollHeight');
export const childNodesOf = getter(Node.prototype, 'childNodes');
export const keyOf = getter(KeyboardEvent.prototype, 'key');
export const targetOf = getter(Event.prototype, 'target');
export const outerHTMLOf = getter(Element.prototype, 'outerHTML');
export const validityOf = getter(HTMLInputElement.prototype, 'validity'), isBadInput = getter(ValidityState.prototype, 'badInput');
export const previousElement = getter(Element.prototype, 'previousElementSibling');
export const nextElement = getter(Element.prototype, 'nextElementSibling');

// changed dispatches the input and change events that follow a change of a value by a person.
export function changed(el) {
  dispatch(el, new Event('input', { bubbles: true, composed: true }));
  dispatch(el, new Event('change', { bubbles: true }));
}
