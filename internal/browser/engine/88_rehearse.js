// Rehearsing: what runs for the first time in a document is slow there, until the browser
// has prepared what it touches and has learned what it is given. A document that has
// loaded and has nothing else to do is therefore looked at before anybody asks.
//
// Nothing is scrolled, focused or listened to, the browser is asked for nothing that it
// would have to build first, and no element gets a number: but for the time, and the
// numbers that a window gives to frames and timers (45_turn.js), nobody can tell
// afterwards that it was done.

const REHEARSED = 60; // nodes of the walk
const REHEARSING = 5; // ms after which the walk ends, about
const ROUNDS = 3; // of acts: what they all do is then compiled, and not while somebody waits

const queryFirst = Document.prototype.querySelector;

// What is acted on most, with what is done to it that leaves no trace.
const ACTED_ON = [
  ['button,a[href]', ['visible', 'enabled', 'stable', 'hit'], 'point'],
  ['input:not([type=hidden])', ['visible', 'enabled', 'editable'], 'kind'],
  ['select', ['visible', 'enabled'], 'kind'],
  ['body', ['visible'], 'kind'],
];

// The parts are short, for the page may have something to do again.
const rehearsal = [
  ...Array(ROUNDS).fill(() => rehearse(() => ACTED_ON.forEach(rehearseAct))),
  () => rehearse(() => tree({ interactive: true, nodes: REHEARSED, rehearsal: true })),
];

function rehearse(part) {
  rehearsing = true;
  try {
    part();
  } finally {
    rehearsing = false;
  }
}

function rehearseAct([css, need, name]) {
  const el = queryFirst.call(document, css);
  if (!el) return;
  const req = { query: { parts: [{ kind: 'css', value: 'body' }] }, need, strict: true, op: { name } };
  const st = new State(req), was = last;
  st.scrolled = Infinity; // it does not scroll
  try {
    fresh(req);
    const found = resolve(req.query, lookOptions(req, st));
    ambiguous(found.els);
    attempt(req, st, el, found);
    last = { el, op: name, asks: asksOf(el) };
    held({ value: '' }).catch(() => {});
  } catch (err) {
    if (!(err instanceof Fail)) throw err;
  } finally {
    last = was;
  }
}
