// Selector kinds that test elements one by one (not, closest, next), or select by a class or an id.
// They use the flat tree: through slots and out of shadow roots.

import { attr, isElement, matches, nextOf } from './dom.js';
import { byCSS, plainMessage, unique, up } from './flat.js';
import { spend } from './limits.js';
import { Fail } from './look.js';
import { referenced } from './names.js';

// byClass returns the elements that have, for each name, a class that equals it or ends in a hyphen
// and the name.
export function byClass(names, within) {
  const css = names.map((name) => `[class*=${CSS.escape(name)}]`).join('');
  return byCSS(within, css).filter((el) => hasClasses(el, names));
}

function hasClasses(el, names) {
  const words = (attr(el, 'class') ?? '').split(/[\t\n\f\r ]+/);
  return names.every((name) => words.some((word) => word === name || word.endsWith('-' + name)));
}

// plainTest returns a test for a part that can be decided from an element alone, or null for other
// parts.
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

// remembered returns a function that follows step from an element to a result. step(el) returns
// {is} with the result, or {then} with the next element, whose result is the same. Each element is
// stepped from only once; a chain that ends has the result null.
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

// matchAround returns a function that returns the nearest match at or around an element, or null.
const matchAround = (isMeant) => remembered((n) => (isMeant(n) ? { is: n } : { then: up(n) }));

// outsideOf returns those of els that are neither a match nor inside one.
export function outsideOf(els, isMeant) {
  const found = matchAround(isMeant);
  return els.filter((el) => found(el) === null);
}

// closestTo returns, for each of els, the nearest match at or around it.
export const closestTo = (els, isMeant) => unique(els.map(matchAround(isMeant)).filter(Boolean), true);

// nextTo returns, for each of els, the next sibling that matches. Siblings are those in the
// document, even where slots draw them elsewhere.
export function nextTo(els, isMeant) {
  const behindIt = remembered((n) => {
    const next = elementBehind(n);
    return next && isMeant(next) ? { is: next } : { then: next };
  });
  return unique(els.map(behindIt).filter(Boolean), true);
}

// linkedBy returns the elements whose ids the attribute name of each element lists, with or without
// a # before them.
export const linkedBy = (within, name) => unique(within.filter(isElement).flatMap((el) => referenced(el, name, true)), true);

// wantsSeen reports whether a part keeps visible elements only, so that nothing in a hidden frame
// can match.
export const wantsSeen = (part) => part.kind === 'visible' || Boolean(part.alts?.some((alt) => alt.parts.some(wantsSeen)));

function elementBehind(el) {
  let n = nextOf(el);
  while (n && !isElement(n)) n = nextOf(n);
  return n;
}

// scoped makes a selector with a leading combinator relative to the elements before.
export const scoped = (css) => (/^\s*[>+~]/.test(css) ? ':scope ' + css : css);
