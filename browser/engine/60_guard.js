// The press guard: between arming and reading back, no trusted mouse event of the
// press reaches anything but the element that is pressed.
//
// The listeners stand on the window before the page's own scripts run, so they see
// an event first and can stop it. They do nothing while no press is armed.

const stopEvent = method(Event.prototype, 'stopImmediatePropagation');
const preventEvent = method(Event.prototype, 'preventDefault');
const wasPrevented = getter(Event.prototype, 'defaultPrevented');

let press = null;

// arm begins a press of el, through its label where via is one.
function arm(el, via, count, op) {
  guard(window);
  const view = viewOf(ownerOf(el));
  if (view && view !== window) guard(view);
  const root = rootOf(el);
  if (typeOf(root) === FRAGMENT) for (const type of WATCHED) listen(root, type, onForm, { capture: true });
  const goals = goalsOf(el);
  if (via) goals.add(via);
  begin(el, op, goals, count);
}

const SHIELDED = 5000; // ms after which a shield that nobody took away ends

// shield guards a press of what is in a frame, in the documents around it: they see
// no event of the press unless something lies over the frame.
function shield(frame, count) {
  guard(window);
  const view = viewOf(ownerOf(frame));
  if (view && view !== window) guard(view);
  begin(frame, 'press', new Set(), count);
  const mine = press;
  later(() => { if (press === mine) press = null; }, SHIELDED);
}

function begin(el, op, goals, count) {
  press = {
    el, op, goals, count,
    asks: op === 'check' ? asksOf(el) : null, // of the page, before it
    down: false, // whether a button press reached el
    ups: 0,
    clicks: 0,
    captured: false, // whether the page took the pointer over
    covered: null, // what the page put over el at the press, such as the list that it opens
    expanded: isExpanded(el), // before it
    stopped: false, // whether the rest of the events is stopped
    missed: null, // what an event would have hit instead
    invalid: null, // the first field that failed its validation
    submitted: false,
    over: false,
    last: null, // the click event
    done: null, // called when it is over
  };
}

// isExpanded reports whether el says that what it opens is open. Then what lies over it
// after a press is that, and no accident.
const isExpanded = (el) => {
  const opener = nearest(el, '[aria-expanded]');
  return opener !== null && attr(opener, 'aria-expanded') === 'true';
};

const clientX = getter(MouseEvent.prototype, 'clientX'), clientY = getter(MouseEvent.prototype, 'clientY');

// hitsInside: an event does not tell what it hits inside of a closed shadow root.
function hitsInside(event, host) {
  if (!closedRoots?.has(host)) return false;
  for (const n of ancestors(hitAt({ x: clientX(event), y: clientY(event) }, ownerOf(host)))) if (press.goals.has(n)) return true;
  return false;
}

function onPress(event) {
  if (!press || !event.isTrusted) return;
  const path = pathOf(event);
  const hit = path.some((n) => press.goals.has(n)) || hitsInside(event, path[0]);
  if (press.stopped || !(hit || mayPass(event))) {
    stopEvent(event);
    preventEvent(event);
    press.stopped = true;
    // What follows on an element that the page removed, or put something over, under
    // the press is no miss.
    if (!press.down || (isConnected(press.el) && !press.covered)) press.missed ??= path[0];
  } else if (event.type === 'pointerdown' || event.type === 'mousedown') {
    press.down = true;
  } else if (hit && /click$|contextmenu/.test(event.type)) {
    press.last = event;
    if (/^(aux)?click$/.test(event.type)) press.clicks++;
  }
  if (event.type === 'pointerup' && ++press.ups >= press.count) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => press?.done?.();
    port2.postMessage(0); // the click follows in this task, the message after it
    press.over = true;
  }
}

// The release of a press that the page took over (a drag with captured pointer) or
// whose element the page removed or covered belongs to the page. A page that puts
// something over what is pressed means that, and waits for the release; one that
// moves it away does not.
function mayPass(event) {
  if (!press.down) return false;
  if (event.type === 'pointerup') {
    press.captured = hasCapture(event.target, event.pointerId);
    if (press.ups + 1 >= press.count && isUnder(event)) press.covered = pathOf(event)[0];
  }
  return press.captured || (/up$/.test(event.type) && (press.covered || !isConnected(press.el)));
}

// isUnder: what is pressed still lies at the place of event, below something else.
function isUnder(event) {
  if (!isConnected(press.el) || ownerOf(event.target) !== ownerOf(press.el)) return false;
  const x = clientX(event), y = clientY(event);
  for (const goal of press.goals) {
    for (const r of boxesOf(goal)) if (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom) return true;
  }
  return false;
}

const hasCapture = method(Element.prototype, 'hasPointerCapture');
const submitterForm = { button: getter(HTMLButtonElement.prototype, 'form'), input: getter(HTMLInputElement.prototype, 'form') };
const submitType = getter(HTMLButtonElement.prototype, 'type');

function onForm(event) {
  if (!press) return;
  if (event.type === 'submit') press.submitted = true;
  else press.invalid ??= event.target;
}

// blockedSubmit names the field whose validation stopped the submit of the press.
// A page that validates by its own script also makes invalid events; then the
// press was no submit, or it was prevented.
function blockedSubmit(p) {
  if (!p.invalid || p.submitted || (p.last && wasPrevented(p.last))) return null;
  const button = nearest(p.el, 'button,input');
  if (!button || !(isInput(button, 'submit', 'image') || (isTag(button, 'button') && submitType(button) === 'submit'))) return null;
  const form = submitterForm[tagOf(button)](button);
  if (!form || hasAttr(form, 'novalidate') || hasAttr(button, 'formnovalidate')) return null;
  return { field: nameOf(p.invalid) || attr(p.invalid, 'name') || describe(p.invalid), desc: describe(p.invalid), reason: validationMessage(p.invalid) };
}

function validationMessage(el) {
  const protos = { input: HTMLInputElement, select: HTMLSelectElement, textarea: HTMLTextAreaElement, button: HTMLButtonElement };
  const proto = protos[tagOf(el)]?.prototype;
  return proto ? getter(proto, 'validationMessage')(el) : 'invalid';
}

// pressed ends the press and tells what became of it, after at most wait ms: 0 where
// the events are known to be over, for even the shortest timer waits for a frame then.
async function pressed({ wait = 1000 } = {}) {
  const p = press;
  if (!p) return { reached: false, missed: null, invalid: null, gone: false, checked: null };
  if (!p.over && wait > 0) await eventsOver(p, wait);
  if (press === p) press = null;
  if (p.op === 'check') await settled(p.el, p.asks); // what the page makes of it
  fresh();
  const gone = !isConnected(p.el);
  if (p.op === 'check' && last.el === p.el) {
    excuseChanged(p.el);
    last.asks = p.asks;
    if (!gone && checkedState(p.el) === last.on) keep(p.el, 'check');
  }
  const reached = p.last !== null || (p.down && !p.missed); // a disabled or removed element gets no click
  return {
    reached,
    down: p.down,
    clicks: p.clicks,
    ups: p.ups,
    missed: p.missed ? { desc: describe(p.missed) } : null,
    covered: p.covered && (p.expanded || !isExpanded(p.el)) ? describe(p.covered) : '',
    invalid: blockedSubmit(p),
    submitted: p.submitted,
    closing: window.closed, // the page closes its tab
    saves: Boolean(p.last) && !wasPrevented(p.last) && nearest(p.el, 'a[download][href],area[download][href]') !== null,
    gone,
    checked: gone ? null : checkedState(p.el),
  };
}

// missed reports whether an event of the press would have hit something else.
const missed = () => Boolean(press?.missed);

// dropped is told when the input is over, of which something may have been dropped on the
// way, or taken by the page: what has not come by then is not waited for.
function dropped() {
  arrival?.end();
  if (press && !press.down && !press.last) press.done?.();
}

function eventsOver(p, wait) {
  return new Promise((resolve) => {
    const timer = later(resolve, wait);
    p.done = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

// held reads back what the element of the last fill, select or type holds; coming: when
// the text that was sent before it has come; along: when the act that it was sent along
// with is over, null where that has failed.
async function held({ value, coming, along } = {}) {
  if (along && !(await acting)?.ok) return null;
  const { el, asks } = last;
  if (!el) return { value: '', secret: false, same: false, alike: false, desc: '', connected: false };
  if (coming) await arrival?.over; // in front of the page's handlers of it
  await settled(el, asks, coming ? 3 : 2);
  fresh();
  if (last.editor) return editorHolds(last.editor, value ?? '');
  const result = { ...compared(el, value ?? ''), desc: describe(el), connected: isConnected(el) };
  result.secret ||= last.secret; // the page may show it meanwhile
  if (isTag(el, 'select')) result.values = chosenValues(el);
  excuseChanged(el);
  if (result.values) keep(el, 'select');
  else if (result.connected && (result.same || result.alike)) keep(el, 'fill', value ?? '');
  return result;
}

async function editorHolds(editor, want) {
  await nextFrame(); // it draws with the frame after its script has run
  const same = showsOnly(editor, want);
  const value = same ? want : cut(readable(editor), LONGEST_NAME);
  return { value, secret: false, same, alike: false, desc: describe(editor), connected: isConnected(editor) };
}
