// boot.js runs at the start of each document. The engine (main.js with its modules) is created when
// it is first called, or when the page has loaded and is idle, so that a frame that no query enters
// never creates it.

let made = null;
const engine = () => (made ??= make({ PAINT, WATCHED, guard, hearForms, info, motions, readyOf, titleOf, watchDrags }));

// idle runs task when the page has nothing else to do. If that fails, the next caller of the engine
// gets the error.
const idle = (task) => globalThis.scheduler?.postTask(task, { priority: 'background' }).catch(() => {});

// The listeners are added to the window before the page's own scripts run, so they get each event
// first and can stop it. As long as there is no engine, there is nothing to stop.
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

// guard adds the listeners to a window: that of the main frame, and that of a frame when a press is
// armed there. document.open removes listeners, so they are added again each time.
function guard(view) {
  listenFor(view, GUARDED, hears.press, { passive: false });
  listenFor(view, WATCHED, hears.form);
  listenFor(view, Object.keys(MOTION), onMotion, { passive: true });
}

// hearForms adds the listeners for form events to a target whose events do not reach the window.
function hearForms(target, types) {
  listenFor(target, types, hears.form);
}

function watchDrags(view) {
  listenFor(view, DRAG_EVENTS, hears.drag, { passive: false });
  listenFor(view, CHANGE_EVENTS, hears.dragChange, { passive: true });
}

// motions holds the animations and transitions whose start the page has been notified of, and whose
// end it has not: element -> names of properties and animations. The events come with frames.
const motions = new WeakMap();
const MOTION = {
  transitionrun: true, transitionend: false, transitioncancel: false,
  animationstart: true, animationend: false, animationcancel: false,
};
// Transitions of these properties move nothing; hovering starts them all the time.
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

// The page reports its URL and title when its load event is over: see arrivalBinding in
// documents/events.go.
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

// The functions that the Go side calls. The object is an own property of the isolated world, so an
// element of the page with that id cannot replace it. The world of a blank tab that another page
// has opened outlives its first document, but without the listeners; everything is then installed
// again.
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
