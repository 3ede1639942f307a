// The state of a switch whose hidden input says something else than its aria-checked.
//
// Some libraries (Element Plus) change their model when the input is clicked, and cancel the click.
// The browser then takes back the change of `checked`, after the library has drawn the new state and
// set aria-checked. There aria-checked counts, if the page draws the same. A page may also never
// change its aria-checked, or draw `checked` by CSS: there `checked` counts.

import { byState } from './bystate.js';
import { attr, isChecked, isElement, isInput, isTag } from './dom.js';
import { byCSS, up } from './flat.js';
import { CONTROLS, visuallyHidden } from './ready.js';

const MOST_LEVELS = 3; // levels around an input that may be drawn for it
const ON = /(?:^|[-_])(?:checked|on)$/;
const OFF = /(?:^|[-_])(?:un|not-?)checked$/;
const SWITCH = /(?:^|[-_])switch$/;

// before maps the inputs of switches to their state before the last press: what was said, held and
// drawn. follows are those for which a press has changed what is said and drawn alike.
const before = new WeakMap(), follows = new WeakSet();

// saidOf returns the aria-checked of an input that is a switch, or null if there is none.
const saidOf = (el) => (attr(el, 'role') === 'switch' && isInput(el, 'checkbox') ? { true: true, false: false }[attr(el, 'aria-checked')] ?? null : null);

// noteSaid notes what is said and drawn for el before a press.
export function noteSaid(el) {
  const said = saidOf(el);
  if (said !== null) before.set(el, { said, checked: isChecked(el), ...drawnFor(el) });
}

const isAlone = (el, around) => byCSS([around], CONTROLS).every((other) => other === el || isTag(other, 'label'));

// drawnFor returns whether a class around el says that it is on, and whether one says that it is a
// switch.
function drawnFor(el) {
  let on = false, isSwitch = false;
  for (let n = up(el), i = 0; n && isElement(n) && i < MOST_LEVELS && isAlone(el, n); n = up(n), i++) {
    const words = (attr(n, 'class') ?? '').split(/\s+/);
    on ||= words.some((word) => ON.test(word) && !OFF.test(word));
    isSwitch ||= words.some((word) => SWITCH.test(word));
  }
  return { on, isSwitch };
}

// declaredState returns the state of a switch by its aria-checked, or null if the `checked` of its
// input counts.
export function declaredState(el) {
  const said = saidOf(el);
  if (said === null || said === isChecked(el) || !visuallyHidden(el)) return null;
  const drawn = drawnFor(el), was = before.get(el);
  if (was && was.said !== said && was.on !== drawn.on && drawn.on === said) follows.add(el);
  if (said) return drawn.on || null;
  const ignored = was && !was.said && !was.checked; // the press has changed only `checked`
  return !drawn.on && (follows.has(el) || (!ignored && drawn.isSwitch && byState(el) === false)) ? false : null;
}
