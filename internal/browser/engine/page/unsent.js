// Forms that a click should have sent and has not: the browser sends none whose submission the
// page has cancelled, and none for a button that the page has disabled or removed meanwhile.

import { describe } from './describe.js';
import {
  attr, isConnected, isElement, isInput, isTag, matches, pathOf, queryAll, submitType, submitterForm, tagOf, wasPrevented,
} from './dom.js';
import { nearest } from './flat.js';
import { asksOf } from './turns.js';

export const isSubmitter = (el) => (isTag(el, 'button') ? submitType(el) === 'submit' : isInput(el, 'submit', 'image'));

// sendingOf returns, in front of the handlers of a click, the form that the browser is to send
// for it; null for none.
export function sendingOf(event) {
  const el = pathOf(event)[0];
  const button = event.type === 'click' && isElement(el) ? nearest(el, 'button,input') : null;
  const form = button && isSubmitter(button) ? submitterForm[tagOf(button)](button) : null;
  if (!form) return null;
  const others = queryAll(form, 'button,input').some((el) => el !== button && isSubmitter(el));
  return { click: event, button, form, others, asks: asksOf(button) };
}

// unsentBy says why the browser has not sent the form of a click whose default was not
// prevented: it sends none that has left the page, nor one for a button that is no more the
// form's, is disabled, or is another kind of button since its handlers. null where it has, or
// where that is not known. sure: the form was meant for the browser to send, and not by a
// button beside others, which may only close it. byAny: any request of the page may stand for
// it, or be the first of those that do.
export function unsentBy(s, submit) {
  if (!s || submit || wasPrevented(s.click) || dialogForm(s)) return null;
  const why = whyUnsent(s);
  if (!why) return null;
  const now = asksOf(s.button), begun = !s.asks || !now || now.timers !== s.asks.timers;
  // A script may send a form that stays, behind a button that is disabled against a second press.
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

// leadsSomewhere: the form says where the browser is to send it. Where scripts are to send it,
// it has no address, or one that leads nowhere; that of React throws where the browser sends it.
function leadsSomewhere(s) {
  const to = sendAttr(s, 'action')?.trim();
  if (to === undefined) return false;
  if (to === '') return isPost(s);
  return !/^#|^javascript:(?!\s*throw\b)/i.test(to);
}
