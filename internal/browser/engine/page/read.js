// Reading one element: its text, its value, its attributes, its box and more.

import { valueRead } from './controls.js';
import { digest } from './digest.js';
import {
  ELEMENT, TEXT, attr, attributeNames, dataOf, firstOf, htmlOf, matches, nextOf, outerHTMLOf, queryAll, rectOf, shadowOf, styleOf, tagOf,
  typeOf,
} from './dom.js';
import { fitOf } from './fits.js';
import { frameOffset } from './frames.js';
import { spend } from './limits.js';
import { Refusal } from './look.js';
import { CASES, nameOf, same } from './names.js';
import { wasRefused } from './refused.js';
import { askedAs, sharesAsked } from './repeats.js';
import { readTable } from './table.js';
import { DEEPEST, NO_TEXT, PHRASING, drawsIn, fold, isSecret, readable } from './text.js';

const STYLES = ['display', 'visibility', 'opacity', 'position', 'z-index', 'top', 'right', 'bottom', 'left', 'width', 'height', 'margin',
  'padding', 'border', 'box-sizing', 'overflow', 'color', 'background-color', 'background-image', 'font-family', 'font-size',
  'font-weight', 'font-style', 'line-height', 'text-align', 'text-decoration-line', 'text-transform', 'white-space', 'cursor',
  'pointer-events', 'transform'];

// read returns the property "what" of el; name is the name of the attribute if the property is
// "attr".
export function read(el, what, name) {
  switch (what) {
    case 'text':
      return readable(el);
    case 'own':
      return ownText(el);
    case 'html':
      return htmlOf(el);
    case 'outer_html':
      return outerHTMLOf(el);
    case 'value':
      return valueRead(el);
    case 'name':
      return nameOf(el);
    case 'attr':
      return attr(el, name);
    case 'attrs':
      return attrsRead(el);
    case 'box':
      return boxRead(el);
    case 'table':
      return readTable(el);
    case 'digest':
      return digest(el);
    case 'asked':
      return askedAs(el);
    case 'shares':
      return sharesAsked(el);
    case 'fits':
      return fitOf(el);
    case 'refused':
      return wasRefused(el) ? true : null;
    case 'styles':
      return Object.fromEntries(STYLES.map((p) => [p, styleOf(el).getPropertyValue(p)]));
    default:
      throw new Refusal(`cannot read ${JSON.stringify(what)}`);
  }
}

// What has a text of its own beside that of the element around it.
const APART = 'p,div,li,td,form,ul,ol,table,h1,h2,h3,h4,label,input,select,textarea,button,[role=button]';

// ownText returns the text of el without that of the blocks, fields and buttons in it, in the case in
// which the page shows it.
function ownText(el) {
  if (!queryAll(el, APART).length) return readable(el);
  let text = '';
  const visit = (around, depth) => {
    spend();
    for (let n = firstOf(shadowOf(around) ?? around); n; n = nextOf(n)) {
      if (typeOf(n) === TEXT && drawsIn(around)) text += (CASES[styleOf(around).textTransform] ?? same)(dataOf(n));
      if (typeOf(n) !== ELEMENT || NO_TEXT.has(tagOf(n))) continue;
      const apart = depth > DEEPEST || matches(n, APART);
      if (apart || !PHRASING.has(tagOf(n))) text += ' ';
      if (!apart) visit(n, depth + 1);
    }
  };
  visit(el, 0);
  return fold(text);
}

// attrsRead returns all attributes, without the initial value of a password field.
function attrsRead(el) {
  const names = attributeNames(el).filter((n) => !(n === 'value' && isSecret(el)));
  return Object.fromEntries(names.map((n) => [n, attr(el, n)]));
}

function boxRead(el) {
  const box = rectOf(el), off = frameOffset(el);
  return { x: box.x + off.x, y: box.y + off.y, width: box.width, height: box.height };
}

// limited cuts each text of a value to limit characters, and adds how many there were.
export function limited(value, limit) {
  let cut = false;
  const of = (v) => {
    if (typeof v === 'string') {
      const pairs = v.length > limit ? v.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0 : 0;
      if (v.length - pairs <= limit) return v;
      cut = true;
      const head = [...v.slice(0, 2 * limit)].slice(0, limit).join('');
      return `${head}… (${limit} of ${v.length - pairs} characters)`;
    }
    if (Array.isArray(v)) return v.map(of);
    if (v && typeof v === 'object') return Object.fromEntries(Object.entries(v).map(([k, item]) => [k, of(item)]));
    return v;
  };
  return { value: of(value), cut };
}
