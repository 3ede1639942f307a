// role: finds elements by their role, their name and their states.

import { isNested } from './depth.js';
import { ownerOf } from './dom.js';
import { byCSS } from './flat.js';
import { mayAsk } from './look.js';
import { isExposed, nameOf, roleOf } from './names.js';
import { isPlain } from './plain.js';
import { NATIVE, SYNONYMS, plainRole } from './roles.js';
import { clickableName, givenRole, takesClicks } from './shown.js';
import { stateOf } from './states.js';
import { fold, matcher } from './text.js';
import {
  FEW, MANY, MOST_ASKED, askedName, asksBrowser, browserRole, confirm, hasBrowserNames, needTree, spokenName, spokenRole,
} from './verdicts.js';

// byRole returns the elements with a role, name and states. It selects candidates by tag and
// attribute, and needs the browser's verdict only for those.
export function byRole(part, within) {
  const role = plainRole(part.role.toLowerCase());
  if (role === 'clickable') return byClicks(part, within);
  const asked = Object.keys(SYNONYMS).filter((s) => SYNONYMS[s] === role).concat(role);
  const css = asked.map((r) => `[role~=${CSS.escape(r)} i]`).concat(asked.map((r) => NATIVE[r]).filter(Boolean)).join(',');
  const names = [], states = [];
  for (const a of part.attrs ?? []) (a.name === 'name' ? names : states).push(a);
  const wanted = names.map((a) => matcher(a.op, a.value));
  const candidates = byCSS(within, css).filter((el) => states.every((a) => hasState(el, a)));
  if (wanted.length) doubt(candidates, role, wanted);
  if (wanted.length && candidates.length > MANY && hasBrowserNames) {
    const likely = candidates.filter((el) => wanted.every((m) => m.test(nameOf(el, true))));
    const found = likely.filter((el) => isRole(el, role, wanted));
    if (found.length) return found;
  }
  return candidates.filter((el) => isRole(el, role, wanted));
}

// byClicks returns the elements that take clicks and have no role, which snapshots show as
// clickable.
function byClicks(part, within) {
  const wanted = (part.attrs ?? []).filter((a) => a.name === 'name').map((a) => matcher(a.op, a.value));
  const isMeant = (el) => takesClicks(el) && isExposed(el) && givenRole(el) === 'clickable' && wanted.every((m) => m.test(fold(clickableName(el))));
  return byCSS(within, '*').filter(isMeant);
}

function hasState(el, a) {
  const have = stateOf(el, a.name);
  if (have === null) return a.value === false && a.name !== 'level' && a.name !== 'checked';
  return String(have) === String(a.value);
}

function isRole(el, role, names) {
  if (!asksBrowser(el)) return spokenRole(el) === role && isExposed(el) && names.every((m) => m.test(spokenName(el)));
  if (names.length) {
    const name = askedName(el);
    if (!names.every((m) => m.test(name))) return false;
  }
  return (isPlain(el) ? roleOf(el) : browserRoleOf(el)) === role && isExposed(el);
}

function browserRoleOf(el) {
  needTree();
  return plainRole(browserRole(el));
}

// doubt collects the candidates for which the browser has to decide: those that seem to match; all
// of them if they are few; if none seems to match, the first ones, as the engine's result may be
// wrong.
function doubt(candidates, role, wanted) {
  if (!mayAsk) return;
  const open = candidates.filter((el) => !asksBrowser(el) && !isNested(ownerOf(el)) && isExposed(el));
  if (open.length <= FEW) {
    confirm(open);
    return;
  }
  const fits = open.filter((el) => isRole(el, role, wanted));
  confirm(fits.length ? fits : open.slice(0, MOST_ASKED));
}
