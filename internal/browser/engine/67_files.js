// Files: the file input that is meant, what it takes, and what it was given.

const inputFiles = getter(HTMLInputElement.prototype, 'files');
const takesSeveral = getter(HTMLInputElement.prototype, 'multiple');
const takesFolder = getter(HTMLInputElement.prototype, 'webkitdirectory');
const fileCount = getter(FileList.prototype, 'length'), fileOf = method(FileList.prototype, 'item');
const fileName = getter(File.prototype, 'name'), fileSize = getter(Blob.prototype, 'size');
const folderPath = getter(File.prototype, 'webkitRelativePath');

const FILE_EVENTS = ['input', 'change'];
const UPLOAD_TIME = 2000; // ms that the files of a folder may take to come

let giving = null;

OPS.files = (el) => (isInput(el, 'file') ? { mode: 'input', takes: takeFiles(el) } : { mode: 'press' });

// fileInput is the file input that el is, labels or contains; el itself when there
// is none.
function fileInput(el) {
  if (isInput(el, 'file')) return el;
  const near = nearest(el, 'label');
  const control = near && isTag(near, 'label') ? labelControl(near) : null;
  if (control && isInput(control, 'file')) return control;
  const inside = rootsIn(el).flatMap((root) => queryAll(root, 'input')).filter((n) => isInput(n, 'file'));
  if (inside.length > 1) {
    throw new Refusal(`${describe(el)} contains ${inside.length} file inputs, expected one`, { count: inside.length }, 'soon',
      { code: 'ELEMENT_AMBIGUOUS', next: `name one of them: ${inside.slice(0, MAX_LINES).map(describe).join('; ')}` });
  }
  return inside[0] ?? el;
}

// takeFiles gets ready for what a file input is given, and tells what it takes. A page
// may empty the input as soon as it has seen the files: what its own events showed
// counts.
function takeFiles(el) {
  const why = disabledBy(el);
  if (why !== null) throw new Refusal(`${describe(el)}: ${why}`, { missing: 'enabled' }, 'always', { code: 'ELEMENT_NOT_INTERACTABLE', next: 'do what enables it first' });
  giving?.end();
  const on = (event) => {
    if (targetOf(event) !== el && !pathOf(event).includes(el)) return;
    if (!giving || giving.el !== el) return;
    giving.seen ??= listFiles(el);
    if (event.type === 'change') giving.done?.();
  };
  // A change event does not leave a shadow root, and an input may be in no document.
  const places = [...new Set([viewOf(ownerOf(el)), rootOf(el)])].filter(Boolean);
  for (const place of places) for (const type of FILE_EVENTS) listen(place, type, on, true);
  const observer = new MutationObserver((list) => {
    mine.changes.push(...list);
    mine.changed?.();
  });
  for (const root of rootsIn(ownerOf(el))) observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  const mine = {
    el, was: isConnected(el), asks: asksOf(el), previews: countPreviews(), seen: null, done: null, changes: [], changed: null, observer,
    said: saidBefore(el),
    end: () => places.forEach((place) => FILE_EVENTS.forEach((type) => unlisten(place, type, on, true))),
  };
  giving?.observer.disconnect();
  giving = mine;
  return { several: takesSeveral(el) || takesFolder(el), folder: takesFolder(el), accept: attr(el, 'accept') ?? '', el: element(el) };
}

function listFiles(el) {
  const files = inputFiles(el), list = [];
  for (let i = 0; files && i < fileCount(files); i++) {
    const file = fileOf(files, i);
    list.push({ name: folderPath(file) || fileName(file), size: fileSize(file) });
  }
  return list;
}

// filesFor is the input that files are to be put into.
const filesFor = () => giving?.el ?? null;

// dropFiles empties the input, which the protocol cannot.
function dropFiles() {
  if (!giving || !listFiles(giving.el).length) return;
  setInputValue(giving.el, '');
  changed(giving.el);
}

// filesGiven tells what the input has been given, after the page's handlers: what they
// saw, null where none was called, what it holds now, whether the page shows
// any of the names, and what it says against them.
async function filesGiven({ wait = false, names = [] } = {}) {
  const g = giving;
  if (!g) return { seen: null, holds: [] };
  if (wait && !g.seen) {
    await new Promise((resolve) => {
      g.done = resolve;
      later(resolve, UPLOAD_TIME);
    });
  }
  await nextFrame();
  fresh();
  g.end();
  const holds = !g.was || isConnected(g.el) ? listFiles(g.el) : []; // what the page has removed holds nothing that counts
  last.asks = g.asks;
  excuseChanged(g.el);
  if (holds.length && g.was) keep(g.el, 'files', { names, previews: g.previews });
  return { seen: g.seen, holds, shown: showsFiles(g, names), complaint: complaintOf(g, names, holds.length > 0) };
}

// filesShown waits, for at most wait ms, until the page shows that it has taken files out
// of an input, or says that it refuses them. With no wait it ends the look.
async function filesShown({ wait = 0, names = [] } = {}) {
  const g = giving;
  if (!g) return { shown: false, complaint: '' };
  let shown = false, complaint = '';
  const look = () => {
    shown = showsFiles(g, names);
    complaint = complaintOf(g, names, false);
    return shown || complaint;
  };
  if (wait > 0 && !look()) {
    await new Promise((resolve) => {
      g.changed = () => { if (look()) resolve(); };
      later(resolve, wait);
    });
  }
  g.observer.disconnect();
  g.end();
  if (giving === g) giving = null;
  return { shown, complaint };
}

const PREVIEW = 'img[src^="blob:"],img[src^="data:"],video[src^="blob:"],canvas,object,embed';

// showsFiles reports whether something has come up on the page, since it was given files,
// that shows the name of one or a picture, and is no complaint.
function showsFiles(g, names) {
  g.changes.push(...g.observer.takeRecords());
  fresh();
  return g.changes.some((change) => {
    const around = typeOf(change.target) === ELEMENT ? change.target : up(change.target);
    if (!around || !isConnected(around) || nearest(around, COMPLAINING)) return false;
    if (change.type === 'attributes') {
      return around !== g.el && isVisible(around) && (presents(attr(around, change.attributeName) ?? '', names) || matches(around, PREVIEW));
    }
    return addedBy(change, around).some((n) => isConnected(n) && isVisible(n) && !matches(n, COMPLAINING) &&
      (sayingsIn(n).some((s) => !nearest(s.el, COMPLAINING) && presents(s.text, names)) || matches(n, PREVIEW) || queryAll(n, PREVIEW).some(isVisible)));
  });
}

const addedBy = (change, around) => (change.type === 'childList' ? [...change.addedNodes].map((n) => (typeOf(n) === ELEMENT ? n : around)) : [around]);

const countPreviews = () => queryAll(document, PREVIEW).filter(isVisible).length;

// showsNow reports whether the page shows the name of a file outside of its complaints, or
// more pictures than before it was given the files.
function showsNow({ names, previews }) {
  if (countPreviews() > previews) return true;
  const stems = names.map(bare).filter(Boolean);
  // A name may be drawn in two parts, to be shortened between them.
  const mayBePart = (text) => text.length > 1 && stems.some((stem) => text.includes(stem) || stem.includes(text));
  return rootsIn(document).some((root) => sayingsIn(root, mayBePart).some((s) => isVisible(s.el) && !nearest(s.el, COMPLAINING) && presents(s.text, names)));
}

// takesDrop reports whether what is dragged over the page may be dropped there.
const takesDrop = () => Boolean(grabbed?.over) && wasPrevented(grabbed.over);
