// Why a press had no effect: no click followed, or the page ignored the click.

import { describe } from './describe.js';
import {
  attr, isConnected, isElement, isInput, isTag, matches, ownerOf, rectOf, rootOf, selectAll, submitterForm, tagOf, typeOf, validationMessage, wasPrevented,
} from './dom.js';
import { ancestors, byCSS, flatKids, isInside, nearest, up } from './flat.js';
import { viewSize } from './frames.js';
import { BUSY, onTop } from './loading.js';
import { fresh } from './look.js';
import { nameOf } from './names.js';
import { CONTROLS, busyButton, busyBy, controlOf, coverOf, disabledBy, hitAt, isButton, isDisabledClass, takesText } from './ready.js';
import { besideOf, drawnAnewBy, hasChosen } from './redrawn.js';
import { ACTS, DIALOGS, OPENERS } from './roles.js';
import { textOf } from './text.js';
import { settled } from './turns.js';
import { isSubmitter } from './unsent.js';
import { isVisible } from './visible.js';

// isExpanded reports whether el, or the opener around it, has aria-expanded=true. What then covers
// it after a press is the content that it opened.
export const isExpanded = (el) => {
  const opener = nearest(el, '[aria-expanded]');
  return opener !== null && attr(opener, 'aria-expanded') === 'true';
};

// hasOpened reports whether the pressed element has become expanded since the button went down.
// What it opened may move it, and take presses meant for other elements.
export const hasOpened = (p) => !p.expanded && isConnected(p.el) && isExpanded(p.el);

// deafness returns why the click of p, which is under way, is ignored, or '' if nothing shows that.
// A page does not act on a control that it shows as disabled; a library does not act on a button
// that it shows as busy. p.idle: the button did not look busy when another field lost the focus.
export function deafness(p) {
  fresh();
  const disabled = disabledBy(p.el);
  if (disabled) return disabled;
  if (p.idle && busyBy(p.el)) return ATWORK;
  const word = p.able && disabledWord(p.el);
  if (word) return (p.marked = `class ${word}`);
  return p.busy && busyButton(p.el) ? `${ATWORK} (${p.busy})` : '';
}

// disabledWord returns the class that marks a link or another element as a disabled button, or ''.
// A native button has the disabled attribute for that.
export function disabledWord(el) {
  const control = controlOf(el);
  if (!control || isTag(control, 'button', 'input') || !isButton(control)) return '';
  return (attr(control, 'class') ?? '').split(/\s+/).find(isDisabledClass) ?? '';
}

// whatStops returns what keeps a click from the pressed element: "gone", "disabled", "covered", or
// '' if nothing does.
export function whatStops(p) {
  fresh();
  if (!isConnected(p.el) || !isVisible(p.shown)) return 'gone';
  if (disabledBy(p.el)) return 'disabled';
  for (const n of ancestors(hitAt(p.at, ownerOf(p.el)))) if (p.goals.has(n)) return '';
  return 'covered';
}

// lostClick returns why a press that has begun was followed by no click, or by one that is ignored.
// It returns '' if the click came, or if the control acts on the button press: an option that
// disappears, or a list that opens over its field.
export function lostClick(p) {
  if (!p.main || p.op !== 'press' || !p.down || p.ups === 0 || p.missed || p.captured || sends(p)) return '';
  if (p.deaf && !(isLink(p.el) && !wasPrevented(p.last))) return ignoredClick(p);
  if (p.clicks >= p.count) return '';
  if (p.clicks === 0 && p.last) return ''; // a context menu was opened
  if (!p.clicks && hasOpened(p)) return '';
  const disabled = isConnected(p.el) && disabledBy(p.el);
  if (disabled) return `${disabled}${p.clicks ? ` since click ${p.clicks} of ${p.count}` : sinceWhen(p)}`;
  if (p.clicks) return '';
  if (!isConnected(p.el) || p.vanished) {
    const by = byLeaving(p, 'gone');
    if (by === ITS_OWN) return drawnAnewBy(p) || (isHiddenSubmit(p) ? `it is hidden since${by}, so its form was not sent` : '');
    return `it is gone since${by}`;
  }
  if (p.covered) {
    if (opens(p.el)) return '';
    if (isInside(p.el, p.covered)) return `it takes no mouse since${byLeaving(p, 'covered')}: the release went to ${describe(p.covered)}`;
    const by = byLeaving(p, 'covered');
    if (!nearest(p.el, `${ACTS},input`) || (by === ITS_OWN && !isMask(p))) return '';
    return `${describe(p.covered)} covers it since${by}`;
  }
  if (!isConnected(p.down)) return drawnAnewBy(p);
  if (nearest(p.el, 'select,option') || hasChosen(p)) return '';
  return 'the page saw the button go down on it, but no click followed';
}

// ignoredAtWork returns why the page may have ignored the click of p, or '': the button shows that it
// is busy since the mouse went down on it, and the click was prevented, as libraries do then.
export function ignoredAtWork(p) {
  if (!p.main || p.op !== 'press' || !p.turned || p.busy || p.submit || isLink(p.el) || !wasPrevented(p.last)) return '';
  return `${ATWORK} (${p.turned}) since${ITS_OWN}`;
}

// isHiddenSubmit reports whether the pressed button would have sent its form, but is hidden now, and
// the page shows nothing new beside it.
function isHiddenSubmit(p) {
  const button = nearest(p.el, 'button,input');
  return button !== null && isConnected(button) && isSubmitter(button) && submitterForm[tagOf(button)](button) !== null && (p.beside === null || besideOf(p.el) === p.beside);
}

// sends reports whether the press has submitted a form. A page that prevents that may send the form
// itself. One whose mousedown has made the button look disabled drops it.
const sends = (p) => Boolean(p.submit) && !(p.deaf && wasPrevented(p.submit) && !p.barred && !p.busy && byLeaving(p, 'disabled') === ITS_OWN);

// ignoredClick returns why the click of p, which reached the page, did nothing.
export function ignoredClick(p) {
  if (p.deaf === ATWORK || p.marked) return `${p.deaf} since${LEFT}`;
  return `${p.deaf}${sinceWhen(p)}`;
}

// sinceWhen returns since when the pressed element is disabled or busy, as the end of a sentence.
export function sinceWhen(p) {
  if (p.barred || p.busy) return ', as it was before the press';
  return ` since${p.key ? BY_KEY : byLeaving(p, 'disabled')}`;
}

// isMask reports whether what covers the pressed element blocks the page, as a loading overlay
// does. A list or dialog that the element has opened over itself does not.
function isMask(p) {
  const field = nearest(p.el, CONTROLS);
  if (field && (takesText(field) || isTag(field, 'select'))) return false;
  const layer = coverOf(p.covered, p.el), around = nearest(p.covered, BUSY);
  if (around && !isInside(p.el, around)) return true;
  if (offersAny(layer)) return false;
  const words = [p.covered, layer].map((n) => attr(n, 'class') ?? '').join(' ');
  if (byCSS([layer], BUSY).some(isVisible) || MASKS.test(words)) return !isBeside(layer, p.el);
  const box = rectOf(layer), view = viewSize();
  const whole = box.width >= view.x && box.height >= view.y;
  return (whole || textOf(layer) === '') && !isBeside(layer, p.el);
}

const MASKS = /block-?ui|(?:^|[-_\s])(?:load(?:ing|er)|spin(?:ner|ning)?|mask|busy|blocker|blockMsg|wait)(?:$|[-_\s])/i;

const OFFERED = '[role=menu],[role=listbox],[role=grid],[role=tree],li,td,[tabindex]:not([tabindex="-1"])';

// offersAny reports whether layer contains something to choose or operate, or is in or around a
// dialog.
const offersAny = (layer) => nearest(layer, DIALOGS) !== null || byCSS([layer], `${DIALOGS},${OFFERED},${CONTROLS}`).some(isVisible);

// isBeside reports whether a sibling of layer lies on top and offers something: lists often have a
// layer below them that closes them when it is clicked.
function isBeside(layer, el) {
  for (const n of flatKids(up(layer) ?? layer)) {
    if (!isElement(n) || n === layer || isInside(el, n) || !isVisible(n) || !offersAny(n)) continue;
    for (const part of byCSS([n], `${DIALOGS},${OFFERED},${CONTROLS}`).filter(isVisible).slice(0, 5)) if (onTop(part)) return true;
  }
  return false;
}

export const isLink = (el) => nearest(el, 'a[href],area[href]') !== null;

const ITS_OWN = ' the button went down on it', BY_KEY = ' the key went down on it', LEFT = ' the previous field lost the focus', ATWORK = 'it shows that it is busy';

// byLeaving returns the words for what caused the state "so" of the pressed element: the blur of
// another field, or the button press itself.
function byLeaving(p, so) {
  if (p.before === null || p.before === so || (p.after ?? so) !== so) return ITS_OWN;
  return LEFT;
}

// opens reports whether the pressed element declares that it opens something. A row that does so
// does not count for a control inside it.
function opens(el) {
  const opener = nearest(el, OPENERS);
  return opener !== null && (opener === controlOf(el) || opener === el || !matches(opener, 'tr,[role=row],[role=treeitem],[role=gridcell]'));
}

// blockedSubmit returns {field, desc, reason} of the field that the browser or a script of the page
// found invalid during a press, or null if a submit followed. A control that only changes a state,
// such as a checkbox or a tab, submits nothing, so that it always gets null.
export function blockedSubmit(p) {
  if (!p.invalid || (p.submit && !wasPrevented(p.submit)) || onlyChanges(p.el)) return null;
  return { field: nameOf(p.invalid) || attr(p.invalid, 'name') || describe(p.invalid), desc: describe(p.invalid), reason: validationMessage(p.invalid) };
}
const CHANGES = ['checkbox', 'radio', 'switch', 'tab', 'option', 'treeitem', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'listbox',
  'menuitemcheckbox', 'menuitemradio', 'gridcell'];

function onlyChanges(el) {
  const control = controlOf(el);
  if (!control) return false;
  const role = attr(control, 'role');
  if (role) return CHANGES.includes(role);
  if (isTag(control, 'input')) return !isInput(control, 'submit', 'image', 'button');
  return !isTag(control, 'fieldset') && !matches(control, ACTS);
}

// maybeBlocked waits for what the page has put off, if a field is invalid that it may still
// validate.
export async function maybeBlocked(p) {
  if (p.invalid || !byInvalid(p.el)) return;
  await settled(p.el, p.asks);
}

// byInvalid reports whether the tree or document of el contains an invalid field.
export const byInvalid = (el) => [rootOf(el), ownerOf(el)].some((root) => selectAll[typeOf(root)](root, ':invalid').length > 0);

export const isThereYet = (el) => {
  fresh();
  return isConnected(el) && isVisible(el);
};

// lostByLeaving returns the message for an element that was there when another field lost the focus
// (stood) and is now gone, or ''.
export const lostByLeaving = (stood, el) => (stood && !isThereYet(el) ? 'it is gone since the previous field lost the focus' : '');
