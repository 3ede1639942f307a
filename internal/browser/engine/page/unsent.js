// Forms that a click should have submitted but did not: the browser submits none whose submission
// the page has cancelled, and none for a button that the page has disabled or removed since.

import { describe } from './describe.js';
import {
  attr, isConnected, isElement, isInput, isTag, matches, pathOf, queryAll, submitType, submitterForm, tagOf, wasPrevented,
} from './dom.js';
import { nearest } from './flat.js';
import { asksOf } from './turns.js';

export const isSubmitter = (el) => (isTag(el, 'button') ? submitType(el) === 'submit' : isInput(el, 'submit', 'image'));

// sendingOf returns the form that the browser should submit for a click, before the click's
// handlers run, or null.
export function sendingOf(event) {
  const el = pathOf(event)[0];
  const button = event.type === 'click' && isElement(el) ? nearest(el, 'button,input') : null;
  const form = button && isSubmitter(button) ? submitterForm[tagOf(button)](button) : null;
  if (!form) return null;
  const others = queryAll(form, 'button,input').some((el) => el !== button && isSubmitter(el));
  return { click: event, button, form, others, asks: asksOf(button) };
}

// unsentBy returns why the browser has not submitted the form of a click whose default was not
// prevented: the form or button has left the page, or the button has been disabled, moved or
// changed. It returns null if the form was submitted, or if that is not known. sure: the browser
// was meant to submit the form, and the form has no other button, so that this one does not just
// close the form. byAny: any request of the page may be the submission by script.
export function unsentBy(s, submit) {
  if (!s || submit || wasPrevented(s.click) || dialogForm(s)) return null;
  const why = whyUnsent(s);
  if (!why) return null;
  const now = asksOf(s.button), begun = !s.asks || !now || now.timers !== s.asks.timers;
  // A script may submit a form that stays on the page, and disable its button against a second
  // press.
  const sure = !s.others && leadsSomewhere(s) && !(begun && isConnected(s.form));
  return { why, sure, byAny: !isPost(s) || isConnected(s.form), desc: describe(s.button) };
}

function whyUnsent({ button, form }) {
  if (!isConnected(form)) return 'the form was removed from the page';
  if (!isConnected(button)) return 'the button was removed from the page';
  if (submitterForm[tagOf(button)](button) !== form) return 'the button was removed from its form';
  if (!isSubmitter(button)) return 'the button was changed to one that submits no form';
  return matches(button, ':disabled') ? 'the button was disabled' : '';
}

const sendAttr = ({ button, form }, name) => attr(button, `form${name}`) ?? attr(form, name);
const dialogForm = (s) => /^dialog$/i.test(sendAttr(s, 'method') ?? '');
const isPost = (s) => /^post$/i.test(sendAttr(s, 'method') ?? '');

// leadsSomewhere reports whether the form has an action to which the browser can submit it. A form
// for scripts has no action, or one that leads nowhere; the action that React sets throws if the
// browser submits the form.
function leadsSomewhere(s) {
  const to = sendAttr(s, 'action')?.trim();
  if (to === undefined) return false;
  if (to === '') return isPost(s);
  return !/^#|^javascript:(?!\s*throw\b)/i.test(to);
}
