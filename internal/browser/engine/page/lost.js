// Why a press that was sent had no effect: no click followed, or the page ignored it.

import { describe } from './describe.js';
import {
  attr, isConnected, isElement, isInput, isTag, matches, ownerOf, rectOf, rootOf, selectAll, typeOf, validationMessage, wasPrevented,
} from './dom.js';
import { ancestors, byCSS, flatKids, isInside, nearest, up } from './flat.js';
import { viewSize } from './frames.js';
import { BUSY, onTop } from './loading.js';
import { fresh } from './look.js';
import { nameOf } from './names.js';
import { CONTROLS, busyButton, busyBy, controlOf, coverOf, disabledBy, hitAt, isButton, isDisabledClass, takesText } from './ready.js';
import { drawnAnewBy } from './redrawn.js';
import { ACTS, DIALOGS, OPENERS } from './roles.js';
import { textOf } from './text.js';
import { settled } from './turns.js';
import { isVisible } from './visible.js';

// isExpanded reports whether el says that what it opens is open. Then what lies over it
// after a press is that, and no accident.
export const isExpanded = (el) => {
  const opener = nearest(el, '[aria-expanded]');
  return opener !== null && attr(opener, 'aria-expanded') === 'true';
};

// hasOpened: what is pressed says that it has opened something since the button went down. That
// may move it, and take the presses of all else.
export const hasOpened = (p) => !p.expanded && isConnected(p.el) && isExpanded(p.el);

// deafness says why the click of p that has begun is ignored: a page that says that a control
// is disabled does not act on it, nor does a library whose button shows that it is at work.
// p.idle: it did not when another field was left. '' where nothing is said.
export function deafness(p) {
  fresh();
  const disabled = disabledBy(p.el);
  if (disabled) return disabled;
  if (p.idle && busyBy(p.el)) return ATWORK;
  const word = p.able && disabledWord(p.el);
  if (word) return (p.marked = `class ${word}`);
  return p.busy && busyButton(p.el) ? `${ATWORK} (${p.busy})` : '';
}

// disabledWord is the class that says that a link or another element is a button that is
// disabled; '' where none does. Of a native button its attribute says so.
export function disabledWord(el) {
  const control = controlOf(el);
  if (!control || isTag(control, 'button', 'input') || !isButton(control)) return '';
  return (attr(control, 'class') ?? '').split(/\s+/).find(isDisabledClass) ?? '';
}

// whatStops says what keeps a click from what is pressed; '' where nothing does.
export function whatStops(p) {
  fresh();
  if (!isConnected(p.el) || !isVisible(p.shown)) return 'gone';
  if (disabledBy(p.el)) return 'disabled';
  for (const n of ancestors(hitAt(p.at, ownerOf(p.el)))) if (p.goals.has(n)) return '';
  return 'covered';
}

// lostClick says why no click followed on a press that has begun, or one that is ignored; '' where it did, or
// where what was pressed acts on the button press: an option that is taken away, or a
// list that opens over its field.
export function lostClick(p) {
  if (!p.main || p.op !== 'press' || !p.down || p.ups === 0 || p.missed || p.captured || p.submit) return '';
  if (p.deaf && !(isLink(p.el) && !wasPrevented(p.last))) return ignoredClick(p);
  if (p.clicks >= p.count) return '';
  if (p.clicks === 0 && p.last) return ''; // a context menu
  if (!p.clicks && hasOpened(p)) return '';
  const disabled = isConnected(p.el) && disabledBy(p.el);
  if (disabled) return `${disabled}${p.clicks ? ` since click ${p.clicks} of ${p.count}` : sinceWhen(p)}`;
  if (p.clicks) return '';
  if (!isConnected(p.el) || p.vanished) {
    const by = byLeaving(p, 'gone');
    if (by === ITS_OWN) return drawnAnewBy(p);
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
  if (nearest(p.el, 'select,option')) return '';
  return 'the page saw the button go down on it, and no click';
}

// ignoredClick says why p's click, which the page got, did nothing.
export function ignoredClick(p) {
  if (p.deaf === ATWORK || p.marked) return `${p.deaf} since${LEFT}`;
  return `${p.deaf}${sinceWhen(p)}`;
}

// sinceWhen says since when what p presses is disabled, or at work.
export function sinceWhen(p) {
  if (p.barred || p.busy) return ', as it was before the press';
  return ` since${p.key ? BY_KEY : byLeaving(p, 'disabled')}`;
}

// isMask: what covers p keeps a person from the page, such as a sign that it is at work. A list
// or a dialog that p has opened over itself does not.
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

// offersAny: there is something in layer to choose, or a dialog in or around it.
const offersAny = (layer) => nearest(layer, DIALOGS) !== null || byCSS([layer], `${DIALOGS},${OFFERED},${CONTROLS}`).some(isVisible);

// isBeside: what has come with layer, and lies above it, offers something: a list has a layer
// below it that closes it.
function isBeside(layer, el) {
  for (const n of flatKids(up(layer) ?? layer)) {
    if (!isElement(n) || n === layer || isInside(el, n) || !isVisible(n) || !offersAny(n)) continue;
    for (const part of byCSS([n], `${DIALOGS},${OFFERED},${CONTROLS}`).filter(isVisible).slice(0, 5)) if (onTop(part)) return true;
  }
  return false;
}

export const isLink = (el) => nearest(el, 'a[href],area[href]') !== null;

const ITS_OWN = ' the button went down on it', BY_KEY = ' the key went down on it', LEFT = ' the field before lost the focus', ATWORK = 'it shows that it is busy';

// byLeaving says whether el came to stand so when another field lost the focus.
function byLeaving(p, so) {
  if (p.before === null || p.before === so || (p.after ?? so) !== so) return ITS_OWN;
  return LEFT;
}

// opens: what is pressed says that it opens something. A row that does is around what is in it.
function opens(el) {
  const opener = nearest(el, OPENERS);
  return opener !== null && (opener === controlOf(el) || opener === el || !matches(opener, 'tr,[role=row],[role=treeitem],[role=gridcell]'));
}

// blockedSubmit names the field that was found invalid in a press, by the browser or by a
// script of the page, unless a submit came behind it. A control that only changes a
// state, such as a checkbox or a tab, submits nothing: what is found then is for show.
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

// maybeBlocked waits for what the page has put off where a field is invalid that it may
// still look at.
export async function maybeBlocked(p) {
  if (p.invalid || !byInvalid(p.el)) return;
  await settled(p.el, p.asks);
}

export const byInvalid = (el) => [rootOf(el), ownerOf(el)].some((root) => selectAll[typeOf(root)](root, ':invalid').length > 0);

export const isThereYet = (el) => {
  fresh();
  return isConnected(el) && isVisible(el);
};

// lostByLeaving says that what was pressed is gone since another field lost the focus: it
// stood (w.stood) when that did.
export const lostByLeaving = (stood, el) => (stood && !isThereYet(el) ? 'it is gone since the field before lost the focus' : '');
