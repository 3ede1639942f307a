// Selectors: from a query to the elements that it matches, in document order. The kinds whose parts
// are themselves selectors are implemented here, as are the short ones; the others are functions of
// other modules.

import { byRole } from './byrole.js';
import { describe, mark } from './describe.js';
import { DOCUMENT, ELEMENT, attr, getter, isElement, matches, method, ownerOf, parentOf, typeOf } from './dom.js';
import { isSeen } from './drawn.js';
import { byField } from './fields.js';
import { byCSS, isInside, nearest, plainMessage, unique, up } from './flat.js';
import { frameAt, isFrame } from './frames.js';
import { byClass, closestTo, linkedBy, nextTo, outsideOf, plainTest, scoped, wantsSeen } from './kinds.js';
import { byLabel } from './labels.js';
import { spend } from './limits.js';
import { Fail } from './look.js';
import { ambiguous, pick, several } from './pick.js';
import { Crossing, documentIn } from './reach.js';
import { byRef } from './refs.js';
import { DIALOGS } from './roles.js';
import { bySays } from './says.js';
import { scrollersOf } from './scrollers.js';
import { followsHeading, isOnTop, isRival, sections } from './sections.js';
import { TABLES, byRow } from './table.js';
import { fold, matcher } from './text.js';
import { nodesUnder } from './under.js';
import { assured } from './verdicts.js';
import { isVisible } from './visible.js';
import { byText, textTest } from './words.js';

// once is the options of a look that does not wait.
export const once = { decided: new Map(), grace: 0, visible: true };

// resolve returns {els, won, part, before}: the elements that a query matches below within (by
// default the document), and the candidates of aliases that won. If nothing matches, part is the
// part of the query that failed, and before the elements before it.
//
// opt.visible: an alias needs a visible match. opt.union: all candidates of an alias count, to wait
// until all are gone. opt.decided: a map from an alias's part to the winner of this wait.
// opt.grace: ms for which a fallback must still wait. opt.frames: "visible" if a match in a hidden
// frame is a failure, "gone" if it counts as no match.
export function resolve(query, opt, within) {
  opt.bare ??= new Set(); // fields that consist of their control alone
  opt.beside ??= new Map(); // field -> function that returns what to search if the field contains no match
  if (!within) return assured(() => resolveParts(query.parts, opt, [document], []));
  try {
    return resolveParts(query.parts, opt, within, []);
  } catch (err) {
    if (!(err instanceof Crossing)) throw err;
    throw new Fail('frame', { message: `${mark(frameAt(err.result.frame))} is a frame of another origin, which a filter, field: or any: cannot search` });
  }
}

function locate(err, ...steps) {
  return err instanceof Crossing ? err.under(...steps) : err;
}

function resolveParts(parts, opt, within, won, from = 0) {
  let els = within;
  for (let i = from; i < parts.length; i++) {
    if (parts[i].kind === 'within' && i < parts.length - 1) return inSections(parts, i, opt, els, won);
    const next = partOf(parts, i, opt, els, won);
    if (!next.length) return { els: next, won, part: parts[i], before: els };
    els = next;
  }
  return { els, won };
}

function partOf(parts, i, opt, within, won) {
  try {
    if (parts[i].kind === 'alias') return decide(parts[i], opt, within, won, i === parts.length - 1);
    if (parts[i].kind === 'any' || parts[i].kind === 'either') return united(parts[i], opt, within, won);
    if (parts[i].kind === 'frame' && !opt.frames && parts.slice(i + 1).some(wantsSeen)) opt = { ...opt, frames: 'gone' };
    const found = inFields(parts[i], opt, within, won);
    if (found.length || FILTERS.has(parts[i].kind) || !opt.beside.size) return found;
    const beside = unique(within.flatMap((el) => opt.beside.get(el)?.(opt) ?? []), true);
    return beside.length ? inFields(parts[i], opt, beside, won) : found;
  } catch (err) {
    throw locate(err, i);
  }
}

const inFields = (part, opt, within, won) => (!FILTERS.has(part.kind) && within.some((el) => opt.bare.has(el)) ? inBare(part, opt, within, won) : step(part, opt, within, won));

const FILTERS = new Set(['has-text', 'has', 'not', 'is', 'visible', 'scroller', 'nth', 'closest', 'next', 'under', 'linked', 'none']); // parts that filter or step on from elements, and search nothing below them

function step(part, opt, within, won) {
  switch (part.kind) {
    case 'css':
      return byCSS(within, scoped(part.value));
    case 'xpath':
      return byXPath(part.value, within);
    case 'class':
      return byClass(part.names, within);
    case 'role':
      return byRole(part, within);
    case 'text':
      return byText(part, within);
    case 'says':
      return bySays(part, within);
    case 'label':
      return byLabel(part, within);
    case 'placeholder':
    case 'alt':
    case 'title':
    case 'testid':
      return byAttribute(part, within);
    case 'field':
      return byField(part, within, opt);
    case 'within':
      return unique(sections(part, within).map(([innermost]) => innermost.scope), true);
    case 'row':
      return byRow(part, within);
    case 'frame':
      return inFrame(part.frame.parts, opt, within, won);
    case 'has-text':
      return filter(within, textTest(matcher(part.op === '~' ? '~' : '*', part.value, part.needs)));
    case 'has':
      return filter(within, (el) => resolve(part.has, innerOptions(opt), [el]).els.length > 0);
    case 'not':
      return chosenBy(outsideOf, elementsOf(within), part.has, opt);
    case 'visible':
      return filter(within, isSeen);
    case 'scroller':
      return scrollersOf(within);
    case 'nth':
      return nth(within, part.index ?? 0);
    case 'is':
      return filter(within, meantBy(part.has, elementsOf(within), opt));
    case 'closest':
      return chosenBy(closestTo, within.filter(isElement), part.has, opt);
    case 'next':
      return chosenBy(nextTo, within.filter(isElement), part.has, opt);
    case 'linked':
      return linkedBy(within, part.value);
    case 'under':
      return nodesUnder(within, (els) => meantAround(part.has, els, opt));
    case 'these':
      return opt.these;
    case 'none':
      return [];
    case 'ref':
      return byRef(part, opt, within, won);
    default:
      throw new Fail('selector', { message: `unknown kind ${part.kind}` });
  }
}

// innerOptions returns the options for a selector in parentheses: the step does not wait for that.
const innerOptions = (opt) => ({ ...opt, visible: false, grace: 0, frames: '' });

// decide tries the candidates of an alias and returns the winner's matches. If more parts follow, a
// match counts as visible if anything in it is.
function decide(part, opt, within, won, isLast) {
  const seen = (el) => isVisible(el) || (!isLast && byCSS([el], '*').some(isVisible));
  const tries = new Map();
  const look = (i) => {
    if (!tries.has(i)) {
      const inner = [];
      const { els, fail } = candidate(part.alts[i].parts, i, opt, within, inner);
      tries.set(i, { i, els, inner, fail, good: els.length > 0 && (!opt.visible || els.some(seen)) });
    }
    return tries.get(i);
  };
  if (opt.union) return unique(part.alts.flatMap((_, i) => look(i).els), true);
  const win = winner(part, opt, look);
  if (win) {
    opt.decided?.set(part, win.i);
    won.push(...win.inner, { alias: part.alias ?? '', index: win.i });
    return win.els;
  }
  // Nothing has won yet; matches that are not visible are reported as such.
  const best = opt.grace > 0 ? look(0) : [...tries.values()].find((t) => t.els.length) ?? look(0);
  if (best.fail) throw best.fail;
  return best.els;
}

// candidate resolves one candidate of an alias, as {els, fail}. A failure that may pass counts as
// no match.
export function candidate(parts, i, opt, within, won) {
  try {
    return resolveParts(parts, opt, within, won);
  } catch (err) {
    if (!(err instanceof Fail) || !err.late) throw locate(err, i);
    return { els: [], fail: err };
  }
}

// winner returns the candidate that this wait has already decided on, else the first that matches,
// or null. A fallback has to wait for opt.grace, unless it has won before (part.prefer). It may
// have won on another page, so the candidates before it are still tried first.
function winner(part, opt, look) {
  const decided = opt.decided?.get(part);
  if (decided !== undefined && look(decided).good) return look(decided);
  const last = opt.grace > 0 ? part.prefer ?? 0 : part.alts.length - 1;
  for (let i = 0; i <= last && i < part.alts.length; i++) if (look(i).good) return look(i);
  return null;
}

const filter = (els, keep) => elementsOf(els).filter(keep);

// elementsOf returns all elements of a document: a filter at the start of a query filters those.
const elementsOf = (els) => (els.length && typeOf(els[0]) === DOCUMENT ? byCSS(els, '*') : els);

function nth(within, index) {
  const els = elementsOf(within);
  const el = els.at(index);
  return el ? [el] : [];
}

// byXPath compiles an expression once for each document: to parse it again for each of many elements
// would take many times as long as to evaluate it.
function byXPath(value, within) {
  const found = [];
  let of = null, path = '', compiled = null;
  for (const scope of within) {
    spend();
    const doc = typeOf(scope) === DOCUMENT ? scope : ownerOf(scope);
    const wanted = scope !== doc && value.startsWith('/') ? '.' + value : value;
    try {
      if (doc !== of || wanted !== path) [of, path, compiled] = [doc, wanted, compileXPath(doc, wanted, null)];
      const nodes = evaluateXPath(compiled, scope, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      for (let i = 0; i < nodes.snapshotLength; i++) {
        const el = elementAt(nodes.snapshotItem(i));
        if (el) found.push(el);
      }
    } catch (err) {
      throw new Fail('selector', { message: `${value}: ${plainMessage(err)}` });
    }
  }
  return unique(found, within.length > 1);
}

const compileXPath = method(Document.prototype, 'createExpression');
const evaluateXPath = method(XPathExpression.prototype, 'evaluate');
const attrOwner = getter(Attr.prototype, 'ownerElement');
const elementAt = (node) =>
  typeOf(node) === ELEMENT ? node : typeOf(node) === Node.ATTRIBUTE_NODE ? attrOwner(node) : isElement(parentOf(node)) ? parentOf(node) : null;

// inFrame returns the document of the one frame that parts match, as a list.
function inFrame(parts, opt, within, won) {
  let els;
  try {
    ({ els } = resolveParts(parts, opt, within, won));
  } catch (err) {
    throw locate(err, -1);
  }
  if (!els.length) return [];
  const other = els.find((el) => !isFrame(el));
  if (other) throw new Fail('frame', { message: `${describe(other)} is not a frame` }, true);
  const many = els.some(isVisible) ? ambiguous(els) : els.length > 1 && several(els);
  if (many) throw new Fail('ambiguous', { ...many, frames: true }, true);
  return documentIn(pick(els), opt, won);
}

// The attribute must be there: an empty value would otherwise match every element.
function byAttribute(part, within) {
  const name = part.attr || part.kind;
  const m = matcher(part.op, part.value ?? '');
  return byCSS(within, `[${CSS.escape(name)}]`).filter((el) => m.test(fold(attr(el, name))));
}

// inSections resolves the rest of a selector under each title, in the innermost section that has a
// match. Matches in a dialog win over those behind it, even if those are in another dialog.
function inSections(parts, i, opt, within, won) {
  const all = sections(parts[i], within), found = new Map(); // section -> what matches in it
  let best = null, failed = null;
  for (const shown of [true, false]) {
    const hits = [];
    for (const list of all) {
      const dialog = nearest(list[0].scope, DIALOGS);
      if (hits.some((hit) => hit.dialog && !isRival(dialog, hit.dialog))) continue;
      const hit = firstWith(list, parts, i, opt, shown, found);
      if (!hit.els.length) {
        failed ??= hit;
        continue;
      }
      if (hits.length && hits[0].dialog && isOnTop(dialog) && !isOnTop(hits[0].dialog)) hits.length = 0;
      hits.push({ ...hit, dialog });
    }
    if (hits.length) {
      best = { ...hits[0], els: unique(hits.flatMap((hit) => hit.els), hits.length > 1) };
      break;
    }
  }
  if (!best) return failed ? { ...failed, won } : { els: [], won, part: parts[i], before: within };
  won.push(...best.won);
  return { ...best, won };
}

function firstWith(list, parts, i, opt, shown, found) {
  let last = null;
  for (const section of list) {
    if (!found.has(section)) found.set(section, inSection(section, parts, i, opt));
    last = found.get(section);
    if (shown ? last.els.some(isVisible) : last.els.length) return last;
  }
  return { ...last, els: [] };
}

function inSection({ scope, after }, parts, i, opt) {
  if (after) return behind(after, parts, i + 1, opt, scope);
  if (matches(scope, TABLES)) opt.bare.add(scope); // the title is the table's own caption or name
  return resolveParts(parts, opt, [scope], [], i + 1);
}

// behind resolves the rest of a selector in what follows a heading. The first part alone is limited
// to that.
function behind(heading, parts, i, opt, scope) {
  const keep = (els) => els.filter((el) => followsHeading(el, heading, scope));
  if (parts[i].kind === 'within') {
    const got = resolveParts(parts, opt, [scope], [], i);
    return { ...got, els: keep(got.els) };
  }
  const won = [], first = keep(partOf(parts, i, opt, [scope], won));
  return first.length ? resolveParts(parts, opt, first, won, i + 1) : { els: [], won, part: parts[i], before: [scope] };
}

// inBare is step for a field that consists of its control alone: the control itself may match too.
function inBare(part, opt, within, won) {
  const bare = within.filter((el) => opt.bare.has(el)), rest = within.filter((el) => !opt.bare.has(el));
  const around = step(part, opt, unique(bare.map(up).filter(Boolean), true), won);
  return unique([...step(part, opt, bare, won), ...around.filter((el) => bare.some((b) => isInside(el, b))), ...(rest.length ? step(part, opt, rest, won) : [])], true);
}

// united returns what any of several queries match or, for the kind "either", what the first query
// with a match matches. A query that fails for now counts as one without matches, unless no query
// has any.
function united(part, opt, within, won) {
  const els = [];
  let failed = null;
  for (const query of part.alts) {
    try {
      const found = resolve(query, opt, within);
      els.push(...found.els);
      won.push(...found.won);
    } catch (err) {
      if (!(err instanceof Fail) || !err.late) throw err;
      failed ??= err;
    }
    if (els.length && part.kind === 'either') break;
  }
  if (!els.length && failed) throw failed;
  return unique(els, true);
}

// chosenBy calls choose with els and a test of whether an element matches query.
const chosenBy = (choose, els, query, opt) => choose(els, meantBy(query, els, opt));

// meantBy returns a test of whether an element matches query, which is resolved once in the
// documents of els. A query that begins with a filter filters els.
function meantBy(query, els, opt) {
  const test = query.parts.length === 1 && plainTest(query.parts[0]);
  if (test) return test;
  const found = new Set(meantAround(query, els, opt));
  return (el) => found.has(el);
}

function meantAround(query, els, opt) {
  const own = { ...innerOptions(opt), union: false, these: els, bare: new Set(), beside: new Map() };
  return [...new Set(els.map(ownerOf))].flatMap((doc) => resolve(query, own, [doc]).els);
}
