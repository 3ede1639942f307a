// The press guard: between arming and reading back, no trusted mouse event of the
// press reaches anything but the element that is pressed.
//
// The listeners stand on the window before the page's own scripts run, so they see
// an event first and can stop it. They do nothing while no press is armed.

const stopEvent = method(Event.prototype, 'stopImmediatePropagation');
const preventEvent = method(Event.prototype, 'preventDefault');
const wasPrevented = getter(Event.prototype, 'defaultPrevented');

let press = null;

// disarm drops a press that was armed and not sent: it must not stop later events.
function disarm() {
  press = null;
}

// arm begins a press of el, through its label where via is one.
function arm(el, via, op) {
  guardAround(el);
  const goals = goalsOf(el);
  if (via) goals.add(via);
  begin(el, op.name, goals, op.count || 1);
  press.shown = via ?? el;
  press.main = !op.button || op.button === 'left';
}

// guardAround adds the listeners where the events of el are seen. Some of them do not
// leave a shadow tree.
function guardAround(el) {
  guard(window);
  const view = viewOf(ownerOf(el));
  if (view && view !== window) guard(view);
  const root = rootOf(el);
  if (typeOf(root) === FRAGMENT) for (const type of WATCHED) listen(root, type, onForm, { capture: true });
  if (!isFlat(ownerOf(el))) { // a button may check fields of components of their own
    for (const other of rootsIn(ownerOf(el))) if (other !== root && typeOf(other) === FRAGMENT) listen(other, 'invalid', onForm, { capture: true });
  }
  for (const frame of queryAll(ownerOf(el), 'iframe')) { // a form in one may have its button around it
    const inner = isFrame(frame) && frameDocument(frame) && viewOf(frameDocument(frame));
    if (inner) for (const type of ['invalid', 'submit']) listen(inner, type, onForm, { capture: true });
  }
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
  press = newPress(el, op, goals, count);
  press.field = op === 'check' ? focusedOf(last.keep) : null;
}

function newPress(el, op, goals, count) {
  return {
    el, op, goals, count,
    shown: el, // what is pressed in its place
    main: false, // whether a click has to follow
    asks: asksOf(el), // of the page, before it
    field: null, // that the run has set, and that loses the focus
    then: null, // asks in front of the click
    down: null, // what the button press hit of el
    at: null, // where it was
    face: '', html: '', beside: null, // the control and what is beside it then: see facesBefore
    left: false, // whether another field has lost the focus, or reported its change
    before: null, // how el stood when another field was left: see whatStops
    after: null, // and behind the handlers of that
    idle: false, // whether el did not show then that it is at work
    deaf: '', // why el ignores the click, as far as it says so
    busy: null, // what showed before the press that el is at work
    barred: null, // what disabled it then
    key: false, // whether a key presses it
    vanished: false, // whether el had no box any more at the release
    ups: 0,
    clicks: 0,
    captured: false, // whether the page took the pointer over
    covered: null, // what the page put over el at the press, such as the list that it opens
    expanded: isExpanded(el), // before it
    stopped: false, // whether the rest of the events is stopped
    missed: null, // what an event would have hit instead
    invalid: null, // the first field that failed its validation
    submit: null, // the last submit event
    over: false,
    last: null, // the click event
    sending: null, // what that is to send: see sendingOf
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
  const isGoal = (el) => {
    for (const n of ancestors(el)) if (press.goals.has(n)) return true;
    return false;
  };
  return isGoal(hitAt({ x: clientX(event), y: clientY(event) }, ownerOf(host), isGoal));
}

function onPress(event) {
  if (watched && event.isTrusted) onWatched(event);
  if (!press || !event.isTrusted) return;
  const path = pathOf(event);
  const hit = path.some((n) => press.goals.has(n)) || hitsInside(event, path[0]);
  if (press.stopped || !(hit || mayPass(event))) {
    stopEvent(event);
    preventEvent(event);
    press.stopped = true;
    // What follows on an element that the page removed, or put something over, under
    // the press is no miss; nor where that has opened something.
    if (!press.down || (isConnected(press.el) && !press.covered && !press.vanished && !hasOpened(press))) press.missed ??= path[0];
  } else if (event.type === 'pointerdown' || event.type === 'mousedown') {
    if (!press.down) facesBefore(press);
    press.down = path[0];
    press.at = { x: clientX(event), y: clientY(event) };
  } else if (hit && /click$|contextmenu/.test(event.type)) {
    if (!press.last && event.type === 'click') press.deaf = deafness(press);
    press.last = event;
    press.sending = sendingOf(event);
    if (press.field) leftFor(press);
    if (/^(aux)?click$/.test(event.type)) press.clicks++;
  }
  if (event.type === 'pointerup' && ++press.ups >= press.count) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => press?.done?.();
    port2.postMessage(0); // the click follows in this task, the message after it
    press.over = true;
  }
}

// leftFor looks at the field that a check has left, in front of the click's handlers. Of
// radio buttons of one group the browser has unset the other by then.
function leftFor(p) {
  fresh();
  const left = p.field.ref.deref();
  if (left && isInput(left, 'radio') && isInput(p.el, 'radio') && attr(left, 'name') === attr(p.el, 'name')) return;
  p.then = asksOf(p.el);
  p.field.left = true;
  noteLeft(p.field);
  p.field.left = false;
}

// The release of a press that the page took over (a drag with captured pointer) or
// whose element the page removed or covered belongs to the page. A page that puts
// something over what is pressed means that, and waits for the release; one that
// moves it away does not.
function mayPass(event) {
  if (!press.down) return false;
  if (event.type === 'pointerup') {
    letsGo(press, event);
  }
  return press.captured || (/up$/.test(event.type) && (press.covered || press.vanished || !isConnected(press.el) || hasOpened(press)));
}

// hasOpened: what is pressed says that it has opened something since the button went down. That
// may move it, and take the presses of all else.
const hasOpened = (p) => !p.expanded && isConnected(p.el) && isExpanded(p.el);

// letsGo notes what has become of what is pressed, where the release does not hit it.
function letsGo(p, event) {
  p.captured = hasCapture(event.target, event.pointerId);
  p.vanished = isConnected(p.el) && !isVisible(p.shown);
  if (p.ups + 1 >= p.count && isUnder(p, event)) p.covered = pathOf(event)[0];
}

// isUnder: what is pressed still lies at the place of event, below something else.
function isUnder(p, event) {
  if (!isConnected(p.el) || ownerOf(event.target) !== ownerOf(p.el)) return false;
  const x = clientX(event), y = clientY(event);
  for (const goal of p.goals) {
    for (const r of boxesOf(goal)) if (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom) return true;
  }
  return false;
}

const hasCapture = method(Element.prototype, 'hasPointerCapture');
const submitterForm = { button: getter(HTMLButtonElement.prototype, 'form'), input: getter(HTMLInputElement.prototype, 'form') };
const submitType = getter(HTMLButtonElement.prototype, 'type');

function onForm(event) {
  if (watched) onWatched(event);
  if (grabbed?.from && event.type === 'blur') grabbed.stood ??= isThereYet(grabbed.el);
  if (!press) return;
  if (event.type === 'submit') {
    press.submit = event;
    press.invalid = null; // what was found before did not stop it
  } else if (event.type === 'invalid') {
    if (press.last || !press.left) press.invalid ??= event.target;
  } else if (event.isTrusted) {
    leaves(press, event);
  }
}

const LEAVING = new Set(['change', 'blur', 'focusout', 'focus']);

// leaves notes that the press has taken the focus from another field. A page may check
// that field now, and may take away what is pressed.
function leaves(p, event) {
  if (!p.down || p.last || !LEAVING.has(event.type)) return;
  const other = !pathOf(event).some((n) => p.goals.has(n)) && event.target !== viewOf(ownerOf(p.el));
  if (event.type !== 'focus' && other && p.before === null) { // its change comes in front of its blur
    p.before = whatStops(p);
    p.idle = !busyBy(p.el);
    p.able = !disabledWord(p.el);
  }
  if (event.type === 'focus' && p.before !== null) p.after ??= whatStops(p);
  p.left ||= other && event.type !== 'focus';
}

// deafness says why the click of p that has begun is ignored: a page that says that a control
// is disabled does not act on it, nor does a library whose button shows that it is at work.
// p.idle: it did not when another field was left. '' where nothing is said.
function deafness(p) {
  fresh();
  const disabled = disabledBy(p.el);
  if (disabled) return disabled;
  if (p.idle && busyBy(p.el)) return ATWORK;
  const word = p.able && disabledWord(p.el);
  if (word) return (p.marked = `class ${word}`);
  return p.busy && busyButton(p.el) ? `${ATWORK} (${p.busy})` : '';
}

// disabledWord is the class that says that a link or another element is a button that is
// disabled; '' where none does. Of a native button its attribute says so.
function disabledWord(el) {
  const control = controlOf(el);
  if (!control || isTag(control, 'button', 'input') || !isButton(control)) return '';
  return (attr(control, 'class') ?? '').split(/\s+/).find(isDisabledClass) ?? '';
}

// whatStops says what keeps a click from what is pressed; '' where nothing does.
function whatStops(p) {
  fresh();
  if (!isConnected(p.el) || !isVisible(p.shown)) return 'gone';
  if (disabledBy(p.el)) return 'disabled';
  for (const n of ancestors(hitAt(p.at, ownerOf(p.el)))) if (p.goals.has(n)) return '';
  return 'covered';
}

// lostClick says why no click followed on a press that has begun, or one that is ignored; '' where it did, or
// where what was pressed acts on the button press: an option that is taken away, or a
// list that opens over its field.
function lostClick(p) {
  if (!p.main || p.op !== 'press' || !p.down || p.ups === 0 || p.missed || p.captured || p.submit) return '';
  if (p.deaf && !(isLink(p.el) && !wasPrevented(p.last))) return ignoredClick(p);
  if (p.clicks >= p.count) return '';
  if (p.clicks === 0 && p.last) return ''; // a context menu
  if (!p.clicks && hasOpened(p)) return '';
  const disabled = isConnected(p.el) && disabledBy(p.el);
  if (disabled) return `${disabled}${p.clicks ? ` since click ${p.clicks} of ${p.count}` : sinceWhen(p)}`;
  if (p.clicks) return '';
  if (!isConnected(p.el) || p.vanished) {
    const by = byLeaving(p, 'gone');
    if (by === ITS_OWN) return drawnAnewBy(p);
    return `it is gone since${by}`;
  }
  if (p.covered) {
    if (opens(p.el)) return '';
    if (isInside(p.el, p.covered)) return `it takes no mouse since${byLeaving(p, 'covered')}: the release went to ${describe(p.covered)}`;
    const by = byLeaving(p, 'covered');
    if (!nearest(p.el, `${ACTS},input`) || (by === ITS_OWN && !isMask(p))) return '';
    return `${describe(p.covered)} covers it since${by}`;
  }
  if (!isConnected(p.down)) return drawnAnewBy(p);
  if (nearest(p.el, 'select,option')) return '';
  return 'the page saw the button go down on it, and no click';
}

// ignoredClick says why p's click, which the page got, did nothing.
function ignoredClick(p) {
  if (p.deaf === ATWORK || p.marked) return `${p.deaf} since${LEFT}`;
  return `${p.deaf}${sinceWhen(p)}`;
}

// sinceWhen says since when what p presses is disabled, or at work.
function sinceWhen(p) {
  if (p.barred || p.busy) return ', as it was before the press';
  return ` since${p.key ? BY_KEY : byLeaving(p, 'disabled')}`;
}

// isMask: what covers p keeps a person from the page, such as a sign that it is at work. A list
// or a dialog that p has opened over itself does not.
function isMask(p) {
  const field = nearest(p.el, CONTROLS);
  if (field && (takesText(field) || isTag(field, 'select'))) return false;
  const layer = coverOf(p.covered, p.el), around = nearest(p.covered, BUSY);
  if (around && !isInside(p.el, around)) return true;
  if (offersAny(layer)) return false;
  const words = [p.covered, layer].map((n) => attr(n, 'class') ?? '').join(' ');
  if (byCSS([layer], BUSY).some(isVisible) || MASKS.test(words)) return !isBeside(layer, p.el);
  const box = rectOf(layer), view = viewSize();
  const whole = box.width >= view.x && box.height >= view.y;
  return (whole || textOf(layer) === '') && !isBeside(layer, p.el);
}

const MASKS = /block-?ui|(?:^|[-_\s])(?:load(?:ing|er)|spin(?:ner|ning)?|mask|busy|blocker|blockMsg|wait)(?:$|[-_\s])/i;

const OFFERED = '[role=menu],[role=listbox],[role=grid],[role=tree],li,td,[tabindex]:not([tabindex="-1"])';

// offersAny: there is something in layer to choose, or a dialog in or around it.
const offersAny = (layer) => nearest(layer, DIALOGS) !== null || byCSS([layer], `${DIALOGS},${OFFERED},${CONTROLS}`).some(isVisible);

// isBeside: what has come with layer, and lies above it, offers something: a list has a layer
// below it that closes it.
function isBeside(layer, el) {
  for (const n of flatKids(up(layer) ?? layer)) {
    if (!isElement(n) || n === layer || isInside(el, n) || !isVisible(n) || !offersAny(n)) continue;
    for (const part of byCSS([n], `${DIALOGS},${OFFERED},${CONTROLS}`).filter(isVisible).slice(0, 5)) if (onTop(part)) return true;
  }
  return false;
}

const isLink = (el) => nearest(el, 'a[href],area[href]') !== null;

const ITS_OWN = ' the button went down on it', BY_KEY = ' the key went down on it', LEFT = ' the field before lost the focus', ATWORK = 'it shows that it is busy';

const outerHTMLOf = getter(Element.prototype, 'outerHTML');

// byLeaving says whether el came to stand so when another field lost the focus.
function byLeaving(p, so) {
  if (p.before === null || p.before === so || (p.after ?? so) !== so) return ITS_OWN;
  return LEFT;
}

const OPENERS = '[aria-expanded],[aria-haspopup]:not([aria-haspopup=false]),[role=combobox]';

// opens: what is pressed says that it opens something. A row that does is around what is in it.
function opens(el) {
  const opener = nearest(el, OPENERS);
  return opener !== null && (opener === controlOf(el) || opener === el || !matches(opener, 'tr,[role=row],[role=treeitem],[role=gridcell]'));
}

// blockedSubmit names the field that was found invalid in a press, by the browser or by a
// script of the page, unless a submit came behind it. A control that only changes a
// state, such as a checkbox or a tab, submits nothing: what is found then is for show.
function blockedSubmit(p) {
  if (!p.invalid || (p.submit && !wasPrevented(p.submit)) || onlyChanges(p.el)) return null;
  return { field: nameOf(p.invalid) || attr(p.invalid, 'name') || describe(p.invalid), desc: describe(p.invalid), reason: validationMessage(p.invalid) };
}

const ACTS = 'button,a,area,[role=button],[role=link],[role=menuitem]';
const CHANGES = ['checkbox', 'radio', 'switch', 'tab', 'option', 'treeitem', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'listbox',
  'menuitemcheckbox', 'menuitemradio', 'gridcell'];

function onlyChanges(el) {
  const control = controlOf(el);
  if (!control) return false;
  const role = attr(control, 'role');
  if (role) return CHANGES.includes(role);
  if (isTag(control, 'input')) return !isInput(control, 'submit', 'image', 'button');
  return !isTag(control, 'fieldset') && !matches(control, ACTS);
}

// maybeBlocked waits for what the page has put off where a field is invalid that it may
// still look at.
async function maybeBlocked(p) {
  if (p.invalid || !byInvalid(p.el)) return;
  await settled(p.el, p.asks);
}

const byInvalid = (el) => [rootOf(el), ownerOf(el)].some((root) => selectAll[typeOf(root)](root, ':invalid').length > 0);

// A watch is over input that is sent to whatever is there: a key, or a press at a point.
let watched = null;

// watchInput begins a watch; held: over the release of what has been grabbed; enter: over
// text, of which only the key Enter may send a form.
function watchInput(arg) {
  const el = deepActive() ?? rootElementOf(document);
  const held = arg?.held ? grabbed?.from ?? null : null;
  guardAround(held ?? el);
  noteInput(arg?.watch, el);
  watched?.observer?.disconnect();
  watched?.redraws?.disconnect();
  watched = { el, asks: asksOf(el), changed: false, held, from: held, key: null, clicked: false, change: null, submit: null, invalid: null,
    enter: Boolean(arg?.enter), typed: false, released: null, up: false,
    press: null, // of the mouse button
    judged: false, // whether that is one of a control, which has to get a click
    keyed: null, // what a key presses, as press
    redraws: null, // what sees the page change then
    records: [], // of that
    by: null, // what has sent the form of invalid
    button: null, // the default button of the form of el
    sending: null, // the form that a click is to send
    unsent: false, // whether no form is to be sent
  };
  if (arg?.unsent) holdForm(el, watched);
  if (!held && pressedByKey(el)) redrawsAround(el, watched);
  if (defaultButton(el)) {
    const mine = watched;
    mine.button = defaultButton(el);
    mine.value = inputValue(el);
    mine.observer = new MutationObserver((list) => { mine.changed ||= answersIn(mine, list); });
    for (const root of new Set([ownerOf(el), rootOf(el)])) {
      mine.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
  }
  return {};
}

// holdForm keeps the browser from sending the form of a field by the key Enter, while w is
// under way. The browser does so once the keypress is over, and nothing has prevented it; what
// the page makes of the key itself, it has done before, at the keydown.
function holdForm(el, w) {
  w.unsent = true;
  const view = viewOf(ownerOf(el));
  const hold = (event) => {
    if (watched !== w) unlisten(view, 'keypress', hold, true);
    else if (event.isTrusted && keyOf(event) === 'Enter' && isTag(pathOf(event)[0], 'input')) preventEvent(event);
  };
  listen(view, 'keypress', hold, { capture: true });
}

const isThereYet = (el) => {
  fresh();
  return isConnected(el) && isVisible(el);
};

// lostByLeaving says that what was pressed is gone since another field lost the focus: it
// stood (w.stood) when that did.
const lostByLeaving = (stood, el) => (stood && !isThereYet(el) ? 'it is gone since the field before lost the focus' : '');

// answersIn reports whether a change of the page may be its answer to Enter. That its default
// button is disabled now is none.
const answersIn = (w, list) => list.some(({ type, target }) => type !== 'attributes' || target !== w.button);

// disabledDefault returns the button without which Enter in a field sends no form: the
// default button of the form, where that is disabled.
function disabledDefault(field) {
  const button = defaultButton(field);
  return button && disabledBy(button) ? button : null;
}

function defaultButton(field) {
  if (!isTag(field, 'input') || !takesText(field)) return null;
  const form = submitterForm.input(field), root = rootOf(field);
  if (!form || !selectAll[typeOf(root)]) return null;
  for (const el of selectAll[typeOf(root)](root, 'button,input')) {
    if (isSubmitter(el) && submitterForm[tagOf(el)](el) === form) return el;
  }
  return null;
}

// nothingCame says why Enter in a field has done nothing: the form was not sent, and the
// page has changed nothing, so it has not taken the key in another way.
function nothingCame(w) {
  if (!w.observer || w.changed || w.from !== w.el || !isConnected(w.el)) return '';
  if (inputValue(w.el) !== w.value || deepActive() !== w.el) return '';
  const button = disabledDefault(w.el);
  return button ? `its form is not sent while the default button ${describe(button)} is disabled` : '';
}

const phaseOf = getter(Event.prototype, 'eventPhase');

function onWatched(event) {
  const w = watched;
  if (w.press && event.isTrusted) leaves(w.press, event);
  switch (event.type) {
    case 'keydown':
      keyDown(w, event);
      break;
    case 'keyup':
      w.up = !w.from; // a key that was held
      if (w.up) keyDown(w, event);
      w.released = event;
      break;
    case 'pointerdown': // what that disables sees no mousedown
    case 'mousedown':
      w.from = pathOf(event)[0];
      w.key = null;
      if (!w.held && !w.press) aimAt(w, event);
      break;
    case 'pointerup':
      if (!w.press) break;
      if (!pathOf(event).some((n) => w.press.goals.has(n))) letsGo(w.press, event);
      w.press.ups++;
      break;
    case 'click':
      w.clicked = true;
      w.sending = sendingOf(event);
      clickOn(w.press ?? w.keyed, event);
      break;
    case 'input':
      w.typed = true;
      break;
    case 'change':
    case 'focusout':
      w.change = event;
      break;
    case 'submit':
      w.submit = event;
      w.invalid = null;
      break;
    case 'invalid':
      if (w.invalid || !mayStop(w)) break;
      w.invalid = event.target;
      w.by = w.key && isCommand(w.key) ? rootElementOf(ownerOf(w.from)) : w.from;
  }
}

// aimAt begins the press of a mouse button on what is at its point.
function aimAt(w, event) {
  fresh();
  const down = pathOf(event)[0], near = nearest(down, CONTROLS), field = near && controlOf(near);
  w.judged = field !== null && !takesText(field) && !matches(near, 'select,option,fieldset,[contenteditable]');
  const el = w.judged ? near : down;
  w.press = { ...newPress(el, 'press', goalsOf(el), 1), main: true, down, at: { x: clientX(event), y: clientY(event) } };
  facesBefore(w.press);
  if (w.judged) barredBefore(w.press);
}

function barredBefore(p) {
  p.barred = disabledBy(p.el);
  p.busy = busyButton(p.el);
}

function clickOn(p, event) {
  if (!p || !pathOf(event).some((n) => p.goals.has(n))) return;
  if (!p.last) p.deaf = deafness(p);
  p.last = event;
  p.clicks++;
}

// lostAtPoint is lostClick for what the mouse was pressed on at a point. Only a control has to get a click.
function lostAtPoint(w) {
  const p = w.press;
  p.submit = w.submit;
  if (w.judged) return lostClick(p);
  return !w.clicked && (!isConnected(p.el) || p.vanished) ? lostClick(p) : '';
}

// pressedByKey is the control at el that the key Enter presses.
function pressedByKey(el) {
  const control = nearest(el, 'button,input,a[href],area[href],summary');
  return control && !takesText(control) ? control : null;
}

const MOST_LIKE = 200; // controls among which the one that is drawn anew is sought
const MOST_REDRAWS = 5000; // changes; a page that makes more shows something, and the watch may never be ended

// redrawsAround observes for w how the page around el changes.
function redrawsAround(el, w) {
  const observer = w.redraws = new MutationObserver((more) => {
    w.records = w.records.concat(more);
    if (w.records.length <= MOST_REDRAWS) return;
    observer.disconnect();
    w.redraws = null;
    w.records = [];
  });
  for (const root of new Set([ownerOf(el), rootOf(el)])) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true, characterDataOldValue: true });
  }
}

// keyPress is the press by a key of what has the focus, where that is a control that the
// browser presses then.
function keyPress(w, event) {
  fresh();
  const key = keyOf(event), control = pressedByKey(w.from);
  if (w.up || !control || !(key === 'Enter' || (key === ' ' && !isLink(control))) || withKey.some((held) => held(event))) return null;
  w.redraws?.takeRecords();
  w.records = [];
  const p = { ...newPress(control, 'press', new Set([control]), 1), down: w.from, key: true, html: outerHTMLOf(control), face: pressFace(control), state: stateBeside(control) };
  barredBefore(p);
  return p;
}

// stateBeside is what a page shows without a change of its tree.
const stateBeside = (el) => JSON.stringify([viewOf(ownerOf(el))?.location.href, queryAll(ownerOf(el), ':popover-open').length,
  queryAll(ownerOf(el), 'input,select,textarea').slice(0, 1000).map((field) => [valueIn(field), isInput(field, 'checkbox', 'radio') && isChecked(field)])]);

const valueIn = (field) => ({ input: inputValue, select: selectValue, textarea: textareaValue }[tagOf(field)]?.(field));

// redrawnByKey says that the page has drawn what a key presses anew as it was, so that no click
// has followed, and that it shows nothing else that has come of the key.
function redrawnByKey(w) {
  const p = w.keyed;
  if (!w.redraws || isConnected(p.el)) return '';
  const come = new Set(), gone = new Set();
  for (const { addedNodes, removedNodes } of w.records) {
    for (const n of removedNodes) if (!come.delete(n)) gone.add(n);
    for (const n of addedNodes) if (!gone.delete(n)) come.add(n);
  }
  const drawn = [...come].filter(isConnected), was = [outerHTMLOf(p.el), p.html];
  const like = drawn.filter(isElement).flatMap((n) => [n, ...queryAll(n, CSS.escape(localName.call(p.el)))])
    .filter((n) => was.includes(outerHTMLOf(n)) || pressFace(n) === p.face);
  const shape = like.length ? shapeOf([...gone], p.el) : '';
  const anew = like.slice(0, MOST_LIKE).find((n) => shapeOf(drawn, n) === shape);
  if (!anew || stateBeside(anew) !== p.state) return '';
  const has = deepActive(); // where the focus went on, the key has done that
  if (has && !isTag(has, 'body', 'html') && !isInside(anew, has) && !isInside(has, anew)) return '';
  if (w.records.some((r) => changes(r, anew))) return '';
  return `the page drew it anew${was.includes(outerHTMLOf(anew)) ? ' as it was' : ''} when the key went down on it`;
}

// shapeOf is what nodes show, but for how what is around el is marked, such as a row that is
// chosen.
function shapeOf(nodes, el) {
  const shape = (n) => {
    if (!isElement(n)) return typeOf(n) === TEXT ? fold(dataOf(n)) : '';
    if (n === el) return '<>';
    if (!contains(n, el)) return outerHTMLOf(n);
    return `<${tagOf(n)}${stated(n)}>${[...childNodesOf(n)].map(shape).join('')}`;
  };
  return nodes.map(shape).join('');
}

const childNodesOf = getter(Node.prototype, 'childNodes');
const isStated = (name) => /^(aria-(?!selected|current|activedescendant)|open$|hidden$|inert$)/.test(name);
const stated = (el) => getAttributeNames.call(el).filter(isStated).map((name) => ` ${name}=${attr(el, name)}`).join('');

// changes reports whether a record is of a change that is seen, beside el and how what is
// around it is marked.
function changes({ type, target, oldValue, attributeName }, el) {
  if (type === 'childList' || !isConnected(target)) return false;
  if (type === 'characterData') return dataOf(target) !== oldValue;
  if (contains(el, target) || attr(target, attributeName) === oldValue) return false;
  return !contains(target, el) || isStated(attributeName);
}

function keyDown(w, event) {
  w.from = pathOf(event)[0];
  w.key = event;
  w.typed = false;
  w.released = null;
  w.keyed = w.held ? null : keyPress(w, event);
  if (!w.observer || !w.enter || keyOf(event) !== 'Enter') return;
  w.observer.takeRecords(); // what was typed before Enter is no answer to it
  w.changed = false;
  w.value = inputValue(w.el);
}

// mayStop reports whether a field that is found invalid now may stop a form that the input
// sends. A handler of what is left checks that field, whatever was pressed, and one of what is
// typed, or of any key that is released, checks it for show.
function mayStop(w) {
  if (w.change && phaseOf(w.change) !== 0) return false;
  if (!w.key) return true;
  const enter = keyOf(w.key) === 'Enter';
  if (w.typed || w.enter && !enter) return false;
  return enter || !w.released || phaseOf(w.released) === 0;
}

const withKey = ['ctrlKey', 'altKey', 'metaKey'].map((name) => getter(KeyboardEvent.prototype, name));

// isCommand reports whether a key acts on the page, and not on the control that has the focus.
const isCommand = (key) => keyOf(key) === 'Enter' || /^F\d+$/.test(keyOf(key)) || withKey.some((held) => held(key));

// inputSeen ends the watch and reports what stopped the input: a field that is invalid, or
// that the control was disabled before its click.
async function inputSeen() {
  const w = watched;
  if (!w) return {};
  await afterTurns();
  if (!w.invalid && byInvalid(w.el)) await settled(w.el, w.asks);
  await new Promise((resolve) => later(resolve, 0)); // the navigation of a form has been reported by then
  if (watched === w) watched = null;
  fresh();
  if (!w.from) return {};
  w.changed ||= answersIn(w, w.observer?.takeRecords() ?? []);
  w.observer?.disconnect();
  w.records = w.records.concat(w.redraws?.takeRecords() ?? []);
  w.redraws?.disconnect();
  const taken = w.key && wasPrevented(w.key);
  const enter = w.key && keyOf(w.key) === 'Enter';
  const open = !taken && !w.clicked && !w.held && !w.submit; // nothing has followed
  const p = w.key ? w.keyed : w.press;
  let lost = '';
  if (p && !w.key) lost = lostAtPoint(w);
  else if (p && !w.submit) lost = lostByKey(p, open);
  return {
    invalid: blockedSubmit({ el: w.by ?? w.from, invalid: w.invalid, submit: w.submit }),
    lost,
    anew: open && p && w.key ? redrawnByKey(w) : '',
    unsent: open && enter && !w.up && !w.unsent ? nothingCame(w) : '',
    notSent: w.invalid ? null : unsentBy(w.sending, w.submit),
    sent: w.unsent && Boolean(w.submit),
    desc: describe(w.judged || w.key ? p?.el ?? w.from : nearest(w.from, 'button,input') ?? w.from),
  };
}

// lostByKey says why a key that pressed a control did nothing; open: no click has followed.
function lostByKey(p, open) {
  if (p.deaf && !(isLink(p.el) && !wasPrevented(p.last))) return ignoredClick(p);
  const disabled = open && isConnected(p.el) && disabledBy(p.el);
  return disabled ? `${disabled}${sinceWhen(p)}` : '';
}

const keyOf = getter(KeyboardEvent.prototype, 'key');

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
  if (p.main && p.op === 'press') await maybeBlocked(p);
  if (unsentBy(p.sending, p.submit)) await settled(p.el, p.asks); // the page may send it itself
  if (press === p) press = null;
  if (p.op === 'check') await checkSettled(p);
  fresh();
  const gone = !isConnected(p.el) || p.vanished || (p.clicks === 0 && p.down !== null && !isConnected(p.down));
  if (p.op === 'check' && last.el === p.el) {
    if (gone) keep(p.el, 'check', last.on); // what stands in its place is read by the caller
    else if (checkedState(p.el) === last.on) keep(p.el, 'check');
  }
  const reached = p.last !== null || (p.down !== null && !p.missed); // a disabled or removed element gets no click
  return {
    reached,
    down: p.down !== null,
    lost: lostClick(p),
    clicks: p.clicks,
    ups: p.ups,
    missed: p.missed ? { desc: describe(p.missed) } : null,
    covered: p.covered && (p.expanded || !isExpanded(p.el)) ? describe(p.covered) : '',
    invalid: blockedSubmit(p),
    submitted: p.submit !== null,
    notSent: p.invalid || p.op !== 'press' ? null : unsentBy(p.sending, p.submit),
    closing: window.closed, // the page closes its tab
    saves: Boolean(p.last) && !wasPrevented(p.last) && nearest(p.el, 'a[download][href],area[download][href]') !== null,
    gone,
    checked: gone ? null : checkedState(p.el),
    works: p.op === 'check' && (gone || isAtWork(p.el, p.asks)),
    reverted: leftByPress(),
  };
}

// checkSettled waits for what the page makes of a check, and excuses what has changed with it.
// Of the field that was left, a click that has begun nothing changes nothing later.
async function checkSettled(p) {
  const excuses = () => {
    fresh();
    if (last.el === p.el) excuseChanged(p.el);
  };
  await afterTurns();
  if (p.field) excuses();
  const asks = p.then && asksOf(p.el), begun = !asks || asks.timers !== p.then.timers || asks.frames !== p.then.frames;
  await settled(p.el, p.asks);
  if (!p.field || begun) excuses();
}

// isAtWork reports whether a page may still set the state of el: it has begun timers since
// before, or shows that el is to be waited for.
function isAtWork(el, before) {
  return disabledBy(el) !== null || closest(el, '[aria-busy=true]') !== null || Boolean(before && asksOf(el)?.timers > before.timers);
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
  const mine = last, { el, asks } = mine
  if (!el) return { value: '', secret: false, same: false, alike: false, desc: '', connected: false };
  if (coming) await arrival?.over; // in front of the page's handlers of it
  if (mine.keyed) await releaseUnnamed(el, mine, coming);
  await settled(el, asks, coming ? 3 : 2);
  fresh();
  if (mine.editor) return editorHolds(mine, value ?? '');
  let result = { ...compared(el, value ?? ''), desc: describe(el), connected: isConnected(el) };
  if (result.connected && (result.same || result.alike)) result = { ...result, ...await beyond(el, value ?? '') };
  result.secret ||= mine.secret; // the page may show it meanwhile
  if (value && result.connected) result.invalid = invalidBy(el);
  if (isTag(el, 'select')) result.values = chosenValues(el);
  excuseChanged(el, mine);
  if (result.values) keep(el, 'select', undefined, mine);
  else if (result.connected && (result.same || result.alike)) keep(el, 'fill', value ?? '', mine);
  return result;
}

async function editorHolds(mine, want) {
  const { editor } = mine;
  await nextFrame(); // it draws with the frame after its script has run
  fresh();
  const same = showsOnly(editor, want);
  excuseChanged(mine.el, mine);
  if (same) keep(editor, 'editor', want, mine);
  const value = same ? want : cut(readable(editor), LONGEST_NAME);
  return { value, secret: false, same, alike: false, desc: describe(editor), connected: isConnected(editor) };
}
