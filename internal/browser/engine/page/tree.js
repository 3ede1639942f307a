// The tree of a snapshot: one walk over the document as it is rendered, through open shadow roots,
// slots and same-origin frames.
//
// Elements that only group boxes are left out. Text that belongs to no named element is collected
// into runs. The budget applies here too: once enough is found, the rest of the page is only
// counted.

import { addURL, attributesOf, valueShown } from './attributes.js';
import { bare } from './compare.js';
import { contextsOf } from './context.js';
import { checkVisibility, isBeyond } from './depth.js';
import {
  ELEMENT, TEXT, assignedTo, attr, beAt, dataOf, firstOf, hasAttr, here, isEditableContent, labelControl, matches, nextOf, now, queryAll,
  rootElementOf, shadowOf, styleOf, tagOf, typeOf,
} from './dom.js';
import { seen } from './explain.js';
import { isFlat, nearest } from './flat.js';
import { deepActive, frameDocument, frameKey } from './frames.js';
import { readyOf, titleOf } from './host.js';
import { LONGEST_READ } from './limits.js';
import { cache } from './look.js';
import { referenced, roleOf, trim } from './names.js';
import { firstSeen, hiddenTops, nextWalk, numberOf, numbered, partial } from './numbers.js';
import { ambiguous, pick } from './pick.js';
import { oneLook } from './queries.js';
import { CONTEXT, INLINE, INTERACTIVE, LEAVES, STRUCTURAL, TAG_ROLES } from './roles.js';
import { once, resolve } from './select.js';
import { LONGEST_NAME, isClickable, isDetailed, isNameless, roleShown, shownName } from './shown.js';
import { DEEPEST, cut, drawsIn, endOf, fold, isCJK, isRendered } from './text.js';
import { loaded } from './turns.js';
import { confirm } from './verdicts.js';
import { areasOf } from './visible.js';

const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'desc', 'datalist', 'param', 'source', 'track', 'area',
  'colgroup', 'option', 'optgroup', 'frameset', 'br', 'wbr']);
const MEDIA = new Set(['video', 'audio', 'canvas', 'embed', 'object']);
const CLASSES = { interactive: 0, content: 1, structural: 2, text: 3 };
// Content with its own structure, which a clickable box must not hide.
const ORDERED = 'table,ul,ol,dl,form,' + ['row', 'grid', 'list', 'listbox', 'tree', 'menu'].map((r) => `[role=${r}]`).join(',');
// The role of an element that is only counted.
const COUNTED = {
  ...TAG_ROLES, a: 'link', area: 'link', button: 'button', input: 'textbox', select: 'combobox', textarea: 'textbox', summary: 'button', li: 'listitem',
  td: 'cell', th: 'columnheader', img: 'image', table: 'table', tr: 'row', ul: 'list', ol: 'list',
};
const TICKED = new Set(['checkbox', 'radio', 'switch']); // controls whose text follows them

const breaks = new Map(); // display -> whether such a box starts a new line
function breaksText(display) {
  let b = breaks.get(display);
  if (b === undefined) breaks.set(display, (b = !/^(inline|contents|ruby)/.test(display)));
  return b;
}
const isBlank = /^\s*$/;
const SEALED = 20; // elements whose closed root is requested in one walk
const HINT = 60; // characters of the text that distinguishes a row
const COUNTING = 40; // ms for counting what is not shown
const WALKING = 1500; // ms after which a walk ends in any case

const asked = new WeakSet(); // elements whose closed root was requested

class Walk {
  nodes = [];
  seen = 0;
  hidden = 0;
  sure = 0; // nodes that will surely be shown
  more = 0; // nodes left out at the top level
  over = 0; // time at which counting began, or 0
  stopped = false;
  cut = new Set();
  run = ''; // text of the current run
  runEnd = false; // whether the run ends in white space
  runIn = -1; // index of the node that contains the run
  runOf = null; // element that contains the run
  mapped = null; // area of an image map that is walked with its image
  said = ''; // text since the last interactive element
  named = []; // elements whose names are shown
  links = []; // [node, element] of named links; their URL is shown if two are alike
  sealed = []; // numbers of elements that may have a closed shadow root
  began = now();

  constructor(req) {
    this.req = req;
    this.interactive = Boolean(req.interactive);
    this.limit = (req.nodes || 200) * (this.interactive ? 1 : 2) + 1;
    this.most = 6 * this.limit + 500;
    this.textMost = Math.min(req.text || 200, 100000) + 1;
    this.active = deepActive();
    this.lit = this.active ? referenced(this.active, 'aria-activedescendant')[0] : null;
    this.number = nextWalk();
  }

  // enough reports whether enough is shown, and then starts the counting.
  enough() {
    if (this.over) return true;
    if (this.sure < this.limit && this.nodes.length < this.most) return false;
    this.over = now();
    this.cut.add('max_nodes');
    return true;
  }

  tired() {
    if (this.stopped) return true;
    if (this.seen % 128) return false;
    const at = now();
    if (at - this.began < WALKING && (!this.over || at - this.over < COUNTING)) return false;
    this.stopped = true;
    this.cut.add('max_time');
    return true;
  }

  // element walks el. at is the index of the node around it, leaf whether only interactive elements
  // are shown inside that, and pointer whether the cursor around el is a pointer already.
  element(el, at, depth, leaf, pointer) {
    if (this.over) {
      this.count(el, at, depth);
      return;
    }
    this.seen++;
    if (this.tired()) return;
    const tag = tagOf(el);
    if (UNREAD.has(tag) && el !== this.mapped) {
      if (tag === 'br') this.gap();
      return;
    }
    beAt(el);
    const { css, names } = here;
    const shown = this.sees(el, css, names);
    if (shown === null) return;
    if (depth > DEEPEST) {
      this.cut.add('max_depth');
      this.leftOut(at);
      return;
    }
    if (tag.includes('-')) this.custom(el);
    const block = breaksText(css.display);
    if (block) this.flush();
    const own = roleOf(el);
    const hasPointer = css.cursor === 'pointer';
    const role = shown ? this.roleFor(el, tag, own, leaf, hasPointer && !pointer) : 'none';
    if (INLINE.has(role)) {
      this.kids(el, tag, at, depth, leaf || isNamingLabel(el, tag), hasPointer);
    } else if (shown) {
      this.known(el);
      this.node(el, tag, role, at, depth, leaf, hasPointer);
    }
    if (block) this.flush();
  }

  // sees returns true if el is visible, false if only its content may be, and null if neither is.
  sees(el, css, names) {
    const boxed = checkVisibility(el), visible = boxed ? css.visibility === 'visible' : el === this.mapped || isRendered(el);
    const muted = names.includes('aria-hidden') && attr(el, 'aria-hidden') === 'true';
    if (visible && !muted && !names.includes('inert')) return true;
    if (boxed && !visible && !muted) return false; // visibility: hidden
    this.hidden += 1 + queryAll(el, '*').length;
    this.hides(el);
    return null;
  }

  // custom requests the closed shadow root of a custom element, once: only the browser knows
  // whether it has one.
  custom(el) {
    if (this.sealed.length >= SEALED || asked.has(el) || shadowOf(el)) return;
    asked.add(el);
    this.sealed.push(this.key(el));
  }

  // forget makes the next walk request the closed roots again.
  forget() {
    this.sealed.forEach((n) => asked.delete(numbered(n)));
  }

  known(el) {
    if (!firstSeen.has(el)) firstSeen.set(el, this.number);
  }

  hides(el) {
    hiddenTops.add(el);
    this.known(el);
  }

  key(el) {
    return numberOf(el, this.number);
  }

  roleFor(el, tag, own, leaf, pointed) {
    if (tag === 'iframe') return 'iframe';
    if (MEDIA.has(tag) && (own === '' || own === 'generic')) return tag;
    const role = tag === 'html' && !hasAttr(el, 'role') ? 'generic' : roleShown(el, own);
    if (tag === 'label' && !leaf && standsForHidden(el)) return 'clickable';
    if (INTERACTIVE.has(role) || !isClickable(el, tag, pointed)) return role;
    // A clickable part of a named element belongs to that element.
    return leaf || STRUCTURAL.has(role) ? role : 'clickable';
  }

  // count counts what would have been shown, by tags and role attributes alone.
  count(el, at, depth) {
    this.seen++;
    if (this.tired() || depth > DEEPEST) return;
    const tag = tagOf(el);
    if (UNREAD.has(tag) && el !== this.mapped) return;
    if (!checkVisibility(el) && el !== this.mapped && (isBeyond(el) || styleOf(el).display !== 'contents')) {
      this.hidden++;
      this.hides(el);
      return;
    }
    const role = hasAttr(el, 'role') ? roleOf(el) : COUNTED[tag] ?? '';
    if (role) this.known(el);
    if (INTERACTIVE.has(role) || (role && !this.interactive && !STRUCTURAL.has(role) && !INLINE.has(role))) this.leftOut(at);
    if (!isClosed(el, tag, role)) this.kids(el, tag, at, depth, true, false);
  }

  // node adds a node for el, or counts el.
  node(el, tag, role, at, depth, leaf, pointer) {
    const kind = INTERACTIVE.has(role) ? 'interactive' : STRUCTURAL.has(role) ? 'structural' : 'content';
    if (kind !== 'interactive' && (leaf || (this.interactive && !CONTEXT.has(role)))) {
      if (!leaf && role === 'heading') this.hint(at, el, role);
      this.kids(el, tag, at, depth, leaf || LEAVES.has(role), pointer);
      return;
    }
    this.flush();
    if (this.enough()) {
      this.count(el, at, depth);
      return;
    }
    const name = shownName(el, role), around = this.nodes[at];
    if (role === 'clickable' && around?.c === CLASSES.interactive && around.n === name) { // a repeated wrapper
      this.kids(el, tag, at, depth, true, pointer);
      return;
    }
    const n = { p: at, k: this.key(el), c: CLASSES[kind], r: role, n: name, e: el };
    const i = this.nodes.push(n) - 1;
    if (role !== 'clickable' && role !== 'iframe' && !isNameless(el, role)) this.named.push(el);
    this.describe(n, el, tag, role, kind);
    const closed = LEAVES.has(role) && !(role === 'clickable' && queryAll(el, ORDERED).length > 0);
    if (kind === 'interactive' || (kind === 'content' && n.n)) this.sure++;
    if (tag === 'iframe') this.frame(el, n, i, depth);
    else if (!isClosed(el, tag, role)) this.kids(el, tag, i, depth, closed, pointer);
    this.flush();
    if (role === 'clickable' && this.onlyWraps(i)) this.unwrap(i);
  }

  // onlyWraps reports whether a node is only a wrapper around one interactive node that says as
  // much.
  onlyWraps(i) {
    const n = this.nodes[i], kid = this.nodes[i + 1];
    if (kid?.p !== i || kid.c !== CLASSES.interactive || n.m || (n.n && bare(n.n) !== bare(kid.n))) return false;
    for (let at = i + 2; at < this.nodes.length; at++) if (this.nodes[at].p === i) return false;
    return true;
  }

  unwrap(i) {
    const [{ p }] = this.nodes.splice(i, 1);
    this.sure--;
    for (let at = i; at < this.nodes.length; at++) {
      const n = this.nodes[at];
      if (n.p >= i) n.p = n.p === i ? p : n.p - 1;
    }
  }

  describe(n, el, tag, role, kind) {
    const attrs = kind === 'structural' ? [] : attributesOf(el, tag, role, this);
    if (role === 'link' && kind !== 'structural') this.link(n, el, tag, attrs);
    if (role === 'dialog' && matches(el, ':modal')) attrs.push(['modal', 'true', '1']);
    if (attrs.length) n.a = attrs;
    const value = kind === 'structural' ? null : valueShown(el, tag, role);
    if (value) n.v = cut(value, this.textMost);
    if (kind !== 'interactive') return;
    if (!n.n) this.pointOut(n, el, attrs);
    this.said = '';
  }

  // link adds the URL of a link. In a snapshot of interactive elements, only links with the same
  // name get it, which are known at the end of the walk.
  link(n, el, tag, attrs) {
    if ((tag !== 'a' && tag !== 'area') || !isDetailed(el)) return;
    if (this.interactive && n.n && !this.req.inner) this.links.push([n, el]);
    else addURL(attrs, el);
  }

  // twins adds the URLs of links that share their name with others, or may do so with links in a
  // frame.
  twins() {
    const equals = new Map(), framed = this.nodes.some((n) => n.f);
    for (const n of this.nodes) if (n.r === 'link') equals.set(n.n, (equals.get(n.n) ?? 0) + 1);
    for (const [n, el] of this.links) if (framed || equals.get(n.n) > 1) addURL((n.a ??= []), el);
  }

  // contexts adds what distinguishes elements with the same role and name.
  contexts() {
    const groups = new Map();
    for (const n of this.nodes) {
      if (n.c !== CLASSES.interactive && (this.interactive || n.c !== CLASSES.content || !n.n)) continue;
      const key = `${n.r}\n${n.n}`;
      if (groups.has(key)) groups.get(key).push(n);
      else groups.set(key, [n]);
    }
    const beside = Boolean(this.req.query); // equal elements may be outside of the query's match
    for (const nodes of groups.values()) {
      if (nodes.length < 2 && !beside) continue;
      const found = contextsOf(nodes.map((n) => n.e), beside);
      for (const n of nodes) if (found.has(n.e)) n.x = found.get(n.e);
    }
  }

  // pointOut adds what identifies a control without a name: the text before it, its id or its
  // class.
  pointOut(n, el, attrs) {
    if (attrs.some(([name]) => name === 'placeholder' || name === 'options')) return;
    const near = TICKED.has(n.r) ? '' : endOf(this.said, HINT);
    const mark = !n.v && ['id', 'class'].find((name) => trim(attr(el, name) ?? ''));
    if (near) attrs.push(['near', near]);
    else if (mark) attrs.push([mark, cut(fold(attr(el, mark)), HINT)]);
    if (attrs.length) n.a = attrs;
  }

  // frame walks into a same-origin frame. For another frame it only adds the frame's number.
  frame(el, n, i, depth) {
    const doc = frameDocument(el);
    const top = doc && rootElementOf(doc);
    if (top) this.element(top, i, depth + 1, false, false);
    else if (!doc) n.f = frameKey(el);
  }

  kids(el, tag, at, depth, leaf, pointer) {
    if (tag === 'img') this.areas(el, at, depth, leaf, pointer);
    const shadow = shadowOf(el);
    const assigned = tag === 'slot' && !shadow ? assignedTo(el) : null;
    if (assigned?.length) {
      for (const kid of assigned) this.kid(kid, el, at, depth, leaf, pointer);
    } else {
      for (let kid = firstOf(shadow ?? el); kid && !this.stopped; kid = nextOf(kid)) this.kid(kid, el, at, depth, leaf, pointer);
    }
  }

  // areas walks the areas of an image's map. They are shown at the image, wherever the map is,
  // which need not be rendered.
  areas(image, at, depth, leaf, pointer) {
    for (const area of areasOf(image)) {
      if (this.stopped) return;
      this.mapped = area;
      this.element(area, at, depth + 1, leaf, pointer);
    }
    this.mapped = null;
  }

  kid(kid, el, at, depth, leaf, pointer) {
    const type = typeOf(kid);
    if (type === ELEMENT) this.element(kid, at, depth + 1, leaf, pointer);
    else if (type === TEXT && !leaf) this.text(kid, el, at);
  }

  text(node, el, at) {
    const data = dataOf(node).slice(0, LONGEST_READ);
    const body = isBlank.test(data) ? '' : fold(data);
    if (!body) {
      this.gap();
      return;
    }
    if (!drawsIn(el)) return;
    if (this.runIn !== at) this.flush();
    const apart = this.run && (this.runEnd || /^\s/.test(data)) && !(isCJK.test(this.run.at(-1)) && isCJK.test(body[0]));
    if (!this.run) this.runOf = el;
    if (this.run.length < this.textMost) this.run += (apart ? ' ' : '') + body;
    this.runIn = at;
    this.runEnd = /\s$/.test(data);
  }

  gap() {
    if (this.run) this.runEnd = true;
  }

  // flush ends the current run of text.
  flush() {
    if (!this.run) return;
    const text = this.run, at = this.runIn;
    this.run = '';
    this.runEnd = false;
    if (this.interactive) {
      this.addHint(at, text);
      this.said = text;
      const before = this.nodes.at(-1);
      if (before && TICKED.has(before.r) && !before.n && !before.a?.some(([name]) => name === 'near')) {
        before.a = [...(before.a ?? []).filter(([name]) => name !== 'id' && name !== 'class'), ['near', cut(text, HINT)]];
      }
      return;
    }
    const around = this.nodes[at];
    if (this.enough() || (around && around.n === text)) return; // the text already names the node around it, as a caption does
    this.nodes.push({ p: at, k: this.key(this.runOf), c: CLASSES.text, r: 'text', t: cut(text, this.textMost) });
    this.sure++;
  }

  hint(at, el, role) {
    this.addHint(at, shownName(el, role));
  }

  // addHint adds text that distinguishes a node from others with the same role and name.
  addHint(at, text) {
    const n = this.nodes[at];
    if (n && n.c !== CLASSES.interactive && (n.h ?? '').length < HINT) n.h = cut(n.h ? n.h + ' ' + text : text, HINT);
  }

  leftOut(at) {
    if (at < 0) this.more++;
    else this.nodes[at].m = (this.nodes[at].m ?? 0) + 1;
  }
}

// isNamingLabel reports whether el is a label whose text names a control.
const isNamingLabel = (el, tag) => tag === 'label' && labelControl(el) !== null && !nearest(labelControl(el), '[aria-hidden=true]');

// standsForHidden reports whether a label is all that is visible of a control.
const standsForHidden = (el) => isNamingLabel(el, 'label') && !isRendered(labelControl(el));

// isClosed reports whether a snapshot shows nothing inside el.
function isClosed(el, tag, role) {
  if (tag === 'svg') return !queryAll(el, '[role],[tabindex],a').length; // except in a chart with interactive parts
  if (tag === 'select' || tag === 'textarea' || tag === 'input' || MEDIA.has(tag)) return true;
  return role === 'textbox' && isEditableContent(el);
}

// columns returns the nodes field by field: fields that all nodes have as lists, the others as maps
// from the index of the node.
function columns(nodes) {
  const all = { p: [], k: [], c: [], r: [], roles: [], g: [], tags: [], n: [], t: {}, h: {}, a: {}, v: {}, m: {}, f: {}, x: {} };
  const roles = new Map(), tags = new Map();
  const index = (known, list, word) => {
    if (!known.has(word)) known.set(word, list.push(word) - 1);
    return known.get(word);
  };
  nodes.forEach((node, i) => {
    all.p.push(node.p);
    all.k.push(node.k);
    all.c.push(node.c);
    all.r.push(index(roles, all.roles, node.r));
    all.g.push(index(tags, all.tags, node.e?.localName ?? ''));
    all.n.push(node.n ?? '');
    for (const field of SOME_HAVE) if (node[field]) all[field][i] = node[field];
  });
  return all;
}
const SOME_HAVE = ['t', 'h', 'a', 'v', 'm', 'f', 'x'];

// tree returns the tree of the page, or of the match of query, once the page has loaded or has been
// waited for. The nodes are in document order, each with the index of its parent.
export function tree(req) {
  const load = req.inner ? null : loaded();
  return load ? load.then(() => treeNow(req)) : treeNow(req);
}

function treeNow(req) {
  return oneLook(req, () => {
    isFlat(document);
    const tops = req.query ? resolve(req.query, { ...once, decided: new Map() }) : { els: [rootElementOf(document)], won: [] };
    if (!tops.els.length) return { ok: false, reason: 'none', seen: seen(tops) };
    if (req.query) {
      const many = ambiguous(tops.els);
      if (many) return many;
    }
    const w = new Walk(req);
    if (!req.inner && readyOf(document) !== 'complete') w.cut.add('loading');
    const top = tops.els.length === 1 ? tops.els[0] : pick(tops.els);
    try {
      if (top) w.element(top, -1, 0, false, false);
    } catch (err) {
      w.forget(); // the walk will be repeated
      throw err;
    } finally {
      beAt(null);
    }
    w.flush();
    w.twins();
    w.contexts();
    if (w.stopped && w.number) partial.add(w.number);
    confirm(w.named, w.limit);
    if (cache.unsure.size) w.forget();
    return {
      ok: true, won: tops.won,
      tree: {
        url: location.href, title: cut(titleOf(document), LONGEST_NAME), nodes: columns(w.nodes), more: w.more, cut: [...w.cut], sealed: w.sealed,
        stats: { nodes_seen: w.seen, nodes_hidden: w.hidden, ms: Math.round((now() - w.began) * 10) / 10 },
      },
    };
  });
}
