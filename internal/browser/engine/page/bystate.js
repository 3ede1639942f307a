// Whether the style sheets of a page draw something by the state of a checkbox or radio button.

import { matches, ownerOf, rootOf, selectAll, typeOf } from './dom.js';

const MOST_RULES = 20000; // CSS rules that are read

// byState reports whether a CSS rule draws something by the state of el itself, or null if a style
// sheet cannot be read.
export function byState(el) {
  const root = rootOf(el), doc = ownerOf(el), sheets = new Set([doc, root].flatMap((at) => [...(at.styleSheets ?? []), ...(at.adoptedStyleSheets ?? [])]));
  let left = MOST_RULES, unread = false;
  const draws = (rules) => {
    for (const rule of rules) {
      if (left-- <= 0) return (unread = true);
      const text = rule.selectorText;
      if (text?.includes(':checked') && statesOf(text).some((part) => isMeant(el, part))) return true;
      if (rule.cssRules?.length && draws(rule.cssRules)) return true;
      if (rule.styleSheet && draws(rule.styleSheet.cssRules)) return true;
    }
    return false;
  };
  for (const sheet of sheets) {
    try {
      if (!sheet.disabled && draws(sheet.cssRules)) return unread ? null : true;
    } catch {
      unread = true; // a style sheet of another origin
    }
  }
  return unread ? null : false;
}

// statesOf returns the beginnings of the selectors of a rule, up to and including the part with
// :checked.
function statesOf(text) {
  const parts = [];
  let depth = 0, from = 0, seen = false;
  const end = (to) => {
    if (seen) parts.push(text.slice(from, to).trim());
    seen = false;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (text.startsWith(':checked', i)) seen = true;
    else if (depth === 0 && (/[\s>+~,]/.test(c) || text.startsWith('::', i))) {
      end(i);
      if (c === ',') from = i + 1;
    }
  }
  end(text.length);
  return parts;
}

// isMeant reports whether el matches part, the beginning of a selector, whatever its state is. If
// :checked is inside parentheses, el has to match what is in them.
function isMeant(el, part) {
  if (part.includes('&')) return true;
  const any = (text) => text.replaceAll(':not(:checked)', ':is(*)').replaceAll(':checked', ':is(*)');
  const inside = part.includes(':has(') || /\([^()]*:checked[^,()]*[\s>+~]+[^\s,()]/.test(part);
  try {
    if (!inside) return matches(el, any(part));
    if (!matches(el, any(compoundIn(part)))) return false;
    return selectAll[typeOf(rootOf(el))](rootOf(el), any(part)).length > 0;
  } catch {
    return true; // a selector that cannot be tested
  }
}

// compoundIn returns the compound selector that contains :checked.
function compoundIn(text) {
  const at = text.indexOf(':checked');
  let from = at, depth = 0;
  for (; from > 0; from--) {
    const c = text[from - 1];
    if (c === ')') depth++;
    else if (c === '(' && --depth < 0) break;
    else if (depth === 0 && /[\s>+~,]/.test(c)) break;
  }
  const not = text.slice(from, at) === '' && text.slice(0, from).endsWith(':not(');
  return not ? compoundIn(`${text.slice(0, from - 5)}:checked`) : text.slice(from, at + 8);
}
