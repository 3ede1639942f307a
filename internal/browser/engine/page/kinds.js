// Selector kinds that choose by a test of each element (not, closest, next), by a class or by an
// id. They climb the tree as it is drawn: through slots and out of shadow roots.

import { attr, isElement, matches, nextOf } from './dom.js';
import { byCSS, plainMessage, unique, up } from './flat.js';
import { spend } from './limits.js';
import { Fail } from './look.js';
import { referenced } from './names.js';

// byClass finds the elements that have for each name a class that is it, or ends in it
// after a hyphen.
export function byClass(names, within) {
  const css = names.map((name) => `[class*=${CSS.escape(name)}]`).join('');
  return byCSS(within, css).filter((el) => hasClasses(el, names));
}

function hasClasses(el, names) {
  const words = (attr(el, 'class') ?? '').split(/[\t\n\f\r ]+/);
  return names.every((name) => words.some((word) => word === name || word.endsWith('-' + name)));
}

// plainTest is the test for a part that says of an element alone whether it matches; null
// for others.
export function plainTest(part) {
  if (part.kind === 'class') return (el) => hasClasses(el, part.names);
  if (part.kind !== 'css' || scoped(part.value).includes(':scope')) return null;
  return (el) => {
    try {
      return matches(el, part.value);
    } catch (err) {
      throw new Fail('selector', { message: `${part.value}: ${plainMessage(err)}` });
    }
  };
}

// remembered returns find, which gets from an element to what it stands for by way of others:
// step(el) is {is} when that is known, or {then}, the element of which it is that too. Each
// element is asked of once.
function remembered(step) {
  const known = new Map();
  return (el) => {
    const way = [];
    let is = null;
    for (let n = el; n; ) {
      if (known.has(n)) {
        is = known.get(n);
        break;
      }
      spend();
      way.push(n);
      const to = step(n);
      if (to.is) {
        is = to.is;
        break;
      }
      n = to.then;
    }
    for (const n of way) known.set(n, is);
    return is;
  };
}

// matchAround finds the nearest element around one, itself included, that is meant.
const matchAround = (isMeant) => remembered((n) => (isMeant(n) ? { is: n } : { then: up(n) }));

// outsideOf lists those of els that are not in an element that is meant.
export function outsideOf(els, isMeant) {
  const found = matchAround(isMeant);
  return els.filter((el) => found(el) === null);
}

// closestTo lists, for each of els, the nearest element around it that is meant.
export const closestTo = (els, isMeant) => unique(els.map(matchAround(isMeant)).filter(Boolean), true);

// nextTo lists, for each of els, the next sibling that is meant. Siblings are those of the
// document, wherever slots draw them.
export function nextTo(els, isMeant) {
  const behindIt = remembered((n) => {
    const next = elementBehind(n);
    return next && isMeant(next) ? { is: next } : { then: next };
  });
  return unique(els.map(behindIt).filter(Boolean), true);
}

// linkedBy finds the elements whose ids an attribute of each element names.
export const linkedBy = (within, name) => unique(within.filter(isElement).flatMap((el) => referenced(el, name)), true);

// wantsSeen reports whether a part keeps what is visible only: nothing in a hidden frame is.
export const wantsSeen = (part) => part.kind === 'visible' || Boolean(part.alts?.some((alt) => alt.parts.some(wantsSeen)));

function elementBehind(el) {
  let n = nextOf(el);
  while (n && !isElement(n)) n = nextOf(n);
  return n;
}

// A leading combinator is relative to the elements before.
export const scoped = (css) => (/^\s*[>+~]/.test(css) ? ':scope ' + css : css);
