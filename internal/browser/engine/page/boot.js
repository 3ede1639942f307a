// boot runs in each document from its beginning. The engine, main.js with its modules, is
// created when it is first called, or when the page has loaded and is idle: a frame that no
// query reaches never has it.

let made = null;
const engine = () => (made ??= make({ PAINT, WATCHED, guard, hearForms, info, motions, readyOf, titleOf, watchDrags }));

// idle runs task when the page has nothing else to do. Where it fails, whoever calls the
// engine next is told.
const idle = (task) => globalThis.scheduler?.postTask(task, { priority: 'background' }).catch(() => {});

// The listeners stand on the window before the page's own scripts run, so they see an
// event first and can stop it. Until there is an engine there is nothing to stop.
const GUARDED = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick'];
const WATCHED = ['invalid', 'submit', 'input', 'change', 'blur', 'focusout', 'focus', 'keydown', 'keyup'];
const DRAG_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dragstart', 'dragover', 'drop', 'dragend'];
const CHANGE_EVENTS = ['input', 'change'];
const hears = {
  press: (event) => made?.onPress(event),
  form: (event) => made?.onForm(event),
  drag: (event) => made?.onDrag(event),
  dragChange: (event) => made?.onDragChange(event),
};

const addListener = EventTarget.prototype.addEventListener;
function listenFor(view, types, hear, options) {
  for (const type of types) addListener.call(view, type, hear, { capture: true, ...options });
}

// guard stands at the window of the main frame, and of a frame when a press is armed
// there. document.open takes the listeners away: they are added again each time.
function guard(view) {
  listenFor(view, GUARDED, hears.press, { passive: false });
  listenFor(view, WATCHED, hears.form);
  listenFor(view, Object.keys(MOTION), onMotion, { passive: true });
}

// hearForms listens where the events of a form do not reach the window.
function hearForms(target, types) {
  listenFor(target, types, hears.form);
}

function watchDrags(view) {
  listenFor(view, DRAG_EVENTS, hears.drag, { passive: false });
  listenFor(view, CHANGE_EVENTS, hears.dragChange, { passive: true });
}

// The motions that the page has been told of, and of whose end it has not: element ->
// names of properties and animations. The events come with frames.
const motions = new WeakMap();
const MOTION = {
  transitionrun: true, transitionend: false, transitioncancel: false,
  animationstart: true, animationend: false, animationcancel: false,
};
// Transitions of these move nothing; hovering starts them all the time.
const PAINT = /^(color|opacity|(background|border(-\w+)?|text-decoration|caret)-color|outline(-\w+)?|box-shadow|text-shadow|filter|fill|stroke)$/;

function onMotion(event) {
  const name = event.propertyName ?? event.animationName, el = event.composedPath()[0];
  if (!event.isTrusted || event.pseudoElement || PAINT.test(name)) return;
  const names = motions.get(el) ?? new Set();
  if (MOTION[event.type]) motions.set(el, names.add(name));
  else names.delete(name);
}

guard(window);
watchDrags(window);

// The page tells of itself when its load event is over: see browser/arrival.go.
const documentTitle = Object.getOwnPropertyDescriptor(Document.prototype, 'title').get;
const documentState = Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get;
const titleOf = (doc) => documentTitle.call(doc), readyOf = (doc) => documentState.call(doc);
const info = () => ({ url: location.href, title: titleOf(document), ready: readyOf(document) });

if (typeof __arrived === 'function' && window === top) {
  addListener.call(window, 'pageshow', () => {
    __arrived(JSON.stringify(info()));
    idle(engine);
  }, { capture: true, once: true });
}

// The functions that the Go side calls. The object is the isolated world's own property: an
// element of the page with that id cannot stand in for it. The world of a blank tab that
// another page has opened goes on with its first document, without the listeners of
// before: everything is then installed anew.
const installedIn = document;
Object.defineProperty(globalThis, '__action', {
  configurable: true,
  value: new Proxy({}, {
    get(none, name) {
      if (name === 'document') return installedIn;
      return engine().api[name];
    },
  }),
});
