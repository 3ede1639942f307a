// Controls that a run has set. A change of one that comes while the run sends no input is
// the page's own, and a revert. The setting of another control excuses what changes in its
// read-back, focus nothing, and any other input all that follows.

const LATE = 500; // ms after an input within which the page's timers may take it back
const MOST_KEPT = 1000;

let kept = []; // {run, ref, root, what, want, value, traits, desc, secret, at, timers, files, excused, reverted}

const SETTING = new Set(['fill', 'type', 'check', 'select', 'files']);
const SENDING = new Set(['press', 'grab', 'dropzone', 'hover', 'focus', 'scrollBy', 'point', ...SETTING]);

// keep notes that a run has set el, what: how. The value that was set last counts.
function keep(el, what, want) {
  const { keep: run, secret } = last;
  if (!run) return;
  kept = kept.filter((k) => k.run === run && k.ref.deref() !== el).slice(-MOST_KEPT);
  kept.push({
    run, ref: new WeakRef(el), root: new WeakRef(rootOf(el) ?? document), what, want, value: keptState(el, what), traits: traitsOf(el), desc: describe(el),
    secret: Boolean(secret) || isInput(el, 'password'), at: now(), timers: hasBegunTimers(el), excused: false, reverted: null,
  });
}

// forgetKept is for el when it was changed in a way that nothing compares.
const forgetKept = (el) => {
  kept = kept.filter((k) => k.ref.deref() !== el);
};

// hasBegunTimers reports whether the page has begun any since the last operation, on el.
const hasBegunTimers = (el) => Boolean(last.asks) && asksOf(el)?.timers > last.asks.timers;

function keptState(el, what) {
  if (what === 'check') return checkedState(el);
  if (what === 'files') return listFiles(el).map((file) => file.name);
  return what === 'select' ? chosenValues(el) : compared(el, '').value;
}

// isHeld reports whether el still is as it was set. Files are held, too, where the page has
// taken them out of the input and shows them.
function isHeld(el, k) {
  const state = keptState(el, k.what);
  if (k.what === 'files') return state.length > 0 || showsNow(k.want);
  if (JSON.stringify(state) === JSON.stringify(k.value)) return true;
  return k.what === 'fill' && (sameValue(el, state, k.want) || alike(el, state, k.want));
}

const traitsOf = (el) => [tagOf(el), attr(el, 'type'), attr(el, 'id'), attr(el, 'name'), attr(el, 'placeholder'), attr(el, 'aria-label'),
  ...labelsOf(el).map((label) => fold(textContentOf(label)))];

// stillThere is the element of k, or the one that the page has put in its place; null where
// none is known to be that. An input for files is often replaced by an empty one.
function stillThere(k) {
  const el = k.ref.deref();
  if (el && isConnected(el)) return el;
  const root = k.root.deref();
  if (k.what === 'files' || !k.traits.slice(2).some(Boolean)) return null;
  const twins = queryAll(root && isConnected(root) ? root : document, k.traits[0]).filter((n) => JSON.stringify(traitsOf(n)) === JSON.stringify(k.traits));
  return twins.length === 1 ? twins[0] : null;
}

const heldBy = (run) => kept.filter((k) => k.run === run && !k.excused && !k.reverted);

// lookBack looks at what the run has set, before input is sent to el, and lists what has
// been reverted: the document may be gone afterwards. undefined where there is nothing.
function lookBack(el, op) {
  if (!op.keep || !kept.length) return undefined;
  const sets = SETTING.has(op.name), excuses = !sets && op.name !== 'focus';
  for (const k of heldBy(op.keep)) {
    if (k.ref.deref() !== el) noteRevert(k);
    k.excused ||= excuses;
  }
  return revertsOf(op.keep, sets ? el : null);
}

// lookAround is lookBack before input that is sent to no element.
function lookAround({ run }) {
  fresh();
  heldBy(run).forEach(noteRevert);
  return revertsOf(run);
}

function noteRevert(k) {
  const el = stillThere(k);
  if (el && !isHeld(el, k)) k.reverted = { holds: keptState(el, k.what) };
}

const revertsOf = (run, but = null) => kept.filter((k) => k.run === run && k.reverted && (!but || k.ref.deref() !== but)).map((k) => ({
  desc: k.desc, secret: k.secret, files: k.what === 'files', set: k.secret ? '' : shownState(k.value), holds: k.secret ? '' : shownState(k.reverted.holds),
}));

// excuseChanged: what has changed along with the input to el may depend on it. What changes
// later, in a timer, does not hold what was asked for.
function excuseChanged(el) {
  for (const k of heldBy(last.keep)) {
    if (k.ref.deref() === el) continue;
    const n = stillThere(k);
    k.excused = !n || !isHeld(n, k);
  }
}

// excuse is called after input that may change any control, also later.
function excuse() {
  for (const k of kept) k.excused = true;
}

// reverted lists the controls that do not hold any more what the run has set. With wait, where
// the page has a timer from then or waits for an answer (busy), it is looked at frame by frame
// until LATE ms have passed since.
async function reverted({ run, wait = false, busy = false }) {
  const until = Math.max(0, ...heldBy(run).filter((k) => wait && (k.timers || busy)).map((k) => k.at + LATE));
  for (;;) {
    fresh();
    heldBy(run).forEach(noteRevert);
    if (now() >= until || kept.some((k) => k.run === run && k.reverted)) break;
    await nextFrame();
  }
  const found = revertsOf(run);
  kept = [];
  return found;
}

const shownState = (state) => (typeof state === 'boolean' ? (state ? 'checked' : 'unchecked') : Array.isArray(state) ? state.join(', ') : String(state));
