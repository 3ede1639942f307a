// Controls that a run has set. A change of one that comes while the run sends no input is
// the page's own, and a revert. What comes with input of the run is excused: with that of
// another control what changes in its read-back, with any other input all that follows.

const LATE = 500; // ms after an input within which the page's timers may take it back
const MOST_KEPT = 1000;

let kept = []; // {run, ref, what, want, value, traits, at, timers, excused, reverted}

const SETTING = new Set(['fill', 'type', 'check', 'select', 'files']);
const SENDING = new Set(['press', 'grab', 'dropzone', 'hover', 'focus', 'scrollBy', 'point', ...SETTING]);

// keep notes that a run has set el. The value that was set last counts.
function keep(el, what, want) {
  const { keep: run, asks, secret } = last;
  if (!run) return;
  kept = kept.filter((k) => k.run === run && k.ref.deref() !== el).slice(-MOST_KEPT);
  kept.push({
    run, ref: new WeakRef(el), root: new WeakRef(rootOf(el) ?? document), what, want, value: keptState(el, what), traits: traitsOf(el), desc: describe(el),
    secret: Boolean(secret) || isInput(el, 'password'), at: now(), timers: Boolean(asks) && asksOf(el).timers > asks.timers,
    excused: false, reverted: null,
  });
}

function keptState(el, what) {
  if (what === 'check') return checkedState(el);
  return what === 'select' ? chosenValues(el) : compared(el, '').value;
}

// isHeld reports whether el still is as it was set.
function isHeld(el, k) {
  const state = keptState(el, k.what);
  if (JSON.stringify(state) === JSON.stringify(k.value)) return true;
  return k.what === 'fill' && (sameValue(el, state, k.want) || alike(el, state, k.want));
}

const traitsOf = (el) => [tagOf(el), attr(el, 'type'), attr(el, 'id'), attr(el, 'name'), attr(el, 'placeholder'), attr(el, 'aria-label'),
  ...labelsOf(el).map((label) => fold(textContentOf(label)))];

// stillThere is the element of k, or the one that the page has put in its place; null where
// none is known to be that.
function stillThere(k) {
  const el = k.ref.deref();
  if (el && isConnected(el)) return el;
  const root = k.root.deref();
  if (!k.traits.slice(2).some(Boolean)) return null;
  const twins = queryAll(root && isConnected(root) ? root : document, k.traits[0]).filter((n) => JSON.stringify(traitsOf(n)) === JSON.stringify(k.traits));
  return twins.length === 1 ? twins[0] : null;
}

const heldBy = (run) => kept.filter((k) => k.run === run && !k.excused && !k.reverted);

// lookBack looks at what the run has set, before input is sent to el.
function lookBack(el, op) {
  if (!op.keep) return;
  for (const k of heldBy(op.keep)) {
    if (k.ref.deref() !== el) noteRevert(k);
    k.excused ||= !SETTING.has(op.name);
  }
}

function noteRevert(k) {
  const el = stillThere(k);
  if (el && !isHeld(el, k)) k.reverted = { holds: keptState(el, k.what) };
}

// excuseChanged: what has changed along with the input to el may depend on it.
function excuseChanged(el) {
  for (const k of heldBy(last.keep)) {
    const n = stillThere(k);
    if (k.ref.deref() !== el && (!n || !isHeld(n, k))) k.excused = true;
  }
}

// excuse is told after input that may change any control, also later.
function excuse() {
  for (const k of kept) k.excused = true;
}

// reverted lists the controls that do not hold any more what the run has set. Where the
// page has a timer from then, or waits for an answer (busy), it is looked at frame by frame
// until LATE ms have passed since.
async function reverted({ run, busy = false }) {
  const until = Math.max(0, ...heldBy(run).filter((k) => k.timers || busy).map((k) => k.at + LATE));
  for (;;) {
    fresh();
    heldBy(run).forEach(noteRevert);
    if (now() >= until || kept.some((k) => k.run === run && k.reverted)) break;
    await nextFrame();
  }
  const found = kept.filter((k) => k.run === run && k.reverted);
  kept = [];
  return found.map((k) => ({ desc: k.desc, secret: k.secret, set: k.secret ? '' : shownState(k.value), holds: k.secret ? '' : shownState(k.reverted.holds) }));
}

const shownState = (state) => (typeof state === 'boolean' ? (state ? 'checked' : 'unchecked') : Array.isArray(state) ? state.join(', ') : String(state));
