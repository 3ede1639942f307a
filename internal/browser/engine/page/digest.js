// A digest of what a page shows, to compare two moments, and the hues of its texts.

import { chosenValues, valueOf } from './controls.js';
import { ELEMENT, TEXT, attr, dataOf, isChecked, isInput, isTag, ownerOf, rectOf, rootElementOf, styleOf, tagOf, typeOf } from './dom.js';
import { byCSS, flatKids } from './flat.js';
import { reach } from './reach.js';
import { disabledBy } from './ready.js';
import { fold, isSecret, rendered, textIndex, textOf } from './text.js';
import { isVisible } from './visible.js';

const SHOWN_STATES = ['aria-invalid', 'aria-checked', 'aria-selected', 'aria-expanded', 'aria-pressed', 'aria-disabled', 'aria-busy', 'aria-valuenow', 'open'];
const STATEFUL = `input:not([type=hidden]),textarea,select,button,form,details,dialog,${SHOWN_STATES.slice(0, -1).map((name) => `[${name}]`).join(',')}`;
const PICTURES = 'img,svg,canvas,video,i,[class*=icon i]';
const HINTS = '[role=tooltip],[class*=tooltip i]';
const MOST_COMPARED = 5000;

// digest returns a hash of what el shows: texts, values of fields, states of controls, and
// pictures. For a whole document it includes the frames in it. Colours, positions and class names
// do not count, nor tooltips.
export function digest(el) {
  const whole = el === rootElementOf(ownerOf(el)) || isTag(el, 'body');
  const places = whole ? [ownerOf(el), ...reach().docs.filter((doc) => doc !== ownerOf(el))] : [el];
  const parts = places.map((place) => shownText(place));
  for (const control of byCSS(places, STATEFUL).slice(0, MOST_COMPARED)) if (isVisible(control)) parts.push(heldState(control));
  for (const picture of byCSS(places, PICTURES).slice(0, MOST_COMPARED)) if (isVisible(picture)) parts.push(`${tagOf(picture)} ${attr(picture, 'src') ?? ''}`);
  return hashOf(parts.join('\n'));
}

function shownText(place) {
  let text = fold(typeOf(place) === ELEMENT ? rendered(place) : textIndex(place).shown.text);
  for (const hint of byCSS([place], HINTS)) if (isVisible(hint)) text = text.replace(textOf(hint), '');
  return fold(text);
}

function heldState(el) {
  const secret = isSecret(el), field = isTag(el, 'input', 'textarea');
  const holds = secret ? valueOf(el).length : field ? valueOf(el) : isTag(el, 'select') ? chosenValues(el) : '';
  return JSON.stringify([tagOf(el), holds, isInput(el, 'checkbox', 'radio') && isChecked(el), isTag(el, 'form') ? '' : disabledBy(el) !== null, SHOWN_STATES.map((name) => attr(el, name))]);
}

// hashOf returns a 53-bit hash of a text.
export function hashOf(text) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

// hasHue reports whether el has words directly in it, in a colour of that hue.
export const hasHue = (el, hue) => [...flatKids(el)].some((kid) => typeOf(kid) === TEXT && /\p{L}/u.test(dataOf(kid))) && hueOf(el) === hue;

// liesOver reports whether el is positioned over the page, and covers less than half of it.
export function liesOver(el) {
  const { position } = styleOf(el), box = rectOf(el);
  return (position === 'fixed' || position === 'absolute') && box.width * box.height < innerWidth * innerHeight / 2;
}

// hueOf returns the usual name of an element's text colour; black and white are grey.
export function hueOf(el) {
  const [r, g, b] = rgbOf(styleOf(el).color), most = Math.max(r, g, b), range = most - Math.min(r, g, b);
  if (range < 50) return 'grey';
  const sixth = most === r ? (g - b) / range : most === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  const degrees = (sixth * 60 + 360) % 360;
  return HUES.find(([end]) => degrees < end)[1];
}

/** @type {[number, string][]} */
const HUES = [[21, 'red'], [45, 'orange'], [70, 'yellow'], [165, 'green'], [255, 'blue'], [338, 'purple'], [361, 'red']];

const colours = new Map(); // computed colour -> [red, green, blue]
const MOST_COLOURS = 1000;

// rgbOf returns the parts of a computed colour. The browser converts colours that are not written
// as rgb().
function rgbOf(colour) {
  const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)/.exec(colour);
  if (plain) return plain.slice(1).map(Number);
  if (!colours.has(colour)) {
    if (colours.size >= MOST_COLOURS) colours.clear();
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    colours.set(colour, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return colours.get(colour);
}
