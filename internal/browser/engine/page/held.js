// What a control holds after fill, type or select.

import { acting } from './act.js';
import { invalidBy } from './answers.js';
import { arrival } from './arrival.js';
import { compared } from './compare.js';
import { chosenValues, showsOnly } from './controls.js';
import { describe } from './describe.js';
import { isConnected, isTag } from './dom.js';
import { beyond } from './focus.js';
import { excuseChanged, keep } from './kept.js';
import { last } from './last.js';
import { fresh } from './look.js';
import { releaseUnnamed } from './ops.js';
import { LONGEST_NAME } from './shown.js';
import { cut, readable } from './text.js';
import { nextFrame, settled } from './turns.js';

// held reads back what the element of the last fill, select or type holds. coming: it first waits
// for the text that was sent before. along: it first waits for the act with which it was sent, and
// returns null if that has failed.
/** @param {{ value?: string, coming?: boolean, along?: boolean }} [asked] */
export async function held({ value, coming, along } = {}) {
  if (along && !(await acting)?.ok) return null;
  const mine = last, { el, asks } = mine;
  if (!el) return { value: '', secret: false, same: false, alike: false, desc: '', connected: false };
  if (coming) await arrival?.over; // before the page's handlers of the text
  const other = arrival?.of === el ? arrival.other : null;
  if (other !== null) return { value: '', secret: false, same: false, alike: false, desc: '', connected: true, other };
  if (mine.keyed) await releaseUnnamed(el, mine, coming);
  await settled(el, asks, coming ? 3 : 2);
  fresh();
  if (mine.editor) return editorHolds(mine, value ?? '');
  /** @type {Record<string, any>} */
  let result = { ...compared(el, value ?? ''), desc: describe(el), connected: isConnected(el) };
  if (result.connected && (result.same || result.alike)) result = { ...result, ...await beyond(el, value ?? '') };
  result.secret ||= mine.secret; // the page may show the password now
  if (value && result.connected) result.invalid = invalidBy(el);
  if (isTag(el, 'select')) result.values = chosenValues(el);
  excuseChanged(el, mine);
  if (result.values) keep(el, 'select', undefined, mine);
  else if (result.connected && (result.same || result.alike)) keep(el, 'fill', value ?? '', mine);
  return result;
}

async function editorHolds(mine, want) {
  const { editor } = mine;
  await nextFrame(); // the editor draws in the frame after its script has run
  fresh();
  const same = showsOnly(editor, want);
  excuseChanged(mine.el, mine);
  if (same) keep(editor, 'editor', want, mine);
  const value = same ? want : cut(readable(editor), LONGEST_NAME);
  return { value, secret: false, same, alike: false, desc: describe(editor), connected: isConnected(editor) };
}
